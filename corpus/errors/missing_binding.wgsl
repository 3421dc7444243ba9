var<storage, read_write> b: array<u32>; //~ error[invalid]

@compute @workgroup_size(1)
fn main() {
    b[0] = 1;
}
