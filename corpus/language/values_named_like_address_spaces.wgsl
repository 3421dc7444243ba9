//! out b = u32[3]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    let read = 1u;
    let storage = 2u;
    b[0] = read + storage;
}
