//! set N = 0
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

override N = 4u;

@compute @workgroup_size(N)
fn main() { //~ error[workgroup-size] `main`
    b[0] = 1;
}
