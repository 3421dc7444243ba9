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
use crate::bound::Bound;
use crate::fault::Point;
use crate::gate::{self, Bounds, Gates, Places};
use crate::indirect::{self, Job, SLOT_BYTES, Slots};
use crate::memory::{ALIGN_BYTES, Memory, Place, padded};
use crate::module::{Form, Grid};
use crate::open::Open;
use crate::pack::{self, Pack};
use crate::pieces::Piece;
use crate::pipeline::{Pipeline, WATCH_BYTES};
use crate::record::Op;
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
    /// Where the device decides loops and branches.
    pub(crate) gates: Option<Gates>,
    /// What gates and slots know.
    pub(crate) states: Option<Memory>,
    /// For each slab that has something to pack, in their order.
    pub(crate) packs: Vec<Pack>,
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
    /// Whether the pipeline was compiled or found in the cache.
    pub(crate) found: Found,
    /// For a part of the grid at a time; made when it is first needed.
    parts: Option<Arc<Pipeline>>,
    bound: Bound,
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
        let grid = |step: &Step| match step {
            Step::Dispatch { grid, .. } => Some(Some(*grid)),
            Step::DispatchIndirect { .. } => Some(None),
            _ => None,
        };
        let grids: Vec<Option<[u32; 3]>> = schedule.steps.iter().filter_map(grid).collect();
        let binding_bytes_max = open.driver.raw.limits().max_storage_buffer_binding_size;
        let places = Places::new(ops, &grids, Bounds { side_max, binding_bytes_max });
        let (mut jobs, mut at) = (Vec::new(), 0);
        for (step, what) in schedule.steps.iter().enumerate() {
            if let Step::DispatchIndirect { args, limit, .. } = what {
                jobs.push(Job { step, args: *args, limit: *limit, gate: places.of_dispatch(at) });
            }
            at += usize::from(grid(what).is_some());
        }
        let watches = open.loop_turns.is_some() && schedule.kernels.iter().any(|kernel| watch::has_loops(kernel));
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        let cut_bytes = schedule.kernels.len() as u64 * SLOT_BYTES;
        let cuts = watches.then(|| open.driver.buffer("what is found about loops", cut_bytes, usage)).transpose()?;
        let slots = (!jobs.is_empty()).then(|| Slots::new(&open, &jobs, side_max, stop)).transpose()?;
        let gates = Gates::new(&open, places, ops, stop)?;
        let decided = slots.is_some() || gates.is_some();
        let state_bytes = gate::state_bytes(schedule.bodies().len());
        let states =
            decided.then(|| open.driver.buffer("what is found about turns", state_bytes, usage)).transpose()?;
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
        let packs = ops.iter().filter_map(|op| match op {
            Op::Slab(slab) if slab.packs() => Some(Pack::new(&open, slab, stop)),
            _ => None,
        });
        let packs = packs.collect::<Result<_, _>>()?;
        let residents = schedule.buffers.iter().filter(|buffer| buffer.life == Life::Resident);
        let limit_bytes = schedule.peak_bytes().saturating_sub(residents.map(|buffer| buffer.bytes).sum());
        let bank = Bank::new(&schedule.buffers, limit_bytes);
        let ready = Self {
            open,
            same,
            dispatches,
            bank,
            slots,
            gates,
            states,
            packs,
            staging: Staging::default(),
            cuts,
            timer: None,
        };
        let least =
            ready.needs(ops).iter().fold(ready.bank.to_come_bytes(), |sum, need| sum.saturating_add(need.least));
        ready.open.driver.fits("the buffers of a schedule with the least staging memory", least)?;
        Ok(ready)
    }

    /// Makes staging memory, if there is none: of what the budget has left beside the buffers that are
    /// to come.
    pub(crate) fn stage(&mut self, ops: &[Op]) -> Result<(), Error> {
        let needs = self.needs(ops);
        let Staging { up, down, scratch } = &mut self.staging;
        let driver = &self.open.driver;
        if up.is_some() || down.is_some() || scratch.is_some() {
            return Ok(());
        }
        let left = driver.left_bytes().map(|left| left.saturating_sub(self.bank.to_come_bytes()));
        let [up_bytes, down_bytes, scratch_bytes] = staging::share(needs, left);
        *up = (up_bytes > 0).then(|| Up::new(driver, up_bytes)).transpose()?;
        let new = if self.packs.is_empty() { Down::new } else { Down::shared };
        *down = (down_bytes > 0).then(|| new(driver, down_bytes)).transpose()?;
        let usage = wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        let copies = (scratch_bytes > 0).then(|| driver.buffer("memory for copies", scratch_bytes, usage));
        *scratch = copies.transpose()?;
        Ok(())
    }

    /// What these commands need of the belts for uploads and downloads and of memory for copies, with
    /// what is found about grids, loops and turns.
    fn needs(&self, ops: &[Op]) -> [Need; 3] {
        let mut needs = [Need::default(); 3];
        add_ops(ops, &self.same, &mut needs);
        let found = self.grids() + self.watched().len();
        (0..found).for_each(|_| needs[1].add_whole(SLOT_BYTES));
        if self.gates.is_some() {
            // All that a loop finds comes at once.
            needs[1].add_whole(self.turn_bytes(self.grids()));
        }
        needs
    }

    /// Bytes of a belt for what is found in one submission with turns: the states, so many grids and a
    /// word.
    pub(crate) fn turn_bytes(&self, grids: usize) -> u64 {
        self.states.as_ref().map_or(0, |states| states.raw.size()) + (grids as u64 + 1) * SLOT_BYTES
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
            dispatch.bound.forget(buffer);
        }
        if let Some(slots) = &mut self.slots {
            slots.forget(buffer);
        }
        if let Some(gates) = &mut self.gates {
            gates.forget(buffer);
        }
        self.packs.iter_mut().for_each(|pack| pack.forget(buffer));
    }
}

