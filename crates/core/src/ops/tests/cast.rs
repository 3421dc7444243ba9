use naga::ScalarKind as Kind;

use super::{Value, h, same};
use crate::ops::cast;

#[track_caller]
fn converts(from: impl Into<Value>, kind: Kind, width: u8, expected: impl Into<Value>) {
    same(&cast(&from.into(), kind, Some(width)), expected);
}

#[track_caller]
fn bitcasts(from: impl Into<Value>, kind: Kind, expected: impl Into<Value>) {
    same(&cast(&from.into(), kind, None), expected);
}

#[test]
fn floats_saturate_to_what_both_types_hold() {
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    converts([1.9_f32, -1.9, -0.0, nan], Kind::Sint, 4, [1_i32, -1, 0, 0]);
    let max = 2_147_483_520;
    converts([3e9_f32, -3e9, inf, -inf], Kind::Sint, 4, [max, i32::MIN, max, i32::MIN]);
    converts([2_147_483_520.0_f32, -2_147_483_648.0], Kind::Sint, 4, [2_147_483_520, i32::MIN]);
    converts([-1.0_f32, 5e9, 4_294_967_040.0, nan], Kind::Uint, 4, [0, 4_294_967_040_u32, 4_294_967_040, 0]);
    converts([1e30_f32, -1e30], Kind::Sint, 8, [0x7fff_ff80_0000_0000, i64::MIN]);
    converts([-0.99_f32, 1e30], Kind::Uint, 8, [0, 0xffff_ff00_0000_0000_u64]);
    converts([9.3e18_f64, f64::NAN, -1.5], Kind::Sint, 8, [0x7fff_ffff_ffff_fc00, 0, -1_i64]);
    converts([2_147_483_647.9_f64, 2_147_483_648.0], Kind::Sint, 4, [i32::MAX, i32::MAX]);
    converts([u64::MAX as f64, -1.0], Kind::Uint, 8, [0xffff_ffff_ffff_f800_u64, 0]);
    converts([h(65504.0), h(-1.5), h(inf)], Kind::Uint, 4, [65504_u32, 0, 65504]);
    converts([h(-inf), h(nan), h(inf)], Kind::Sint, 8, [-65504_i64, 0, 65504]);
}

#[test]
fn integers_round_to_the_nearest_even_float() {
    converts(
        [16_777_217_i32, 16_777_219, -16_777_217],
        Kind::Float,
        4,
        [16_777_216.0_f32, 16_777_220.0, -16_777_216.0],
    );
    converts([u32::MAX, 0], Kind::Float, 4, [4_294_967_296.0_f32, 0.0]);
    converts([i64::MIN, 9_007_199_254_740_993], Kind::Float, 8, [-9.223_372_036_854_776e18, 9.007_199_254_740_992e15]);
    converts(u64::MAX, Kind::Float, 4, 1.844_674_4e19_f32);
    converts([2049_i32, 2051, 65519, 65520], Kind::Float, 2, [h(2048.0), h(2052.0), h(65504.0), h(f32::INFINITY)]);
    converts([i64::MIN, i64::MAX], Kind::Float, 2, [h(f32::NEG_INFINITY), h(f32::INFINITY)]);
}

#[test]
fn floats_round_once_to_narrower_floats() {
    // Just above the middle between two half floats; the tail is lost if an f32 comes between.
    converts(1.0 + 2.0_f64.powi(-11) + 2.0_f64.powi(-40), Kind::Float, 2, h(1.000_976_6));
    converts(1.0 + 2.0_f64.powi(-11), Kind::Float, 2, h(1.0));
    converts(1.0 + 3.0 * 2.0_f64.powi(-11) - 2.0_f64.powi(-40), Kind::Float, 2, h(1.000_976_6));
    converts([65519.999_f64, 65520.0, -1e300], Kind::Float, 2, [h(65504.0), h(f32::INFINITY), h(f32::NEG_INFINITY)]);
    converts([2.98e-8_f64, 2.99e-8, f64::NAN], Kind::Float, 2, [h(0.0), h(5.960_464_5e-8), h(f32::NAN)]);
    converts([-5e-324_f64, 1e-320], Kind::Float, 2, [h(-0.0), h(0.0)]);
    converts([1e39_f64, 0.1, 1e-46, -0.0], Kind::Float, 4, [f32::INFINITY, 0.1, 0.0, -0.0]);
    converts([65520.0_f32, 65519.0, 1e-8], Kind::Float, 2, [h(f32::INFINITY), h(65504.0), h(0.0)]);
    converts([h(5.960_464_5e-8), h(-0.0)], Kind::Float, 4, [5.960_464_5e-8_f32, -0.0]);
    converts([h(65504.0), h(f32::NAN)], Kind::Float, 8, [65504.0_f64, f64::NAN]);
    converts([[1.1_f32, 2.0], [3.0, 1e6]], Kind::Float, 2, [[h(1.1), h(2.0)], [h(3.0), h(f32::INFINITY)]]);
}

#[test]
fn integers_wrap_and_extend() {
    converts([-1_i32, i32::MIN], Kind::Uint, 4, [u32::MAX, 0x8000_0000]);
    converts(u32::MAX, Kind::Sint, 4, -1_i32);
    converts(-1_i32, Kind::Sint, 8, -1_i64);
    converts(-1_i32, Kind::Uint, 8, u64::MAX);
    converts(u32::MAX, Kind::Sint, 8, 4_294_967_295_i64);
    converts(0x1_8000_0001_i64, Kind::Sint, 4, -2_147_483_647_i32);
    converts(0x1_8000_0001_u64, Kind::Uint, 4, 0x8000_0001_u32);
}

#[test]
fn booleans_are_one_and_zero() {
    converts([true, false], Kind::Sint, 4, [1_i32, 0]);
    converts([true, false], Kind::Float, 4, [1.0_f32, 0.0]);
    converts([true, false], Kind::Float, 2, [h(1.0), h(0.0)]);
    converts([true, false], Kind::Uint, 8, [1_u64, 0]);
    converts([true, false], Kind::Bool, 1, [true, false]);
    converts([0.0_f32, -0.0, f32::NAN, 1e-45], Kind::Bool, 1, [false, false, true, true]);
    converts([0_i64, i64::MIN], Kind::Bool, 1, [false, true]);
    converts(h(0.5), Kind::Bool, 1, true);
}

#[test]
fn bitcasts_keep_the_bits() {
    bitcasts([1.0_f32, -0.0], Kind::Uint, [0x3f80_0000_u32, 0x8000_0000]);
    bitcasts([-1_i32, i32::MIN], Kind::Uint, [u32::MAX, 0x8000_0000]);
    bitcasts(0x7f80_0000_i32, Kind::Float, f32::INFINITY);
    bitcasts(u64::MAX, Kind::Sint, -1_i64);
    bitcasts(1.0_f64, Kind::Sint, 0x3ff0_0000_0000_0000_i64);
    bitcasts(h(1.5), Kind::Float, h(1.5));
    // The payload of a NaN survives.
    let nan = cast(&0x7fc1_2345_u32.into(), Kind::Float, None);
    bitcasts(nan, Kind::Uint, 0x7fc1_2345_u32);
}
