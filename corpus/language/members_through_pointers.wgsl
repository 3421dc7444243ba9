//! out b = u32[5, 6, 3]
requires pointer_composite_access;
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
struct S { x: u32, v: vec2u }

@compute @workgroup_size(1)
fn main() {
    var s = S(1, vec2u(2, 3));
    let p = &s;
    p.x = 5;
    b[0] = s.x;
    p.v.x = 6;
    b[1] = (*p).v.x;
    let q = &p.v;
    b[2] = q.y;
}
