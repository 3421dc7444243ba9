//! Ways through a module that need no recursion.

use naga::{Block, Expression, Function, GlobalVariable, Handle, Module, Span, Statement};

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
        match statement {
            Statement::Block(body) => open.push(body.span_iter()),
            Statement::If { accept, reject, .. } => open.extend([reject.span_iter(), accept.span_iter()]),
            Statement::Switch { cases, .. } => open.extend(cases.iter().rev().map(|case| case.body.span_iter())),
            Statement::Loop { body, continuing, .. } => open.extend([continuing.span_iter(), body.span_iter()]),
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
            | Statement::CooperativeStore { .. } => {}
        }
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
