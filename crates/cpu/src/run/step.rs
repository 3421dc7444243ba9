//! One step of a run: bytes that are moved, or a worker's share of a dispatch.

use std::ptr::NonNull;
use std::sync::atomic::Ordering::Relaxed;

use seawall_core::device;
use seawall_core::schedule::{Binding, Length, Step};

use super::{Local, Run};
use crate::context::{self, Context};
use crate::device::{ID, refused};
use crate::exec::chunks::Chunks;
use crate::exec::memory::View;
use crate::exec::pool::Worker;
use crate::recipe::groups;

/// Operations after which a worker says how far it is: all of them write to one place.
const REPORT_OPERATIONS: u64 = 1_000_000;

impl Run<'_> {
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
    pub(super) fn word(&self, of: &Binding, index: usize) -> u32 {
        let mut bytes = [0; 4];
        let from = part(self.view(of), index as u64 * 4, 4);
        // SAFETY: `check` keeps steps that write it out of the group.
        unsafe { View::over_mut(&mut bytes).copy_from(from) };
        u32::from_le_bytes(bytes)
    }

    /// One step that moves bytes; nothing where a slice stands for the buffer.
    pub(super) fn copy(&self, step: &Step) {
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
            | Step::Free { .. }
            | Step::Loop { .. }
            | Step::When { .. }
            | Step::Swap { .. }
            | Step::End => return,
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
    pub(super) fn dispatch(
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
        let view = match self.loaded.edge {
            None => scratch.reserve(code.scratch_bytes()),
            Some(edge) => scratch.reserve_guarded(code.scratch_bytes(), edge),
        };
        let view = match view {
            Ok(view) => view,
            Err(error) => return self.fail(refused(error, ID, "workgroup memory")),
        };
        local.bound.clear();
        local.bound.extend(kernel.buffers.iter().zip(bindings).map(|(row, binding)| {
            let length = row.ty.tail_len(binding.bytes).min(u64::from(u32::MAX));
            context::Buffer { pointer: self.view(binding).as_ptr(), length }
        }));
        let mut context = Context {
            buffers: local.bound.as_ptr(),
            scratch: view.as_ptr(),
            constants: code.constants(),
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
        scratch.check();
    }
}

/// A range that `check` has proved to lie inside.
fn part<'a>(view: View<'a>, offset: u64, bytes: u64) -> View<'a> {
    view.range(offset, bytes).unwrap_or_else(|error| unreachable!("invariant ranges: {error}"))
}
