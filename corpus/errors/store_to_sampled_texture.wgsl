@group(0) @binding(0) var image: texture_2d<f32>;

@compute @workgroup_size(1)
fn main() {
    textureStore(image, vec2u(0), vec4f(1)); //~ error[invalid]
}
