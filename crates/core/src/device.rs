//! The contract between a checked schedule and whatever runs it.
//!
//! Who validates: [`crate::program`] and [`crate::check`] do, and [`fit()`] compares the
//! result with a device's limits. A device that notices a broken promise hits
//! `unreachable!` with the invariant's name; it does not check again.

mod error;
mod control;
mod fit;

use std::any::Any;
use std::fmt;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::cache::Found;
use crate::check::Checked;
use crate::diag::Diagnostic;
use crate::program::Kernel;
use crate::sanitize::Findings;
use crate::schedule::{BINDING_ALIGN_BYTES, COPY_ALIGN_BYTES};

pub use crate::stop::{Reason, Stop};
pub use control::{Clock, Control};
pub use error::{Error, Unsupported, missed, stopped, too_large, unsupported};
pub use fit::{Fitted, copy_fits, fit, grid_within, io_fits, lacks, lend_fits};

/// What kind of thing runs the kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The interpreter that defines every result.
    Reference,
    /// Compiled code on this machine's processors.
    Cpu,
    /// A graphics processor.
    Gpu,
    /// A graphics driver that runs on the processor.
    Software,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Reference => "reference",
            Self::Cpu => "cpu",
            Self::Gpu => "gpu",
            Self::Software => "software",
        })
    }
}

/// Sizes that a device cannot go beyond.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Of one buffer.
    pub buffer_bytes_max: u64,
    /// Of the part of a buffer that a kernel sees as storage.
    pub binding_bytes_max: u64,
    /// Of the part of a buffer that a kernel sees as a uniform.
    pub uniform_bytes_max: u64,
    /// Storage buffers of one kernel.
    pub storage_buffers_max: u32,
    /// Uniform buffers of one kernel.
    pub uniform_buffers_max: u32,
    /// Invocations of one workgroup in each dimension.
    pub workgroup_size_max: [u32; 3],
    /// Workgroup memory of one kernel.
    pub workgroup_bytes_max: u64,
    /// Invocations of one workgroup.
    pub workgroup_invocations_max: u64,
}

impl Limits {
    /// No limit at all, for devices to name the ones they have.
    pub const NONE: Self = Self {
        buffer_bytes_max: u64::MAX,
        binding_bytes_max: u64::MAX,
        uniform_bytes_max: u64::MAX,
        storage_buffers_max: u32::MAX,
        uniform_buffers_max: u32::MAX,
        workgroup_size_max: [u32::MAX; 3],
        workgroup_bytes_max: u64::MAX,
        workgroup_invocations_max: u64::MAX,
    };
}

/// How many invocations a subgroup has, where that can be chosen: a power of two from 4 to 128.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SubgroupSize(u32);

impl SubgroupSize {
    /// The sizes that there are.
    pub const ALL: [u32; 6] = [4, 8, 16, 32, 64, 128];

    /// So many, if subgroups can have so many.
    pub fn new(invocations: u32) -> Option<Self> {
        Self::ALL.contains(&invocations).then_some(Self(invocations))
    }

    /// How many they are.
    pub fn get(self) -> u32 {
        self.0
    }
}

/// As many as most GPUs have.
impl Default for SubgroupSize {
    fn default() -> Self {
        Self(32)
    }
}

/// What a device is and can do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caps {
    /// What the user types to choose it.
    pub id: String,
    /// What the user reads.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// Sizes it cannot go beyond.
    pub limits: Limits,
    /// Runs grid-wide barriers without cutting the kernel.
    pub native_grid_barrier: bool,
    /// Takes a grid from a buffer.
    pub indirect: bool,
    /// Decides loops and branches of a schedule by itself.
    pub control: bool,
    /// Subgroup operations: the sizes that subgroups may have.
    pub subgroup: Option<RangeInclusive<u32>>,
    /// Barriers of a subgroup.
    pub subgroup_barrier: bool,
    /// `f16`.
    pub f16: bool,
    /// 64-bit integers.
    pub int64: bool,
    /// `f64`.
    pub f64: bool,
    /// Atomics of `f32`.
    pub atomic_f32: bool,
    /// 64-bit atomic minima and maxima whose results nobody takes.
    pub atomic_int64_min_max: bool,
    /// All 64-bit atomics.
    pub atomic_int64: bool,
    /// Threads that share a dispatch, where it runs on the processor.
    pub threads: Option<NonZeroUsize>,
    /// Memory it may fill, where that is known.
    pub memory_bytes: Option<u64>,
    /// What else there is to tell the user: what, and its value.
    pub facts: Vec<(String, String)>,
}

