//! Proves a schedule before any device sees it, from nothing but the schedule itself
//! and the effects of its kernels. It shares no code with whatever wrote the schedule.

use std::ops::Deref;

use crate::schedule::{Binding, BufferId, HostId, KernelId, Schedule, Step};

/// Offsets of bindings are multiples of this: the alignment that every WebGPU device accepts.
pub const BINDING_ALIGN_BYTES: u64 = 256;

/// A schedule that keeps every rule below. Only [`check`] makes one.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked(Schedule);

impl Deref for Checked {
    type Target = Schedule;

    fn deref(&self) -> &Schedule {
        &self.0
    }
}

/// The rule that a schedule breaks. Steps are named by their index.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A step names a kernel that is not there.
    #[error("step {step} names {kernel}, but the schedule has {count} kernels")]
    UnknownKernel {
        /// Which step.
        step: usize,
        /// What it names.
        kernel: KernelId,
        /// How many there are.
        count: usize,
    },
    /// A step names a buffer that is not there.
    #[error("step {step} names {buffer}, but the schedule has {count} buffers")]
    UnknownBuffer {
        /// Which step.
        step: usize,
        /// What it names.
        buffer: BufferId,
        /// How many there are.
        count: usize,
    },
    /// A step names a host slice that is not there.
    #[error("step {step} names {host}, but the schedule has {count} host slices")]
    UnknownHost {
        /// Which step.
        step: usize,
        /// What it names.
        host: HostId,
        /// How many there are.
        count: usize,
    },
    /// A range reaches past the end of its buffer.
    #[error("step {step} uses {binding} of a buffer of {buffer_bytes} bytes")]
    OutsideBuffer {
        /// Which step.
        step: usize,
        /// The range.
        binding: Binding,
        /// What there is.
        buffer_bytes: u64,
    },
    /// A copy reaches past the end of the host slice.
    #[error("step {step} copies {bytes} bytes of {host}, which has {host_bytes}")]
    OutsideHost {
        /// Which step.
        step: usize,
        /// The slice.
        host: HostId,
        /// What is copied.
        bytes: u64,
        /// What there is.
        host_bytes: u64,
    },
    /// A download into a slice that may only be read.
    #[error("step {step} downloads into {host}, which is read-only")]
    ReadOnlyHost {
        /// Which step.
        step: usize,
        /// The slice.
        host: HostId,
    },
    /// Not one binding for each row of the kernel's buffer table.
    #[error("step {step} binds {got} buffers, but `{kernel}` uses {expected}")]
    BindingCount {
        /// Which step.
        step: usize,
        /// The kernel's name.
        kernel: String,
        /// Rows of its table.
        expected: usize,
        /// Bindings of the step.
        got: usize,
    },
    /// A binding smaller than the kernel's buffer.
    #[error("step {step} binds {got_bytes} bytes to `{buffer}`, which needs at least {min_bytes}")]
    BindingTooSmall {
        /// Which step.
        step: usize,
        /// The kernel's name for it.
        buffer: String,
        /// What it needs.
        min_bytes: u64,
        /// What it got.
        got_bytes: u64,
    },
    /// A binding that starts where no device can bind.
    #[error("step {step} binds `{buffer}` at byte {offset}, which is not a multiple of {BINDING_ALIGN_BYTES}")]
    BindingAlign {
        /// Which step.
        step: usize,
        /// The kernel's name for it.
        buffer: String,
        /// Where it starts.
        offset: u64,
    },
    /// One dispatch sees the same bytes under two names and writes them under one.
    #[error("step {step} binds overlapping bytes to `{first}` and `{second}`, and one of them is written")]
    Aliased {
        /// Which step.
        step: usize,
        /// One name.
        first: String,
        /// The other.
        second: String,
    },
    /// The grid has more invocations in a dimension than ids can count.
    #[error("step {step} runs {groups} workgroups of {size} in dimension {dimension}: over 2^32 invocations")]
    GridTooLarge {
        /// Which step.
        step: usize,
        /// 0, 1 or 2.
        dimension: usize,
        /// Workgroups in it.
        groups: u32,
        /// Invocations of each.
        size: u32,
    },
    /// Two steps of one group touch the same bytes, and the result depends on their order.
    #[error("steps {first} and {second} both touch {buffer} and at least one changes it, with no barrier between them")]
    Hazard {
        /// The earlier step.
        first: usize,
        /// The later step.
        second: usize,
        /// What both touch.
        buffer: BufferId,
    },
    /// Two steps of one group use the same host slice, and one writes it.
    #[error("steps {first} and {second} both use {host} and at least one writes it, with no barrier between them")]
    HostHazard {
        /// The earlier step.
        first: usize,
        /// The later step.
        second: usize,
        /// What both use.
        host: HostId,
    },
}

