//! Refuses barriers that some invocations may miss, and operations of subgroups that some of one may.
//!
//! naga accepts a barrier anywhere. WGSL wants every invocation of a workgroup to reach
//! it together, and says which programs are known to do so. This is an abstract
//! interpretation over naga's structured IR that accepts at least those:
//!
//! - A [`Fact`] says of a value whether it is the same for all invocations, or which
//!   cause makes it vary. A local variable has one fact, changed by every store to it
//!   (a store to a part only adds to it).
//! - Control flow is split once invocations may have gone different ways: inside a
//!   branch on a varying value, and after a `break`, `continue` or `return` in split
//!   control, up to the end of the loop or function that it leaves. Behind that they
//!   are together again.
//! - A store in split control makes the variable vary, so that joining states where
//!   paths meet is enough, also for values that change in a loop which invocations
//!   leave at different times.
//! - Loops run until nothing changes. Each remembers its state between the rounds of
//!   the loop around it, so nested loops add up instead of multiplying.
//! - A function is looked at once for each combination of facts that it is called with.
//! - What all invocations of a grid load from one place of storage is the same if none can have written
//!   it meanwhile. One that is ahead, or behind, is still between the same two grid barriers. So each
//!   state knows the barriers that it may be directly after, and a first walk over all of it finds what
//!   is written after each of them before the next. A barrier in a function is another one behind each
//!   call of it. What is the same for the grid is so for a workgroup, too.
//!
//! Facts only ever go from same to varying, so all of it ends, and what is reported in
//! an early round stays true.

mod sources;
mod state;
mod value;
mod flow;
mod call;
mod report;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use naga::{AddressSpace, Expression, Function, GlobalVariable, Handle, Module, Statement};

use super::subgroup::Rule;
use super::{grid, subgroup, walk};
use crate::diag::{Diagnostic, Span};

/// Blocks inside one another, through calls: what a stack of 2 MiB holds with ease.
const DEPTH_MAX: u32 = 640;
/// Functions looked at, each with each combination of facts.
const CALLS_MAX: usize = 1 << 12;

/// Who has to come together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// The invocations of a workgroup, at `workgroupBarrier` and its kind.
    Workgroup,
    /// All invocations of a dispatch, at `gridBarrier`.
    Grid,
    /// The invocations of a subgroup, at its operations.
    Subgroup,
}

/// `None`: the same for every invocation of the scope. Otherwise what makes it vary.
type Fact = Option<CauseId>;

/// Index of a [`Cause`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct CauseId(u32);

/// Something that differs between invocations.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Cause {
    span: Option<Span>,
    text: String,
    /// The storage that was loaded while others may write it.
    written: Option<String>,
}

/// Where invocations went different ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Split {
    cause: CauseId,
    /// The condition or selector that varies.
    condition: Option<Span>,
    /// The `break`, `continue` or `return` that some of them took.
    left: Option<Span>,
}

/// `None`: all invocations of the scope are here together.
type Flow = Option<Split>;

/// What a pointer argument is bound to, or the fact of a value argument.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Argument {
    Value(Fact),
    /// Into a module-scope variable, at an address that may vary.
    Global(Handle<GlobalVariable>, Fact),
    /// Into a local of some caller: an index into the context's `cells`.
    Cell {
        index: usize,
        /// The whole variable, so that a store replaces what was there.
        whole: bool,
        address: Fact,
    },
}

/// The grid barriers after which there was none yet, by number; 0 is the start of the kernel.
type Since = BTreeSet<u32>;

/// Barriers that are told apart by the calls that led to them; beyond that they are one.
const BARRIERS_MAX: usize = 1 << 10;

/// Everything that the outcome of a call depends on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Context {
    function: Handle<Function>,
    flow: Flow,
    arguments: Vec<Argument>,
    /// Private variables, and the callers' variables that the arguments point into.
    cells: Vec<Fact>,
    since: Since,
}

/// What a call leaves behind.
#[derive(Debug, Default)]
struct Outcome {
    result: Fact,
    /// Of the function's own variables.
    locals: Vec<Fact>,
    cells: Vec<Fact>,
    since: Since,
}

