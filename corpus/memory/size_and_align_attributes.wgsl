//! in s = u32[1] pad[28] u32[2] pad[12] u32[3] pad[60] u32[4] pad[12] u32[5] pad[28]
//! out b = u32[1, 2, 3, 4, 5]
struct Inner {
    @size(12) x: u32,      // 0
    @align(16) y: u32,     // 16
}                          // 32
struct Outer {
    a: u32,                      // 0
    @align(32) b: u32,           // 32
    @align(16) @size(64) c: u32, // 48
    d: Inner,                    // 112
}                                // 160
@group(0) @binding(0) var<storage> s: Outer;
@group(0) @binding(1) var<storage, read_write> b: array<u32, 5>;

@compute @workgroup_size(1)
fn main() {
    b[0] = s.a;
    b[1] = s.b;
    b[2] = s.c;
    b[3] = s.d.x;
    b[4] = s.d.y;
}
