struct Pair {
    x: u32,
    y: u32,
}
@group(0) @binding(0) var<storage, read_write> b: Pair;

@compute @workgroup_size(1)
fn main() {
    b.z = 1; //~ error[invalid] z
}
