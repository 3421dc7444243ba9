//! Runs a checked schedule: one parallel region, a barrier between groups.

use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use seawall_core::cache;
use seawall_core::check::Checked;
use seawall_core::device::{self, Control, Error, Host, Io, Stats, Timed};
use seawall_core::schedule::{Binding, Length, Life, Step};

use crate::alias::{self, Alias};
use crate::bank::Bank;
use crate::compile::Code;
use crate::context::{self, Context};
use crate::device::{ID, refused};
use crate::exec::chunks::{Chunks, Sizes};
use crate::exec::memory::{self, Memory, View};
use crate::exec::pool::{Pool, Worker};
use crate::recipe::{Recipe, groups};

/// Operations that are done before another thread would be awake.
const INLINE_OPERATIONS: u64 = 100_000;

/// Operations of a group that take about as long as it takes workers to meet.
const MEETING_OPERATIONS: u64 = 10_000;

/// Operations that make handing out a chunk cheap beside doing it.
const CHUNK_OPERATIONS: u64 = 20_000;

/// Operations after which a worker says how far it is: all of them write to one place.
const REPORT_OPERATIONS: u64 = 1_000_000;

/// A schedule with compiled kernels.
pub(crate) struct Loaded {
    schedule: Arc<Checked>,
    codes: Vec<Arc<Code>>,
    found: Vec<cache::Found>,
    recipe: Recipe,
    pool: Arc<Pool>,
    /// Transient memory, kept from run to run.
    spare: Mutex<Option<Bank>>,
}

impl Loaded {
    /// With the code of each kernel, and how it was come by.
    pub(crate) fn new(
        schedule: Arc<Checked>,
        codes: Vec<Arc<Code>>,
        found: Vec<cache::Found>,
        pool: Arc<Pool>,
    ) -> Self {
        let recipe = Recipe::new(&schedule, &codes);
        Self { schedule, codes, found, recipe, pool, spare: Mutex::default() }
    }

    /// One, where the others would come too late or wait for each other most of the time.
    fn workers(&self) -> usize {
        let Recipe { operations, turnover, .. } = &self.recipe;
        let alone = *operations < INLINE_OPERATIONS || operations / (turnover.len() as u64) < MEETING_OPERATIONS;
        if alone { 1 } else { self.pool.count() }
    }

    /// By kernel: how its dispatches are handed out.
    fn sizes(&self, workers: usize) -> Vec<Sizes> {
        let sizes = |operations: &u64| Sizes::new(CHUNK_OPERATIONS / (*operations).max(1), workers);
        self.recipe.workgroup_operations.iter().map(sizes).collect()
    }
}

impl device::Loaded for Loaded {
    fn found(&self) -> &[cache::Found] {
        &self.found
    }

    fn run(&self, io: Io<'_>, control: &Control) -> Result<Stats, Error> {
        device::io_fits(&self.schedule, &io)?;
        let aliases = alias::aligned(&self.recipe.aliases, &io);
        let residents: Vec<&Memory> = io
            .residents
            .iter()
            .map(|buffer| buffer.memory.downcast_ref().ok_or_else(|| Error::ForeignBuffer { device: ID.to_owned() }))
            .collect::<Result<_, _>>()?;
        let mut guards = memory::lock_all(&residents);
        let mut guards = guards.iter_mut();
        let hosts: Vec<View<'_>> = io.hosts.into_iter().map(host_view).collect();
        let table = self.schedule.buffers.iter().zip(&aliases).map(|(buffer, alias)| {
            AtomicPtr::new(match (buffer.life, alias) {
                (Life::Resident, _) => guards.next().expect("invariant io-fits: one for each").view().as_ptr(),
                (Life::Transient, Some(alias)) => hosts[alias.host].as_ptr(),
                (Life::Transient, None) => std::ptr::null_mut(),
            })
        });
        let table = table.collect();
        let limit_bytes = self.schedule.peak_bytes().saturating_sub(self.recipe.resident_bytes);
        let bank = self.spare.lock().unwrap_or_else(PoisonError::into_inner).take();
        let workers = self.workers();
        let run = Run {
            loaded: self,
            table,
            hosts,
            aliases,
            sizes: self.sizes(workers),
            chunks: std::iter::repeat_with(Chunks::new).take(self.recipe.stats.dispatches as usize).collect(),
            control,
            bank: Mutex::new(bank.unwrap_or_else(|| Bank::new(self.schedule.buffers.len(), limit_bytes))),
            failure: Mutex::new(None),
            failed: AtomicBool::new(false),
            halt: AtomicUsize::new(usize::MAX),
            found: Found::default(),
            times: Mutex::default(),
        };
        run.come(0);
        let job = |worker: &Worker<'_>| run.work(worker);
        match (run.failed.load(Relaxed), workers) {
            (true, _) => {}
            (false, 1) => self.pool.inline(&job),
            (false, _) => self.pool.run(&job),
        }
        run.end()
    }
}

