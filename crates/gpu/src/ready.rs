//! What a loaded schedule keeps on the device from run to run: pipelines, bind groups, its own
//! buffers and staging memory. All of it dies with the driver, and is made anew for the next.

use std::collections::{BTreeSet, HashMap};
use std::num::NonZeroU64;
use std::sync::Arc;

use seawall_core::cache::Found;
use seawall_core::check::Checked;
use seawall_core::device::{Error, Stop};
use seawall_core::program::{self, Access, Kernel};
use seawall_core::schedule::{Binding, KernelId, Life, Step};

use crate::bank::Bank;
use crate::device::Open;
use crate::fault::Point;
use crate::indirect::{self, Job, SLOT_BYTES, Slots};
use crate::memory::{ALIGN_BYTES, Memory, Place, padded};
use crate::module::{Form, Grid};
use crate::pipeline::{Pipeline, WATCH_BYTES};
use crate::record::{Counted, Op};
use crate::staging::{self, Down, Need, Up};
use crate::timer::Timer;
use crate::watch;

/// Everything on the device that does not change from run to run.
pub(crate) struct Ready {
    pub(crate) open: Arc<Open>,
    /// What its dispatches were made for.
    pub(crate) same: Same,
    pub(crate) dispatches: Vec<Dispatch>,
    pub(crate) bank: Bank,
    pub(crate) slots: Option<Slots>,
    /// Made when there is a first run, which knows what is left of the budget.
    pub(crate) staging: Staging,
    /// For each kernel, whether a loop of it was cut short; where loops are watched.
    pub(crate) cuts: Option<Memory>,
    /// Made when a run first wants to be timed.
    pub(crate) timer: Option<Timer>,
}

/// Memory on the way.
#[derive(Default)]
pub(crate) struct Staging {
    pub(crate) up: Option<Up>,
    pub(crate) down: Option<Down>,
    /// For copies within a buffer, which wgpu does not do.
    pub(crate) scratch: Option<Memory>,
}

/// A dispatch of the schedule.
pub(crate) struct Dispatch {
    /// Of the schedule.
    pub(crate) step: usize,
    pub(crate) kernel: usize,
    pub(crate) target: Target,
    source: Arc<Kernel>,
    bindings: Vec<Binding>,
    form: Form,
    pipeline: Arc<Pipeline>,
    /// How the pipeline was come by.
    pub(crate) found: Found,
    /// For a part of the grid at a time; made when it is first needed.
    parts: Option<Arc<Pipeline>>,
    /// As last bound, with the buffers that it was bound to.
    bound: Option<(wgpu::BindGroup, Vec<Place>)>,
    /// What tells it a folded grid.
    pub(crate) told: Option<wgpu::BindGroup>,
}

/// What a dispatch runs over.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Target {
    /// A grid that is known.
    Grid([u32; 3]),
    /// One that the device decides; the slot that it gets.
    Slot(usize, Job),
}

impl Ready {
    pub(crate) fn new(
        open: Arc<Open>,
        schedule: &Checked,
        ops: &[Op],
        (same, side_max): (Same, u32),
        stop: &Stop,
    ) -> Result<Self, Error> {
        let mut jobs = Vec::new();
        for (step, what) in schedule.steps.iter().enumerate() {
            if let Step::DispatchIndirect { args, limit, .. } = what {
                jobs.push(Job { step, args: *args, limit: *limit });
            }
        }
        let watches = open.loop_turns.is_some() && schedule.kernels.iter().any(|kernel| watch::has_loops(kernel));
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        let cut_bytes = schedule.kernels.len() as u64 * SLOT_BYTES;
        let cuts = watches.then(|| open.driver.buffer("what is found about loops", cut_bytes, usage)).transpose()?;
        let slots = (!jobs.is_empty()).then(|| Slots::new(&open, &jobs, side_max, stop)).transpose()?;
        let mut dispatches = Vec::new();
        let mut next = jobs.iter().enumerate();
        for (step, what) in schedule.steps.iter().enumerate() {
            let (kernel, bindings, target) = match what {
                Step::Dispatch { kernel, bindings, grid } => (kernel, bindings, Target::Grid(*grid)),
                Step::DispatchIndirect { kernel, bindings, .. } => {
                    let (at, job) = next.next().expect("invariant jobs: one for each indirect dispatch");
                    (kernel, bindings, Target::Slot(at, *job))
                }
                Step::Upload { .. }
                | Step::Clear { .. }
                | Step::Copy { .. }
                | Step::Barrier
                | Step::Download { .. }
                | Step::Free { .. }
                | Step::Loop { .. }
                | Step::When { .. }
                | Step::Swap { .. }
                | Step::End => continue,
            };
            let slots = (slots.as_ref(), side_max);
            let bindings = (bindings.as_slice(), &same);
            dispatches.push(Dispatch::new(&open, schedule, (step, *kernel), bindings, target, slots, stop)?);
        }
        let residents = schedule.buffers.iter().filter(|buffer| buffer.life == Life::Resident);
        let limit_bytes = schedule.peak_bytes().saturating_sub(residents.map(|buffer| buffer.bytes).sum());
        let bank = Bank::new(schedule.buffers.len(), limit_bytes);
        let watched = dispatches.iter().filter(|dispatch: &&Dispatch| dispatch.form.watched).count();
        let least = needs(ops, &same, jobs.len() + watched)
            .iter()
            .fold(limit_bytes, |sum, need| sum.saturating_add(need.least));
        open.driver.fits("the buffers of a schedule with the least staging memory", least)?;
        Ok(Self { open, same, dispatches, bank, slots, staging: Staging::default(), cuts, timer: None })
    }

