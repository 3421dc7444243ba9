//! out b = u32[3]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
struct S { min: u32, dot: u32 }

@compute @workgroup_size(1)
fn main() {
    let s = S(1, 2);
    b[0] = s.min + s.dot;
}
