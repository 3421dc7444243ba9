//! Loops, which test at the bottom.

use std::collections::BTreeSet;

use naga::{Block, Expression, Handle, Statement};
use seawall_core::diag::Span;
use seawall_core::program::operands;

use super::uses::Uses;
use super::{Builder, Expr, Frame, Join};
use crate::ir::{End, LabelKind, Node, Region, Unary};

/// The test at the top of a `while` or `for`, which is moved to the bottom.
struct Header<'b> {
    /// How many statements it takes.
    len: usize,
    condition: Handle<Expression>,
    /// Whether the loop goes on when the condition holds.
    stay: bool,
    emits: Vec<&'b naga::Range<Expression>>,
}

fn header(body: &Block) -> Option<Header<'_>> {
    let mut emits = Vec::new();
    for (i, statement) in body.iter().enumerate() {
        match statement {
            Statement::Emit(range) => emits.push(range),
            Statement::If { condition, accept, reject } => {
                let breaks = |block: &Block| matches!(&block[..], [Statement::Break]);
                let stay = match (accept.is_empty(), reject.is_empty()) {
                    (true, false) if breaks(reject) => true,
                    (false, true) if breaks(accept) => false,
                    _ => return None,
                };
                return Some(Header { len: i + 1, condition: *condition, stay, emits });
            }
            Statement::Block(_)
            | Statement::Switch { .. }
            | Statement::Loop { .. }
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
            | Statement::CooperativeStore { .. } => return None,
        }
    }
    None
}

impl<'a> Builder<'a> {
    pub(super) fn repeat(
        &mut self,
        frame: &mut Frame<'a>,
        body: &'a Block,
        continuing: &'a Block,
        break_if: Option<Handle<Expression>>,
        span: Option<Span>,
    ) {
        let header = header(body).filter(|header| {
            // What the test computes must not be wanted in the loop, where it would be stale.
            let made = Uses::of(frame.fun, &body[..header.len]).made;
            let used = Uses::of(frame.fun, body[header.len..].iter().chain(continuing)).used;
            made.is_disjoint(&used) && break_if.is_none_or(|condition| !made.contains(&condition))
        });
        let before = self.env.len();
        let made = Uses::of(frame.fun, body);
        let mut needed = Uses::of(frame.fun, continuing);
        needed.used.extend(break_if);
        let carried = self.carry(frame, &made, &needed);
        let vars = self.written(frame, body.iter().chain(continuing));
        let exit = self.meeting(LabelKind::Block, vars);
        let head = Join { label: self.label(LabelKind::Loop), ..exit.clone() };
        let next = Join { label: self.label(LabelKind::Block), ..exit.clone() };
        self.f.loops.push((head.label, span));
        self.open.push(Vec::new());
        if let Some(header) = &header {
            self.test(frame, header, &exit);
        }
        let init = self.arguments(&head);
        let params = self.params(&head);
        self.open.push(Vec::new());
        frame.breaks.push(exit.clone());
        frame.continues.push(next.clone());
        self.open.push(Vec::new());
        self.statements(frame, body, header.as_ref().map_or(0, |header| header.len));
        let end = self.finish(|this| End::Fall(this.arguments(&next)));
        self.close_block(&next, end, &[]);
        frame.continues.pop();
        self.recall(frame, &carried);
        self.block(frame, continuing);
        if let Some(condition) = break_if {
            let condition = self.value(frame, condition);
            self.leave_if(condition, &exit);
        }
        if let Some(header) = &header {
            self.test(frame, header, &exit);
        }
        frame.breaks.pop();
        let end = self.finish(|this| this.jump(&head));
        let nodes = self.open.pop().expect("invariant build-open: the loop is open");
        self.push(Node::Loop { label: head.label, params, init, body: Region { nodes, end } });
        self.close_block(&exit, End::Unreachable, &[]);
        for handle in &carried {
            frame.carried.remove(handle);
        }
        self.env.truncate(before);
    }

    /// Leaves the loop unless its condition says to stay.
    fn test(&mut self, frame: &mut Frame<'a>, header: &Header<'_>, exit: &Join) {
        for range in &header.emits {
            self.emit_range(frame, range);
        }
        let condition = self.value(frame, header.condition);
        self.span = Span::of(frame.fun.expressions.get_span(header.condition)).or(self.span);
        let leave = if header.stay { self.unary(Unary::Not, condition) } else { condition };
        self.leave_if(leave, exit);
    }

    /// Makes room in `env` for what `continuing` needs of the body's expressions.
    fn carry(&mut self, frame: &mut Frame<'a>, made: &Uses, needed: &Uses) -> Vec<Handle<Expression>> {
        let mut work: Vec<Handle<Expression>> = needed.used.intersection(&made.made).copied().collect();
        let mut all = BTreeSet::new();
        while let Some(handle) = work.pop() {
            if all.insert(handle) && self.is_pointer(frame, handle) {
                // A place is found again from its indices.
                let named = operands::named(&frame.fun.expressions[handle]);
                work.extend(named.into_iter().filter(|named| made.made.contains(named)));
            }
        }
        all.retain(|&handle| self.is_pointer(frame, handle) || !self.is_large(&self.inner(frame, handle)));
        for &handle in &all {
            if !self.is_pointer(frame, handle) {
                let inner = self.inner(frame, handle);
                let zeros = self.zeros(&inner);
                let start = self.env.len();
                self.env.extend(zeros);
                frame.carried.insert(handle, start..self.env.len());
            }
        }
        all.into_iter().collect()
    }

    fn is_pointer(&self, frame: &Frame<'a>, handle: Handle<Expression>) -> bool {
        let ty = frame.info[handle].ty.inner_with(&self.module.types);
        matches!(ty, naga::TypeInner::Pointer { .. } | naga::TypeInner::ValuePointer { .. })
    }

    /// After the body: its expressions are what every way out of it brought.
    fn recall(&mut self, frame: &mut Frame<'a>, carried: &[Handle<Expression>]) {
        for &handle in carried {
            let expr = match frame.carried.get(&handle) {
                Some(at) => Expr::Values(self.env[at.clone()].to_vec()),
                None => self.evaluate(frame, handle),
            };
            frame.exprs[handle.index()] = Some(expr);
        }
    }
}
