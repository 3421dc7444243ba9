//! out b = u32[1, 0, 1]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
fn hit(p: ptr<function, u32>) -> bool { *p = 9; return true; }

@compute @workgroup_size(1)
fn main() {
    var n = 0u;
    let a = true || hit(&n);
    b[0] = select(0u, 1u, a);
    b[1] = n;
    var k = 0u;
    while k < 1 && !false { k++; }
    b[2] = k;
}
