//! Cuts kernels at their grid barriers.
//!
//! `gridBarrier()` is reached by every invocation of a dispatch before any goes on. No GPU can wait
//! for that in a kernel: a grid need not be resident, and nothing promises that those who wait do not
//! hold up those who are waited for. So the kernel ends at the barrier, and another one goes on where
//! it ended: *segments*, ordinary kernels with the same buffers, which the schedule runs one after
//! the other. Loops and branches around a barrier become loops and branches of the schedule; their
//! conditions are the same for the whole grid (`program::uniform` refuses others), so that one word,
//! written by the segment that knows it, decides.
//!
//! What a segment has to know of those before it is kept in memory of the schedule's own: values and
//! variables that are live across the cut. What each invocation has is kept for each; what is the
//! same for a workgroup or for the grid once; what is cheap to compute is computed again.
//!
//! - `sink` lets variables begin where they are first touched;
//! - `tree` takes the kernel apart around its barriers, helpers written out, jumps as numbers;
//! - `lift` makes segments and steps of that;
//! - `write` makes a function of each segment, with the expressions that it needs;
//! - `uses` finds what each does to variables, `live` which are needed across cuts, `keep` who has to keep
//!   them, and where;
//! - `save` adds what brings them back and keeps them.

mod cutting;
mod sink;
mod tree;
mod lift;
mod write;
mod place;
mod uses;
mod live;
mod keep;
mod layout;
mod save;
#[cfg(test)]
mod mutant;
mod text;
mod steps;

use std::sync::Arc;

use naga::{AddressSpace, GlobalVariable, Module, ResourceBinding, StorageAccess, Type, TypeInner};

use self::keep::Keep;
use self::layout::Layout;
use self::place::Place;
use self::save::Memory;
use crate::diag::{Diagnostic, Report, Span};
use crate::program::{Effects, Kernel, touched};
use crate::schedule::NESTING_MAX;

pub use self::lift::While;
#[cfg(test)]
pub(crate) use self::mutant::{Mutant, mutated};
pub use self::steps::{Error, Finder, cut};

/// Segments of a kernel: each is compiled by itself.
pub const SEGMENTS_MAX: usize = 1 << 10;

/// For whom a value is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// Once.
    Grid,
    /// Once for each workgroup.
    Workgroup,
    /// A variable of workgroup memory, for each workgroup.
    Shared,
    /// For each invocation.
    Invocation,
}

/// Something that is kept across a cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// What the program calls it, if it has a name.
    pub name: Option<String>,
    /// Where it is made or declared.
    pub span: Option<Span>,
    /// For whom.
    pub scope: Scope,
    /// Bytes, for each of those.
    pub bytes: u64,
}

/// A part of the kernel, from barrier to barrier.
#[derive(Debug, Clone, PartialEq)]
pub struct Segment {
    /// The kernel's buffers, and after them the memory of [`Rows`].
    pub kernel: Arc<Kernel>,
    /// What it brings back at its start, of [`Split::kept`],
    pub loads: Vec<u32>,
    /// and what it keeps at its end.
    pub stores: Vec<u32>,
}

/// Control between segments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Runs a segment over the whole grid.
    Run {
        /// Which.
        segment: u32,
        /// It reads what is kept once from the second memory for it, and writes it to the first.
        swapped: bool,
    },
    /// Begins a loop.
    Loop {
        /// How long it goes on.
        how: While,
        /// At the end of each turn, the two memories of what is kept once change places.
        swaps: bool,
    },
    /// Begins a branch: if this word of the spill memory is not zero.
    When {
        /// Which.
        word: u32,
        /// If it is zero, rather.
        zero: bool,
    },
    /// Ends what was begun last.
    End,
}

/// The rows of a segment's buffer table that are not the kernel's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rows {
    /// Words of control, and what workgroups and invocations keep.
    pub spill: Option<u32>,
    /// What is kept once, where it is read
    pub kept_in: Option<u32>,
    /// and where it is written.
    pub kept_out: Option<u32>,
}

/// A kernel cut at its grid barriers.
#[derive(Debug, Clone, PartialEq)]
pub struct Split {
    /// In the order of the program.
    pub segments: Vec<Segment>,
    /// What to do with them.
    pub steps: Vec<Step>,
    /// What is kept.
    pub kept: Vec<Kept>,
    /// Where segments find it.
    pub rows: Rows,
    control_words: u64,
    grid_words: u64,
    workgroup_words: u64,
    shared_words: u64,
    invocation_words: u64,
    group_invocations: u64,
}

