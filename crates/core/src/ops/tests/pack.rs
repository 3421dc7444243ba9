use naga::MathFunction as Math;

use super::{one, two};

const NAN: f32 = f32::NAN;
const INF: f32 = f32::INFINITY;

#[test]
fn packs_normalised_numbers() {
    // 127 × 0.5 = 63.5 rounds up to 64, -63.5 rounds up to -63.
    one(Math::Pack4x8snorm, [1.0_f32, -1.0, 0.5, -0.5], 0xc140_817f_u32);
    one(Math::Pack4x8snorm, [INF, -INF, NAN, -0.0], 0x0000_817f_u32);
    one(Math::Pack4x8unorm, [1.0_f32, -1.0, 0.5, 0.25], 0x4080_00ff_u32);
    one(Math::Pack4x8unorm, [NAN, INF, 2.0, 0.0], 0x00ff_ff00_u32);
    one(Math::Pack2x16snorm, [1.0_f32, -1.0], 0x8001_7fff_u32);
    one(Math::Pack2x16snorm, [0.5_f32, -0.5], 0xc001_4000_u32);
    one(Math::Pack2x16unorm, [1.0_f32, 0.5], 0x8000_ffff_u32);
    // Just under half a step stays below it: the sum must not round up to 1.
    one(Math::Pack2x16unorm, [7.629_511e-6_f32, 7.629_512e-6], 0x0001_0000_u32);
}

#[test]
fn packs_half_floats() {
    one(Math::Pack2x16float, [1.0_f32, -2.0], 0xc000_3c00_u32);
    one(Math::Pack2x16float, [65504.0_f32, 65520.0], 0x7c00_7bff_u32);
    // The least subnormal number, and half of it: ties to even.
    one(Math::Pack2x16float, [5.960_464_5e-8_f32, 2.980_232_2e-8], 0x0000_0001_u32);
    one(Math::Pack2x16float, [-0.0_f32, 2.980_232_6e-8], 0x0001_8000_u32);
    one(Math::Unpack2x16float, 0x7c00_0001_u32, [5.960_464_5e-8_f32, INF]);
    one(Math::Unpack2x16float, 0x7e00_fbff_u32, [-65504.0_f32, NAN]);
    one(Math::QuantizeToF16, [2049.0_f32, 65519.0, 65520.0, NAN], [2048.0_f32, 65504.0, INF, NAN]);
    one(Math::QuantizeToF16, [-1e-8_f32, 5.9e-8, -INF, 0.1], [-0.0_f32, 5.960_464_5e-8, -INF, 0.099_975_586]);
}

#[test]
fn packs_bytes() {
    one(Math::Pack4xI8, [-1_i32, 127, -128, 300], 0x2c80_7fff_u32);
    one(Math::Pack4xU8, [1_u32, 255, 256, 0xabcd], 0xcd00_ff01_u32);
    one(Math::Pack4xI8Clamp, [i32::MIN, i32::MAX, -1, 128], 0x7fff_7f80_u32);
    one(Math::Pack4xU8Clamp, [u32::MAX, 256, 255, 7], 0x07ff_ffff_u32);
    one(Math::Unpack4xI8, 0x7f80_ff01_u32, [1_i32, -1, -128, 127]);
    one(Math::Unpack4xU8, 0x7f80_ff01_u32, [1_u32, 255, 128, 127]);
}

#[test]
fn unpacks_normalised_numbers() {
    one(Math::Unpack4x8snorm, 0x4081_807f_u32, [1.0_f32, -1.0, -1.0, 0.503_937]);
    one(Math::Unpack4x8unorm, 0x3380_00ff_u32, [1.0_f32, 0.0, 0.501_960_8, 0.2]);
    one(Math::Unpack2x16snorm, 0x8000_7fff_u32, [1.0_f32, -1.0]);
    one(Math::Unpack2x16snorm, 0x8001_4000_u32, [0.500_015_26_f32, -1.0]);
    one(Math::Unpack2x16unorm, 0x8000_ffff_u32, [1.0_f32, 0.500_007_6]);
}

#[test]
fn dot_products_of_bytes() {
    two(Math::Dot4I8Packed, 0x8080_8080_u32, 0x8080_8080_u32, 65536_i32);
    two(Math::Dot4I8Packed, 0x0403_02ff_u32, 0x0807_067f_u32, -62_i32);
    two(Math::Dot4U8Packed, 0xffff_ffff_u32, 0xffff_ffff_u32, 260_100_u32);
    two(Math::Dot4U8Packed, 0x0403_0201_u32, 0x0807_0605_u32, 70_u32);
}
