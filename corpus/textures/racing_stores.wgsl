// Two invocations store the same texel.
//! racy
//! finds race
//! image to = r32uint 1x1
//! out to = u32[1]
@group(0) @binding(0) var to: texture_storage_2d<r32uint, write>;

@compute @workgroup_size(2)
fn main(@builtin(local_invocation_index) local: u32) {
    textureStore(to, vec2u(0), vec4u(local));
}
