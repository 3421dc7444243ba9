//! ours
//! grid 1
//! in x = f16[nan, inf, -inf, -0.0, 6e-08, -6e-08, 1, 0]
//! out signed = i32[(0, 65504, -65504, 0) x 3, (0, 0, 1, 0) x 3]
//! out unsigned = u32[(0, 65504, 0, 0) x 3, (0, 0, 1, 0) x 3]
//! out wide = f32[(nan, inf, -inf, -0.0) x 3, (5.9604645e-08, -5.9604645e-08, 1, 0) x 3]
//! out truth = u32[(1, 1, 1, 0) x 3, (1, 1, 1, 0) x 3]
enable f16;

@group(0) @binding(0) var<storage> x: array<vec4h>;
@group(0) @binding(1) var<storage, read_write> signed: array<array<vec4i, 3>>;
@group(0) @binding(2) var<storage, read_write> unsigned: array<array<vec4u, 3>>;
@group(0) @binding(3) var<storage, read_write> wide: array<array<vec4f, 3>>;
@group(0) @binding(4) var<storage, read_write> truth: array<array<vec4u, 3>>;

// NaN is 0; infinity becomes the largest finite f16; everything but zero is true.
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
    wide[i][0] = vec4f(v);
    wide[i][1] = vec4f(vec3f(v.xyz), f32(v.w));
    wide[i][2] = vec4f(vec2f(v.xy), vec2f(v.zw));
    truth[i][0] = vec4u(vec4<bool>(v));
    truth[i][1] = vec4u(vec3u(vec3<bool>(v.xyz)), u32(bool(v.w)));
    truth[i][2] = vec4u(vec2u(vec2<bool>(v.xy)), vec2u(vec2<bool>(v.zw)));
}
