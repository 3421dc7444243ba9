//! Operations of subgroups: a lane group is one. Whoever takes no part brings what changes nothing.
//!
//! Numbers are joined in the order that the reference device has: by halves for all of them, and as
//! Hillis and Steele do it ("Data parallel algorithms", 1986) for those before each.

use super::value::kept;
use super::{Rep, Walk};
use crate::emit::{Emit, Lanes, Prim};
use crate::ir::{Binary, Reach, Shuffle, Subgroup, Ty, Unary, Value};

/// Lanes of a quad.
const QUAD: u32 = 4;

impl<E: Emit> Walk<'_, E> {
    pub(super) fn subgroup(&mut self, result: Value, what: Subgroup, args: &[Value]) -> Rep<E> {
        let (ty, width) = (self.f.ty(result), self.e.width());
        match what {
            // The lanes of a group go together.
            Subgroup::Fence => Rep::Scalar(self.u32(0)),
            Subgroup::Ballot(word) => {
                let holds = self.each(args[0]);
                let some = u32::from(word) * 32 < width;
                Rep::Scalar(if some { self.e.bits(&holds, word.into()) } else { self.u32(0) })
            }
            Subgroup::Fold(Binary::And, _) if ty == Ty::Bool => {
                let holds = self.each(args[0]);
                Rep::Scalar(self.e.all(&holds))
            }
            Subgroup::Fold(_, _) if ty == Ty::Bool => {
                let holds = self.each(args[0]);
                Rep::Scalar(self.e.any(&holds))
            }
            // How many hold, where numbers are 0 or 1.
            Subgroup::Fold(Binary::Add, Reach::All)
                if matches!(ty, Ty::I32 | Ty::U32) && self.f.condition_of(args[0]).is_some() =>
            {
                let condition = self.f.condition_of(args[0]).unwrap_or(args[0]);
                let holds = self.each(condition);
                Rep::Scalar(self.held(&holds))
            }
            Subgroup::Fold(op, Reach::All) => {
                let each = self.each(args[0]);
                Rep::Scalar(self.fold(op, ty, each))
            }
            Subgroup::Fold(op, reach) => {
                let each = self.each(args[0]);
                let each = self.scan(op, ty, each);
                Rep::Each(if reach == Reach::Before { self.before(ty, &each, op.neutral(ty)) } else { each })
            }
            Subgroup::First => {
                let each = self.each(args[0]);
                let Some(&mask) = args.get(1) else { return Rep::Scalar(self.e.lane(ty, &each, 0)) };
                let mask = self.each(mask);
                let first = self.first_of(&mask);
                self.put(ty, &each);
                Rep::Scalar(self.take(ty, first))
            }
            Subgroup::Shuffle(shuffle) => {
                let each = self.each(args[0]);
                self.shuffle(result, shuffle, &each, args[1])
            }
        }
    }

    fn join(&mut self, op: Binary, ty: Ty, a: E::V, b: E::V) -> E::V {
        self.e.vector(Prim::Binary(op), ty, ty, &[Lanes::Each(a), Lanes::Each(b)])
    }

    fn fold(&mut self, op: Binary, ty: Ty, mut each: E::V) -> E::S {
        let mut half = self.e.width() / 2;
        while half > 0 {
            // Nobody looks at what the others have from now on.
            let second = self.moved(ty, &each, |lane| (lane < half).then_some(lane + half));
            each = self.join(op, ty, each, second);
            half /= 2;
        }
        self.e.lane(ty, &each, 0)
    }

    fn scan(&mut self, op: Binary, ty: Ty, mut each: E::V) -> E::V {
        if op == Binary::Add
            && matches!(ty, Ty::I32 | Ty::U32)
            && let Some(sums) = self.e.prefix_sums(&each)
        {
            return sums;
        }
        let mut by = 1;
        while by < self.e.width() {
            let before = self.moved(ty, &each, |lane| lane.checked_sub(by));
            let joined = self.join(op, ty, before, each.clone());
            let some = self.lanes_from(by);
            each = self.e.vector(Prim::Select, ty, Ty::Bool, &[some, Lanes::Each(joined), Lanes::Each(each)]);
            by *= 2;
        }
        each
    }

    /// What the lane before has, and these bits in the first.
    fn before(&mut self, ty: Ty, each: &E::V, none: u64) -> E::V {
        let moved = self.moved(ty, each, |lane| lane.checked_sub(1));
        let (some, none) = (self.lanes_from(1), self.e.constant(ty, none));
        self.e.vector(Prim::Select, ty, Ty::Bool, &[some, Lanes::Each(moved), Lanes::Same(none)])
    }

    /// The lanes from this one on.
    fn lanes_from(&mut self, first: u32) -> Lanes<E::S, E::V> {
        let (zero, first) = (self.u32(0), self.u32(first));
        let lanes = Lanes::Each(self.e.ramp(Ty::I32, zero, 1));
        Lanes::Each(self.e.vector(Prim::Binary(Binary::Ge), Ty::Bool, Ty::I32, &[lanes, Lanes::Same(first)]))
    }

    /// In each lane the value of the one that is named, or zero where there is none.
    fn moved(&mut self, ty: Ty, each: &E::V, from: impl Fn(u32) -> Option<u32>) -> E::V {
        let width = self.e.width();
        let from: Vec<Option<u32>> = (0..width).map(|lane| from(lane).filter(|&from| from < width)).collect();
        self.e.permute(ty, each, &from)
    }

    /// The number of the first active lane.
    fn first_of(&mut self, mask: &E::V) -> E::S {
        let (mut first, zero) = (self.u32(0), self.u32(0));
        for word in (0..self.e.width().div_ceil(32)).rev() {
            let bits = self.e.bits(mask, word);
            let count = self.e.scalar(Prim::Unary(Unary::TrailingZeros), Ty::U32, Ty::U32, &[bits]);
            let base = self.u32(32 * word);
            let (at, some) =
                (self.binary(Binary::Add, Ty::U32, count, base), self.binary(Binary::Ne, Ty::U32, bits, zero));
            first = self.e.scalar(Prim::Select, Ty::U32, Ty::Bool, &[some, at, first]);
        }
        first
    }

    fn shuffle(&mut self, result: Value, shuffle: Shuffle, each: &E::V, by: Value) -> Rep<E> {
        let (ty, width) = (self.f.ty(result), self.e.width());
        if let Some(by) = self.f.constant(by).map(|by| by as u32) {
            return match shuffle {
                Shuffle::At if by < width => Rep::Scalar(self.e.lane(ty, each, by)),
                Shuffle::At => Rep::Scalar(self.e.constant(ty, 0)),
                Shuffle::Down => Rep::Each(self.moved(ty, each, |lane| lane.checked_add(by))),
                Shuffle::Up => Rep::Each(self.moved(ty, each, |lane| lane.checked_sub(by))),
                Shuffle::Xor => Rep::Each(self.moved(ty, each, |lane| Some(lane ^ by))),
                Shuffle::Quad => Rep::Each(self.moved(ty, each, |lane| (by < QUAD).then_some(lane / QUAD * QUAD + by))),
            };
        }
        self.put(ty, each);
        if shuffle == Shuffle::At && self.shapes.of(by).is_scalar() {
            let lane = self.same(by);
            return Rep::Scalar(self.take(ty, lane));
        }
        let from = self.sources(shuffle, by);
        let lanes: Vec<E::S> = (0..width)
            .map(|lane| {
                let from = self.e.lane(Ty::U32, &from, lane);
                self.take(ty, from)
            })
            .collect();
        Rep::Each(self.e.pack(ty, &lanes))
    }

    /// The lane that each asks; one that there is not where it asks none.
    fn sources(&mut self, shuffle: Shuffle, by: Value) -> E::V {
        let (zero, width) = (self.u32(0), self.u32(self.e.width()));
        let (lanes, by) = (Lanes::Each(self.e.ramp(Ty::U32, zero, 1)), self.lanes(by));
        // Farther than any lane is as far as the last, so that no sum wraps to a lane that there is.
        let near = |this: &mut Self, by| {
            Lanes::Each(this.e.vector(Prim::Binary(Binary::Min), Ty::U32, Ty::U32, &[by, Lanes::Same(width)]))
        };
        let (op, by) = match shuffle {
            Shuffle::At => return self.splatted(by),
            Shuffle::Down => (Binary::Add, near(self, by)),
            Shuffle::Up => (Binary::Sub, near(self, by)),
            Shuffle::Xor => (Binary::Xor, by),
            Shuffle::Quad => unreachable!("invariant quads: naga wants a constant"),
        };
        self.e.vector(Prim::Binary(op), Ty::U32, Ty::U32, &[lanes, by])
    }

    fn splatted(&mut self, lanes: Lanes<E::S, E::V>) -> E::V {
        match lanes {
            Lanes::Each(each) => each,
            Lanes::Same(scalar) => self.e.splat(Ty::U32, scalar),
        }
    }

    /// Lays lanes side by side in memory.
    fn put(&mut self, ty: Ty, each: &E::V) {
        let at = self.in_scratch(self.frame.stage);
        self.e.store_lanes(kept(ty), at, each);
    }

    /// One of them, or zero where there is no such lane.
    fn take(&mut self, ty: Ty, lane: E::S) -> E::S {
        let (width, bytes) = (self.e.width(), self.u64(kept(ty).bytes().into()));
        let (last, count) = (self.u32(width - 1), self.u32(width));
        let within = self.binary(Binary::And, Ty::U32, lane, last);
        let within = self.widen(within);
        let (offset, start) = (self.binary(Binary::Mul, Ty::U64, within, bytes), self.in_scratch(self.frame.stage));
        let at = self.add64(start, offset);
        let (found, zero) = (self.e.load(kept(ty), at), self.e.constant(ty, 0));
        let some = self.binary(Binary::Lt, Ty::U32, lane, count);
        self.e.scalar(Prim::Select, ty, Ty::Bool, &[some, found, zero])
    }
}
