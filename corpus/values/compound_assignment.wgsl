//! out b = u32[13, 7, 30, 3, 1, 2, 11, 9, 40, 5, 0xfffffffe]
//! out c = f32[1.5, 3, 4.5, 2, 4, 6]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
@group(0) @binding(1) var<storage, read_write> c: array<f32>;

@compute @workgroup_size(1)
fn main() {
    var n = array<u32, 11>(10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 4294967295);
    n[0] += 3;
    n[1] -= 3;
    n[2] *= 3;
    n[3] /= 3;
    n[4] %= 3;
    n[5] &= 3;
    n[6] |= 3;
    n[7] ^= 3;
    n[8] <<= 2u;
    n[9] >>= 1u;
    n[10] <<= 1u;
    for (var k = 0; k < 11; k++) {
        b[k] = n[k];
    }
    var v = vec3f(1, 2, 3);
    v *= 1.5;
    var m = mat3x3f(2, 0, 0, 0, 2, 0, 0, 0, 2);
    var w = vec3f(1, 2, 3);
    w *= m;
    for (var k = 0; k < 3; k++) {
        c[k] = v[k];
        c[k + 3] = w[k];
    }
}
