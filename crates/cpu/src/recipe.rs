//! What is known about a schedule's runs before there is one.

use std::ops::Range;
use std::sync::Arc;

use seawall_core::check::{Alive, Checked, Turnover};
use seawall_core::device::Stats;
use seawall_core::schedule::{Binding, Life, Step};

use crate::alias::{self, Alias};
use crate::compile::Code;

pub(crate) struct Recipe {
    /// For each buffer, the slice that can stand for it.
    pub(crate) aliases: Vec<Option<Alias>>,
    /// For each buffer, whether the first group that it lives in overwrites all of it.
    pub(crate) overwritten: Vec<bool>,
    /// For each group.
    pub(crate) turnover: Vec<Turnover>,
    /// For each group, its steps.
    pub(crate) groups: Vec<Range<usize>>,
    /// For each group, which of the dispatches are its own.
    pub(crate) launches: Vec<Range<usize>>,
    /// The steps that are dispatches.
    pub(crate) dispatches: Vec<usize>,
    /// For each kernel, roughly.
    pub(crate) workgroup_operations: Vec<u64>,
    /// Of everything, at the most.
    pub(crate) operations: u64,
    pub(crate) resident_bytes: u64,
    /// As far as it does not depend on what a run finds.
    pub(crate) stats: Stats,
}

impl Recipe {
    pub(crate) fn new(schedule: &Checked, codes: &[Arc<Code>]) -> Self {
        let each = schedule.kernels.iter().zip(codes);
        let each = each.map(|(kernel, code)| code.cost.saturating_mul(kernel.workgroup_invocations()));
        let mut recipe = Self {
            aliases: alias::candidates(schedule),
            overwritten: vec![false; schedule.buffers.len()],
            turnover: schedule.turnover(),
            groups: Vec::new(),
            launches: Vec::new(),
            dispatches: Vec::new(),
            workgroup_operations: each.collect(),
            operations: 0,
            resident_bytes: schedule.residents().map(|id| schedule.buffers[id.0 as usize].bytes).sum(),
            stats: Stats::default(),
        };
        let (mut group, mut first, mut first_launch) = (0, 0, 0);
        for (index, step) in schedule.steps.iter().enumerate() {
            match step {
                Step::Upload { to, .. } | Step::Copy { to, .. } => recipe.overwrite(schedule, to, group),
                Step::Dispatch { kernel, grid, .. } | Step::DispatchIndirect { kernel, limit: grid, .. } => {
                    let each = recipe.workgroup_operations[kernel.0 as usize];
                    recipe.operations = recipe.operations.saturating_add(each.saturating_mul(groups(*grid)));
                    recipe.dispatches.push(index);
                }
                Step::Barrier => {
                    recipe.groups.push(first..index);
                    recipe.launches.push(first_launch..recipe.dispatches.len());
                    (group, first, first_launch) = (group + 1, index + 1, recipe.dispatches.len());
                }
                Step::Clear { .. } | Step::Download { .. } | Step::Free { .. } => {}
                Step::Loop { .. } | Step::When { .. } | Step::Swap { .. } | Step::End => {}
            }
            recipe.count(schedule, step);
        }
        recipe.groups.push(first..schedule.steps.len());
        recipe.launches.push(first_launch..recipe.dispatches.len());
        recipe
    }

    fn overwrite(&mut self, schedule: &Checked, to: &Binding, group: u32) {
        let buffer = &schedule.buffers[to.buffer.0 as usize];
        let new = schedule.alive(to.buffer).is_some_and(|Alive { first, .. }| first == group);
        if new && buffer.life == Life::Transient && to.bytes == buffer.bytes {
            self.overwritten[to.buffer.0 as usize] = true;
        }
    }

    fn count(&mut self, schedule: &Checked, step: &Step) {
        let stats = &mut self.stats;
        match step {
            Step::Upload { to, .. } => stats.uploaded_bytes += to.bytes,
            Step::Download { from, length: None, .. } => stats.downloaded_bytes += from.bytes,
            Step::Barrier => stats.barriers += 1,
            Step::Dispatch { kernel, grid, .. } => {
                stats.dispatches += 1;
                stats.workgroups += groups(*grid);
                stats.invocations += groups(*grid) * schedule.kernels[kernel.0 as usize].workgroup_invocations();
            }
            Step::DispatchIndirect { .. } => stats.dispatches += 1,
            Step::Download { length: Some(_), .. } | Step::Clear { .. } | Step::Copy { .. } | Step::Free { .. } => {}
            Step::Loop { .. } | Step::When { .. } | Step::Swap { .. } | Step::End => {}
        }
    }
}

/// Workgroups of a grid.
pub(crate) fn groups(grid: [u32; 3]) -> u64 {
    grid.iter().map(|&n| u64::from(n)).fold(1, u64::saturating_mul)
}
