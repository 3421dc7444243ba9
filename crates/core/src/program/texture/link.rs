//! A function of one module, in another.
//!
//! What the rewriting calls is written in WGSL and read by naga as a module of its own. Its functions
//! use nothing but numbers, vectors, local variables, each other, and global variables that stand for
//! those of the program, so that few of the things that a function can name have to be found again.

use std::collections::HashMap;

use naga::{ArraySize, Block, Expression, Function, GlobalVariable, Handle, Module, Span, Statement, TypeInner};

/// What the names of a module stand for in the other one.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub(super) variables: HashMap<&'static str, Handle<GlobalVariable>>,
    pub(super) functions: HashMap<&'static str, Handle<Function>>,
}

/// Reads the text and gives its function `name`, as one of `module`. Nothing of it has a place in the source.
pub(super) fn function(module: &mut Module, text: &str, name: &str, names: &Names) -> Function {
    #[cfg(test)]
    let text = &super::mutant::text(text);
    let read = naga::front::wgsl::parse_str(text);
    let from =
        read.unwrap_or_else(|error| unreachable!("invariant texture-text: it is WGSL: {}", error.emit_to_string(text)));
    let found = from.functions.iter().find(|(_, function)| function.name.as_deref() == Some(name));
    let Some((_, function)) = found else { unreachable!("invariant texture-text: it has `{name}`") };
    let mut link = Link { from: &from, to: module, names };
    link.function(function)
}

struct Link<'a> {
    from: &'a Module,
    to: &'a mut Module,
    names: &'a Names,
}

impl Link<'_> {
    fn ty(&mut self, handle: Handle<naga::Type>) -> Handle<naga::Type> {
        let mut ty = self.from.types[handle].clone();
        if let TypeInner::Array { base, size: ArraySize::Constant(_) | ArraySize::Dynamic, .. } = &mut ty.inner {
            *base = self.ty(*base);
        }
        self.to.types.insert(ty, Span::UNDEFINED)
    }

    fn function(&mut self, function: &Function) -> Function {
        let mut function = function.clone();
        function.arguments.iter_mut().for_each(|argument| argument.ty = self.ty(argument.ty));
        function.result.iter_mut().for_each(|result| result.ty = self.ty(result.ty));
        function.local_variables.iter_mut().for_each(|(_, variable)| variable.ty = self.ty(variable.ty));
        for (_, mut expression, _) in std::mem::take(&mut function.expressions).drain() {
            self.expression(&mut expression);
            function.expressions.append(expression, Span::UNDEFINED);
        }
        function.body = self.block(function.body);
        function
    }

    fn expression(&mut self, expression: &mut Expression) {
        match expression {
            Expression::ZeroValue(ty) | Expression::Compose { ty, .. } => *ty = self.ty(*ty),
            Expression::GlobalVariable(variable) => {
                let name = self.from.global_variables[*variable].name.as_deref().unwrap_or_default();
                *variable = self.names.variables[name];
            }
            Expression::CallResult(function) => *function = self.callee(*function),
            Expression::Literal(_)
            | Expression::FunctionArgument(_)
            | Expression::LocalVariable(_)
            | Expression::Access { .. }
            | Expression::AccessIndex { .. }
            | Expression::Splat { .. }
            | Expression::Swizzle { .. }
            | Expression::Load { .. }
            | Expression::Unary { .. }
            | Expression::Binary { .. }
            | Expression::Select { .. }
            | Expression::Relational { .. }
            | Expression::Math { .. }
            | Expression::As { .. } => {}
            Expression::Constant(_)
            | Expression::Override(_)
            | Expression::ImageSample { .. }
            | Expression::ImageLoad { .. }
            | Expression::ImageQuery { .. }
            | Expression::Derivative { .. }
            | Expression::AtomicResult { .. }
            | Expression::WorkGroupUniformLoadResult { .. }
            | Expression::ArrayLength(_)
            | Expression::RayQueryVertexPositions { .. }
            | Expression::RayQueryProceedResult
            | Expression::RayQueryGetIntersection { .. }
            | Expression::SubgroupBallotResult
            | Expression::SubgroupOperationResult { .. }
            | Expression::CooperativeLoad { .. }
            | Expression::CooperativeMultiplyAdd { .. } => {
                unreachable!("invariant texture-text: it has plain expressions only")
            }
        }
    }

    fn callee(&self, function: Handle<Function>) -> Handle<Function> {
        let name = self.from.functions[function].name.as_deref().unwrap_or_default();
        self.names.functions[name]
    }

    fn block(&self, block: Block) -> Block {
        let mut linked = Block::with_capacity(block.len());
        for (mut statement, _) in block.span_into_iter() {
            match &mut statement {
                Statement::Call { function, .. } => *function = self.callee(*function),
                Statement::Block(inner) => *inner = self.block(std::mem::take(inner)),
                Statement::If { accept, reject, .. } => {
                    *accept = self.block(std::mem::take(accept));
                    *reject = self.block(std::mem::take(reject));
                }
                Statement::Emit(_) | Statement::Return { .. } | Statement::Store { .. } => {}
                Statement::Switch { .. }
                | Statement::Loop { .. }
                | Statement::Break
                | Statement::Continue
                | Statement::Kill
                | Statement::ControlBarrier(_)
                | Statement::MemoryBarrier(_)
                | Statement::ImageStore { .. }
                | Statement::Atomic { .. }
                | Statement::ImageAtomic { .. }
                | Statement::WorkGroupUniformLoad { .. }
                | Statement::RayQuery { .. }
                | Statement::RayPipelineFunction(_)
                | Statement::SubgroupBallot { .. }
                | Statement::SubgroupGather { .. }
                | Statement::SubgroupCollectiveOperation { .. }
                | Statement::CooperativeStore { .. } => {
                    unreachable!("invariant texture-text: it has plain statements only")
                }
            }
            linked.push(statement, Span::UNDEFINED);
        }
        linked
    }
}
