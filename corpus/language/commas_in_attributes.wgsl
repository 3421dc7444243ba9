//! out b = u32[1]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
struct S { @size(16,) a: u32, @align(16,) b: u32 }

@compute @workgroup_size(1)
fn main() {
    var s: S;
    s.b = 1;
    b[0] = s.b;
}
