//! Loads, stores and atomics: every access inside its memory, by construction.
//!
//! Addresses that step along the lanes are one check and one vector access, with the
//! lane-by-lane way as a cold path. Elsewhere each lane's pointer is replaced where it
//! would lie outside: by zeros for reads, by a sink for writes.

use super::{Rep, Walk};
use crate::emit::{Emit, Lanes, Prim};
use crate::ir::{Address, Atomic, Binary, Bound, Memory, Ty, Value};
use crate::shape::Shape;

/// How an address lies across the lanes.
enum Way {
    /// One place for all lanes.
    Same,
    /// Lane after lane; which term moves.
    Along(usize),
    /// Private memory at one slot: lane after lane.
    Slot,
    Scattered,
}

impl<E: Emit> Walk<'_, E> {
    fn way(&self, at: &Address, ty: Ty) -> Way {
        let private = matches!(self.f.memories[at.memory.index()], Memory::Private { .. });
        let shape = |value: Value| self.shapes.of(value);
        let moving: Vec<usize> = (0..at.terms.len()).filter(|&i| !shape(at.terms[i].index).is_scalar()).collect();
        match (moving.as_slice(), private) {
            ([], true) => Way::Slot,
            ([], false) => Way::Same,
            ([i], false) => {
                let term = at.terms[*i];
                let scale = match self.f.memories[at.memory.index()] {
                    Memory::Constants { ty, .. } => i64::from(ty.bytes()),
                    _ => 1,
                };
                let step = i64::from(ty.bytes());
                match shape(term.index) {
                    Shape::Linear(stride) if stride.saturating_mul(i64::from(term.stride) * scale) == step => {
                        Way::Along(*i)
                    }
                    _ => Way::Scattered,
                }
            }
            _ => Way::Scattered,
        }
    }

    fn bound(&mut self, bound: Bound) -> E::S {
        match bound {
            Bound::Const(n) => self.u64(n.into()),
            Bound::Length { row } => self.buffers[&row].1,
        }
    }

    /// The pointer and whether it lies inside (`None`: always), for indices given one by one.
    fn pointer(&mut self, at: &Address, start: E::S, indices: &[E::S]) -> (E::S, Option<E::S>) {
        let unit = match self.f.memories[at.memory.index()] {
            Memory::Buffer { .. } | Memory::Workgroup { .. } => 1,
            Memory::Private { slot_bytes, .. } => u64::from(slot_bytes) * u64::from(self.e.width()),
            Memory::Constants { ty, .. } => ty.bytes().into(),
        };
        let offset = self.u64(u64::from(at.offset) * unit);
        let mut pointer = self.add64(start, offset);
        let mut inside = None;
        for (term, &index) in at.terms.iter().zip(indices) {
            let index = self.widen(index);
            let bound = self.bound(term.bound);
            let within = self.binary(Binary::Lt, Ty::U64, index, bound);
            inside = Some(inside.map_or(within, |all| self.binary(Binary::And, Ty::Bool, all, within)));
            let stride = self.u64(u64::from(term.stride) * unit);
            let bytes = self.binary(Binary::Mul, Ty::U64, index, stride);
            pointer = self.add64(pointer, bytes);
        }
        (pointer, inside)
    }

    fn or_else(&mut self, inside: Option<E::S>, pointer: E::S, other: E::S) -> E::S {
        inside.map_or(pointer, |inside| self.e.scalar(Prim::Select, Ty::U64, Ty::Bool, &[inside, pointer, other]))
    }

    fn zeros(&mut self) -> E::S {
        let offset = self.u64(self.frame.zeros);
        self.add64(self.constants, offset)
    }

    fn sink(&mut self) -> E::S {
        self.in_scratch(self.frame.sink)
    }

    /// The indices of one lane.
    fn lane_indices(&mut self, indices: &[Lanes<E::S, E::V>], lane: u32) -> Vec<E::S> {
        let pick = |this: &mut Self, index: &Lanes<E::S, E::V>| match index {
            Lanes::Same(scalar) => *scalar,
            Lanes::Each(each) => this.e.lane(Ty::U32, each, lane),
        };
        indices.iter().map(|index| pick(self, index)).collect()
    }

    /// One lane's pointer; lanes of private memory lie side by side.
    fn lane_pointer(&mut self, at: &Address, ty: Ty, start: E::S, indices: &[E::S], lane: u32) -> (E::S, Option<E::S>) {
        let (pointer, inside) = self.pointer(at, start, indices);
        if !matches!(self.f.memories[at.memory.index()], Memory::Private { .. }) {
            return (pointer, inside);
        }
        let offset = self.u64(u64::from(lane) * u64::from(ty.bytes()));
        (self.add64(pointer, offset), inside)
    }

    /// Whether all lanes of an address that steps along them lie inside.
    fn along_inside(&mut self, at: &Address, moving: usize) -> E::S {
        let last = self.u64(u64::from(self.e.width()) - 1);
        let mut inside = None;
        for (i, term) in at.terms.iter().enumerate() {
            let index = self.same(term.index);
            let mut index = self.widen(index);
            if i == moving {
                index = self.add64(index, last);
            }
            let bound = self.bound(term.bound);
            let within = self.binary(Binary::Lt, Ty::U64, index, bound);
            inside = Some(inside.map_or(within, |all| self.binary(Binary::And, Ty::Bool, all, within)));
        }
        inside.expect("invariant ways: an address along the lanes has a term")
    }

    pub(super) fn load(&mut self, value: Value, at: &Address) -> Rep<E> {
        let ty = self.f.ty(value);
        let start = self.start(at.memory);
        match self.way(at, ty) {
            Way::Same => {
                let indices: Vec<E::S> = at.terms.iter().map(|term| self.same(term.index)).collect();
                let (pointer, inside) = self.pointer(at, start, &indices);
                let zeros = self.zeros();
                let pointer = self.or_else(inside, pointer, zeros);
                Rep::Scalar(self.e.load(ty, pointer))
            }
            Way::Slot => {
                let indices: Vec<E::S> = at.terms.iter().map(|term| self.same(term.index)).collect();
                let (pointer, inside) = self.pointer(at, start, &indices);
                let zeros = self.zeros();
                let pointer = self.or_else(inside, pointer, zeros);
                match self.shapes.of(value) {
                    Shape::Varying => Rep::Each(self.e.load_lanes(ty, pointer)),
                    Shape::Uniform | Shape::Linear(_) => Rep::Scalar(self.e.load(ty, pointer)),
                }
            }
            Way::Along(moving) => {
                let cell = self.e.cell(ty, true);
                let inside = self.along_inside(at, moving);
                let (fast, slow, on) = (self.e.block(), self.e.cold_block(), self.e.block());
                self.e.branch(inside, fast, slow);
                self.e.enter(fast);
                let indices: Vec<E::S> = at.terms.iter().map(|term| self.same(term.index)).collect();
                let (pointer, _) = self.pointer(at, start, &indices);
                let each = self.e.load_lanes(ty, pointer);
                self.e.set(&cell, &Lanes::Each(each));
                self.e.jump(on);
                self.e.enter(slow);
                let each = self.gather(at, ty, start);
                self.e.set(&cell, &Lanes::Each(each));
                self.e.jump(on);
                self.e.enter(on);
                match self.e.get(&cell) {
                    Lanes::Each(each) => Rep::Each(each),
                    Lanes::Same(_) => unreachable!("invariant cells: a lane cell holds lanes"),
                }
            }
            Way::Scattered => Rep::Each(self.gather(at, ty, start)),
        }
    }

    fn gather(&mut self, at: &Address, ty: Ty, start: E::S) -> E::V {
        let indices: Vec<_> = at.terms.iter().map(|term| self.lanes(term.index)).collect();
        let zeros = self.zeros();
        let lanes: Vec<E::S> = (0..self.e.width())
            .map(|lane| {
                let indices = self.lane_indices(&indices, lane);
                let (pointer, inside) = self.lane_pointer(at, ty, start, &indices, lane);
                let pointer = self.or_else(inside, pointer, zeros);
                self.e.load(ty, pointer)
            })
            .collect();
        self.e.pack(ty, &lanes)
    }

    pub(super) fn store(&mut self, at: &Address, value: Value) {
        let ty = self.f.ty(value);
        let start = self.start(at.memory);
        match self.way(at, ty) {
            Way::Same if self.mask.is_none() && self.shapes.of(value).is_scalar() => {
                let scalar = self.same(value);
                self.store_same(at, ty, start, scalar);
            }
            Way::Slot if self.mask.is_none() => {
                let indices: Vec<E::S> = at.terms.iter().map(|term| self.same(term.index)).collect();
                let (pointer, inside) = self.pointer(at, start, &indices);
                let sink = self.sink();
                let pointer = self.or_else(inside, pointer, sink);
                if self.e.width() == 1 {
                    let scalar = self.same(value);
                    self.e.store(ty, pointer, scalar);
                } else {
                    let each = self.each(value);
                    self.e.store_lanes(ty, pointer, &each);
                }
            }
            Way::Along(moving) => {
                let mut inside = self.along_inside(at, moving);
                if let Some(mask) = self.mask.clone() {
                    let all = self.all_lanes(&mask);
                    inside = self.binary(Binary::And, Ty::Bool, inside, all);
                }
                let (fast, slow, on) = (self.e.block(), self.e.cold_block(), self.e.block());
                self.e.branch(inside, fast, slow);
                self.e.enter(fast);
                let indices: Vec<E::S> = at.terms.iter().map(|term| self.same(term.index)).collect();
                let (pointer, _) = self.pointer(at, start, &indices);
                let each = self.each(value);
                self.e.store_lanes(ty, pointer, &each);
                self.e.jump(on);
                self.e.enter(slow);
                self.scatter(at, ty, start, value);
                self.e.jump(on);
                self.e.enter(on);
            }
            Way::Same | Way::Slot | Way::Scattered => self.scatter(at, ty, start, value),
        }
    }

    fn store_same(&mut self, at: &Address, ty: Ty, start: E::S, scalar: E::S) {
        let indices: Vec<E::S> = at.terms.iter().map(|term| self.same(term.index)).collect();
        let (pointer, inside) = self.pointer(at, start, &indices);
        let sink = self.sink();
        let pointer = self.or_else(inside, pointer, sink);
        self.e.store(ty, pointer, scalar);
    }

    fn scatter(&mut self, at: &Address, ty: Ty, start: E::S, value: Value) {
        let indices: Vec<_> = at.terms.iter().map(|term| self.lanes(term.index)).collect();
        let (value, mask) = (self.lanes(value), self.mask.clone());
        let sink = self.sink();
        for lane in 0..self.e.width() {
            let indices = self.lane_indices(&indices, lane);
            let (pointer, inside) = self.lane_pointer(at, ty, start, &indices, lane);
            let acts = self.acts(&mask, inside, lane);
            let pointer = self.or_else(acts, pointer, sink);
            let scalar = self.lane_of(ty, &value, lane);
            self.e.store(ty, pointer, scalar);
        }
    }

    fn lane_of(&mut self, ty: Ty, value: &Lanes<E::S, E::V>, lane: u32) -> E::S {
        match value {
            Lanes::Same(scalar) => *scalar,
            Lanes::Each(each) => self.e.lane(ty, each, lane),
        }
    }

    /// Whether a lane acts: it is active and its place lies inside.
    fn acts(&mut self, mask: &super::Mask<E>, inside: Option<E::S>, lane: u32) -> Option<E::S> {
        let active = mask.as_ref().map(|mask| self.lane_of(Ty::Bool, mask, lane));
        match (active, inside) {
            (Some(a), Some(b)) => Some(self.binary(Binary::And, Ty::Bool, a, b)),
            (one, other) => one.or(other),
        }
    }

    pub(super) fn all_lanes(&mut self, mask: &Lanes<E::S, E::V>) -> E::S {
        match mask {
            Lanes::Same(scalar) => *scalar,
            Lanes::Each(each) => self.e.all(each),
        }
    }

    /// Lane by lane, in order; lanes that do not act get zero.
    pub(super) fn atomic(&mut self, at: &Address, fun: Atomic, ty: Ty, value: Value, compare: Option<Value>) -> Rep<E> {
        let start = self.start(at.memory);
        let indices: Vec<_> = at.terms.iter().map(|term| self.lanes(term.index)).collect();
        let (value, mask) = (self.lanes(value), self.mask.clone());
        let compare = compare.map(|compare| self.lanes(compare));
        let mut lanes = Vec::new();
        for lane in 0..self.e.width() {
            let indices = self.lane_indices(&indices, lane);
            let (pointer, inside) = self.lane_pointer(at, ty, start, &indices, lane);
            let value = self.lane_of(ty, &value, lane);
            let compare = compare.as_ref().map(|compare| self.lane_of(ty, compare, lane));
            let Some(acts) = self.acts(&mask, inside, lane) else {
                lanes.push(self.e.atomic(fun, ty, pointer, value, compare));
                continue;
            };
            let cell = self.e.cell(ty, false);
            let zero = self.e.constant(ty, 0);
            self.e.set(&cell, &Lanes::Same(zero));
            let (act, on) = (self.e.block(), self.e.block());
            self.e.branch(acts, act, on);
            self.e.enter(act);
            let old = self.e.atomic(fun, ty, pointer, value, compare);
            self.e.set(&cell, &Lanes::Same(old));
            self.e.jump(on);
            self.e.enter(on);
            lanes.push(self.get_same(&cell));
        }
        match lanes.as_slice() {
            [one] => Rep::Scalar(*one),
            lanes => Rep::Each(self.e.pack(ty, lanes)),
        }
    }
}
