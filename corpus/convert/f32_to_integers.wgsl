//! grid 2
//! in x = f32[0, 1.9, -1.9, 0.5, -0.5, 100.99, 3e+09, -3e+09, 2.1474835e+09, -2.1474836e+09, 2.1474836e+09,
//!     4.294967e+09, 5e+09, 1e+20, -1e+20, 1.6777216e+07]
//! out signed = i32[(0, 1, -1, 0) x 3, (0, 100, 2147483520, -2147483648) x 3,
//!     (2147483520, -2147483648, 2147483520, 2147483520) x 3, (2147483520, 2147483520, -2147483648, 16777216) x 3]
//! out unsigned = u32[(0, 1, 0, 0) x 3, (0, 100, 3000000000, 0) x 3, (2147483520, 0, 2147483648, 4294967040) x 3,
//!     (4294967040, 4294967040, 0, 16777216) x 3]
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> signed: array<array<vec4i, 3>>;
@group(0) @binding(2) var<storage, read_write> unsigned: array<array<vec4u, 3>>;

// Towards zero, and clamped to what both types can represent.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    signed[i][0] = vec4i(v);
    signed[i][1] = vec4i(vec3i(v.xyz), i32(v.w));
    signed[i][2] = vec4i(vec2i(v.xy), vec2i(v.zw));
    unsigned[i][0] = vec4u(v);
    unsigned[i][1] = vec4u(vec3u(v.xyz), u32(v.w));
    unsigned[i][2] = vec4u(vec2u(v.xy), vec2u(v.zw));
}
