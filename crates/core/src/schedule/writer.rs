//! How schedules are written: whatever is added gets its id.

use std::sync::Arc;

use naga::FastHashMap;

use super::{Binding, Buffer, BufferId, Host, HostId, KernelId, Life, Schedule, Step};
use crate::program::Kernel;

/// A schedule so far.
#[derive(Debug, Default)]
pub struct Writer {
    /// It.
    pub schedule: Schedule,
    /// By address: the schedule holds on to them.
    kernels: FastHashMap<usize, KernelId>,
}

impl Writer {
    /// A schedule within a budget.
    pub fn new(budget_bytes: Option<u64>) -> Self {
        Self { schedule: Schedule { budget_bytes, ..Schedule::default() }, ..Self::default() }
    }

    /// A kernel; one that is there already is not added again.
    pub fn kernel(&mut self, kernel: &Arc<Kernel>) -> KernelId {
        let kernels = &mut self.schedule.kernels;
        *self.kernels.entry(Arc::as_ptr(kernel).addr()).or_insert_with(|| {
            kernels.push(kernel.clone());
            KernelId(kernels.len() as u32 - 1)
        })
    }

    /// A buffer, all of it.
    pub fn buffer(&mut self, name: impl Into<String>, bytes: u64, life: Life) -> Binding {
        let buffers = &mut self.schedule.buffers;
        buffers.push(Buffer { name: name.into(), bytes, life });
        Binding { buffer: BufferId(buffers.len() as u32 - 1), offset: 0, bytes }
    }

    /// A slice of the host.
    pub fn host(&mut self, name: impl Into<String>, bytes: u64, writable: bool) -> HostId {
        let hosts = &mut self.schedule.hosts;
        hosts.push(Host { name: name.into(), bytes, writable });
        HostId(hosts.len() as u32 - 1)
    }

    /// A step.
    pub fn step(&mut self, step: Step) {
        self.schedule.steps.push(step);
    }

    /// The end of a group, if there is anything in it.
    pub fn barrier(&mut self) {
        if self.schedule.steps.last().is_some_and(|step| !step.is_boundary()) {
            self.step(Step::Barrier);
        }
    }
}
