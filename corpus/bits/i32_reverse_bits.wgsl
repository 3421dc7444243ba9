//! grid 2
//! in x = i32[0, 1, -1, -2147483648, 2, 12, 2147483647, -2, 240, -256, 1073741824, -5, 62858, -112849, -13878,
//!     288384645]
//! out y = i32[(0, -2147483648, -1, 1) x 3, (1073741824, 805306368, -2, 2147483647) x 3,
//!     (251658240, 16777215, 2, -536870913) x 3, (1370423296, -186482689, 1402208255, -1587147640) x 3]
@group(0) @binding(0) var<storage> x: array<vec4i>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4i, 3>>;

// The bits from the other end.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = reverseBits(v);
    y[i][1] = vec4i(reverseBits(v.xyz), reverseBits(v.w));
    y[i][2] = vec4i(reverseBits(v.xy), reverseBits(v.zw));
}
