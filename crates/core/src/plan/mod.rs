//! From a graph to a schedule that computes it within a budget.
//!
//! [`crate::barrier`] lays the waves out in the fewest groups that their dependencies allow,
//! [`crate::frontier`] cuts groups whose data is too much at once, and the stages of the schedule
//! are written down from there (`stage`): data comes when its group does, goes when nobody needs
//! it any more, and is put aside on the host in between if there is no room for it.
//!
//! A budget that holds the data of the largest single wave is enough for any graph. The plan is
//! the same for the same graph and budget, byte for byte.

mod groups;
mod stage;
mod text;

use std::sync::Arc;

use self::groups::Groups;
use crate::bytes;
use crate::check::{self, Checked, Placement};
use crate::graph::{self, BlockId, DataId, Resolved, WaveId, Why};
use crate::queue;
use crate::schedule::Schedule;

pub use self::text::{Line, Part};

/// Why the schedule is as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// The device waits before a group because of two waves.
    Barrier {
        /// The group.
        group: u32,
        /// A wave of an earlier group,
        before: WaveId,
        /// one of this group,
        after: WaveId,
        /// and what is between them.
        why: Why,
    },
    /// A group is not part of the one before it because both together would not fit.
    Split {
        /// The group.
        group: u32,
        /// What both would take.
        required_bytes: u64,
        /// What there is.
        limit_bytes: u64,
    },
    /// Data makes room for a group, though it is needed again.
    Evicted {
        /// The group.
        group: u32,
        /// What goes.
        data: DataId,
        /// Whether it is stored on the host first; if not, the host has it.
        stored: bool,
        /// The group that needs it next.
        next: u32,
    },
    /// A group's data is brought by a stage of its own, since it does not fit beside the group
    /// before.
    Waited {
        /// The group.
        group: u32,
        /// How much is brought.
        bytes: u64,
    },
}

/// A schedule, what its parts stand for, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// What it computes, with what was chosen for it by whoever wrote it.
    pub graph: Arc<Resolved>,
    /// The waves of each group, ascending. Counted outputs are fetched by nodes after the waves.
    pub groups: Vec<Vec<WaveId>>,
    /// For each group, the innermost loop or branch that it is in.
    pub within: Vec<Option<BlockId>>,
    /// What to do.
    pub schedule: Arc<Schedule>,
    /// What its parts stand for.
    pub placement: Placement,
    /// In the order of the groups.
    pub reasons: Vec<Reason>,
    /// What each of the graph's queues takes, and how it is drained.
    pub queues: Vec<queue::Plan>,
}

impl Plan {
    /// Proves the plan; that shares no code with making it.
    pub fn check(&self) -> Result<Checked, check::FlowError> {
        check::check_graph(self.schedule.clone(), &self.placement, &self.graph)
    }

    /// The reasons about one group.
    pub fn reasons_of(&self, group: u32) -> &[Reason] {
        let first = self.reasons.partition_point(|reason| reason.group() < group);
        let many = self.reasons[first..].partition_point(|reason| reason.group() == group);
        &self.reasons[first..first + many]
    }

    /// Data that is put aside on the host at some time, and its bytes.
    pub fn evicted_bytes(&self) -> u64 {
        let bytes = |reason: &Reason| match reason {
            Reason::Evicted { data, .. } => self.graph.data[data.0 as usize].bytes,
            Reason::Barrier { .. } | Reason::Split { .. } | Reason::Waited { .. } => 0,
        };
        self.reasons.iter().map(bytes).fold(0, u64::saturating_add)
    }
}

/// Why there is no plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The data of a loop or a branch, with what stays on the device, is over the budget: all that is
    /// touched inside of it is there for all of its turns.
    #[error("`{block}` needs {required_bytes} bytes for all of its turns, over the budget of {limit_bytes}")]
    BlockOverBudget {
        /// Which.
        block: String,
        /// What it needs, with what stays on the device.
        required_bytes: u64,
        /// What there is.
        limit_bytes: u64,
    },
    /// One wave's data, with what stays on the device, is over the budget: no plan can help.
    #[error("wave `{wave}` needs {required_bytes} bytes at once, over the budget of {limit_bytes}")]
    WaveOverBudget {
        /// Which.
        wave: String,
        /// What it needs, with all that stays on the device.
        required_bytes: u64,
        /// What there is.
        limit_bytes: u64,
    },
    /// What stays on the device, persistent or handed in there, is over the budget alone.
    #[error("what stays on the device (`{}`) takes {required_bytes} bytes, over the budget of {limit_bytes}", data.join("`, `"))]
    ResidentOverBudget {
        /// Which data.
        data: Vec<String>,
        /// What it takes.
        required_bytes: u64,
        /// What there is.
        limit_bytes: u64,
    },
    /// A queue alone is over the budget.
    #[error("queue `{queue}`: {source}")]
    Queue {
        /// Which.
        queue: String,
        /// What it needs.
        source: queue::Error,
    },
    /// More than 64 bits, or than memory, can count.
    #[error(transparent)]
    Bytes(#[from] bytes::Error),
}

/// Plans a graph, within `budget_bytes` on the device if there is such a limit.
pub fn plan(graph: &Arc<Resolved>, budget_bytes: Option<u64>) -> Result<Plan, Error> {
    let queue = |queue: &graph::Queue| {
        let refused = |source| Error::Queue { queue: queue.name.clone(), source };
        queue.plan(budget_bytes.unwrap_or(u64::MAX)).map_err(refused)
    };
    let queues = graph.queues.iter().map(queue).collect::<Result<_, _>>()?;
    let needs = groups::Needs::new(graph)?;
    let mut groups = groups::groups(graph, &needs, budget_bytes)?;
    let (schedule, placement) = stage::stages(graph, &needs, &mut groups, budget_bytes)?;
    let Groups { nodes: groups, within, mut reasons, .. } = groups;
    reasons.sort_by_key(Reason::group);
    Ok(Plan { graph: graph.clone(), groups, within, schedule: Arc::new(schedule), placement, reasons, queues })
}

impl Reason {
    /// The group that it is about.
    pub fn group(&self) -> u32 {
        match self {
            Self::Barrier { group, .. }
            | Self::Split { group, .. }
            | Self::Evicted { group, .. }
            | Self::Waited { group, .. } => *group,
        }
    }
}
