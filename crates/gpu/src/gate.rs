//! Loops and branches that the device decides. What stands in them is dispatched over grids that a
//! small kernel, the gate, writes for each turn: the real ones, or none. Copies and clears become
//! dispatches too. So turns can be recorded before anybody knows whether they will be run.
//!
//! Only bodies without loops in them are gated, as long as what they do fits one dispatch each; the
//! host decides the others.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use seawall_core::device::{Error, Stop};
use seawall_core::program::Kernel;
use seawall_core::schedule::{Binding, BufferId, Test};

use crate::bound::{Bound, bind};
use crate::indirect::{Job, LOOK, Slots, kernel, state};
use crate::memory::{Memory, Place, padded};
use crate::module::Form;
use crate::open::Open;
use crate::pipeline::Pipeline;
use crate::record::{Body, Op};

/// What every adapter aligns bindings to.
const ALIGN_BYTES: u64 = 256;

/// Bytes of a `Gate`.
const GATE_BYTES: u64 = 32;

/// Bytes of a `Move`.
const MOVE_BYTES: u64 = 16;

/// Bytes of a grid in the table of them.
const GRID_BYTES: u64 = 16;

/// Words of a `State`.
pub(crate) const STATE_WORDS: usize = 4;

/// Where a state says how often it was run.
pub(crate) const TURNS_WORD: usize = 2;

/// Invocations of a workgroup that copies.
pub(crate) const LANES: u64 = 256;

/// Words that an invocation of it copies.
const WORDS_EACH: u64 = 4;

/// The gate alone.
static GATE: LazyLock<Arc<Kernel>> = LazyLock::new(|| {
    let main = "@compute @workgroup_size(1) fn main() { _ = open(); }";
    kernel("gate.wgsl", &[include_str!("state.wgsl"), include_str!("gate.wgsl"), main].join("\n"))
});

/// The gate, and a look at the grid of what comes first behind it: a dispatch less in each turn.
static LEAD: LazyLock<Arc<Kernel>> = LazyLock::new(|| {
    let text = [
        LOOK,
        include_str!("gate.wgsl"),
        "@group(0) @binding(5) var<uniform> job: Job;",
        "@group(0) @binding(6) var<storage> args: array<u32>;",
        "@group(0) @binding(7) var<storage, read_write> slot: Slot;",
        "@compute @workgroup_size(1) fn main() { look(open()); }",
    ];
    kernel("lead.wgsl", &text.join("\n"))
});

static MOVE: LazyLock<Arc<Kernel>> = LazyLock::new(|| kernel("move.wgsl", include_str!("move.wgsl")));

/// Bytes of the states of so many bodies.
pub(crate) fn state_bytes(bodies: usize) -> u64 {
    ((bodies + 1) * STATE_WORDS * 4) as u64
}

/// How large things may be for the device to decide about them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// Workgroups in a dimension.
    pub(crate) side_max: u32,
    /// Bytes of a range that a kernel sees.
    pub(crate) binding_bytes_max: u64,
}

/// A copy or a clear.
#[derive(Debug, Clone, Copy)]
struct Move {
    /// What is bound so that the ranges can be seen, with their first words in it.
    from: (Binding, u32),
    to: (Binding, u32),
    words: u64,
    zeros: bool,
}

/// Where things of gated bodies stand among their likes.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// By body: the one that it stands in, if that is gated too; `None` if it is not gated.
    gates: BTreeMap<usize, Option<usize>>,
    /// By dispatch: its body.
    dispatches: BTreeMap<usize, usize>,
    /// Grids, by body; each with the dispatch or the step that has it.
    grids: BTreeMap<usize, Vec<(Of, [u32; 3])>>,
    moves: Vec<(usize, Move)>,
    /// By body: the first dispatch of its first group whose grid the device decides.
    leads: BTreeMap<usize, usize>,
}

/// Whose a grid is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Of {
    /// A dispatch, counted among all of the schedule's.
    Dispatch(usize),
    /// A step that copies or clears.
    Move(usize),
}

