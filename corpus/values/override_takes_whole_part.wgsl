//! grid 1
//! set N = -1.5
//! set U = 2.75
//! in b = i32[0, 0]
//! out b = i32[-1, 2]
@group(0) @binding(0) var<storage, read_write> b: array<i32>;

override N: i32;
override U: u32;

@compute @workgroup_size(1)
fn main() {
    b[0] = N;
    b[1] = i32(U);
}
