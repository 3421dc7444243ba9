//! Expressions that depend on nothing but their operands: no memory, no identity.

use std::rc::Rc;

use naga::{Expression, Handle, Literal};

use super::pointer::index;
use super::types::{Shape, Types};
use crate::ops::{self, Num, Value, Vector};

/// Whether [`pure`] can evaluate it, given its operands.
pub(super) fn is_pure(expression: &Expression) -> bool {
    let mut count = 0;
    operands(expression, &mut |_| count += 1);
    count > 0 || matches!(expression, Expression::Literal(_) | Expression::ZeroValue(_))
}

/// Calls `visit` with each operand of a pure expression, and not at all for others.
pub(super) fn operands(expression: &Expression, visit: &mut dyn FnMut(Handle<Expression>)) {
    match *expression {
        Expression::Compose { ref components, .. } => components.iter().copied().for_each(visit),
        Expression::Access { base, index } => [base, index].into_iter().for_each(visit),
        Expression::AccessIndex { base: only, .. }
        | Expression::Splat { value: only, .. }
        | Expression::Swizzle { vector: only, .. }
        | Expression::Unary { expr: only, .. }
        | Expression::Relational { argument: only, .. }
        | Expression::As { expr: only, .. } => visit(only),
        Expression::Binary { left, right, .. } => [left, right].into_iter().for_each(visit),
        Expression::Select { condition, accept, reject } => [condition, accept, reject].into_iter().for_each(visit),
        Expression::Math { arg, arg1, arg2, arg3, .. } => {
            [Some(arg), arg1, arg2, arg3].into_iter().flatten().for_each(visit);
        }
        Expression::Literal(_)
        | Expression::ZeroValue(_)
        | Expression::Constant(_)
        | Expression::Override(_)
        | Expression::FunctionArgument(_)
        | Expression::GlobalVariable(_)
        | Expression::LocalVariable(_)
        | Expression::Load { .. }
        | Expression::ImageSample { .. }
        | Expression::ImageLoad { .. }
        | Expression::ImageQuery { .. }
        | Expression::Derivative { .. }
        | Expression::CallResult(_)
        | Expression::AtomicResult { .. }
        | Expression::WorkGroupUniformLoadResult { .. }
        | Expression::ArrayLength(_)
        | Expression::RayQueryVertexPositions { .. }
        | Expression::RayQueryProceedResult
        | Expression::RayQueryGetIntersection { .. }
        | Expression::SubgroupBallotResult
        | Expression::SubgroupOperationResult { .. }
        | Expression::CooperativeLoad { .. }
        | Expression::CooperativeMultiplyAdd { .. } => {}
    }
}

