//! Facts of expressions.

use std::collections::BTreeMap;
use std::rc::Rc;

use naga::{Expression, Function, GlobalVariable, Handle, LocalVariable, TypeInner};

use super::state::State;
use super::{Analysis, Argument, Fact};
use crate::program::walk::{self, Link};

/// A function while it is being looked at.
pub(super) struct Activation<'a> {
    pub(super) function: &'a Function,
    /// A helper's; `None` for an entry point.
    pub(super) id: Option<Handle<Function>>,
    /// As passed; `None` for an entry point, whose arguments are inputs.
    pub(super) arguments: Option<Vec<Argument>>,
    /// By expression: of the value, or of the address if it is a pointer.
    pub(super) values: Vec<Fact>,
    /// The cells of private variables that are followed.
    pub(super) privates: Rc<BTreeMap<Handle<GlobalVariable>, usize>>,
}

/// What a pointer points into.
pub(super) enum Place {
    Local(Handle<LocalVariable>),
    Cell(usize),
    Global(Handle<GlobalVariable>),
    /// Nothing that a program can load from or store to.
    Opaque,
}

impl Activation<'_> {
    /// The variable behind a pointer, and whether it is the whole of it.
    pub(super) fn place(&self, mut pointer: Handle<Expression>) -> (Place, bool) {
        let mut whole = true;
        loop {
            match walk::link(&self.function.expressions[pointer]) {
                Link::Element { base, .. } | Link::Member { base, .. } => {
                    whole = false;
                    pointer = base;
                }
                Link::Local(handle) => return (Place::Local(handle), whole),
                Link::Global(handle) => {
                    let cell = self.privates.get(&handle).map(|&cell| Place::Cell(cell));
                    return (cell.unwrap_or(Place::Global(handle)), whole);
                }
                Link::Argument(index) => {
                    return match self.arguments.as_ref().map(|arguments| &arguments[index as usize]) {
                        Some(Argument::Cell { index, whole: all, .. }) => (Place::Cell(*index), whole && *all),
                        Some(Argument::Global(handle, _)) => (Place::Global(*handle), whole),
                        Some(Argument::Value(_)) | None => (Place::Opaque, whole),
                    };
                }
                Link::Value => return (Place::Opaque, whole),
            }
        }
    }
}

impl Analysis<'_> {
    /// The fact of an expression that has been evaluated, or needs no evaluation.
    pub(super) fn fact(&mut self, act: &Activation<'_>, handle: Handle<Expression>) -> Fact {
        let Expression::FunctionArgument(index) = act.function.expressions[handle] else {
            return act.values[handle.index()];
        };
        match act.arguments.as_ref().map(|arguments| &arguments[index as usize]) {
            Some(Argument::Value(fact) | Argument::Global(_, fact) | Argument::Cell { address: fact, .. }) => *fact,
            None => self.entry_argument(act.function, index, handle),
        }
    }

    /// An input as a whole: a struct varies if a member does.
    fn entry_argument(&mut self, function: &Function, index: u32, handle: Handle<Expression>) -> Fact {
        let argument = &function.arguments[index as usize];
        let span = function.expressions.get_span(handle);
        if let TypeInner::Struct { members, .. } = &self.module.types[argument.ty].inner {
            members.iter().fold(None, |fact, member| fact.or(self.input(member.binding.as_ref(), span)))
        } else {
            self.input(argument.binding.as_ref(), span)
        }
    }

    /// One member of an input that is a struct has a fact of its own.
    fn entry_member(&mut self, act: &Activation<'_>, base: Handle<Expression>, member: u32) -> Option<Fact> {
        let Expression::FunctionArgument(index) = act.function.expressions[base] else { return None };
        let argument = &act.function.arguments[index as usize];
        let module = self.module;
        let TypeInner::Struct { members, .. } = &module.types[argument.ty].inner else { return None };
        if act.arguments.is_some() {
            return None;
        }
        let span = act.function.expressions.get_span(base);
        Some(self.input(members[member as usize].binding.as_ref(), span))
    }

    /// Evaluates an expression where it is emitted.
    pub(super) fn evaluate(&mut self, act: &Activation<'_>, state: &State, handle: Handle<Expression>) -> Fact {
        let span = act.function.expressions.get_span(handle);
        let mut of = |operands: &[Option<Handle<Expression>>]| {
            operands.iter().flatten().fold(None, |fact: Fact, &operand| fact.or(self.fact(act, operand)))
        };
        match act.function.expressions[handle] {
            Expression::Literal(_)
            | Expression::Constant(_)
            | Expression::Override(_)
            | Expression::ZeroValue(_)
            | Expression::GlobalVariable(_)
            | Expression::LocalVariable(_)
            | Expression::ArrayLength(_) => None,
            Expression::FunctionArgument(_) => self.fact(act, handle),
            Expression::Compose { ref components, .. } => {
                components.iter().fold(None, |fact, &part| fact.or(self.fact(act, part)))
            }
            Expression::Access { base, index } => of(&[Some(base), Some(index)]),
            Expression::AccessIndex { base, index } => {
                self.entry_member(act, base, index).unwrap_or_else(|| self.fact(act, base))
            }
            Expression::Splat { value, .. } => of(&[Some(value)]),
            Expression::Swizzle { vector, .. } => of(&[Some(vector)]),
            Expression::Load { pointer } => {
                let address = of(&[Some(pointer)]);
                address.or_else(|| self.content(act, state, pointer, span))
            }
            Expression::Unary { expr, .. } | Expression::As { expr, .. } | Expression::Derivative { expr, .. } => {
                of(&[Some(expr)])
            }
            Expression::Binary { left, right, .. } => of(&[Some(left), Some(right)]),
            Expression::Select { condition, accept, reject } => of(&[Some(condition), Some(accept), Some(reject)]),
            Expression::Relational { argument, .. } => of(&[Some(argument)]),
            Expression::Math { arg, arg1, arg2, arg3, .. } => of(&[Some(arg), arg1, arg2, arg3]),
            // Bound by their statements.
            Expression::CallResult(_)
            | Expression::AtomicResult { .. }
            | Expression::WorkGroupUniformLoadResult { .. }
            | Expression::RayQueryProceedResult
            | Expression::SubgroupBallotResult
            | Expression::SubgroupOperationResult { .. } => act.values[handle.index()],
            // Refused where their resources are bound: any answer does.
            Expression::ImageSample { .. }
            | Expression::ImageLoad { .. }
            | Expression::ImageQuery { .. }
            | Expression::RayQueryVertexPositions { .. }
            | Expression::RayQueryGetIntersection { .. }
            | Expression::CooperativeLoad { .. }
            | Expression::CooperativeMultiplyAdd { .. } => Some(self.cause(span, "depends on what is not a buffer")),
        }
    }

    fn content(&mut self, act: &Activation<'_>, state: &State, pointer: Handle<Expression>, span: naga::Span) -> Fact {
        match act.place(pointer).0 {
            Place::Local(handle) => state.locals[handle.index()],
            Place::Cell(index) => state.cells[index],
            Place::Global(handle) => self.memory(handle, &state.since, span),
            Place::Opaque => Some(self.cause(span, "depends on what is not a buffer")),
        }
    }
}
