// An entry point has the textures and samplers that it uses, and no others.
//! entry second
//! grid 4
//! set scale = 3
//! image b = rgba8uint 4x1
//! in b = u32[0x01010105, 6, 7, 8]
//! out seen = u32[15, 18, 21, 24]
override scale: u32 = 2;

@group(0) @binding(0) var a: texture_2d<f32>;
@group(0) @binding(1) var how: sampler;
@group(0) @binding(2) var b: texture_2d<u32>;
@group(0) @binding(3) var<storage, read_write> seen: array<u32>;
@group(0) @binding(4) var shadow: texture_depth_2d;

@compute @workgroup_size(1)
fn first(@builtin(workgroup_id) id: vec3u) {
    seen[id.x] = u32(textureSampleLevel(a, how, vec2f(0.5), 0.0).x);
}

@compute @workgroup_size(1)
fn second(@builtin(workgroup_id) id: vec3u) {
    seen[id.x] = scale * textureLoad(b, id.xy, 0).x;
}

@fragment
fn third() -> @location(0) vec4f {
    return vec4f(textureLoad(shadow, vec2i(0), 0)) + textureSample(a, how, vec2f(0.5));
}
