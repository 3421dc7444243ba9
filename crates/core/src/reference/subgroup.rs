//! Subgroups: the invocations of a workgroup in the order of their local index, so many at a time.
//!
//! Who takes part in an operation are those of the subgroup that come to it in the same way: by the
//! same calls, in the same turns of the loops around it. Where control flow has split, one way is
//! taken to its end before the other begins, the branch of an `if` that is written first before the
//! second, and loops until nobody is left in them; after that the subgroup is together again. So
//! the first operation in that order that anybody waits at is the next, once all others wait or have
//! ended.
//!
//! Numbers are combined in an order that vectors can follow: of two halves for reductions, and for
//! scans as Hillis and Steele do it ("Data parallel algorithms", 1986), with the operation's neutral
//! number for those that take no part. Who asks for the value of one that takes no part finds zero.

use half::f16;
use naga::{
    BinaryOperator, CollectiveOperation, Direction, Expression, GatherMode, Handle, MathFunction, SubgroupOperation,
};

use super::flatten::Exchange;
use super::machine::Machine;
use super::pointer::index;
use crate::ops::{self, Num, Value, Vector};

/// Bits of a ballot.
const BALLOT_BITS: usize = 128;

/// Lets invocations of a subgroup of `size`, which are at the same operation, have its results. Each
/// comes with its number in the subgroup, in ascending order.
pub(super) fn perform(exchange: Exchange, size: usize, lanes: &mut [(usize, &mut Machine)]) {
    match exchange {
        Exchange::Nothing => {}
        Exchange::Ballot { predicate, result } => {
            let mut words = [0_u32; BALLOT_BITS / 32];
            for (id, machine) in &*lanes {
                let holds = predicate.is_none_or(|at| *machine.value(at) == Value::Num(Num::Bool(true)));
                words[id / 32] |= u32::from(holds) << (id % 32);
            }
            let ballot = Value::Vector(Vector::new(words.map(Num::U32)));
            for (_, machine) in lanes {
                machine.set(result.index() as u32, ballot.clone());
            }
        }
        Exchange::Gather { mode, argument, result } => {
            let given = row(size, argument, lanes, &|num| Num::zero(num.scalar()));
            let first = lanes[0].0;
            for (id, machine) in lanes {
                let from = source(mode, *id, first, |at| index(machine.value(at)));
                let found = from.and_then(|from| given.get(from)).cloned();
                let value = found.unwrap_or_else(|| map(machine.value(argument), &|num| Num::zero(num.scalar())));
                machine.set(result.index() as u32, value);
            }
        }
        Exchange::Fold { op, all, argument, result } => {
            let mut items = row(size, argument, lanes, &|num| neutral(op, num));
            let none = map(&items[0], &|num| neutral(op, num));
            match all {
                CollectiveOperation::Reduce => halve(op, &mut items),
                CollectiveOperation::InclusiveScan | CollectiveOperation::ExclusiveScan => scan(op, &mut items),
            }
            for (id, machine) in lanes {
                let value = match all {
                    CollectiveOperation::Reduce => &items[0],
                    CollectiveOperation::InclusiveScan => &items[*id],
                    CollectiveOperation::ExclusiveScan if *id == 0 => &none,
                    CollectiveOperation::ExclusiveScan => &items[*id - 1],
                };
                machine.set(result.index() as u32, value.clone());
            }
        }
    }
}

/// What each invocation of the subgroup brings; of those that take no part, what `absent` makes of
/// another's.
fn row(
    size: usize,
    argument: Handle<Expression>,
    lanes: &[(usize, &mut Machine)],
    absent: &dyn Fn(Num) -> Num,
) -> Vec<Value> {
    let mut row = vec![map(lanes[0].1.value(argument), absent); size];
    for (id, machine) in lanes {
        row[*id] = machine.value(argument).clone();
    }
    row
}