    /// Makes staging memory, if there is none: of what the budget has left beside the buffers that are
    /// to come.
    pub(crate) fn stage(&mut self, ops: &[Op]) -> Result<(), Error> {
        let needs = needs(ops, &self.same, self.grids() + self.watched().len());
        let Staging { up, down, scratch } = &mut self.staging;
        let driver = &self.open.driver;
        if up.is_some() || down.is_some() || scratch.is_some() {
            return Ok(());
        }
        let left = driver.left_bytes().map(|left| left.saturating_sub(self.bank.to_come_bytes()));
        let [up_bytes, down_bytes, scratch_bytes] = staging::share(needs, left);
        *up = (up_bytes > 0).then(|| Up::new(driver, up_bytes)).transpose()?;
        *down = (down_bytes > 0).then(|| Down::new(driver, down_bytes)).transpose()?;
        let usage = wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        let copies = (scratch_bytes > 0).then(|| driver.buffer("memory for copies", scratch_bytes, usage));
        *scratch = copies.transpose()?;
        Ok(())
    }

    /// How many dispatches have a grid that the device decides.
    pub(crate) fn grids(&self) -> usize {
        self.dispatches.iter().filter(|dispatch| matches!(dispatch.target, Target::Slot(..))).count()
    }

    /// The kernels whose loops are watched.
    pub(crate) fn watched(&self) -> BTreeSet<usize> {
        let watched = self.dispatches.iter().filter(|dispatch| dispatch.form.watched);
        watched.map(|dispatch| dispatch.kernel).collect()
    }

    /// Forgets bindings to a buffer that goes.
    pub(crate) fn forget(&mut self, buffer: &wgpu::Buffer) {
        for dispatch in &mut self.dispatches {
            dispatch.bound.take_if(|(_, to)| to.iter().any(|place| place.raw == *buffer));
        }
        if let Some(slots) = &mut self.slots {
            slots.forget(buffer);
        }
    }
}

/// What these commands need of the belts for uploads and downloads and of memory for copies, and
/// what is found about so many grids.
fn needs(ops: &[Op], same: &Same, slots: usize) -> [Need; 3] {
    let [mut up, mut down, mut scratch] = [Need::default(); 3];
    (0..slots).for_each(|_| down.add_whole(SLOT_BYTES));
    for op in ops {
        match op {
            Op::Upload { to, .. } => up.add(to.bytes),
            Op::Gather { from, .. } | Op::Download { from, length: Counted { known: true, .. }, .. } => {
                down.add(from.bytes);
            }
            Op::Download { from, .. } | Op::Count { from, .. } => down.add_whole(from.bytes),
            Op::Copy { from, to, .. } if same.of(from) == same.of(to) => {
                let mut one = Need::default();
                one.add(from.bytes);
                scratch = Need { all: scratch.all.max(one.all), least: one.least };
            }
            Op::Come { .. } | Op::Go { .. } | Op::Clear { .. } | Op::Copy { .. } | Op::Dispatch { .. } | Op::Land => {}
        }
    }
    [up, down, scratch]
}

impl Dispatch {
    fn new(
        open: &Open,
        schedule: &Checked,
        (step, kernel): (usize, KernelId),
        (bindings, same): (&[Binding], &Same),
        target: Target,
        (slots, side_max): (Option<&Slots>, u32),
        stop: &Stop,
    ) -> Result<Self, Error> {
        let kernel = kernel.0 as usize;
        let source = schedule.kernels[kernel].clone();
        let watched = open.loop_turns.is_some() && watch::has_loops(&source);
        let mut form = Form { grid: Grid::Whole, shared: shared(&source, bindings, same), watched };
        if let Target::Slot(_, job) = target
            && indirect::folds(job.limit, side_max)
        {
            form.grid = Grid::Folded;
        }
        let (pipeline, found) = open.pipelines.get(&open.driver, &source, &form, stop)?;
        let told = match (&pipeline.folded, slots, target) {
            (Some(layout), Some(slots), Target::Slot(at, _)) => Some(slots.told(open, layout, at)?),
            _ => None,
        };
        let bindings = bindings.to_vec();
        Ok(Self { step, kernel, target, source, bindings, form, pipeline, found, parts: None, bound: None, told })
    }

