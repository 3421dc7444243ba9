use naga::{BinaryOperator as Binary, MathFunction as Math, RelationalFunction as Relational, UnaryOperator as Unary};

use super::{Value, h, math, one, op, same, two};
use crate::ops::{relational, select, unary};

const NAN: f32 = f32::NAN;
const INF: f32 = f32::INFINITY;

#[test]
fn integers_wrap() {
    op(Binary::Add, i32::MAX, 1_i32, i32::MIN);
    op(Binary::Add, u32::MAX, 2_u32, 1_u32);
    op(Binary::Subtract, [0_u32, 5], [1_u32, 3], [u32::MAX, 2]);
    op(Binary::Subtract, i64::MIN, 1_i64, i64::MAX);
    op(Binary::Multiply, 0x0001_0000_i32, 0x0001_8000_i32, i32::MIN);
    op(Binary::Multiply, u64::MAX, u64::MAX, 1_u64);
    same(&unary(Unary::Negate, &i32::MIN.into()), i32::MIN);
    same(&unary(Unary::Negate, &[5_i64, i64::MIN].into()), [-5, i64::MIN]);
}

#[test]
fn integer_division_is_total() {
    op(Binary::Divide, [7_i32, -7, 7, -7], [2_i32, 2, -2, -2], [3, -3, -3, 3]);
    op(Binary::Modulo, [7_i32, -7, 7, -7], [2_i32, 2, -2, -2], [1, -1, 1, -1]);
    op(Binary::Divide, [i32::MIN, 5, i32::MIN], [-1_i32, 0, 0], [i32::MIN, 5, i32::MIN]);
    op(Binary::Modulo, [i32::MIN, 5, i32::MIN], [-1_i32, 0, 0], [0_i32, 0, 0]);
    op(Binary::Divide, [u32::MAX, 9], [2_u32, 0], [0x7fff_ffff, 9_u32]);
    op(Binary::Modulo, [u32::MAX, 9], [10_u32, 0], [5_u32, 0]);
    op(Binary::Divide, [i64::MIN, 9], [-1_i64, 0], [i64::MIN, 9]);
    op(Binary::Modulo, [i64::MIN, 9], [-1_i64, 0], [0_i64, 0]);
    op(Binary::Divide, u64::MAX, 0_u64, u64::MAX);
    op(Binary::Modulo, u64::MAX, 0_u64, 0_u64);
}

#[test]
fn floats_follow_ieee() {
    op(Binary::Divide, [1.0_f32, -1.0, 0.0, -0.0], [0.0_f32, 0.0, 0.0, 5.0], [INF, -INF, NAN, -0.0]);
    op(Binary::Add, [INF, -0.0, 16_777_216.0, f32::MAX], [-INF, -0.0, 1.0, f32::MAX], [NAN, -0.0, 16_777_216.0, INF]);
    // The product of the least normal number and a half is subnormal, not zero.
    op(Binary::Multiply, f32::MIN_POSITIVE, 0.5_f32, f32::from_bits(0x0040_0000));
    op(Binary::Subtract, 0.3_f64, 0.1_f64, 0.199_999_999_999_999_98_f64);
    // Not contracted: a product is rounded before it is added to.
    let product = super::super::binary(Binary::Multiply, &0.1_f32.into(), &10.0_f32.into());
    same(&super::super::binary(Binary::Subtract, &product, &1.0_f32.into()), 0.0_f32);
}

#[test]
fn float_remainder_keeps_the_sign_of_the_dividend() {
    op(Binary::Modulo, [5.5_f32, -5.5, 5.5, -5.5], [2.0_f32, 2.0, -2.0, -2.0], [1.5_f32, -1.5, 1.5, -1.5]);
    op(Binary::Modulo, [1.0_f32, INF, NAN], [0.0_f32, 2.0, 1.0], [NAN, NAN, NAN]);
    op(Binary::Modulo, -7.25_f64, 2.0_f64, -1.25_f64);
    op(Binary::Modulo, h(7.5), h(2.0), h(1.5));
}

#[test]
fn half_floats_round_after_each_operation() {
    // 2048 + 1 lies between two half floats: the even one.
    op(Binary::Add, h(2048.0), h(1.0), h(2048.0));
    op(Binary::Add, h(2048.0), h(3.0), h(2052.0));
    op(Binary::Multiply, h(300.0), h(300.0), h(INF));
    op(Binary::Divide, h(1.0), h(3.0), h(0.333_251_95));
    op(Binary::Multiply, h(6.103_515_6e-5), h(0.000_976_562_5), h(5.960_464_5e-8));
    op(Binary::Subtract, [h(1.0), h(2.0)], [h(0.5), h(5.0)], [h(0.5), h(-3.0)]);
    same(&unary(Unary::Negate, &h(0.0).into()), h(-0.0));
}

#[test]
fn a_scalar_goes_with_each_number_of_a_vector() {
    op(Binary::Multiply, [1.0_f32, 2.0, 3.0], 2.0_f32, [2.0_f32, 4.0, 6.0]);
    op(Binary::Multiply, 3_i32, [1_i32, -2], [3_i32, -6]);
    op(Binary::Subtract, 1_u32, [0_u32, 1, 2], [1, 0, u32::MAX]);
    op(Binary::Divide, [8_i32, 9], 0_i32, [8_i32, 9]);
}

