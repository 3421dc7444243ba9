var<immediate> x: u32;
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    x = 1; //~ error[invalid]
    b[0] = x;
}
