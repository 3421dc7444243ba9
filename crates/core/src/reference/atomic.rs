//! What a read-modify-write does to the number it finds.

use crate::ops::{self, Num, Value};
use naga::{AtomicFunction, BinaryOperator, MathFunction};

/// The statement's result and what to store, if anything. An atomic that reaches no
/// memory stores nothing and finds zero.
pub(super) fn apply(
    fun: AtomicFunction,
    reached: bool,
    old: &Value,
    value: &Value,
    compare: Option<&Value>,
) -> (Value, Option<Value>) {
    let new = match fun {
        AtomicFunction::Add => ops::binary(BinaryOperator::Add, old, value),
        AtomicFunction::Subtract => ops::binary(BinaryOperator::Subtract, old, value),
        AtomicFunction::And => ops::binary(BinaryOperator::And, old, value),
        AtomicFunction::ExclusiveOr => ops::binary(BinaryOperator::ExclusiveOr, old, value),
        AtomicFunction::InclusiveOr => ops::binary(BinaryOperator::InclusiveOr, old, value),
        AtomicFunction::Min => ops::math(MathFunction::Min, &[old.clone(), value.clone()]),
        AtomicFunction::Max => ops::math(MathFunction::Max, &[old.clone(), value.clone()]),
        AtomicFunction::Exchange { .. } => value.clone(),
    };
    let Some(compare) = compare else { return (old.clone(), reached.then_some(new)) };
    let exchanged = reached && old == compare;
    let outcome = [old.clone(), Value::Num(Num::Bool(exchanged))];
    (Value::Composite(outcome.into()), exchanged.then_some(new))
}
