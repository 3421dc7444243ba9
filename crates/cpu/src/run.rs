//! Runs a checked schedule: one parallel region, a barrier between groups.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use seawall_core::check::Checked;
use seawall_core::device::{self, Control, Error, Host, Io, Stats};
use seawall_core::schedule::{Binding, Life, Step};

use crate::compile::Code;
use crate::context::{self, Context};
use crate::device::{ID, refused};
use crate::exec::chunks::Chunks;
use crate::exec::memory::{self, Memory, View};
use crate::exec::pool::{Pool, Worker};

/// Operations that are done before another thread would be awake.
const INLINE_OPERATIONS: u64 = 100_000;

/// Operations that make handing out a chunk cheap beside doing it.
const CHUNK_OPERATIONS: u64 = 20_000;

/// A schedule with compiled kernels.
pub(crate) struct Loaded {
    schedule: Arc<Checked>,
    codes: Vec<Code>,
    pool: Arc<Pool>,
    /// Transient memory, kept from run to run.
    spare: Mutex<Vec<Option<Memory>>>,
}

impl Loaded {
    pub(crate) fn new(schedule: Arc<Checked>, codes: Vec<Code>, pool: Arc<Pool>) -> Self {
        Self { schedule, codes, pool, spare: Mutex::default() }
    }

    /// For each buffer, the host slice that can stand for it: one that holds all of it from the
    /// start and, if kernels change it, gets all of it back.
    fn aliases(&self, io: &Io<'_>) -> Vec<Option<usize>> {
        /// The widest scalar.
        const ALIGN: usize = 8;
        let mut aliases = vec![None; self.schedule.buffers.len()];
        let mut taken = vec![false; io.hosts.len()];
        let mut touched = vec![false; self.schedule.buffers.len()];
        let whole = |at: &Binding, host: usize| {
            let buffer = &self.schedule.buffers[at.buffer.0 as usize];
            let same = at.bytes == buffer.bytes && self.schedule.hosts[host].bytes == buffer.bytes;
            same && buffer.life == Life::Transient && io.hosts[host].bytes().as_ptr().addr().is_multiple_of(ALIGN)
        };
        for step in &self.schedule.steps {
            if let Step::Upload { host, to } = step {
                let (host, buffer) = (host.0 as usize, to.buffer.0 as usize);
                if !touched[buffer] && !taken[host] && whole(to, host) {
                    aliases[buffer] = Some(host);
                    taken[host] = true;
                } else {
                    aliases[buffer] = None;
                }
                touched[buffer] = true;
            }
            if let Step::Dispatch { kernel, bindings, .. } = step {
                let rows = &self.schedule.kernels[kernel.0 as usize].buffers;
                for (row, binding) in rows.iter().zip(bindings) {
                    let buffer = binding.buffer.0 as usize;
                    touched[buffer] = true;
                    let changed = row.effects.writes || row.effects.updates;
                    if changed && !self.returns(buffer, aliases[buffer], &whole) {
                        aliases[buffer] = None;
                    }
                }
            }
        }
        aliases
    }

    /// Whether a buffer's last copy goes back to the host slice that stands for it.
    fn returns(&self, buffer: usize, host: Option<usize>, whole: &dyn Fn(&Binding, usize) -> bool) -> bool {
        let Some(host) = host else { return false };
        let last = self.schedule.steps.iter().rev().find(|step| match step {
            Step::Upload { to, .. } => to.buffer.0 as usize == buffer,
            Step::Download { from, .. } => from.buffer.0 as usize == buffer,
            Step::Dispatch { bindings, .. } => bindings.iter().any(|binding| binding.buffer.0 as usize == buffer),
            Step::Barrier => false,
        });
        matches!(last, Some(Step::Download { from, host: to }) if to.0 as usize == host && whole(from, host))
    }

    /// Operations of the whole schedule, roughly.
    fn operations(&self) -> u64 {
        let step = |step: &Step| match step {
            Step::Dispatch { kernel, grid, .. } => {
                let kernel = kernel.0 as usize;
                let each =
                    self.codes[kernel].cost.saturating_mul(self.schedule.kernels[kernel].workgroup_invocations());
                each.saturating_mul(groups(*grid))
            }
            Step::Upload { .. } | Step::Download { .. } | Step::Barrier => 0,
        };
        self.schedule.steps.iter().map(step).fold(0, u64::saturating_add)
    }
}

