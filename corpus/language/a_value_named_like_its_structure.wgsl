//! out b = u32[4]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
struct S { x: u32 }

@compute @workgroup_size(1)
fn main() {
    let S = S(4);
    b[0] = S.x;
}
