//! Operators and builtin functions as pure functions on values.
//!
//! The rooms below work on single numbers (or vectors, where the language does); this one maps
//! them over vectors and matrices. Validation has already matched the operands' types, so any
//! other combination is a broken invariant. An operation on `f16` is done in `f32` and its
//! result rounded once.

mod value;
mod arith;
mod bits;
mod cast;
mod compare;
mod float;
mod geometry;
mod matrix;
mod pack;

#[cfg(test)]
mod tests;

use std::rc::Rc;

use naga::{
    BinaryOperator as Binary, MathFunction as Math, RelationalFunction as Relational, ScalarKind,
    UnaryOperator as Unary,
};

pub(crate) use value::{Num, Value, Vector};

/// Applies a unary operator.
pub(crate) fn unary(op: Unary, value: &Value) -> Value {
    match op {
        Unary::Negate => map(value, arith::negate),
        Unary::LogicalNot => map(value, compare::not),
        Unary::BitwiseNot => map(value, bits::not),
    }
}

/// Applies a binary operator.
pub(crate) fn binary(op: Binary, left: &Value, right: &Value) -> Value {
    match op {
        Binary::Add => zip(left, right, arith::add),
        Binary::Subtract => zip(left, right, arith::subtract),
        Binary::Multiply => match (left, right) {
            (Value::Composite(_), _) | (_, Value::Composite(_)) => matrix::multiply(left, right),
            (Value::Num(_) | Value::Vector(_), Value::Num(_) | Value::Vector(_)) => zip(left, right, arith::multiply),
        },
        Binary::Divide => zip(left, right, arith::divide),
        Binary::Modulo => zip(left, right, arith::modulo),
        Binary::Equal => zip(left, right, compare::equal),
        Binary::NotEqual => zip(left, right, compare::not_equal),
        Binary::Less => zip(left, right, compare::less),
        Binary::LessEqual => zip(left, right, compare::less_equal),
        Binary::Greater => zip(left, right, compare::greater),
        Binary::GreaterEqual => zip(left, right, compare::greater_equal),
        Binary::And | Binary::LogicalAnd => zip(left, right, bits::and),
        Binary::InclusiveOr | Binary::LogicalOr => zip(left, right, bits::or),
        Binary::ExclusiveOr => zip(left, right, bits::xor),
        Binary::ShiftLeft => zip(left, right, bits::shift_left),
        Binary::ShiftRight => zip(left, right, bits::shift_right),
    }
}

/// Applies a function that answers yes or no.
pub(crate) fn relational(fun: Relational, value: &Value) -> Value {
    match fun {
        Relational::All => Value::Num(Num::Bool(nums(value).iter().all(|&n| compare::truth(n)))),
        Relational::Any => Value::Num(Num::Bool(nums(value).iter().any(|&n| compare::truth(n)))),
        Relational::IsNan => map(value, compare::is_nan),
        Relational::IsInf => map(value, compare::is_inf),
    }
}

/// Takes `accept` where the condition holds, `reject` elsewhere.
pub(crate) fn select(condition: &Value, accept: &Value, reject: &Value) -> Value {
    match condition {
        Value::Num(condition) => {
            if compare::truth(*condition) {
                accept.clone()
            } else {
                reject.clone()
            }
        }
        Value::Vector(_) | Value::Composite(_) => {
            zip3(condition, accept, reject, |c, a, r| if compare::truth(c) { a } else { r })
        }
    }
}

/// Converts to a kind of number in so many bytes, or (without a width) takes the bits for it.
pub(crate) fn cast(value: &Value, kind: ScalarKind, convert: Option<u8>) -> Value {
    match convert {
        Some(width) => {
            let to = cast::scalar(kind, width);
            map(value, |num| cast::convert(num, to))
        }
        None => map(value, |num| cast::bitcast(num, kind)),
    }
}

/// Applies a builtin function to its arguments, in the order of the language.
pub(crate) fn math(fun: Math, args: &[Value]) -> Value {
    if !half(&args[0]) {
        return wide(fun, args);
    }
    let result = match args {
        [a] => wide(fun, &[widen(a)]),
        [a, b] => wide(fun, &[widen(a), widen(b)]),
        [a, b, c] => wide(fun, &[widen(a), widen(b), widen(c)]),
        [] | [_, _, _, _, ..] => {
            unreachable!("invariant math arguments: no function of half floats takes {args:?}")
        }
    };
    narrow(&result)
}

