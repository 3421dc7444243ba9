//! in s = u32[1] pad[12] f32[2, 3, 4] f32[5] u32[6] pad[4] u32[7, 8] u32[9] pad[12]
//! out b = u32[1, 2, 3, 4, 5, 6, 7, 8, 9]
struct Odd {
    a: u32,        // 0
    b: vec3f,      // 16
    c: f32,        // 28
    d: u32,        // 32
    e: vec2u,      // 40
    f: u32,        // 48
}                  // 64
@group(0) @binding(0) var<storage> s: Odd;
@group(0) @binding(1) var<storage, read_write> b: array<u32, 9>;

@compute @workgroup_size(1)
fn main() {
    b[0] = s.a;
    b[1] = u32(s.b.x);
    b[2] = u32(s.b.y);
    b[3] = u32(s.b.z);
    b[4] = u32(s.c);
    b[5] = s.d;
    b[6] = s.e.x;
    b[7] = s.e.y;
    b[8] = s.f;
}
