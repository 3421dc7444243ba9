//! Every operator and function against results known from elsewhere: the specification, paper,
//! or arithmetic of arbitrary precision.

mod accuracy;
mod arith;
mod bits;
mod cast;
mod float;
mod geometry;
mod pack;

use half::f16;
use naga::{BinaryOperator as Binary, MathFunction as Math};

use super::{Num, Value, Vector, math};

macro_rules! from {
    ($($scalar:ty => $num:ident)+) => {
        $(
            impl From<$scalar> for Value {
                fn from(x: $scalar) -> Self {
                    Self::Num(Num::$num(x))
                }
            }

            impl<const N: usize> From<[$scalar; N]> for Value {
                fn from(items: [$scalar; N]) -> Self {
                    Self::Vector(Vector::new(items.map(Num::$num)))
                }
            }

            impl<const C: usize, const R: usize> From<[[$scalar; R]; C]> for Value {
                fn from(columns: [[$scalar; R]; C]) -> Self {
                    Self::Composite(columns.into_iter().map(Self::from).collect())
                }
            }
        )+
    };
}

from! { bool => Bool i32 => I32 u32 => U32 f32 => F32 f16 => F16 i64 => I64 u64 => U64 f64 => F64 }

/// A half float.
fn h(x: f32) -> f16 {
    f16::from_f32(x)
}

/// Same type, same numbers; zeros of different sign differ, NaN is NaN.
#[track_caller]
fn same(actual: &Value, expected: impl Into<Value>) {
    assert_eq!(format!("{actual:?}"), format!("{:?}", expected.into()));
}

#[track_caller]
fn one(fun: Math, x: impl Into<Value>, expected: impl Into<Value>) {
    same(&math(fun, &[x.into()]), expected);
}

#[track_caller]
fn two(fun: Math, x: impl Into<Value>, y: impl Into<Value>, expected: impl Into<Value>) {
    same(&math(fun, &[x.into(), y.into()]), expected);
}

#[track_caller]
fn op(op: Binary, left: impl Into<Value>, right: impl Into<Value>, expected: impl Into<Value>) {
    same(&super::binary(op, &left.into(), &right.into()), expected);
}
