//! Ways through a module that need no recursion.

use naga::{Block, Expression, Function, GlobalVariable, Handle, Module, Span, Statement};

/// Both ways to borrow them share the one list of statements without blocks.
macro_rules! blocks_of {
    ($statement:expr, $cases:ident, $body:expr) => {
        match $statement {
            Statement::Block(body) => vec![body],
            Statement::If { accept, reject, .. } => vec![accept, reject],
            Statement::Switch { cases, .. } => cases.$cases().map($body).collect(),
            Statement::Loop { body, continuing, .. } => vec![body, continuing],
            Statement::Emit(_)
            | Statement::Break
            | Statement::Continue
            | Statement::Return { .. }
            | Statement::Kill
            | Statement::ControlBarrier(_)
            | Statement::MemoryBarrier(_)
            | Statement::Store { .. }
            | Statement::ImageStore { .. }
            | Statement::Atomic { .. }
            | Statement::ImageAtomic { .. }
            | Statement::WorkGroupUniformLoad { .. }
            | Statement::Call { .. }
            | Statement::RayQuery { .. }
            | Statement::RayPipelineFunction(_)
            | Statement::SubgroupBallot { .. }
            | Statement::SubgroupGather { .. }
            | Statement::SubgroupCollectiveOperation { .. }
            | Statement::CooperativeStore { .. } => Vec::new(),
        }
    };
}

/// The blocks right inside a statement, in the order of the text.
pub fn blocks(statement: &Statement) -> Vec<&Block> {
    blocks_of!(statement, iter, |case| &case.body)
}

/// The blocks right inside a statement, to be changed.
pub fn blocks_mut(statement: &mut Statement) -> Vec<&mut Block> {
    blocks_of!(statement, iter_mut, |case| &mut case.body)
}

/// Every statement of a body, each before those inside it.
pub fn statements(body: &Block) -> Vec<(&Statement, Span)> {
    let mut out = Vec::new();
    let mut open = vec![body.span_iter()];
    while let Some(block) = open.last_mut() {
        let Some((statement, span)) = block.next() else {
            open.pop();
            continue;
        };
        out.push((statement, *span));
        open.extend(blocks(statement).into_iter().rev().map(Block::span_iter));
    }
    out
}

/// The helper functions that `entry` calls, directly or not, in the order of the module.
pub fn helpers(module: &Module, entry: &Function) -> Vec<Handle<Function>> {
    let mut reached = vec![false; module.functions.len()];
    let mut open = vec![entry];
    while let Some(function) = open.pop() {
        for (statement, _) in statements(&function.body) {
            if let Statement::Call { function, .. } = statement
                && !std::mem::replace(&mut reached[function.index()], true)
            {
                open.push(&module.functions[*function]);
            }
        }
    }
    module.functions.iter().map(|(handle, _)| handle).filter(|handle| reached[handle.index()]).collect()
}

/// The module-scope variable that a pointer points into; `None` for a local, or an argument.
pub(super) fn global_root(function: &Function, mut pointer: Handle<Expression>) -> Option<Handle<GlobalVariable>> {
    while let Expression::Access { base, .. } | Expression::AccessIndex { base, .. } = function.expressions[pointer] {
        pointer = base;
    }
    match function.expressions[pointer] {
        Expression::GlobalVariable(handle) => Some(handle),
        _ => None,
    }
}
