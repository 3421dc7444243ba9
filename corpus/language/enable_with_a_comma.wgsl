//! out b = u32[1]
enable f16,;
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    b[0] = 1;
}
