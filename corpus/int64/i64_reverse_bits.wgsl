//! grid 2
//! in x = i64[0, 1, -1, -9223372036854775808, 2, 12, 9223372036854775807, -2, 240, -256, 4611686018427387904, -5,
//!     47719207859, -3361382, 6328, -91892]
//! out y = i64[(0, -9223372036854775808, -1, 1) x 3,
//!     (4611686018427387904, 3458764513820540928, -2, 9223372036854775807) x 3,
//!     (1080863910568919040, 72057594037927935, 2, -2305843009213693953) x 3,
//!     (-3617918577933287424, 6461878214951174143, 2096425626540965888, 3501970922745626623) x 3]
@group(0) @binding(0) var<storage> x: array<vec4<i64>>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4<i64>, 3>>;

// The bits from the other end.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = reverseBits(v);
    y[i][1] = vec4<i64>(reverseBits(v.xyz), reverseBits(v.w));
    y[i][2] = vec4<i64>(reverseBits(v.xy), reverseBits(v.zw));
}
