//! Strided and interleaved accesses: places that step evenly along the lanes, with one check for the lane group, and a
//! loop over its lanes as a cold path.

use super::choice::Second;
use super::value::kept;
use super::way::{Strided, Way};
use super::{Walk, count};
use crate::emit::{Emit, Lanes, Prim};
use crate::ir::{Address, Binary, Memory, Ty, Value};

impl<E: Emit> Walk<'_, E> {
    /// Whether all lanes are inside; `None`: always.
    fn all_inside(&mut self, at: &Address, indices: &[E::S], along: Strided) -> Option<E::S> {
        let last = along.stride * (self.e.width() - 1);
        self.inside(at, indices, |i| if i == along.moving { last } else { 0 })
    }

    pub(super) fn load_strided(&mut self, at: &Address, along: Strided, words: &[(u32, Ty)]) -> Vec<E::V> {
        let indices = self.first_indices(at);
        let inside = self.all_inside(at, &indices, along);
        let pointer = self.first_pointer(at, &indices);
        let Some(inside) = inside else {
            return match *words {
                [(_, ty)] if along.step == ty.bytes() && self.is_fixed(at) => vec![self.e.load_fixed(ty, pointer)],
                _ => self.load_steps(pointer, along.step, words),
            };
        };
        let cells: Vec<E::Cell> = words.iter().map(|&(_, ty)| self.e.cell(ty, true)).collect();
        let fast = |this: &mut Self| {
            let each = this.load_steps(pointer, along.step, words);
            this.set_all(&cells, each);
        };
        self.either(inside, Second::Seldom, fast, |this| {
            let stages = this.stages(words);
            this.load_one_by_one((at, along, &indices), words, &stages);
            let each = words.iter().zip(stages).map(|(&(_, ty), stage)| this.e.load_lanes(kept(ty), stage)).collect();
            this.set_all(&cells, each);
        });
        cells.iter().map(|cell| self.get_each(cell)).collect()
    }

    /// Puts words lane after lane, zeros for lanes that lie outside.
    fn load_one_by_one(
        &mut self,
        (at, along, indices): (&Address, Strided, &[E::S]),
        words: &[(u32, Ty)],
        stages: &[E::S],
    ) {
        self.each_lane(|this, lane| {
            let indices = this.indices_at(indices, along, lane);
            let pointer = this.source(at, &indices);
            for (&(ahead, ty), &stage) in words.iter().zip(stages) {
                let place = this.ahead(pointer, ahead);
                let scalar = this.e.load(ty, place);
                let place = this.nth(stage, lane, kept(ty).bytes());
                this.e.store(kept(ty), place, scalar);
            }
        });
    }

    /// Where the words of a row lie: in their memory, or in an area of scratch if some are outside.
    pub(super) fn place(&mut self, at: &Address, ty: Ty, area: u64) -> E::S {
        let Way::Strided(along) = self.way(at) else {
            unreachable!("invariant scalarized: a row lies along the lanes")
        };
        let indices = self.first_indices(at);
        let inside = self.all_inside(at, &indices, along);
        let pointer = self.first_pointer(at, &indices);
        let Some(inside) = inside else { return pointer };
        let cell = self.e.cell(Ty::U64, false);
        self.e.set(&cell, &Lanes::Same(pointer));
        self.unless(inside, |this| {
            let area = this.in_scratch(area);
            this.load_one_by_one((at, along, &indices), &[(0, ty)], &[area]);
            this.e.set(&cell, &Lanes::Same(area));
        });
        self.get_same(&cell)
    }

    fn set_all(&mut self, cells: &[E::Cell], each: Vec<E::V>) {
        for (cell, each) in cells.iter().zip(each) {
            self.e.set(cell, &Lanes::Each(each));
        }
    }

    /// Room for each word, lane after lane.
    fn stages(&mut self, words: &[(u32, Ty)]) -> Vec<E::S> {
        let mut offset = self.frame.stage;
        let stage = |&(_, ty): &(u32, Ty)| {
            let at = self.in_scratch(offset);
            offset += u64::from(kept(ty).bytes()) * u64::from(self.e.width());
            at
        };
        words.iter().map(stage).collect()
    }

    /// Words of elements that lie `step` bytes apart.
    fn load_steps(&mut self, pointer: E::S, step: u32, words: &[(u32, Ty)]) -> Vec<E::V> {
        let &[(_, ty)] = words else { return self.e.load_words(pointer, step, words) };
        if step == ty.bytes() {
            return vec![self.e.load_lanes(ty, pointer)];
        }
        let lanes: Vec<E::S> = (0..self.e.width())
            .map(|lane| {
                let pointer = self.ahead(pointer, lane * step);
                self.e.load(ty, pointer)
            })
            .collect();
        vec![self.e.pack(ty, &lanes)]
    }

    fn store_steps(&mut self, pointer: E::S, step: u32, words: &[(u32, Ty)], each: &[E::V]) {
        let (&[(_, ty)], [alone]) = (words, each) else { return self.e.store_words(pointer, step, words, each) };
        if step == ty.bytes() {
            return self.e.store_lanes(ty, pointer, alone);
        }
        for lane in 0..self.e.width() {
            let pointer = self.ahead(pointer, lane * step);
            let scalar = self.e.lane(ty, alone, lane);
            self.e.store(ty, pointer, scalar);
        }
    }

    /// The same for lanes of a mask, in memory that nobody else touches.
    fn store_steps_over(&mut self, pointer: E::S, step: u32, words: &[(u32, Ty)], each: &[E::V], mask: &E::V) {
        if let (&[(_, ty @ (Ty::F32 | Ty::I32 | Ty::U32))], [alone]) = (words, each)
            && step == ty.bytes()
        {
            return self.e.store_over(ty, pointer, mask, alone);
        }
        let old = self.load_steps(pointer, step, words);
        let each = words.iter().zip(each).zip(old);
        let whole: Vec<E::V> = each.map(|((&(_, ty), each), old)| self.over(ty, mask, each.clone(), old)).collect();
        self.store_steps(pointer, step, words, &whole);
    }

    pub(super) fn store_strided(
        &mut self,
        at: &Address,
        along: Strided,
        words: &[(u32, Ty)],
        values: &[Value],
        when: Option<Value>,
    ) {
        let (indices, mask) = (self.first_indices(at), self.mask(when));
        let each: Vec<E::V> = values.iter().map(|&value| self.each(value)).collect();
        let mut inside = self.all_inside(at, &indices, along);
        // One thread has a workgroup to itself, so that its memory can be written back as it was.
        let own = matches!(self.f.memories[at.memory.index()], Memory::Workgroup { .. });
        if let (Some(mask), false) = (&mask, own) {
            let all = self.e.all(mask);
            inside = self.both_of(inside, Some(all));
        }
        let pointer = self.first_pointer(at, &indices);
        let fast = |this: &mut Self| match (&mask, own) {
            (Some(mask), true) => this.store_steps_over(pointer, along.step, words, &each, mask),
            (None, false) if words.len() == 1 && along.step == words[0].1.bytes() => {
                this.store_streamed(at.memory, words[0].1, pointer, &each[0]);
            }
            _ => this.store_steps(pointer, along.step, words, &each),
        };
        let Some(inside) = inside else { return fast(self) };
        self.either(inside, Second::Seldom, fast, |this| {
            this.store_one_by_one((at, along, &indices), words, &each, mask.as_ref());
        });
    }

    fn store_one_by_one(
        &mut self,
        (at, along, indices): (&Address, Strided, &[E::S]),
        words: &[(u32, Ty)],
        each: &[E::V],
        mask: Option<&E::V>,
    ) {
        let (stages, flags) = (self.stages(words), self.in_scratch(self.frame.flags));
        for ((&(_, ty), &stage), each) in words.iter().zip(&stages).zip(each) {
            self.e.store_lanes(kept(ty), stage, each);
        }
        if let Some(mask) = mask {
            let flag = self.e.vector(Prim::Convert(Ty::Bool), Ty::U32, Ty::Bool, &[Lanes::Each(mask.clone())]);
            self.e.store_lanes(Ty::U32, flags, &flag);
        }
        self.each_lane(|this, lane| {
            let active = mask.is_some().then(|| {
                let place = this.nth(flags, lane, Ty::U32.bytes());
                let (flag, zero) = (this.e.load(Ty::U32, place), this.u32(0));
                this.binary(Binary::Ne, Ty::U32, flag, zero)
            });
            let indices = this.indices_at(indices, along, lane);
            let pointer = this.target(at, &indices, active);
            for (&(ahead, ty), &stage) in words.iter().zip(&stages) {
                let place = this.nth(stage, lane, kept(ty).bytes());
                let scalar = this.e.load(kept(ty), place);
                let place = this.ahead(pointer, ahead);
                this.e.store(ty, place, scalar);
            }
        });
    }

    /// Lanes of the mask over what lies in memory that nobody else touches.
    pub(super) fn over(&mut self, ty: Ty, mask: &E::V, each: E::V, old: E::V) -> E::V {
        self.e.vector(Prim::Select, ty, Ty::Bool, &[mask.clone(), each, old].map(Lanes::Each))
    }

    /// The indices of a lane that is known when the code runs.
    fn indices_at(&mut self, first: &[E::S], along: Strided, lane: E::S) -> Vec<E::S> {
        let mut indices = first.to_vec();
        let stride = self.u32(along.stride);
        let ahead = self.binary(Binary::Mul, Ty::U32, lane, stride);
        indices[along.moving] = self.binary(Binary::Add, Ty::U32, indices[along.moving], ahead);
        indices
    }

    /// A loop over the lanes of the group.
    fn each_lane(&mut self, body: impl FnOnce(&mut Self, E::S)) {
        let (zero, width) = (self.u32(0), self.u32(self.e.width()));
        self.count(Ty::U32, zero..width, count::Turns::Rare, |this, lane| {
            body(this, lane);
            this.u32(1)
        });
    }
}
