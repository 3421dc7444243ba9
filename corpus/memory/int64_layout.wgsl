//! in s = u32[1] pad[4] i64[-2] u32[3] pad[12] u64[4, 5, 6] pad[8]
//! in t = (u32[7] pad[4] u64[5000000000]) x 2
//! out b = i64[1, -2, 3, 4, 5, 6, 5000000007, 5000000007]
struct Longs {
    a: u32,          // 0
    b: i64,          // 8
    c: u32,          // 16
    d: vec3<u64>,    // 32, aligned to 32
}                    // 64
struct Pair {
    x: u32,
    y: u64,
}
@group(0) @binding(0) var<storage> s: Longs;
@group(0) @binding(1) var<storage> t: array<Pair>;
@group(0) @binding(2) var<storage, read_write> b: array<i64>;

@compute @workgroup_size(1)
fn main() {
    b[0] = i64(s.a);
    b[1] = s.b;
    b[2] = i64(s.c);
    b[3] = i64(s.d.x);
    b[4] = i64(s.d.y);
    b[5] = i64(s.d.z);
    b[6] = i64(t[0].y) + i64(t[0].x);
    b[7] = i64(t[1].y) + i64(t[1].x);
}
