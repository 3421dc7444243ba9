//! out b = u32[1]
//! out c = u32[2]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
const N = 1;
@binding(N) @group(0) var<storage, read_write> c: u32;

@compute @workgroup_size(1)
fn main() {
    b[0] = 1;
    c = 2;
}