impl Places {
    /// Of these commands, with the grid of each dispatch that has a known one.
    pub(crate) fn new(ops: &[Op], grids: &[Option<[u32; 3]>], bounds: Bounds) -> Self {
        let mut places = Self::default();
        for body in ops.iter().filter_map(Op::body) {
            if !body.has_loop() && fits(&body.ops, grids, bounds) {
                places.gate(body, None, grids);
            } else {
                let inner = Self::new(&body.ops, grids, bounds);
                places.gates.extend(inner.gates);
                places.dispatches.extend(inner.dispatches);
                places.grids.extend(inner.grids);
                places.moves.extend(inner.moves);
                places.leads.extend(inner.leads);
            }
        }
        places
    }

    fn gate(&mut self, body: &Body, parent: Option<usize>, grids: &[Option<[u32; 3]>]) {
        self.gates.insert(body.which, parent);
        let mut own = Vec::new();
        for op in &body.ops {
            match op {
                Op::Dispatch { at } => {
                    self.dispatches.insert(*at, body.which);
                    own.extend(grids[*at].map(|grid| (Of::Dispatch(*at), grid)));
                }
                Op::Clear { step, range } => own.push((Of::Move(*step), self.moved(*step, range, range, true))),
                Op::Copy { step, from, to } => own.push((Of::Move(*step), self.moved(*step, from, to, false))),
                Op::Body(inner) => self.gate(inner, Some(body.which), grids),
                _ => {}
            }
        }
        self.grids.insert(body.which, own);
        // No other step of the first group changes its grid.
        let first = body.ops.iter().take_while(|op| !matches!(op, Op::Barrier | Op::Body(_)));
        let lead = first.filter_map(|op| if let Op::Dispatch { at } = op { Some(*at) } else { None });
        self.leads.extend(lead.filter(|at| grids[*at].is_none()).map(|at| (body.which, at)).next());
    }

    /// Notes a copy or a clear; gives its grid.
    fn moved(&mut self, step: usize, from: &Binding, to: &Binding, zeros: bool) -> [u32; 3] {
        let words = to.bytes.div_ceil(4);
        self.moves.push((step, Move { from: window(from), to: window(to), words, zeros }));
        move_grid(to.bytes)
    }

    /// The body that a dispatch stands in, if it is gated.
    pub(crate) fn of_dispatch(&self, at: usize) -> Option<usize> {
        self.dispatches.get(&at).copied()
    }
}

/// Whether each of these can be one dispatch.
fn fits(ops: &[Op], grids: &[Option<[u32; 3]>], bounds: Bounds) -> bool {
    let range = |range: &Binding| padded(range.bytes) + ALIGN_BYTES <= bounds.binding_bytes_max;
    ops.iter().all(|op| match op {
        Op::Dispatch { at } => grids[*at].is_none_or(|grid| grid.iter().all(|&side| side <= bounds.side_max)),
        Op::Clear { range: to, .. } => range(to),
        Op::Copy { from, to, .. } => range(from) && range(to),
        Op::Body(inner) => fits(&inner.ops, grids, bounds),
        _ => true,
    })
}

/// The grid of a copy of so many bytes.
pub(crate) fn move_grid(bytes: u64) -> [u32; 3] {
    let groups = bytes.div_ceil(4).div_ceil(LANES * WORDS_EACH);
    [groups.min(1 << 15) as u32, 1, 1]
}

/// What can be bound so that a range can be seen, and the word of it that the range starts with.
fn window(range: &Binding) -> (Binding, u32) {
    let before = range.offset % ALIGN_BYTES;
    (Binding { offset: range.offset - before, bytes: range.bytes + before, ..*range }, (before / 4) as u32)
}

/// The gates of a schedule.
pub(crate) struct Gates {
    places: Places,
    gate: Arc<Pipeline>,
    lead: Arc<Pipeline>,
    mover: Arc<Pipeline>,
    jobs: Memory,
    moves: Memory,
    grids: Memory,
    dims: Memory,
    /// Where each grid stands.
    rows: BTreeMap<Of, u64>,
    bound: BTreeMap<usize, Bound>,
    moves_bound: Vec<Bound>,
}

