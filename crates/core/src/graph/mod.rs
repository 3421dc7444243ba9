//! What to compute: data by name, and waves of kernels over them.
//!
//! A [`Graph`] is what the caller writes down. Its meaning is that the waves run one after
//! the other in the order in which they are written, except where `after` says otherwise;
//! [`resolve`] finds that order, and which waves really depend on which, from what the
//! kernels do to the ranges that they are bound to. Some of them may stand in a [`Block`]: they
//! run turn after turn, or only if a word on the device says so.

mod error;
mod queue;
mod resolved;
mod names;
mod order;
mod block;
mod hazard;
mod edges;
mod resolve;
mod cut;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::program::Kernel;

pub use crate::ids::{BlockId, DataId, WaveId};
pub use cut::resolve_cut;
pub use error::Error;
pub use queue::{CAPACITY_MAX, Found, Queue, helpers, is_own};
pub use resolve::resolve;
pub use resolved::{Arg, Block as Body, Condition, Counted, Edge, Launch, Node, Repeat, Resolved, Span, What, Why};

/// Where data comes from and goes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// From the caller at each run; no wave may change it.
    Input,
    /// To the caller at each run; it starts as zeros.
    Output,
    /// From the caller and back.
    InOut,
    /// On the device, from run to run; zeros before the first.
    Persistent,
    /// Within a run; it starts as zeros.
    Transient,
}

/// A piece of memory that waves share.
#[derive(Debug, Clone, PartialEq)]
pub struct Data {
    /// What waves call it.
    pub name: String,
    /// Size.
    pub bytes: u64,
    /// Where it comes from and goes to.
    pub role: Role,
    /// Of an output: how much of it means something, as the device finds it.
    pub length: Option<Length>,
    /// The caller hands it in on the device: nothing of it is uploaded or downloaded. An output
    /// still starts as zeros.
    pub resident: bool,
}

/// See [`Data::counted`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Length {
    /// The data that holds the number of elements, a `u32`,
    pub count: String,
    /// at this byte.
    pub offset: u64,
    /// Of each element.
    pub element_bytes: u64,
}

impl Data {
    /// Whether it is on the device before a run and after it.
    pub fn stays(&self) -> bool {
        self.resident || self.role == Role::Persistent
    }

    /// Only so many elements come back as the `u32` at `offset` of `count` says when all waves
    /// are done.
    pub fn counted(&mut self, count: &str, offset: u64, element_bytes: u64) -> &mut Self {
        self.length = Some(Length { count: count.to_owned(), offset, element_bytes });
        self
    }
}

/// A name, or where it leads if that was looked up already: a place among a graph's data or among
/// the rows of a kernel's buffer table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Key {
    /// Counted from zero.
    At(u32),
    /// As written.
    Name(String),
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::At(at) => write!(f, "number {at}"),
            Self::Name(name) => f.write_str(name),
        }
    }
}

impl From<&str> for Key {
    fn from(name: &str) -> Self {
        Self::Name(name.to_owned())
    }
}

impl From<String> for Key {
    fn from(name: String) -> Self {
        Self::Name(name)
    }
}

impl From<&String> for Key {
    fn from(name: &String) -> Self {
        Self::Name(name.clone())
    }
}

impl From<DataId> for Key {
    fn from(id: DataId) -> Self {
        Self::At(id.0)
    }
}

/// What a wave binds to a buffer of its kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bind {
    /// Data, or a range of its bytes.
    Data {
        /// Which.
        data: Key,
        /// The range; all of it if `None`.
        range: Option<Range<u64>>,
    },
    /// These bytes, to be read only: a uniform, most likely.
    Value(Vec<u8>),
}

/// How many workgroups a wave has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Grid {
    /// So many.
    Workgroups([u32; 3]),
    /// As many as cover so many invocations.
    Threads([u32; 3]),
    /// As many as have an invocation for each element of what is bound to this buffer.
    Over(Key),
    /// As three `u32` on the device say.
    Indirect {
        /// The data that holds them,
        data: Key,
        /// from this byte on.
        offset: u64,
        /// The most that they may say.
        limit: [u32; 3],
    },
}

/// One dispatch of a kernel.
#[derive(Debug, Clone, PartialEq)]
pub struct Wave {
    /// What messages and `after` call it.
    pub name: Arc<str>,
    /// What it runs.
    pub kernel: Arc<Kernel>,
    /// By the kernel's buffers.
    pub binds: Vec<(Key, Bind)>,
    /// How often.
    pub grid: Option<Grid>,
    /// Waves that must be over before it starts.
    pub after: Vec<String>,
}

