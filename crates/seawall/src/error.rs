//! What can go wrong between a caller and a result.

use seawall_core::layout::Scalar;
use seawall_core::program::texture::Misfit;
use seawall_core::{check, device, diag, graph, plan, route, split, texture};

/// The caller's mistake, or the world's.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// The program's text is wrong.
    #[error(transparent)]
    Program(#[from] diag::Report),
    /// A kernel that cannot be cut at its grid barriers.
    #[error(transparent)]
    Split(#[from] split::Error),
    /// No device, or not the one that was asked for.
    #[error(transparent)]
    Route(#[from] route::Error),
    /// The call makes no sound schedule.
    #[error(transparent)]
    Check(#[from] check::Error),
    /// The graph makes no sense.
    #[error(transparent)]
    Graph(#[from] graph::Error),
    /// The graph does not fit its budget.
    #[error(transparent)]
    Plan(#[from] plan::Error),
    /// The device could not do it.
    #[error(transparent)]
    Device(#[from] device::Error),
    /// A loop that should have ended before its limit did it.
    #[error("`{name}` ran {limit} times, its limit, and was to go on")]
    LoopLimit {
        /// Which.
        name: String,
        /// Turns.
        limit: u32,
    },
    /// More was pushed to a queue than it holds. Outputs hold what there was when the window was over.
    #[error(
        "{dropped} items did not fit into queue `{queue}`, which holds {capacity}; a capacity of {needed} would have \
         held them"
    )]
    QueueOverflow {
        /// Which.
        queue: String,
        /// Items that did not fit.
        dropped: u32,
        /// Items that do.
        capacity: u32,
        /// Items that were there at once, with those.
        needed: u64,
    },
    /// Data changes places at the end of a loop's turns, and nowhere else.
    #[error("`{first}` and `{second}` are swapped outside of a loop, or in a branch inside of it")]
    StraySwap {
        /// The one.
        first: String,
        /// The other.
        second: String,
    },
    /// A program with several entry points, and none was named.
    #[error("the program has several entry points: {}; name one with `Program::kernel`", entries.join(", "))]
    SeveralEntries {
        /// In source order.
        entries: Vec<String>,
    },
    /// A name that the kernel does not use.
    #[error("`{kernel}` uses no buffer `{buffer}`; it uses {}", or_none(known))]
    UnknownBuffer {
        /// The entry point.
        kernel: String,
        /// What was bound.
        buffer: String,
        /// What there is.
        known: Vec<String>,
    },
    /// A buffer that the kernel uses and nobody bound.
    #[error("`{kernel}` uses `{buffer}: {ty}`, which is not bound")]
    Unbound {
        /// The entry point.
        kernel: String,
        /// What is missing.
        buffer: String,
        /// Its type.
        ty: String,
    },
    /// An image or a sampler that is not bound, or does not fit.
    #[error(transparent)]
    Texture(Box<Misfit>),
    /// A name that is no sampler of the kernel.
    #[error("`{kernel}` uses no sampler `{sampler}`; it uses {}", or_none(known))]
    UnknownSampler {
        /// The entry point.
        kernel: String,
        /// What was bound.
        sampler: String,
        /// What there is.
        known: Vec<String>,
    },
    /// There is no such image.
    #[error(transparent)]
    Shape(#[from] texture::Error),
    /// Texels that are not as many as an image has.
    #[error("{shape} are {expected_bytes} bytes, not {got_bytes}")]
    Texels {
        /// The image.
        shape: String,
        /// What it takes.
        expected_bytes: u64,
        /// What was given.
        got_bytes: u64,
    },
    /// One name, bound twice.
    #[error("`{buffer}` is bound twice")]
    BoundTwice {
        /// Which.
        buffer: String,
    },
    /// A host type that the buffer does not hold.
    #[error("`{buffer}: {ty}` cannot be bound to elements of `{host}`: {why}")]
    Type {
        /// Which.
        buffer: String,
        /// Its type in the program.
        ty: String,
        /// The caller's type.
        host: String,
        /// What does not match.
        why: Box<TypeClash>,
    },
    /// A wave binds what does not fit.
    #[error("wave `{wave}`: {source}")]
    Wave {
        /// Which.
        wave: String,
        /// What is wrong with it.
        source: Box<Self>,
    },
    /// A slice or buffer of the wrong size.
    #[error("`{buffer}: {ty}` needs {needs}, but {got_bytes} bytes are bound{pad}")]
    Size {
        /// Which.
        buffer: String,
        /// Its type in the program.
        ty: String,
        /// What would fit.
        needs: Needs,
        /// What was bound.
        got_bytes: u64,
        /// How it could fit.
        pad: Pad,
    },
    /// A slice that the kernel writes was bound by shared reference.
    #[error("`{kernel}` writes `{buffer}`: bind it by `&mut`, or bind a resident buffer")]
    ReadOnly {
        /// The entry point.
        kernel: String,
        /// Which.
        buffer: String,
    },
    /// Neither threads nor workgroups were given.
    #[error("no grid for `{kernel}`: say how many `threads` or `workgroups`, or `over` which buffer")]
    NoGrid {
        /// The entry point.
        kernel: String,
    },
    /// A length whose bytes cannot be counted.
    #[error("{len} elements of {element_bytes} bytes are more than can be addressed")]
    TooLong {
        /// Elements.
        len: usize,
        /// Bytes of each.
        element_bytes: usize,
    },
    /// A slice that does not lie inside a resident buffer.
    #[error("{len} elements do not fit a buffer of {buffer_len}")]
    Length {
        /// Of the slice.
        len: usize,
        /// Of the buffer.
        buffer_len: usize,
    },
    /// Elements that do not lie inside a resident buffer.
    #[error("{len} elements from element {start} on go beyond a buffer of {buffer_len}")]
    Outside {
        /// The first.
        start: usize,
        /// How many.
        len: usize,
        /// Of the buffer.
        buffer_len: usize,
    },
    /// A range that is none of a resident buffer's.
    #[error("elements {start}..{end} are no range of a buffer of {len}")]
    Range {
        /// The first.
        start: usize,
        /// The one after the last.
        end: usize,
        /// Of the buffer.
        len: usize,
    },
    /// A range of a resident buffer that cannot be bound everywhere.
    #[error(
        "elements {start}..{end} of {element_bytes} bytes each are bytes {}..{}: a range of a buffer starts at a \
         multiple of 256 bytes, and ends at a multiple of 4 or with the buffer",
        start * element_bytes, end * element_bytes
    )]
    RangeAlign {
        /// The first.
        start: usize,
        /// The one after the last.
        end: usize,
        /// Of each.
        element_bytes: usize,
    },
    /// A number of worker threads that the CPU device cannot have.
    #[error("{asker} asks for `{text}` worker threads, which is not a number from 1 to {most}")]
    Threads {
        /// Who asks: an environment variable or a function.
        asker: &'static str,
        /// As it stands there.
        text: String,
        /// What the device takes.
        most: usize,
    },
    /// A name that is no data of the graph, or none that can be bound.
    #[error("the graph has no data `{data}` here; it has {}", or_none(known))]
    UnknownData {
        /// What was named.
        data: String,
        /// What there is.
        known: Vec<String>,
    },
    /// An input or output that nobody bound.
    #[error("`{data}` is not bound")]
    UnboundData {
        /// Which.
        data: String,
    },
    /// A slice of the wrong size for the graph's data.
    #[error("`{data}` has {expected_bytes} bytes, but {got_bytes} are bound")]
    DataSize {
        /// Which.
        data: String,
        /// In the graph.
        expected_bytes: u64,
        /// As bound.
        got_bytes: u64,
    },
    /// A slice of another type than the graph's data.
    #[error("`{data}` holds `{expected}`, but elements of `{got}` are bound")]
    DataType {
        /// Which.
        data: String,
        /// In the graph.
        expected: String,
        /// As bound.
        got: String,
    },
    /// Another image than the graph's.
    #[error("`{data}` is {expected}, but {got} are bound")]
    DataShape {
        /// Which.
        data: String,
        /// In the graph.
        expected: String,
        /// As bound.
        got: String,
    },
    /// An output that was bound by shared reference.
    #[error("`{data}` is written: bind it by `&mut`, or bind a resident buffer")]
    DataReadOnly {
        /// Which.
        data: String,
    },
    /// A value of the graph that was not set.
    #[error("`{value}` is not set: give it a value for this run with `set`")]
    Unset {
        /// Which.
        value: String,
    },
    /// Something that is not a value of the graph was set.
    #[error("the graph has no value `{name}`; it has {}", or_none(known))]
    UnknownValue {
        /// What was set.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// With some data bound to resident buffers, the graph does not fit its budget.
    #[error("with `{}` bound to resident buffers: {source}", data.join("`, `"))]
    Resident {
        /// Which data.
        data: Vec<String>,
        /// Why it does not.
        source: Box<plan::Error>,
    },
    /// A grid that is no number of workgroups or invocations.
    #[error("a grid of {grid} does not fit: each dimension has 0 to 4294967295")]
    Grid {
        /// As in `1 x 2 x 1`.
        grid: String,
    },
    /// The grid that a call found on the device is beyond its limit. It was not run.
    #[error("`{kernel}` found a grid of {grid:?} workgroups, where {limit:?} is the most")]
    CallGridLimit {
        /// The entry point.
        kernel: String,
        /// What the device held.
        grid: [u32; 3],
        /// What the call allows.
        limit: [u32; 3],
    },
    /// A buffer that is too small to hold a grid.
    #[error("a grid is three `u32`, but the buffer that it is taken from has {len}")]
    GridBuffer {
        /// Of the buffer.
        len: usize,
    },
    /// `over` something that has no number of elements.
    #[error("`{kernel}` has no runtime-sized array `{buffer}` to run over")]
    GridOver {
        /// The entry point.
        kernel: String,
        /// What was named.
        buffer: String,
    },
    /// The grid that a wave found on the device is beyond its limit. It was not run.
    #[error("wave `{wave}` found a grid of {grid:?} workgroups, where {limit:?} is the most")]
    GridLimit {
        /// Which.
        wave: String,
        /// What the device held.
        grid: [u32; 3],
        /// What the graph allows.
        limit: [u32; 3],
    },
    /// Memory that does not hold whole elements.
    #[error("{bytes} bytes are not whole elements of {element_bytes}")]
    Elements {
        /// What there is.
        bytes: u64,
        /// Of each element.
        element_bytes: u64,
    },
    /// The system gave no thread to run a job on, or to watch a deadline with.
    #[error("no thread could be started: {reason}")]
    Thread {
        /// As the system says it.
        reason: String,
    },
    /// Something that only the reference device does, asked of another one.
    #[error("{what} is for the `reference` device, but device `{device}` is asked for")]
    ReferenceOnly {
        /// A noun.
        what: &'static str,
        /// By the caller or the environment.
        device: String,
    },
    /// Resident buffers of two devices in one call.
    #[error("`{buffer}` lives on another device than `{device}`, which is to run this")]
    OtherDevice {
        /// Which.
        buffer: String,
        /// Who runs it.
        device: String,
    },
}

impl From<Misfit> for Error {
    fn from(misfit: Misfit) -> Self {
        Self::Texture(Box::new(misfit))
    }
}

/// Why a host type does not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypeClash {
    /// Another scalar.
    Scalar {
        /// As in the program, by its WGSL name.
        expected: &'static str,
    },
    /// Elements are padded, so that host elements must be as large as the stride.
    Stride {
        /// In the program.
        expected_bytes: u64,
        /// Of the host type.
        got_bytes: u64,
        /// How they could be as large.
        pad: Pad,
    },
    /// A member of a type with [`Layout`](crate::Layout) is not WGSL's.
    Member {
        /// From the bound value on; empty for the whole.
        path: String,
        /// What the host has there.
        host: String,
        /// What the program has.
        wgsl: String,
    },
}

/// How a host type gets the size that WGSL's has; nothing if that is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pad {
    /// A `vec3` of these stands in it.
    pub vec3: Option<Scalar>,
    /// Bytes that are missing.
    pub bytes: u64,
}

impl std::fmt::Display for Pad {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.vec3, self.bytes) {
            (_, 0) => Ok(()),
            (Some(scalar), _) => {
                let bytes = scalar.bytes();
                write!(
                    f,
                    "; a `vec3<{scalar}>` starts at a multiple of {} bytes: pad it to `[{scalar}; 4]`, \
                     or let a member of {bytes} bytes follow its {}",
                    4 * bytes,
                    3 * bytes
                )
            }
            (None, bytes) => write!(f, "; pad the host's by {bytes} bytes"),
        }
    }
}

