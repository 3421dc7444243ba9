//! out b = u32[1]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
var<workgroup> w: bool;

@compute @workgroup_size(1)
fn main() {
    w = true;
    b[0] = u32(w);
}
