// From well before the image to well after it, between texels and on their edges.
//! threads 14,12
//! image photo = r32float 4x4
//! sampler how = nearest mirror
//! in photo = f32[0, 3, 6, 9, 7, 10, 13, 0,
//!   14, 1, 4, 7, 5, 8, 11, 14]
//! out seen = f32[7, 7, 7, 4, 1, 1, 14,
//!   14, 1, 1, 4, 7, 7, 7,
//!   14, 14, 14, 11, 8, 8, 5,
//!   5, 8, 8, 11, 14, 14, 14,
//!   14, 14, 14, 11, 8, 8, 5,
//!   5, 8, 8, 11, 14, 14, 14,
//!   7, 7, 7, 4, 1, 1, 14,
//!   14, 1, 1, 4, 7, 7, 7,
//!   0, 0, 0, 13, 10, 10, 7,
//!   7, 10, 10, 13, 0, 0, 0,
//!   9, 9, 9, 6, 3, 3, 0,
//!   0, 3, 3, 6, 9, 9, 9,
//!   9, 9, 9, 6, 3, 3, 0,
//!   0, 3, 3, 6, 9, 9, 9,
//!   0, 0, 0, 13, 10, 10, 7,
//!   7, 10, 10, 13, 0, 0, 0,
//!   7, 7, 7, 4, 1, 1, 14,
//!   14, 1, 1, 4, 7, 7, 7,
//!   14, 14, 14, 11, 8, 8, 5,
//!   5, 8, 8, 11, 14, 14, 14,
//!   14, 14, 14, 11, 8, 8, 5,
//!   5, 8, 8, 11, 14, 14, 14,
//!   7, 7, 7, 4, 1, 1, 14,
//!   14, 1, 1, 4, 7, 7, 7]
@group(0) @binding(0) var photo: texture_2d<f32>;
@group(0) @binding(1) var how: sampler;
@group(0) @binding(2) var<storage, read_write> seen: array<f32>;

@compute @workgroup_size(4, 4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= 14 { return; }
    let at = vec2f(f32(id.x) * 0.1875 - 1.25, 1.3125 - f32(id.y) * 0.25);
    seen[id.y * 14 + id.x] = textureSampleLevel(photo, how, at, 0.0).x;
}
