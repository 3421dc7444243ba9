enable wgpu_binding_array;
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
@group(0) @binding(1) var images: binding_array<texture_2d<f32>, 4>; //~ error[unsupported-binding] is a binding array

@compute @workgroup_size(1)
fn main() {
    b[0] = textureDimensions(images[1]).x;
}