fn host_view(host: Host<'_>) -> View<'_> {
    match host {
        Host::Read(slice) => View::over(slice),
        Host::Write(slice) => View::over_mut(slice),
    }
}

/// What only the device knew.
#[derive(Debug, Default)]
struct Found {
    workgroups: AtomicU64,
    invocations: AtomicU64,
    downloaded_bytes: AtomicU64,
}

/// What a worker keeps from dispatch to dispatch.
#[derive(Default)]
struct Local {
    bound: Vec<context::Buffer>,
    /// What has not been reported yet.
    workgroups: u64,
    operations: u64,
}

/// One run, as its workers see it.
struct Run<'a> {
    loaded: &'a Loaded,
    /// Where each buffer's memory starts; null while it has none. Changed between groups, by
    /// one worker, with a barrier before and after.
    table: Vec<AtomicPtr<u8>>,
    hosts: Vec<View<'a>>,
    aliases: Vec<Option<Alias>>,
    /// By kernel.
    sizes: Vec<Sizes>,
    /// By dispatch.
    chunks: Vec<Chunks>,
    control: &'a Control,
    bank: Mutex<Bank>,
    failure: Mutex<Option<Error>>,
    failed: AtomicBool,
    /// The barrier after which everyone stops. Worker 0 says so before it comes to that
    /// barrier, so that all find the same there.
    halt: AtomicUsize,
    found: Found,
    /// Where the run is timed.
    times: Mutex<Vec<Timed>>,
}

