//! out b = u32[1]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
override n = 2;
var<workgroup> w: array<u32, n * 2 + 1>;

@compute @workgroup_size(1)
fn main() {
    b[0] = 1;
    w[0] = 1;
}
