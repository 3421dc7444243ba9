//! What is known about a schedule's runs before there is one.

use std::ops::Range;
use std::sync::Arc;

use seawall_core::check::{Alive, Checked, Turnover};
use seawall_core::schedule::{Binding, Life, Step, Test};

use crate::alias::{self, Alias};
use crate::compile::Code;

/// What ends a group.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Boundary {
    Barrier,
    /// This body, of all of them, begins.
    Begin(usize),
    /// It ends.
    End(usize),
    /// The run is over.
    Last,
}

/// What a loop or a branch does, again or not at all.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) test: Option<Test>,
    /// Turns, at the most.
    pub(crate) limit: u32,
    /// Whether to say so when the limit ends it though the test holds.
    pub(crate) limited: bool,
    /// Its first group.
    pub(crate) first: usize,
    /// The group behind it.
    pub(crate) behind: usize,
}

pub(crate) struct Recipe {
    /// For each buffer, the slice that can stand for it.
    pub(crate) aliases: Vec<Option<Alias>>,
    /// For each buffer, whether the first group that it lives in overwrites all of it.
    pub(crate) overwritten: Vec<bool>,
    /// For each buffer, which of the residents it is.
    pub(crate) resident: Vec<Option<usize>>,
    /// For each group.
    pub(crate) turnover: Vec<Turnover>,
    /// For each group, its steps.
    pub(crate) groups: Vec<Range<usize>>,
    /// For each group, what ends it.
    pub(crate) boundaries: Vec<Boundary>,
    /// As [`Checked::bodies`].
    pub(crate) bodies: Vec<Body>,
    /// For each kernel, roughly.
    pub(crate) workgroup_operations: Vec<u64>,
    pub(crate) resident_bytes: u64,
}

impl Recipe {
    pub(crate) fn new(schedule: &Checked, codes: &[Arc<Code>]) -> Self {
        let each = schedule.kernels.iter().zip(codes);
        let each = each.map(|(kernel, code)| code.cost.saturating_mul(kernel.workgroup_invocations()).max(1));
        let mut resident = vec![None; schedule.buffers.len()];
        schedule.residents().enumerate().for_each(|(at, id)| resident[id.0 as usize] = Some(at));
        let mut recipe = Self {
            aliases: alias::candidates(schedule),
            overwritten: vec![false; schedule.buffers.len()],
            resident,
            turnover: schedule.turnover(),
            groups: Vec::new(),
            boundaries: Vec::new(),
            bodies: Vec::with_capacity(schedule.bodies().len()),
            workgroup_operations: each.collect(),
            resident_bytes: schedule.residents().map(|id| schedule.buffers[id.0 as usize].bytes).sum(),
        };
        let (mut first, mut open) = (0, Vec::new());
        for (index, step) in schedule.steps.iter().enumerate() {
            let boundary = match step {
                Step::Upload { to, .. } | Step::Copy { to, .. } => {
                    recipe.overwrite(schedule, to, recipe.groups.len() as u32);
                    continue;
                }
                Step::Dispatch { .. }
                | Step::DispatchIndirect { .. }
                | Step::Clear { .. }
                | Step::Download { .. }
                | Step::Free { .. }
                | Step::Swap { .. } => continue,
                Step::Barrier => Boundary::Barrier,
                Step::Loop { test, limit } => recipe.begin(&mut open, *test, *limit, test.is_some()),
                Step::When { test } => recipe.begin(&mut open, Some(*test), 1, false),
                Step::End => {
                    let body = open.pop().expect("invariant bodies: what ends was begun");
                    recipe.bodies[body].behind = recipe.groups.len() + 1;
                    Boundary::End(body)
                }
            };
            recipe.groups.push(first..index);
            recipe.boundaries.push(boundary);
            first = index + 1;
        }
        recipe.groups.push(first..schedule.steps.len());
        recipe.boundaries.push(Boundary::Last);
        recipe
    }

    fn begin(&mut self, open: &mut Vec<usize>, test: Option<Test>, limit: u32, limited: bool) -> Boundary {
        let (body, first) = (self.bodies.len(), self.groups.len() + 1);
        open.push(body);
        // Where it ends is known there.
        self.bodies.push(Body { test, limit, limited, first, behind: first });
        Boundary::Begin(body)
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