/// Whose value the invocation `id` gets, if there can be such a one.
fn source(
    mode: GatherMode,
    id: usize,
    first: usize,
    number: impl Fn(Handle<Expression>) -> Option<usize>,
) -> Option<usize> {
    match mode {
        GatherMode::BroadcastFirst => Some(first),
        GatherMode::Broadcast(at) | GatherMode::Shuffle(at) => number(at),
        GatherMode::ShuffleDown(by) => id.checked_add(number(by)?),
        GatherMode::ShuffleUp(by) => id.checked_sub(number(by)?),
        GatherMode::ShuffleXor(mask) => Some(id ^ number(mask)?),
        GatherMode::QuadBroadcast(at) => number(at).filter(|&at| at < 4).map(|at| id / 4 * 4 + at),
        GatherMode::QuadSwap(Direction::X) => Some(id ^ 1),
        GatherMode::QuadSwap(Direction::Y) => Some(id ^ 2),
        GatherMode::QuadSwap(Direction::Diagonal) => Some(id ^ 3),
    }
}

/// The first half with the second, until one is left.
fn halve(op: SubgroupOperation, items: &mut [Value]) {
    let mut count = items.len() / 2;
    while count > 0 {
        for at in 0..count {
            items[at] = combine(op, &items[at], &items[at + count]);
        }
        count /= 2;
    }
}

/// Each with the one before, then with the one two before, and so on.
fn scan(op: SubgroupOperation, items: &mut [Value]) {
    let mut by = 1;
    while by < items.len() {
        for at in (by..items.len()).rev() {
            items[at] = combine(op, &items[at - by], &items[at]);
        }
        by *= 2;
    }
}

fn combine(op: SubgroupOperation, a: &Value, b: &Value) -> Value {
    match op {
        SubgroupOperation::Add => ops::binary(BinaryOperator::Add, a, b),
        SubgroupOperation::Mul => ops::binary(BinaryOperator::Multiply, a, b),
        SubgroupOperation::Min => ops::math(MathFunction::Min, &[a.clone(), b.clone()]),
        SubgroupOperation::Max => ops::math(MathFunction::Max, &[a.clone(), b.clone()]),
        SubgroupOperation::All | SubgroupOperation::And => ops::binary(BinaryOperator::And, a, b),
        SubgroupOperation::Any | SubgroupOperation::Or => ops::binary(BinaryOperator::InclusiveOr, a, b),
        SubgroupOperation::Xor => ops::binary(BinaryOperator::ExclusiveOr, a, b),
    }
}

/// The number of the same type that changes nothing.
fn neutral(op: SubgroupOperation, like: Num) -> Num {
    match op {
        SubgroupOperation::Add | SubgroupOperation::Any | SubgroupOperation::Or | SubgroupOperation::Xor => {
            Num::zero(like.scalar())
        }
        SubgroupOperation::Mul => choose(like, (1, 1), 1.0),
        SubgroupOperation::Min => choose(like, (i64::MAX, u64::MAX), f64::INFINITY),
        SubgroupOperation::Max => choose(like, (i64::MIN, 0), f64::NEG_INFINITY),
        SubgroupOperation::All | SubgroupOperation::And => choose(like, (-1, u64::MAX), 0.0),
    }
}

/// The integer, cut to the type's range, or the float.
fn choose(like: Num, (signed, unsigned): (i64, u64), float: f64) -> Num {
    match like {
        Num::Bool(_) => Num::Bool(true),
        Num::I32(_) => Num::I32(signed.clamp(i32::MIN.into(), i32::MAX.into()) as i32),
        Num::U32(_) => Num::U32(unsigned.min(u32::MAX.into()) as u32),
        Num::F32(_) => Num::F32(float as f32),
        Num::F16(_) => Num::F16(f16::from_f64(float)),
        Num::I64(_) => Num::I64(signed),
        Num::U64(_) => Num::U64(unsigned),
        Num::F64(_) => Num::F64(float),
    }
}

/// Of numbers and vectors, which is all that subgroups exchange.
fn map(value: &Value, f: &dyn Fn(Num) -> Num) -> Value {
    match value {
        Value::Num(num) => Value::Num(f(*num)),
        Value::Vector(vector) => Value::Vector(Vector::new(vector.items().iter().map(|&num| f(num)))),
        Value::Composite(_) => unreachable!("invariant subgroup-operands: naga refuses {value:?}"),
    }
}
