//! Which numbers are below which, by chains of what comparisons have told.

use super::{Derive, Fact};
use crate::ir::{Binary, Bound, Builtin, Op, Ty, Value};

impl Derive<'_> {
    /// One step further, if there is one left.
    pub(super) fn step(&self, depth: u32) -> Option<u32> {
        self.steps.set(self.steps.get().checked_sub(1)?);
        depth.checked_sub(1)
    }

    pub(super) fn is_same(&self, a: Value, b: Value) -> bool {
        self.numbers.is_same(a, b)
    }

    /// The greatest number that a literal or a local index can be, in lanes that do not exist too.
    pub(super) fn most(&self, value: Value) -> Option<u64> {
        let size = self.f.workgroup_size.map(u64::from);
        let last = size.iter().product::<u64>().next_multiple_of(self.shapes.width.into()) - 1;
        match *self.f.op(value) {
            Op::Const(bits) => Some(bits),
            Op::Builtin(Builtin::LocalIndex) => Some(last),
            Op::Builtin(Builtin::LocalId(d)) => {
                let before: u64 = size[..d as usize].iter().product();
                Some((last / before).max(size[d as usize] - 1))
            }
            _ => None,
        }
    }

    /// Whether a number is below another, or no greater, by a chain of what is known.
    pub(super) fn is_less(&self, strict: bool, a: Value, b: Value, depth: u32) -> bool {
        if !strict && self.is_same(a, b) {
            return true;
        }
        if let (Some(a), Some(b)) = (self.most(a), self.f.constant(b))
            && if strict { a < b } else { a <= b }
        {
            return true;
        }
        let Some(depth) = self.step(depth) else { return false };
        if let Op::Binary(Binary::Min, x, y) = *self.f.op(b) {
            return self.is_less(strict, a, x, depth) && self.is_less(strict, a, y, depth);
        }
        let least = match *self.f.op(a) {
            Op::Binary(Binary::Min, x, y) => [x, y].into_iter().any(|side| self.is_less(strict, side, b, depth)),
            _ => false,
        };
        let widened = match (self.f.op(a), self.f.op(b)) {
            (Op::Convert(x), Op::Convert(y)) if [*x, *y].iter().all(|&side| self.f.ty(side) == Ty::U32) => {
                self.is_less(strict, *x, *y, depth)
            }
            _ => false,
        };
        least
            || widened
            || self
                .facts
                .iter()
                .any(|fact| self.is_same(fact.less, a) && self.is_less(strict && !fact.strict, fact.more, b, depth))
    }

    /// Whether a number is no greater than a bound, by a chain of what is known.
    pub(super) fn is_within(&self, value: Value, bound: Bound, depth: u32) -> bool {
        if self.is_limit(value, bound) {
            return true;
        }
        let Some(depth) = self.step(depth) else { return false };
        let least = match *self.f.op(value) {
            Op::Binary(Binary::Min, a, b) => [a, b].into_iter().any(|side| self.is_within(side, bound, depth)),
            _ => false,
        };
        let more = |fact: &Fact| self.is_same(fact.less, value) && self.is_within(fact.more, bound, depth);
        least || self.facts.iter().any(more)
    }

    /// Whether a number is the bound itself, in 32 bits or in 64.
    pub(super) fn is_limit(&self, value: Value, bound: Bound) -> bool {
        match (self.f.op(value), bound) {
            (Op::Length { buffer }, Bound::Length { buffer: other }) => *buffer == other,
            (Op::Const(n), Bound::Const(bound)) => *n <= bound.into(),
            (Op::Convert(inner), _) if self.f.ty(*inner) == Ty::U32 => self.is_limit(*inner, bound),
            _ => false,
        }
    }
}
