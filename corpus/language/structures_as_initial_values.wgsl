//! out b = u32[3]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
struct S { x: u32, v: vec2u }
var<private> s = S(1, vec2u(1, 2));

@compute @workgroup_size(1)
fn main() {
    b[0] = s.x + s.v.y;
}
