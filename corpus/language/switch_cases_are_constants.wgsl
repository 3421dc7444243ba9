//! out b = u32[1]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    const k: u32 = 3;
    var x = 3u;
    switch x { case k { b[0] = 1; } default {} }
}
