//! What is known about a schedule's runs before there is one.

use std::ops::Range;
use std::sync::Arc;

use seawall_core::check::{Alive, Checked, Turnover};
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
    /// For each kernel, roughly.
    pub(crate) workgroup_operations: Vec<u64>,
    pub(crate) resident_bytes: u64,
}

impl Recipe {
    pub(crate) fn new(schedule: &Checked, codes: &[Arc<Code>]) -> Self {
        let each = schedule.kernels.iter().zip(codes);
        let each = each.map(|(kernel, code)| code.cost.saturating_mul(kernel.workgroup_invocations()).max(1));
        let mut recipe = Self {
            aliases: alias::candidates(schedule),
            overwritten: vec![false; schedule.buffers.len()],
            turnover: schedule.turnover(),
            groups: Vec::new(),
            workgroup_operations: each.collect(),
            resident_bytes: schedule.residents().map(|id| schedule.buffers[id.0 as usize].bytes).sum(),
        };
        let mut first = 0;
        for (index, step) in schedule.steps.iter().enumerate() {
            match step {
                Step::Upload { to, .. } | Step::Copy { to, .. } => {
                    recipe.overwrite(schedule, to, recipe.groups.len() as u32);
                }
                Step::Barrier => {
                    recipe.groups.push(first..index);
                    first = index + 1;
                }
                Step::Dispatch { .. }
                | Step::DispatchIndirect { .. }
                | Step::Clear { .. }
                | Step::Download { .. }
                | Step::Free { .. }
                | Step::Loop { .. }
                | Step::When { .. }
                | Step::Swap { .. }
                | Step::End => {}
            }
        }
        recipe.groups.push(first..schedule.steps.len());
        recipe
    }

    fn overwrite(&mut self, schedule: &Checked, to: &Binding, group: u32) {
        let buffer = &schedule.buffers[to.buffer.0 as usize];
        let new = schedule.alive(to.buffer).is_some_and(|Alive { first, .. }| first == group);
        if new && buffer.life == Life::Transient && to.bytes == buffer.bytes {
            self.overwritten[to.buffer.0 as usize] = true;
        }
    }
}

/// Workgroups of a grid.
pub(crate) fn groups(grid: [u32; 3]) -> u64 {
    grid.iter().map(|&n| u64::from(n)).fold(1, u64::saturating_mul)
}