/// What these commands need of the belts for uploads and downloads and of memory for copies.
fn add_ops(ops: &[Op], same: &Same, needs: &mut [Need; 3]) {
    let [up, down, scratch] = needs;
    let mut inner = Vec::new();
    for op in ops {
        match op {
            Op::Upload { to, .. } => up.add(to.bytes),
            Op::Download { from, .. } => down.add(from.bytes),
            Op::Fetch(piece) => add(down, piece),
            Op::Slab(slab) => {
                // As the slab, or piece by piece if the belt is too small for it.
                let mut pieces = Need::default();
                slab.pieces.iter().for_each(|(_, piece)| add(&mut pieces, piece));
                down.add(slab.bytes + pack::ALIGN_BYTES);
                down.least = down.least.max(pieces.least);
            }
            Op::Copy { from, to, .. } if same.of(from) == same.of(to) => {
                let mut one = Need::default();
                one.add(from.bytes);
                *scratch = Need { all: scratch.all.max(one.all), least: one.least };
            }
            Op::Body(body) => {
                down.add_whole(SLOT_BYTES);
                inner.push(&body.ops);
            }
            Op::Come { .. }
            | Op::Go { .. }
            | Op::Clear { .. }
            | Op::Copy { .. }
            | Op::Dispatch { .. }
            | Op::Swap { .. }
            | Op::Barrier
            | Op::Land => {}
        }
    }
    for ops in inner {
        add_ops(ops, same, needs);
    }
}

/// What a piece needs that is copied.
fn add(down: &mut Need, piece: &Piece) {
    if piece.length().is_some() { down.add_whole(piece.from.bytes) } else { down.add(piece.from.bytes) }
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
        Ok(Self {
            step,
            kernel,
            target,
            source,
            bindings,
            form,
            pipeline,
            found,
            parts: None,
            bound: Bound::default(),
            told,
        })
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

    /// Its bindings; kept ones if the buffers are the same.
    pub(crate) fn bind(
        &mut self,
        open: &Open,
        buffers: &[Option<Place>],
        cuts: Option<&Memory>,
    ) -> Result<wgpu::BindGroup, Error> {
        let place = |binding: &Binding| {
            let place = buffers[binding.buffer.0 as usize].as_ref();
            place.expect("invariant lives: what is bound has memory")
        };
        let mut bound = std::mem::take(&mut self.bound);
        let group = bound.get(self.bindings.iter().map(place), |to| self.group(open, to, cuts)).cloned();
        self.bound = bound;
        group
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
        let mut same = Self(same);
        same.swap(schedule);
        same
    }

    /// Buffers that change places may come to lie where others do.
    fn swap(&mut self, schedule: &Checked) {
        let shares = |same: &[u32], of: u32| same.iter().filter(|other| **other == of).count() > 1;
        let mut more = true;
        while std::mem::take(&mut more) {
            for step in &schedule.steps {
                let Step::Swap { first, second } = step else { continue };
                let [one, other] = [first, second].map(|id| self.0[id.0 as usize]);
                if one != other && (shares(&self.0, one) || shares(&self.0, other)) {
                    self.0.iter_mut().filter(|of| **of == other).for_each(|of| *of = one);
                    more = true;
                }
            }
        }
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
