//! out b = u32[1]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    var a = 1;
    var c = 5;
    if a < 2 && c > (3) { b[0] = 1; }
}
