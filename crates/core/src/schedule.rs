//! The waist of Seawall: a flat, printable list of steps, and all that a device sees.
//!
//! Steps between two barriers form a group and may run in any order or at once; a
//! [`Step::Barrier`] makes everything before it visible to everything after it. Buffers
//! that the schedule owns (transient) start as zeros.

use std::fmt;
use std::sync::Arc;

pub use crate::ids::{BufferId, HostId, KernelId};
use crate::program::Kernel;

/// Who owns a buffer's memory, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Life {
    /// The run: zeroed at its start, gone at its end.
    Transient,
    /// The caller: handed in at each run, kept afterwards.
    Resident,
}

/// A buffer on the device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Buffer {
    /// What to call it in messages.
    pub name: String,
    /// Size.
    pub bytes: u64,
    /// Whose it is.
    pub life: Life,
}

/// A slice of the caller's memory, handed in at each run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Host {
    /// What to call it in messages.
    pub name: String,
    /// Size.
    pub bytes: u64,
    /// Whether downloads may land in it.
    pub writable: bool,
}

/// A range of a buffer, bound to the row of the kernel's buffer table at the same place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Binding {
    /// Which buffer.
    pub buffer: BufferId,
    /// First byte.
    pub offset: u64,
    /// How many.
    pub bytes: u64,
}

/// One thing for a device to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Host to device.
    Upload {
        /// From the start of this slice.
        host: HostId,
        /// Into this range.
        to: Binding,
    },
    /// Run a kernel over a grid of workgroups.
    Dispatch {
        /// What to run.
        kernel: KernelId,
        /// Workgroups in each dimension; a zero makes it a no-op.
        grid: [u32; 3],
        /// One for each row of the kernel's buffer table.
        bindings: Vec<Binding>,
    },
    /// Everything before it is visible to everything after it.
    Barrier,
    /// Device to host.
    Download {
        /// From this range.
        from: Binding,
        /// To the start of this slice.
        host: HostId,
    },
}

/// What to do, in order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Schedule {
    /// The kernels that dispatches name.
    pub kernels: Vec<Arc<Kernel>>,
    /// The buffers that steps name.
    pub buffers: Vec<Buffer>,
    /// The caller's slices that uploads and downloads name.
    pub hosts: Vec<Host>,
    /// The list.
    pub steps: Vec<Step>,
}

impl Schedule {
    /// Ids of the buffers that the caller hands in, in the order in which it does.
    pub fn residents(&self) -> impl Iterator<Item = BufferId> {
        let resident = |(i, buffer): (usize, &Buffer)| (buffer.life == Life::Resident).then_some(BufferId(i as u32));
        self.buffers.iter().enumerate().filter_map(resident)
    }
}

impl fmt::Display for Binding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}+{}]", self.buffer, self.offset, self.bytes)
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Upload { host, to } => write!(f, "upload {host} -> {to}"),
            Self::Dispatch { kernel, grid: [x, y, z], bindings } => {
                write!(f, "dispatch {kernel} grid {x},{y},{z}")?;
                bindings.iter().try_for_each(|binding| write!(f, " {binding}"))
            }
            Self::Barrier => f.write_str("barrier"),
            Self::Download { from, host } => write!(f, "download {from} -> {host}"),
        }
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, kernel) in self.kernels.iter().enumerate() {
            writeln!(f, "kernel {} = {}", KernelId(i as u32), kernel.name)?;
        }
        for (i, buffer) in self.buffers.iter().enumerate() {
            let life = match buffer.life {
                Life::Transient => "transient",
                Life::Resident => "resident",
            };
            writeln!(f, "buffer {} = {} {} bytes {life}", BufferId(i as u32), buffer.name, buffer.bytes)?;
        }
        for (i, host) in self.hosts.iter().enumerate() {
            let access = if host.writable { "read-write" } else { "read" };
            writeln!(f, "host {} = {} {} bytes {access}", HostId(i as u32), host.name, host.bytes)?;
        }
        self.steps.iter().try_for_each(|step| writeln!(f, "{step}"))
    }
}
