// An offset is in texels; clamped to the edge, a sampler's own rule does not matter.
//! threads 8,8
//! image photo = r32float 4x4
//! sampler how = linear repeat
//! in photo = f32[0, 3, 6, 9, 7, 10, 13, 0,
//!   14, 1, 4, 7, 5, 8, 11, 14]
//! out moved = f32[5.5, 4, 5.5, 6, 5.5, 7, 10.5, 10,
//!   5, 3.5, 5, 6.5, 8, 9.5, 11, 9.5,
//!   6.5, 7, 8.5, 10, 11.5, 11, 8.5, 7,
//!   6, 7.5, 9, 10.5, 12, 10.5, 6, 4.5,
//!   3.5, 5, 6.5, 8, 9.5, 8, 3.5, 2,
//!   4, 5.5, 7, 7.5, 7, 5.5, 3, 2.5,
//!   7.5, 9, 10.5, 9, 4.5, 3, 4.5, 6,
//!   8, 8.5, 10, 8.5, 4, 3.5, 7, 8.5]
//! out clamped = f32[0, 0, 0, 3, 6, 9, 9, 9,
//!   0, 0, 0, 3, 6, 9, 9, 9,
//!   0, 0, 0, 3, 6, 9, 9, 9,
//!   7, 7, 7, 10, 13, 0, 0, 0,
//!   14, 14, 14, 1, 4, 7, 7, 7,
//!   5, 5, 5, 8, 11, 14, 14, 14,
//!   5, 5, 5, 8, 11, 14, 14, 14,
//!   5, 5, 5, 8, 11, 14, 14, 14]
@group(0) @binding(0) var photo: texture_2d<f32>;
@group(0) @binding(1) var how: sampler;
@group(0) @binding(2) var<storage, read_write> moved: array<f32>;
@group(0) @binding(3) var<storage, read_write> clamped: array<f32>;

@compute @workgroup_size(4, 4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let at = (2 * vec2f(id.xy) + 1) / 16;
    moved[id.y * 8 + id.x] = textureSampleLevel(photo, how, at, 0.0, vec2i(1, -2)).x;
    clamped[id.y * 8 + id.x] = textureSampleBaseClampToEdge(photo, how, at * 2 - 0.5).x;
}
