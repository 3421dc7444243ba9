//! set N = -1
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

override N: u32; //~ error[override-value] `N` cannot be -1

@compute @workgroup_size(1)
fn main() {
    b[0] = N;
}
