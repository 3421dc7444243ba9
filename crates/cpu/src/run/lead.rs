//! What only the leader does: it walks the schedule, and finds out what each group has to do.

use std::ops::Range;
use std::ptr::NonNull;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use seawall_core::device::{self, Error, Stats, Timed};
use seawall_core::schedule::{Binding, Length, Step};

use super::group::going_through;
use super::{Common, Group, Halted};
use crate::alias::Alias;
use crate::bank::Bank;
use crate::context;
use crate::exec::memory::{Memory, View};
use crate::exec::pool::{Team, Worker};
use crate::lent::{ID, refused};
use crate::recipe::{Boundary, groups};

/// Operations that are done before a thread that sleeps would be awake.
const WAKE_OPERATIONS: u64 = 100_000;

/// One run, as its leader sees it.
pub(super) struct Leader<'a> {
    pub(super) common: &'a Common<'a>,
    /// Where each buffer's memory starts; null while it has none.
    pub(super) table: Vec<*mut u8>,
    pub(super) hosts: Vec<View<'a>>,
    pub(super) aliases: Vec<Option<Alias>>,
    pub(super) bank: Bank,
    /// Whose memory each resident buffer has now, in the order of the schedule.
    pub(super) residents: Vec<&'a Memory>,
    /// What the table was at first: where the caller looks for what is in its buffers.
    pub(super) homes: Vec<*mut u8>,
    /// Buffers that can be read only now.
    pub(super) shielded: Vec<usize>,
    pub(super) team: Team<'a>,
    /// Operations that others would have shared, had they been awake.
    pub(super) alone_operations: u64,
    /// When it had done its part of the last group, where the run is timed.
    pub(super) left_nanos: u64,
    /// For each loop and branch, turns since it was last come to.
    pub(super) turns: Vec<u32>,
    pub(super) stats: Stats,
}

impl<'a> Leader<'a> {
    pub(super) fn run(&mut self) -> Result<(), Halted> {
        let recipe = &self.common.loaded.recipe;
        let (mut group, mut at) = (Group::default(), 0);
        self.come(at)?;
        loop {
            self.prepare(recipe.groups[at].clone(), &mut group)?;
            self.work(&group)?;
            let next = match recipe.boundaries[at] {
                Boundary::Barrier => {
                    self.stats.barriers += 1;
                    at + 1
                }
                Boundary::Begin(body) => {
                    self.stats.loops[body].entries += 1;
                    self.turns[body] = 0;
                    self.turn(body)
                }
                Boundary::End(body) => self.turn(body),
                Boundary::Last => return Ok(()),
            };
            self.cross(at, next)?;
            at = next;
        }
    }

    /// The first group of another turn of a loop or a branch, or the group behind it.
    fn turn(&mut self, at: usize) -> usize {
        let body = &self.common.loaded.recipe.bodies[at];
        let holds = body.test.is_none_or(|test| test.holds(self.word(&test.word, 0)));
        let looped = &mut self.stats.loops[at];
        if holds && self.turns[at] < body.limit {
            self.turns[at] += 1;
            looped.turns += 1;
            return body.first;
        }
        looped.limited += u64::from(holds && body.limited);
        body.behind
    }

    /// Goes on from one group to another: memory goes and comes, and this is where a run stops.
    fn cross(&mut self, from: usize, to: usize) -> Result<(), Halted> {
        if let Some(reason) = self.common.control.stop.asked() {
            return Err(self.common.fail(Error::Stopped { reason, report: None }));
        }
        self.shield(None);
        self.go(from);
        self.come(to)?;
        if let Some(clock) = &self.common.control.clock {
            let (step, begin_nanos) = (self.common.loaded.recipe.groups[from].end, self.left_nanos);
            let nanos = clock.nanos().saturating_sub(begin_nanos);
            self.common.timed(vec![Timed { step, worker: 0, begin_nanos, nanos }]);
        }
        Ok(())
    }

