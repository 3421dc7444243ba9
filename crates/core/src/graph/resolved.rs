//! A graph with everything in its place, as plain data.

use std::ops::Range;
use std::sync::Arc;

use super::{BlockId, Choice, Data, DataId, Queue, WaveId};
use crate::program::{self, Kernel};

/// A range of data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// Which data.
    pub data: DataId,
    /// First byte.
    pub offset: u64,
    /// How many.
    pub bytes: u64,
}

/// What stands for a row of a kernel's buffer table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Arg {
    /// A range of data.
    Data(Span),
    /// These bytes.
    Value(Vec<u8>),
}

/// A grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Launch {
    /// So many workgroups.
    Workgroups([u32; 3]),
    /// As the device finds.
    Indirect {
        /// Three `u32`.
        args: Span,
        /// The most that they may be.
        limit: [u32; 3],
    },
}

/// A wave with everything in its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// As written.
    pub name: Arc<str>,
    /// What it runs.
    pub kernel: Arc<Kernel>,
    /// For each row of the kernel's buffer table, where in [`Resolved::args`] what stands for it is.
    pub args: Range<u32>,
    /// How often.
    pub launch: Launch,
}

/// Why a wave comes after another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// The caller says so.
    After,
    /// It reads what the other wrote.
    ReadAfterWrite {
        /// Where.
        data: DataId,
    },
    /// It writes over what the other read.
    WriteAfterRead {
        /// Where.
        data: DataId,
    },
    /// It writes over what the other wrote.
    WriteAfterWrite {
        /// Where.
        data: DataId,
    },
}

/// A wave that comes after another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// The earlier one.
    pub before: WaveId,
    /// The later one.
    pub after: WaveId,
    /// What for.
    pub why: Why,
}

/// How much of an output means something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    /// A `u32`.
    pub count: Span,
    /// Of each element.
    pub element_bytes: u64,
}

/// A word of data, and what it has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Condition {
    /// A `u32`.
    pub word: Span,
    /// It has to be zero, rather than anything else.
    pub zero: bool,
}

/// How often a block runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeat {
    /// Turn after turn, as often as the limit says.
    Loop {
        /// Asked before each turn: it is the last one if this does not hold.
        condition: Option<Condition>,
        /// Turns, at the most.
        limit: u32,
    },
    /// Once if the condition holds.
    When {
        /// Asked once.
        condition: Condition,
    },
}

impl Repeat {
    /// What decides about it.
    pub fn condition(&self) -> Option<Condition> {
        match *self {
            Self::Loop { condition, .. } => condition,
            Self::When { condition } => Some(condition),
        }
    }
}

/// A loop or a branch with everything in its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// As written.
    pub name: String,
    /// What it is inside of.
    pub parent: Option<BlockId>,
    /// Its waves, as written, those of blocks inside of it among them.
    pub waves: Range<u32>,
    /// How often.
    pub repeat: Repeat,
    /// Whether it is a failure that the limit ends it while there should be another turn.
    pub must_end: bool,
    /// Data that change places at the end of each turn.
    pub swaps: Vec<(DataId, DataId)>,
}

/// A graph with everything in its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolved {
    /// As written.
    pub data: Vec<Data>,
    /// For each data, its length if the device decides it.
    pub counted: Vec<Option<Counted>>,
    /// As written.
    pub waves: Vec<Node>,
    /// What stands for the buffers of one wave after the other.
    pub args: Vec<Arg>,
    /// Loops and branches, those that are around others before them. They count as nodes after the
    /// fetching, by number.
    pub blocks: Vec<Block>,
    /// For each wave, the innermost block that it is in.
    pub within: Vec<Option<BlockId>>,
    /// What must have happened before each wave, as written.
    pub after: Vec<Vec<WaveId>>,
    /// All waves, in the order in which they are to look as if they ran, those of a block next to
    /// each other.
    pub order: Vec<WaveId>,
    /// Counted outputs. Their fetching counts as nodes after the waves, by number.
    pub fetched: Vec<DataId>,
    /// Each between two nodes that stand directly in the same block, or in none. Every dependency is
    /// kept by whoever keeps nodes on the levels that these give, and a block in one piece.
    pub edges: Vec<Edge>,
    /// Work queues, as written.
    pub queues: Vec<Queue>,
    /// As written.
    pub choices: Vec<Choice>,
}

impl Resolved {
    /// What stands for each row of the kernel's buffer table.
    pub fn args(&self, wave: &Node) -> &[Arg] {
        &self.args[wave.args.start as usize..wave.args.end as usize]
    }

    /// The ranges that a wave touches, and whether it changes them; its grid among them.
    pub fn touches(&self, wave: &Node) -> impl Iterator<Item = (Span, program::Effects)> {
        let rows = wave.kernel.buffers.iter().zip(self.args(wave)).filter_map(|(row, arg)| match arg {
            Arg::Data(span) => Some((*span, row.effects)),
            Arg::Value(_) => None,
        });
        let grid = match wave.launch {
            Launch::Workgroups(_) => None,
            Launch::Indirect { args, .. } => {
                Some((args, program::Effects { reads: true, ..program::Effects::default() }))
            }
        };
        rows.chain(grid)
    }

    /// Waves, fetching of outputs, and blocks.
    pub fn nodes(&self) -> u32 {
        (self.waves.len() + self.fetched.len() + self.blocks.len()) as u32
    }

    /// The number of a block among the nodes.
    pub fn block_node(&self, block: BlockId) -> WaveId {
        WaveId((self.waves.len() + self.fetched.len()) as u32 + block.0)
    }

    /// What a number among the nodes stands for.
    pub fn node(&self, node: WaveId) -> What {
        let at = node.0 as usize;
        let after = at.wrapping_sub(self.waves.len());
        match self.fetched.get(after) {
            _ if at < self.waves.len() => What::Wave(node),
            Some(&data) => What::Fetch(data),
            None => What::Block(BlockId((after - self.fetched.len()) as u32)),
        }
    }

    /// The innermost block that a node is in.
    pub fn parent(&self, node: WaveId) -> Option<BlockId> {
        match self.node(node) {
            What::Wave(wave) => self.within[wave.0 as usize],
            What::Fetch(_) => None,
            What::Block(block) => self.blocks[block.0 as usize].parent,
        }
    }

    /// What to call a wave, the fetching of an output, or a block.
    pub fn node_name(&self, node: WaveId) -> String {
        match self.node(node) {
            What::Wave(wave) => self.waves[wave.0 as usize].name.to_string(),
            What::Fetch(data) => format!("fetch {}", self.data[data.0 as usize].name),
            What::Block(block) => self.blocks[block.0 as usize].name.clone(),
        }
    }
}

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// A wave.
    Wave(WaveId),
    /// The fetching of a counted output.
    Fetch(DataId),
    /// A loop or a branch.
    Block(BlockId),
}
