use naga::MathFunction as Math;

use super::{Value, h, math, one, same, two};

const NAN: f32 = f32::NAN;
const INF: f32 = f32::INFINITY;

fn pair(first: impl Into<Value>, second: impl Into<Value>) -> Value {
    Value::Composite([first.into(), second.into()].into())
}

#[test]
fn rounding() {
    one(Math::Round, [0.5_f32, 1.5, 2.5, -0.5], [0.0_f32, 2.0, 2.0, -0.0]);
    one(Math::Round, [8_388_609.0_f32, 0.499_999_97, INF, NAN], [8_388_609.0_f32, 0.0, INF, NAN]);
    one(Math::Round, [h(0.5), h(1.5)], [h(0.0), h(2.0)]);
    one(Math::Round, 4_503_599_627_370_497.5_f64, 4_503_599_627_370_498.0_f64);
    one(Math::Floor, [1.5_f32, -1.5, -0.0, -INF], [1.0_f32, -2.0, -0.0, -INF]);
    one(Math::Ceil, [1.5_f32, -1.5, -0.5, 1e-45], [2.0_f32, -1.0, -0.0, 1.0]);
    one(Math::Trunc, [1.9_f32, -1.9, -0.9, 1e20], [1.0_f32, -1.0, -0.0, 1e20]);
    one(Math::Fract, [1.25_f32, -1.25, 0.0, INF], [0.25_f32, 0.75, 0.0, NAN]);
    // x - floor(x) of a tiny negative number rounds up to 1.
    one(Math::Fract, -1e-10_f32, 1.0_f32);
    one(Math::Fract, h(-0.25), h(0.75));
}

#[test]
fn modf_splits_at_the_point() {
    one(Math::Modf, 3.25_f32, pair(0.25_f32, 3.0_f32));
    one(Math::Modf, -3.25_f64, pair(-0.25_f64, -3.0_f64));
    one(Math::Modf, [1.5_f32, -0.0, INF], pair([0.5_f32, 0.0, NAN], [1.0_f32, -0.0, INF]));
    one(Math::Modf, h(2.5), pair(h(0.5), h(2.0)));
}

#[test]
fn frexp_splits_fraction_and_exponent() {
    one(Math::Frexp, 8.0_f32, pair(0.5_f32, 4_i32));
    one(Math::Frexp, [-3.0_f32, 0.0, -0.0], pair([-0.75_f32, 0.0, -0.0], [2_i32, 0, 0]));
    one(Math::Frexp, [INF, -INF, NAN], pair([INF, -INF, NAN], [0_i32, 0, 0]));
    // The least subnormal number is 0.5 × 2^-148, the greatest number (1 - 2^-24) × 2^128.
    one(Math::Frexp, [1e-45_f32, f32::MAX], pair([0.5_f32, 0.999_999_94], [-148_i32, 128]));
    one(Math::Frexp, [5e-324_f64, 1.0], pair([0.5_f64, 0.5], [-1073_i64, 1]));
    one(Math::Frexp, h(5.960_464_5e-8), pair(h(0.5), -23_i32));
}

#[test]
fn ldexp_rounds_once() {
    two(Math::Ldexp, [1.5_f32, 1.0, 1.0], [3_i32, -149, -150], [12.0_f32, 1e-45, 0.0]);
    two(Math::Ldexp, [1.5_f32, -1.0, 0.0], [-150_i32, 128, i32::MAX], [1e-45_f32, -INF, 0.0]);
    two(Math::Ldexp, [1e-45_f32, f32::MAX, NAN], [276_i32, -277, 5], [1.701_411_8e38_f32, 1e-45, NAN]);
    two(Math::Ldexp, [1.0_f32, 1.0], [i32::MIN, i32::MAX], [0.0, INF]);
    two(Math::Ldexp, 1.0_f64, -1074_i32, 5e-324_f64);
    two(Math::Ldexp, [h(1.0), h(1.5), h(1.0)], [-24_i32, -25, 16], [h(5.960_464_5e-8), h(5.960_464_5e-8), h(INF)]);
}

