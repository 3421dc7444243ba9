//! grid 1
//! in x = f32[0, 1, -1, 0.5, 3.4028235e+38, 1e-30, -65536, 0.1]
//! out signed = i32[(0, 1065353216, -1082130432, 1056964608) x 3,
//!     (2139095039, 228737632, -947912704, 1036831949) x 3]
//! out unsigned = u32[(0, 1065353216, 3212836864, 1056964608) x 3,
//!     (2139095039, 228737632, 3347054592, 1036831949) x 3]
//! out back = f32[(0, 1, -1, 0.5) x 3, (3.4028235e+38, 1e-30, -65536, 0.1) x 3]
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> signed: array<array<vec4i, 3>>;
@group(0) @binding(2) var<storage, read_write> unsigned: array<array<vec4u, 3>>;
@group(0) @binding(3) var<storage, read_write> back: array<array<vec4f, 3>>;

// The bits stay, the type changes.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    signed[i][0] = bitcast<vec4i>(v);
    signed[i][1] = vec4i(bitcast<vec3i>(v.xyz), bitcast<i32>(v.w));
    signed[i][2] = vec4i(bitcast<vec2i>(v.xy), bitcast<vec2i>(v.zw));
    unsigned[i][0] = bitcast<vec4u>(v);
    unsigned[i][1] = vec4u(bitcast<vec3u>(v.xyz), bitcast<u32>(v.w));
    unsigned[i][2] = vec4u(bitcast<vec2u>(v.xy), bitcast<vec2u>(v.zw));
    back[i][0] = bitcast<vec4f>(bitcast<vec4u>(v));
    back[i][1] = vec4f(bitcast<vec3f>(bitcast<vec3u>(v.xyz)), bitcast<f32>(bitcast<u32>(v.w)));
    back[i][2] = vec4f(bitcast<vec2f>(bitcast<vec2u>(v.xy)), bitcast<vec2f>(bitcast<vec2u>(v.zw)));
}
