//! out b = u32[3, 5, 2]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
fn up(p: ptr<function, i32>) { *p += 1; }

@compute @workgroup_size(1)
fn main() {
    var n = 0;
    for (; n < 3; ) { n++; }
    b[0] = u32(n);
    var k = 0;
    for (var i = 0; i < 5; up(&i)) { k++; }
    b[1] = u32(k);
    var z = 0;
    for (z = 1; ; z += 1) { if z == 2 { break; } }
    b[2] = u32(z);
}
