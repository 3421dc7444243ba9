//! Statements: control flow becomes the tree of regions.

use std::collections::BTreeSet;

use naga::{AtomicFunction, Block, Expression, Handle, Statement, SwitchCase, SwitchValue};
use seawall_core::diag::Span;
use seawall_core::program::operands;

use super::uses::Uses;
use super::{Builder, Expr, Frame, Join};
use crate::cost;
use crate::ir::{Atomic, Binary, Bound, End, LabelKind, Node, Op, Region, Subgroup, Ty, Unary, Value};

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
    pub(super) fn block(&mut self, frame: &mut Frame<'a>, block: &'a Block) {
        self.statements(frame, block, 0);
    }

    fn statements(&mut self, frame: &mut Frame<'a>, block: &'a Block, skip: usize) {
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

    fn emit_range(&mut self, frame: &mut Frame<'a>, range: &naga::Range<Expression>) {
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

    /// An `if`; `arm` builds the side it is asked for.
    fn branch(&mut self, condition: Value, mut arm: impl FnMut(&mut Self, bool)) {
        let before = self.env.clone();
        let [accept, reject] = [true, false].map(|side| {
            self.open.push(Vec::new());
            arm(self, side);
            self.arm(&before)
        });
        self.merge(condition, before, accept, reject);
    }

    /// An `if` without `else`.
    fn only_if(&mut self, condition: Value, arm: impl FnOnce(&mut Self)) {
        let mut arm = Some(arm);
        self.branch(condition, |this, side| {
            if let (true, Some(arm)) = (side, arm.take()) {
                arm(this);
            }
        });
    }

    /// Leaves for a label if a condition holds.
    fn leave_if(&mut self, condition: Value, join: &Join) {
        self.only_if(condition, |this| this.leave(join));
    }

    /// Ends an arm and goes back to how things were before it.
    fn arm(&mut self, before: &[Value]) -> Arm {
        let nodes = self.open.pop().expect("invariant build-open: the arm is open");
        let env = std::mem::replace(&mut self.env, before.to_vec());
        Arm { nodes, env, dead: std::mem::take(&mut self.dead), end: self.pending.take() }
    }

    /// Joins two arms: where they differ, the `if` has a result.
    fn merge(&mut self, condition: Value, before: Vec<Value>, accept: Arm, reject: Arm) {
        let differs = |i: usize| {
            let changed = |arm: &Arm| !arm.dead && arm.env[i] != before[i];
            changed(&accept) || changed(&reject)
        };
        let joined: Vec<usize> = (0..before.len()).filter(|&i| differs(i)).collect();
        let results: Vec<Value> = joined.iter().map(|&i| self.define(self.f.ty(before[i]), Op::Param)).collect();
        let close = |arm: Arm| {
            let fall = || End::Fall(joined.iter().map(|&i| arm.env[i]).collect());
            let end = if arm.dead { arm.end.unwrap_or(End::Unreachable) } else { fall() };
            Region { nodes: arm.nodes, end }
        };
        let dead = accept.dead && reject.dead;
        let (accept, reject) = (close(accept), close(reject));
        self.env = before;
        for (&i, &result) in joined.iter().zip(&results) {
            self.env[i] = result;
        }
        self.push(Node::If { condition, accept, reject, results });
        self.dead = dead;
    }

    /// Nothing comes after this in the region.
    fn end(&mut self, end: End) {
        if let End::Jump(label, _) = &end {
            self.jumped.insert(*label);
        }
        self.pending = Some(end);
        self.dead = true;
    }

    fn leave(&mut self, join: &Join) {
        let end = self.jump(join);
        self.end(end);
    }

    fn repeat(
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

    /// The end of the current region: the jump that made it dead, or else what follows.
    pub(super) fn finish(&mut self, otherwise: impl FnOnce(&Self) -> End) -> End {
        if std::mem::take(&mut self.dead) { self.pending.take().unwrap_or(End::Unreachable) } else { otherwise(self) }
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

    fn switch(&mut self, frame: &mut Frame<'a>, selector: Handle<Expression>, cases: &'a [SwitchCase]) {
        let selector = self.value(frame, selector);
        let vars = self.written(frame, cases.iter().flat_map(|case| &case.body));
        let exit = self.meeting(LabelKind::Block, vars);
        self.open.push(Vec::new());
        frame.breaks.push(exit.clone());
        let mut default = None;
        let mut groups = Vec::new();
        let mut first = 0;
        while first < cases.len() {
            // Empty cases that fall through share the body of the one they fall into.
            let mut last = first;
            while cases[last].fall_through && cases[last].body.is_empty() && last + 1 < cases.len() {
                last += 1;
            }
            let group = &cases[first..=last];
            if group.iter().any(|case| case.value == SwitchValue::Default) {
                default = Some(last);
            } else {
                groups.push((group, last));
            }
            first = last + 1;
        }
        if groups.len() <= cost::CASES_IN_A_ROW {
            for (group, last) in groups {
                let condition = self.any_case(selector, group);
                self.only_if(condition, |this| this.case(frame, cases, last, &exit));
            }
        } else {
            let (selector, sorted) = self.one_each(selector, &groups);
            self.halve(frame, selector, &sorted, cases, &exit);
        }
        if let Some(at) = default {
            self.case(frame, cases, at, &exit);
        }
        frame.breaks.pop();
        let end = self.finish(|this| End::Fall(this.arguments(&exit)));
        self.close_block(&exit, end, &[]);
    }

    /// A selector that has one value for each group of cases, and those values in ascending order,
    /// each with the last of its cases.
    fn one_each(&mut self, mut selector: Value, groups: &[(&[SwitchCase], usize)]) -> (Value, Vec<(u64, usize)>) {
        let ty = self.f.ty(selector);
        let given = selector;
        let mut sorted = Vec::with_capacity(groups.len());
        for &(group, last) in groups {
            let bits = case_bits(&group[0]);
            if let others @ [_, ..] = &group[1..] {
                let condition = self.any_case(given, others);
                let first = self.constant(ty, bits);
                selector = self.select(condition, first, selector);
            }
            sorted.push((bits, last));
        }
        let signed = ty == Ty::I32;
        sorted.sort_by_key(|&(bits, _)| if signed { i64::from(bits as i32) } else { i64::from(bits as u32) });
        (selector, sorted)
    }

    /// Which of many cases it is, by comparing with the one in the middle again and again.
    fn halve(
        &mut self,
        frame: &mut Frame<'a>,
        selector: Value,
        sorted: &[(u64, usize)],
        cases: &'a [SwitchCase],
        exit: &Join,
    ) {
        let ty = self.f.ty(selector);
        if sorted.len() <= cost::CASES_IN_A_ROW {
            for &(bits, last) in sorted {
                let value = self.constant(ty, bits);
                let condition = self.binary(Binary::Eq, selector, value);
                self.only_if(condition, |this| this.case(frame, cases, last, exit));
            }
            return;
        }
        let (low, high) = sorted.split_at(sorted.len() / 2);
        let middle = self.constant(ty, high[0].0);
        let below = self.binary(Binary::Lt, selector, middle);
        self.branch(below, |this, side| this.halve(frame, selector, if side { low } else { high }, cases, exit));
    }

    fn any_case(&mut self, selector: Value, group: &[SwitchCase]) -> Value {
        let ty = self.f.ty(selector);
        let mut any = None;
        for case in group {
            let value = self.constant(ty, case_bits(case));
            let same = self.binary(Binary::Eq, selector, value);
            any = Some(any.map_or(same, |any| self.binary(Binary::Or, any, same)));
        }
        any.expect("invariant switch: a group has a case")
    }

    /// The body of a case and of those that it falls into, then out of the switch.
    fn case(&mut self, frame: &mut Frame<'a>, cases: &'a [SwitchCase], first: usize, exit: &Join) {
        for case in &cases[first..] {
            self.block(frame, &case.body);
            if self.dead || !case.fall_through {
                break;
            }
        }
        if !self.dead {
            self.leave(exit);
        }
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

/// The selector's bits in a case that is not the default.
fn case_bits(case: &SwitchCase) -> u64 {
    match case.value {
        SwitchValue::I32(x) => u64::from(x as u32),
        SwitchValue::U32(x) => u64::from(x),
        SwitchValue::Default => unreachable!("invariant switch: the default is no value of the selector"),
    }
}

/// One side of an `if`, built.
struct Arm {
    nodes: Vec<Node>,
    env: Vec<Value>,
    dead: bool,
    end: Option<End>,
}