impl Gates {
    /// `None` if the device decides nothing.
    pub(crate) fn new(open: &Open, places: Places, ops: &[Op], stop: &Stop) -> Result<Option<Self>, Error> {
        if places.gates.is_empty() {
            return Ok(None);
        }
        let driver = &open.driver;
        let (gate, _) = open.pipelines.get(driver, &GATE, &Form::default(), stop)?;
        let (lead, _) = open.pipelines.get(driver, &LEAD, &Form::default(), stop)?;
        let (mover, _) = open.pipelines.get(driver, &MOVE, &Form::default(), stop)?;
        let (mut rows, mut table, mut jobs) = (BTreeMap::new(), Vec::new(), Vec::new());
        let mut tests = BTreeMap::new();
        tested(ops, &mut tests);
        for (which, parent) in &places.gates {
            let first = table.len() as u32 / 4;
            for &(of, [x, y, z]) in &places.grids[which] {
                rows.insert(of, table.len() as u64 * 4);
                table.extend([x, y, z, 0]);
            }
            let (test, loops): (Option<Test>, bool) = tests[which];
            let word = test.map_or(0, |test| window(&test.word).1);
            let zero = test.is_some_and(|test| test.zero);
            let flags = [word, test.is_some().into(), zero.into(), loops.into()];
            let count = table.len() as u32 / 4 - first;
            jobs.push([flags, [state(*which), parent.map_or(0, state), first, count]].concat());
        }
        let moves: Vec<Vec<u32>> = places
            .moves
            .iter()
            .map(|(_, job)| vec![job.from.1, job.to.1, job.words as u32, job.zeros.into()])
            .collect();
        let grid_bytes = (table.len() as u64 * 4).max(GRID_BYTES);
        let storage = wgpu::BufferUsages::STORAGE;
        let grids = driver.mapped_buffer("the grids of a loop", grid_bytes, storage)?;
        fill(open, &grids, grid_bytes, &[table])?;
        let dims = driver.buffer("what a loop runs", grid_bytes, storage | wgpu::BufferUsages::INDIRECT)?;
        let moves_bound = places.moves.iter().map(|_| Bound::default()).collect();
        let (jobs, moves) = (table_of(open, &jobs)?, table_of(open, &moves)?);
        Ok(Some(Self {
            places,
            gate,
            lead,
            mover,
            jobs,
            moves,
            grids,
            dims,
            rows,
            bound: BTreeMap::new(),
            moves_bound,
        }))
    }

    /// Whether the device can decide about a body that is not in another such one.
    pub(crate) fn decides(&self, which: usize) -> bool {
        self.places.gates.get(&which).is_some_and(Option::is_none)
    }

    /// What is dispatched, and where the grid of a dispatch stands in it.
    pub(crate) fn dispatch(&self, at: usize) -> (&wgpu::Buffer, u64) {
        (&self.dims.raw, self.rows[&Of::Dispatch(at)])
    }

    /// The dispatch whose grid the gate of a body looks at.
    pub(crate) fn leads(&self, which: usize) -> Option<usize> {
        self.places.leads.get(&which).copied()
    }

    /// Records the gate of a body, with the look at what it leads to.
    pub(crate) fn ask(
        &mut self,
        open: &Open,
        pass: &mut wgpu::ComputePass<'_>,
        body: &Body,
        buffers: &[Option<Place>],
        states: &wgpu::Buffer,
        lead: Option<(&Slots, usize, &Job)>,
    ) -> Result<(), Error> {
        let Self { places, gate, jobs, grids, dims, bound, .. } = self;
        let gate = if lead.is_some() { &self.lead } else { gate };
        let place = places.gates.range(..body.which).count() as u64;
        // A body that is always run asks nothing; some buffer has to be bound.
        let asked = body.test.map(|test| window(&test.word).0);
        let none = Place { raw: grids.raw.clone(), base: 0 };
        let tested = asked.map_or(&none, |word| memory(buffers, word.buffer));
        let (start, bytes) = asked.map_or((0, GRID_BYTES), |word| (word.offset, word.bytes));
        let make = |to: &[Place]| {
            let mut rows = vec![
                (&jobs.raw, place * ALIGN_BYTES, GATE_BYTES),
                (&to[0].raw, to[0].base + start, bytes),
                (&grids.raw, 0, grids.raw.size()),
                (states, 0, states.size()),
                (&dims.raw, 0, dims.raw.size()),
            ];
            rows.extend(lead.iter().flat_map(|(slots, slot, job)| slots.rows(*slot, true, &job.args, &to[1])));
            bind(open, &gate.layout, &rows, "the bindings of a loop")
        };
        let args = lead.map(|(_, _, job)| memory(buffers, job.args.buffer));
        let group = bound.entry(body.which).or_default().get(std::iter::once(tested).chain(args), make)?;
        pass.set_pipeline(&gate.raw);
        pass.set_bind_group(0, group, &[]);
        pass.dispatch_workgroups(1, 1, 1);
        Ok(())
    }

