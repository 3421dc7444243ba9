//! Vectors as arrows, by the formulas of the WGSL specification.

use super::{Num, Value, Vector, arith, compare, float, map, num, nums, zip};

/// The sum of the products, from left to right.
pub(super) fn dot(a: &[Num], b: &[Num]) -> Num {
    let first = arith::multiply(a[0], b[0]);
    a[1..].iter().zip(&b[1..]).fold(first, |sum, (&a, &b)| arith::add(sum, arith::multiply(a, b)))
}

/// The length of a vector, the absolute value of a scalar.
pub(super) fn length(value: &Value) -> Value {
    Value::Num(match value {
        Value::Num(x) => arith::abs(*x),
        Value::Vector(_) | Value::Composite(_) => float::sqrt(dot(nums(value), nums(value))),
    })
}

/// The arrow of the same direction and length 1.
pub(super) fn normalize(value: &Value) -> Value {
    zip(value, &length(value), arith::divide)
}

/// The product that is orthogonal to both.
pub(super) fn cross(a: &[Num], b: &[Num]) -> Value {
    let part = |i: usize, j: usize| arith::subtract(arith::multiply(a[i], b[j]), arith::multiply(a[j], b[i]));
    Value::Vector(Vector::new([part(1, 2), part(2, 0), part(0, 1)]))
}

/// The matrix of all products: rows from the left operand, columns from the right one.
pub(super) fn outer(left: &Value, right: &Value) -> Value {
    // naga gives the result as many columns as the left operand has numbers, which is the other
    // way round; it shows only where the operands differ in size, and there its type holds.
    let (rows, columns) = if nums(left).len() == nums(right).len() { (left, right) } else { (right, left) };
    Value::Composite(nums(columns).iter().map(|&x| map(rows, |y| arith::multiply(y, x))).collect())
}

/// `e1` if the angle between the others is over a right one, else its opposite.
pub(super) fn face_forward(e1: &Value, e2: &Value, e3: &Value) -> Value {
    let dot = dot(nums(e2), nums(e3));
    if compare::truth(compare::less(dot, constant(dot, 0.0))) { e1.clone() } else { map(e1, arith::negate) }
}

/// `e1` thrown back by the plane whose normal is `e2`: e1 - 2 * dot(e2, e1) * e2.
pub(super) fn reflect(e1: &Value, e2: &Value) -> Value {
    let dot = dot(nums(e2), nums(e1));
    let twice = arith::multiply(constant(dot, 2.0), dot);
    zip(e1, &map(e2, |x| arith::multiply(twice, x)), arith::subtract)
}

/// `e1` bent by the surface whose normal is `e2` and whose ratio of indices is `e3`.
pub(super) fn refract(e1: &Value, e2: &Value, e3: &Value) -> Value {
    use arith::{add, multiply, subtract};
    let (ratio, dot) = (num(e3), dot(nums(e2), nums(e1)));
    let one = constant(dot, 1.0);
    // k = 1 - e3 * e3 * (1 - dot(e2, e1) * dot(e2, e1))
    let rest = subtract(one, multiply(dot, dot));
    let k = subtract(one, multiply(multiply(ratio, ratio), rest));
    let zero = constant(dot, 0.0);
    if compare::truth(compare::less(k, zero)) {
        return map(e1, |_| zero);
    }
    // e3 * e1 - (e3 * dot(e2, e1) + sqrt(k)) * e2
    let along = add(multiply(ratio, dot), float::sqrt(k));
    zip(e1, e2, |e1, e2| subtract(multiply(ratio, e1), multiply(along, e2)))
}

/// A small constant in the type of another float.
pub(super) fn constant(like: Num, x: f32) -> Num {
    match like {
        Num::F32(_) => Num::F32(x),
        Num::F64(_) => Num::F64(x.into()),
        Num::Bool(_) | Num::I32(_) | Num::U32(_) | Num::F16(_) | Num::I64(_) | Num::U64(_) => {
            unreachable!("invariant operand types: {like:?} in geometry")
        }
    }
}
