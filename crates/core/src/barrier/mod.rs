//! The fewest groups of waves that keep every edge: one global barrier between groups.
//!
//! A wave stands as many groups from the start as the longest path that leads to it has
//! edges. No wave can stand earlier, because each edge of that path must cross a barrier;
//! and the longest path of all needs as many groups as it has waves, so none can be saved.
//! Levels are found in one forward pass when every edge already goes from a lower to a
//! higher id, and by peeling ready waves layer by layer (Kahn, 1962) when not. Either way
//! waves are dealt out to their groups in id order at the end, so the plan does not depend
//! on the order of the edges. Time and memory are O(waves + edges).

mod cycle;
mod rows;
mod levels;

#[cfg(any(test, feature = "arbitrary"))]
pub mod case;
#[cfg(test)]
mod tests;

use std::fmt;

use crate::bytes;
pub use crate::ids::WaveId;

/// `before` must be finished, and its writes visible, when `after` starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// Stands in an earlier group.
    pub before: WaveId,
    /// Stands in a later group.
    pub after: WaveId,
}

impl Edge {
    /// `before` → `after`, by number.
    pub fn new(before: u32, after: u32) -> Self {
        Self { before: WaveId(before), after: WaveId(after) }
    }
}

impl fmt::Display for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {}", self.before, self.after)
    }
}

/// Waves in groups; waves of one group may run at once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// All waves, group after group, ascending inside each.
    pub order: Vec<WaveId>,
    /// Where each group starts in `order`, and at last its length.
    pub offsets: Vec<u32>,
}

impl Plan {
    /// The groups, in order.
    pub fn groups(&self) -> impl DoubleEndedIterator<Item = &[WaveId]> + ExactSizeIterator {
        self.offsets.windows(2).map(|ends| &self.order[ends[0] as usize..ends[1] as usize])
    }

    /// How many times the whole device must wait: between groups.
    pub fn global_barriers(&self) -> usize {
        self.groups().len().saturating_sub(1)
    }

    /// Makes it empty, and keeps its memory.
    fn clear(&mut self) {
        self.order.clear();
        self.offsets.clear();
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (waves, groups) = (self.order.len(), self.groups().len());
        writeln!(f, "barrier: {waves} waves in {groups} groups, {} global barriers", self.global_barriers())?;
        for (i, group) in self.groups().enumerate() {
            write!(f, "group {i}:")?;
            group.iter().try_for_each(|wave| write!(f, " {wave}"))?;
            writeln!(f)?;
        }
        Ok(())
    }
}

/// Why there is no plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// An edge names a wave that is not there.
    #[error("edge {edge} names {wave}, but there are only {waves} waves; add the wave or drop the edge")]
    UnknownWave {
        /// Index of the edge.
        edge: usize,
        /// What it names.
        wave: WaveId,
        /// How many there are.
        waves: u32,
    },
    /// A wave that waits for itself.
    #[error("edge {edge} makes {wave} wait for itself; drop the edge")]
    SelfEdge {
        /// Index of the edge.
        edge: usize,
        /// The wave.
        wave: WaveId,
    },
    /// Waves that wait for each other.
    #[error("waves wait for each other: {}; drop one of these edges", cycle::Shown(waves))]
    Cycle {
        /// Each has an edge to the next, and the last to the first, which is the lowest.
        waves: Vec<WaveId>,
    },
    /// More edges than 32 bits count.
    #[error("{edges} edges, but at most {EDGES_MAX} can be planned; drop duplicates")]
    TooManyEdges {
        /// How many were given.
        edges: usize,
    },
    /// Storage for the plan or for making it.
    #[error(transparent)]
    Bytes(#[from] bytes::Error),
}

/// How many edges one plan takes: they are counted in 32 bits.
pub const EDGES_MAX: usize = u32::MAX as usize;

/// Memory to plan with, kept from call to call.
#[derive(Debug, Default)]
pub struct Scratch {
    limit_bytes: Option<u64>,
    levels: Vec<u32>,
    rows: rows::Rows,
}

impl Scratch {
    /// One whose calls reserve at most `limit_bytes` each, for scratch and plan together.
    pub fn limited(limit_bytes: u64) -> Self {
        Self { limit_bytes: Some(limit_bytes), ..Self::default() }
    }
}

/// The plan of waves `0..waves`.
pub fn plan(waves: u32, edges: &[Edge]) -> Result<Plan, Error> {
    let mut plan = Plan::default();
    plan_with(&mut Scratch::default(), &mut plan, waves, edges)?;
    Ok(plan)
}

/// As [`plan`], into a plan and with a scratch that may have served before; once they have
/// served a graph as large, nothing is allocated. An error leaves the plan empty.
pub fn plan_with(scratch: &mut Scratch, plan: &mut Plan, waves: u32, edges: &[Edge]) -> Result<(), Error> {
    plan.clear();
    let done = levels::lay_out(scratch, plan, waves, edges);
    if done.is_err() {
        plan.clear();
    }
    done
}
