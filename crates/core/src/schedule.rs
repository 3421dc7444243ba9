//! The waist of Seawall: a flat, printable list of steps, and all that a device sees.
//!
//! Steps between two barriers form a group and may run in any order or at once; a
//! [`Step::Barrier`] makes everything before it visible to everything after it, and so does a step
//! that begins or ends a loop or a branch. Those are decided on the device: a body never moves
//! bytes to or from the host, so nothing waits for it before the end.
//!
//! A buffer that the schedule owns (transient) lives once: it has memory, all zeros, from
//! the start of the first group that touches it to the end of the group that frees it, or of
//! the run. One that is first touched inside a loop or a branch lives from the group before the
//! outermost of those on, and nothing is freed inside: what a turn finds, the turn before has left.
//! No two buffers share memory, so what is live in a group is the sum of the buffers
//! that are alive in it, and what a group frees is there for the groups after it.

mod writer;

use std::fmt;
use std::sync::Arc;

pub use crate::ids::{BufferId, HostId, KernelId};
use crate::program::Kernel;
pub use writer::Writer;

/// Offsets of bindings are multiples of this: the alignment that every WebGPU device accepts.
pub const BINDING_ALIGN_BYTES: u64 = 256;

/// The same for copies, clears, grids and lengths, and their sizes unless they end with the buffer.
pub const COPY_ALIGN_BYTES: u64 = 4;

/// Loops and branches inside each other.
pub const NESTING_MAX: usize = 64;

/// Who owns a buffer's memory, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Life {
    /// The run: zeroed where it is first touched, gone where it is freed.
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

/// A range of a buffer. Those of a dispatch stand in the order of the kernel's buffer table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Binding {
    /// Which buffer.
    pub buffer: BufferId,
    /// First byte.
    pub offset: u64,
    /// How many.
    pub bytes: u64,
}

/// How much of a download means something, as the device finds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Length {
    /// Holds a `u32`, the number of elements.
    pub count: Binding,
    /// Of each element.
    pub element_bytes: u64,
}

impl Length {
    /// The bytes that mean something, where `count` holds this and the range has so many.
    pub fn meaningful_bytes(&self, count: u32, range_bytes: u64) -> u64 {
        u64::from(count).saturating_mul(self.element_bytes).min(range_bytes)
    }
}

/// What a `u32` on the device says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Test {
    /// Where it is.
    pub word: Binding,
    /// It holds if the word is zero, rather than if it is not.
    pub zero: bool,
}

impl Test {
    /// Whether it holds for a word of this value.
    pub fn holds(&self, word: u32) -> bool {
        (word == 0) == self.zero
    }
}

/// One thing for a device to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Host to device. The slice may hold what a download of an earlier group left there.
    Upload {
        /// From this slice,
        host: HostId,
        /// from this byte of it on,
        at: u64,
        /// into this range.
        to: Binding,
    },
    /// Fills a range with zeros.
    Clear {
        /// Which.
        range: Binding,
    },
    /// Device to device.
    Copy {
        /// From this range
        from: Binding,
        /// to this one, of the same size.
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
    /// Run a kernel over a grid that is known on the device.
    DispatchIndirect {
        /// What to run.
        kernel: KernelId,
        /// Holds three `u32`, the workgroups in each dimension.
        args: Binding,
        /// The most that they may be. A grid beyond it is not run at all, and the run ends in
        /// an error.
        limit: [u32; 3],
        /// One for each row of the kernel's buffer table.
        bindings: Vec<Binding>,
    },
    /// Everything before it is visible to everything after it.
    Barrier,
    /// Device to host.
    Download {
        /// From this range
        from: Binding,
        /// to this slice,
        host: HostId,
        /// from this byte of it on.
        at: u64,
        /// How much of it, if that is known on the device only; the rest of the slice stays
        /// as it is. Whoever wants to know how much that was downloads the count too.
        length: Option<Length>,
    },
    /// Ends a buffer's life with the group, whichever place in the group this step has.
    Free {
        /// Whose.
        buffer: BufferId,
    },
    /// Begins a loop: what stands before its end is done turn after turn.
    Loop {
        /// Asked before each turn, which is the last if it does not hold; `None` to do as many as
        /// the limit says.
        test: Option<Test>,
        /// Turns, at the most.
        limit: u32,
    },
    /// Begins a branch: what stands before its end is done if the test holds.
    When {
        /// Asked once.
        test: Test,
    },
    /// Two buffers of one size exchange what they hold. It stands in the body of a loop, and in no
    /// branch inside of that.
    Swap {
        /// The one.
        first: BufferId,
        /// The other.
        second: BufferId,
    },
    /// Ends the loop or the branch that was begun last.
    End,
}

impl Step {
    /// Whether it parts groups.
    pub fn is_boundary(&self) -> bool {
        match self {
            Self::Barrier | Self::Loop { .. } | Self::When { .. } | Self::End => true,
            Self::Upload { .. }
            | Self::Clear { .. }
            | Self::Copy { .. }
            | Self::Dispatch { .. }
            | Self::DispatchIndirect { .. }
            | Self::Download { .. }
            | Self::Free { .. }
            | Self::Swap { .. } => false,
        }
    }
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
    /// The most bytes that may be live in any group, resident buffers included.
    pub budget_bytes: Option<u64>,
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

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {}", self.word, if self.zero { "zero" } else { "not zero" })
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = |f: &mut fmt::Formatter<'_>, bindings: &[Binding]| {
            bindings.iter().try_for_each(|binding| write!(f, " {binding}"))
        };
        match self {
            Self::Upload { host, at, to } => write!(f, "upload {host}[{at}] -> {to}"),
            Self::Clear { range } => write!(f, "clear {range}"),
            Self::Copy { from, to } => write!(f, "copy {from} -> {to}"),
            Self::Dispatch { kernel, grid: [x, y, z], bindings } => {
                write!(f, "dispatch {kernel} grid {x},{y},{z}")?;
                all(f, bindings)
            }
            Self::DispatchIndirect { kernel, args, limit: [x, y, z], bindings } => {
                write!(f, "dispatch {kernel} grid {args} of {x},{y},{z}")?;
                all(f, bindings)
            }
            Self::Barrier => f.write_str("barrier"),
            Self::Download { from, host, at, length } => {
                write!(f, "download {from} -> {host}[{at}]")?;
                match length {
                    None => Ok(()),
                    Some(Length { count, element_bytes }) => write!(f, " length {count} * {element_bytes}"),
                }
            }
            Self::Free { buffer } => write!(f, "free {buffer}"),
            Self::Loop { test: None, limit } => write!(f, "loop {limit} times"),
            Self::Loop { test: Some(test), limit } => write!(f, "loop while {test}, at most {limit} times"),
            Self::When { test } => write!(f, "when {test}"),
            Self::Swap { first, second } => write!(f, "swap {first} {second}"),
            Self::End => f.write_str("end"),
        }
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(bytes) = self.budget_bytes {
            writeln!(f, "budget {bytes} bytes")?;
        }
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
        let mut depth = 0;
        for step in &self.steps {
            depth -= usize::from(*step == Step::End).min(depth);
            writeln!(f, "{:1$}{step}", "", 2 * depth)?;
            depth += usize::from(matches!(step, Step::Loop { .. } | Step::When { .. }));
        }
        Ok(())
    }
}
