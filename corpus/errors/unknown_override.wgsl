//! set M = 3
//! error[unknown-override] `M`
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

override N = 1u;

@compute @workgroup_size(1)
fn main() {
    b[0] = N;
}
