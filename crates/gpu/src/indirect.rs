//! Grids that the device decides. Where such a dispatch goes in one piece, a small kernel looks
//! at its grid first: one beyond the limit is not run, and one beyond what a dispatch takes in a
//! dimension is folded. What it found is read at the end of the submission. In a loop or a branch
//! that the device decides the kernel asks whether that runs, and counts how often it does.

use std::sync::{Arc, LazyLock};

use seawall_core::device::{Error, Stop};
use seawall_core::program::{Kernel, Overrides, Program};
use seawall_core::schedule::Binding;

use crate::bound::{Bound, bind};
use crate::fault::Point;
use crate::memory::{Memory, Place, padded};
use crate::module::Form;
use crate::open::Open;
use crate::pipeline::Pipeline;

/// Bytes from one slot to the next: what every adapter aligns bindings to.
pub(crate) const SLOT_BYTES: u64 = 256;

/// Words of a slot that mean something: what runs, its state, what was found, how often it ran and
/// with how many workgroups.
pub(crate) const SLOT_WORDS: usize = 11;

/// Bytes of a grid.
pub(crate) const GRID_BYTES: u64 = 12;

/// Bytes of a `Job`, and of what a folded grid is told by.
const USED_BYTES: u64 = 32;

/// Bytes of a `Slot`.
const STATE_BYTES: u64 = 48;

/// Bytes of it that the device writes.
pub(crate) const WRITTEN_BYTES: u64 = SLOT_WORDS as u64 * 4;

/// What every kernel that looks needs.
pub(crate) const LOOK: &str = concat!(include_str!("state.wgsl"), include_str!("look.wgsl"));

static GUARD: LazyLock<Arc<Kernel>> = LazyLock::new(|| {
    let text = [
        LOOK,
        "@group(0) @binding(0) var<uniform> job: Job;",
        "@group(0) @binding(1) var<storage> args: array<u32>;",
        "@group(0) @binding(2) var<storage, read_write> slot: Slot;",
        "@group(0) @binding(3) var<storage, read_write> states: array<State>;",
        "@compute @workgroup_size(1) fn main() { look(states[job.gate].now != 0); }",
    ];
    kernel("look.wgsl", &text.join("\n"))
});

/// A kernel of our own.
pub(crate) fn kernel(name: &str, text: &str) -> Arc<Kernel> {
    let program = Program::wgsl_named(name, text);
    let kernel = program.and_then(|program| program.kernel("main", &Overrides::new()));
    kernel.unwrap_or_else(|report| unreachable!("invariant {name}: it compiles\n{report}"))
}

/// The state of a body, counted from one: the first state says whether some grid was beyond its limit.
pub(crate) fn state(which: usize) -> u32 {
    which as u32 + 1
}

/// One dispatch whose grid the device decides.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Job {
    /// In the schedule.
    pub(crate) step: usize,
    /// Where the grid stands.
    pub(crate) args: Binding,
    /// The most that it may be.
    pub(crate) limit: [u32; 3],
    /// The loop or branch that it stands in, if the device decides that too.
    pub(crate) gate: Option<usize>,
}

/// The slots of a schedule's indirect dispatches.
pub(crate) struct Slots {
    guard: Arc<Pipeline>,
    jobs: Memory,
    found: Memory,
    /// For each, in any case and gated.
    bound: Vec<[Bound; 2]>,
    /// For each, the workgroups that were allowed last.
    allowed: Vec<u32>,
}

/// How often a grid was run in a submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Runs {
    pub(crate) times: u64,
    /// Workgroups of all of them,
    pub(crate) groups: u64,
    /// and of the largest.
    pub(crate) most: u64,
}

/// What became of a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// It ran.
    Ran(Runs),
    /// It is beyond its limit.
    BeyondLimit([u32; 3]),
    /// It is beyond what the device takes.
    BeyondDevice([u32; 3]),
}

/// Whether a grid within this limit may have to be folded.
pub(crate) fn folds(limit: [u32; 3], side_max: u32) -> bool {
    limit.iter().any(|&most| most > side_max)
}

