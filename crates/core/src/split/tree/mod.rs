//! A kernel as control around its grid barriers.
//!
//! Helpers that have barriers are written out where they are called, and whatever has a barrier
//! inside is taken apart into [`Node`]s; all else stays as it is. `break`, `continue` and `return`
//! cannot leave what the schedule runs, so those that do become a number in a variable, `jump`
//! (0 if there is none), and what they jump over is done only if it is 0 (Erosa and Hendren,
//! "Taming control flow", 1994). `jump` is set to 0 before each statement that may set it, so that
//! it means nothing anywhere else and is seldom kept across a cut.

mod node;
mod inline;
mod switch;
mod trips;

use std::collections::HashMap;

use naga::{
    BinaryOperator, Block, Expression, Function, Handle, Literal, LocalVariable, Module, Range, Span, Statement, Type,
};

use self::inline::mapped;
use self::node::{branch, guarded, plain};
use super::cutting::cutting;
use crate::diag;
use crate::program::walk;

pub(super) use self::node::{Jumps, Node, arms, boundaries, continues, go_on, jumps, leave, leaves, seal};

/// What a function is made of when it is taken apart; more is added while that goes on.
pub(super) struct Tree<'m> {
    module: &'m mut Module,
    /// As it was, to walk through while the module's types grow.
    source: &'m Module,
    /// The entry point's arguments, and the variables and expressions of all that is written out.
    pub(super) function: Function,
    /// Variables that hold the results of calls that were written out.
    pub(super) results: HashMap<Handle<Expression>, Handle<LocalVariable>>,
    pub(super) jump: Handle<LocalVariable>,
    word: Handle<Type>,
    cutting: Vec<bool>,
    regions: u32,
    inlined: usize,
}

/// A loop, a switch or a function that jumps leave.
#[derive(Clone, Copy)]
enum Target {
    /// One with barriers: its jumps are numbers.
    Region { region: u32, is_loop: bool },
    /// One without, as it was.
    Native { is_loop: bool },
}

/// A function while it is taken apart.
struct Frame<'m> {
    /// As it was.
    source: &'m Function,
    /// Where its expressions are now, if not where they were.
    map: Option<Vec<Handle<Expression>>>,
    region: u32,
    result: Option<Handle<LocalVariable>>,
    targets: Vec<Target>,
    /// Whether a `return` ends the kernel, with nothing to be done after it.
    ends: bool,
}

impl Frame<'_> {
    fn at(&self, handle: Handle<Expression>) -> Handle<Expression> {
        self.map.as_ref().map_or(handle, |map| map[handle.index()])
    }

    fn is_native(&self) -> bool {
        matches!(self.targets.last(), Some(Target::Native { .. }))
    }
}

type List<'m> = [(&'m Statement, Span)];

/// Why a kernel cannot be taken apart.
pub(super) struct TooLarge {
    pub(super) function: String,
    pub(super) span: Option<diag::Span>,
}

impl<'m> Tree<'m> {
    /// The first entry point of a module, `source`, of which `module` is a copy.
    pub(super) fn new(module: &'m mut Module, source: &'m Module) -> Self {
        let word = module
            .types
            .insert(Type { name: None, inner: naga::TypeInner::Scalar(naga::Scalar::U32) }, Span::UNDEFINED);
        let mut function = source.entry_points[0].function.clone();
        let jump = LocalVariable { name: None, ty: word, init: None };
        let jump = function.local_variables.append(jump, Span::UNDEFINED);
        let cutting = cutting(source);
        Self { module, source, function, results: HashMap::new(), jump, word, cutting, regions: 0, inlined: 0 }
    }

    /// Takes it apart.
    pub(super) fn nodes(&mut self) -> Result<Vec<Node>, TooLarge> {
        let mut out = Vec::new();
        let source = &self.source.entry_points[0].function;
        let (map, region, targets) = (None, self.region(), Vec::new());
        let mut frame = Frame { source, map, region, result: None, targets, ends: false };
        let list: Vec<_> = source.body.span_iter().map(|(statement, span)| (statement, *span)).collect();
        let end = leave(frame.region);
        self.list(&mut frame, &list, Some(end), true, &mut out)?;
        Ok(out)
    }