impl Split {
    /// A kernel that needs no cut.
    fn whole(kernel: &Arc<Kernel>) -> Self {
        Self {
            segments: vec![Segment { kernel: kernel.clone(), loads: Vec::new(), stores: Vec::new() }],
            steps: vec![Step::Run { segment: 0, swapped: false }],
            kept: Vec::new(),
            rows: Rows::default(),
            control_words: 0,
            grid_words: 0,
            workgroup_words: 0,
            shared_words: 0,
            invocation_words: 0,
            group_invocations: kernel.workgroup_invocations(),
        }
    }

    /// Bytes of the spill memory for a grid of so many workgroups; 0 if none is needed.
    pub fn spill_bytes(&self, grid: [u32; 3]) -> Option<u64> {
        let groups = workgroups(grid)?;
        let shared = groups.checked_mul(self.shared_words)?;
        let own = groups.checked_mul(self.group_invocations)?.checked_mul(self.invocation_words)?;
        bytes(self.control_words.checked_add(shared)?.checked_add(own)?)
    }

    /// Bytes of each of the two memories of what is kept once; 0 if none is needed.
    pub fn kept_bytes(&self, grid: [u32; 3]) -> Option<u64> {
        bytes(self.grid_words.checked_add(workgroups(grid)?.checked_mul(self.workgroup_words)?)?)
    }

    /// Bytes that each invocation keeps across cuts.
    pub fn invocation_bytes(&self) -> u64 {
        4 * self.invocation_words
    }

    /// The most that is kept, the largest first.
    pub fn largest(&self) -> Vec<&Kept> {
        let mut kept: Vec<&Kept> = self.kept.iter().filter(|kept| kept.scope == Scope::Invocation).collect();
        kept.sort_by_key(|kept| std::cmp::Reverse(kept.bytes));
        kept
    }
}

/// Of so many words, which segments count in 32 bits.
fn bytes(words: u64) -> Option<u64> {
    u32::try_from(words).ok().map(|words| 4 * u64::from(words))
}

fn workgroups(grid: [u32; 3]) -> Option<u64> {
    grid.iter().try_fold(1u64, |all, &count| all.checked_mul(count.into()))
}

/// The segments of a kernel; itself, if it has no grid barriers.
pub fn split(kernel: &Arc<Kernel>) -> Result<Split, Report> {
    split_with(kernel, &mut ())
}

/// Sees what each phase gives, and may change it: tests break things here, one at a time.
trait Watch {
    fn lifted(&mut self, _: &naga::Function, _: &mut lift::Lifted) {}
    fn costs(&mut self, _: &naga::Function, _: &mut [Option<u32>]) {}
    fn kept(&mut self, _: &mut Keep) {}
}

impl Watch for () {}

fn split_with(kernel: &Arc<Kernel>, watch: &mut dyn Watch) -> Result<Split, Report> {
    if kernel.needs.grid_barrier.is_none() {
        return Ok(Split::whole(kernel));
    }
    let refuse = |diagnostic: Diagnostic| Report { source: kernel.source().clone(), diagnostics: vec![diagnostic] };
    let source = sink::sunk(kernel.module());
    let mut module = source.clone();
    let mut tree = tree::Tree::new(&mut module, &source);
    let nodes = tree.nodes().map_err(|tree::TooLarge { function, span }| {
        let message = format!("`{function}` has grid barriers and is called too often to be written out each time");
        refuse(Diagnostic::error("too-large", message).at(span, "called here"))
    })?;
    let mut lifted = lift::lift(&mut tree, nodes);
    let parts = write::Parts::from(tree);
    watch.lifted(&parts.function, &mut lifted);
    let lift::Lifted { drafts, steps, words } = lifted;
    if drafts.len() > SEGMENTS_MAX {
        let message =
            format!("grid barriers cut `{}` into {} parts; the limit is {SEGMENTS_MAX}", kernel.name, drafts.len());
        let need = kernel.needs.grid_barrier.and_then(|need| need.span);
        return Err(refuse(Diagnostic::error("too-large", message).at(need, "one of these barriers")));
    }
    deep(&steps).map_err(|deep| {
        let message = format!("grid barriers stand in {deep} loops and branches; the limit is {NESTING_MAX}");
        let need = kernel.needs.grid_barrier.and_then(|need| need.span);
        refuse(Diagnostic::error("too-deep", message).at(need, "one of these barriers"))
    })?;
    let mut costs = write::costs(&module, &parts.function);
    watch.costs(&parts.function, &mut costs);
    let (segments, parts) = write::segments(&mut module, parts, costs, &drafts);
    let functions: Vec<&naga::Function> = segments.iter().map(|segment| &segment.function).collect();
    let uses = uses::uses(&module, kernel.workgroup_size, &functions);
    let live = live::live(&steps, &uses);
    let mut keep = keep::keep(&module, &segments, &uses, &live, &steps);
    watch.kept(&mut keep);
    let segments = busy(&module, segments, &mut keep);
    let group = kernel.workgroup_invocations() as u32;
    let layout = Layout::new(&module, &parts.function, &keep, words, group).ok_or_else(|| {
        refuse(Diagnostic::error("too-large", "more is kept across grid barriers than can be counted"))
    })?;
    let memory = memory(&mut module, kernel);
    // Each segment has a copy of the module, with a function of its own.
    module.entry_points[0].function = naga::Function::default();
    Ok(assemble(kernel, &module, &memory, &layout, segments, &keep, &parts))
}

