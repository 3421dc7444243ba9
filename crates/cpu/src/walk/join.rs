//! What stands for the values of a join until lanes come to it: cells inside a lane group, places in
//! scratch memory outside.

use super::value::kept;
use super::{Rep, Walk};
use crate::emit::{Emit, Lanes, Prim};
use crate::ir::{Ty, Value};
use crate::shape::Shape;

impl<E: Emit> Walk<'_, E> {
    pub(super) fn cells(&mut self, values: &[Value]) -> Vec<E::Cell> {
        let cell = |value: &Value| self.e.cell(self.f.ty(*value), !self.is_scalar(*value));
        values.iter().map(cell).collect::<Vec<_>>()
    }

    /// Runs code, and gives up its cells: values stand for what they held.
    pub(super) fn with_cells<T>(&mut self, code: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.e.cells();
        let result = code(self);
        self.e.give_up(before);
        result
    }

    pub(super) fn is_scalar(&self, value: Value) -> bool {
        self.shapes.of(value) != Shape::Varying
    }

    /// All at once: an argument may be one of the parameters.
    pub(super) fn assign(&mut self, params: &[Value], cells: &[E::Cell], args: &[Value]) {
        let staged: Vec<_> = params.iter().zip(args).map(|(&param, &arg)| self.lanes_for(param, arg)).collect();
        for (cell, value) in cells.iter().zip(&staged) {
            self.e.set(cell, value);
        }
    }

    pub(super) fn read(&mut self, values: &[Value], cells: &[E::Cell]) {
        for (&value, cell) in values.iter().zip(cells) {
            let rep = match self.e.get(cell) {
                Lanes::Same(scalar) => Rep::Scalar(scalar),
                Lanes::Each(each) => Rep::Each(each),
            };
            self.define(value, rep);
        }
    }

    /// An argument in the form that its parameter has: a base, a scalar, or lanes.
    pub(super) fn lanes_for(&mut self, param: Value, arg: Value) -> Lanes<E::S, E::V> {
        if self.is_scalar(param) { Lanes::Same(self.same(arg)) } else { Lanes::Each(self.each(arg)) }
    }

    pub(super) fn fit(&mut self, param: Value, value: Lanes<E::S, E::V>) -> Lanes<E::S, E::V> {
        match value {
            Lanes::Same(scalar) if !self.is_scalar(param) => Lanes::Each(self.e.splat(self.f.ty(param), scalar)),
            Lanes::Each(_) if self.is_scalar(param) => {
                unreachable!("invariant shapes: lanes meet at {param}, which does not vary")
            }
            value => value,
        }
    }

    /// Copies values to where a join keeps its parameters, for every lane group.
    pub(super) fn copy(&mut self, params: &[Value], args: &[Value]) {
        let pairs = || params.iter().copied().zip(args.iter().copied());
        let is_uniform = |this: &Self, param: Value| this.shapes.of(param) == Shape::Uniform;
        let mut once = Vec::new();
        for (param, arg) in pairs() {
            if is_uniform(self, param) {
                self.reps[arg.index()] = None;
                once.push((param, Rep::Scalar(self.same(arg))));
            }
        }
        let at = |this: &Self, value: Value| this.frame.values.get(&value).copied();
        let moves = |this: &Self, (param, arg): (Value, Value)| at(this, param) != at(this, arg);
        let each: Vec<_> = pairs().filter(|&pair| !is_uniform(self, pair.0) && moves(self, pair)).collect();
        if !each.is_empty() {
            self.each_group(|this| {
                let mask = this.first_mask().unwrap_or_else(|| this.mask_or_all());
                let whole = this.frame.gone.is_empty();
                let staged: Vec<Rep<E>> =
                    each.iter().map(|&(param, arg)| this.arrival(param, arg, &mask, whole)).collect();
                for ((param, _), rep) in each.iter().zip(&staged) {
                    this.keep(*param, rep);
                }
            });
        }
        for (param, rep) in once {
            self.keep(param, &rep);
        }
    }

    /// What a kept parameter becomes when lanes bring an argument; the others keep theirs.
    pub(super) fn arrival(&mut self, param: Value, arg: Value, mask: &Lanes<E::S, E::V>, whole: bool) -> Rep<E> {
        let ty = self.f.ty(param);
        // All bring the same, whoever leaves first.
        if self.shapes.of(param) == Shape::Uniform {
            return Rep::Scalar(self.same(arg));
        }
        let at = self.in_area(self.frame.values[&param]);
        match (self.shapes.of(param), mask) {
            (Shape::Varying, _) if whole => Rep::Each(self.each(arg)),
            (Shape::Varying, _) => {
                let (new, old) = (self.each(arg), self.recall_lanes(ty, at));
                match self.blend(ty, mask, &Lanes::Each(new), &Lanes::Each(old)) {
                    Lanes::Each(each) => Rep::Each(each),
                    Lanes::Same(_) => unreachable!("invariant blends: of lanes are lanes"),
                }
            }
            // With one lane in a group its scalar is its own.
            (Shape::Linear(0), Lanes::Same(here)) if !whole => {
                let (new, old) = (self.same(arg), self.e.load(kept(ty), at));
                Rep::Scalar(self.e.scalar(Prim::Select, ty, Ty::Bool, &[*here, new, old]))
            }
            (Shape::Uniform | Shape::Linear(_), _) => Rep::Scalar(self.same(arg)),
        }
    }
}
