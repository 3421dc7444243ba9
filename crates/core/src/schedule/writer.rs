//! How schedules are written: whatever is added gets its id.

use std::sync::Arc;

use naga::FastHashMap;

use super::{Binding, Buffer, BufferId, Host, HostId, KernelId, Life, Schedule, Step};
use crate::program::Kernel;

/// Kernels that are looked through one by one.
const FEW: usize = 8;

/// A schedule so far.
#[derive(Debug, Default)]
pub struct Writer {
    /// It.
    pub schedule: Schedule,
    /// By address, where there are more than a few: the schedule holds on to them.
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
        let push = |kernels: &mut Vec<Arc<Kernel>>| {
            kernels.push(kernel.clone());
            KernelId(kernels.len() as u32 - 1)
        };
        // Most schedules have one, and making a map takes longer than looking.
        if self.kernels.is_empty() && kernels.len() < FEW {
            let known = kernels.iter().position(|other| Arc::ptr_eq(other, kernel));
            return known.map_or_else(|| push(kernels), |at| KernelId(at as u32));
        }
        if self.kernels.is_empty() {
            let addresses = kernels.iter().map(|kernel| Arc::as_ptr(kernel).addr());
            self.kernels = addresses.zip((0..).map(KernelId)).collect();
        }
        *self.kernels.entry(Arc::as_ptr(kernel).addr()).or_insert_with(|| push(kernels))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Overrides, Program};

    #[test]
    fn each_kernel_is_there_once() {
        let program = Program::wgsl("@compute @workgroup_size(1) fn main() {}").unwrap();
        let kernels: Vec<Arc<Kernel>> =
            (0..3 * FEW).map(|_| Arc::new((*program.kernel("main", &Overrides::new()).unwrap()).clone())).collect();
        let mut writer = Writer::default();
        for turn in 0..2 {
            for (at, kernel) in kernels.iter().enumerate() {
                assert_eq!(writer.kernel(kernel), KernelId(at as u32), "{turn}");
            }
        }
        assert_eq!(writer.schedule.kernels.len(), kernels.len());
    }
}
