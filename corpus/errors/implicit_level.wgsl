@group(0) @binding(0) var<storage, read_write> b: array<f32>;
@group(0) @binding(1) var image: texture_2d<f32>;
@group(0) @binding(2) var how: sampler;

@compute @workgroup_size(1)
fn main() {
    b[0] = textureSample(image, how, vec2f(0.5)).x; //~ error[implicit-level] no neighbouring pixels
}
