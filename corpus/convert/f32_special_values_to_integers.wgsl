//! ours
//! grid 1
//! in x = f32[nan, inf, -inf, -0.0, 1e-45, -1e-45, 3.4028235e+38, -3.4028235e+38]
//! out signed = i32[(0, 2147483520, -2147483648, 0) x 3, (0, 0, 2147483520, -2147483648) x 3]
//! out unsigned = u32[(0, 4294967040, 0, 0) x 3, (0, 0, 4294967040, 0) x 3]
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> signed: array<array<vec4i, 3>>;
@group(0) @binding(2) var<storage, read_write> unsigned: array<array<vec4u, 3>>;

// NaN is 0, the infinities are clamped.
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
