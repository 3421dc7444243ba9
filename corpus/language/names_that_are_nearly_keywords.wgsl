//! out b = u32[3]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    let input = 1u;
    let output = 2u;
    b[0] = input + output;
}
