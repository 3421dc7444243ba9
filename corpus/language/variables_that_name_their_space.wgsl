//! out b = u32[1]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    var<function> x: u32 = 1;
    b[0] = x;
}