impl Slots {
    pub(crate) fn new(open: &Open, jobs: &[Job], side_max: u32, stop: &Stop) -> Result<Self, Error> {
        let driver = &open.driver;
        let (guard, _) = open.pipelines.get(driver, &GUARD, &Form::default(), stop)?;
        let bytes = jobs.len() as u64 * SLOT_BYTES;
        let told = driver.mapped_buffer("grids' limits", 2 * bytes, wgpu::BufferUsages::UNIFORM)?;
        let mut view = driver.view_mut(&told, 0, 2 * bytes)?;
        for (at, job) in jobs.iter().enumerate() {
            let word = (job.args.offset % SLOT_BYTES) / 4;
            let [x, y, z] = job.limit;
            for (gated, gate) in [0, job.gate.map_or(0, state)].into_iter().enumerate() {
                let words = [word as u32, side_max, folds(job.limit, side_max).into(), gate, x, y, z, 0];
                for (i, word) in words.iter().enumerate() {
                    let start = (2 * at + gated) * SLOT_BYTES as usize + 4 * i;
                    view.slice(start..start + 4).copy_from_slice(&word.to_le_bytes());
                }
            }
        }
        drop(view);
        told.raw.unmap();
        let usage = wgpu::BufferUsages::STORAGE
            | wgpu::BufferUsages::UNIFORM
            | wgpu::BufferUsages::INDIRECT
            | wgpu::BufferUsages::COPY_SRC
            | wgpu::BufferUsages::COPY_DST;
        let slots = driver.buffer("grids", bytes, usage)?;
        let bound = jobs.iter().map(|_| Default::default()).collect();
        Ok(Self { guard, jobs: told, found: slots, bound, allowed: vec![0; jobs.len()] })
    }

    /// What tells a kernel its folded grid: its slot.
    pub(crate) fn told(
        &self,
        open: &Open,
        layout: &wgpu::BindGroupLayout,
        at: usize,
    ) -> Result<wgpu::BindGroup, Error> {
        bind(open, layout, &[(self.raw(), at as u64 * SLOT_BYTES, USED_BYTES)], "a folded grid")
    }

    /// Where the slots are.
    pub(crate) fn raw(&self) -> &wgpu::Buffer {
        &self.found.raw
    }

    /// Lets so many workgroups of a slot be run in a submission before a loop that it stands in rests.
    pub(crate) fn allow(&mut self, open: &Open, at: usize, groups: u64) -> Result<(), Error> {
        let groups = u32::try_from(groups).unwrap_or(u32::MAX);
        if self.allowed[at] != groups {
            let place = at as u64 * SLOT_BYTES + WRITTEN_BYTES;
            let write = || open.driver.queue.write_buffer(&self.found.raw, place, &groups.to_le_bytes());
            open.driver.call(Point::Submit, "a write", 4, write)?;
            self.allowed[at] = groups;
        }
        Ok(())
    }

    /// What a look binds of a slot: its job, its grid, which stands in what lies there, and what is found.
    pub(crate) fn rows<'a>(
        &'a self,
        at: usize,
        gated: bool,
        args: &Binding,
        Place { raw, base }: &'a Place,
    ) -> [(&'a wgpu::Buffer, u64, u64); 3] {
        let [slot, job] = [at as u64, 2 * at as u64 + u64::from(gated)].map(|place| place * SLOT_BYTES);
        // The grid stands in the first words, or across the end of them.
        let start = base + args.offset - args.offset % SLOT_BYTES;
        let end = padded(raw.size()).min(start + 2 * SLOT_BYTES);
        [(&self.jobs.raw, job, USED_BYTES), (raw, start, end - start), (&self.found.raw, slot, STATE_BYTES)]
    }

    /// Records the look at a grid, which stands in what lies there; in any case, or if its gate is open.
    pub(crate) fn look(
        &mut self,
        open: &Open,
        pass: &mut wgpu::ComputePass<'_>,
        (at, gated): (usize, bool),
        (args, place): (&Binding, &Place),
        states: &wgpu::Buffer,
    ) -> Result<(), Error> {
        let mut bound = std::mem::take(&mut self.bound);
        let make = |to: &[Place]| {
            let [job, args, slot] = self.rows(at, gated, args, &to[0]);
            bind(open, &self.guard.layout, &[job, args, slot, (states, 0, states.size())], "the bindings of a grid")
        };
        let group = bound[at][usize::from(gated)].get(std::iter::once(place), make).cloned();
        self.bound = bound;
        pass.set_pipeline(&self.guard.raw);
        pass.set_bind_group(0, &group?, &[]);
        pass.dispatch_workgroups(1, 1, 1);
        Ok(())
    }

    /// Forgets bindings to a buffer that goes.
    pub(crate) fn forget(&mut self, buffer: &wgpu::Buffer) {
        self.bound.iter_mut().flatten().for_each(|bound| bound.forget(buffer));
    }
}

/// What a slot says.
pub(crate) fn found(words: [u32; SLOT_WORDS]) -> Found {
    let [_, _, _, state, x, y, z, runs, low, high, most] = words;
    let groups = u64::from(high) << 32 | u64::from(low);
    match state {
        0 => Found::Ran(Runs { times: runs.into(), groups, most: most.into() }),
        1 => Found::BeyondLimit([x, y, z]),
        2 => Found::BeyondDevice([x, y, z]),
        _ => unreachable!("invariant guard: it knows three states, not {state}"),
    }
}
