//! out b = u32[5]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    switch 3 { default { b[0] = 5; } }
}
