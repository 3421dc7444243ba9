//! Grids that the device decides. Where such a dispatch goes in one piece, a small kernel looks
//! at its grid first: one beyond the limit is not run, and one beyond what a dispatch takes in a
//! dimension is folded. What it found is read at the end of the submission.

use std::num::NonZeroU64;
use std::sync::{Arc, LazyLock};

use seawall_core::device::{Error, Stop};
use seawall_core::program::{Kernel, Overrides, Program};
use seawall_core::schedule::Binding;

use crate::device::Open;
use crate::fault::Point;
use crate::memory::{Memory, Place, padded};
use crate::module::Form;
use crate::pipeline::Pipeline;

/// Bytes from one slot to the next: what every adapter aligns bindings to.
pub(crate) const SLOT_BYTES: u64 = 256;

/// Words of a slot that mean something: what runs, its state, what was found.
pub(crate) const SLOT_WORDS: usize = 7;

/// Bytes of a grid.
pub(crate) const GRID_BYTES: u64 = 12;

/// Bytes of a `Job` and of a `Slot`.
const USED_BYTES: u64 = 32;

static GUARD: LazyLock<Arc<Kernel>> = LazyLock::new(|| {
    let program = Program::wgsl_named("guard.wgsl", include_str!("guard.wgsl"));
    let kernel = program.and_then(|program| program.kernel("main", &Overrides::new()));
    Arc::new(kernel.unwrap_or_else(|report| unreachable!("invariant guard: it compiles\n{report}")))
});

/// One dispatch whose grid the device decides.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Job {
    /// In the schedule.
    pub(crate) step: usize,
    /// Where the grid stands.
    pub(crate) args: Binding,
    /// The most that it may be.
    pub(crate) limit: [u32; 3],
}

/// The slots of a schedule's indirect dispatches.
pub(crate) struct Slots {
    guard: Arc<Pipeline>,
    jobs: Memory,
    found: Memory,
    /// For each, as last bound, with where its grid stood.
    bound: Vec<Option<(wgpu::BindGroup, Place)>>,
}

/// What became of a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// It ran.
    Ran([u32; 3]),
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
        let told = driver.mapped_buffer("grids' limits", bytes, wgpu::BufferUsages::UNIFORM)?;
        let mut view = driver.view_mut(&told, 0, bytes)?;
        for (at, job) in jobs.iter().enumerate() {
            let word = (job.args.offset % SLOT_BYTES) / 4;
            let [x, y, z] = job.limit;
            let words = [word as u32, side_max, folds(job.limit, side_max).into(), 0, x, y, z, 0];
            for (i, word) in words.iter().enumerate() {
                view.slice(at * SLOT_BYTES as usize + 4 * i..).slice(..4).copy_from_slice(&word.to_le_bytes());
            }
        }
        drop(view);
        told.raw.unmap();
        let usage = wgpu::BufferUsages::STORAGE
            | wgpu::BufferUsages::UNIFORM
            | wgpu::BufferUsages::INDIRECT
            | wgpu::BufferUsages::COPY_SRC;
        let slots = driver.buffer("grids", bytes, usage)?;
        Ok(Self { guard, jobs: told, found: slots, bound: vec![None; jobs.len()] })
    }

    /// What tells a kernel its folded grid: its slot.
    pub(crate) fn told(
        &self,
        open: &Open,
        layout: &wgpu::BindGroupLayout,
        at: usize,
    ) -> Result<wgpu::BindGroup, Error> {
        let slot = wgpu::BufferBinding {
            buffer: self.raw(),
            offset: at as u64 * SLOT_BYTES,
            size: NonZeroU64::new(USED_BYTES),
        };
        let entry = wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::Buffer(slot) };
        let descriptor = wgpu::BindGroupDescriptor { label: None, layout, entries: &[entry] };
        open.driver.call(Point::Bind, "a folded grid", 0, || open.driver.raw.create_bind_group(&descriptor))
    }

    /// Where the slots are.
    pub(crate) fn raw(&self) -> &wgpu::Buffer {
        &self.found.raw
    }

    /// Records the look at a grid, which stands there.
    pub(crate) fn look(
        &mut self,
        open: &Open,
        pass: &mut wgpu::ComputePass<'_>,
        at: usize,
        grid: &Place,
    ) -> Result<(), Error> {
        if self.bound[at].as_ref().is_none_or(|(_, to)| to != grid) {
            let Place { raw: buffer, base } = grid;
            let slot = at as u64 * SLOT_BYTES;
            // The grid stands in the first words, or across the end of them.
            let start = base - base % SLOT_BYTES;
            let end = padded(buffer.size()).min(start + 2 * SLOT_BYTES);
            let rows =
                [(&self.jobs.raw, slot, USED_BYTES), (buffer, start, end - start), (self.raw(), slot, USED_BYTES)];
            let entry = |(row, (buffer, offset, bytes)): (usize, (_, _, _))| wgpu::BindGroupEntry {
                binding: row as u32,
                resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                    buffer,
                    offset,
                    size: NonZeroU64::new(bytes),
                }),
            };
            let entries: Vec<wgpu::BindGroupEntry<'_>> = rows.into_iter().enumerate().map(entry).collect();
            let descriptor = wgpu::BindGroupDescriptor { label: None, layout: &self.guard.layout, entries: &entries };
            let bind = || open.driver.raw.create_bind_group(&descriptor);
            let group = open.driver.call(Point::Bind, "the bindings of a grid", 0, bind)?;
            self.bound[at] = Some((group, grid.clone()));
        }
        let Some((group, _)) = &self.bound[at] else { unreachable!("invariant bound: just now") };
        pass.set_pipeline(&self.guard.raw);
        pass.set_bind_group(0, group, &[]);
        pass.dispatch_workgroups(1, 1, 1);
        Ok(())
    }

    /// Forgets bindings to a buffer that goes.
    pub(crate) fn forget(&mut self, buffer: &wgpu::Buffer) {
        for bound in &mut self.bound {
            if bound.as_ref().is_some_and(|(_, to)| to.raw == *buffer) {
                *bound = None;
            }
        }
    }
}

/// What a slot says.
pub(crate) fn found(words: [u32; SLOT_WORDS]) -> Found {
    let [_, _, _, state, x, y, z] = words;
    match state {
        0 => Found::Ran([x, y, z]),
        1 => Found::BeyondLimit([x, y, z]),
        2 => Found::BeyondDevice([x, y, z]),
        _ => unreachable!("invariant guard: it knows three states, not {state}"),
    }
}
