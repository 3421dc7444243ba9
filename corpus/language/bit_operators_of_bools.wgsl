//! out b = u32[1]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    var x = true;
    x &= true;
    x |= false;
    b[0] = u32(x);
}