    fn region(&mut self) -> u32 {
        self.regions += 1;
        self.regions - 1
    }

    fn expression(&mut self, expression: Expression) -> Handle<Expression> {
        self.function.expressions.append(expression, Span::UNDEFINED)
    }

    /// Whether a statement has a barrier inside.
    fn cuts(&self, statement: &Statement) -> bool {
        let own = |statement: &Statement| matches!(statement, Statement::Call { function, .. } if self.cutting[function.index()]);
        own(statement)
            || walk::blocks(statement).iter().any(|body| walk::statements(body).iter().any(|(inner, _)| own(inner)))
    }

    /// `jump = number`.
    pub(super) fn set_jump(&mut self, number: u32) -> [Node; 1] {
        let pointer = self.expression(Expression::LocalVariable(self.jump));
        let value = self.expression(Expression::Literal(Literal::U32(number)));
        let jumps = Some(number).filter(|&number| number != 0).into_iter().collect();
        [Node::Do { statement: Statement::Store { pointer, value }, span: Span::UNDEFINED, jumps }]
    }

    /// A comparison of `jump` with a number, and the statement that makes it.
    pub(super) fn test_jump(&mut self, op: BinaryOperator, number: u32) -> (Handle<Expression>, Statement) {
        let pointer = self.expression(Expression::LocalVariable(self.jump));
        let right = self.expression(Expression::Literal(Literal::U32(number)));
        let left = self.expression(Expression::Load { pointer });
        let test = self.expression(Expression::Binary { op, left, right });
        (test, Statement::Emit(Range::new_from_bounds(left, test)))
    }

    fn leap(&mut self, frame: &Frame<'_>, number: u32, out: &mut Vec<Node>) {
        out.extend(self.set_jump(number));
        if frame.is_native() {
            out.push(plain(Statement::Break));
        }
    }

