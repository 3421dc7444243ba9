@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    if b[0] { //~ error[invalid]
        b[0] = 1;
    }
}
