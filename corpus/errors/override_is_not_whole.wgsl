//! set N = 1.5
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

override N: i32; //~ error[override-value] not a whole number

@compute @workgroup_size(1)
fn main() {
    b[0] = u32(N);
}
