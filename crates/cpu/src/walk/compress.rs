//! Compress stores: the lanes of a mask, side by side in memory.
//!
//! Whether all of them are inside is asked once, of the place behind the last. Where they are not, or where the machine
//! cannot pack lanes, each goes to its place by itself.

use super::choice::Second;
use super::{Walk, count};
use crate::emit::{Emit, Lanes, Prim};
use crate::ir::{Address, Binary, Bound, Ty, Unary, Value};

impl<E: Emit> Walk<'_, E> {
    pub(super) fn compress(&mut self, at: &Address, value: Value, when: Option<Value>) {
        let (ty, first, each) = (self.f.ty(value), self.first_indices(at)[0], self.each(value));
        let mask = self.mask_or_all(when);
        if !self.e.compresses() {
            return self.lane_after_lane(at, ty, first, &mask, &each);
        }
        let lanes = self.held(&mask);
        let (start, lanes) = (self.widen(first), self.widen(lanes));
        let end = self.add64(start, lanes);
        let bound = match at.terms[0].bound {
            Bound::Const(n) => self.u64(n.into()),
            Bound::Length { buffer } => self.buffers[&buffer].1,
        };
        let inside = self.binary(Binary::Le, Ty::U64, end, bound);
        let fast = |this: &mut Self| {
            let pointer = this.pointer(at, &[first]);
            this.e.compress(ty, pointer, &mask, &each);
        };
        self.either(inside, Second::Seldom, fast, |this| this.one_by_one(at, ty, first, &mask, &each));
    }

    /// How many lanes hold.
    pub(super) fn held(&mut self, mask: &E::V) -> E::S {
        let mut all = self.u32(0);
        for word in 0..self.e.width().div_ceil(32) {
            let bits = self.e.bits(mask, word);
            let ones = self.e.scalar(Prim::Unary(Unary::CountOnes), Ty::U32, Ty::U32, &[bits]);
            all = self.binary(Binary::Add, Ty::U32, all, ones);
        }
        all
    }

    /// Every lane by code of its own.
    fn lane_after_lane(&mut self, at: &Address, ty: Ty, first: E::S, mask: &E::V, each: &E::V) {
        let mut index = first;
        for lane in 0..self.e.width() {
            let active = self.e.lane(Ty::Bool, mask, lane);
            let pointer = self.target(at, &[index], Some(active));
            let scalar = self.e.lane(ty, each, lane);
            self.e.store(ty, pointer, scalar);
            let step = self.e.scalar(Prim::Convert(Ty::Bool), Ty::U32, Ty::Bool, &[active]);
            index = self.binary(Binary::Add, Ty::U32, index, step);
        }
    }

    /// The same by a loop, where code seldom comes.
    fn one_by_one(&mut self, at: &Address, ty: Ty, first: E::S, mask: &E::V, each: &E::V) {
        let (stage, flags) = (self.in_scratch(self.frame.stage), self.in_scratch(self.frame.flags));
        self.e.store_lanes(ty, stage, each);
        let flag = self.e.vector(Prim::Convert(Ty::Bool), Ty::U32, Ty::Bool, &[Lanes::Each(mask.clone())]);
        self.e.store_lanes(Ty::U32, flags, &flag);
        let index = self.e.cell(Ty::U32, false);
        self.e.set(&index, &Lanes::Same(first));
        let (zero, width) = (self.u32(0), self.u32(self.e.width()));
        self.count(Ty::U32, zero..width, count::Turns::Rare, |this, lane| {
            let (flag, stage) = (this.nth(flags, lane, Ty::U32.bytes()), this.nth(stage, lane, ty.bytes()));
            let (flag, scalar, here) = (this.e.load(Ty::U32, flag), this.e.load(ty, stage), this.get_same(&index));
            let active = this.binary(Binary::Ne, Ty::U32, flag, zero);
            let pointer = this.target(at, &[here], Some(active));
            this.e.store(ty, pointer, scalar);
            let next = this.binary(Binary::Add, Ty::U32, here, flag);
            this.e.set(&index, &Lanes::Same(next));
            this.u32(1)
        });
    }
}
