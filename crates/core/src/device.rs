//! The contract between a checked schedule and whatever runs it.
//!
//! Who validates: [`crate::program`] and [`crate::check`] do, and [`fit`] compares the
//! result with a device's limits. A device that notices a broken promise hits
//! `unreachable!` with the invariant's name; it does not check again.

mod control;

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::cache::Found;
use crate::check::Checked;
use crate::diag::{Diagnostic, Report, Span};
use crate::program::{Access, Kernel};
use crate::schedule::{Binding, Step};

pub use control::{Clock, Control, Reason, Stop};

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
    /// Subgroup operations.
    pub subgroup: bool,
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
    /// Memory it may fill, where that is known.
    pub memory_bytes: Option<u64>,
    /// What else there is to tell the user: what, and its value.
    pub facts: Vec<(String, String)>,
}

/// Device memory that outlives a run. Cheap to clone; freed with the last clone.
#[derive(Clone)]
pub struct Buffer {
    /// Size.
    pub bytes: u64,
    /// The device's own handle, for it to downcast.
    pub memory: Arc<dyn Any + Send + Sync>,
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Buffer").field("bytes", &self.bytes).finish_non_exhaustive()
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

/// What a run did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stats {
    /// Dispatch steps.
    pub dispatches: u64,
    /// Workgroups of all of them.
    pub workgroups: u64,
    /// Invocations of all of them.
    pub invocations: u64,
    /// Barrier steps.
    pub barriers: u64,
    /// Host to device.
    pub uploaded_bytes: u64,
    /// Device to host.
    pub downloaded_bytes: u64,
    /// The most memory that the device held at once by its own account, resident buffers
    /// included; at most what the schedule's lives add up to. Host slices that a device uses
    /// in place are not its memory.
    pub peak_bytes: u64,
    /// When each step was done, in their order, where [`Control::clock`] asks for it and the
    /// device can tell. A step in several parts, or by several workers, is there several times.
    pub times: Vec<Timed>,
}

/// What a kernel asks of a device that the device does not have.
#[derive(Debug, Clone, PartialEq)]
pub struct Unsupported {
    /// Whose limit it is.
    pub device: String,
    /// What is missing, as a diagnostic in the kernel's source.
    pub report: Report,
}