    /// Does a group, alone or with others. Waking them is worth its price when as much was done alone
    /// as would have paid for it; if they are still awake, it costs next to nothing.
    fn work(&mut self, group: &Group<'_>) -> Result<(), Halted> {
        let common = self.common;
        let left = AtomicU64::new(0);
        let share = |worker: &Worker<'_>| {
            common.share(worker, group);
            if let (0, Some(clock)) = (worker.index, &common.control.clock) {
                left.store(clock.nanos(), Relaxed);
            }
        };
        let workers = group.workers(self.team.count());
        if workers > 1 {
            self.alone_operations = self.alone_operations.saturating_add(group.operations());
        }
        if workers > 1 && (self.alone_operations >= WAKE_OPERATIONS || self.team.looks_out()) {
            self.alone_operations = 0;
            self.team.share(workers, &share).map_err(|reason| common.fail(reason.into()))?;
        } else {
            share(&self.team.alone());
        }
        self.left_nanos = left.into_inner();
        common.go_on()
    }

    /// Writes down what a group has to do, with the grids and counts that it finds.
    fn prepare(&mut self, steps: Range<usize>, group: &mut Group<'a>) -> Result<(), Halted> {
        let common = self.common;
        group.clear();
        for (index, step) in steps.clone().zip(&common.loaded.schedule.steps[steps]) {
            match step {
                Step::Upload { host, at, to } => {
                    self.stats.uploaded_bytes += to.bytes;
                    if let Some(bytes) = self.moves(to, host.0 as usize, to.bytes) {
                        let from = part(self.hosts[host.0 as usize], *at, bytes);
                        group.add_move(index, part(self.view(to), 0, bytes), Some(from));
                    }
                }
                Step::Download { from, host, at, length } => {
                    let bytes = match length {
                        None => from.bytes,
                        Some(length @ Length { count, .. }) => length.meaningful_bytes(self.word(count, 0), from.bytes),
                    };
                    self.stats.downloaded_bytes += bytes;
                    if let Some(bytes) = self.moves(from, host.0 as usize, bytes) {
                        let to = part(self.hosts[host.0 as usize], *at, bytes);
                        group.add_move(index, to, Some(part(self.view(from), 0, bytes)));
                    }
                }
                Step::Clear { range } => group.add_move(index, self.view(range), None),
                Step::Copy { from, to } => group.add_move(index, self.view(to), Some(self.view(from))),
                Step::Dispatch { kernel, grid, bindings } => {
                    let operations = self.operations(kernel.0 as usize, *grid, bindings);
                    self.launch((index, kernel.0 as usize), *grid, operations, bindings, group);
                }
                Step::DispatchIndirect { kernel, args, limit, bindings } => {
                    let grid = std::array::from_fn(|i| self.word(args, i));
                    let grid = device::grid_within(index, grid, *limit).map_err(|error| common.fail(error))?;
                    let operations = common.loaded.recipe.workgroup_operations[kernel.0 as usize];
                    self.launch((index, kernel.0 as usize), grid, operations, bindings, group);
                }
                Step::Swap { first, second } => self.swap(first.0 as usize, second.0 as usize),
                Step::Barrier | Step::Free { .. } | Step::Loop { .. } | Step::When { .. } | Step::End => {}
            }
        }
        Ok(())
    }

    /// Exchanges what two buffers hold, which nothing else of the group touches (`check`).
    fn swap(&mut self, first: usize, second: usize) {
        self.table.swap(first, second);
        let resident = &self.common.loaded.recipe.resident;
        match (resident[first], resident[second]) {
            (Some(first), Some(second)) => self.residents.swap(first, second),
            (None, None) => self.bank.swap(first, second),
            _ => unreachable!("invariant swaps: two buffers of one life"),
        }
    }

    /// Operations of one workgroup of a grid that the host gave.
    fn operations(&self, kernel: usize, grid: [u32; 3], bindings: &[Binding]) -> u64 {
        let loaded = self.common.loaded;
        let least = loaded.recipe.workgroup_operations[kernel];
        if !loaded.codes[kernel].open_ended {
            return least;
        }
        let bytes = bindings.iter().map(|binding| binding.bytes).max().unwrap_or(0);
        least.max(going_through(bytes, grid))
    }

    fn launch(
        &mut self,
        at: (usize, usize),
        grid: [u32; 3],
        operations: u64,
        bindings: &[Binding],
        group: &mut Group<'a>,
    ) {
        let loaded = self.common.loaded;
        let (kernel, total) = (&loaded.schedule.kernels[at.1], groups(grid));
        self.stats.dispatches += 1;
        self.stats.workgroups = self.stats.workgroups.saturating_add(total);
        let invocations = total.saturating_mul(kernel.workgroup_invocations());
        self.stats.invocations = self.stats.invocations.saturating_add(invocations);
        // What does nothing is done only to note when.
        if total == 0 && self.common.control.clock.is_none() {
            return;
        }
        let bound = kernel.buffers.iter().zip(bindings).map(|(row, binding)| {
            let length = row.ty.tail_len(binding.bytes).min(u64::from(u32::MAX));
            context::Buffer { pointer: self.view(binding).as_ptr(), length }
        });
        group.add_launch(at, grid, operations, bound);
    }

    /// A range of a buffer that is alive; good until its life is over.
    fn view(&self, range: &Binding) -> View<'a> {
        let id = range.buffer.0 as usize;
        let Some(at) = NonNull::new(self.table[id]) else {
            unreachable!("invariant lives: a step finds its buffers alive")
        };
        // SAFETY: as long as a buffer is in the table it has memory of its size: a bank's, a
        // locked resident's or a slice's. A slice that is read only is never written (`alias`).
        // Views are made for a group, and no buffer's life ends within one.
        let view = unsafe { View::raw(at, self.common.loaded.schedule.buffers[id].bytes) };
        part(view, range.offset, range.bytes)
    }

    /// A `u32` that a step reads for itself.
    fn word(&self, of: &Binding, index: usize) -> u32 {
        let mut bytes = [0; 4];
        let from = part(self.view(of), index as u64 * 4, 4);
        // SAFETY: `check` keeps steps that write it out of the group, and the leader has waited for
        // all that others did in groups before.
        unsafe { View::over_mut(&mut bytes).copy_from(from) };
        u32::from_le_bytes(bytes)
    }

    /// How much of so many bytes is to be moved between a buffer and a slice. Where the slice stands for
    /// the buffer that is nothing, which only a run that is timed notes.
    fn moves(&self, range: &Binding, host: usize, bytes: u64) -> Option<u64> {
        let in_place = self.aliases[range.buffer.0 as usize].is_some_and(|alias| alias.host == host);
        if in_place { self.common.control.clock.is_some().then_some(0) } else { Some(bytes) }
    }

    /// Takes the memory of the buffers that lived up to a group.
    fn go(&mut self, group: usize) {
        for buffer in &self.common.loaded.recipe.turnover[group].go {
            self.bank.take_back(buffer.0 as usize);
        }
    }

    /// Gives memory to the buffers that live from a group on.
    fn come(&mut self, group: usize) -> Result<(), Halted> {
        let loaded = self.common.loaded;
        for id in &loaded.recipe.turnover[group].come {
            let at = id.0 as usize;
            let buffer = &loaded.schedule.buffers[at];
            match self.aliases[at] {
                // SAFETY: no other step reaches the slice before this group (`alias`).
                Some(Alias { host, cleared: true }) => unsafe { self.hosts[host].clear() },
                Some(Alias { cleared: false, .. }) => {}
                None => match self.bank.lend(at, buffer.bytes, loaded.recipe.overwritten[at]) {
                    Ok(view) => self.table[at] = view.as_ptr(),
                    Err(error) => return Err(self.common.fail(refused(&error, ID, &format!("`{}`", buffer.name)))),
                },
            }
        }
        self.shield(Some(group));
        Ok(())
    }

    /// Brings what swapped resident buffers hold to where the caller looks for it.
    fn go_home(&mut self) {
        for id in self.common.loaded.schedule.residents().map(|id| id.0 as usize) {
            let (now, home) = (self.table[id], self.homes[id]);
            if now == home {
                continue;
            }
            let other = self.table.iter().position(|&at| at == home).expect("invariant swaps: somebody has its memory");
            let bytes = self.common.loaded.schedule.buffers[id].bytes as usize;
            // SAFETY: both are locked residents of this size (`check`), which do not overlap: one that
            // does and is swapped is refused (`io_fits`). No worker is in a group any more.
            unsafe { std::ptr::swap_nonoverlapping(now, home, bytes) };
            (self.table[id], self.table[other]) = (home, now);
        }
    }

    /// What was done; memory is kept for the next run.
    pub(super) fn end(mut self) -> Stats {
        self.shield(None);
        self.go_home();
        let loaded = self.common.loaded;
        self.stats.peak_bytes = loaded.recipe.resident_bytes + self.bank.settle();
        *loaded.spare.lock().unwrap_or_else(PoisonError::into_inner) = Some(self.bank);
        self.stats
    }
}

/// A range that `check` has proved to lie inside.
fn part(view: View<'_>, offset: u64, bytes: u64) -> View<'_> {
    view.range(offset, bytes).unwrap_or_else(|error| unreachable!("invariant ranges: {error}"))
}
