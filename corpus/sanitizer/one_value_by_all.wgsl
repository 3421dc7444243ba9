//! grid 2
//! out b = u32[7]
//! finds race-same-value
@group(0) @binding(0) var<storage, read_write> b: array<u32, 1>;

@compute @workgroup_size(4)
fn main() {
    b[0] = 7;
}