/// The value of a pure expression.
pub(super) fn pure<'a>(expression: &Expression, types: &Types, get: impl Fn(Handle<Expression>) -> &'a Value) -> Value {
    match *expression {
        Expression::Literal(literal) => Value::Num(number(literal)),
        Expression::ZeroValue(ty) => types.zero(ty.into()),
        Expression::Compose { ty, ref components } => {
            if matches!(types[ty.into()], Shape::Vector { .. }) {
                Value::Vector(Vector::new(components.iter().flat_map(|&part| numbers(get(part)).iter().copied())))
            } else {
                Value::Composite(components.iter().map(|&part| get(part).clone()).collect())
            }
        }
        Expression::Access { base, index: at } => element(get(base), index(get(at))),
        Expression::AccessIndex { base, index } => element(get(base), Some(index as usize)),
        Expression::Splat { size, value } => {
            let item = numbers(get(value))[0];
            Value::Vector(Vector::new((0..size as usize).map(|_| item)))
        }
        Expression::Swizzle { size, vector, ref pattern } => {
            let items = numbers(get(vector));
            Value::Vector(Vector::new(pattern[..size as usize].iter().map(|&from| items[from as usize])))
        }
        Expression::Unary { op, expr } => ops::unary(op, get(expr)),
        Expression::Binary { op, left, right } => ops::binary(op, get(left), get(right)),
        Expression::Select { condition, accept, reject } => ops::select(get(condition), get(accept), get(reject)),
        Expression::Relational { fun, argument } => ops::relational(fun, get(argument)),
        Expression::Math { fun, arg, arg1, arg2, arg3 } => {
            let value = |handle| get(handle).clone();
            match (arg1, arg2, arg3) {
                (None, ..) => ops::math(fun, std::slice::from_ref(get(arg))),
                (Some(b), None, _) => ops::math(fun, &[value(arg), value(b)]),
                (Some(b), Some(c), None) => ops::math(fun, &[value(arg), value(b), value(c)]),
                (Some(b), Some(c), Some(d)) => ops::math(fun, &[value(arg), value(b), value(c), value(d)]),
            }
        }
        Expression::As { expr, kind, convert } => ops::cast(get(expr), kind, convert),
        Expression::Constant(_)
        | Expression::Override(_)
        | Expression::FunctionArgument(_)
        | Expression::GlobalVariable(_)
        | Expression::LocalVariable(_)
        | Expression::Load { .. }
        | Expression::ImageSample { .. }
        | Expression::ImageLoad { .. }
        | Expression::ImageQuery { .. }
        | Expression::Derivative { .. }
        | Expression::CallResult(_)
        | Expression::AtomicResult { .. }
        | Expression::WorkGroupUniformLoadResult { .. }
        | Expression::ArrayLength(_)
        | Expression::RayQueryVertexPositions { .. }
        | Expression::RayQueryProceedResult
        | Expression::RayQueryGetIntersection { .. }
        | Expression::SubgroupBallotResult
        | Expression::SubgroupOperationResult { .. }
        | Expression::CooperativeLoad { .. }
        | Expression::CooperativeMultiplyAdd { .. } => {
            unreachable!("invariant pure-only: {expression:?} is not a function of its operands")
        }
    }
}

/// A component, column, element or member of a value; zero outside it.
fn element(base: &Value, index: Option<usize>) -> Value {
    let index = index.unwrap_or(usize::MAX);
    match base {
        Value::Vector(vector) => {
            let items = vector.items();
            Value::Num(items.get(index).copied().unwrap_or_else(|| Num::zero(items[0].scalar())))
        }
        Value::Composite(items) => items.get(index).cloned().unwrap_or_else(|| zero_like(&items[0])),
        Value::Num(_) => unreachable!("invariant typed-access: only composites are indexed"),
    }
}

fn zero_like(value: &Value) -> Value {
    match value {
        Value::Num(item) => Value::Num(Num::zero(item.scalar())),
        Value::Vector(vector) => Value::Vector(Vector::new(vector.items().iter().map(|item| Num::zero(item.scalar())))),
        Value::Composite(items) => Value::Composite(items.iter().map(zero_like).collect::<Rc<[_]>>()),
    }
}

/// The numbers of a scalar or vector.
fn numbers(value: &Value) -> &[Num] {
    match value {
        Value::Num(item) => std::slice::from_ref(item),
        Value::Vector(vector) => vector.items(),
        Value::Composite(_) => unreachable!("invariant typed-vectors: vectors are made of scalars and vectors"),
    }
}

fn number(literal: Literal) -> Num {
    match literal {
        Literal::F64(x) => Num::F64(x),
        Literal::F32(x) => Num::F32(x),
        Literal::F16(x) => Num::F16(x),
        Literal::U32(x) => Num::U32(x),
        Literal::I32(x) => Num::I32(x),
        Literal::U64(x) => Num::U64(x),
        Literal::I64(x) => Num::I64(x),
        Literal::Bool(x) => Num::Bool(x),
        Literal::U16(_) | Literal::I16(_) => unreachable!("invariant known-scalars: validation allows no other widths"),
        Literal::AbstractInt(_) | Literal::AbstractFloat(_) => {
            unreachable!("invariant concrete: validation leaves no abstract numbers")
        }
    }
}
