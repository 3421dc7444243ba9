//! What a part of a function makes and what it uses.

use std::collections::HashSet;

use naga::{Expression, Function, Handle, Statement};
use seawall_core::program::{operands, walk};

type Handles = HashSet<Handle<Expression>>;

/// Expressions made and used by statements, those inside them included.
#[derive(Debug, Default)]
pub(super) struct Uses {
    pub(super) made: Handles,
    pub(super) used: Handles,
}

impl Uses {
    pub(super) fn of<'b>(fun: &Function, statements: impl IntoIterator<Item = &'b Statement>) -> Self {
        let mut uses = Self::default();
        for statement in statements {
            uses.statement(fun, statement);
        }
        uses
    }

    fn statement(&mut self, fun: &Function, statement: &Statement) {
        if let Statement::Emit(range) = statement {
            range.clone().for_each(|handle| self.used.extend(operands::named(&fun.expressions[handle])));
        }
        self.made.extend(operands::made(statement));
        self.used.extend(operands::used(statement));
        for block in walk::blocks(statement) {
            block.iter().for_each(|inner| self.statement(fun, inner));
        }
    }
}
