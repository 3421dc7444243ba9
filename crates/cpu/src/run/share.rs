//! What each worker does in a group: bytes that are moved, and its share of the dispatches.

use std::sync::atomic::Ordering::Relaxed;

use seawall_core::device;

use super::group::{Group, Launch, Move};
use super::{Common, Halted};
use crate::context::Context;
use crate::exec::pool::Worker;
use crate::lent::{ID, refused};

/// Operations after which a worker says how far it is: all of them write to one place.
const REPORT_OPERATIONS: u64 = 1_000_000;

/// What has not been reported yet.
#[derive(Default)]
struct Done {
    workgroups: u64,
    operations: u64,
}

impl Common<'_> {
    /// Does what nobody else has taken, until nothing is left or the run has failed.
    pub(super) fn share(&self, worker: &Worker<'_>, group: &Group<'_>) {
        let (mut done, mut times) = (Done::default(), Vec::new());
        while let Some(moves) = group.take_moves(worker.count) {
            for each in moves {
                self.control.time(&mut times, each.step, worker.index, || copy(each));
            }
        }
        for launch in group.launches(worker.index, worker.count) {
            let dispatch = || self.dispatch(worker, group, launch, &mut done);
            if let Err(Halted) = self.control.time(&mut times, launch.step, worker.index, dispatch) {
                break;
            }
        }
        self.report(&mut done);
        self.timed(times);
    }

    /// Says how much this worker has done.
    fn report(&self, done: &mut Done) {
        let Done { workgroups, .. } = std::mem::take(done);
        if workgroups > 0 {
            self.control.workgroups_done.fetch_add(workgroups, Relaxed);
        }
    }

    fn dispatch(&self, worker: &Worker<'_>, group: &Group<'_>, launch: &Launch, done: &mut Done) -> Result<(), Halted> {
        let (code, kernel) = (&self.loaded.codes[launch.kernel], &self.loaded.schedule.kernels[launch.kernel]);
        if let Some(reason) = self.control.stop.asked() {
            return Err(self.fail(device::stopped(kernel, reason, None)));
        }
        let mut scratch = worker.scratch.borrow_mut();
        let view = match self.loaded.edge {
            None => scratch.reserve(code.scratch_bytes()),
            Some(edge) => scratch.reserve_guarded(code.scratch_bytes(), edge),
        };
        let view = view.map_err(|error| self.fail(refused(&error, ID, "workgroup memory")))?;
        let mut context = Context {
            buffers: group.bound(launch, kernel).as_ptr(),
            scratch: view.as_ptr(),
            constants: code.constants(),
            stop: std::ptr::from_ref(self.control.stop.flag()),
            grid: launch.grid,
            stopped_in: 0,
        };
        while let Some((first, count)) = launch.take(worker.count) {
            // SAFETY: bindings are as large as their rows ask for (`check`), writable where the
            // kernel writes (`check`, `io_fits` and `alias`), and the rest was made above.
            unsafe { code.run(&mut context, first, count) };
            if let Some(reason) = self.control.stop.asked() {
                let around = context.stopped_in.checked_sub(1).and_then(|label| code.loop_span(label));
                return Err(self.fail(device::stopped(kernel, reason, around)));
            }
            done.workgroups += count;
            done.operations = done.operations.saturating_add(launch.operations.saturating_mul(count));
            if done.operations > REPORT_OPERATIONS {
                self.report(done);
            }
        }
        scratch.check();
        Ok(())
    }
}

fn copy(Move { to, from, .. }: &Move<'_>) {
    // SAFETY: `check` keeps other steps of the group away from what this one writes, and
    // those that write away from what it reads.
    unsafe {
        match from {
            Some(from) => to.copy_from(*from),
            None => to.clear(),
        }
    }
}