/// Device memory that outlives a run, or a part of it. Cheap to clone; freed with the last clone.
#[derive(Clone)]
pub struct Buffer {
    /// Where it starts in its memory: a multiple of [`BINDING_ALIGN_BYTES`].
    pub offset: u64,
    /// Size. A part ends with the memory, or at a multiple of [`COPY_ALIGN_BYTES`].
    pub bytes: u64,
    /// The device's own handle, for it to downcast.
    pub memory: Arc<dyn Any + Send + Sync>,
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Buffer").field("offset", &self.offset).field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

impl Buffer {
    /// All of a memory of this size.
    pub fn new(memory: Arc<dyn Any + Send + Sync>, bytes: u64) -> Self {
        Self { offset: 0, bytes, memory }
    }

    /// A part of it, in the same memory.
    pub fn part(&self, start: u64, bytes: u64) -> Result<Self, Error> {
        let offset = self.place(start, bytes)?;
        let ends = start + bytes == self.bytes || (start + bytes).is_multiple_of(COPY_ALIGN_BYTES);
        if !start.is_multiple_of(BINDING_ALIGN_BYTES) || !ends {
            return Err(Error::PartAlign { start, end: start + bytes });
        }
        Ok(Self { offset, bytes, memory: self.memory.clone() })
    }

    /// Where so many of its bytes, from `offset` on, start in its memory; an error if it has not
    /// so many.
    pub fn place(&self, offset: u64, bytes: u64) -> Result<u64, Error> {
        let outside = || Error::OutsideBuffer { offset, bytes, buffer_bytes: self.bytes };
        offset.checked_add(bytes).filter(|&end| end <= self.bytes).ok_or_else(outside)?;
        self.offset.checked_add(offset).ok_or_else(outside)
    }

    /// Whether it shares its memory with another one.
    pub fn is_beside(&self, other: &Self) -> bool {
        std::ptr::addr_eq(Arc::as_ptr(&self.memory), Arc::as_ptr(&other.memory))
    }
}

/// A slice of the caller's memory.
#[derive(Debug)]
pub enum Host<'a> {
    /// Uploaded only.
    Read(&'a [u8]),
    /// Uploaded and downloaded into.
    Write(&'a mut [u8]),
}

impl Host<'_> {
    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Read(slice) => slice,
            Self::Write(slice) => slice,
        }
    }
}

/// What a run reads and writes outside the schedule.
#[derive(Debug, Default)]
pub struct Io<'a> {
    /// One for each of the schedule's host slices, in order.
    pub hosts: Vec<Host<'a>>,
    /// One for each of the schedule's resident buffers, in order.
    pub residents: Vec<&'a Buffer>,
}

/// When a step, or a worker's part of it, was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timed {
    /// Of the schedule.
    pub step: usize,
    /// Who did it, where several share a step.
    pub worker: usize,
    /// By [`Control::clock`]; what a GPU times itself starts when it is first given work.
    pub begin_nanos: u64,
    /// How long it took.
    pub nanos: u64,
}

/// What became of a loop or a branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Looped {
    /// Of the schedule, the one that begins it.
    pub step: usize,
    /// How often it was entered.
    pub entries: u64,
    /// Turns of all of those; of a branch, how often it was taken.
    pub turns: u64,
    /// How often its limit ended a loop whose test still held.
    pub limited: u64,
}

