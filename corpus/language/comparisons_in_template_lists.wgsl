//! out b = u32[2]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    var a: array<u32, select(1, 2, (1 < 2))>;
    a[1] = 2;
    b[0] = a[1];
}
