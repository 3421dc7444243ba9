//! out b = u32[4]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    var i = 0u;
    loop { continuing { { i += 2; } break if i > 3; } }
    b[0] = i;
}
