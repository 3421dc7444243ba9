//! Ways through a module that need no recursion.

use naga::{Block, Expression, Function, GlobalVariable, Handle, LocalVariable, Module, Span, Statement};

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

/// What an expression is on the way from a pointer to its variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Link {
    /// A part of what another points to, at an index that is worked out.
    Element {
        /// The other.
        base: Handle<Expression>,
        /// Which part.
        index: Handle<Expression>,
    },
    /// The same, at an index that is known.
    Member {
        /// The other.
        base: Handle<Expression>,
        /// Which part.
        index: u32,
    },
    /// A variable of the module.
    Global(Handle<GlobalVariable>),
    /// A variable of the function.
    Local(Handle<LocalVariable>),
    /// What the caller gives.
    Argument(u32),
    /// Nothing of the kind: a value.
    Value,
}

/// What an expression is on the way from a pointer to its variable.
pub fn link(expression: &Expression) -> Link {
    match *expression {
        Expression::Access { base, index } => Link::Element { base, index },
        Expression::AccessIndex { base, index } => Link::Member { base, index },
        Expression::GlobalVariable(variable) => Link::Global(variable),
        Expression::LocalVariable(variable) => Link::Local(variable),
        Expression::FunctionArgument(at) => Link::Argument(at),
        Expression::Literal(_)
        | Expression::Constant(_)
        | Expression::Override(_)
        | Expression::ZeroValue(_)
        | Expression::Compose { .. }
        | Expression::Splat { .. }
        | Expression::Swizzle { .. }
        | Expression::Load { .. }
        | Expression::ImageSample { .. }
        | Expression::ImageLoad { .. }
        | Expression::ImageQuery { .. }
        | Expression::Unary { .. }
        | Expression::Binary { .. }
        | Expression::Select { .. }
        | Expression::Derivative { .. }
        | Expression::Relational { .. }
        | Expression::Math { .. }
        | Expression::As { .. }
        | Expression::CallResult(_)
        | Expression::AtomicResult { .. }
        | Expression::WorkGroupUniformLoadResult { .. }
        | Expression::ArrayLength(_)
        | Expression::RayQueryVertexPositions { .. }
        | Expression::RayQueryProceedResult
        | Expression::RayQueryGetIntersection { .. }
        | Expression::SubgroupBallotResult
        | Expression::SubgroupOperationResult { .. }
        | Expression::CooperativeLoad { .. }
        | Expression::CooperativeMultiplyAdd { .. } => Link::Value,
    }
}

/// Where a pointer starts: the first link of its chain that is no part of another.
pub fn root(function: &Function, mut pointer: Handle<Expression>) -> Link {
    loop {
        match link(&function.expressions[pointer]) {
            Link::Element { base, .. } | Link::Member { base, .. } => pointer = base,
            root @ (Link::Global(_) | Link::Local(_) | Link::Argument(_) | Link::Value) => return root,
        }
    }
}

/// The module-scope variable that a pointer points into; `None` for a local, or an argument.
pub(super) fn global_root(function: &Function, pointer: Handle<Expression>) -> Option<Handle<GlobalVariable>> {
    if let Link::Global(variable) = root(function, pointer) { Some(variable) } else { None }
}
