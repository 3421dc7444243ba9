//! in s = u32[1] pad[12] f32[1, 2, 3] pad[4] f32[4, 5, 6] pad[4] f32[7, 8, 9] pad[4] u32[2] pad[12] f32[10,
//!     11, 12, 13, 14, 15, 16, 17] f32[20, 21, 22, 23] u32[3] pad[4] f32[30, 31, 32, 33, 34, 35, 36, 37]
//!     u32[4] pad[4]
//! out b = f32[1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 2, 10, 11, 12, 13, 14, 15, 16, 17, 20, 21, 22, 23, 3, 30, 31,
//!     32, 33, 34, 35, 36, 37, 4]
struct Matrices {
    a: u32,          // 0
    m33: mat3x3f,    // 16, columns 16 apart
    b: u32,          // 64
    m24: mat2x4f,    // 80
    m22: mat2x2f,    // 112
    c: u32,          // 128
    m42: mat4x2f,    // 136, columns 8 apart
    d: u32,          // 168
}                    // 176
@group(0) @binding(0) var<storage> s: Matrices;
@group(0) @binding(1) var<storage, read_write> b: array<f32, 33>;

@compute @workgroup_size(1)
fn main() {
    var k = 0;
    b[k] = f32(s.a); k++;
    for (var c = 0; c < 3; c++) {
        for (var r = 0; r < 3; r++) {
            b[k] = s.m33[c][r]; k++;
        }
    }
    b[k] = f32(s.b); k++;
    for (var c = 0; c < 2; c++) {
        for (var r = 0; r < 4; r++) {
            b[k] = s.m24[c][r]; k++;
        }
    }
    for (var c = 0; c < 2; c++) {
        for (var r = 0; r < 2; r++) {
            b[k] = s.m22[c][r]; k++;
        }
    }
    b[k] = f32(s.c); k++;
    for (var c = 0; c < 4; c++) {
        for (var r = 0; r < 2; r++) {
            b[k] = s.m42[c][r]; k++;
        }
    }
    b[k] = f32(s.d);
}
