@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(0)
fn main() { //~ error[workgroup-size] `main`
    b[0] = 1;
}