impl Run<'_> {
    fn work(&self, worker: &Worker<'_>) {
        let (recipe, steps) = (&self.loaded.recipe, &self.loaded.schedule.steps);
        let (mut local, mut times) = (Local::default(), Vec::new());
        // Copies go round: whose turn it is.
        let mut turn = 0;
        for (group, range) in recipe.groups.iter().enumerate() {
            if group > 0 {
                self.report(&mut local);
                let cross = || self.cross(worker, group);
                if self.control.time(&mut times, range.start - 1, worker.index, cross) {
                    break;
                }
            }
            for (index, step) in range.clone().zip(&steps[range.clone()]) {
                if let Step::Upload { .. } | Step::Clear { .. } | Step::Copy { .. } | Step::Download { .. } = step {
                    if turn == worker.index {
                        self.control.time(&mut times, index, worker.index, || self.copy(step));
                    }
                    turn = if turn + 1 == worker.count { 0 } else { turn + 1 };
                }
            }
            // Each begins elsewhere, so that they seldom want the same, and a chain of waves stays
            // with a worker and its cache; in the end they help each other.
            let launches = recipe.launches[group].clone();
            let own = launches.start + launches.len() * worker.index / worker.count;
            for at in (own..launches.end).chain(launches.start..own) {
                let index = recipe.dispatches[at];
                let launch = || self.launch(worker, index, &steps[index], &mut local, &self.chunks[at]);
                self.control.time(&mut times, index, worker.index, launch);
            }
        }
        self.report(&mut local);
        if !times.is_empty() {
            self.times.lock().unwrap_or_else(PoisonError::into_inner).append(&mut times);
        }
    }

    /// Says how much this worker has done.
    fn report(&self, local: &mut Local) {
        if local.workgroups > 0 {
            self.control.workgroups_done.fetch_add(local.workgroups, Relaxed);
            (local.workgroups, local.operations) = (0, 0);
        }
    }

    fn launch(&self, worker: &Worker<'_>, index: usize, step: &Step, local: &mut Local, chunks: &Chunks) {
        match step {
            Step::Dispatch { kernel, grid, bindings } => {
                self.dispatch(worker, kernel.0 as usize, *grid, bindings, local, chunks);
            }
            Step::DispatchIndirect { kernel, args, limit, bindings } => {
                match device::grid_within(index, std::array::from_fn(|i| self.word(args, i)), *limit) {
                    Ok(grid) => {
                        self.dispatch(worker, kernel.0 as usize, grid, bindings, local, chunks);
                        self.found(worker, kernel.0 as usize, grid);
                    }
                    Err(error) => self.fail(error),
                }
            }
            Step::Upload { .. }
            | Step::Clear { .. }
            | Step::Copy { .. }
            | Step::Barrier
            | Step::Download { .. }
            | Step::Free { .. } => {}
        }
    }

    /// Goes on to a group with all the others; whether they are to stop instead.
    fn cross(&self, worker: &Worker<'_>, group: usize) -> bool {
        // Each group has two places to stop at: before and after its memory is seen to.
        let stops = |place: usize| self.halt.load(Relaxed) == group * 2 + place;
        let stop = |place: usize| self.halt.store(group * 2 + place, Relaxed);
        if worker.index == 0 {
            if let Some(reason) = self.control.stop.asked() {
                self.fail(Error::Stopped { reason, report: None });
            }
            if self.failed.load(Relaxed) {
                stop(0);
            }
        }
        worker.barrier();
        if stops(0) {
            return true;
        }
        let groups = &self.loaded.recipe.turnover;
        if groups[group - 1].go.is_empty() && groups[group].come.is_empty() {
            return false;
        }
        if worker.index == 0 {
            self.go(group - 1);
            self.come(group);
            if self.failed.load(Relaxed) {
                stop(1);
            }
        }
        worker.barrier();
        stops(1)
    }

    /// Takes the memory of the buffers that lived up to a group.
    fn go(&self, group: usize) {
        let mut bank = self.bank.lock().unwrap_or_else(PoisonError::into_inner);
        for buffer in &self.loaded.recipe.turnover[group].go {
            bank.take_back(buffer.0 as usize);
        }
    }

    /// Gives memory to the buffers that live from a group on.
    fn come(&self, group: usize) {
        let mut bank = self.bank.lock().unwrap_or_else(PoisonError::into_inner);
        for id in &self.loaded.recipe.turnover[group].come {
            let at = id.0 as usize;
            let buffer = &self.loaded.schedule.buffers[at];
            match self.aliases[at] {
                // SAFETY: no other step reaches the slice before this group (`alias`).
                Some(Alias { host, cleared: true }) => unsafe { self.hosts[host].clear() },
                Some(Alias { cleared: false, .. }) => {}
                None => match bank.lend(at, buffer.bytes, self.loaded.recipe.overwritten[at]) {
                    Ok(view) => self.table[at].store(view.as_ptr(), Relaxed),
                    Err(error) => return self.fail(refused(error, ID, &format!("`{}`", buffer.name))),
                },
            }
        }
    }

    /// The first failure counts; one that names a loop counts for more.
    fn fail(&self, error: Error) {
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        let replace = match &*failure {
            None => true,
            Some(Error::Stopped { report: Some(report), .. }) => {
                report.diagnostics.iter().all(|diagnostic| diagnostic.labels.is_empty())
            }
            Some(Error::Stopped { report: None, .. }) => true,
            Some(_) => false,
        };
        if replace {
            *failure = Some(error);
        }
        self.failed.store(true, Relaxed);
    }

    fn end(self) -> Result<Stats, Error> {
        let mut bank = self.bank.into_inner().unwrap_or_else(PoisonError::into_inner);
        let recipe = &self.loaded.recipe;
        let mut stats = recipe.stats.clone();
        stats.peak_bytes = recipe.resident_bytes + bank.settle();
        stats.workgroups += self.found.workgroups.into_inner();
        stats.invocations += self.found.invocations.into_inner();
        stats.downloaded_bytes += self.found.downloaded_bytes.into_inner();
        stats.times = self.times.into_inner().unwrap_or_else(PoisonError::into_inner);
        stats.times.sort_by_key(|timed| (timed.step, timed.worker));
        *self.loaded.spare.lock().unwrap_or_else(PoisonError::into_inner) = Some(bank);
        match self.failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok(stats),
        }
    }

    /// Counts a grid that was not known before, once.
    fn found(&self, worker: &Worker<'_>, kernel: usize, grid: [u32; 3]) {
        if worker.index == 0 {
            let invocations = self.loaded.schedule.kernels[kernel].workgroup_invocations();
            self.found.workgroups.fetch_add(groups(grid), Relaxed);
            self.found.invocations.fetch_add(groups(grid) * invocations, Relaxed);
        }
    }

    /// A range of a buffer that is alive.
    fn view(&self, range: &Binding) -> View<'_> {
        let id = range.buffer.0 as usize;
        let Some(at) = NonNull::new(self.table[id].load(Relaxed)) else {
            unreachable!("invariant lives: a step finds its buffers alive")
        };
        // SAFETY: as long as a buffer is in the table it has memory of its size: a bank's, a
        // locked resident's or a slice's. A slice that is read only is never written (`alias`).
        let view = unsafe { View::raw(at, self.loaded.schedule.buffers[id].bytes) };
        part(view, range.offset, range.bytes)
    }

    /// A `u32` that a step reads for itself.
    fn word(&self, of: &Binding, index: usize) -> u32 {
        let mut bytes = [0; 4];
        let from = part(self.view(of), index as u64 * 4, 4);
        // SAFETY: `check` keeps steps that write it out of the group.
        unsafe { View::over_mut(&mut bytes).copy_from(from) };
        u32::from_le_bytes(bytes)
    }

    /// One step that moves bytes; nothing where a slice stands for the buffer.
    fn copy(&self, step: &Step) {
        let in_place = |range: &Binding, host: usize| {
            self.aliases[range.buffer.0 as usize].is_some_and(|alias| alias.host == host)
        };
        let (to, from) = match step {
            Step::Upload { host, at, to } if !in_place(to, host.0 as usize) => {
                (self.view(to), Some(part(self.hosts[host.0 as usize], *at, to.bytes)))
            }
            Step::Download { from, host, at, length } if !in_place(from, host.0 as usize) => {
                let bytes = match length {
                    None => from.bytes,
                    Some(length @ Length { count, .. }) => {
                        let bytes = length.meaningful_bytes(self.word(count, 0), from.bytes);
                        self.found.downloaded_bytes.fetch_add(bytes, Relaxed);
                        bytes
                    }
                };
                (part(self.hosts[host.0 as usize], *at, bytes), Some(part(self.view(from), 0, bytes)))
            }
            Step::Clear { range } => (self.view(range), None),
            Step::Copy { from, to } => (self.view(to), Some(self.view(from))),
            Step::Upload { .. }
            | Step::Download { .. }
            | Step::Dispatch { .. }
            | Step::DispatchIndirect { .. }
            | Step::Barrier
            | Step::Free { .. } => return,
        };
        // SAFETY: `check` keeps other steps of the group away from what this one writes, and
        // those that write away from what it reads.
        unsafe {
            match from {
                Some(from) => to.copy_from(from),
                None => to.clear(),
            }
        }
    }

    /// Does this worker's share of a dispatch.
    fn dispatch(
        &self,
        worker: &Worker<'_>,
        kernel: usize,
        grid: [u32; 3],
        bindings: &[Binding],
        local: &mut Local,
        chunks: &Chunks,
    ) {
        let (sizes, operations) = (self.sizes[kernel], self.loaded.recipe.workgroup_operations[kernel]);
        let (code, kernel) = (&self.loaded.codes[kernel], &self.loaded.schedule.kernels[kernel]);
        if let Some(reason) = self.control.stop.asked() {
            return self.fail(device::stopped(kernel, reason, None));
        }
        let mut scratch = worker.scratch.borrow_mut();
        let scratch = match scratch.reserve(code.frame.bytes) {
            Ok(view) => view,
            Err(error) => {
                return self.fail(refused(error, ID, "workgroup memory"));
            }
        };
        local.bound.clear();
        local.bound.extend(kernel.buffers.iter().zip(bindings).map(|(row, binding)| {
            let length = row.ty.tail_len(binding.bytes).min(u64::from(u32::MAX));
            context::Buffer { pointer: self.view(binding).as_ptr(), length }
        }));
        let mut context = Context {
            buffers: local.bound.as_ptr(),
            scratch: scratch.as_ptr(),
            constants: code.frame.constants.as_ptr(),
            stop: std::ptr::from_ref(self.control.stop.flag()),
            grid,
            stopped_in: 0,
        };
        let total = groups(grid);
        while let Some(range) = chunks.take(total, sizes) {
            let count = range.end - range.start;
            // SAFETY: bindings are as large as their rows ask for (`check`), writable where the
            // kernel writes (`check`, `io_fits` and `alias`), and the rest was made above.
            unsafe { code.run(&mut context, range.start, count) };
            if let Some(reason) = self.control.stop.asked() {
                let around = context.stopped_in.checked_sub(1).and_then(|label| code.loop_span(label));
                return self.fail(device::stopped(kernel, reason, around));
            }
            local.workgroups += count;
            local.operations = local.operations.saturating_add(operations.saturating_mul(count));
            if local.operations > REPORT_OPERATIONS {
                self.report(local);
            }
        }
    }
}

/// A range that `check` has proved to lie inside.
fn part<'a>(view: View<'a>, offset: u64, bytes: u64) -> View<'a> {
    view.range(offset, bytes).unwrap_or_else(|error| unreachable!("invariant ranges: {error}"))
}
