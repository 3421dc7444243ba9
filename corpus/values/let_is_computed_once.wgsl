//! out b = u32[7, 7, 9, 0]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    b[0] = 7;
    let before = b[0];
    b[0] = 9;
    b[1] = before;
    b[2] = b[0];
    b[0] = before;
}
