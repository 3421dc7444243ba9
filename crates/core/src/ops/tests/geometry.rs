use naga::{BinaryOperator as Binary, MathFunction as Math};

use super::{Value, h, math, one, op, same, two};

#[test]
fn dot_and_cross() {
    two(Math::Dot, [1_i32, 2, 3], [4_i32, -5, 6], 12_i32);
    two(Math::Dot, [u32::MAX, 2], [2_u32, 1], 0_u32);
    two(Math::Dot, [1_i64, i64::MAX], [1_i64, 1], i64::MIN);
    two(Math::Dot, [1.5_f64, 2.0], [2.0_f64, 0.25], 3.5_f64);
    // From left to right: 1e8 + 1 loses the one, 1e8 - 1e8 does not bring it back.
    two(Math::Dot, [1e8_f32, 1.0, -1e8], [1.0_f32, 1.0, 1.0], 0.0_f32);
    // In f32, rounded once: 90000 fits no half float, 90000 - 90000 + 2 does.
    two(Math::Dot, [h(300.0), h(-300.0), h(1.0)], [h(300.0), h(300.0), h(2.0)], h(2.0));
    two(Math::Cross, [1.0_f32, 2.0, 3.0], [4.0_f32, 5.0, 6.0], [-3.0_f32, 6.0, -3.0]);
    two(Math::Cross, [h(1.0), h(0.0), h(0.0)], [h(0.0), h(1.0), h(0.0)], [h(0.0), h(0.0), h(1.0)]);
}

#[test]
fn lengths() {
    one(Math::Length, [3.0_f32, 4.0], 5.0_f32);
    one(Math::Length, -2.5_f32, 2.5_f32);
    one(Math::Length, [2.0_f64, 3.0, 6.0], 7.0_f64);
    one(Math::Length, [h(300.0), h(400.0)], h(500.0));
    two(Math::Distance, [1.0_f32, 1.0, 1.0], [3.0_f32, 4.0, 7.0], 7.0_f32);
    two(Math::Distance, 1.0_f32, 3.5_f32, 2.5_f32);
    one(Math::Normalize, [0.0_f32, -2.0], [0.0_f32, -1.0]);
    one(Math::Normalize, [3.0_f64, 4.0], [0.6_f64, 0.8]);
    one(Math::Normalize, [0.0_f32, 0.0], [f32::NAN, f32::NAN]);
}

#[test]
fn reflection_and_refraction() {
    two(Math::Reflect, [1.0_f32, -1.0], [0.0_f32, 1.0], [1.0_f32, 1.0]);
    two(Math::Reflect, [h(1.0), h(2.0), h(3.0)], [h(1.0), h(0.0), h(0.0)], [h(-1.0), h(2.0), h(3.0)]);
    let refract = |a: Value, b: Value, c: Value| math(Math::Refract, &[a, b, c]);
    // The same medium on both sides bends nothing.
    same(&refract([0.6_f64, -0.8].into(), [0.0_f64, 1.0].into(), 1.0_f64.into()), [0.6_f64, -0.8]);
    // k = 1 - 4 × (1 - 0.25) < 0: total reflection.
    same(&refract([0.75_f32, -0.5].into(), [0.0_f32, 1.0].into(), 2.0_f32.into()), [0.0_f32, 0.0]);
    // k = 1 - 0.25 × (1 - 1) = 1: straight through.
    same(&refract([0.0_f32, -1.0].into(), [0.0_f32, 1.0].into(), 0.5_f32.into()), [0.0_f32, -1.0]);
    let face = |e3: Value| math(Math::FaceForward, &[[1.0_f32, -2.0].into(), [1.0_f32, 0.0].into(), e3]);
    same(&face([-1.0_f32, 5.0].into()), [1.0_f32, -2.0]);
    same(&face([1.0_f32, 5.0].into()), [-1.0_f32, 2.0]);
    same(&face([0.0_f32, 5.0].into()), [-1.0_f32, 2.0]);
}

