//! grid 3
//! in x = f16[0, 1.9, -1.9, 0.5, 100.9, -100.9, 6.55e+04, -6.55e+04, 2.048e+03, 0.1, 7, -7]
//! out signed = i32[(0, 1, -1, 0) x 3, (100, -100, 65504, -65504) x 3, (2048, 0, 7, -7) x 3]
//! out unsigned = u32[(0, 1, 0, 0) x 3, (100, 0, 65504, 0) x 3, (2048, 0, 7, 0) x 3]
//! out wide = f32[(0, 1.9003906, -1.9003906, 0.5) x 3, (100.875, -100.875, 65504, -65504) x 3,
//!     (2048, 0.099975586, 7, -7) x 3]
enable f16;

@group(0) @binding(0) var<storage> x: array<vec4h>;
@group(0) @binding(1) var<storage, read_write> signed: array<array<vec4i, 3>>;
@group(0) @binding(2) var<storage, read_write> unsigned: array<array<vec4u, 3>>;
@group(0) @binding(3) var<storage, read_write> wide: array<array<vec4f, 3>>;

// To integers towards zero; to f32 exactly.
@compute @workgroup_size(1)
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
}
