//! Statements: how facts and control flow go through a body.

use std::collections::HashMap;

use naga::{Barrier, Block, Expression, Handle, Statement, SwitchValue};

use super::state::State;
use super::value::{Activation, Place};
use super::{Analysis, DEPTH_MAX, Fact, Flow, Split, subgroup};
use crate::diag::Span;

/// Two ways meet; one that never arrives says nothing.
fn meet(a: Option<State>, b: Option<State>) -> Option<State> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.join(&b)),
        (a, b) => a.or(b),
    }
}

/// A loop or switch around the current statement.
struct Frame {
    is_loop: bool,
    breaks: Option<State>,
    continues: Option<State>,
}

/// A body while it is being looked at.
pub(super) struct Run<'a> {
    pub(super) act: Activation<'a>,
    frames: Vec<Frame>,
    /// Who is no longer here because control was split: first those that returned, then
    /// for each frame those that broke out of it and those that continued it.
    gone: Vec<Flow>,
    /// States at the head of each loop, by the address of its body.
    heads: HashMap<usize, State>,
    pub(super) result: Fact,
    pub(super) exit: Option<State>,
}

impl<'a> Run<'a> {
    pub(super) fn new(act: Activation<'a>) -> Self {
        Self { act, frames: Vec::new(), gone: vec![None], heads: HashMap::new(), result: None, exit: None }
    }

    /// Split by a condition around the statement, or by whoever left before it.
    fn flow(&self, base: Flow) -> Flow {
        base.or_else(|| self.gone.iter().copied().find(Option::is_some).flatten())
    }

    fn leave(&mut self, slot: usize, base: Flow, span: naga::Span) {
        let left = self.flow(base).map(|split| Split { left: split.left.or(Span::of(span)), ..split });
        self.gone[slot] = self.gone[slot].or(left);
    }

    fn push(&mut self, is_loop: bool) {
        self.frames.push(Frame { is_loop, breaks: None, continues: None });
        self.gone.extend([None, None]);
    }

    fn pop(&mut self) -> Frame {
        self.gone.truncate(self.gone.len() - 2);
        self.frames.pop().unwrap_or_else(|| unreachable!("invariant uniform-frames: every pop has its push"))
    }

    /// The frame that `break` leaves, or the one that `continue` does.
    fn target(&self, of_continue: bool) -> usize {
        let found = self.frames.iter().rposition(|frame| frame.is_loop || !of_continue);
        found.unwrap_or_else(|| unreachable!("invariant program-valid: naga checks where a jump may stand"))
    }

    /// Split by a condition, too. An argument that is the condition has the place of its
    /// declaration; the keyword at the start of the statement tells more.
    fn split_on(&self, base: Flow, fact: Fact, condition: Handle<Expression>, keyword: Option<Span>) -> Flow {
        let expressions = &self.act.function.expressions;
        let own = Span::of(expressions.get_span(condition));
        let is_argument = matches!(expressions[condition], Expression::FunctionArgument(_));
        let condition = if is_argument { keyword.or(own) } else { own };
        base.or(fact.map(|cause| Split { cause, condition, left: None }))
    }
}

/// The word that a statement starts with.
fn keyword(statement: naga::Span, word: &str) -> Option<Span> {
    Span::of(statement).map(|span| Span { end: span.start + word.len() as u32, ..span })
}

fn union(mut a: Vec<Flow>, b: &[Flow]) -> Vec<Flow> {
    a.iter_mut().zip(b).for_each(|(a, b)| *a = a.or(*b));
    a
}

