//! Unswitching of branches on a number that grows along the lanes: against a bound that is the same for all of
//! them, the first lane and the last decide for the group, and for the workgroup.

use super::Walk;
use super::control::Flow;
use crate::affine;
use crate::cost;
use crate::emit::Emit;
use crate::ir::{Binary, End, Node, Op, Region, Ty, Value};
use crate::shape::Shape;

pub(super) const NAME: &str = "unswitch";
pub(super) const UNEVEN: &str = "it compares no number that grows along the lanes with a bound that they share";

/// Lane groups that a piece is for, by their first lanes: from one, and as long as they are below
/// another. In each of them the condition holds in some lane, which need not exist.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span<S> {
    pub(super) condition: Value,
    pub(super) from: S,
    pub(super) to: S,
    /// Whether it holds in all their lanes.
    pub(super) whole: bool,
    /// Lanes from the workgroup's first to the last of them, or more.
    pub(super) lanes: u64,
    /// Whether there is one lane group for sure, and no other.
    pub(super) single: bool,
}

impl<E: Emit> Walk<'_, E> {
    /// A branch that parts the lanes, and that all of them come out of.
    pub(super) fn guarded(&mut self, condition: Value, accept: &Region, reject: &Region, results: &[Value]) -> Flow {
        let brief = size(accept).is_some_and(|size| size <= cost::GUARD_NODES);
        let Some(all) = self.last_decides(condition).filter(|_| brief && !self.twice) else {
            if !self.twice {
                let because = if brief { UNEVEN } else { "it has a loop, or is too long to be written twice" };
                self.f.missed(NAME, condition, because);
            }
            return self.parted(condition, accept, reject, results);
        };
        self.f.done(NAME, condition, "the last lane decides for its lane group: no masks where it holds");
        let (before, awake) = (self.mask.clone(), self.awake);
        let cells = self.cells(results);
        let (whole, part, on) = (self.e.block(), self.e.cold_block(), self.e.block());
        self.e.branch(all, whole, part);
        self.twice = true;
        self.e.enter(whole);
        if self.region(accept, &mut |this, args| this.assign(results, &cells, args)) != Flow::Closed {
            self.e.jump(on);
        }
        self.e.enter(part);
        (self.mask, self.awake) = (before.clone(), awake);
        if self.parted(condition, accept, reject, results) != Flow::Closed {
            self.assign(results, &cells, results);
            self.e.jump(on);
        }
        self.twice = false;
        self.e.enter(on);
        (self.mask, self.awake) = (before, awake);
        self.read(results, &cells);
        Flow::On
    }

    fn parted(&mut self, condition: Value, accept: &Region, reject: &Region, results: &[Value]) -> Flow {
        let asks = results.is_empty() && reject.is_idle() && self.sure != Some(condition);
        let Some(first) = asks.then(|| self.first_decides(condition)).flatten() else {
            return self.both(condition, accept, reject, results);
        };
        let sure = self.sure.replace(condition);
        let flow = self.unless_first(first, |this| this.both(condition, accept, reject, results));
        self.sure = sure;
        flow
    }

    /// A number that grows along the lanes and the bound that it must be below.
    fn below(&self, condition: Value) -> Option<(Value, i64, Value)> {
        let (index, bound) = match *self.f.op(condition) {
            Op::Binary(Binary::Lt, index, bound) | Op::Binary(Binary::Gt, bound, index) => (index, bound),
            _ => return None,
        };
        Some((index, self.grows_to(index, bound)?, bound))
    }

    /// By how much a number grows from lane to lane, if it can be compared with a bound here.
    pub(super) fn grows_to(&self, index: Value, bound: Value) -> Option<i64> {
        let at_hand = [index, bound].into_iter().all(|value| self.is_at_hand(value));
        match self.shapes.of(index) {
            Shape::Linear(stride @ 1..) => {
                let plain = self.f.ty(index) == Ty::U32 && self.shapes.of(bound).is_scalar();
                (plain && at_hand).then_some(stride)
            }
            Shape::Uniform | Shape::Linear(_) | Shape::Varying => None,
        }
    }

    /// Whether the last lane is below a bound and has not wrapped, and so all the others.
    fn last_decides(&mut self, condition: Value) -> Option<E::S> {
        let (index, stride, bound) = self.below(condition)?;
        Some(self.last_below(index, stride, bound))
    }

    /// Whether the last lane's index is below a bound, and so all the others': one that grows along
    /// the lanes, and does not wrap in 64 bits.
    pub(super) fn last_below(&mut self, index: Value, stride: i64, bound: Value) -> E::S {
        let ahead = self.u64(stride as u64 * u64::from(self.e.width() - 1));
        let (index, bound) = (self.same(index), self.same(bound));
        let (index, bound) = (self.widen(index), self.widen(bound));
        let last = self.add64(index, ahead);
        self.binary(Binary::Lt, Ty::U64, last, bound)
    }

    /// Whether the first lane is below a bound, if no other lane can be when it is not: a number
    /// that cannot wrap.
    fn first_decides(&mut self, condition: Value) -> Option<E::S> {
        let (index, _, bound) = self.below(condition)?;
        if self.ranges.high(index).is_none_or(|high| high == u32::MAX.into()) {
            return None;
        }
        let (index, bound) = (self.same(index), self.same(bound));
        Some(self.binary(Binary::Lt, Ty::U32, index, bound))
    }

    /// Runs code that keeps all its lanes, unless a scalar says that it has none.
    fn unless_first(&mut self, first: E::S, code: impl FnOnce(&mut Self) -> Flow) -> Flow {
        let (before, awake) = (self.mask.clone(), self.awake);
        let (go, done) = (self.e.block(), self.e.block());
        self.e.branch(first, go, done);
        self.e.enter(go);
        if code(self) != Flow::Closed {
            self.e.jump(done);
        }
        self.e.enter(done);
        (self.mask, self.awake) = (before, awake);
        Flow::On
    }

    /// The lane groups that a piece is for, if all that it does stands under one condition on the
    /// local index.
    pub(super) fn span(&mut self, nodes: &[Node]) -> Option<Span<E::S>> {
        let (last, first) = nodes.split_last()?;
        let nothing = |node: &Node| match node {
            Node::Let(value) => !self.f.op(*value).has_effect() && !self.is_kept(*value),
            Node::Store { .. } | Node::Barrier | Node::If { .. } | Node::Block { .. } | Node::Loop { .. } => false,
        };
        let &Node::If { condition, ref reject, ref results, .. } = last else { return None };
        if !results.is_empty() || !reject.is_idle() || !first.iter().all(nothing) {
            return None;
        }
        let Op::Binary(op, a, b) = *self.f.op(condition) else { return None };
        let (op, bound) = match [a, b].map(|side| affine::is_local_index(self.f, side)) {
            [true, false] => (op, b),
            [false, true] => (turned(op), a),
            _ => return None,
        };
        // What is not an input must have been fetched for this piece, or made before all else in it.
        if self.shapes.of(bound) != Shape::Uniform || !self.is_at_hand(bound) {
            return None;
        }
        let (width, known) = (u64::from(self.e.width()), self.f.constant(bound));
        let whole = known.is_some_and(|bound| bound.is_multiple_of(width));
        let bound = self.same(bound);
        let [size, zero, one] = [self.f.workgroup_size.iter().product(), 0, 1].map(|n| self.u32(n));
        let bound = self.binary(Binary::Min, Ty::U32, bound, size);
        // Widths are powers of two.
        let low = self.u32(!(self.e.width() - 1));
        let from = self.binary(Binary::And, Ty::U32, bound, low);
        match op {
            Binary::Lt => {
                let single = known.is_some_and(|bound| (1..=width).contains(&bound));
                let lanes = known.map_or(u64::MAX, |bound| bound.next_multiple_of(width).max(width));
                Some(Span { condition, from: zero, to: bound, whole, lanes, single })
            }
            Binary::Ge => Some(Span { condition, from, to: size, whole, lanes: u64::MAX, single: false }),
            Binary::Eq => {
                let next = self.binary(Binary::Add, Ty::U32, bound, one);
                let to = self.binary(Binary::Min, Ty::U32, next, size);
                Some(Span { condition, from, to, whole: false, lanes: u64::MAX, single: false })
            }
            _ => None,
        }
    }

    /// Whether a value is wanted by other pieces.
    pub(super) fn is_kept(&self, value: Value) -> bool {
        self.frame.values.contains_key(&value) || self.frame.uniform.contains(&value)
    }

    /// Whether a condition holds in one lane at most.
    pub(super) fn picks_one(&self, condition: Value) -> bool {
        let Op::Binary(Binary::Eq, a, b) = *self.f.op(condition) else { return false };
        let distinct = |value: Value| matches!(self.shapes.of(value), Shape::Linear(stride) if stride % 2 != 0);
        let scalar = |value: Value| self.shapes.of(value).is_scalar();
        distinct(a) && scalar(b) || scalar(a) && distinct(b)
    }

    /// Runs code that needs no mask, if any lane is active.
    pub(super) fn if_any(&mut self, code: impl FnOnce(&mut Self)) {
        let Some(mask) = self.mask.clone().filter(|_| !self.awake) else { return code(self) };
        let (go, on) = (self.e.block(), self.e.block());
        let any = self.any_lane(&mask);
        self.e.branch(any, go, on);
        self.e.enter(go);
        code(self);
        self.e.jump(on);
        self.e.enter(on);
    }
}

/// How many nodes a region has, if there is no loop in it.
fn size(region: &Region) -> Option<usize> {
    if !matches!(region.end, End::Fall(_)) {
        return None;
    }
    let node = |node: &Node| match node {
        Node::Let(_) | Node::Store { .. } | Node::Barrier => Some(1),
        Node::If { accept, reject, .. } => Some(1 + size(accept)? + size(reject)?),
        Node::Block { .. } | Node::Loop { .. } => None,
    };
    region.nodes.iter().map(node).sum()
}

/// The comparison that says the same with its sides changed.
fn turned(op: Binary) -> Binary {
    match op {
        Binary::Lt => Binary::Gt,
        Binary::Le => Binary::Ge,
        Binary::Gt => Binary::Lt,
        Binary::Ge => Binary::Le,
        same => same,
    }
}
