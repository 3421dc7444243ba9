//! Affine numbers: how much one grows from invocation to invocation ([`step`]), one as so many local indices, workgroups
//! and ones ([`sum`]), and what it is in one invocation ([`Lane`]).
//!
//! Integers of 32 bits wrap, and sums, differences and multiples of them are those of whole numbers modulo 2³². So what
//! [`sum`] says of a number is that number wherever it lies below 2³², whatever wrapped on the way.

use crate::cost;
use crate::fold::Literals;
use crate::ir::{Binary, Builtin, Def, Function, Node, Op, Ty, Value};

/// Whether a value counts the invocations of the workgroup.
pub(crate) fn is_local_index(f: &Function, value: Value) -> bool {
    match f.op(value) {
        Op::Builtin(Builtin::LocalIndex) => true,
        Op::Builtin(Builtin::LocalId(0)) => f.workgroup_size[1..] == [1, 1],
        _ => false,
    }
}

/// A number of which there are sums, differences and multiples, where it can tell them.
pub(crate) trait Linear: Copy + Default + PartialEq {
    fn add(self, other: Self) -> Option<Self>;
    fn sub(self, other: Self) -> Option<Self>;
    fn times(self, factor: u32) -> Option<Self>;
}

/// Modulo 2³².
impl Linear for u32 {
    fn add(self, other: Self) -> Option<Self> {
        Some(self.wrapping_add(other))
    }

    fn sub(self, other: Self) -> Option<Self> {
        Some(self.wrapping_sub(other))
    }

    fn times(self, factor: u32) -> Option<Self> {
        Some(self.wrapping_mul(factor))
    }
}

/// So many local indices, workgroups and ones.
pub(crate) type Sum = [u64; 3];

impl Linear for Sum {
    fn add(self, other: Self) -> Option<Self> {
        pairs(self, other, u64::checked_add)
    }

    fn sub(self, other: Self) -> Option<Self> {
        pairs(self, other, u64::checked_sub)
    }

    fn times(self, factor: u32) -> Option<Self> {
        pairs(self, [factor.into(); 3], u64::checked_mul)
    }
}

fn pairs(a: Sum, b: Sum, op: fn(u64, u64) -> Option<u64>) -> Option<Sum> {
    Some([op(a[0], b[0])?, op(a[1], b[1])?, op(a[2], b[2])?])
}

/// A 32-bit integer as sums, differences and multiples of what `leaf` tells of values.
fn linear<T: Linear>(f: &Function, value: Value, leaf: &dyn Fn(Value) -> Option<T>, depth: u32) -> Option<T> {
    if !matches!(f.ty(value), Ty::U32 | Ty::I32) {
        return None;
    }
    if let Some(known) = leaf(value) {
        return Some(known);
    }
    let depth = depth.checked_sub(1)?;
    let of = |value: Value| linear(f, value, leaf, depth);
    match *f.op(value) {
        Op::Binary(op, a, b) => combine(f, op, [a, b], [of(a)?, of(b)?]),
        Op::Convert(a) | Op::Bitcast(a) => of(a),
        _ => None,
    }
}

/// What an operation makes of its sides, of which so much is known.
pub(crate) fn combine<T: Linear>(f: &Function, op: Binary, [a, b]: [Value; 2], [x, y]: [T; 2]) -> Option<T> {
    match (op, f.constant(a), f.constant(b)) {
        (Binary::Add, ..) => x.add(y),
        (Binary::Sub, ..) => x.sub(y),
        (Binary::Mul, _, Some(factor)) => x.times(factor as u32),
        (Binary::Mul, Some(factor), _) => y.times(factor as u32),
        (Binary::Shl, _, Some(amount)) => x.times(1 << (amount & 31)),
        (Binary::Mul, None, None) if [x, y] == [T::default(); 2] => Some(x),
        _ => None,
    }
}

/// How much a 32-bit integer grows from one invocation to the next, all along the workgroup, modulo 2³². `leaf` tells it
/// of values that are not to be looked through.
pub(crate) fn step(f: &Function, value: Value, leaf: &dyn Fn(Value) -> Option<u32>) -> Option<u32> {
    linear(f, value, &|value| leaf(value).or_else(|| is_local_index(f, value).then_some(1)), cost::AFFINE_DEPTH)
}

/// A number as such a sum, which equals it modulo 2³².
pub(crate) fn sum(f: &Function, value: Value) -> Option<Sum> {
    let leaf = |value: Value| match *f.op(value) {
        Op::Const(bits) => Some([0, 0, bits]),
        Op::Builtin(Builtin::WorkgroupId(0)) => Some([0, 1, 0]),
        _ => is_local_index(f, value).then_some([1, 0, 0]),
    };
    linear(f, value, &leaf, cost::AFFINE_DEPTH)
}

/// An invocation of the workgroup, for which numbers that grow along it are made.
pub(crate) struct Lane<'a> {
    pub(crate) f: &'a mut Function,
    pub(crate) literals: &'a mut Literals,
    /// Where they are made.
    pub(crate) nodes: &'a mut Vec<Node>,
    pub(crate) index: u32,
}

impl Lane<'_> {
    /// What a number is in it; `known` gives what is not to be looked through.
    pub(crate) fn make(&mut self, value: Value, known: &dyn Fn(&mut Lane<'_>, Value) -> Option<Value>) -> Value {
        if let Some(known) = known(self, value) {
            return known;
        }
        let Def { ty, mut op } = self.f.values[value.index()].clone();
        if let Op::Builtin(Builtin::LocalIndex | Builtin::LocalId(_)) = op {
            return self.literals.value(self.f, Ty::U32, self.index.into());
        }
        assert!(op.is_arithmetic(), "invariant affine: {value} grows along the workgroup");
        op.rename(|operand| self.make(operand, known));
        self.f.emit(ty, op, self.nodes)
    }
}

/// What is added to a number, or taken from it, and that number, where `is_part` holds of the former.
pub(crate) fn peel(f: &Function, sum: Value, is_part: &dyn Fn(Value) -> bool) -> Option<(Binary, Value, Value)> {
    match *f.op(sum) {
        Op::Binary(op @ (Binary::Add | Binary::Sub), a, b) if is_part(b) => Some((op, b, a)),
        Op::Binary(Binary::Add, a, b) if is_part(a) => Some((Binary::Add, a, b)),
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
    while let Some((Binary::Add, literal, rest)) = peel(f, root, &|value| f.constant(value).is_some())
        && let Some(literal) = f.constant(literal)
        && ahead + literal <= cost::EVEN_AHEAD
    {
        (root, ahead) = (rest, ahead + literal);
    }
    let step = step(f, root, &|value| stands(value).then_some(0))?;
    Some(Even { root, step, ahead: ahead as u32 })
}