impl Analysis<'_> {
    /// Goes through a block that `base` splits; `None` if its end is never reached.
    pub(super) fn block(&mut self, run: &mut Run<'_>, block: &Block, state: State, base: Flow) -> Option<State> {
        self.depth += 1;
        let mut state = Some(state);
        for (statement, span) in block.span_iter() {
            if self.depth > DEPTH_MAX {
                self.too_deep(*span);
            }
            if self.beyond.is_some() {
                break;
            }
            let Some(here) = state else { break };
            state = self.statement(run, (statement, *span), here, base);
        }
        self.depth -= 1;
        state
    }

    fn statement(
        &mut self,
        run: &mut Run<'_>,
        (statement, span): (&Statement, naga::Span),
        mut state: State,
        base: Flow,
    ) -> Option<State> {
        match *statement {
            Statement::Emit(ref range) => {
                for handle in range.clone() {
                    let fact = self.evaluate(&run.act, &state, handle);
                    if let Expression::Load { .. } = run.act.function.expressions[handle] {
                        self.see((run.act.id, handle), fact, run.flow(base));
                    }
                    run.act.values[handle.index()] = fact;
                }
            }
            Statement::Block(ref body) => return self.block(run, body, state, base),
            Statement::If { condition, ref accept, ref reject } => {
                let flow = run.split_on(base, self.fact(&run.act, condition), condition, keyword(span, "if"));
                let before = run.gone.clone();
                let accepted = self.block(run, accept, state.clone(), flow);
                let left = std::mem::replace(&mut run.gone, before);
                let rejected = self.block(run, reject, state, flow);
                run.gone = union(left, &run.gone);
                return meet(accepted, rejected);
            }
            Statement::Switch { selector, ref cases } => {
                let flow = run.split_on(base, self.fact(&run.act, selector), selector, keyword(span, "switch"));
                return self.switch(run, cases, state, flow);
            }
            Statement::Loop { ref body, ref continuing, break_if } => {
                return self.repeat(run, (body, continuing, break_if), state, base);
            }
            Statement::Break => {
                let target = run.target(false);
                run.leave(1 + 2 * target, base, span);
                run.frames[target].breaks = meet(run.frames[target].breaks.take(), Some(state));
                return None;
            }
            Statement::Continue => {
                let target = run.target(true);
                run.leave(2 + 2 * target, base, span);
                run.frames[target].continues = meet(run.frames[target].continues.take(), Some(state));
                return None;
            }
            Statement::Return { value } => {
                let fact = value.and_then(|value| self.fact(&run.act, value));
                run.result = run.result.or(fact).or(run.flow(base).map(|split| split.cause));
                run.leave(0, base, span);
                run.exit = meet(run.exit.take(), Some(state));
                return None;
            }
            Statement::Kill => return None,
            Statement::ControlBarrier(kind) => {
                if self.scope == super::Scope::Workgroup && kind != Barrier::SUB_GROUP {
                    self.barrier(barrier_name(kind), span, run.flow(base));
                }
                self.meet(statement, span, run.flow(base));
            }
            Statement::Store { pointer, value } => {
                let fact = self.fact(&run.act, value);
                self.store(run, &mut state, pointer, fact, base);
            }
            Statement::Atomic { pointer, result, .. } => {
                if let (Place::Global(buffer), _) = run.act.place(pointer) {
                    self.note_write(&state.since, buffer);
                }
                let fact = Some(self.cause(span, "depends on the result of an atomic operation"));
                set(run, result, fact);
            }
            Statement::WorkGroupUniformLoad { pointer, result } => {
                if self.scope == super::Scope::Workgroup {
                    self.barrier("workgroupUniformLoad", span, run.flow(base));
                    let address = self.fact(&run.act, pointer);
                    self.uniform_load(span, address);
                    set(run, Some(result), None);
                } else {
                    let fact = Some(self.cause(span, "depends on workgroup memory"));
                    set(run, Some(result), fact);
                }
            }
            Statement::Call { function, ref arguments, result } => {
                let flow = run.flow(base);
                let fact = self.call(run, (function, arguments), &mut state, flow, span);
                if let Some(result) = result {
                    self.see((run.act.id, result), fact, flow);
                }
                set(run, result, fact);
            }
            Statement::SubgroupBallot { result, .. }
            | Statement::SubgroupGather { result, .. }
            | Statement::SubgroupCollectiveOperation { result, .. } => {
                self.meet(statement, span, run.flow(base));
                let same = self.scope == super::Scope::Subgroup && subgroup::is_shared(statement);
                let fact = (!same).then(|| self.cause(span, "depends on the result of a subgroup operation"));
                set(run, Some(result), fact);
            }
            Statement::MemoryBarrier(_)
            | Statement::ImageStore { .. }
            | Statement::ImageAtomic { .. }
            | Statement::RayQuery { .. }
            | Statement::RayPipelineFunction(_)
            | Statement::CooperativeStore { .. } => {}
        }
        Some(state)
    }

    fn store(&mut self, run: &Run<'_>, state: &mut State, pointer: Handle<Expression>, value: Fact, base: Flow) {
        let address = self.fact(&run.act, pointer);
        let stored = value.or(address).or(run.flow(base).map(|split| split.cause));
        let (place, whole) = run.act.place(pointer);
        let held = match place {
            Place::Local(handle) => &mut state.locals[handle.index()],
            Place::Cell(index) => &mut state.cells[index],
            // What others see varies whatever is stored there.
            Place::Global(buffer) => return self.note_write(&state.since, buffer),
            Place::Opaque => return,
        };
        *held = if whole { stored } else { held.or(stored) };
    }

    fn switch(&mut self, run: &mut Run<'_>, cases: &[naga::SwitchCase], state: State, flow: Flow) -> Option<State> {
        run.push(false);
        let before = run.gone.clone();
        let mut all_gone = before.clone();
        let mut falling: Option<State> = None;
        let mut end: Option<State> = None;
        for case in cases {
            // Whoever left in another case was never in this one, unless it falls through.
            if falling.is_none() {
                run.gone.clone_from(&before);
            }
            let enter = meet(falling.take(), Some(state.clone())).unwrap_or_default();
            let out = self.block(run, &case.body, enter, flow);
            all_gone = union(all_gone, &run.gone);
            if case.fall_through { falling = out } else { end = meet(end, out) }
        }
        let has_default = cases.iter().any(|case| case.value == SwitchValue::Default);
        let skipped = if has_default { None } else { Some(state) };
        run.gone = all_gone;
        let frame = run.pop();
        meet(meet(end, falling), meet(frame.breaks, skipped))
    }

    fn repeat(
        &mut self,
        run: &mut Run<'_>,
        (body, continuing, break_if): (&Block, &Block, Option<Handle<Expression>>),
        state: State,
        base: Flow,
    ) -> Option<State> {
        let key = std::ptr::from_ref(body).addr();
        let mut head = match run.heads.get(&key) {
            Some(known) => state.join(known),
            None => state,
        };
        run.push(true);
        let (broke, continued) = (run.gone.len() - 2, run.gone.len() - 1);
        loop {
            let gone = run.gone.clone();
            let end = self.block(run, body, head.clone(), base);
            // Those that continued are together again with those that came to the end.
            run.gone[continued] = None;
            let continues = run.frames.last_mut().and_then(|frame| frame.continues.take());
            let end = meet(end, continues).and_then(|state| self.block(run, continuing, state, base));
            let Some(back) = end else { break };
            if let Some(condition) = break_if {
                let flow = run.split_on(base, self.fact(&run.act, condition), condition, None);
                run.leave(broke, flow, naga::Span::UNDEFINED);
                let frame = run.frames.last_mut().unwrap_or_else(|| unreachable!("invariant uniform-frames"));
                frame.breaks = meet(frame.breaks.take(), Some(back.clone()));
            }
            let same_gone = gone.iter().zip(&run.gone).all(|(old, new)| old.is_some() || new.is_none());
            if self.beyond.is_some() || (head.covers(&back) && same_gone) {
                break;
            }
            head = head.join(&back);
        }
        run.heads.insert(key, head);
        run.pop().breaks
    }
}

fn set(run: &mut Run<'_>, result: Option<Handle<Expression>>, fact: Fact) {
    if let Some(handle) = result {
        run.act.values[handle.index()] = fact;
    }
}

fn barrier_name(kind: Barrier) -> &'static str {
    if kind == Barrier::STORAGE {
        "storageBarrier"
    } else if kind == Barrier::TEXTURE {
        "textureBarrier"
    } else {
        "workgroupBarrier"
    }
}