struct Analysis<'m> {
    module: &'m Module,
    scope: Scope,
    /// Whether there are grid barriers, between which nobody may write to a buffer.
    intervals: bool,
    /// Private variables that are followed like locals, each with its cell.
    privates: Rc<BTreeMap<Handle<GlobalVariable>, usize>>,
    causes: Vec<Cause>,
    interned: HashMap<Cause, CauseId>,
    known: HashMap<Context, Rc<Outcome>>,
    /// Numbers of grid barriers, by where they are; of one in a function, by the call and its number
    /// in there. Those without a place share one.
    barriers: HashMap<(Option<Span>, u32), u32>,
    /// By number: the same barrier inside the function that was called, or 0.
    inside: Vec<u32>,
    /// Buffers that may be written after a barrier and before the next.
    written: HashSet<(u32, Handle<GlobalVariable>)>,
    /// Whether all of those are known.
    settled: bool,
    /// The call sites between the entry point and here.
    calls: Vec<Option<Span>>,
    depth: u32,
    reported: HashSet<Option<Span>>,
    /// Where subgroups may be split.
    rule: Rule,
    found: Vec<Diagnostic>,
    /// What is the same for all at each place where they are together, if somebody wants to know.
    seen: Option<HashMap<Site, bool>>,
    /// Set when a limit was hit; the rest of the analysis is then skipped.
    beyond: Option<Diagnostic>,
}

/// One diagnostic for each barrier of a compute entry point that some invocations may miss.
///
/// WGSL takes every private variable to vary. The readers of SPIR-V and GLSL pass inputs
/// in private variables, so these are followed where `follow_private` says so. Subgroups may be split
/// where the rule is mild.
pub(super) fn check(module: &Module, follow_private: bool, rule: &Rule) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for point in &module.entry_points {
        for scope in [Scope::Workgroup, Scope::Grid, Scope::Subgroup] {
            if !has_barrier(module, &point.function, scope) {
                continue;
            }
            let mut analysis = Analysis::new(module, scope, follow_private);
            analysis.intervals = has_barrier(module, &point.function, Scope::Grid);
            analysis.rule = rule.clone();
            analysis.entry(&point.function, &[]);
            for diagnostic in analysis.found.into_iter().chain(analysis.beyond) {
                if !found.contains(&diagnostic) {
                    found.push(diagnostic);
                }
            }
        }
    }
    found
}

/// Which variables of a function without grid barriers differ between the invocations of a workgroup,
/// or of the whole grid, where it ends, if those in `held` do where it begins.
pub(crate) fn varying(module: &Module, function: &Function, grid: bool, held: &[bool]) -> Vec<bool> {
    let scope = if grid { Scope::Grid } else { Scope::Workgroup };
    let mut analysis = Analysis::new(module, scope, false);
    let locals = analysis.entry(function, held);
    let beyond = analysis.beyond.is_some();
    // An end that is never reached says nothing of them.
    let facts = locals.into_iter().map(|fact| fact.is_some()).chain(std::iter::repeat(false));
    held.iter().zip(facts).map(|(&held, varies)| held || varies || beyond).collect()
}

/// An expression of a helper, or of the entry point.
type Site = (Option<Handle<Function>>, Handle<Expression>);

/// What all invocations of a workgroup evaluate together, wherever they come to it, with one result: loads of
/// variables, arguments of helpers and results of calls.
#[derive(Debug, Clone, Default)]
pub struct Uniform {
    same: HashSet<Site>,
}

impl Uniform {
    /// Of an expression of a helper, or of the entry point if there is none.
    pub fn has(&self, function: Option<Handle<Function>>, expression: Handle<Expression>) -> bool {
        self.same.contains(&(function, expression))
    }

    /// Of an entry point. What a limit of the analysis cuts off counts as varying.
    pub(super) fn of(module: &Module, entry: &Function) -> Self {
        let mut analysis = Analysis::new(module, Scope::Workgroup, true);
        analysis.seen = Some(HashMap::new());
        analysis.entry(entry, &[]);
        let seen = analysis.seen.filter(|_| analysis.beyond.is_none()).unwrap_or_default();
        Self { same: seen.into_iter().filter(|(_, same)| *same).map(|(site, _)| site).collect() }
    }
}

