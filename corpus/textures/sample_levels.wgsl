// Between levels, with other filters where texels are magnified, and no finer or coarser than a sampler allows.
//! threads 10
//! image photo = r32float 4x4 levels 3
//! sampler smoothly = linear
//! sampler rough = mag=nearest min=linear mip=nearest
//! sampler narrow = mag=linear min=nearest mip=linear lod=0.5..1.25
//! in photo = f32[0, 1, 2, 3, 4, 5, 6, 7,
//!   8, 9, 10, 11, 12, 13, 14, 15,
//!   100, 104, 108, 112, 200]
//! in lods = f32[-1, 0, 0.25, 0.5, 1, 1.25, 1.75, 2,
//!   3.5, 100]
//! out seen = f32[10.25, 9, 58.5,
//!   10.25, 9, 58.5,
//!   34.8125, 10.25, 58.5,
//!   59.375, 108.5, 58.5,
//!   108.5, 108.5, 108,
//!   131.375, 108.5, 131,
//!   177.125, 200, 131,
//!   200, 200, 131,
//!   200, 200, 131,
//!   200, 200, 131]
@group(0) @binding(0) var photo: texture_2d<f32>;
@group(0) @binding(1) var smoothly: sampler;
@group(0) @binding(2) var rough: sampler;
@group(1) @binding(0) var narrow: sampler;
@group(1) @binding(1) var<storage> lods: array<f32>;
@group(1) @binding(2) var<storage, read_write> seen: array<array<f32, 3>>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= 10 { return; }
    let at = vec2f(0.4375, 0.6875);
    let lod = lods[id.x];
    seen[id.x][0] = textureSampleLevel(photo, smoothly, at, lod).x;
    seen[id.x][1] = textureSampleLevel(photo, rough, at, lod).x;
    seen[id.x][2] = textureSampleLevel(photo, narrow, at, lod).x;
}
