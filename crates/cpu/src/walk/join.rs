//! What stands for the values of a join until lanes come to it.

use super::{Rep, Walk};
use crate::divergence::Shape;
use crate::emit::{Emit, Lanes};
use crate::ir::Value;

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
}
