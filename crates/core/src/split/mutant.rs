//! Splits that are wrong in one thing.

use std::sync::Arc;

use naga::{AddressSpace, Expression, Function, Handle, Module, Statement};

use super::keep::{Keep, Step};
use super::lift::Lifted;
use super::{Split, Watch, split_with};
use crate::program::Kernel;

/// What is wrong.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Mutant {
    /// What is kept in this place is not brought back,
    Lost(usize),
    /// or not kept.
    Unkept(usize),
    /// The first store behind this cut is done before it.
    Early(usize),
    /// Loads from memory that is written are done again.
    Reloaded,
    /// The memories of what is kept once do not change places, or do where they should not.
    Sides,
}

struct Broken<'a>(Mutant, &'a Module);

impl Broken<'_> {
    /// Whether a pointer leads to memory that all invocations share.
    fn storage(&self, function: &Function, mut pointer: Handle<Expression>) -> bool {
        while let Expression::Access { base, .. } | Expression::AccessIndex { base, .. } = function.expressions[pointer]
        {
            pointer = base;
        }
        let Expression::GlobalVariable(variable) = function.expressions[pointer] else { return false };
        matches!(self.1.global_variables[variable].space, AddressSpace::Storage { .. })
    }
}

impl Watch for Broken<'_> {
    fn lifted(&mut self, function: &Function, lifted: &mut Lifted) {
        let Mutant::Early(at) = self.0 else { return };
        let body = &mut lifted.drafts[at + 1].body;
        let is_seen = |statement: &Statement| matches!(statement, Statement::Store { pointer, .. } if self.storage(function, *pointer));
        let store = body.iter().position(is_seen).unwrap_or_else(|| panic!("no store behind cut {at}"));
        let mut moved: Vec<_> = std::mem::take(body).span_into_iter().collect();
        let rest = moved.split_off(store + 1);
        for (statement, span) in rest {
            body.push(statement, span);
        }
        for (statement, span) in moved {
            lifted.drafts[at].body.push(statement, span);
        }
    }

    fn costs(&mut self, function: &Function, costs: &mut [Option<u32>]) {
        if !matches!(self.0, Mutant::Reloaded) {
            return;
        }
        for (handle, expression) in function.expressions.iter() {
            let Expression::Load { pointer } = *expression else { continue };
            if self.storage(function, pointer) {
                costs[handle.index()] = Some(1);
            }
        }
    }

    fn kept(&mut self, keep: &mut Keep) {
        match self.0 {
            Mutant::Lost(at) => {
                let place = keep.places[at].0;
                keep.transfers.iter_mut().for_each(|transfer| transfer.loads.retain(|one| *one != place));
            }
            Mutant::Unkept(at) => {
                let place = keep.places[at].0;
                for transfer in &mut keep.transfers {
                    transfer.stores.retain(|one| *one != place);
                    transfer.forwards.retain(|one| *one != place);
                }
            }
            Mutant::Sides => {
                for step in &mut keep.steps {
                    if let Step::Loop { swaps, .. } = step {
                        *swaps = !*swaps;
                    }
                }
            }
            Mutant::Early(_) | Mutant::Reloaded => {}
        }
    }
}

pub(crate) fn mutated(kernel: &Arc<Kernel>, mutant: Mutant) -> Split {
    let module = kernel.module().clone();
    split_with(kernel, &mut Broken(mutant, &module)).unwrap_or_else(|report| panic!("{report}"))
}
