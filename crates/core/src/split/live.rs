//! Which variables a segment finds, leaves and needs: liveness, forward and backward, over whole
//! variables. A variable is killed by a store to all of it before anything else touches it.

use std::collections::{BTreeMap, BTreeSet};

use naga::{AddressSpace, Block, Expression, Function, GlobalVariable, Handle, LocalVariable, Module, Statement, Type};

use super::lift::Step;
use crate::program::{Effects, touched};

/// A variable that an invocation or a workgroup has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    Local(Handle<LocalVariable>),
    Private(Handle<GlobalVariable>),
    Workgroup(Handle<GlobalVariable>),
}

impl Place {
    pub(super) fn ty(self, module: &Module, function: &Function) -> Handle<Type> {
        match self {
            Self::Local(handle) => function.local_variables[handle].ty,
            Self::Private(handle) | Self::Workgroup(handle) => module.global_variables[handle].ty,
        }
    }

    /// The pointer to it.
    pub(super) fn expression(self) -> Expression {
        match self {
            Self::Local(handle) => Expression::LocalVariable(handle),
            Self::Private(handle) | Self::Workgroup(handle) => Expression::GlobalVariable(handle),
        }
    }
}

pub(super) type Places = BTreeSet<Place>;

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

/// What is known about the variables of each segment.
#[derive(Debug, Default, Clone)]
pub(super) struct Live {
    /// Something of it is needed from the segment's start on,
    pub(super) before: Places,
    /// and from its end on.
    pub(super) after: Places,
    /// Some segment before may have changed it.
    pub(super) dirty: Places,
}

pub(super) fn uses(module: &Module, function: &Function) -> Uses {
    let mut walk = Walk { module, function, called: BTreeMap::new(), uses: Uses::default() };
    let mut killed = Places::new();
    walk.block(&function.body, &mut killed);
    walk.uses.kills = killed;
    walk.uses
}

struct Walk<'a> {
    module: &'a Module,
    function: &'a Function,
    called: BTreeMap<Handle<Function>, Vec<(Place, Effects)>>,
    uses: Uses,
}

impl Walk<'_> {
    /// The variable behind a pointer, and whether it is the whole of it.
    fn place(&self, mut pointer: Handle<Expression>) -> Option<(Place, bool)> {
        let mut whole = true;
        loop {
            match self.function.expressions[pointer] {
                Expression::Access { base, .. } | Expression::AccessIndex { base, .. } => {
                    (pointer, whole) = (base, false);
                }
                Expression::LocalVariable(handle) => return Some((Place::Local(handle), whole)),
                Expression::GlobalVariable(handle) => return Some((global(self.module, handle)?, whole)),
                _ => return None,
            }
        }
    }

    fn read(&mut self, pointer: Handle<Expression>, killed: &Places) {
        if let Some((place, _)) = self.place(pointer).filter(|(place, _)| !killed.contains(place)) {
            self.uses.reads.insert(place);
        }
    }

    fn change(&mut self, pointer: Handle<Expression>) {
        if let Some((place, _)) = self.place(pointer) {
            self.uses.changes.insert(place);
        }
    }

    fn block(&mut self, block: &Block, killed: &mut Places) {
        for statement in block {
            self.statement(statement, killed);
        }
    }

    fn statement(&mut self, statement: &Statement, killed: &mut Places) {
        match statement {
            Statement::Emit(range) => {
                for handle in range.clone() {
                    if let Expression::Load { pointer } = self.function.expressions[handle] {
                        self.read(pointer, killed);
                    }
                }
            }
            Statement::Block(body) => self.block(body, killed),
            Statement::If { accept, reject, .. } => {
                let mut other = killed.clone();
                self.block(accept, killed);
                self.block(reject, &mut other);
                killed.retain(|place| other.contains(place));
            }
            Statement::Switch { cases, .. } => {
                for case in cases {
                    self.block(&case.body, &mut killed.clone());
                }
            }
            Statement::Loop { body, continuing, .. } => {
                for block in [body, continuing] {
                    self.block(block, &mut killed.clone());
                }
            }
            Statement::Store { pointer, .. } => {
                self.change(*pointer);
                match self.place(*pointer) {
                    // Others of the workgroup may look at what it was.
                    Some((place @ (Place::Local(_) | Place::Private(_)), true)) => drop(killed.insert(place)),
                    Some((Place::Workgroup(_) | Place::Local(_) | Place::Private(_), _)) | None => {}
                }
            }
            Statement::Atomic { pointer, .. } => {
                self.read(*pointer, killed);
                self.change(*pointer);
            }
            Statement::WorkGroupUniformLoad { pointer, .. } => self.read(*pointer, killed),
            Statement::Call { function, arguments, .. } => {
                // Those that are no pointers lead nowhere.
                for &argument in arguments {
                    self.read(argument, killed);
                    self.change(argument);
                }
                for (place, effects) in self.called(*function) {
                    if (effects.reads || effects.updates) && !killed.contains(&place) {
                        self.uses.reads.insert(place);
                    }
                    if effects.writes || effects.updates {
                        self.uses.changes.insert(place);
                    }
                }
            }
            _ => {}
        }
    }

    fn called(&mut self, function: Handle<Function>) -> Vec<(Place, Effects)> {
        let module = self.module;
        let known = self.called.entry(function).or_insert_with(|| {
            let touched = touched(module, &module.functions[function]);
            touched.into_iter().filter_map(|(handle, effects)| Some((global(module, handle)?, effects))).collect()
        });
        known.clone()
    }
}

