//! The columns of the picture: what happens between two boundaries of the schedule.

use std::collections::HashSet;

use seawall_core::check::Checked;
use seawall_core::graph::{BlockId, WaveId};
use seawall_core::plan::{Plan, Reason};
use seawall_core::schedule::{BufferId, Step};

/// What happens between two boundaries.
#[derive(Default)]
pub(super) struct Stage {
    /// Its place among all, those that are not drawn too.
    pub(super) group: u32,
    /// The loops and branches around it, from the outermost on.
    pub(super) within: Vec<BlockId>,
    pub(super) waves: Vec<WaveId>,
    /// Buffers that come from the host, and go to it.
    pub(super) up: Vec<BufferId>,
    pub(super) down: Vec<BufferId>,
    pub(super) live_bytes: u64,
    /// Apart from the stage before only for want of room.
    pub(super) split: bool,
}

impl Stage {
    fn is_empty(&self) -> bool {
        self.waves.is_empty() && self.up.is_empty() && self.down.is_empty()
    }
}

/// Those in which something happens.
pub(super) fn stages(plan: &Plan, checked: &Checked) -> Vec<Stage> {
    let split =
        |group: usize| plan.reasons_of(group as u32).iter().any(|reason| matches!(reason, Reason::Split { .. }));
    let groups = plan.groups.iter().enumerate().filter(|(group, _)| split(*group));
    let apart: HashSet<WaveId> = groups.flat_map(|(_, waves)| waves.clone()).collect();
    let mut placed = plan.placement.waves.iter().peekable();
    let mut blocks = plan.placement.blocks.iter();
    let (mut stages, mut stage, mut within) = (Vec::new(), Stage::default(), Vec::new());
    for (at, step) in checked.steps.iter().enumerate() {
        while let Some((_, wave)) = placed.next_if(|(step, _)| *step == at) {
            stage.waves.push(*wave);
            stage.split |= apart.contains(wave);
        }
        match step {
            Step::Loop { .. } | Step::When { .. } => within.extend(blocks.next().map(|(_, block)| *block)),
            Step::End => drop(within.pop()),
            Step::Upload { to, .. } => stage.up.push(to.buffer),
            Step::Download { from, .. } => stage.down.push(from.buffer),
            Step::Barrier
            | Step::Clear { .. }
            | Step::Copy { .. }
            | Step::Free { .. }
            | Step::Swap { .. }
            | Step::Dispatch { .. }
            | Step::DispatchIndirect { .. } => {}
        }
        if step.is_boundary() {
            let next = Stage { group: stage.group + 1, within: within.clone(), ..Stage::default() };
            stages.push(std::mem::replace(&mut stage, next));
        }
    }
    stages.push(stage);
    for (stage, live_bytes) in stages.iter_mut().zip(checked.live_bytes()) {
        stage.live_bytes = live_bytes;
    }
    if stages.iter().any(|stage| !stage.is_empty()) {
        stages.retain(|stage| !stage.is_empty());
    }
    stages
}
