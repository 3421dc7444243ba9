//! Dispatches over grids that the device decides, and what is counted of all of them.

use seawall_core::device::{self, Error};

use super::{Run, place};
use crate::indirect::{self, GRID_BYTES, Job, SLOT_BYTES, SLOT_WORDS};
use crate::landing::{Landing, To};
use crate::outer;
use crate::progress::Progress;
use crate::ready::{Ready, Target};
use crate::slice::groups;

/// A dispatch of this submission whose grid the host will see when it is done.
pub(super) struct Look {
    /// Which of the dispatches.
    pub(super) at: usize,
    pub(super) slot: usize,
    /// Workgroups that are reckoned with.
    pub(super) expected: u64,
    /// Its place in the belt.
    pub(super) to: u64,
}

impl Run<'_> {
    /// A grid that the device decides: in one piece if it cannot be long, or else cut once the
    /// host has seen it.
    pub(super) fn dispatch_slot(&mut self, at: usize, slot: usize, job: &Job) -> Result<(), Error> {
        let kernel = self.ready.dispatches[at].kernel;
        let expected = self.known.expected(slot, job.limit);
        if self.slice.fits(&self.known.paces, kernel, expected) >= expected {
            return self.dispatch_unseen(at, slot, job, expected);
        }
        let (args, offset) = self.buffer(&job.args);
        self.fetch(&args, offset, GRID_BYTES, To::Grid)?;
        self.flush()?;
        let grid = self.found.grid;
        device::grid_within(job.step, grid, job.limit)?;
        self.known.saw(slot, groups(grid));
        self.dispatch(at, grid)
    }

    fn dispatch_unseen(&mut self, at: usize, slot: usize, job: &Job, expected: u64) -> Result<(), Error> {
        // What is found about it would be found twice.
        if self.down().room() < SLOT_BYTES || self.looks.iter().any(|look| look.slot == slot) {
            self.flush()?;
        }
        self.progress = Some(Progress::new(job.step, self.ready.dispatches[at].kernel, None));
        self.pass(job.step)?;
        self.record_slot(at, slot, job, Some(false))?;
        self.expect(at, slot, expected);
        Ok(())
    }

    /// A dispatch over a slot's grid. It is looked at before, in any case or if its gate is open, unless
    /// the gate has done so.
    pub(super) fn record_slot(&mut self, at: usize, slot: usize, job: &Job, look: Option<bool>) -> Result<(), Error> {
        let args = place(&self.buffers, &job.args).clone();
        let Some(pass) = &mut self.pass else { unreachable!("invariant pass: begun for it") };
        let Ready { slots: Some(slots), states: Some(states), dispatches, cuts, .. } = &mut *self.ready else {
            unreachable!("invariant slots: one for each indirect dispatch")
        };
        if let Some(gated) = look {
            slots.look(&self.open, pass, (slot, gated), (&job.args, &args), &states.raw)?;
        }
        let dispatch = &mut dispatches[at];
        pass.set_pipeline(&dispatch.pipeline(&self.open, true, &self.control.stop)?.raw);
        pass.set_bind_group(0, &dispatch.bind(&self.open, &self.buffers, cuts.as_ref())?, &[]);
        if let Some(told) = &dispatch.told {
            pass.set_bind_group(outer::FOLDED_GROUP, told, &[]);
        }
        self.set = None;
        pass.dispatch_workgroups_indirect(slots.raw(), slot as u64 * SLOT_BYTES);
        Ok(())
    }

    /// Lets what is found about a slot come to the host, which reckons with so many workgroups.
    pub(super) fn expect(&mut self, at: usize, slot: usize, expected: u64) {
        let kernel = self.ready.dispatches[at].kernel;
        self.slice.add(&self.known.paces, kernel, expected);
        if let Some(look) = self.looks.iter_mut().find(|look| look.slot == slot) {
            look.expected += expected;
            return;
        }
        let to = self.down().take(SLOT_BYTES);
        self.landings.push(Landing { from: to, to: To::Slot { which: slot } });
        self.looks.push(Look { at, slot, expected, to });
    }

    /// Records that grids of this submission go to the host.
    pub(super) fn fetch_grids(&self, encoder: &mut wgpu::CommandEncoder) {
        let (Some(slots), Some(down)) = (&self.ready.slots, &self.ready.staging.down) else { return };
        for look in &self.looks {
            let from = look.slot as u64 * SLOT_BYTES;
            encoder.copy_buffer_to_buffer(slots.raw(), from, down.raw(), look.to, SLOT_WORDS as u64 * 4);
        }
    }

    /// Counts dispatches of so many workgroups in all.
    pub(super) fn ran(&mut self, kernel: usize, dispatches: u64, groups: u64) {
        let stats = &mut self.found.stats;
        let invocations = self.schedule.kernels[kernel].workgroup_invocations();
        stats.dispatches += dispatches;
        stats.workgroups = stats.workgroups.saturating_add(groups);
        stats.invocations = stats.invocations.saturating_add(groups.saturating_mul(invocations));
    }

    /// Learns what the grids of a submission were; an error if one was not run.
    pub(super) fn learn_grids(&mut self) -> Result<(), Error> {
        for Look { at, slot, expected, .. } in std::mem::take(&mut self.looks) {
            let (step, kernel) = (self.ready.dispatches[at].step, self.ready.dispatches[at].kernel);
            match self.found.grids[slot] {
                Some(indirect::Found::Ran(runs)) => {
                    self.ran(kernel, runs.times, runs.groups);
                    self.slice.correct(kernel, expected, runs.groups);
                    if runs.times > 0 {
                        self.known.saw(slot, runs.most);
                    }
                }
                Some(indirect::Found::BeyondLimit(grid)) => {
                    let Target::Slot(_, Job { limit, .. }) = self.ready.dispatches[at].target else {
                        unreachable!("invariant slots: each is of an indirect dispatch")
                    };
                    return Err(Error::GridLimit { step, grid, limit });
                }
                Some(indirect::Found::BeyondDevice(grid)) => {
                    let device = self.open.driver.id().to_owned();
                    return Err(Error::GridTooLarge { device, step, grid });
                }
                None => unreachable!("invariant landing: what was looked at is there after a flush"),
            }
        }
        Ok(())
    }
}
