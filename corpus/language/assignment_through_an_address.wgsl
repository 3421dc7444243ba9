//! out b = u32[2]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    var x = 1u;
    *(&x) = 2;
    b[0] = x;
}