    /// Takes statements apart. `tail` is the jump that does what coming to their end does, `top` says
    /// that they are those of the entry point itself. Says whether the end is never reached.
    fn list(
        &mut self,
        frame: &mut Frame<'m>,
        list: &List<'m>,
        tail: Option<u32>,
        top: bool,
        out: &mut Vec<Node>,
    ) -> Result<bool, TooLarge> {
        let last = list.iter().rposition(|(statement, _)| self.cuts(statement));
        for (at, &(statement, span)) in list.iter().enumerate() {
            frame.ends = top && last.is_none_or(|last| at > last);
            let rest = &list[at + 1..];
            let tail_here = tail.filter(|_| rest.is_empty());
            let (cuts, escapes) = (self.cuts(statement), escapes(frame, statement, false, false));
            if top && rest.is_empty() && matches!(statement, Statement::Return { .. }) {
                return Ok(true);
            }
            if !cuts && !escapes {
                out.push(Node::Do { statement: mapped(frame, statement), span, jumps: Jumps::new() });
                if matches!(statement, Statement::Break | Statement::Continue | Statement::Return { .. }) {
                    return Ok(true);
                }
                continue;
            }
            match statement {
                Statement::Break | Statement::Continue => {
                    let number = target(frame, matches!(statement, Statement::Continue));
                    if tail_here != Some(number) {
                        self.leap(frame, number, out);
                    }
                    return Ok(true);
                }
                Statement::Return { value } => {
                    if let (Some(value), Some(variable)) = (value, frame.result) {
                        let pointer = self.expression(Expression::LocalVariable(variable));
                        let statement = Statement::Store { pointer, value: frame.at(*value) };
                        out.push(Node::Do { statement, span, jumps: Jumps::new() });
                    }
                    if tail_here != Some(leave(frame.region)) {
                        self.leap(frame, leave(frame.region), out);
                    }
                    return Ok(true);
                }
                Statement::Emit(_)
                | Statement::Block(_)
                | Statement::If { .. }
                | Statement::Switch { .. }
                | Statement::Loop { .. }
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
            let (mut within, mut parts) = (Vec::new(), None);
            match statement {
                Statement::Block(body) => drop(self.block(frame, body, tail_here, &mut within)?),
                Statement::If { condition, accept, reject } => {
                    let condition = frame.at(*condition);
                    let (mut one, mut other) = (Vec::new(), Vec::new());
                    let accept_ends = self.block(frame, accept, tail_here, &mut one)?;
                    let reject_ends = self.block(frame, reject, tail_here, &mut other)?;
                    let left = [jumps(&one), jumps(&other)];
                    // Where one arm always leaves and the other never, what follows is part of the other.
                    parts = match (accept_ends, reject_ends) {
                        (true, false) if left[1].is_empty() => Some((condition, true, left[0].clone())),
                        (false, true) if left[0].is_empty() => Some((condition, false, left[1].clone())),
                        _ => None,
                    };
                    branch(condition, one, other, span, &mut within);
                }
                Statement::Switch { selector, cases } => self.switch(frame, (*selector, cases), span, &mut within)?,
                Statement::Loop { body, continuing, break_if } => {
                    self.repeat(frame, &list[..at], (body, continuing, *break_if), span, &mut within)?;
                }
                Statement::Call { function, arguments, result } => {
                    self.inline(frame, (*function, arguments, *result), span, &mut within)?;
                }
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
                | Statement::RayQuery { .. }
                | Statement::RayPipelineFunction(_)
                | Statement::SubgroupBallot { .. }
                | Statement::SubgroupGather { .. }
                | Statement::SubgroupCollectiveOperation { .. }
                | Statement::CooperativeStore { .. } => {
                    unreachable!("invariant lifted: {statement:?} has neither barriers nor jumps")
                }
            }
            let left = jumps(&within);
            let native = frame.is_native();
            if !left.is_empty() && !native {
                out.extend(self.set_jump(0));
            }
            out.append(&mut within);
            if left.is_empty() || rest.is_empty() {
                continue;
            }
            if native {
                // Jumps in loops and switches inside have left those only.
                if !matches!(statement, Statement::If { .. } | Statement::Block(_)) {
                    let (test, emit) = self.test_jump(BinaryOperator::NotEqual, 0);
                    let mut accept = Block::new();
                    accept.push(Statement::Break, Span::UNDEFINED);
                    out.push(plain(emit));
                    out.push(plain(Statement::If { condition: test, accept, reject: Block::new() }));
                }
                continue;
            }
            let (condition, zero, unless) = if let Some(parts) = parts {
                parts
            } else {
                let (test, emit) = self.test_jump(BinaryOperator::Equal, 0);
                out.push(plain(emit));
                (test, false, left)
            };
            let mut body = Vec::new();
            let ends = self.list(frame, rest, tail, top, &mut body)?;
            guarded(condition, zero, unless, body, out);
            return Ok(ends);
        }
        Ok(false)
    }

    fn block(
        &mut self,
        frame: &mut Frame<'m>,
        body: &'m Block,
        tail: Option<u32>,
        out: &mut Vec<Node>,
    ) -> Result<bool, TooLarge> {
        let list: Vec<_> = body.span_iter().map(|(statement, span)| (statement, *span)).collect();
        let ends = std::mem::replace(&mut frame.ends, false);
        let left = self.list(frame, &list, tail, false, out);
        frame.ends = ends;
        left
    }

    fn repeat(
        &mut self,
        frame: &mut Frame<'m>,
        before: &List<'m>,
        (body, continuing, break_if): (&'m Block, &'m Block, Option<Handle<Expression>>),
        span: Span,
        out: &mut Vec<Node>,
    ) -> Result<(), TooLarge> {
        let cuts = [body, continuing].iter().any(|block| block.iter().any(|statement| self.cuts(statement)));
        let (mut one, mut other) = (Vec::new(), Vec::new());
        if !cuts {
            frame.targets.push(Target::Native { is_loop: true });
            self.block(frame, body, None, &mut one)?;
            self.block(frame, continuing, None, &mut other)?;
            frame.targets.pop();
            let jumps = jumps(&one);
            let (body, continuing) = (seal(one), seal(other));
            let statement = Statement::Loop { body, continuing, break_if: break_if.map(|handle| frame.at(handle)) };
            out.push(Node::Do { statement, span, jumps });
            return Ok(());
        }
        let region = self.region();
        let trips = trips::trips(self.source, frame.source, before, (body, continuing)).filter(|_| break_if.is_none());
        frame.targets.push(Target::Region { region, is_loop: true });
        self.block(frame, body, Some(go_on(region)), &mut one)?;
        self.block(frame, continuing, None, &mut other)?;
        frame.targets.pop();
        if let Some(condition) = break_if {
            let accept = seal(self.set_jump(leave(region)).into());
            other.extend(self.set_jump(0));
            let statement = Statement::If { condition: frame.at(condition), accept, reject: Block::new() };
            other.push(Node::Do { statement, span: Span::UNDEFINED, jumps: [leave(region)].into() });
        }
        out.push(Node::Loop { region, trips, body: one, continuing: other });
        self.land(region, out);
        Ok(())
    }

    /// Behind a region: whoever left it goes on.
    fn land(&mut self, region: u32, out: &mut Vec<Node>) {
        let jumps = jumps(out);
        if jumps.iter().all(|&to| to == leave(region)) {
            out.extend(self.set_jump(0));
        } else {
            out.extend(self.reset_jump(leave(region)));
        }
        out.push(Node::Land(leave(region)));
    }

    /// `if jump == number { jump = 0 }`.
    pub(super) fn reset_jump(&mut self, number: u32) -> [Node; 2] {
        let (condition, emit) = self.test_jump(BinaryOperator::Equal, number);
        let accept = seal(self.set_jump(0).into());
        [plain(emit), plain(Statement::If { condition, accept, reject: Block::new() })]
    }

    fn local(&mut self, name: &str, scalar: naga::Scalar) -> Handle<LocalVariable> {
        let ty = Type { name: None, inner: naga::TypeInner::Scalar(scalar) };
        let ty = if scalar == naga::Scalar::U32 { self.word } else { self.module.types.insert(ty, Span::UNDEFINED) };
        let variable = LocalVariable { name: Some(name.to_owned()), ty, init: None };
        self.function.local_variables.append(variable, Span::UNDEFINED)
    }
}

/// Whether a statement has a jump that leaves a region, where it stands in loops and switches of its own.
fn escapes(frame: &Frame<'_>, statement: &Statement, in_loop: bool, in_switch: bool) -> bool {
    let region = |of_continue: bool| {
        let found = frame.targets.iter().rev().find(|target| match target {
            Target::Region { is_loop, .. } | Target::Native { is_loop } => *is_loop || !of_continue,
        });
        matches!(found, Some(Target::Region { .. }))
    };
    let (in_loop, in_switch) = match statement {
        Statement::Return { .. } => return !frame.ends,
        Statement::Break => return !in_loop && !in_switch && region(false),
        Statement::Continue => return !in_loop && region(true),
        Statement::Loop { .. } => (true, in_switch),
        Statement::Switch { .. } => (in_loop, true),
        Statement::Emit(_)
        | Statement::Block(_)
        | Statement::If { .. }
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
        | Statement::CooperativeStore { .. } => (in_loop, in_switch),
    };
    walk::blocks(statement).iter().any(|body| body.iter().any(|inner| escapes(frame, inner, in_loop, in_switch)))
}

/// What a `break` or a `continue` that leaves a region is.
fn target(frame: &Frame<'_>, of_continue: bool) -> u32 {
    let found = frame.targets.iter().rev().find_map(|target| match *target {
        Target::Region { region, is_loop } if is_loop || !of_continue => Some(region),
        Target::Region { .. } | Target::Native { .. } => None,
    });
    let region = found.unwrap_or_else(|| unreachable!("invariant escapes: the jump leaves a region"));
    if of_continue { go_on(region) } else { leave(region) }
}