/// What the world did to a run, or the kernel did to itself.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// The device lacks what the schedule needs.
    #[error("{}", .0.report)]
    Unsupported(Box<Unsupported>),
    /// Memory could not be had.
    #[error("device `{device}` has no room for {what}: {bytes} bytes")]
    OutOfMemory {
        /// Whose memory.
        device: String,
        /// What was to go there.
        what: String,
        /// How much it needs.
        bytes: u64,
    },
    /// A buffer larger than the device can address.
    #[error("`{buffer}` has {bytes} bytes; device `{device}` takes {limit_bytes} at most")]
    BufferTooLarge {
        /// Whose limit.
        device: String,
        /// What is too large.
        buffer: String,
        /// How large it is.
        bytes: u64,
        /// How large it may be.
        limit_bytes: u64,
    },
    /// More of a buffer than a kernel of the device can see at once.
    #[error(
        "`{kernel}` binds {bytes} bytes as `{buffer}`; device `{device}` takes {limit_bytes} at most: bind a part of it"
    )]
    BindingTooLarge {
        /// Whose limit.
        device: String,
        /// Who binds it.
        kernel: String,
        /// The row of its buffer table.
        buffer: String,
        /// How much is bound.
        bytes: u64,
        /// How much may be.
        limit_bytes: u64,
    },
    /// Memory beyond what the device was told to use.
    #[error(
        "{what} needs {bytes} bytes, but {used_bytes} of the budget of {budget_bytes} on device `{device}` are in use"
    )]
    OverBudget {
        /// Whose budget.
        device: String,
        /// What was to go there.
        what: String,
        /// How much it needs.
        bytes: u64,
        /// How much is in use.
        used_bytes: u64,
        /// How much may be.
        budget_bytes: u64,
    },
    /// The device went away, and all its memory with it. The next run opens it again.
    #[error("device `{device}` was lost: {reason}")]
    Lost {
        /// Which.
        device: String,
        /// As its driver says.
        reason: String,
    },
    /// A resident buffer that was on a device when that was lost.
    #[error("a resident buffer was lost with device `{device}`; make it anew")]
    BufferLost {
        /// Which device.
        device: String,
    },
    /// The driver refuses what the device's own limits allow: a fault of the driver, most likely.
    #[error("the driver of device `{device}` refused {what}: {reason}")]
    Refused {
        /// Whose driver.
        device: String,
        /// What it refused.
        what: String,
        /// As it says.
        reason: String,
    },
    /// A host slice is missing, too many, or not of the size that the schedule says.
    #[error("host slice {index} has {got_bytes:?} bytes where the schedule has {expected_bytes:?}")]
    HostMismatch {
        /// Which one.
        index: usize,
        /// As in the schedule; `None` if it has no such slice.
        expected_bytes: Option<u64>,
        /// As handed in; `None` if it was not.
        got_bytes: Option<u64>,
    },
    /// A host slice that the schedule writes was handed in read-only.
    #[error("host slice {index} is written by the schedule but was handed in read-only")]
    HostReadOnly {
        /// Which one.
        index: usize,
    },
    /// A resident buffer is missing, too many, or not of the size that the schedule says.
    #[error("resident buffer {index} has {got_bytes:?} bytes where the schedule has {expected_bytes:?}")]
    ResidentMismatch {
        /// Which one.
        index: usize,
        /// As in the schedule; `None` if it has no such buffer.
        expected_bytes: Option<u64>,
        /// As handed in; `None` if it was not.
        got_bytes: Option<u64>,
    },
    /// The same memory was handed in as two resident buffers.
    #[error("resident buffers {first} and {second} are the same memory; bind one buffer once per schedule")]
    ResidentTwice {
        /// One place.
        first: usize,
        /// The other.
        second: usize,
    },
    /// A buffer that another device made.
    #[error("a buffer of another device was handed to device `{device}`")]
    ForeignBuffer {
        /// Who got it.
        device: String,
    },
    /// A read or write past the end of a buffer.
    #[error("bytes {offset} to {offset}+{bytes} lie outside a buffer of {buffer_bytes} bytes")]
    OutsideBuffer {
        /// Where it starts.
        offset: u64,
        /// How much.
        bytes: u64,
        /// What there is.
        buffer_bytes: u64,
    },
    /// The grid that an indirect dispatch found is beyond its limit. It was not run.
    #[error("step {step} found a grid of {grid:?} workgroups, where {limit:?} is the most")]
    GridLimit {
        /// Of the schedule.
        step: usize,
        /// What the device held.
        grid: [u32; 3],
        /// What the schedule allows.
        limit: [u32; 3],
    },
    /// The grid that an indirect dispatch found is beyond what the device takes. It was not run.
    #[error("step {step} found a grid of {grid:?} workgroups, which is more than device `{device}` takes")]
    GridTooLarge {
        /// Whose limit.
        device: String,
        /// Of the schedule.
        step: usize,
        /// What the device held.
        grid: [u32; 3],
    },
    /// An invocation ran longer than the caller allows: an endless loop, most likely.
    #[error("{}", .report)]
    StepLimit {
        /// Points at the loop.
        report: Report,
    },
    /// The run was ended early; resident buffers and written slices hold partial results.
    #[error("{}", report.as_ref().map_or_else(|| reason.to_string(), ToString::to_string))]
    Stopped {
        /// Who ended it.
        reason: Reason,
        /// Names the kernel that was not done, if one had begun, and the loop it was in.
        report: Option<Report>,
    },
}

/// The kernel asks for more than a device can do, for a reason that only the device knows.
pub fn unsupported(kernel: &Kernel, device: &str, reason: &str) -> Error {
    let message = format!("`{}` is not supported by device `{device}`: {reason}", kernel.name);
    let report =
        Report { source: kernel.source().clone(), diagnostics: vec![Diagnostic::error("unsupported", message)] };
    Error::Unsupported(Box::new(Unsupported { device: device.to_owned(), report }))
}

