@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    let from = 1; //~ error[syntax] reserved
    b[0] = from;
}
