//! Affine numbers: how much one grows from invocation to invocation ([`step`], which may wrap), and one as so many
//! local indices, workgroups and ones ([`sum`], where nothing wraps: what would is no such sum).

use crate::cost;
use crate::ir::{Binary, Builtin, Function, Op, Ty, Value};

/// Operations that are looked through.
const DEPTH_MAX: u32 = 8;

/// Whether a value counts the invocations of the workgroup.
pub(crate) fn is_local_index(f: &Function, value: Value) -> bool {
    match f.op(value) {
        Op::Builtin(Builtin::LocalIndex) => true,
        Op::Builtin(Builtin::LocalId(0)) => f.workgroup_size[1..] == [1, 1],
        _ => false,
    }
}

/// How much a 32-bit integer grows from one invocation to the next, all along the workgroup, modulo 2³²: that of
/// sums, differences and multiples of what does. `leaf` tells it of values that are not to be looked through.
pub(crate) fn step(f: &Function, value: Value, leaf: &dyn Fn(Value) -> Option<u32>) -> Option<u32> {
    step_within(f, value, leaf, DEPTH_MAX)
}

fn step_within(f: &Function, value: Value, leaf: &dyn Fn(Value) -> Option<u32>, depth: u32) -> Option<u32> {
    if !matches!(f.ty(value), Ty::U32 | Ty::I32) {
        return None;
    }
    if let Some(step) = leaf(value) {
        return Some(step);
    }
    let depth = depth.checked_sub(1)?;
    let of = |value: Value| step_within(f, value, leaf, depth);
    match *f.op(value) {
        Op::Builtin(_) => is_local_index(f, value).then_some(1),
        Op::Binary(op, a, b) => combine(f, op, [a, b], [of(a)?, of(b)?]),
        Op::Convert(a) | Op::Bitcast(a) => of(a),
        _ => None,
    }
}

/// What an operation makes of how its sides grow, from invocation to invocation or from turn to turn.
pub(crate) fn combine(f: &Function, op: Binary, [a, b]: [Value; 2], [x, y]: [u32; 2]) -> Option<u32> {
    match (op, f.constant(a), f.constant(b)) {
        (Binary::Add, ..) => Some(x.wrapping_add(y)),
        (Binary::Sub, ..) => Some(x.wrapping_sub(y)),
        (Binary::Mul, _, Some(factor)) => Some(x.wrapping_mul(factor as u32)),
        (Binary::Mul, Some(factor), _) => Some(y.wrapping_mul(factor as u32)),
        (Binary::Shl, _, Some(amount)) => Some(x << (amount & 31)),
        (Binary::Mul, None, None) if x == 0 && y == 0 => Some(0),
        _ => None,
    }
}

/// A number that grows evenly along the workgroup: `root` and `ahead` in its first invocation, and `step` more in each
/// that follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Even {
    pub(crate) root: Value,
    pub(crate) step: u32,
    pub(crate) ahead: u32,
}

/// Such a number, of values for which `stands` says that they are the same for all.
pub(crate) fn even(f: &Function, index: Value, stands: &dyn Fn(Value) -> bool) -> Option<Even> {
    let (mut root, mut ahead) = (index, 0);
    while let Op::Binary(Binary::Add, a, b) = *f.op(root)
        && let Some(literal) = f.constant(b)
        && ahead + literal <= cost::EVEN_AHEAD
    {
        (root, ahead) = (a, ahead + literal);
    }
    let step = step(f, root, &|value| stands(value).then_some(0))?;
    Some(Even { root, step, ahead: ahead as u32 })
}

/// A number as so many local indices, workgroups and ones.
pub(crate) fn sum(f: &Function, value: Value) -> Option<[u64; 3]> {
    within(f, value, DEPTH_MAX)
}

fn within(f: &Function, value: Value, depth: u32) -> Option<[u64; 3]> {
    let depth = depth.checked_sub(1)?;
    let of = |value: Value| within(f, value, depth);
    match *f.op(value) {
        Op::Const(bits) if f.ty(value) == Ty::U32 => Some([0, 0, bits]),
        Op::Builtin(_) if is_local_index(f, value) => Some([1, 0, 0]),
        Op::Builtin(Builtin::WorkgroupId(0)) => Some([0, 1, 0]),
        Op::Binary(Binary::Add, a, b) => {
            let (a, b) = (of(a)?, of(b)?);
            let sums = [0, 1, 2].map(|i| a[i].checked_add(b[i]));
            Some([sums[0]?, sums[1]?, sums[2]?])
        }
        Op::Binary(Binary::Mul, a, b) => match (f.constant(a), f.constant(b)) {
            (_, Some(factor)) => times(of(a)?, factor),
            (Some(factor), None) => times(of(b)?, factor),
            (None, None) => None,
        },
        Op::Binary(Binary::Shl, a, b) => times(of(a)?, 1 << (f.constant(b)? & 31)),
        _ => None,
    }
}

fn times(numbers: [u64; 3], factor: u64) -> Option<[u64; 3]> {
    let products = numbers.map(|number| number.checked_mul(factor));
    Some([products[0]?, products[1]?, products[2]?])
}
