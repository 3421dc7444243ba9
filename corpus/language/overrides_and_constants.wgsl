//! out b = u32[6]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
override n = 2u;
override m = n * K;
const K = 3;

@compute @workgroup_size(1)
fn main() {
    b[0] = m;
}