/// The run was ended before `kernel` was done, in the loop at `around` if it was in one.
pub fn stopped(kernel: &Kernel, reason: Reason, around: Option<Span>) -> Error {
    let message = format!("{reason}, in `{}`", kernel.name);
    let diagnostic = match reason {
        Reason::Caller => Diagnostic::error("stopped", message),
        Reason::Deadline => Diagnostic::error("deadline", message),
    };
    let around = around.map(|span| span.first_line(&kernel.source().text));
    let diagnostic = diagnostic.at(around, "still going round here");
    let report = Report { source: kernel.source().clone(), diagnostics: vec![diagnostic] };
    Error::Stopped { reason, report: Some(report) }
}

/// Something that runs checked schedules. Shared between threads.
pub trait Device: Send + Sync {
    /// What it is and can do.
    fn caps(&self) -> &Caps;

    /// Zeroed memory that outlives runs.
    fn alloc(&self, bytes: u64) -> Result<Buffer, Error>;

    /// Copies into a buffer.
    fn write(&self, buffer: &Buffer, offset: u64, from: &[u8]) -> Result<(), Error>;

    /// Copies out of a buffer.
    fn read(&self, buffer: &Buffer, offset: u64, to: &mut [u8]) -> Result<(), Error>;

    /// Compiles the kernels and readies everything that does not change from run to run.
    fn load(&self, schedule: Arc<Checked>) -> Result<Box<dyn Loaded>, Error>;
}

/// A schedule that is ready to run, again and again.
pub trait Loaded: Send + Sync {
    /// How the code of each of the schedule's kernels was come by, in their order.
    fn found(&self) -> &[Found];

    /// Runs it once and waits.
    fn run(&self, io: Io<'_>, control: &Control) -> Result<Stats, Error>;
}

/// Whether a device with these caps can run the schedule; if not, the first thing it lacks.
pub fn fit(schedule: &Checked, caps: &Caps) -> Result<(), Error> {
    let limits = &caps.limits;
    for buffer in &schedule.buffers {
        if buffer.bytes > limits.buffer_bytes_max {
            return Err(Error::BufferTooLarge {
                device: caps.id.clone(),
                buffer: buffer.name.clone(),
                bytes: buffer.bytes,
                limit_bytes: limits.buffer_bytes_max,
            });
        }
    }
    schedule.kernels.iter().try_for_each(|kernel| kernel_fits(kernel, caps))?;
    for step in &schedule.steps {
        let (kernel, bindings) = match step {
            Step::DispatchIndirect { kernel, .. } if !caps.indirect => {
                let kernel = &schedule.kernels[kernel.0 as usize];
                return Err(unsupported(kernel, &caps.id, "its grid is in a buffer"));
            }
            Step::Dispatch { kernel, bindings, .. } | Step::DispatchIndirect { kernel, bindings, .. } => {
                (kernel, bindings)
            }
            Step::Upload { .. }
            | Step::Clear { .. }
            | Step::Copy { .. }
            | Step::Barrier
            | Step::Download { .. }
            | Step::Free { .. } => continue,
        };
        bindings_fit(&schedule.kernels[kernel.0 as usize], bindings, caps)?;
    }
    Ok(())
}

fn bindings_fit(kernel: &Kernel, bindings: &[Binding], caps: &Caps) -> Result<(), Error> {
    for (row, binding) in kernel.buffers.iter().zip(bindings) {
        let uniform = row.access == Access::Uniform;
        let limit_bytes = if uniform { caps.limits.uniform_bytes_max } else { caps.limits.binding_bytes_max };
        if binding.bytes > limit_bytes {
            return Err(Error::BindingTooLarge {
                device: caps.id.clone(),
                kernel: kernel.name.clone(),
                buffer: row.name.clone(),
                bytes: binding.bytes,
                limit_bytes,
            });
        }
    }
    Ok(())
}

/// The grid that an indirect dispatch found, if it is within the limit.
pub fn grid_within(step: usize, grid: [u32; 3], limit: [u32; 3]) -> Result<[u32; 3], Error> {
    if grid.iter().zip(&limit).any(|(count, most)| count > most) {
        return Err(Error::GridLimit { step, grid, limit });
    }
    Ok(grid)
}

fn kernel_fits(kernel: &Kernel, caps: &Caps) -> Result<(), Error> {
    let refuse_with = |what: String, span: Option<Span>, help: Option<String>| {
        let message = format!("{what} not supported by device `{}`", caps.id);
        let diagnostic = Diagnostic::error("unsupported", message).at(span, "needed here");
        let diagnostic = match help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        };
        let report = Report { source: kernel.source().clone(), diagnostics: vec![diagnostic] };
        Err(Error::Unsupported(Box::new(Unsupported { device: caps.id.clone(), report })))
    };
    let refuse = |what: String, fits: String| refuse_with(what, None, Some(format!("{fits} would fit")));
    let needs = &kernel.needs;
    for (have, need, what) in [
        (caps.f16, needs.f16, "`f16` is"),
        (caps.int64, needs.int64, "64-bit integers are"),
        (caps.f64, needs.f64, "`f64` is"),
        (caps.subgroup, needs.subgroup, "subgroup operations are"),
        (caps.subgroup_barrier, needs.subgroup_barrier, "subgroup barriers are"),
        (caps.atomic_f32, needs.atomic_f32, "atomics of `f32` are"),
        (caps.atomic_int64_min_max, needs.atomic_int64_min_max, "64-bit atomics are"),
        (caps.atomic_int64, needs.atomic_int64, "64-bit atomics other than minima and maxima without results are"),
    ] {
        if let (false, Some(need)) = (have, need) {
            return refuse_with(what.to_owned(), need.span, None);
        }
    }
    let (invocations, most) = (kernel.workgroup_invocations(), caps.limits.workgroup_invocations_max);
    if invocations > most {
        let fits = format!("a workgroup of {most} invocations");
        return refuse(format!("a workgroup of {invocations} invocations (limit {most}) is"), fits);
    }
    for (dimension, (&size, most)) in kernel.workgroup_size.iter().zip(caps.limits.workgroup_size_max).enumerate() {
        if size > most {
            let axis = ["x", "y", "z"][dimension];
            let fits = format!("a workgroup of {most} invocations in {axis}");
            return refuse(format!("a workgroup of {size} invocations in {axis} (limit {most}) is"), fits);
        }
    }
    let uniforms = kernel.buffers.iter().filter(|row| row.access == Access::Uniform).count();
    for (count, most, what) in [
        (uniforms, caps.limits.uniform_buffers_max, "uniform"),
        (kernel.buffers.len() - uniforms, caps.limits.storage_buffers_max, "storage"),
    ] {
        if count > most as usize {
            let fits = format!("{most} buffers, several arrays in one of them,");
            return refuse(format!("a kernel with {count} {what} buffers (limit {most}) is"), fits);
        }
    }
    let (bytes, most) = (kernel.workgroup_bytes, caps.limits.workgroup_bytes_max);
    if bytes > most {
        let fits = format!("{most} bytes");
        return refuse(format!("{bytes} bytes of workgroup memory (limit {most}) are"), fits);
    }
    Ok(())
}

