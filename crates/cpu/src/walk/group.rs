//! Loops over lane groups, and what these keep between them.

use super::control::Flow;
use super::value::kept as as_kept;
use super::{Mask, Rep, Walk, count};
use crate::emit::{Emit, Lanes, Prim};
use crate::ir::{Address, Any, Binary, Each, Group, Region, Row, Shape, Slot, Span, Ty, Value};

impl<E: Emit> Walk<'_, E> {
    pub(super) fn group(&mut self, group: &Group) {
        match group {
            Group::Each(each) => self.each_group(each),
            Group::Workgroups(body) => self.each_workgroup(body),
            Group::Keep { slot, value, merges } => self.keep(*slot, *value, *merges),
            Group::Zero(slot) => {
                let area = self.frame.slots[slot];
                self.zero(area.start, area.group_stride * u64::from(self.frame.groups));
            }
            Group::Predicated { at, value, when } => self.predicated(at, *value, *when),
            Group::Compress { at, value } => self.compress(at, *value),
            Group::Clear => self.zero(0, self.f.workgroup_bytes),
            Group::Prefetch(row) => self.prefetch(row),
        }
    }

    /// Stores to the place where a condition holds, and to one that nobody reads where it does not.
    fn predicated(&mut self, at: &Address, value: Value, when: Value) {
        let (indices, scalar, when) = (self.first_indices(at), self.same(value), self.same(when));
        let active = self.mask.clone().filter(|_| !self.awake).map(|mask| self.any_lane(&mask));
        let when = self.both_of(active, Some(when));
        let pointer = self.target(at, &indices, when);
        self.e.store(self.f.ty(value), pointer, scalar);
    }

    fn each_group(&mut self, each: &Each) {
        self.e.rare(each.rare);
        self.lanes = self.f.lanes(each, self.e.width());
        self.groups(each.span, |this| {
            this.mask = this.present(&each.gone);
            this.awake = true;
            let done = this.mask.clone().map(|mask| {
                let (go, done) = (this.e.block(), this.e.block());
                let any = this.any_lane(&mask);
                this.e.branch(any, go, done);
                this.e.enter(go);
                done
            });
            this.sure = each.span.and_then(|span| span.some);
            let flow = this.region(&each.body, &mut |_, _| ());
            this.sure = None;
            match done {
                Some(done) => {
                    if flow != Flow::Closed {
                        this.e.jump(done);
                    }
                    this.e.enter(done);
                }
                None if flow == Flow::Closed => {
                    let nowhere = this.e.block();
                    this.e.enter(nowhere);
                }
                None => {}
            }
            (this.mask, this.awake) = (None, true);
        });
        self.lanes = self.ranges.lanes;
        self.e.rare(false);
    }

    /// The same for every workgroup that goes with the current one, each in scratch memory of its own.
    fn each_workgroup(&mut self, body: &Region) {
        let (scratch, x, zero) = (self.scratch, self.workgroup[0], self.u32(0));
        let together = self.together.expect("invariant tiles: a batch is under way");
        self.count(Ty::U32, zero..together, count::Turns::Some, |this, nth| {
            let (wide, stride) = (this.widen(nth), this.u64(this.frame.stride));
            let offset = this.binary(Binary::Mul, Ty::U64, wide, stride);
            this.scratch = this.add64(scratch, offset);
            this.workgroup[0] = this.binary(Binary::Add, Ty::U32, x, nth);
            this.region(body, &mut |_, _| ());
            this.u32(1)
        });
        (self.scratch, self.workgroup[0]) = (scratch, x);
    }

    /// A loop over lane groups by their first lanes.
    fn groups(&mut self, span: Option<Span>, body: impl FnOnce(&mut Self)) {
        let (width, groups) = (self.e.width(), self.frame.groups);
        let code = |this: &mut Self, first: E::S| {
            this.first = Some(first);
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
        self.first = None;
    }

    /// The lanes that exist and have not left for a label further on.
    fn present(&mut self, gone: &[Slot]) -> Mask<E> {
        let size: u32 = self.f.workgroup_size.iter().product();
        let first = self.first.expect("invariant groups: masks belong to a group");
        let mut mask = None;
        if !size.is_multiple_of(self.e.width()) {
            let index = self.e.ramp(Ty::U32, first, 1);
            let size = self.u32(size);
            let exists =
                self.e.vector(Prim::Binary(Binary::Lt), Ty::Bool, Ty::U32, &[Lanes::Each(index), Lanes::Same(size)]);
            mask = Some(Lanes::Each(exists));
        }
        for &slot in gone {
            let left = self.flags(slot);
            let here = self.not(left);
            mask = Some(self.and(mask.as_ref(), here));
        }
        mask
    }

    /// Booleans of a slot, one for each lane.
    fn flags(&mut self, slot: Slot) -> Lanes<E::S, E::V> {
        match self.recall(slot) {
            Rep::Scalar(scalar) if self.e.width() == 1 => Lanes::Same(scalar),
            Rep::Scalar(scalar) => Lanes::Each(self.e.splat(Ty::Bool, scalar)),
            Rep::Each(each) => Lanes::Each(each),
        }
    }

    /// Whether some lane of any lane group is so.
    pub(super) fn any(&mut self, Any { of, gone }: &Any) -> E::S {
        let found = self.e.cell(Ty::Bool, false);
        self.groups(None, |this| {
            let present = this.present(gone);
            let mask = match (of, present) {
                (Some(of), present) => {
                    let flags = this.flags(*of);
                    this.and(present.as_ref(), flags)
                }
                (None, Some(present)) => present,
                (None, None) => this.mask_or_all(),
            };
            let (any, before) = (this.any_lane(&mask), this.get_same(&found));
            let all = this.binary(Binary::Or, Ty::Bool, any, before);
            this.e.set(&found, &Lanes::Same(all));
        });
        self.get_same(&found)
    }

    /// Leaves a value for other loops over lane groups.
    fn keep(&mut self, slot: Slot, value: Value, merges: bool) {
        let kept = self.f.slots[slot.index()];
        if let Some(cell) = self.slots.get(&slot).cloned() {
            let scalar = self.same(value);
            return self.e.set(&cell, &Lanes::Same(scalar));
        }
        let at = self.in_area(self.frame.slots[&slot]);
        let mask = self.mask.clone().filter(|_| merges);
        if kept.shape == Shape::Varying {
            let mut each = self.each(value);
            if let Some(mask) = mask {
                let old = self.recall_lanes(kept.ty, at);
                each = match self.blend(kept.ty, &mask, &Lanes::Each(each), &Lanes::Each(old)) {
                    Lanes::Each(each) => each,
                    Lanes::Same(_) => unreachable!("invariant blends: of lanes are lanes"),
                };
            }
            return self.keep_lanes(kept.ty, at, &each);
        }
        let mut scalar = self.same(value);
        // With one lane in a group its scalar is its own; elsewhere all lanes bring the same.
        if let Some(Lanes::Same(here)) = mask {
            let old = self.e.load(as_kept(kept.ty), at);
            scalar = self.e.scalar(Prim::Select, kept.ty, Ty::Bool, &[here, scalar, old]);
        }
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
    fn prefetch(&mut self, row: &Row) {
        let (group, step) = (self.widen(self.workgroup[0]), self.u64(row.step));
        let offset = self.binary(Binary::Mul, Ty::U64, group, step);
        let (start, ahead) = (self.start(row.memory), self.u64(row.step + row.start));
        let at = self.add64(start, offset);
        let at = self.add64(at, ahead);
        self.e.fetch(at, row.bytes);
    }
}
