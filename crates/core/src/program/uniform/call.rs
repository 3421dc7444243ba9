//! Functions: an entry point, and helpers in the contexts that they are called in.

use std::rc::Rc;

use naga::{Expression, Function, Handle, LocalVariable, TypeInner};

use super::super::grid;
use super::flow::Run;
use super::state::State;
use super::value::{Activation, Place};
use super::{Analysis, Argument, CALLS_MAX, Context, Fact, Flow, Outcome, Scope};
use crate::diag::Span;

/// A variable of the caller that is passed by pointer.
#[derive(PartialEq)]
enum Passed {
    Local(Handle<LocalVariable>),
    Cell(usize),
}

impl Analysis<'_> {
    /// Looks at an entry point, all of whose invocations start together; of its variables, those in
    /// `held` vary from the start. Gives what is known of them at the end.
    pub(super) fn entry(&mut self, function: &Function, held: &[bool]) -> Vec<Fact> {
        let cause = self.cause(naga::Span::UNDEFINED, "depends on what was there before");
        let mut locals = vec![None; function.local_variables.len()];
        locals.iter_mut().zip(held).filter(|(_, held)| **held).for_each(|(fact, _)| *fact = Some(cause));
        if self.intervals {
            self.start(function, locals.clone());
            self.settled = true;
            self.known.clear();
            self.reported.clear();
            self.found.clear();
        }
        self.start(function, locals).locals
    }

    fn start(&mut self, function: &Function, locals: Vec<Fact>) -> Outcome {
        let state = State { locals, cells: vec![None; self.privates.len()], since: [0].into() };
        let values = vec![None; function.expressions.len()];
        let privates = self.privates.clone();
        self.function(Activation { function, id: None, arguments: None, values, privates }, state, None)
    }

    fn function(&mut self, act: Activation<'_>, state: State, flow: Flow) -> Outcome {
        let function = act.function;
        for (handle, expression) in function.expressions.iter() {
            if let Expression::FunctionArgument(_) = expression {
                let fact = self.fact(&act, handle);
                self.see((act.id, handle), fact, flow);
            }
        }
        let mut run = Run::new(act);
        let end = self.block(&mut run, &function.body, state, flow);
        let exit = match (run.exit, end) {
            (Some(exit), Some(end)) => Some(exit.join(&end)),
            (exit, end) => exit.or(end),
        };
        let State { locals, cells, since } = exit.unwrap_or_default();
        Outcome { result: run.result, locals, cells, since }
    }

    /// A call in `flow`: the fact of its result, and what it does to the caller's variables.
    pub(super) fn call(
        &mut self,
        run: &Run<'_>,
        (function, passed): (Handle<Function>, &[Handle<Expression>]),
        state: &mut State,
        flow: Flow,
        span: naga::Span,
    ) -> Fact {
        if grid::is_barrier(&self.module.functions[function]) {
            if self.scope == Scope::Grid {
                self.barrier("gridBarrier", span, flow);
            }
            state.since = [self.barrier_number(span, 0)].into();
            return None;
        }
        let privates = self.privates.len();
        let cells = state.cells[..privates].to_vec();
        let mut context = Context { function, flow, arguments: Vec::new(), cells, since: state.since.clone() };
        let mut variables: Vec<Passed> = (0..privates).map(Passed::Cell).collect();
        for (argument, &expression) in self.module.functions[function].arguments.iter().zip(passed) {
            let fact = self.fact(&run.act, expression);
            let inner = &self.module.types[argument.ty].inner;
            if !matches!(inner, TypeInner::Pointer { .. } | TypeInner::ValuePointer { .. }) {
                context.arguments.push(Argument::Value(fact));
                continue;
            }
            let (place, whole) = run.act.place(expression);
            let (variable, held) = match place {
                Place::Local(handle) => (Passed::Local(handle), state.locals[handle.index()]),
                Place::Cell(index) => (Passed::Cell(index), state.cells[index]),
                Place::Global(handle) => {
                    context.arguments.push(Argument::Global(handle, fact));
                    continue;
                }
                Place::Opaque => {
                    context.arguments.push(Argument::Value(fact));
                    continue;
                }
            };
            // Two pointers into one variable share its cell.
            let index = variables.iter().position(|known| *known == variable).unwrap_or_else(|| {
                variables.push(variable);
                context.cells.push(held);
                variables.len() - 1
            });
            context.arguments.push(Argument::Cell { index, whole, address: fact });
        }
        let outcome = self.outcome(context, span);
        for (variable, &fact) in variables.iter().zip(&outcome.cells) {
            match *variable {
                Passed::Local(handle) => state.locals[handle.index()] = fact,
                Passed::Cell(index) => state.cells[index] = fact,
            }
        }
        let passed = |&barrier: &u32| {
            if state.since.contains(&barrier) { barrier } else { self.barrier_number(span, barrier) }
        };
        state.since = outcome.since.iter().map(passed).collect();
        outcome.result
    }

    fn outcome(&mut self, context: Context, span: naga::Span) -> Rc<Outcome> {
        if let Some(known) = self.known.get(&context) {
            return known.clone();
        }
        if self.known.len() >= CALLS_MAX {
            self.too_many(span);
        }
        self.calls.push(Span::of(span));
        let module = self.module;
        let function = &module.functions[context.function];
        let locals = vec![None; function.local_variables.len()];
        let state = State { locals, cells: context.cells.clone(), since: context.since.clone() };
        let act = Activation {
            function,
            id: Some(context.function),
            arguments: Some(context.arguments.clone()),
            values: vec![None; function.expressions.len()],
            privates: self.privates.clone(),
        };
        let outcome = Rc::new(self.function(act, state, context.flow));
        self.calls.pop();
        self.known.insert(context, outcome.clone());
        outcome
    }
}
