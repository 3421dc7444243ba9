@group(0) @binding(0) var<storage, read_write> b: array<u32>;

const N = exp(100.0f); //~ error[invalid]

@compute @workgroup_size(1)
fn main() {
    b[0] = u32(N);
}
