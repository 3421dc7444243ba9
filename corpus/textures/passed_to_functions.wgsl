// A function that takes textures is one for each of those that it is called with.
//! threads 4,2
//! image a = r32uint 4x2
//! image b = r32uint 4x2
//! image to = r32uint 4x2
//! image also = r32uint 4x2
//! sampler how = nearest
//! image c = r8unorm 1x1
//! in a = u32[1, 2, 3, 4, 5, 6, 7, 8]
//! in b = u32[10, 20, 30, 40, 50, 60, 70, 80]
//! in c = u32[255]
//! out to = u32[19, 38, 57, 76, 95, 114, 133, 152]
//! out also = u32[8, 17, 26, 35, 44, 53, 62, 71]
@group(0) @binding(0) var a: texture_2d<u32>;
@group(0) @binding(1) var b: texture_2d<u32>;
@group(0) @binding(2) var to: texture_storage_2d<r32uint, write>;
@group(0) @binding(3) var also: texture_storage_2d<r32uint, write>;
@group(0) @binding(4) var c: texture_2d<f32>;
@group(0) @binding(5) var how: sampler;

fn one(by: u32, photo: texture_2d<u32>, at: vec2u) -> u32 {
    return by * textureLoad(photo, at, 0).x;
}

// Takes them in the other order.
fn less(at: vec2u, first: texture_2d<u32>, by: u32, second: texture_2d<u32>) -> u32 {
    return one(by, second, at) - one(1, first, at);
}

fn white(photo: texture_2d<f32>, by: sampler) -> u32 {
    return u32(textureSampleLevel(photo, by, vec2f(0.5), 0.0).x);
}

fn put(place: texture_storage_2d<r32uint, write>, at: vec2u, value: u32) {
    textureStore(place, at, vec4u(value));
}

@compute @workgroup_size(2, 2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    put(to, id.xy, less(id.xy, a, 2, b));
    put(also, id.xy, less(id.xy, a, 1, b) - white(c, how) * (id.y * 0 + 1));
}
