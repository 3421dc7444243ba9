//! Which indices are below their bounds: the rules, one by one.

use super::numbers::Sum;
use super::{DEPTH_MAX, Derive};
use crate::ir::{Binary, Bound, Op, Shape, Term, Ty, Value};

impl Derive<'_> {
    /// A scalar that is below something which is no greater than its bound.
    pub(super) fn is_below(&self, term: &Term) -> bool {
        self.shapes.of(term.index).is_scalar()
            && self.facts.iter().any(|fact| {
                fact.strict && self.is_same(fact.less, term.index) && self.is_within(fact.more, term.bound, DEPTH_MAX)
            })
    }

    /// The sum of what stays the same and a counter, `b + c`: with `b <= m`, `c < m - b` and `m` no greater than the
    /// bound, neither the difference nor the sum wraps around.
    pub(super) fn is_ahead_below(&self, term: &Term) -> bool {
        let Op::Binary(Binary::Add, x, y) = *self.f.op(term.index) else { return false };
        self.shapes.of(term.index).is_scalar()
            && self.facts.iter().any(|fact| {
                let Op::Binary(Binary::Sub, most, base) = *self.f.op(fact.more) else { return false };
                let counts = |counter: Value, other: Value| {
                    self.is_same(other, base) && self.is_less(true, counter, fact.more, DEPTH_MAX)
                };
                self.is_less(false, base, most, DEPTH_MAX)
                    && self.is_within(most, term.bound, DEPTH_MAX)
                    && (counts(x, y) || counts(y, x))
            })
    }

    /// Whether it is the same for all lanes but for its local indices.
    fn is_alike(&self, sum: &Sum) -> bool {
        sum.parts.keys().all(|&part| self.shapes.of(part) == Shape::Uniform)
    }

    /// What an index is in the first lane and in the last, if it is the same for all but for its local indices.
    pub(super) fn ends(&self, index: Value, lanes: u32) -> Option<[Sum; 2]> {
        let sum = self.numbers.sum(index);
        // The way from the first lane to the last is no more than what a number can hold.
        let way = u64::from(sum.local) * u64::from(lanes.saturating_sub(1));
        if !self.is_alike(&sum) || way > u32::MAX.into() {
            return None;
        }
        let first = Sum { local: 0, ..sum };
        let last = Sum { literal: first.literal.wrapping_add(way as u32), ..first.clone() };
        Some([first, last])
    }

    pub(super) fn is_ramp_below(&self, term: &Term, lanes: u32) -> bool {
        let Some([first, last]) = self.ends(term.index, lanes) else { return false };
        let is = |value: Value, sum: &Sum| self.f.ty(value) == Ty::U32 && self.numbers.sum(value) == *sum;
        let ordered = first == last || self.facts.iter().any(|fact| is(fact.less, &first) && is(fact.more, &last));
        let below = self
            .facts
            .iter()
            .any(|fact| fact.strict && is(fact.less, &last) && self.is_within(fact.more, term.bound, DEPTH_MAX));
        ordered && below
    }

    /// Counted with 64 bits from a number that the index grows from: `start + more` is no less than what the last lane
    /// has and below the bound, so that no lane's number wraps around.
    pub(super) fn is_even_below(&self, term: &Term, lanes: u32) -> bool {
        let index = self.numbers.sum(term.index);
        if !self.is_alike(&index) {
            return false;
        }
        let way = u64::from(index.local) * u64::from(lanes.saturating_sub(1));
        let known = index.parts.is_empty()
            && matches!(term.bound, Bound::Const(n) if u64::from(index.literal) + way < n.into());
        known
            || self.facts.iter().any(|fact| {
                let asked = self.counted(fact.less).is_some_and(|(start, more)| {
                    let start = self.numbers.sum(start);
                    let ahead = index.literal.wrapping_sub(start.literal);
                    start.local == 0 && start.parts == index.parts && more >= u64::from(ahead) + way
                });
                fact.strict && asked && self.is_within(fact.more, term.bound, DEPTH_MAX)
            })
    }

    /// A number of 64 bits as one of 32 and a literal, whose sum does not wrap around.
    pub(super) fn counted(&self, value: Value) -> Option<(Value, u64)> {
        let (number, literal) = match *self.f.op(value) {
            Op::Binary(Binary::Add, a, b) if self.f.ty(value) == Ty::U64 => (a, self.f.constant(b)?),
            _ => (value, 0),
        };
        match *self.f.op(number) {
            Op::Convert(start) if self.f.ty(start) == Ty::U32 && self.f.ty(number) == Ty::U64 => {
                (literal <= u64::MAX - u64::from(u32::MAX)).then_some((start, literal))
            }
            _ => None,
        }
    }
}
