@group(0) @binding(0) var<storage, read_write> b: array<u32>;
@group(0) @binding(1) var image: texture_2d<f32>; //~ error[unsupported-binding] only buffers
@group(0) @binding(2) var linear: sampler; //~ error[unsupported-binding] only buffers

@compute @workgroup_size(1)
fn main() {
    b[0] = u32(textureSampleLevel(image, linear, vec2f(0.5), 0).x);
}
