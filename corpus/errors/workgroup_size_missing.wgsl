@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute //~ error[invalid] workgroup size is missing
fn main() {
    b[0] = 1;
}
