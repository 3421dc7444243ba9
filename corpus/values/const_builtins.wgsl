//! out b = f32[0.75, 1, 0.5, 0.75, 2, 3, -0.25, -1, 1, 1, 0.5, -1, 4, -2, 1.25, 0.5, 12, 1.0996094, 2, 1, 0, 1, -1, -0.0]
//!     u32[0x3f800000, 40, 15, 0xff00817f, 0xff017f81, 0x40003c00, 0xfc030201, 30, 0x80ff0102]
//!     i32[-1, 1, 2, 3, -4, 1]
// Builtin functions that naga does not evaluate in constants.
struct Out {
    f: array<f32, 24>,
    u: array<u32, 9>,
    i: array<i32, 6>,
}
@group(0) @binding(0) var<storage, read_write> b: Out;

const F = frexp(1.5f);
const G = frexp(vec2(2.0, 6.0));
const M = modf(-1.25);
const LENS = refract(vec2(1.0, -1.0), vec2(0.0, 1.0), 0.0);
const FLIP = reflect(vec2(0.5, 1.0), vec2(0.0, 1.0));
const T = transpose(mat2x3(1.0, 2.0, 3.0, 4.0, 5.0, 6.0));
const D = determinant(mat2x2f(1.0, 2.0, 3.0, 4.0));
const Q = quantizeToF16(1.1);
const U = unpack4x8unorm(0xff00ff00u);
const S = unpack2x16snorm(0x80017fffu);
const BYTES = pack4xI8(vec4(1, 2, 3, -4));
const BACK = unpack4xI8(BYTES);
const FACE = faceForward(vec2(1.0, 0.0), vec2(0.0, 1.0), vec2(0.0, 1.0));

@compute @workgroup_size(1)
fn main() {
    b.f = array(
        F.fract, f32(F.exp), G.fract.x, G.fract.y, f32(G.exp.x), f32(G.exp.y), M.fract, M.whole,
        -LENS.y, bitcast<f32>(0x3f800000u), FLIP.x, FLIP.y, T[0].y, D, mix(1.0, 2.0, 0.25), smoothstep(0.0, 1.0, 0.5),
        ldexp(1.5, 3), Q, U.y + U.w, S.x, U.x, U.y, FACE.x, FACE.y,
    );
    b.u = array(
        bitcast<u32>(1.0f), insertBits(0u, 5u, 3u, 4u), extractBits(0xf0u, 4u, 8u),
        pack4x8snorm(vec4(1.0, -1.0, 0.0, -0.0078125)), pack4x8snorm(vec4(-1.0, 1.0, 0.01, -0.01)),
        pack2x16float(vec2(1.0, 2.0)), BYTES, u32(dot4I8Packed(BYTES, BYTES)),
        pack4xU8Clamp(vec4(2u, 1u, 999u, 128u)),
    );
    b.i = array(extractBits(-1, 3u, 4u), BACK.x, BACK.y, BACK.z, BACK.w, select(0, 1, all(vec2(true) == vec2(true, true))));
}