/// How results crossed from a device's memory to the host's; all zero where the two are one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Readback {
    /// Commands that it took: copies, and dispatches that pack small results.
    pub copies: u64,
    /// What crossed, with what alignment and counts add.
    pub selected_bytes: u64,
    /// What the downloads could have had and need not cross.
    pub avoided_bytes: u64,
}

/// What a run did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stats {
    /// Dispatch steps, as often as each was done.
    pub dispatches: u64,
    /// Workgroups of all of them.
    pub workgroups: u64,
    /// Invocations of all of them.
    pub invocations: u64,
    /// Barrier steps.
    pub barriers: u64,
    /// Of each loop and branch, in their order.
    pub loops: Vec<Looped>,
    /// Host to device.
    pub uploaded_bytes: u64,
    /// Device to host: what means something.
    pub downloaded_bytes: u64,
    /// How that crossed.
    pub readback: Readback,
    /// The most memory that the device held at once by its own account, resident buffers
    /// and the sanitizer's shadow memory included; without that at most what the schedule's lives
    /// add up to. Host slices that a device uses in place are not its memory.
    pub peak_bytes: u64,
    /// When each step was done, in their order, where [`Control::clock`] asks for it and the
    /// device can tell. A step in several parts, or by several workers, is there several times.
    pub times: Vec<Timed>,
    /// What the sanitizer has to say, where it looked on: nothing that is an error.
    pub findings: Option<Findings>,
}

/// Something that runs checked schedules. Shared between threads.
pub trait Device: Send + Sync {
    /// What it is and can do. No other device has the same `Arc`.
    fn caps(&self) -> &Arc<Caps>;

    /// Why it would refuse a kernel, however that is called.
    fn refuses(&self, kernel: &Kernel) -> Vec<Diagnostic> {
        lacks(kernel, self.caps())
    }

    /// Zeroed memory that outlives runs.
    fn alloc(&self, bytes: u64) -> Result<Buffer, Error>;

    /// Copies into a buffer.
    fn write(&self, buffer: &Buffer, offset: u64, from: &[u8]) -> Result<(), Error>;

    /// Fills a buffer with a pattern of bytes, over and over again; the last one may be cut.
    fn fill(&self, buffer: &Buffer, pattern: &[u8]) -> Result<(), Error>;

    /// Copies one buffer to another of the same size; they may overlap.
    fn copy(&self, from: &Buffer, to: &Buffer) -> Result<(), Error>;

    /// Copies out of a buffer.
    fn read(&self, buffer: &Buffer, offset: u64, to: &mut [u8]) -> Result<(), Error>;

    /// Lends the bytes of buffers to `work` where they lie in the host's memory, and gives whether they do. No two of
    /// them share memory, and no run uses them meanwhile: what `work` runs must not bind them.
    fn lend(&self, _buffers: &[&Buffer], _work: &mut dyn FnMut(&mut [&mut [u8]])) -> Result<bool, Error> {
        Ok(false)
    }

    /// Compiles the kernels and readies everything that does not change from run to run. Ends in
    /// [`Error::Stopped`] soon after it is asked to; what is being compiled then may be compiled
    /// to its end by other threads, and is there for the next to come.
    fn load_with(&self, fitted: Fitted, stop: &Stop) -> Result<Box<dyn Loaded>, Error>;

    /// The same for a schedule that suits it, however long it takes.
    fn load(&self, schedule: Arc<Checked>) -> Result<Box<dyn Loaded>, Error> {
        self.load_with(fit(schedule, self.caps())?, &Stop::default())
    }
}

/// A schedule that is ready to run, again and again.
pub trait Loaded: Send + Sync {
    /// Whether the code of each of the schedule's kernels was compiled or found, in their order.
    fn found(&self) -> &[Found];

    /// Runs it once and waits.
    fn run(&self, io: Io<'_>, control: &Control) -> Result<Stats, Error>;
}
