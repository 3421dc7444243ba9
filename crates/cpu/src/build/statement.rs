//! Statements: control flow becomes the tree of regions.

use naga::{AtomicFunction, Block, Expression, Handle, Statement};
use seawall_core::diag::Span;

use super::{Builder, Expr, Frame};
use crate::ir::{Atomic, Binary, Bound, End, Node, Op, Subgroup, Ty};

impl<'a> Builder<'a> {
    pub(super) fn block(&mut self, frame: &mut Frame<'a>, block: &'a Block) {
        self.statements(frame, block, 0);
    }

    pub(super) fn statements(&mut self, frame: &mut Frame<'a>, block: &'a Block, skip: usize) {
        for (statement, span) in block.span_iter().skip(skip) {
            if self.dead {
                return;
            }
            self.statement(frame, statement, *span);
        }
    }

    fn statement(&mut self, frame: &mut Frame<'a>, statement: &'a Statement, span: naga::Span) {
        self.span = Span::of(span).or(self.span);
        match statement {
            Statement::Emit(range) => self.emit_range(frame, range),
            Statement::Block(block) => self.block(frame, block),
            Statement::If { condition, accept, reject } => {
                let condition = self.value(frame, *condition);
                self.branch(condition, |this, arm| this.block(frame, if arm { accept } else { reject }));
            }
            Statement::Switch { selector, cases } => self.switch(frame, *selector, cases),
            Statement::Loop { body, continuing, break_if } => {
                self.repeat(frame, body, continuing, *break_if, Span::of(span));
            }
            Statement::Break => self.leave(frame.breaks.last().expect("invariant breaks: inside a loop or switch")),
            Statement::Continue => self.leave(frame.continues.last().expect("invariant continues: inside a loop")),
            Statement::Return { value } => {
                let values = match (value, frame.result.clone()) {
                    (None, _) => Vec::new(),
                    (Some(value), None) => self.values(frame, *value),
                    (Some(value), Some(result)) => {
                        let value = self.expr(frame, *value);
                        self.write(&result, &value);
                        Vec::new()
                    }
                };
                let End::Jump(label, mut args) = self.jump(&frame.exit) else { unreachable!("a jump is a jump") };
                args.extend(values);
                self.end(End::Jump(label, args));
            }
            Statement::ControlBarrier(kind) if *kind == naga::Barrier::SUB_GROUP => {
                self.emit(Ty::U32, Op::Subgroup(Subgroup::Fence, Vec::new()));
            }
            Statement::SubgroupBallot { predicate, result } => self.ballot(frame, *predicate, *result),
            Statement::SubgroupGather { mode, argument, result } => self.gather(frame, *mode, *argument, *result),
            Statement::SubgroupCollectiveOperation { op, collective_op, argument, result } => {
                self.collect(frame, (*op, *collective_op), *argument, *result);
            }
            Statement::ControlBarrier(_) => self.push(Node::Barrier),
            Statement::MemoryBarrier(_) => {}
            Statement::Store { pointer, value } => {
                let value = self.expr(frame, *value);
                let place = self.place(frame, *pointer);
                self.write(&place, &value);
            }
            Statement::Atomic { pointer, fun, value, result } => {
                self.atomic(frame, *pointer, *fun, *value, *result);
            }
            Statement::WorkGroupUniformLoad { pointer, result } => {
                let place = self.place(frame, *pointer);
                self.push(Node::Barrier);
                let value = self.read(&place, true);
                self.push(Node::Barrier);
                self.bind(frame, *result, value);
            }
            Statement::Call { function, arguments, result } => {
                let args: Vec<Expr> = arguments.iter().map(|&arg| self.expr(frame, arg)).collect();
                let (fun, info) = (&self.module.functions[*function], &self.kernel.info()[*function]);
                let is_called = self.callees.contains_key(function);
                let same = is_called && result.is_some_and(|result| self.is_uniform(frame.id, result));
                let values = self.run(*function, &args, same).map(Expr::Values);
                let value = values.unwrap_or_else(|| self.inline(Some(*function), (fun, info), args));
                if let Some(result) = result {
                    self.bind(frame, *result, value);
                }
            }
            other @ (Statement::Kill
            | Statement::ImageStore { .. }
            | Statement::ImageAtomic { .. }
            | Statement::RayQuery { .. }
            | Statement::RayPipelineFunction(_)
            | Statement::CooperativeStore { .. }) => {
                unreachable!("invariant compute-only: {other:?} is refused before compilation")
            }
        }
    }

    pub(super) fn emit_range(&mut self, frame: &mut Frame<'a>, range: &naga::Range<Expression>) {
        for handle in range.clone() {
            self.span = Span::of(frame.fun.expressions.get_span(handle)).or(self.span);
            let expr = self.evaluate(frame, handle);
            self.bind(frame, handle, expr);
        }
    }

    /// Remembers what an expression stands for, in `env` too if it must cross a join; a large value is
    /// in memory, where it stays.
    pub(super) fn bind(&mut self, frame: &mut Frame<'a>, handle: Handle<Expression>, mut expr: Expr) {
        if let Expr::Values(values) = &expr {
            let inner = self.inner(frame, handle);
            if self.is_large(&inner) {
                expr = Expr::Kept(self.keep(&inner, values));
            }
        }
        if let (Some(at), Expr::Values(values)) = (frame.carried.get(&handle), &expr) {
            self.env[at.clone()].copy_from_slice(values);
        }
        frame.exprs[handle.index()] = Some(expr);
    }

    fn atomic(
        &mut self,
        frame: &mut Frame<'a>,
        pointer: Handle<Expression>,
        fun: AtomicFunction,
        value: Handle<Expression>,
        result: Option<Handle<Expression>>,
    ) {
        let value = self.value(frame, value);
        let mut comparand = None;
        let fun = match fun {
            AtomicFunction::Add => Atomic::Add,
            AtomicFunction::Subtract => Atomic::Sub,
            AtomicFunction::And => Atomic::And,
            AtomicFunction::ExclusiveOr => Atomic::Xor,
            AtomicFunction::InclusiveOr => Atomic::Or,
            AtomicFunction::Min => Atomic::Min,
            AtomicFunction::Max => Atomic::Max,
            AtomicFunction::Exchange { compare: None } => Atomic::Exchange,
            AtomicFunction::Exchange { compare: Some(compare) } => {
                comparand = Some(self.value(frame, compare));
                Atomic::CompareExchange
            }
        };
        let place = self.place(frame, pointer);
        let (at, ty) = self.address(&place);
        let terms = at.terms.clone();
        let old = self.emit(ty, Op::Atomic { at, fun, value, compare: comparand, when: None });
        let Some(result) = result else { return };
        let mut values = vec![old];
        if let Some(comparand) = comparand {
            // Outside its memory nothing is exchanged, even if the zero that it gives compares equal.
            let mut exchanged = self.binary(Binary::Eq, old, comparand);
            for term in terms {
                let bound = match term.bound {
                    Bound::Const(bound) => self.u32(bound),
                    Bound::Length { buffer } => self.length(buffer),
                };
                let inside = self.binary(Binary::Lt, term.index, bound);
                exchanged = self.binary(Binary::And, exchanged, inside);
            }
            values.push(exchanged);
        }
        self.bind(frame, result, Expr::Values(values));
    }
}
