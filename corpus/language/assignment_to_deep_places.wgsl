//! out b = u32[7]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
struct C { d: array<u32, 3> }
struct B { c: C }
struct A { b: array<B, 2> }

@compute @workgroup_size(1)
fn main() {
    var s: A;
    var i = 1;
    s.b[i].c.d[2] += 7;
    b[0] = s.b[1].c.d[2];
}
