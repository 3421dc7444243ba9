@group(0) @binding(0) var<storage, read_write> b: array<u32>;

const N = (vec2(1, 2) / vec2(1, 0)).x; //~ error[invalid]

@compute @workgroup_size(1)
fn main() {
    b[0] = u32(N);
}
