//! in s = f16[1, 2, 3] f16[4] f32[5] f16[6, 7] f16[8, 9, 10] pad[2] f16[11, 12, 13] pad[2] f16[14] pad[6]
//! out b = f32[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]
enable f16;
struct Halves {
    a: vec3h,      // 0
    b: f16,        // 6: right after the vector
    c: f32,        // 8
    d: vec2h,      // 12
    m: mat2x3h,    // 16, columns 8 apart
    e: f16,        // 32
}                  // 40
@group(0) @binding(0) var<storage> s: Halves;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(1)
fn main() {
    b[0] = f32(s.a.x);
    b[1] = f32(s.a.y);
    b[2] = f32(s.a.z);
    b[3] = f32(s.b);
    b[4] = s.c;
    b[5] = f32(s.d.x);
    b[6] = f32(s.d.y);
    for (var c = 0; c < 2; c++) {
        for (var r = 0; r < 3; r++) {
            b[7 + 3 * c + r] = f32(s.m[c][r]);
        }
    }
    b[13] = f32(s.e);
}
