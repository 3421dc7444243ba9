//! out b = u32[2, 4, 3]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
struct S { x: u32 }
fn f() -> S { return S(2); }
fn g() -> array<u32, 2> { return array(3u, 4u); }

@compute @workgroup_size(1)
fn main() {
    b[0] = f().x;
    b[1] = g()[1];
    var i = 2;
    b[2] = array<u32, 3>(1, 2, 3)[i];
}