#[test]
fn interpolation() {
    let mix = |a: Value, b: Value, t: Value| math(Math::Mix, &[a, b, t]);
    same(&mix([1.0_f32, 2.0].into(), [3.0_f32, 6.0].into(), 0.25_f32.into()), [1.5_f32, 3.0]);
    same(&mix([1.0_f32, 2.0].into(), [3.0_f32, 6.0].into(), [0.0_f32, 1.0].into()), [1.0_f32, 6.0]);
    same(&mix(h(1.0).into(), h(2.0).into(), h(0.5).into()), h(1.5));
    // The weights are applied apart, so that t = 1 gives exactly the second end.
    same(&mix(1e30_f32.into(), 1.0_f32.into(), 1.0_f32.into()), 1.0_f32);
    two(Math::Step, [1.0_f32, 1.0, 1.0, NAN], [0.5_f32, 1.0, 2.0, 0.0], [0.0_f32, 1.0, 1.0, 0.0]);
    let smooth = |x: f32| math(Math::SmoothStep, &[2.0_f32.into(), 4.0_f32.into(), x.into()]);
    for (x, expected) in [(1.0, 0.0_f32), (2.0, 0.0), (2.5, 0.15625), (3.0, 0.5), (4.0, 1.0), (9.0, 1.0)] {
        same(&smooth(x), expected);
    }
    // Falling where the edges are the other way round.
    same(&math(Math::SmoothStep, &[4.0_f64.into(), 2.0_f64.into(), 2.5_f64.into()]), 0.84375_f64);
}

#[test]
fn fma_is_fused() {
    let fma = |a: Value, b: Value, c: Value| math(Math::Fma, &[a, b, c]);
    // (1 + 2^-12)² = 1 + 2^-11 + 2^-24, of which a rounded product loses the last part.
    let x = 1.0_f32 + 2.0_f32.powi(-12);
    same(&fma(x.into(), x.into(), (-1.0_f32 - 2.0_f32.powi(-11)).into()), 2.0_f32.powi(-24));
    same(&fma([2.0_f64, 0.0].into(), [3.0_f64, f64::INFINITY].into(), [4.0_f64, 1.0].into()), [10.0, f64::NAN]);
    same(&fma(h(256.0).into(), h(256.0).into(), h(-32768.0).into()), h(32768.0));
}

#[test]
fn special_arguments() {
    one(Math::Sqrt, [-1.0_f32, -0.0, INF, 4.0], [NAN, -0.0, INF, 2.0]);
    one(Math::InverseSqrt, [0.0_f32, 4.0, -1.0, INF], [INF, 0.5, NAN, 0.0]);
    one(Math::Sin, [0.0_f32, -0.0, INF, NAN], [0.0_f32, -0.0, NAN, NAN]);
    one(Math::Cos, [0.0_f32, -0.0, -INF], [1.0_f32, 1.0, NAN]);
    one(Math::Tan, [-0.0_f32, INF], [-0.0_f32, NAN]);
    one(Math::Asin, [1.5_f32, -0.0], [NAN, -0.0]);
    one(Math::Acos, [1.0_f32, 1.001], [0.0_f32, NAN]);
    one(Math::Atan, [f64::NEG_INFINITY, -0.0], [-std::f64::consts::FRAC_PI_2, -0.0]);
    two(
        Math::Atan2,
        [0.0_f32, -0.0, 0.0, 1.0],
        [-1.0_f32, -1.0, 1.0, 0.0],
        [std::f32::consts::PI, -std::f32::consts::PI, 0.0, std::f32::consts::FRAC_PI_2],
    );
    one(Math::Exp, [0.0_f32, -INF, 89.0, -104.0], [1.0_f32, 0.0, INF, 0.0]);
    one(Math::Exp2, [10.0_f32, -149.0, 128.0, -INF], [1024.0_f32, 1e-45, INF, 0.0]);
    one(Math::Log, [1.0_f32, 0.0, -1.0, INF], [0.0_f32, -INF, NAN, INF]);
    one(Math::Log2, [8.0_f32, 1e-45, 0.0, -2.0], [3.0_f32, -149.0, -INF, NAN]);
    two(Math::Pow, [2.0_f32, 0.0, 0.0, -2.0], [10.0_f32, 0.0, -1.0, 3.0], [1024.0_f32, 1.0, INF, -8.0]);
    two(Math::Pow, [-2.0_f32, 1.0, INF, 9.0], [0.5_f32, NAN, -1.0, 0.5], [NAN, 1.0, 0.0, 3.0]);
    one(Math::Sinh, [-0.0_f32, 1000.0, -1000.0], [-0.0_f32, INF, -INF]);
    one(Math::Cosh, [0.0_f32, -1000.0], [1.0_f32, INF]);
    one(Math::Tanh, [-0.0_f32, 1000.0, -INF], [-0.0_f32, 1.0, -1.0]);
    one(Math::Asinh, [-0.0_f32, INF], [-0.0_f32, INF]);
    one(Math::Acosh, [1.0_f32, 0.5, -1000.0, INF], [0.0_f32, NAN, NAN, INF]);
    one(Math::Acosh, [-1000.0_f64, f64::NAN, -1e300], [f64::NAN; 3]);
    one(Math::Atanh, [1.0_f32, -1.0, 2.0, -0.0], [INF, -INF, NAN, -0.0]);
    one(Math::Degrees, INF, INF);
    one(Math::Radians, -0.0_f32, -0.0_f32);
}
