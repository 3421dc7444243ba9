@group(0) @binding(0) var<storage, read_write> b: array<u32>;

const N = 1 / 0; //~ error[invalid]

@compute @workgroup_size(1)
fn main() {
    b[0] = N;
}
