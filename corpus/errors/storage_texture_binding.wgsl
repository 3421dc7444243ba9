@group(0) @binding(0) var<storage, read_write> b: array<u32>;
@group(0) @binding(1) var image: texture_storage_2d<rgba8unorm, write>; //~ error[unsupported-binding] only buffers

@compute @workgroup_size(1)
fn main() {
    textureStore(image, vec2u(0), vec4f(1));
    b[0] = 1;
}
