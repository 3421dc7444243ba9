//! out b = u32[8]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
struct S { n: u32 }
const s = S(8);

@compute @workgroup_size(1)
fn main() {
    var a: array<u32, s.n>;
    a[7] = 8;
    b[0] = a[7];
}