fn waits_for_workgroup(statement: &Statement) -> bool {
    match statement {
        Statement::ControlBarrier(kind) => *kind != naga::Barrier::SUB_GROUP,
        Statement::WorkGroupUniformLoad { .. } => true,
        Statement::Emit(_)
        | Statement::Block(_)
        | Statement::If { .. }
        | Statement::Switch { .. }
        | Statement::Loop { .. }
        | Statement::Break
        | Statement::Continue
        | Statement::Return { .. }
        | Statement::Kill
        | Statement::MemoryBarrier(_)
        | Statement::Store { .. }
        | Statement::ImageStore { .. }
        | Statement::Atomic { .. }
        | Statement::ImageAtomic { .. }
        | Statement::Call { .. }
        | Statement::RayQuery { .. }
        | Statement::RayPipelineFunction(_)
        | Statement::SubgroupBallot { .. }
        | Statement::SubgroupGather { .. }
        | Statement::SubgroupCollectiveOperation { .. }
        | Statement::CooperativeStore { .. } => false,
    }
}

fn has_barrier(module: &Module, entry: &Function, scope: Scope) -> bool {
    let in_body = |function: &Function| {
        walk::statements(&function.body).iter().any(|(statement, _)| match scope {
            Scope::Workgroup => waits_for_workgroup(statement),
            // Ours, and no statement of naga's.
            Scope::Grid => {
                matches!(statement, Statement::Call { function, .. } if grid::is_barrier(&module.functions[*function]))
            }
            Scope::Subgroup => subgroup::name(statement).is_some(),
        })
    };
    in_body(entry) || walk::helpers(module, entry).into_iter().any(|handle| in_body(&module.functions[handle]))
}

impl<'m> Analysis<'m> {
    fn new(module: &'m Module, scope: Scope, follow_private: bool) -> Self {
        let followed = |var: &GlobalVariable| follow_private && var.space == AddressSpace::Private;
        let privates = module.global_variables.iter().filter(|(_, var)| followed(var)).map(|(handle, _)| handle);
        Self {
            module,
            scope,
            intervals: scope == Scope::Grid,
            privates: Rc::new(privates.enumerate().map(|(cell, handle)| (handle, cell)).collect()),
            causes: Vec::new(),
            interned: HashMap::new(),
            known: HashMap::new(),
            barriers: HashMap::new(),
            inside: vec![0],
            written: HashSet::new(),
            settled: false,
            calls: Vec::new(),
            depth: 0,
            reported: HashSet::new(),
            rule: Rule::default(),
            found: Vec::new(),
            seen: None,
            beyond: None,
        }
    }

    /// Whether no invocation can write a buffer before it has passed the next grid barrier.
    fn is_still(&self, since: &Since, buffer: Handle<GlobalVariable>) -> bool {
        let written = |&barrier: &u32| {
            let mut writes = self.written.iter().filter(|(_, written)| *written == buffer);
            writes.any(|&(other, _)| self.is_inside(other, barrier) || self.is_inside(barrier, other))
        };
        self.intervals && self.settled && !since.iter().any(written)
    }

    /// Whether one barrier is the other, or what the other is called in a function that leads to it.
    fn is_inside(&self, barrier: u32, mut other: u32) -> bool {
        while barrier != other {
            other = self.inside[other as usize];
            if other == 0 {
                return false;
            }
        }
        true
    }

    fn note_write(&mut self, since: &Since, buffer: Handle<GlobalVariable>) {
        if self.intervals && !self.settled {
            self.written.extend(since.iter().map(|&barrier| (barrier, buffer)));
        }
    }

    /// The number of the grid barrier at `span`, or of one that the function called there has.
    fn barrier_number(&mut self, span: naga::Span, inside: u32) -> u32 {
        let (key, next) = ((Span::of(span), inside), self.inside.len() as u32);
        if inside != 0 && self.inside.len() > BARRIERS_MAX {
            return self.barriers.get(&key).copied().unwrap_or(inside);
        }
        let number = *self.barriers.entry(key).or_insert(next);
        if number == next {
            self.inside.push(inside);
        }
        number
    }

    /// A fact of an expression, where control flow is like this.
    fn see(&mut self, site: Site, fact: Fact, flow: Flow) {
        if let Some(seen) = &mut self.seen {
            *seen.entry(site).or_insert(true) &= fact.is_none() && flow.is_none();
        }
    }

    fn cause(&mut self, span: naga::Span, text: impl Into<String>) -> CauseId {
        self.note(Cause { span: Span::of(span), text: text.into(), written: None })
    }

    fn note(&mut self, cause: Cause) -> CauseId {
        let next = CauseId(self.causes.len() as u32);
        let id = *self.interned.entry(cause.clone()).or_insert(next);
        if id == next {
            self.causes.push(cause);
        }
        id
    }
}
