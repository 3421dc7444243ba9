//! grid 2
//! in x = i32[1, -8, 1, -256, 5, -5, 2147483647, 1, -2147483648, 2147483647, 9, -2147483648, -1364326961,
//!     -936600388, -1521808306, 148567041]
//! in amount = u32[0, 1, 31, 4, 32, 33, 63, 4294967295, 7, 16, 64, 31, 13, 5, 3, 2147483648]
//! out left = i32[(1, -16, -2147483648, -4096) x 3, (5, -10, -2147483648, -2147483648) x 3, (0, -65536, 9, 0) x 3,
//!     (-1061560320, 93558656, 710435440, 148567041) x 3]
//! out right = i32[(1, -4, 0, -16) x 3, (5, -3, 0, 0) x 3, (-16777216, 32767, 9, -1) x 3,
//!     (-166544, -29268763, -190226039, 148567041) x 3]
@group(0) @binding(0) var<storage> x: array<vec4i>;
@group(0) @binding(1) var<storage> amount: array<vec4u>;
@group(0) @binding(2) var<storage, read_write> left: array<array<vec4i, 3>>;
@group(0) @binding(3) var<storage, read_write> right: array<array<vec4i, 3>>;

// Amounts are taken modulo 32; the sign is kept to the right.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    let a_i = amount[i];
    left[i][0] = v << a_i;
    left[i][1] = vec4i(v.xyz << a_i.xyz, v.w << a_i.w);
    left[i][2] = vec4i(v.xy << a_i.xy, v.zw << a_i.zw);
    right[i][0] = v >> a_i;
    right[i][1] = vec4i(v.xyz >> a_i.xyz, v.w >> a_i.w);
    right[i][2] = vec4i(v.xy >> a_i.xy, v.zw >> a_i.zw);
}
