//! out b = u32[1, 1, 2]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    for (var i = 0u; i < 3; i++) {
      switch (i) { case 0, default, 1u: { b[i] = 1; } case 2: { b[i] = 2; } }
    }
}