fn groups(grid: [u32; 3]) -> u64 {
    grid.iter().map(|&n| u64::from(n)).fold(1, u64::saturating_mul)
}

/// One run, as its workers see it.
struct Run<'a> {
    loaded: &'a Loaded,
    views: Vec<View<'a>>,
    hosts: Vec<View<'a>>,
    aliases: Vec<Option<usize>>,
    chunks: Vec<Option<Chunks>>,
    control: &'a Control,
    failure: Mutex<Option<Error>>,
}

impl device::Loaded for Loaded {
    fn run(&self, io: Io<'_>, control: &Control) -> Result<Stats, Error> {
        device::io_fits(&self.schedule, &io)?;
        let aliases = self.aliases(&io);
        let residents: Vec<&Memory> = io
            .residents
            .iter()
            .map(|buffer| buffer.memory.downcast_ref().ok_or_else(|| Error::ForeignBuffer { device: ID.to_owned() }))
            .collect::<Result<_, _>>()?;
        let mut guards = memory::lock_all(&residents);
        let mut transients = self.transients(&aliases)?;
        let hosts: Vec<View<'_>> = io.hosts.into_iter().map(host_view).collect();
        let mut guards = guards.iter_mut();
        let mut peak_bytes = 0;
        let mut views = Vec::new();
        for ((buffer, memory), alias) in self.schedule.buffers.iter().zip(&mut transients).zip(&aliases) {
            peak_bytes += buffer.bytes;
            views.push(match (buffer.life, alias, memory) {
                (Life::Resident, _, _) => guards.next().expect("invariant io-fits: one for each").view(),
                (Life::Transient, Some(host), _) => hosts[*host],
                (Life::Transient, None, Some(memory)) => memory.view(),
                (Life::Transient, None, None) => unreachable!("invariant transients: each has memory"),
            });
        }
        let operations = self.operations();
        let workers = if operations < INLINE_OPERATIONS { 1 } else { self.pool.count() };
        let chunks = self.schedule.steps.iter().map(|step| match step {
            Step::Dispatch { kernel, grid, .. } => {
                let kernel = kernel.0 as usize;
                let each =
                    self.codes[kernel].cost.saturating_mul(self.schedule.kernels[kernel].workgroup_invocations());
                Some(Chunks::new(groups(*grid), CHUNK_OPERATIONS / each.max(1), workers))
            }
            Step::Upload { .. } | Step::Download { .. } | Step::Barrier => None,
        });
        let run =
            Run { loaded: self, views, hosts, aliases, chunks: chunks.collect(), control, failure: Mutex::new(None) };
        let job = |worker: &Worker<'_>| run.work(worker);
        if workers == 1 {
            self.pool.inline(&job);
        } else {
            self.pool.run(&job);
        }
        let failure = run.failure;
        *self.spare.lock().unwrap_or_else(PoisonError::into_inner) = transients;
        if let Some(error) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        Ok(self.stats(peak_bytes))
    }
}

