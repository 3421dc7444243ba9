//! Atomics, lane by lane.

use super::choice::Second;
use super::{Rep, Walk};
use crate::emit::{Emit, Lanes, Prim};
use crate::ir::{Address, Atomic, Binary, Ty, Value};

/// What an atomic brings, what it compares with, and which lanes do it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Operands {
    pub(super) value: Value,
    pub(super) compare: Option<Value>,
    pub(super) when: Option<Value>,
}

/// An atomic of one lane.
struct One<S> {
    fun: Atomic,
    ty: Ty,
    pointer: S,
    /// Whether it is done at all; `None` if for sure.
    acts: Option<S>,
    value: S,
    compare: Option<S>,
}

impl<E: Emit> Walk<'_, E> {
    /// Lane by lane, in order; lanes that do not act get zero. Once, where the lanes have one result.
    pub(super) fn atomic(&mut self, result: Value, at: &Address, fun: Atomic, operands: Operands) -> Rep<E> {
        let (ty, when) = (self.f.ty(result), operands.when);
        if self.e.width() > 1 && self.shapes.of(result).is_scalar() {
            return Rep::Scalar(self.atomic_once(at, fun, ty, operands));
        }
        if let Some(old) = self.atomic_strided(at, fun, ty, operands) {
            return Rep::Each(old);
        }
        let mask = when.map(|when| self.lanes(when));
        let Some(Lanes::Each(mask)) = mask.clone().filter(|_| self.is_own(at.memory)) else {
            let lanes = self.atomic_lanes(at, fun, ty, operands, mask.as_ref());
            return self.result(result, &lanes);
        };
        // Without locks, asking each lane whether it is active would cost more than the rest.
        let (cell, all) = (self.e.cell(ty, true), self.e.all(&mask));
        let act = |this: &mut Self, mask: Option<&Lanes<E::S, E::V>>| {
            let lanes = this.atomic_lanes(at, fun, ty, operands, mask);
            let Rep::Each(each) = this.result(result, &lanes) else {
                unreachable!("invariant masks: lanes have one number each")
            };
            this.e.set(&cell, &Lanes::Each(each));
        };
        let mask = Lanes::Each(mask);
        self.either(all, Second::Often, |this| act(this, None), |this| act(this, Some(&mask)));
        Rep::Each(self.get_each(&cell))
    }

    /// For the one lane that does it, where it does not matter which that is.
    fn atomic_once(&mut self, at: &Address, fun: Atomic, ty: Ty, Operands { value, compare, .. }: Operands) -> E::S {
        let own = self.is_own(at.memory);
        let indices = self.first_indices(at);
        let (inside, pointer) = (self.inside(at, &indices, |_| 0), self.pointer(at, &indices));
        let (value, compare) = (self.same(value), compare.map(|compare| self.same(compare)));
        self.one_atomic(own, &One { fun, ty, pointer, acts: inside, value, compare })
    }

    /// All lanes at once where they lie side by side in a memory that nobody else comes to: then
    /// no two of them meet.
    fn atomic_strided(&mut self, at: &Address, fun: Atomic, ty: Ty, operands: Operands) -> Option<E::V> {
        let op = fun.joins()?;
        if !self.is_own(at.memory) || !matches!(ty, Ty::I32 | Ty::U32) || !self.is_row(at, ty.bytes()) {
            return None;
        }
        let (indices, value) = (self.first_indices(at), self.lanes(operands.value));
        let pointer = self.pointer(at, &indices);
        let old = self.e.load_lanes(ty, pointer);
        let mut new = self.e.vector(Prim::Binary(op), ty, ty, &[Lanes::Each(old.clone()), value]);
        if let Some(mask) = self.mask(operands.when) {
            new = self.over(ty, &mask, new, old.clone());
        }
        self.e.store_lanes(ty, pointer, &new);
        Some(old)
    }

    /// The old values of all lanes, if anybody wants them.
    fn result(&mut self, result: Value, lanes: &[E::S]) -> Rep<E> {
        let ty = self.f.ty(result);
        match lanes {
            [one] => Rep::Scalar(*one),
            lanes if self.used.contains(&result) => Rep::Each(self.e.pack(ty, lanes)),
            _ => {
                let zero = self.e.constant(ty, 0);
                Rep::Each(self.e.splat(ty, zero))
            }
        }
    }

    fn atomic_lanes(
        &mut self,
        at: &Address,
        fun: Atomic,
        ty: Ty,
        Operands { value, compare, .. }: Operands,
        mask: Option<&Lanes<E::S, E::V>>,
    ) -> Vec<E::S> {
        let own = self.is_own(at.memory);
        let mut indices = self.indices(at);
        let value = self.lanes(value);
        let compare = compare.map(|compare| self.lanes(compare));
        let mut lanes = Vec::new();
        for lane in 0..self.e.width() {
            let indices = self.lane_indices(&mut indices, lane);
            let active = mask.map(|mask| self.lane_of(Ty::Bool, mask, lane));
            let inside = self.inside(at, &indices, |_| 0);
            let acts = self.both_of(active, inside);
            let pointer = self.pointer(at, &indices);
            let value = self.lane_of(ty, &value, lane);
            let compare = compare.as_ref().map(|compare| self.lane_of(ty, compare, lane));
            lanes.push(self.one_atomic(own, &One { fun, ty, pointer, acts, value, compare }));
        }
        lanes
    }

    /// What was there before, in memory of this thread's own or in any.
    fn one_atomic(&mut self, own: bool, one: &One<E::S>) -> E::S {
        if own { self.own_atomic(one) } else { self.shared_atomic(one) }
    }

    /// In memory that other threads may touch.
    fn shared_atomic(&mut self, one: &One<E::S>) -> E::S {
        let One { fun, ty, pointer, acts, value, compare } = *one;
        let Some(acts) = acts else { return self.e.atomic(fun, ty, pointer, value, compare) };
        let cell = self.e.cell(ty, false);
        self.only_if(acts, |this| {
            let old = this.e.atomic(fun, ty, pointer, value, compare);
            this.e.set(&cell, &Lanes::Same(old));
        });
        self.get_same(&cell)
    }

    /// In memory that nobody else comes to: one thread runs a whole workgroup.
    fn own_atomic(&mut self, one: &One<E::S>) -> E::S {
        let One { fun, ty, pointer, acts, value, compare } = *one;
        let sink = self.sink();
        let pointer = self.or_else(acts, pointer, sink);
        let old = self.e.load(ty, pointer);
        let new = match (fun.joins(), compare) {
            (Some(op), _) => self.binary(op, ty, old, value),
            (None, None) => value,
            (None, Some(compare)) => {
                let same = self.binary(Binary::Eq, ty, old, compare);
                self.e.scalar(Prim::Select, ty, Ty::Bool, &[same, value, old])
            }
        };
        self.e.store(ty, pointer, new);
        let Some(acts) = acts else { return old };
        let zero = self.e.constant(ty, 0);
        self.e.scalar(Prim::Select, ty, Ty::Bool, &[acts, old, zero])
    }
}