fn global(module: &Module, handle: Handle<GlobalVariable>) -> Option<Place> {
    match module.global_variables[handle].space {
        AddressSpace::Private => Some(Place::Private(handle)),
        AddressSpace::WorkGroup => Some(Place::Workgroup(handle)),
        _ => None,
    }
}

/// What comes after each step.
fn next(steps: &[Step]) -> Vec<Vec<usize>> {
    let mut next: Vec<Vec<usize>> = (1..=steps.len()).map(|at| vec![at]).collect();
    let mut open = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        match step {
            Step::Run(_) => {}
            Step::Loop(_) | Step::When { .. } => open.push(at),
            Step::End => {
                let begin = open.pop().unwrap_or_else(|| unreachable!("invariant nested: each end has its beginning"));
                next[begin].push(at + 1);
                if let Step::Loop(_) = steps[begin] {
                    next[at] = vec![begin];
                }
            }
        }
    }
    next
}

/// By segment.
pub(super) fn live(steps: &[Step], uses: &[Uses]) -> Vec<Live> {
    let next = next(steps);
    let mut states = vec![Live::default(); steps.len() + 1];
    let mut changed = true;
    while changed {
        changed = false;
        for at in (0..steps.len()).rev() {
            let after: Places = next[at].iter().flat_map(|&to| &states[to].before).copied().collect();
            let mut before = after.clone();
            if let Step::Run(segment) = steps[at] {
                before.retain(|place| !uses[segment].kills.contains(place));
                before.extend(&uses[segment].reads);
            }
            changed |= before != states[at].before || after != states[at].after;
            (states[at].before, states[at].after) = (before, after);
        }
    }
    changed = true;
    while changed {
        changed = false;
        for at in 0..steps.len() {
            let mut dirty = states[at].dirty.clone();
            if let Step::Run(segment) = steps[at] {
                dirty.extend(&uses[segment].changes);
            }
            for &to in &next[at] {
                let count = states[to].dirty.len();
                states[to].dirty.extend(&dirty);
                changed |= states[to].dirty.len() > count;
            }
        }
    }
    let mut live = vec![Live::default(); uses.len()];
    for (at, step) in steps.iter().enumerate() {
        if let Step::Run(segment) = *step {
            live[segment] = std::mem::take(&mut states[at]);
        }
    }
    live
}
