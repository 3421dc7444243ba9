// A row of texels, read backwards by several workgroups.
//! threads 10
//! image photo = r32uint 10
//! image to = rg32uint 10
//! in photo = u32[100, 101, 102, 103, 104, 105, 106, 107, 108, 109]
//! out to = u32[109, 0, 108, 1, 107, 2, 106, 3, 105, 4, 104, 5,
//!   103, 6, 102, 7, 101, 8, 100, 9]
//! out size = u32[10, 10, 1]
@group(0) @binding(0) var photo: texture_1d<u32>;
@group(0) @binding(1) var to: texture_storage_1d<rg32uint, write>;
@group(0) @binding(2) var<storage, read_write> size: array<u32, 3>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    textureStore(to, id.x, vec4u(textureLoad(photo, 9 - i32(id.x), 0).x, id.x, 0, 0));
    if id.x == 0 { size = array(textureDimensions(photo), textureDimensions(to), textureNumLevels(photo)); }
}