fn host_view(host: Host<'_>) -> View<'_> {
    match host {
        Host::Read(slice) => View::over(slice),
        Host::Write(slice) => View::over_mut(slice),
    }
}

impl Loaded {
    /// Zeroed memory for each transient buffer that no host slice stands for.
    fn transients(&self, aliases: &[Option<usize>]) -> Result<Vec<Option<Memory>>, Error> {
        let mut spare = std::mem::take(&mut *self.spare.lock().unwrap_or_else(PoisonError::into_inner));
        spare.resize_with(self.schedule.buffers.len(), || None);
        for ((buffer, memory), alias) in self.schedule.buffers.iter().zip(&mut spare).zip(aliases) {
            if buffer.life == Life::Resident || alias.is_some() {
                continue;
            }
            match memory {
                // SAFETY: nobody else has this memory.
                Some(memory) => unsafe { memory.view().clear() },
                None => {
                    let what = format!("`{}`", buffer.name);
                    *memory = Some(Memory::new(buffer.bytes).map_err(|error| refused(error, ID, &what))?);
                }
            }
        }
        Ok(spare)
    }

    fn stats(&self, peak_bytes: u64) -> Stats {
        let mut stats = Stats { peak_bytes, ..Stats::default() };
        for step in &self.schedule.steps {
            match step {
                Step::Upload { to, .. } => stats.uploaded_bytes += to.bytes,
                Step::Download { from, .. } => stats.downloaded_bytes += from.bytes,
                Step::Barrier => stats.barriers += 1,
                Step::Dispatch { kernel, grid, .. } => {
                    let kernel = &self.schedule.kernels[kernel.0 as usize];
                    stats.dispatches += 1;
                    stats.workgroups += groups(*grid);
                    stats.invocations += groups(*grid) * kernel.workgroup_invocations();
                }
            }
        }
        stats
    }
}

impl Run<'_> {
    fn work(&self, worker: &Worker<'_>) {
        debug_assert!(worker.index < worker.count, "invariant workers: {} of {}", worker.index, worker.count);
        for (step, chunks) in self.loaded.schedule.steps.iter().zip(&self.chunks) {
            match (step, chunks) {
                (Step::Barrier, _) => worker.barrier(),
                (Step::Dispatch { kernel, grid, bindings }, Some(chunks)) => {
                    self.dispatch(worker, kernel.0 as usize, *grid, bindings, chunks);
                }
                (Step::Upload { host, to }, _) if worker.index == 0 => {
                    self.copy(to, host.0 as usize, true);
                }
                (Step::Download { from, host }, _) if worker.index == 0 => {
                    self.copy(from, host.0 as usize, false);
                }
                (Step::Upload { .. } | Step::Download { .. } | Step::Dispatch { .. }, _) => {}
            }
        }
    }

    /// The first failure counts; one that names a loop counts for more.
    fn fail(&self, error: Error) {
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*failure, None | Some(Error::Stopped)) {
            *failure = Some(error);
        }
    }

    fn copy(&self, range: &Binding, host: usize, upload: bool) {
        let buffer = range.buffer.0 as usize;
        if self.aliases[buffer] == Some(host) {
            return;
        }
        let view = part(self.views[buffer], range.offset, range.bytes);
        let slice = part(self.hosts[host], 0, range.bytes);
        // SAFETY: `check` keeps other steps of the group away from both, and only worker 0 copies.
        unsafe {
            if upload {
                view.copy_from(slice);
            } else {
                slice.copy_from(view);
            }
        }
    }

    fn dispatch(&self, worker: &Worker<'_>, kernel: usize, grid: [u32; 3], bindings: &[Binding], chunks: &Chunks) {
        let (code, kernel) = (&self.loaded.codes[kernel], &self.loaded.schedule.kernels[kernel]);
        let mut scratch = worker.scratch.borrow_mut();
        let scratch = match scratch.reserve(code.frame.bytes) {
            Ok(view) => view,
            Err(error) => {
                return self.fail(refused(error, ID, "workgroup memory"));
            }
        };
        let buffers: Vec<context::Buffer> = kernel
            .buffers
            .iter()
            .zip(bindings)
            .map(|(row, binding)| {
                let view = part(self.views[binding.buffer.0 as usize], binding.offset, binding.bytes);
                let length = row.ty.tail_len(binding.bytes).min(u64::from(u32::MAX));
                context::Buffer { pointer: view.as_ptr(), length }
            })
            .collect();
        let mut context = Context {
            buffers: buffers.as_ptr(),
            scratch: scratch.as_ptr(),
            constants: code.frame.constants.as_ptr(),
            stop: &raw const self.control.stop,
            grid,
            stopped_in: 0,
        };
        while let Some(range) = chunks.take() {
            let count = range.end - range.start;
            // SAFETY: bindings are as large as their rows ask for (`check`), writable where the
            // kernel writes (`check`, `io_fits` and `aliases`), and the rest was made above.
            unsafe { code.run(&mut context, range.start, count) };
            if self.control.stop.load(Ordering::Relaxed) {
                return self.fail(match context.stopped_in.checked_sub(1) {
                    Some(label) => device::stopped_in(kernel, code.loop_span(label)),
                    None => Error::Stopped,
                });
            }
            self.control.workgroups_done.fetch_add(count, Ordering::Relaxed);
        }
    }
}

/// A range that `check` has proved to lie inside.
fn part<'a>(view: View<'a>, offset: u64, bytes: u64) -> View<'a> {
    view.range(offset, bytes).unwrap_or_else(|error| unreachable!("invariant ranges: {error}"))
}