/// The segments that anybody would miss; of the others, and of branches with none inside, nothing is
/// left in the steps.
fn busy(module: &Module, segments: Vec<write::Segment>, keep: &mut Keep) -> Vec<write::Segment> {
    let is_busy = |at: usize, segment: &write::Segment| {
        let transfer = &keep.transfers[at];
        let changes = |(_, effects): (_, Effects)| effects.writes || effects.updates;
        !segment.words.is_empty()
            || !transfer.stores.is_empty()
            || !transfer.forwards.is_empty()
            || touched(module, &segment.function).into_iter().any(changes)
    };
    let mut busy: Vec<bool> = segments.iter().enumerate().map(|(at, segment)| is_busy(at, segment)).collect();
    if !busy.contains(&true) {
        busy[0] = true;
    }
    let place = |at: usize| busy[..at].iter().filter(|busy| **busy).count();
    let mut steps: Vec<keep::Step> = Vec::with_capacity(keep.steps.len());
    for &step in &keep.steps {
        match step {
            keep::Step::Run { segment, .. } if !busy[segment] => {}
            keep::Step::Run { segment, swapped } => steps.push(keep::Step::Run { segment: place(segment), swapped }),
            keep::Step::End if matches!(steps.last(), Some(keep::Step::When { .. })) => drop(steps.pop()),
            step => steps.push(step),
        }
    }
    keep.steps = steps;
    let mut kept = busy.iter();
    keep.transfers.retain(|_| kept.next().is_some_and(|busy| *busy));
    segments.into_iter().zip(busy).filter(|(_, busy)| *busy).map(|(segment, _)| segment).collect()
}

/// Where control is nested too deep for a schedule.
fn deep(steps: &[lift::Step]) -> Result<(), usize> {
    let (mut depth, mut most) = (0usize, 0);
    for step in steps {
        match step {
            lift::Step::Run(_) => {}
            lift::Step::Loop(_) | lift::Step::When { .. } => depth += 1,
            lift::Step::End => depth -= 1,
        }
        most = most.max(depth);
    }
    if most > NESTING_MAX { Err(most) } else { Ok(()) }
}