    /// Records the copy or clear of a step.
    pub(crate) fn copy(
        &mut self,
        open: &Open,
        pass: &mut wgpu::ComputePass<'_>,
        step: usize,
        buffers: &[Option<Place>],
    ) -> Result<(), Error> {
        let Self { places, mover, moves, dims, rows, moves_bound, .. } = self;
        let at = places.moves.iter().position(|(of, _)| *of == step);
        let at = at.unwrap_or_else(|| unreachable!("invariant moves: one for each copy of a gated body"));
        let (_, Move { from: (from, _), to: (to, _), .. }) = places.moves[at];
        let make = |of: &[Place]| {
            let rows = [
                (&moves.raw, at as u64 * ALIGN_BYTES, MOVE_BYTES),
                (&of[0].raw, of[0].base + from.offset, padded(from.bytes)),
                (&of[1].raw, of[1].base + to.offset, padded(to.bytes)),
            ];
            bind(open, &mover.layout, &rows, "the bindings of a copy")
        };
        let both = [memory(buffers, from.buffer), memory(buffers, to.buffer)];
        let group = moves_bound[at].get(both.into_iter(), make)?;
        pass.set_pipeline(&mover.raw);
        pass.set_bind_group(0, group, &[]);
        pass.dispatch_workgroups_indirect(&dims.raw, rows[&Of::Move(step)]);
        Ok(())
    }

    /// Forgets bindings to a buffer that goes.
    pub(crate) fn forget(&mut self, buffer: &wgpu::Buffer) {
        self.bound.values_mut().chain(&mut self.moves_bound).for_each(|bound| bound.forget(buffer));
    }
}

/// The test of each body, and whether it is a loop.
fn tested(ops: &[Op], tests: &mut BTreeMap<usize, (Option<Test>, bool)>) {
    for body in ops.iter().filter_map(Op::body) {
        tests.insert(body.which, (body.test, body.is_loop));
        tested(&body.ops, tests);
    }
}

fn memory(buffers: &[Option<Place>], buffer: BufferId) -> &Place {
    buffers[buffer.0 as usize].as_ref().expect("invariant lives: what is touched has memory")
}

/// Rows of words that are bound one by one.
fn table_of(open: &Open, rows: &[Vec<u32>]) -> Result<Memory, Error> {
    let bytes = (rows.len() as u64).max(1) * ALIGN_BYTES;
    let table = open.driver.mapped_buffer("what a loop does", bytes, wgpu::BufferUsages::UNIFORM)?;
    fill(open, &table, bytes, rows)?;
    Ok(table)
}

/// Writes rows of words, each where it can be bound.
fn fill(open: &Open, memory: &Memory, bytes: u64, rows: &[Vec<u32>]) -> Result<(), Error> {
    let mut view = open.driver.view_mut(memory, 0, bytes)?;
    for (at, row) in rows.iter().enumerate() {
        let row: Vec<u8> = row.iter().flat_map(|word| word.to_le_bytes()).collect();
        let start = at * ALIGN_BYTES as usize;
        view.slice(start..start + row.len()).copy_from_slice(&row);
    }
    drop(view);
    memory.raw.unmap();
    Ok(())
}