impl std::fmt::Display for TypeClash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Scalar { expected } => write!(f, "it holds `{expected}`"),
            Self::Stride { expected_bytes, got_bytes, pad } => {
                write!(f, "its elements are {expected_bytes} bytes apart, the host's are {got_bytes}{pad}")
            }
            Self::Member { path, host, wgsl } if path.is_empty() => {
                write!(f, "the host has {host}, WGSL has {wgsl}")
            }
            Self::Member { path, host, wgsl } => {
                write!(f, "member `{path}`: the host has {host}, WGSL has {wgsl}")
            }
        }
    }
}

/// Sizes that fit a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// A fixed size.
    Exactly {
        /// That size.
        bytes: u64,
    },
    /// A head and any number of elements, but one at least.
    Elements {
        /// Before the first element.
        head_bytes: u64,
        /// From one element to the next.
        stride_bytes: u64,
        /// The least that is allowed.
        min_bytes: u64,
    },
}

impl std::fmt::Display for Needs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exactly { bytes } => write!(f, "exactly {bytes} bytes"),
            Self::Elements { head_bytes: 0, stride_bytes, .. } => {
                write!(f, "a positive multiple of {stride_bytes} bytes")
            }
            Self::Elements { head_bytes, stride_bytes, min_bytes } => {
                write!(f, "{head_bytes} bytes and a multiple of {stride_bytes}, at least {min_bytes}")
            }
        }
    }
}

fn or_none(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
