//! ours
//! in a = u32[0x40003c00, 0xc500bc00, 0x7bff0001]
//! out b = f32[1, 2, -1, -5, 1, 2, -1, -5, 0.75, 3, 0.5, 0.625, 1, 3, 0.5, -23]
//!     u32[0x40003c00, 0xc500bc00, 0x40003c00, 0xc500bc00]
// Bits of words as half floats and back, and exponents of half floats; -5 is -0.625 times 8, the
// least half float is 2 to the power -24.
enable f16;
struct Out {
    f: array<f32, 16>,
    u: array<u32, 4>,
}
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: Out;

fn exponent(x: f16) -> i32 {
    return frexp(x).exp;
}

@compute @workgroup_size(1)
fn main() {
    let one_two = bitcast<vec2<f16>>(a[0]);
    let negative = bitcast<vec2<f16>>(i32(a[1]));
    let four = bitcast<vec4<f16>>(vec2(a[0], a[1]));
    b.f[0] = f32(one_two.x);
    b.f[1] = f32(one_two.y);
    b.f[2] = f32(negative.x);
    b.f[3] = f32(negative.y);
    for (var i = 0u; i < 4u; i++) { b.f[4u + i] = f32(four[i]); }
    let six = one_two.y * 3h;
    let r = frexp(six);
    b.f[8] = f32(r.fract);
    let power: i32 = r.exp;
    b.f[9] = f32(power);
    let parts = frexp(abs(negative));
    b.f[10] = f32(parts.fract.x);
    b.f[11] = f32(parts.fract.y);
    b.f[12] = f32(parts.exp.x);
    b.f[13] = f32(parts.exp.y);
    let least = bitcast<vec2<f16>>(a[2]).x;
    b.f[14] = f32(frexp(least).fract);
    b.f[15] = f32(exponent(least));
    b.u[0] = bitcast<u32>(one_two);
    b.u[1] = bitcast<u32>(bitcast<i32>(negative));
    let both = bitcast<vec2<u32>>(four);
    b.u[2] = both.x;
    b.u[3] = both.y;
}
