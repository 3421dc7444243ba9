//! How a run fails.

use super::Reason;
use crate::cache::Missed;
use crate::diag::{Diagnostic, Report, Span};
use crate::program::Kernel;
use crate::sanitize::Findings;

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
    /// The sanitizer has found errors. The run was done to its end all the same.
    #[error("{0}")]
    Unsound(Box<Findings>),
    /// Loops and branches that the host would have to decide.
    #[error("device `{device}` does not decide loops and branches by itself")]
    NoControl {
        /// Which.
        device: String,
    },
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
    /// A schedule that was compared with the limits of another device.
    #[error("a schedule that suits device `{fits}` was loaded on device `{device}`")]
    ForeignSchedule {
        /// Where it was loaded.
        device: String,
        /// Whom it suits.
        fits: String,
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
    /// Two resident buffers share bytes that the schedule changes.
    #[error("`{first}` and `{second}` are bound to memory that overlaps, and one of them is changed")]
    ResidentOverlap {
        /// One of them, as the schedule calls it.
        first: String,
        /// The other.
        second: String,
    },
    /// A part of a buffer that cannot be bound everywhere.
    #[error(
        "a part of a buffer starts at a multiple of 256 bytes, and ends at a multiple of 4 or with the buffer: \
         not at bytes {start} and {end}"
    )]
    PartAlign {
        /// The first byte.
        start: u64,
        /// The one after the last.
        end: u64,
    },
    /// A copy between buffers of two sizes.
    #[error("{from_bytes} bytes cannot be copied to a buffer of {to_bytes}")]
    CopySize {
        /// Of the one.
        from_bytes: u64,
        /// Of the other.
        to_bytes: u64,
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
    /// A fault of ours: compiling a kernel ended in a panic.
    #[error("device `{device}` failed to compile `{kernel}`, which is a fault of its own: {reason}")]
    Panicked {
        /// Whose compiler.
        device: String,
        /// The entry point.
        kernel: String,
        /// What the panic said.
        reason: String,
    },
    /// The system gave no thread.
    #[error("device `{device}` could not start a thread: {reason}")]
    NoThread {
        /// Who wanted one.
        device: String,
        /// As the system says it.
        reason: String,
    },
    /// A process that was forked has none of the threads that its parent had started.
    #[error(
        "device `{device}` was opened before this process was forked, and its threads are not here; open it after the fork"
    )]
    Forked {
        /// Which.
        device: String,
    },
}

impl From<Reason> for Error {
    fn from(reason: Reason) -> Self {
        Self::Stopped { reason, report: None }
    }
}

/// Why a device has not got what it makes of a kernel.
pub fn missed(kernel: &Kernel, device: &str, missed: Missed<Error>) -> Error {
    let device = device.to_owned();
    match missed {
        Missed::Failed(error) => error,
        Missed::Panicked(reason) => Error::Panicked { device, kernel: kernel.name.clone(), reason },
        Missed::NoThread(reason) => Error::NoThread { device, reason },
        Missed::Stopped(reason) => {
            let message = format!("{reason}: `{}` was still being compiled", kernel.name);
            let diagnostics = vec![ended(reason, message)];
            Error::Stopped { reason, report: Some(Report { source: kernel.source().clone(), diagnostics }) }
        }
    }
}

fn ended(reason: Reason, message: String) -> Diagnostic {
    match reason {
        Reason::Caller => Diagnostic::error("stopped", message),
        Reason::Deadline => Diagnostic::error("deadline", message),
    }
}

/// The kernel asks for more than a device can do, for a reason that only the device knows.
pub fn unsupported(kernel: &Kernel, device: &str, reason: &str) -> Error {
    let message = format!("`{}` is not supported by device `{device}`: {reason}", kernel.name);
    let report =
        Report { source: kernel.source().clone(), diagnostics: vec![Diagnostic::error("unsupported", message)] };
    Error::Unsupported(Box::new(Unsupported { device: device.to_owned(), report }))
}

/// The kernel is larger than a device can compile, by a limit with a code of its own: at `span`,
/// if that is known.
pub fn too_large(kernel: &Kernel, device: &str, code: &'static str, reason: &str, span: Option<Span>) -> Error {
    let message = format!("`{}` is too much for device `{device}`: {reason}", kernel.name);
    let span = span.map(|span| span.first_line(&kernel.source().text));
    let diagnostic = Diagnostic::error(code, message).at(span, "here");
    let report = Report { source: kernel.source().clone(), diagnostics: vec![diagnostic] };
    Error::Unsupported(Box::new(Unsupported { device: device.to_owned(), report }))
}

/// The run was ended before `kernel` was done, in the loop at `around` if it was in one.
pub fn stopped(kernel: &Kernel, reason: Reason, around: Option<Span>) -> Error {
    let message = format!("{reason}, in `{}`", kernel.name);
    let diagnostic = ended(reason, message);
    let around = around.map(|span| span.first_line(&kernel.source().text));
    let diagnostic = diagnostic.at(around, "still going round here");
    let report = Report { source: kernel.source().clone(), diagnostics: vec![diagnostic] };
    Error::Stopped { reason, report: Some(report) }
}