/// Applies a builtin function to arguments without half floats.
fn wide(fun: Math, args: &[Value]) -> Value {
    let unary = |f: fn(Num) -> Num| map(&args[0], f);
    let binary = |f: fn(Num, Num) -> Num| zip(&args[0], &args[1], f);
    let ternary = |f: fn(Num, Num, Num) -> Num| zip3(&args[0], &args[1], &args[2], f);
    match fun {
        Math::Abs => unary(arith::abs),
        Math::Min => binary(arith::min),
        Math::Max => binary(arith::max),
        Math::Clamp => ternary(arith::clamp),
        Math::Saturate => unary(float::saturate),
        Math::Cos => unary(float::cos),
        Math::Cosh => unary(float::cosh),
        Math::Sin => unary(float::sin),
        Math::Sinh => unary(float::sinh),
        Math::Tan => unary(float::tan),
        Math::Tanh => unary(float::tanh),
        Math::Acos => unary(float::acos),
        Math::Asin => unary(float::asin),
        Math::Atan => unary(float::atan),
        Math::Atan2 => binary(float::atan2),
        Math::Asinh => unary(float::asinh),
        Math::Acosh => unary(float::acosh),
        Math::Atanh => unary(float::atanh),
        Math::Radians => unary(float::radians),
        Math::Degrees => unary(float::degrees),
        Math::Ceil => unary(float::ceil),
        Math::Floor => unary(float::floor),
        Math::Round => unary(float::round),
        Math::Fract => unary(float::fract),
        Math::Trunc => unary(float::trunc),
        Math::Modf => pair(unary(float::modf_fract), unary(float::trunc)),
        Math::Frexp => pair(unary(float::frexp_fract), unary(float::frexp_exponent)),
        Math::Ldexp => binary(float::ldexp),
        Math::Exp => unary(float::exp),
        Math::Exp2 => unary(float::exp2),
        Math::Log => unary(float::log),
        Math::Log2 => unary(float::log2),
        Math::Pow => binary(float::pow),
        Math::Dot => Value::Num(geometry::dot(nums(&args[0]), nums(&args[1]))),
        Math::Dot4I8Packed => binary(pack::dot_i8),
        Math::Dot4U8Packed => binary(pack::dot_u8),
        Math::Outer => geometry::outer(&args[0], &args[1]),
        Math::Cross => geometry::cross(nums(&args[0]), nums(&args[1])),
        Math::Distance => geometry::length(&binary(arith::subtract)),
        Math::Length => geometry::length(&args[0]),
        Math::Normalize => geometry::normalize(&args[0]),
        Math::FaceForward => geometry::face_forward(&args[0], &args[1], &args[2]),
        Math::Reflect => geometry::reflect(&args[0], &args[1]),
        Math::Refract => geometry::refract(&args[0], &args[1], &args[2]),
        Math::Sign => unary(arith::sign),
        Math::Fma => ternary(float::fma),
        Math::Mix => ternary(float::mix),
        Math::Step => binary(float::step),
        Math::SmoothStep => ternary(float::smoothstep),
        Math::Sqrt => unary(float::sqrt),
        Math::InverseSqrt => unary(float::inverse_sqrt),
        Math::Inverse => matrix::inverse(&args[0]),
        Math::Transpose => matrix::transpose(&args[0]),
        Math::Determinant => Value::Num(matrix::determinant(&args[0])),
        Math::QuantizeToF16 => unary(float::quantize),
        Math::CountTrailingZeros => unary(bits::trailing_zeros),
        Math::CountLeadingZeros => unary(bits::leading_zeros),
        Math::CountOneBits => unary(bits::count_ones),
        Math::ReverseBits => unary(bits::reverse),
        Math::ExtractBits => ternary(bits::extract),
        Math::InsertBits => {
            let (offset, count) = (&args[2], &args[3]);
            zip(&args[0], &args[1], |old, new| bits::insert(old, new, num(offset), num(count)))
        }
        Math::FirstTrailingBit => unary(bits::first_trailing),
        Math::FirstLeadingBit => unary(bits::first_leading),
        Math::Pack4x8snorm => pack::snorm(nums(&args[0]), 8),
        Math::Pack4x8unorm => pack::unorm(nums(&args[0]), 8),
        Math::Pack2x16snorm => pack::snorm(nums(&args[0]), 16),
        Math::Pack2x16unorm => pack::unorm(nums(&args[0]), 16),
        Math::Pack2x16float => pack::float(nums(&args[0])),
        Math::Pack4xI8 | Math::Pack4xU8 => pack::bytes(nums(&args[0])),
        Math::Pack4xI8Clamp => pack::bytes_clamp_i8(nums(&args[0])),
        Math::Pack4xU8Clamp => pack::bytes_clamp_u8(nums(&args[0])),
        Math::Unpack4x8snorm => pack::unpack_snorm(num(&args[0]), 8),
        Math::Unpack4x8unorm => pack::unpack_unorm(num(&args[0]), 8),
        Math::Unpack2x16snorm => pack::unpack_snorm(num(&args[0]), 16),
        Math::Unpack2x16unorm => pack::unpack_unorm(num(&args[0]), 16),
        Math::Unpack2x16float => pack::unpack_float(num(&args[0])),
        Math::Unpack4xI8 => pack::unpack_i8(num(&args[0])),
        Math::Unpack4xU8 => pack::unpack_u8(num(&args[0])),
    }
}

