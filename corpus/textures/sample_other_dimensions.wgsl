// A row between two texels, a block between eight, and the nearest layer that there is.
//! threads 5
//! image row = r32float 4
//! image block = r32float 2x2x2
//! image layers = r32float 2x2x3
//! sampler how = linear
//! in row = f32[0, 10, 20, 40]
//! in block = f32[0, 1, 2, 3, 4, 5, 6, 7]
//! in layers = f32[0, 1, 10, 11, 100, 101, 110, 111,
//!   200, 201, 210, 211]
//! in at = f32[0.5, 0.5, 0.5, 0, 0.375, 0.5, 0.25, 0, 0.25, 0.75, 0.625, 0, 0.9, 0.9, 0.9, 0, 0.0, 0.0, 1.0, 0]
//! out seen = f32[15, 3.5, 5.5,
//!   10, 1.25, 5.5,
//!   5, 5, 105.5,
//!   40, 6.999999999999999, 205.5,
//!   0, 4, 205.5] ~ 2ulp abs 1e-6
@group(0) @binding(0) var row: texture_1d<f32>;
@group(0) @binding(1) var block: texture_3d<f32>;
@group(0) @binding(2) var layers: texture_2d_array<f32>;
@group(0) @binding(3) var how: sampler;
@group(0) @binding(4) var<storage> at: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> seen: array<array<f32, 3>>;

@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= 5 { return; }
    let p = at[id.x].xyz;
    seen[id.x][0] = textureSampleLevel(row, how, p.x, 0.0).x;
    seen[id.x][1] = textureSampleLevel(block, how, p, 0.0).x;
    seen[id.x][2] = textureSampleLevel(layers, how, vec2f(0.5), i32(id.x) - 1, 0.0).x;
}
