// Layers in another order, by signed and by unsigned numbers; those that are not there are zero.
//! threads 3,2,4
//! image photo = r32sint 3x2x4
//! image to = r32sint 3x2x4
//! in photo = i32[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
//!   12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]
//! out to = i32[18, 19, 20, 21, 22, 23, 1012, 1013, 1014, 1015, 1016, 1017,
//!   2006, 2007, 2008, 2009, 2010, 2011, 3000, 3001, 3002, 3003, 3004, 3005]
//! out told = u32[3, 2, 4, 4, 0, 0]
@group(0) @binding(0) var photo: texture_2d_array<i32>;
@group(0) @binding(1) var to: texture_storage_2d_array<r32sint, write>;
@group(0) @binding(2) var<storage, read_write> told: array<u32, 6>;

@compute @workgroup_size(2, 2, 1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let layer = 3 - i32(id.z);
    textureStore(to, vec2i(id.xy), id.z, textureLoad(photo, id.xy, layer, 0) + 1000 * i32(id.z));
    textureStore(to, id.xy, 4 + id.z, vec4i(-1));
    if all(id == vec3u(0)) {
        told[0] = textureDimensions(photo).x;
        told[1] = textureDimensions(to).y;
        told[2] = textureNumLayers(photo);
        told[3] = textureNumLayers(to);
        told[4] = u32(textureLoad(photo, vec2u(1), -1, 0).x);
        told[5] = u32(textureLoad(photo, vec2u(1), 4u, 0).x);
    }
}
