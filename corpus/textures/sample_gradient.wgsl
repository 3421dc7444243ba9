// The level is that of the faster of two directions, by how many texels are passed.
//! threads 4
//! image photo = r32float 4x4 levels 3
//! sampler how = linear mip=nearest
//! in photo = f32[0, 1, 2, 3, 4, 5, 6, 7,
//!   8, 9, 10, 11, 12, 13, 14, 15,
//!   100, 104, 108, 112, 200]
//! in steps = f32[0.25, 0, 0, 0.25,
//!   0.5, 0, 0, 0.25,
//!   0.25, 0, 0, 1,
//!   0.03125, 0, 0, 0]
//! out seen = f32[10.25, 108.5, 200, 10.25]
@group(0) @binding(0) var photo: texture_2d<f32>;
@group(0) @binding(1) var how: sampler;
@group(0) @binding(2) var<storage> steps: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> seen: array<f32>;

@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let step = steps[id.x];
    seen[id.x] = textureSampleGrad(photo, how, vec2f(0.4375, 0.6875), step.xy, step.zw).x;
}
