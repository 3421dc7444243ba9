//! out b = u32[2]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    var v = vec2f(1, 1);
    v *= mat2x2f(2, 0, 0, 2);
    b[0] = u32(v.x);
}