/// The result of a function that gives two values.
fn pair(first: Value, second: Value) -> Value {
    Value::Composite(Rc::new([first, second]))
}

/// The number that a scalar is.
fn num(value: &Value) -> Num {
    let Value::Num(num) = value else { unreachable!("invariant operand shape: {value:?} is not a scalar") };
    *num
}

/// The numbers of a scalar or a vector.
fn nums(value: &Value) -> &[Num] {
    match value {
        Value::Num(num) => std::slice::from_ref(num),
        Value::Vector(vector) => vector.items(),
        Value::Composite(_) => unreachable!("invariant operand shape: {value:?} is not a vector"),
    }
}

/// Applies a function to every number.
#[inline]
fn map(value: &Value, f: impl Fn(Num) -> Num + Copy) -> Value {
    match value {
        Value::Num(num) => Value::Num(f(*num)),
        Value::Vector(vector) => Value::Vector(map_vector(*vector, f)),
        Value::Composite(parts) => Value::Composite(parts.iter().map(|part| map(part, f)).collect()),
    }
}

#[inline]
fn map_vector(mut vector: Vector, f: impl Fn(Num) -> Num) -> Vector {
    for item in vector.items_mut() {
        *item = f(*item);
    }
    vector
}

/// Applies a function to every pair of numbers; a scalar goes with each number of the other.
#[inline]
fn zip(left: &Value, right: &Value, f: impl Fn(Num, Num) -> Num + Copy) -> Value {
    match (left, right) {
        (Value::Num(a), Value::Num(b)) => Value::Num(f(*a, *b)),
        (Value::Vector(a), Value::Vector(b)) => {
            let mut vector = *a;
            for (a, b) in vector.items_mut().iter_mut().zip(b.items()) {
                *a = f(*a, *b);
            }
            Value::Vector(vector)
        }
        (_, Value::Num(b)) => map(left, |a| f(a, *b)),
        (Value::Num(a), _) => map(right, |b| f(*a, b)),
        (Value::Composite(a), Value::Composite(b)) => {
            Value::Composite(a.iter().zip(b.iter()).map(|(a, b)| zip(a, b, f)).collect())
        }
        (Value::Vector(_), Value::Composite(_)) | (Value::Composite(_), Value::Vector(_)) => {
            unreachable!("invariant operand shapes: {left:?} and {right:?}")
        }
    }
}

/// Applies a function to every three numbers; a scalar after the first goes with each number.
#[inline]
fn zip3(a: &Value, b: &Value, c: &Value, f: impl Fn(Num, Num, Num) -> Num) -> Value {
    if let (Value::Num(a), Value::Num(b), Value::Num(c)) = (a, b, c) {
        return Value::Num(f(*a, *b, *c));
    }
    let Value::Vector(mut vector) = *a else { unreachable!("invariant operand shapes: {a:?}, {b:?} and {c:?}") };
    let (b, c) = (nums(b), nums(c));
    for (i, a) in vector.items_mut().iter_mut().enumerate() {
        *a = f(*a, b[i % b.len()], c[i % c.len()]);
    }
    Value::Vector(vector)
}

/// Whether a value is made of half floats.
fn half(value: &Value) -> bool {
    match value {
        Value::Num(num) => matches!(num, Num::F16(_)),
        Value::Vector(vector) => matches!(vector.items()[0], Num::F16(_)),
        Value::Composite(parts) => half(&parts[0]),
    }
}

/// Half floats as single floats, all else as it is.
fn widen(value: &Value) -> Value {
    map(value, |num| if let Num::F16(x) = num { Num::F32(x.to_f32()) } else { num })
}

/// Single floats rounded to half floats, all else as it is.
fn narrow(value: &Value) -> Value {
    map(value, |num| if let Num::F32(x) = num { Num::F16(crate::math::f16_from_f32(x)) } else { num })
}