#[test]
fn matrices_multiply_by_columns() {
    // Three columns of two rows.
    let m = [[1.0_f32, 2.0], [3.0, 4.0], [5.0, 6.0]];
    op(Binary::Multiply, m, [1.0_f32, 10.0, 100.0], [531.0_f32, 642.0]);
    op(Binary::Multiply, [1.0_f32, 10.0], m, [21.0_f32, 43.0, 65.0]);
    op(Binary::Multiply, m, 2.0_f32, [[2.0_f32, 4.0], [6.0, 8.0], [10.0, 12.0]]);
    op(Binary::Multiply, 2.0_f32, m, [[2.0_f32, 4.0], [6.0, 8.0], [10.0, 12.0]]);
    op(Binary::Multiply, m, [[1.0_f32, 0.0, 2.0], [0.0, 1.0, 0.0]], [[11.0_f32, 14.0], [3.0, 4.0]]);
    op(Binary::Add, m, m, [[2.0_f32, 4.0], [6.0, 8.0], [10.0, 12.0]]);
    op(Binary::Subtract, m, m, [[0.0_f32, 0.0], [0.0, 0.0], [0.0, 0.0]]);
    let halves = [[h(200.0), h(1.0)], [h(-200.0), h(1.0)]];
    op(Binary::Multiply, halves, [h(400.0), h(400.0)], [h(0.0), h(800.0)]);
}

#[test]
fn transpose_and_outer() {
    one(Math::Transpose, [[1.0_f32, 2.0], [3.0, 4.0], [5.0, 6.0]], [[1.0_f32, 3.0, 5.0], [2.0, 4.0, 6.0]]);
    one(Math::Transpose, [[h(1.0), h(2.0)], [h(3.0), h(4.0)]], [[h(1.0), h(3.0)], [h(2.0), h(4.0)]]);
    two(Math::Outer, [1.0_f32, 2.0], [3.0_f32, 5.0], [[3.0_f32, 6.0], [5.0, 10.0]]);
    // Of unlike sizes, naga's type decides: as many columns as the left operand has numbers.
    two(Math::Outer, [1.0_f32, 2.0], [3.0_f32, 5.0, 7.0], [[3.0_f32, 5.0, 7.0], [6.0, 10.0, 14.0]]);
}

#[test]
fn determinants() {
    one(Math::Determinant, [[1.0_f32, 2.0], [3.0, 4.0]], -2.0_f32);
    one(Math::Determinant, [[2.0_f64, 0.0, 1.0], [1.0, 3.0, 2.0], [1.0, 1.0, 4.0]], 18.0_f64);
    let m = [[1.0_f32, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 9.0], [2.0, 6.0, 4.0, 8.0], [3.0, 1.0, 1.0, 2.0]];
    one(Math::Determinant, m, 46.0_f32);
    one(Math::Determinant, [[h(1.0), h(2.0)], [h(3.0), h(4.0)]], h(-2.0));
}

#[test]
fn inverses() {
    // Zeros may have any sign.
    let check = |m: Value, expected: Value| assert_eq!(math(Math::Inverse, &[m]), expected);
    check([[1.0_f32, 2.0], [3.0, 4.0]].into(), [[-2.0_f32, 1.0], [1.5, -0.5]].into());
    let m = [[2.0_f32, 0.0, 0.0], [0.0, 4.0, 0.0], [1.0, 0.0, 1.0]];
    check(m.into(), [[0.5_f32, 0.0, 0.0], [0.0, 0.25, 0.0], [-0.5, 0.0, 1.0]].into());
    let m = [[1.0_f64, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 2.0, 0.0], [3.0, 4.0, 5.0, 1.0]];
    let inverse = [[1.0_f64, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.5, 0.0], [-3.0, -4.0, -2.5, 1.0]];
    check(m.into(), inverse.into());
    check([[h(2.0), h(0.0)], [h(0.0), h(4.0)]].into(), [[h(0.5), h(0.0)], [h(0.0), h(0.25)]].into());
}
