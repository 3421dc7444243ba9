//! Mutable numbers: Cranelift's variables.

use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{InstBuilder, Value};
use cranelift_frontend::Variable;

use super::{Clif, part_type, scalar_type};
use crate::emit::Lanes;
use crate::ir::Ty;

/// A mutable number, or one for each lane.
#[derive(Debug, Clone)]
pub(crate) enum Cell {
    Same(Variable),
    /// A word, likely to be an index, with zeros before it.
    Wide(Variable),
    Each(Vec<Variable>),
}

impl Clif<'_> {
    pub(super) fn declare(&mut self, ty: Ty, lanes: bool) -> Cell {
        if !lanes {
            return match ty {
                Ty::U32 => Cell::Wide(self.b.declare_var(I64)),
                _ => Cell::Same(self.b.declare_var(scalar_type(ty))),
            };
        }
        Cell::Each((0..self.parts(ty)).map(|_| self.b.declare_var(part_type(ty))).collect())
    }

    pub(super) fn assign(&mut self, cell: &Cell, value: &Lanes<Value, Vec<Value>>) {
        match (cell, value) {
            (Cell::Same(variable), Lanes::Same(value)) => self.b.def_var(*variable, *value),
            (Cell::Wide(variable), Lanes::Same(value)) => {
                let wide = self.widened(*value);
                self.b.def_var(*variable, wide);
            }
            (Cell::Each(variables), Lanes::Each(parts)) => {
                variables.iter().zip(parts).for_each(|(&variable, &part)| self.b.def_var(variable, part));
            }
            _ => unreachable!("invariant cells: {value:?} does not fit {cell:?}"),
        }
    }

    pub(super) fn read(&mut self, cell: &Cell) -> Lanes<Value, Vec<Value>> {
        match cell {
            Cell::Same(variable) => Lanes::Same(self.b.use_var(*variable)),
            Cell::Wide(variable) => {
                let wide = self.b.use_var(*variable);
                Lanes::Same(self.word(wide))
            }
            Cell::Each(variables) => Lanes::Each(variables.iter().map(|&variable| self.b.use_var(variable)).collect()),
        }
    }

    /// A word of which the zeros before it are known.
    pub(super) fn word(&mut self, wide: Value) -> Value {
        let word = self.b.ins().ireduce(I32, wide);
        self.wide.insert(word, wide);
        word
    }

    pub(super) fn widened(&mut self, word: Value) -> Value {
        match self.wide.get(&word) {
            Some(wide) => *wide,
            None => self.b.ins().uextend(I64, word),
        }
    }
}
