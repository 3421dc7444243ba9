//! out b = u32[2, 3]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    (b[0]) = 2;
    var x = 1u;
    (x) = 3;
    b[1] = (x);
}
