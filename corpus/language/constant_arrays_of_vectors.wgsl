//! out b = u32[4]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    const a = array(vec2(1, 2), vec2(3, 4));
    b[0] = u32(a[1].y);
}