/// Whether what was handed in is what the schedule asks for. Devices call it first in `run`.
pub fn io_fits(schedule: &Checked, io: &Io<'_>) -> Result<(), Error> {
    for index in 0..schedule.hosts.len().max(io.hosts.len()) {
        let expected_bytes = schedule.hosts.get(index).map(|host| host.bytes);
        let got_bytes = io.hosts.get(index).map(|host| host.bytes().len() as u64);
        if expected_bytes != got_bytes {
            return Err(Error::HostMismatch { index, expected_bytes, got_bytes });
        }
    }
    for host in schedule.written() {
        let index = host.0 as usize;
        if matches!(io.hosts[index], Host::Read(_)) {
            return Err(Error::HostReadOnly { index });
        }
    }
    let residents: Vec<u64> = schedule.residents().map(|id| schedule.buffers[id.0 as usize].bytes).collect();
    for index in 0..residents.len().max(io.residents.len()) {
        let expected_bytes = residents.get(index).copied();
        let got_bytes = io.residents.get(index).map(|buffer| buffer.bytes);
        if expected_bytes != got_bytes {
            return Err(Error::ResidentMismatch { index, expected_bytes, got_bytes });
        }
    }
    let address = |(index, buffer): (usize, &&Buffer)| (Arc::as_ptr(&buffer.memory).addr(), index);
    let mut addresses: Vec<(usize, usize)> = io.residents.iter().enumerate().map(address).collect();
    addresses.sort_unstable();
    match addresses.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        Some(pair) => Err(Error::ResidentTwice { first: pair[0].1, second: pair[1].1 }),
        None => Ok(()),
    }
}
