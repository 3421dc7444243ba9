//! out b = u32[1]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
const N = 2;
override M = 1;

@compute @workgroup_size(N - 1, M)
fn main() {
    b[0] = 1;
}
