// Each level is half as large as the one before, rounded down, and lies behind it.
//! grid 5,4,4
//! image photo = r32uint 5x4 levels 3
//! in photo = u32[0, 1, 2, 3, 4, 10, 11, 12, 13, 14, 20, 21,
//!   22, 23, 24, 30, 31, 32, 33, 34, 100, 101, 110, 111,
//!   200]
//! out seen = u32[0, 1, 2, 3, 4, 10, 11, 12, 13, 14,
//!   20, 21, 22, 23, 24, 30, 31, 32, 33, 34,
//!   100, 101, 0, 0, 0, 110, 111, 0, 0, 0,
//!   0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
//!   200, 0, 0, 0, 0, 0, 0, 0, 0, 0,
//!   0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
//!   0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
//!   0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
//! out dims = u32[5, 4, 2, 2, 1, 1, 0, 0]
//! out count = u32[3]
@group(0) @binding(0) var photo: texture_2d<u32>;
@group(0) @binding(1) var<storage, read_write> seen: array<u32>;
@group(0) @binding(2) var<storage, read_write> dims: array<vec2u>;
@group(0) @binding(3) var<storage, read_write> count: u32;

@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    seen[(id.z * 4 + id.y) * 5 + id.x] = textureLoad(photo, id.xy, id.z).x;
    if all(id.xy == vec2u(0)) { dims[id.z] = textureDimensions(photo, id.z); }
    if all(id == vec3u(0)) { count = textureNumLevels(photo); }
}
