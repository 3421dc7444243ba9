@group(0) @binding(0) var<storage, read_write> b: array<u32>;
@group(0) @binding(1) var image: texture_storage_2d<r32uint, atomic>; //~ error[unsupported-binding] `image` is a texture for atomics, which cannot be bound

@compute @workgroup_size(1)
fn main() {
    b[0] = textureDimensions(image).x;
}
