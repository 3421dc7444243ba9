@group(0) @binding(0) var<storage, read_write> b: array<f32>;
@group(0) @binding(1) var image: texture_depth_2d; //~ error[unsupported-binding] is a depth texture
@group(0) @binding(2) var how: sampler_comparison; //~ error[unsupported-binding] is a comparison sampler

@compute @workgroup_size(1)
fn main() {
    b[0] = textureSampleCompareLevel(image, how, vec2f(0.5), 0.5);
}
