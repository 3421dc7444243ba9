//! Which locals a piece of code may write: only those can differ where its ways meet.

use std::collections::BTreeSet;

use naga::{Block, Expression, Handle, Statement};
use seawall_core::program::operands;
use seawall_core::program::walk::{self, Link};

use super::place::Root;
use super::{Builder, Frame};

impl Builder<'_> {
    /// Where in `env` these statements may put another value, in ascending order.
    pub(super) fn written<'b>(
        &self,
        frame: &Frame<'_>,
        statements: impl IntoIterator<Item = &'b Statement>,
    ) -> Vec<usize> {
        let mut written = Written { builder: self, frame, at: BTreeSet::new() };
        statements.into_iter().for_each(|statement| written.statement(statement));
        written.at.into_iter().collect()
    }
}

struct Written<'w, 'a> {
    builder: &'w Builder<'a>,
    frame: &'w Frame<'a>,
    at: BTreeSet<usize>,
}

impl Written<'_, '_> {
    fn block(&mut self, block: &Block) {
        block.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        for made in operands::made(statement) {
            self.made(made);
        }
        match statement {
            Statement::Store { pointer, .. } => self.through(*pointer),
            Statement::Call { function, arguments, .. } => {
                arguments.iter().for_each(|&argument| self.through(argument));
                let info = &self.builder.kernel.info()[*function];
                for (&global, &root) in &self.builder.globals {
                    if !info[global].is_empty() {
                        self.root(root);
                    }
                }
            }
            // Atomics do not reach variables that are held in registers.
            Statement::Atomic { .. }
            | Statement::Emit(_)
            | Statement::Block(_)
            | Statement::If { .. }
            | Statement::Switch { .. }
            | Statement::Loop { .. }
            | Statement::WorkGroupUniformLoad { .. }
            | Statement::SubgroupBallot { .. }
            | Statement::SubgroupGather { .. }
            | Statement::SubgroupCollectiveOperation { .. }
            | Statement::Break
            | Statement::Continue
            | Statement::Return { .. }
            | Statement::Kill
            | Statement::ControlBarrier(_)
            | Statement::MemoryBarrier(_)
            | Statement::ImageStore { .. }
            | Statement::ImageAtomic { .. }
            | Statement::RayQuery { .. }
            | Statement::RayPipelineFunction(_)
            | Statement::CooperativeStore { .. } => {}
        }
        for block in walk::blocks(statement) {
            self.block(block);
        }
    }

    /// An expression that a `continuing` needs stands in `env` too.
    fn made(&mut self, handle: Handle<Expression>) {
        if let Some(carried) = self.frame.carried.get(&handle) {
            self.at.extend(carried.clone());
        }
    }

    /// Whatever variable a pointer starts from, if it is a pointer.
    fn through(&mut self, pointer: Handle<Expression>) {
        let root = match walk::root(self.frame.fun, pointer) {
            Link::Local(local) => Some(self.frame.locals[local.index()]),
            Link::Global(global) => self.builder.globals.get(&global).copied(),
            Link::Argument(i) => self.frame.args[i as usize].as_place().map(|place| place.root),
            Link::Element { .. } | Link::Member { .. } | Link::Value => None,
        };
        if let Some(root) = root {
            self.root(root);
        }
    }

    fn root(&mut self, root: Root) {
        if let Root::Register { start, len } = root {
            self.at.extend(start..start + len);
        }
    }
}
