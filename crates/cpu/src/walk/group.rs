//! Loops over lane groups, and what these keep between them.

use super::control::Flow;
use super::value::kept as as_kept;
use super::{Rep, Walk, count};
use crate::emit::{Emit, Lanes};
use crate::ir::{Binary, Each, Extent, Group, Region, Shape, Slot, Span, Ty, Value};

impl<E: Emit> Walk<'_, E> {
    pub(super) fn group(&mut self, group: &Group) {
        match group {
            Group::Each(each) => self.each_group(each),
            Group::Workgroups(body) => self.each_workgroup(body),
            Group::Keep { slot, value, .. } => self.keep(*slot, *value),
            Group::Zero(slot) => {
                let area = self.frame.slots[slot];
                self.zero(area.start, area.group_stride * u64::from(self.frame.groups));
            }
            Group::Compress { at, value, when } => self.compress(at, *value, *when),
            Group::Clear => self.zero(0, self.f.workgroup_bytes),
            Group::Prefetch(extent) => self.prefetch(extent),
        }
    }

    fn each_group(&mut self, each: &Each) {
        self.e.rare(each.rare);
        self.elsewhere(|this| {
            this.here.lanes = this.f.lanes(each, this.e.width());
            this.groups(each.span, |this| {
                if this.region(&each.body, &mut |_, _| ()) == Flow::Closed {
                    let nowhere = this.e.block();
                    this.e.enter(nowhere);
                }
            });
        });
        self.e.rare(false);
    }

    /// The same for every workgroup that goes with the current one, each in scratch memory of its own.
    fn each_workgroup(&mut self, body: &Region) {
        let (scratch, x, zero) = (self.here.scratch, self.here.workgroup[0], self.u32(0));
        let together = self.together.expect("invariant tiles: a batch is under way");
        self.count(Ty::U32, zero..together, count::Turns::Some, |this, nth| {
            this.elsewhere(|this| {
                let (wide, stride) = (this.widen(nth), this.u64(this.frame.stride));
                let offset = this.binary(Binary::Mul, Ty::U64, wide, stride);
                this.here.scratch = this.add64(scratch, offset);
                this.here.workgroup[0] = this.binary(Binary::Add, Ty::U32, x, nth);
                this.region(body, &mut |_, _| ());
            });
            this.u32(1)
        });
    }

    /// A loop over lane groups by their first lanes, which is elsewhere.
    fn groups(&mut self, span: Option<Span>, body: impl FnOnce(&mut Self)) {
        let (width, groups) = (self.e.width(), self.frame.groups);
        let code = |this: &mut Self, first: E::S| {
            this.here.first = Some(first);
            body(this);
            this.u32(width)
        };
        let zero = self.u32(0);
        match span.filter(|_| groups > 1) {
            Some(span) => {
                let known = |value: Value| self.f.constant(value);
                let one =
                    known(span.from) == Some(0) && known(span.to).is_some_and(|to| (1..=width.into()).contains(&to));
                if one {
                    code(self, zero);
                } else {
                    let (from, to) = (self.same(span.from), self.same(span.to));
                    self.count(Ty::U32, from..to, count::Turns::Any, code);
                }
            }
            None if groups > 1 => {
                let all = self.u32(groups * width);
                self.count(Ty::U32, zero..all, count::Turns::Some, code);
            }
            None => _ = code(self, zero),
        }
    }

    /// Leaves a value for other loops over lane groups.
    fn keep(&mut self, slot: Slot, value: Value) {
        if let Some(cell) = self.slots.get(&slot).cloned() {
            let scalar = self.same(value);
            return self.e.set(&cell, &Lanes::Same(scalar));
        }
        let (kept, at) = (self.f.slots[slot.index()], self.in_area(self.frame.slots[&slot]));
        if kept.shape == Shape::Varying {
            let each = self.each(value);
            return self.keep_lanes(kept.ty, at, &each);
        }
        let scalar = self.same(value);
        self.e.store(as_kept(kept.ty), at, scalar);
    }

    /// Fetches what was left in a slot.
    pub(super) fn recall(&mut self, slot: Slot) -> Rep<E> {
        if let Some(cell) = self.slots.get(&slot).cloned() {
            return Rep::Scalar(self.get_same(&cell));
        }
        let kept = self.f.slots[slot.index()];
        let at = self.in_area(self.frame.slots[&slot]);
        match kept.shape {
            Shape::Uniform | Shape::Linear(_) => Rep::Scalar(self.e.load(as_kept(kept.ty), at)),
            Shape::Varying => Rep::Each(self.recall_lanes(kept.ty, at)),
        }
    }

    /// Asks for what the next workgroup reads.
    fn prefetch(&mut self, extent: &Extent) {
        let (group, step) = (self.widen(self.here.workgroup[0]), self.u64(extent.step));
        let offset = self.binary(Binary::Mul, Ty::U64, group, step);
        let (start, ahead) = (self.start(extent.memory), self.u64(extent.step + extent.start));
        let at = self.add64(start, offset);
        let at = self.add64(at, ahead);
        self.e.fetch(at, extent.bytes);
    }
}
