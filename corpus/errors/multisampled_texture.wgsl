@group(0) @binding(0) var<storage, read_write> b: array<u32>;
@group(0) @binding(1) var image: texture_multisampled_2d<f32>; //~ error[unsupported-binding] `image` is a multisampled texture, which cannot be bound

@compute @workgroup_size(1)
fn main() {
    b[0] = textureNumSamples(image);
}
