@group(0) @binding(0) var image: texture_storage_2d<rgba8unorm, write>; //~ error[invalid] not declared for what is done
@group(0) @binding(1) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(1)
fn main() {
    b[0] = textureLoad(image, vec2u(0)).x;
}