/// Proves `schedule` or names the rule it breaks.
pub fn check(schedule: Schedule) -> Result<Checked, Error> {
    let mut group = Group::default();
    for (step, what) in schedule.steps.iter().enumerate() {
        match what {
            Step::Upload { host, to } => {
                copy_fits(&schedule, step, *host, *to)?;
                group.touch(step, *to, Touch::Write)?;
                group.use_host(step, *host, false)?;
            }
            Step::Download { from, host } => {
                let bytes = copy_fits(&schedule, step, *host, *from)?;
                if !bytes.writable {
                    return Err(Error::ReadOnlyHost { step, host: *host });
                }
                group.touch(step, *from, Touch::Read)?;
                group.use_host(step, *host, true)?;
            }
            Step::Dispatch { kernel, grid, bindings } => {
                dispatch_fits(&schedule, step, *kernel, *grid, bindings)?;
                let table = &schedule.kernels[kernel.0 as usize].buffers;
                for (row, binding) in table.iter().zip(bindings) {
                    let effects = row.effects;
                    for (done, touch) in
                        [(effects.reads, Touch::Read), (effects.updates, Touch::Update), (effects.writes, Touch::Write)]
                    {
                        if done {
                            group.touch(step, *binding, touch)?;
                        }
                    }
                }
            }
            Step::Barrier => group = Group::default(),
        }
    }
    Ok(Checked(schedule))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Touch {
    Read,
    /// Atomic updates commute with each other, but with nothing else.
    Update,
    Write,
}

/// What the steps since the last barrier have touched.
#[derive(Default)]
struct Group {
    touched: Vec<(usize, Binding, Touch)>,
    hosts: Vec<(usize, HostId, bool)>,
}

impl Group {
    fn touch(&mut self, second: usize, binding: Binding, touch: Touch) -> Result<(), Error> {
        for &(first, other, before) in &self.touched {
            if first != second && overlap(binding, other) && (before != touch || touch == Touch::Write) {
                return Err(Error::Hazard { first, second, buffer: binding.buffer });
            }
        }
        self.touched.push((second, binding, touch));
        Ok(())
    }

    fn use_host(&mut self, second: usize, host: HostId, writes: bool) -> Result<(), Error> {
        for &(first, other, wrote) in &self.hosts {
            if other == host && (wrote || writes) {
                return Err(Error::HostHazard { first, second, host });
            }
        }
        self.hosts.push((second, host, writes));
        Ok(())
    }
}

/// Both ranges are known to lie inside their buffers, so their ends do not overflow.
fn overlap(a: Binding, b: Binding) -> bool {
    a.buffer == b.buffer && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes
}

fn buffer_fits(schedule: &Schedule, step: usize, binding: Binding) -> Result<(), Error> {
    let Some(buffer) = schedule.buffers.get(binding.buffer.0 as usize) else {
        return Err(Error::UnknownBuffer { step, buffer: binding.buffer, count: schedule.buffers.len() });
    };
    match binding.offset.checked_add(binding.bytes) {
        Some(end) if end <= buffer.bytes => Ok(()),
        _ => Err(Error::OutsideBuffer { step, binding, buffer_bytes: buffer.bytes }),
    }
}

fn copy_fits(schedule: &Schedule, step: usize, host: HostId, range: Binding) -> Result<&crate::schedule::Host, Error> {
    buffer_fits(schedule, step, range)?;
    let Some(slice) = schedule.hosts.get(host.0 as usize) else {
        return Err(Error::UnknownHost { step, host, count: schedule.hosts.len() });
    };
    if range.bytes > slice.bytes {
        return Err(Error::OutsideHost { step, host, bytes: range.bytes, host_bytes: slice.bytes });
    }
    Ok(slice)
}

fn dispatch_fits(
    schedule: &Schedule,
    step: usize,
    kernel: KernelId,
    grid: [u32; 3],
    bindings: &[Binding],
) -> Result<(), Error> {
    let Some(kernel) = schedule.kernels.get(kernel.0 as usize) else {
        return Err(Error::UnknownKernel { step, kernel, count: schedule.kernels.len() });
    };
    if bindings.len() != kernel.buffers.len() {
        let (expected, got) = (kernel.buffers.len(), bindings.len());
        return Err(Error::BindingCount { step, kernel: kernel.name.clone(), expected, got });
    }
    for (dimension, (&groups, &size)) in grid.iter().zip(&kernel.workgroup_size).enumerate() {
        if u64::from(groups) * u64::from(size) > 1 << 32 {
            return Err(Error::GridTooLarge { step, dimension, groups, size });
        }
    }
    for (row, &binding) in kernel.buffers.iter().zip(bindings) {
        buffer_fits(schedule, step, binding)?;
        let buffer = || row.name.clone();
        if binding.bytes < row.min_bytes {
            return Err(Error::BindingTooSmall {
                step,
                buffer: buffer(),
                min_bytes: row.min_bytes,
                got_bytes: binding.bytes,
            });
        }
        if !binding.offset.is_multiple_of(BINDING_ALIGN_BYTES) {
            return Err(Error::BindingAlign { step, buffer: buffer(), offset: binding.offset });
        }
    }
    let rows = || kernel.buffers.iter().zip(bindings).enumerate();
    for (i, (row, &binding)) in rows() {
        for (_, (other, &with)) in rows().skip(i + 1) {
            let changes = |row: &crate::program::Buffer| row.effects.writes || row.effects.updates;
            if overlap(binding, with) && (changes(row) || changes(other)) {
                return Err(Error::Aliased { step, first: row.name.clone(), second: other.name.clone() });
            }
        }
    }
    Ok(())
}
