// Texels of one byte can be stored by different invocations at once: none loses what its neighbour stores.
//! grid 4
//! seeds 8
//! image to = r8unorm 64
//! out to = u32[0..64]
@group(0) @binding(0) var to: texture_storage_1d<r8unorm, write>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u) {
    textureStore(to, id.x, vec4f(f32(id.x) / 255));
}
