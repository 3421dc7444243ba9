//! out b = u32[1]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
fn f(s: Late) {}
struct Late { x: u32 }

@compute @workgroup_size(1)
fn main() {
    let s: Late = Late(1);
    b[0] = s.x;
}
