@group(4294967295) @binding(0) var<storage, read_write> b: array<u32>; //~ error[invalid] kept for immediates

@compute @workgroup_size(1)
fn main() {
    b[0] = 1;
}
