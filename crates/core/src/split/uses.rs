//! What a segment does to variables, its helpers included.
//!
//! A variable of an invocation is killed by a store to all of it. An array of workgroup memory is
//! killed when each invocation stores to the element of its own index and then comes to a barrier:
//! the whole workgroup comes there, each by way of such a store, so nothing of the old is left. Until
//! then the store is *pending*. States only rise on the way through a function, so the state before a
//! loop holds behind it, whatever happens inside.
//!
//! Helpers come before those that call them in a module. Each is looked at once, for both states that a
//! variable may be found in.

use std::collections::BTreeMap;

use naga::{
    AddressSpace, ArraySize, Barrier, Binding, Block, BuiltIn, Expression, Function, GlobalVariable, Handle, Module,
    Statement, TypeInner,
};

use super::place::{Place, Places};
use crate::program::walk::{self, Link};

/// What a segment does to variables.
#[derive(Debug, Default)]
pub(super) struct Uses {
    /// It looks at what it finds there.
    pub(super) reads: Places,
    /// Nothing of what was there is left.
    pub(super) kills: Places,
    /// It may change it.
    pub(super) changes: Places,
}

/// By segment.
pub(super) fn uses(module: &Module, size: [u32; 3], segments: &[&Function]) -> Vec<Uses> {
    let own = own_arguments(module, size, segments);
    let mut helpers: Vec<Option<Summary>> = (0..module.functions.len()).map(|_| None).collect();
    for helper in segments.iter().flat_map(|segment| walk::helpers(module, segment)) {
        if helpers[helper.index()].is_none() {
            let (function, own) = (&module.functions[helper], &own[helper.index()]);
            let summary = Walk::new(module, size, function, own, &helpers).summarize(false);
            helpers[helper.index()] = Some(summary);
        }
    }
    let uses = |segment: &&Function| {
        let own = entry_arguments(segment, size);
        let Summary { reads: [reads, _], changes, end } =
            Walk::new(module, size, segment, &own, &helpers).summarize(true);
        // All come to the end of a segment before any goes on.
        let kills = end.places.into_iter().filter(|(_, [state, _])| *state > State::Clean);
        Uses { reads, changes, kills: kills.map(|(place, _)| place).collect() }
    };
    segments.iter().map(uses).collect()
}

/// By argument of an entry point: whether it is the invocation's index in its workgroup.
fn entry_arguments(entry: &Function, size: [u32; 3]) -> Vec<bool> {
    let is_index = |binding: Option<&Binding>| match binding {
        Some(Binding::BuiltIn(BuiltIn::LocalInvocationIndex)) => true,
        Some(Binding::BuiltIn(BuiltIn::LocalInvocationId)) => size[1..] == [1, 1],
        Some(Binding::BuiltIn(_) | Binding::Location { .. }) | None => false,
    };
    entry.arguments.iter().map(|argument| is_index(argument.binding.as_ref())).collect()
}

/// By function and argument: whether all who call it give it the invocation's index.
fn own_arguments(module: &Module, size: [u32; 3], segments: &[&Function]) -> Vec<Vec<bool>> {
    let count = |function: &Function| function.arguments.len();
    let mut own: Vec<Vec<bool>> = module.functions.iter().map(|(_, function)| vec![true; count(function)]).collect();
    let add = |own: &mut [Vec<bool>], caller: &Function, arguments: &[bool]| {
        for (statement, _) in walk::statements(&caller.body) {
            if let Statement::Call { function, arguments: given, .. } = statement {
                let all = own[function.index()].iter_mut().zip(given);
                all.for_each(|(own, &given)| *own &= is_own(caller, arguments, given));
            }
        }
    };
    let mut reached: Vec<Handle<Function>> = Vec::new();
    for segment in segments {
        add(&mut own, segment, &entry_arguments(segment, size));
        reached.extend(walk::helpers(module, segment));
    }
    // Callers before those they call.
    reached.sort_unstable_by(|a, b| b.cmp(a));
    reached.dedup();
    for caller in reached {
        let arguments = own[caller.index()].clone();
        add(&mut own, &module.functions[caller], &arguments);
    }
    own
}