    /// Whether it runs the same kernel on the same bindings as another.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.pipeline, &other.pipeline) && self.bindings == other.bindings
    }

    /// Whether its pipeline takes a folded grid, and no other.
    pub(crate) fn is_folded(&self) -> bool {
        self.form.grid == Grid::Folded
    }

    /// The pipeline for the whole grid in one dispatch, or for a part of it.
    pub(crate) fn pipeline(&mut self, open: &Open, whole: bool, stop: &Stop) -> Result<&Pipeline, Error> {
        if whole {
            return Ok(&self.pipeline);
        }
        let parts = if let Some(parts) = self.parts.take() {
            parts
        } else {
            let form = Form { grid: Grid::Part, ..self.form.clone() };
            open.pipelines.get(&open.driver, &self.source, &form, stop)?.0
        };
        Ok(self.parts.insert(parts))
    }

    /// Its bindings; the last ones if the buffers are the same.
    pub(crate) fn bind(
        &mut self,
        open: &Open,
        buffers: &[Option<Place>],
        cuts: Option<&Memory>,
    ) -> Result<&wgpu::BindGroup, Error> {
        let place = |binding: &Binding| {
            let place = buffers[binding.buffer.0 as usize].as_ref();
            place.expect("invariant lives: what is bound has memory")
        };
        let same = |(_, to): &(_, Vec<Place>)| self.bindings.iter().zip(to).all(|(at, to)| place(at) == to);
        if !self.bound.as_ref().is_some_and(same) {
            let to: Vec<Place> = self.bindings.iter().map(|binding| place(binding).clone()).collect();
            self.bound = Some((self.group(open, &to, cuts)?, to));
        }
        let Some((group, _)) = &self.bound else { unreachable!("invariant bound: just now") };
        Ok(group)
    }

    fn group(&self, open: &Open, to: &[Place], cuts: Option<&Memory>) -> Result<wgpu::BindGroup, Error> {
        let rows = self.source.buffers.iter().zip(&self.bindings).zip(to);
        let mut entries: Vec<wgpu::BindGroupEntry<'_>> = Vec::with_capacity(to.len() + 1);
        for ((row, binding), place) in rows {
            let part = wgpu::BufferBinding {
                buffer: &place.raw,
                offset: place.base + binding.offset,
                size: NonZeroU64::new(visible(row, binding.bytes)),
            };
            let resource = wgpu::BindingResource::Buffer(part);
            entries.push(wgpu::BindGroupEntry { binding: entries.len() as u32, resource });
        }
        if let Some(cuts) = cuts.filter(|_| self.form.watched) {
            let (offset, size) = (self.kernel as u64 * SLOT_BYTES, NonZeroU64::new(WATCH_BYTES));
            let word = wgpu::BufferBinding { buffer: &cuts.raw, offset, size };
            let binding = entries.len() as u32;
            entries.push(wgpu::BindGroupEntry { binding, resource: wgpu::BindingResource::Buffer(word) });
        }
        let descriptor = wgpu::BindGroupDescriptor { label: None, layout: &self.pipeline.layout, entries: &entries };
        let what = format!("the bindings of `{}`", self.source.name);
        open.driver.call(Point::Bind, &what, 0, || open.driver.raw.create_bind_group(&descriptor))
    }
}

/// What a kernel sees of so many bytes: whole words, and of an array no more elements than
/// there are. That an element is a whole number of words, `gaps` makes sure.
fn visible(row: &program::Buffer, bytes: u64) -> u64 {
    match row.ty.tail() {
        Some(_) if bytes >= ALIGN_BYTES => bytes - bytes % ALIGN_BYTES,
        _ => padded(bytes),
    }
}

/// By buffer: the first one that lies in the same memory, since wgpu asks what is done to memory
/// and not to its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Same(Vec<u32>);

impl Same {
    /// Of a schedule whose resident buffers have their memory at these addresses; each has its own
    /// if nobody knows.
    pub(crate) fn new(schedule: &Checked, addresses: impl Iterator<Item = usize>) -> Self {
        let mut same: Vec<u32> = (0..schedule.buffers.len() as u32).collect();
        let mut first = HashMap::new();
        for (id, address) in schedule.residents().zip(addresses) {
            same[id.0 as usize] = *first.entry(address).or_insert(id.0);
        }
        Self(same)
    }

    fn of(&self, binding: &Binding) -> u32 {
        self.0[binding.buffer.0 as usize]
    }
}

/// Rows that do not declare it but whose memory is also bound at a row that does: read-write.
fn shared(kernel: &Kernel, bindings: &[Binding], same: &Same) -> BTreeSet<usize> {
    let rows = || kernel.buffers.iter().zip(bindings);
    let written = |binding: &Binding| {
        rows().any(|(row, other)| row.access == Access::ReadWrite && same.of(other) == same.of(binding))
    };
    let shared = |(at, (row, binding)): (usize, (&program::Buffer, &Binding))| {
        (row.access != Access::ReadWrite && written(binding)).then_some(at)
    };
    rows().enumerate().filter_map(shared).collect()
}