impl Wave {
    /// Binds data to the kernel's buffer of this name.
    pub fn bind(&mut self, buffer: &str, data: impl Into<Key>) -> &mut Self {
        self.put(buffer, Bind::Data { data: data.into(), range: None })
    }

    /// Binds a range of bytes of data to the kernel's buffer of this name.
    pub fn bind_range(&mut self, buffer: &str, data: impl Into<Key>, bytes: Range<u64>) -> &mut Self {
        self.put(buffer, Bind::Data { data: data.into(), range: Some(bytes) })
    }

    /// Binds bytes that the kernel reads.
    pub fn value(&mut self, buffer: &str, bytes: &[u8]) -> &mut Self {
        self.put(buffer, Bind::Value(bytes.to_vec()))
    }

    /// Runs an invocation for each element of what is bound to this buffer.
    pub fn over(&mut self, buffer: &str) -> &mut Self {
        let row = self.row(buffer);
        self.grid(Grid::Over(row))
    }

    /// Says how many workgroups it has.
    pub fn grid(&mut self, grid: Grid) -> &mut Self {
        self.grid = Some(grid);
        self
    }

    /// Starts when the wave of this name is over, whatever they share.
    pub fn after(&mut self, wave: &str) -> &mut Self {
        self.after.push(wave.to_owned());
        self
    }

    fn put(&mut self, buffer: &str, bind: Bind) -> &mut Self {
        let row = self.row(buffer);
        self.binds.push((row, bind));
        self
    }

    /// A buffer of the kernel.
    fn row(&self, buffer: &str) -> Key {
        let row = self.kernel.buffers.iter().position(|row| row.name == buffer);
        row.map_or_else(|| buffer.into(), |row| Key::At(row as u32))
    }
}

/// A `u32` on the device that decides something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The data that holds it,
    pub data: Key,
    /// at this byte.
    pub offset: u64,
    /// It says yes if it is zero, rather than if it is not.
    pub zero: bool,
}

/// How often the waves of a block run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Control {
    /// Turn after turn.
    Repeat {
        /// Asked before each turn; `None` to do as many as the limit says.
        word: Option<Word>,
        /// Turns, at the most.
        limit: Option<u32>,
        /// Whether it is a failure that the limit ends it while there should be another turn.
        must_end: bool,
        /// Data that change places at the end of each turn.
        swaps: Vec<(Key, Key)>,
    },
    /// Once, or not at all.
    When {
        /// Asked once.
        word: Option<Word>,
    },
}

/// A loop or a branch around waves that stand one after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// What messages call it.
    pub name: String,
    /// Its waves, those of blocks inside of it among them.
    pub waves: Range<usize>,
    /// How often.
    pub control: Control,
}

/// What whoever wrote the graph decided for some of its waves, and why. It changes nothing: a plan tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// Names of what it was decided for.
    pub of: Vec<String>,
    /// What was chosen.
    pub what: String,
    /// Why.
    pub because: String,
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { of, what, because } = self;
        write!(f, "chosen for `{}`: {what}, because {because}", of.join("`, `"))
    }
}

/// Data and waves.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Graph {
    /// In the order in which they were added.
    pub data: Vec<Data>,
    /// In the order in which they are to look as if they ran.
    pub waves: Vec<Wave>,
    /// Those that are around others before them.
    pub blocks: Vec<Block>,
    /// Work queues, in the order in which they were added.
    pub queues: Vec<Queue>,
    /// What was decided for its waves, in the order in which it was.
    pub choices: Vec<Choice>,
}

impl Graph {
    /// Adds data.
    pub fn data(&mut self, role: Role, name: &str, bytes: u64) -> &mut Data {
        self.data.push(Data { name: name.to_owned(), bytes, role, length: None, resident: false });
        self.data.last_mut().expect("invariant pushed: it is there")
    }

    /// Says what was decided for some waves, and why; once for all for which it is the same.
    pub fn choose(&mut self, of: &str, what: &str, because: &str) {
        if let Some(choice) = self.choices.iter_mut().find(|choice| choice.what == what && choice.because == because) {
            choice.of.push(of.to_owned());
        } else {
            let (what, because) = (what.to_owned(), because.to_owned());
            self.choices.push(Choice { of: vec![of.to_owned()], what, because });
        }
    }

    /// Adds a wave.
    pub fn wave(&mut self, name: &str, kernel: &Arc<Kernel>) -> &mut Wave {
        let binds = Vec::with_capacity(kernel.buffers.len());
        self.waves.push(Wave { name: name.into(), kernel: kernel.clone(), binds, grid: None, after: Vec::new() });
        self.waves.last_mut().expect("invariant pushed: it is there")
    }
}