/// Whether an expression is the invocation's index, where these arguments are.
fn is_own(function: &Function, own: &[bool], expression: Handle<Expression>) -> bool {
    let is_id = |at: u32| {
        let binding = function.arguments[at as usize].binding.as_ref();
        matches!(binding, Some(Binding::BuiltIn(BuiltIn::LocalInvocationId)))
    };
    match walk::link(&function.expressions[expression]) {
        Link::Argument(at) => own[at as usize] && !is_id(at),
        Link::Member { base, index: 0 } => {
            matches!(function.expressions[base], Expression::FunctionArgument(at) if own[at as usize] && is_id(at))
        }
        Link::Member { .. } | Link::Element { .. } | Link::Global(_) | Link::Local(_) | Link::Value => false,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum State {
    /// As it was found.
    Clean,
    /// This invocation has stored its own element.
    Pending,
    /// Nothing is left of what was found.
    Killed,
}

/// How a variable may be found.
const FOUND: [State; 2] = [State::Clean, State::Pending];

/// Where a walk is.
#[derive(Debug, Default, Clone)]
struct Reached {
    /// There was a barrier on every way here.
    crossed: bool,
    /// For each state that it may have been found in; of others nothing is known but that.
    places: BTreeMap<Place, [State; 2]>,
}

impl Reached {
    fn of(&self, place: Place) -> [State; 2] {
        let found = FOUND.map(|state| if self.crossed { behind(state) } else { state });
        self.places.get(&place).copied().unwrap_or(found)
    }

    fn rise(&mut self, place: Place, to: State) {
        let states = self.of(place).map(|state| state.max(to));
        self.places.insert(place, states);
    }

    fn cross(&mut self) {
        self.crossed = true;
        self.places.values_mut().for_each(|states| *states = states.map(behind));
    }

    /// What holds on both ways.
    fn meet(&mut self, other: &Self) {
        let all: Places = self.places.keys().chain(other.places.keys()).copied().collect();
        let least = |place: Place| {
            let ([a, b], [c, d]) = (self.of(place), other.of(place));
            (place, [a.min(c), b.min(d)])
        };
        self.places = all.into_iter().map(least).collect();
        self.crossed &= other.crossed;
    }
}

/// A state behind a barrier of the workgroup.
fn behind(state: State) -> State {
    if state == State::Pending { State::Killed } else { state }
}

/// What a function does.
#[derive(Debug, Default)]
struct Summary {
    /// It looks at what it finds, for each state.
    reads: [Places; 2],
    changes: Places,
    end: Reached,
}

struct Walk<'a> {
    module: &'a Module,
    function: &'a Function,
    size: [u32; 3],
    /// By argument.
    own: &'a [bool],
    helpers: &'a [Option<Summary>],
    /// Its own variables count.
    locals: bool,
    summary: Summary,
    returns: Option<Reached>,
}

impl<'a> Walk<'a> {
    fn new(
        module: &'a Module,
        size: [u32; 3],
        function: &'a Function,
        own: &'a [bool],
        helpers: &'a [Option<Summary>],
    ) -> Self {
        Self { module, function, size, own, helpers, locals: false, summary: Summary::default(), returns: None }
    }

    fn summarize(mut self, locals: bool) -> Summary {
        self.locals = locals;
        let mut end = Reached::default();
        self.block(&self.function.body, &mut end);
        if let Some(returns) = &self.returns {
            end.meet(returns);
        }
        Summary { end, ..self.summary }
    }

    /// The variable behind a pointer.
    fn place(&self, pointer: Handle<Expression>) -> Option<Place> {
        match walk::root(self.function, pointer) {
            Link::Local(handle) => self.locals.then_some(Place::Local(handle)),
            Link::Global(handle) => global(self.module, handle),
            Link::Element { .. } | Link::Member { .. } | Link::Argument(_) | Link::Value => None,
        }
    }

    /// What a store does to the variable behind its pointer.
    fn stored(&self, pointer: Handle<Expression>, place: Place) -> State {
        match (walk::link(&self.function.expressions[pointer]), place) {
            (Link::Local(_) | Link::Global(_), Place::Local(_) | Place::Private(_)) => State::Killed,
            (Link::Element { base, index }, Place::Workgroup(variable)) => {
                let whole = matches!(self.function.expressions[base], Expression::GlobalVariable(_));
                let covers = whole && self.covers(variable) && is_own(self.function, self.own, index);
                if covers { State::Pending } else { State::Clean }
            }
            _ => State::Clean,
        }
    }

    /// Whether an array has an element for each invocation, and no more.
    fn covers(&self, variable: Handle<GlobalVariable>) -> bool {
        let invocations: u64 = self.size.iter().map(|&n| u64::from(n)).product();
        let ty = &self.module.types[self.module.global_variables[variable].ty];
        matches!(ty.inner, TypeInner::Array { size: ArraySize::Constant(count), .. } if u64::from(count.get()) <= invocations)
    }

    fn read(&mut self, pointer: Handle<Expression>, reached: &Reached) {
        let Some(place) = self.place(pointer) else { return };
        // Of what it has stored itself, an invocation sees nothing older.
        let new = if self.stored(pointer, place) == State::Pending { State::Pending } else { State::Killed };
        for (reads, state) in self.summary.reads.iter_mut().zip(reached.of(place)) {
            if state < new {
                reads.insert(place);
            }
        }
    }

    fn block(&mut self, block: &Block, reached: &mut Reached) {
        for statement in block {
            self.statement(statement, reached);
        }
    }

    fn statement(&mut self, statement: &Statement, reached: &mut Reached) {
        match statement {
            Statement::Emit(range) => {
                for handle in range.clone() {
                    if let Expression::Load { pointer } = self.function.expressions[handle] {
                        self.read(pointer, reached);
                    }
                }
            }
            Statement::Block(body) => self.block(body, reached),
            Statement::If { accept, reject, .. } => {
                let mut other = reached.clone();
                self.block(accept, reached);
                self.block(reject, &mut other);
                reached.meet(&other);
            }
            Statement::Switch { cases, .. } => {
                for case in cases {
                    self.block(&case.body, &mut reached.clone());
                }
            }
            Statement::Loop { body, continuing, .. } => {
                for block in [body, continuing] {
                    self.block(block, &mut reached.clone());
                }
            }
            Statement::Return { .. } => match &mut self.returns {
                Some(returns) => returns.meet(reached),
                None => self.returns = Some(reached.clone()),
            },
            Statement::ControlBarrier(barrier) => {
                if barrier.contains(Barrier::WORK_GROUP) {
                    reached.cross();
                }
            }
            Statement::Store { pointer, .. } => {
                if let Some(place) = self.place(*pointer) {
                    self.summary.changes.insert(place);
                    reached.rise(place, self.stored(*pointer, place));
                }
            }
            Statement::Atomic { pointer, .. } => {
                self.read(*pointer, reached);
                self.summary.changes.extend(self.place(*pointer));
            }
            Statement::WorkGroupUniformLoad { pointer, .. } => {
                reached.cross();
                self.read(*pointer, reached);
            }
            Statement::Call { function, arguments, .. } => {
                // Those that are no pointers lead nowhere.
                for &argument in arguments {
                    self.read(argument, reached);
                    self.summary.changes.extend(self.place(argument));
                }
                self.call(*function, reached);
            }
            Statement::Break
            | Statement::Continue
            | Statement::Kill
            | Statement::MemoryBarrier(_)
            | Statement::ImageStore { .. }
            | Statement::ImageAtomic { .. }
            | Statement::RayQuery { .. }
            | Statement::RayPipelineFunction(_)
            | Statement::SubgroupBallot { .. }
            | Statement::SubgroupGather { .. }
            | Statement::SubgroupCollectiveOperation { .. }
            | Statement::CooperativeStore { .. } => {}
        }
    }

    fn call(&mut self, function: Handle<Function>, reached: &mut Reached) {
        let Some(helper) = &self.helpers[function.index()] else {
            unreachable!("invariant ordered: helpers come before those that call them")
        };
        self.summary.changes.extend(&helper.changes);
        for (found, places) in FOUND.into_iter().zip(&helper.reads) {
            for &place in places {
                let here = reached.of(place);
                let reads = self.summary.reads.iter_mut().zip(here).filter(|(_, state)| *state == found);
                reads.for_each(|(reads, _)| reads.extend([place]));
            }
        }
        let before = reached.clone();
        if helper.end.crossed {
            reached.cross();
        }
        for (&place, &[clean, pending]) in &helper.end.places {
            let after = before.of(place).map(|state| match state {
                State::Clean => clean,
                State::Pending => pending,
                State::Killed => State::Killed,
            });
            reached.places.insert(place, after);
        }
    }
}

fn global(module: &Module, handle: Handle<GlobalVariable>) -> Option<Place> {
    match module.global_variables[handle].space {
        AddressSpace::Private => Some(Place::Private(handle)),
        AddressSpace::WorkGroup => Some(Place::Workgroup(handle)),
        AddressSpace::Function
        | AddressSpace::Uniform
        | AddressSpace::Storage { .. }
        | AddressSpace::Handle
        | AddressSpace::Immediate
        | AddressSpace::TaskPayload
        | AddressSpace::RayPayload
        | AddressSpace::IncomingRayPayload => None,
    }
}
