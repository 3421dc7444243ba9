//! What each worker does in a run: the steps of a group, then on to the next with all the others.

use std::sync::PoisonError;
use std::sync::atomic::Ordering::Relaxed;

use seawall_core::device::{self, Error, Stats};
use seawall_core::schedule::Step;

use super::{Local, Run};
use crate::alias::Alias;
use crate::device::{ID, refused};
use crate::exec::chunks::Chunks;
use crate::exec::pool::Worker;
use crate::recipe::groups;

impl Run<'_> {
    pub(super) fn work(&self, worker: &Worker<'_>) {
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
    pub(super) fn report(&self, local: &mut Local) {
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
            | Step::Free { .. }
            | Step::Loop { .. }
            | Step::When { .. }
            | Step::Swap { .. }
            | Step::End => {}
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
        let stays = groups[group - 1].go.is_empty() && groups[group].come.is_empty();
        if stays && self.loaded.edge.is_none() {
            return false;
        }
        if worker.index == 0 {
            self.shield(None);
            self.go(group - 1);
            self.come(group);
            self.shield(Some(group));
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
    pub(super) fn come(&self, group: usize) {
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
    pub(super) fn fail(&self, error: Error) {
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

    pub(super) fn end(self) -> Result<Stats, Error> {
        self.shield(None);
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
}
