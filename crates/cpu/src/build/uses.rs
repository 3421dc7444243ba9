//! Which expressions a block makes, and which it needs from outside.

use std::collections::HashSet;

use naga::{AtomicFunction, Block, Expression, Function, GatherMode, Handle, Statement};

type Handles = HashSet<Handle<Expression>>;

/// What a block evaluates and what it refers to, nested blocks included.
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

    fn block(&mut self, fun: &Function, block: &Block) {
        block.iter().for_each(|statement| self.statement(fun, statement));
    }

    fn statement(&mut self, fun: &Function, statement: &Statement) {
        match statement {
            Statement::Emit(range) => {
                for handle in range.clone() {
                    self.made.insert(handle);
                    operands(&fun.expressions[handle], &mut self.used);
                }
            }
            Statement::Block(block) => self.block(fun, block),
            Statement::If { condition, accept, reject } => {
                self.used.insert(*condition);
                self.block(fun, accept);
                self.block(fun, reject);
            }
            Statement::Switch { selector, cases } => {
                self.used.insert(*selector);
                cases.iter().for_each(|case| self.block(fun, &case.body));
            }
            Statement::Loop { body, continuing, break_if } => {
                self.block(fun, body);
                self.block(fun, continuing);
                self.used.extend(break_if);
            }
            Statement::Return { value } => self.used.extend(value),
            Statement::Store { pointer, value } => self.used.extend([*pointer, *value]),
            Statement::Atomic { pointer, fun, value, result } => {
                self.used.extend([*pointer, *value]);
                if let AtomicFunction::Exchange { compare: Some(compare) } = fun {
                    self.used.insert(*compare);
                }
                self.made.extend(result);
            }
            Statement::WorkGroupUniformLoad { pointer, result } => {
                self.used.insert(*pointer);
                self.made.insert(*result);
            }
            Statement::Call { arguments, result, .. } => {
                self.used.extend(arguments);
                self.made.extend(result);
            }
            Statement::SubgroupBallot { result, predicate } => {
                self.used.extend(predicate);
                self.made.insert(*result);
            }
            Statement::SubgroupGather { mode, argument, result } => {
                self.used.insert(*argument);
                self.used.extend(lane(mode));
                self.made.insert(*result);
            }
            Statement::SubgroupCollectiveOperation { argument, result, .. } => {
                self.used.insert(*argument);
                self.made.insert(*result);
            }
            Statement::Break
            | Statement::Continue
            | Statement::Kill
            | Statement::ControlBarrier(_)
            | Statement::MemoryBarrier(_)
            | Statement::ImageStore { .. }
            | Statement::ImageAtomic { .. }
            | Statement::RayQuery { .. }
            | Statement::RayPipelineFunction(_)
            | Statement::CooperativeStore { .. } => {}
        }
    }
}

/// What tells the lane whose value is taken.
fn lane(mode: &GatherMode) -> Option<Handle<Expression>> {
    match *mode {
        GatherMode::Broadcast(at)
        | GatherMode::Shuffle(at)
        | GatherMode::ShuffleDown(at)
        | GatherMode::ShuffleUp(at)
        | GatherMode::ShuffleXor(at)
        | GatherMode::QuadBroadcast(at) => Some(at),
        GatherMode::BroadcastFirst | GatherMode::QuadSwap(_) => None,
    }
}

/// The operands of an expression.
pub(super) fn operands(expression: &Expression, into: &mut Handles) {
    match expression {
        Expression::Compose { components, .. } => into.extend(components),
        Expression::Access { base, index } => into.extend([*base, *index]),
        Expression::AccessIndex { base, .. } => into.extend([*base]),
        Expression::Splat { value, .. } => into.extend([*value]),
        Expression::Swizzle { vector, .. } => into.extend([*vector]),
        Expression::Load { pointer } | Expression::ArrayLength(pointer) => into.extend([*pointer]),
        Expression::Unary { expr, .. } | Expression::As { expr, .. } => into.extend([*expr]),
        Expression::Binary { left, right, .. } => into.extend([*left, *right]),
        Expression::Select { condition, accept, reject } => into.extend([*condition, *accept, *reject]),
        Expression::Relational { argument, .. } => into.extend([*argument]),
        Expression::Math { arg, arg1, arg2, arg3, .. } => {
            into.insert(*arg);
            into.extend([arg1, arg2, arg3].into_iter().flatten());
        }
        _ => {}
    }
}