#[test]
fn comparisons() {
    op(Binary::Less, [-1_i32, 1, 1], [1_i32, -1, 1], [true, false, false]);
    op(Binary::Less, [u32::MAX, 1], [1_u32, u32::MAX], [false, true]);
    op(Binary::LessEqual, [1_i64, 2, 3], [2_i64, 2, 2], [true, true, false]);
    op(Binary::Greater, [1.0_f64, 2.0, f64::NAN], [2.0_f64, 1.0, 0.0], [false, true, false]);
    op(Binary::GreaterEqual, [h(1.0), h(2.0)], [h(1.0), h(3.0)], [true, false]);
    op(Binary::Equal, [NAN, 0.0, INF], [NAN, -0.0, INF], [false, true, true]);
    op(Binary::NotEqual, [NAN, 0.0, INF], [NAN, -0.0, INF], [true, false, false]);
    op(Binary::GreaterEqual, NAN, NAN, false);
    op(Binary::Equal, [true, false], [true, true], [true, false]);
    op(Binary::NotEqual, u64::MAX, 0_u64, true);
}

#[test]
fn booleans() {
    let (left, right) = ([false, false, true, true], [false, true, false, true]);
    op(Binary::And, left, right, [false, false, false, true]);
    op(Binary::InclusiveOr, left, right, [false, true, true, true]);
    op(Binary::LogicalAnd, true, false, false);
    op(Binary::LogicalOr, true, false, true);
    same(&unary(Unary::LogicalNot, &[true, false].into()), [false, true]);
    same(&relational(Relational::All, &[true, true, false].into()), false);
    same(&relational(Relational::All, &[true, true].into()), true);
    same(&relational(Relational::Any, &[false, false, true].into()), true);
    same(&relational(Relational::Any, &false.into()), false);
    same(&relational(Relational::IsNan, &[NAN, INF, 0.0].into()), [true, false, false]);
    same(&relational(Relational::IsInf, &[f64::NAN, f64::NEG_INFINITY, 0.0].into()), [false, true, false]);
    same(&relational(Relational::IsInf, &h(65520.0).into()), true);
}

#[test]
fn select_takes_whole_values_or_single_numbers() {
    same(&select(&true.into(), &[1_i32, 2].into(), &[3_i32, 4].into()), [1_i32, 2]);
    same(&select(&false.into(), &1.5_f32.into(), &NAN.into()), NAN);
    let picked = select(&[true, false, true].into(), &[1_u32, 2, 3].into(), &[7_u32, 8, 9].into());
    same(&picked, [1_u32, 8, 3]);
}

#[test]
fn min_max_and_clamp() {
    two(Math::Min, [1_i32, -1], [-5_i32, 5], [-5_i32, -1]);
    two(Math::Max, [u32::MAX, 1], [0_u32, 2], [u32::MAX, 2]);
    // A NaN loses as the second operand and stays as the first; the first of two zeros wins.
    two(Math::Min, [NAN, 1.0, 0.0, -0.0], [1.0, NAN, -0.0, 0.0], [NAN, 1.0, 0.0, -0.0]);
    two(Math::Max, [NAN, 1.0, 0.0, -0.0], [1.0, NAN, -0.0, 0.0], [NAN, 1.0, 0.0, -0.0]);
    two(Math::Max, h(-1.0), h(-2.0), h(-1.0));
    let clamp = |x: Value, low: Value, high: Value| math(Math::Clamp, &[x, low, high]);
    same(&clamp([-9_i32, 0, 9].into(), [-1_i32; 3].into(), [1_i32; 3].into()), [-1_i32, 0, 1]);
    // Bounds the wrong way round: the upper one wins.
    same(&clamp(5_u64.into(), 9_u64.into(), 3_u64.into()), 3_u64);
    same(&clamp(5.0_f64.into(), 9.0_f64.into(), 3.0_f64.into()), 3.0_f64);
    same(&clamp(NAN.into(), 0.0_f32.into(), 1.0_f32.into()), NAN);
    one(Math::Saturate, [-1.0_f32, 0.25, 2.0, INF], [0.0_f32, 0.25, 1.0, 1.0]);
    one(Math::Saturate, [h(-1.0), h(0.5), h(7.0)], [h(0.0), h(0.5), h(1.0)]);
}

#[test]
fn abs_and_sign() {
    one(Math::Abs, [i32::MIN, -7, 7], [i32::MIN, 7, 7]);
    one(Math::Abs, [u32::MAX, 0], [u32::MAX, 0]);
    one(Math::Abs, [i64::MIN, -7], [i64::MIN, 7]);
    one(Math::Abs, [-0.0_f32, -INF, NAN], [0.0, INF, NAN]);
    one(Math::Abs, h(-1.5), h(1.5));
    one(Math::Sign, [i32::MIN, 0, 9], [-1_i32, 0, 1]);
    one(Math::Sign, [i64::MIN, 0, 9], [-1_i64, 0, 1]);
    one(Math::Sign, [-INF, 1e-45, NAN, -0.0], [-1.0_f32, 1.0, 0.0, 0.0]);
    one(Math::Sign, h(-3.0), h(-1.0));
}
