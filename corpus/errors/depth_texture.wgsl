@group(0) @binding(0) var<storage, read_write> b: array<u32>;
@group(0) @binding(1) var image: texture_depth_2d; //~ error[unsupported-binding] `image` is a depth texture, which cannot be bound

@compute @workgroup_size(1)
fn main() {
    b[0] = textureDimensions(image).x;
}
