//! Rows: the invocations of a workgroup side by side, and what they find out together.
//!
//! Pieces that read elements in order give each workgroup a tile of some rows, which it takes one after the other.
//! What the invocations of a row need of each other (a scan, what the last of them has) is a few functions that are
//! put before a piece's own text. There are two ways to do it:
//!
//! - by subgroups, where a workgroup is exactly one: on the CPU and the reference device, where lanes of a subgroup
//!   are lanes of vector registers and nobody waits;
//! - by workgroup memory, in the manner of Hillis and Steele ("Data parallel algorithms", 1986), everywhere else.
//!
//! Tiles are as long on every machine whose device is of the same kind, whatever its threads, so that sums of floats
//! have one order: in a tile row by row, in a row as above, and tile after tile.

use std::fmt;

use seawall::Graph;
use seawall::device::{Caps, Kind};

use crate::error::Error;
use crate::number::{Number, Op};
use crate::{part, text};

const BY_SUBGROUP: &str = include_str!("subgroup.wgsl");
const BY_MEMORY: &str = include_str!("memory.wgsl");
const BY_STEPS: &str = include_str!("steps.wgsl");

/// Elements of a tile on processors: with what is written beside it, well within a core's own cache.
const HOST_TILE: u32 = 16384;
/// Enough lanes to keep all ports busy while a tile is summed.
const HOST_LANES: u32 = 64;
const GPU_LANES: u32 = 256;
const GPU_ROWS: u32 = 16;

/// How invocations of a row find out what others have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum By {
    /// By operations of the one subgroup that a row is.
    Subgroup,
    /// By workgroup memory and barriers.
    Memory,
}

/// How elements are dealt out to workgroups.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Rows {
    /// How the invocations of a row work together.
    pub by: By,
    /// Invocations of a workgroup.
    pub lanes: u32,
    /// Elements of a workgroup.
    pub tile: u32,
    /// Why.
    pub because: &'static str,
}

impl Rows {
    /// For pieces in which each row needs what the one before it found.
    pub fn carried(caps: &Caps) -> Self {
        match (caps.kind, &caps.subgroup) {
            (Kind::Cpu | Kind::Reference, Some(sizes)) if sizes.start() == sizes.end() => Self {
                by: By::Subgroup,
                lanes: *sizes.start(),
                tile: HOST_TILE,
                because: "a subgroup is a few vector registers, and a tile stays in a core's cache",
            },
            _ => Self::apart(caps),
        }
    }

    /// For pieces in which invocations go through a tile each by itself, and meet at its end.
    pub fn apart(caps: &Caps) -> Self {
        match caps.kind {
            Kind::Cpu | Kind::Reference => Self {
                by: By::Memory,
                lanes: HOST_LANES,
                tile: HOST_TILE,
                because: "a loop without exchange is done in vectors, and a tile stays in a core's cache",
            },
            Kind::Gpu | Kind::Software => Self {
                by: By::Memory,
                lanes: GPU_LANES,
                tile: GPU_LANES * GPU_ROWS,
                because: "neighbours read neighbours, and subgroups of a GPU may have any size and order",
            },
        }
    }

    /// Workgroups for so many elements of `data`: those that kernels can count, and a window beyond.
    pub(crate) fn tiles(&self, data: &str, len: usize) -> Result<usize, Error> {
        let max = part::ELEMENTS_MAX;
        if len > max {
            return Err(Error::TooLong { data: data.to_owned(), len, max });
        }
        Ok(len.div_ceil(self.tile as usize))
    }

    /// Puts into a graph what was chosen for a stage of it.
    pub(crate) fn tell(&self, graph: &mut Graph, stage: &str) {
        graph.chosen(stage, &self.what(), self.because);
    }

    fn what(&self) -> String {
        let by = match self.by {
            By::Subgroup => "a subgroup",
            By::Memory => "workgroup memory",
        };
        format!("tiles of {}, {} invocations that work together by {by}", self.tile, self.lanes)
    }

    /// The functions of a row and this text of a piece, with the lines for its elements, and others.
    pub(crate) fn text<T: Number>(&self, op: Op, piece: &str) -> String {
        let lines = [
            format!("alias T = {};", T::WGSL),
            format!("const LANES = {}u;", self.lanes),
            format!("const TILE = {}u;", self.tile),
            format!("fn identity() -> T {{ {} }}", T::identity(op)),
            format!("fn combine(a: T, b: T) -> T {{ return {}; }}", op.wgsl()),
        ];
        // Of sums there are scans of whole subgroups.
        let sum = "fn row_scan(value: T, lane: u32) -> T { return subgroupInclusiveAdd(value); }".to_owned();
        let row = match (self.by, op) {
            (By::Subgroup, Op::Sum) => text::with(BY_SUBGROUP, &[&lines[..], &[sum]].concat()),
            (By::Subgroup, Op::Min | Op::Max) => text::with(BY_SUBGROUP, &lines),
            (By::Memory, _) => text::with(BY_MEMORY, &lines),
        };
        row + BY_STEPS + piece
    }
}

impl fmt::Display for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what(), self.because)
    }
}
