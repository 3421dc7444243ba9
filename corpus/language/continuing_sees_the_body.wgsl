//! out b = u32[6]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    var s = 0u;
    loop { let k = s + 2; s = k; if s > 5 { break; } continuing { _ = k; } }
    b[0] = s;
}
