//! out b = u32[3]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    let δελτα = 3u;
    let été = δελτα;
    b[0] = été;
}