/// The variables of what is kept, bound after the kernel's own.
fn memory(module: &mut Module, kernel: &Kernel) -> Memory {
    let mut ty = |inner| module.types.insert(Type { name: None, inner }, naga::Span::UNDEFINED);
    let word = ty(TypeInner::Scalar(naga::Scalar::U32));
    let triple = ty(TypeInner::Vector { size: naga::VectorSize::Tri, scalar: naga::Scalar::U32 });
    let words = ty(TypeInner::Array { base: word, size: naga::ArraySize::Dynamic, stride: 4 });
    // The columns of matrices are moved as vectors.
    let columns: Vec<TypeInner> = module.types.iter().filter_map(|(_, ty)| column(&ty.inner)).collect();
    for inner in columns {
        module.types.insert(Type { name: None, inner }, naga::Span::UNDEFINED);
    }
    let last = kernel.buffers.last().map_or((0, 0), |row| (row.group, row.binding));
    // Past the last number of a group, another one begins.
    let mut place = match last {
        (group, binding) if binding > u32::MAX - 8 => (group + 1, 0),
        (group, binding) => (group, binding + 1),
    };
    let mut bound = |name: &str, access: StorageAccess| {
        let binding = Some(ResourceBinding { group: place.0, binding: place.1 });
        place.1 += 1;
        let variable = GlobalVariable {
            name: Some(name.to_owned()),
            space: AddressSpace::Storage { access },
            binding,
            ty: words,
            init: None,
            memory_decorations: naga::MemoryDecorations::default(),
        };
        module.global_variables.append(variable, naga::Span::UNDEFINED)
    };
    let both = StorageAccess::LOAD | StorageAccess::STORE;
    let spill = bound("spill", both);
    let kept_in = bound("kept", StorageAccess::LOAD);
    let kept_out = bound("kept next", both);
    Memory { spill, kept_in, kept_out, word, triple }
}

fn column(inner: &TypeInner) -> Option<TypeInner> {
    let TypeInner::Matrix { rows, scalar, .. } = *inner else { return None };
    Some(TypeInner::Vector { size: rows, scalar })
}

fn assemble(
    kernel: &Kernel,
    module: &Module,
    memory: &Memory,
    layout: &Layout,
    segments: Vec<write::Segment>,
    keep: &Keep,
    parts: &write::Parts,
) -> Split {
    let number = |place: &Place| {
        let at = keep.places.iter().position(|(kept, _)| kept == place);
        at.unwrap_or_else(|| unreachable!("invariant kept: what is moved has a place")) as u32
    };
    let has_kept = layout.grid_words + layout.workgroup_words > 0;
    let has_spill = layout.control_words + layout.shared_words + layout.invocation_words > 0;
    let added = [(has_spill, memory.spill), (has_kept, memory.kept_in), (has_kept, memory.kept_out)];
    let count = segments.len();
    let mut made = Vec::with_capacity(count);
    for (at, (segment, transfer)) in segments.into_iter().zip(&keep.transfers).enumerate() {
        let function = save::save(module, memory, layout, segment, transfer);
        let mut own = module.clone();
        own.entry_points[0].function = function;
        let rows: Vec<_> = added.iter().filter(|(has, _)| *has).map(|&(_, variable)| variable).collect();
        let segment = kernel.segment(own, &rows, (at as u32 + 1, count as u32));
        made.push(Segment {
            kernel: Arc::new(segment),
            loads: transfer.loads.iter().map(number).collect(),
            stores: transfer.stores.iter().chain(&transfer.forwards).map(number).collect(),
        });
    }
    let mut next = kernel.buffers.len() as u32;
    let mut row = |has: bool| {
        next += u32::from(has);
        has.then(|| next - 1)
    };
    let rows = Rows { spill: row(has_spill), kept_in: row(has_kept), kept_out: row(has_kept) };
    let kept = |&(place, scope): &(Place, Scope)| {
        let (name, span) = match place {
            Place::Local(handle) => {
                let variables = &parts.function.local_variables;
                (variables[handle].name.clone(), variables.get_span(handle))
            }
            Place::Private(handle) | Place::Workgroup(handle) => {
                (module.global_variables[handle].name.clone(), module.global_variables.get_span(handle))
            }
        };
        let bytes = 4 * u64::from(layout::words(module, place.ty(module, &parts.function)));
        Kept { name, span: Span::of(span), scope, bytes }
    };
    let step = |step: &keep::Step| match *step {
        keep::Step::Run { segment, swapped } => Step::Run { segment: segment as u32, swapped },
        keep::Step::Loop { how, swaps } => Step::Loop { how, swaps },
        keep::Step::When { word, zero } => Step::When { word, zero },
        keep::Step::End => Step::End,
    };
    Split {
        segments: made,
        steps: keep.steps.iter().map(step).collect(),
        kept: keep.places.iter().map(kept).collect(),
        rows,
        control_words: layout.control_words.into(),
        grid_words: layout.grid_words.into(),
        workgroup_words: layout.workgroup_words.into(),
        shared_words: layout.shared_words.into(),
        invocation_words: layout.invocation_words.into(),
        group_invocations: layout.group_invocations.into(),
    }
}
