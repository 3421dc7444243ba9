// A block, turned round; nothing is beyond any of its sides.
//! threads 4,3,2
//! image photo = r16uint 4x3x2
//! image to = r32uint 4x3x2
//! in photo = u32[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
//!   13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24]
//! out to = u32[16, 15, 14, 13, 20, 19, 18, 17, 24, 23, 22, 21,
//!   4, 3, 2, 1, 8, 7, 6, 5, 12, 11, 10, 9]
//! out told = u32[4, 3, 2, 0, 0, 0]
@group(0) @binding(0) var photo: texture_3d<u32>;
@group(0) @binding(1) var to: texture_storage_3d<r32uint, write>;
@group(0) @binding(2) var<storage, read_write> told: array<u32, 6>;

@compute @workgroup_size(2, 2, 2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let at = vec3u(3 - id.x, id.y, 1 - id.z);
    textureStore(to, id, textureLoad(photo, at, 0));
    if all(id == vec3u(0)) {
        let size = textureDimensions(to);
        told = array(size.x, size.y, size.z, textureLoad(photo, vec3i(4, 0, 0), 0).x,
            textureLoad(photo, vec3i(0, 3, 0), 0).x, textureLoad(photo, vec3i(0, 0, 2), 0).x);
    }
}
