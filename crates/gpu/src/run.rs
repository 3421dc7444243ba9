//! Runs a checked schedule, again and again.

use std::sync::Arc;

use seawall_core::cache;
use seawall_core::check::Checked;
use seawall_core::device::{self, Buffer, Control, Error, Io, Stats, Stop};
use seawall_core::program::Kernel;
use seawall_core::schedule::{Life, Step};
use seawall_core::turn::Turn;

use crate::device::{Resident, Shared};
use crate::indirect;
use crate::landing::Found;
use crate::memory::Place;
use crate::ready::{Ready, Same, Target};
use crate::record::{self, Op};
use crate::slice::{Known, groups};
use crate::submit::{Given, Run};
use crate::timer::Timer;

/// A schedule with its commands.
pub(crate) struct Loaded {
    shared: Arc<Shared>,
    schedule: Arc<Checked>,
    ops: Vec<Op>,
    counts: usize,
    /// How each kernel was come by; one that is never dispatched costs nothing.
    found: Vec<cache::Found>,
    kept: Turn<Kept>,
}

/// What a run leaves for the next.
struct Kept {
    /// `None` after a failure: nobody knows in what state that left it.
    ready: Option<Ready>,
    known: Known,
}

impl Loaded {
    pub(crate) fn new(shared: Arc<Shared>, schedule: Arc<Checked>, stop: &Stop) -> Result<Self, Error> {
        let ops = record::ops(&schedule);
        let same = Same::new(&schedule, std::iter::empty());
        let ready = Ready::new(shared.open()?, &schedule, &ops, (same, shared.side_max), stop)?;
        let mut found = vec![cache::Found::Kept; schedule.kernels.len()];
        // The first dispatch of a kernel says it.
        for dispatch in ready.dispatches.iter().rev() {
            found[dispatch.kernel] = dispatch.found;
        }
        let invocations = schedule.kernels.iter().map(|kernel| kernel.workgroup_invocations());
        let known = Known::new(invocations, ready.grids());
        let counts = record::counts(&ops);
        let kept = Turn::new(Kept { ready: Some(ready), known });
        Ok(Self { shared, schedule, ops, counts, found, kept })
    }

    /// The driver cut loops of a kernel short: its results mean nothing.
    fn cut(&self, kernel: &Kernel, turns: u32) -> Error {
        let reason = format!(
            "its driver lets the loops of an invocation go round {turns} times in all, and ended some of them early; \
             cut the work into more invocations, or run it on device `cpu`"
        );
        device::unsupported(kernel, &self.shared.caps.id, &reason)
    }

    /// What was done, and what the device found; an error if a grid was not run.
    fn stats(&self, ready: &mut Ready, found: &Found) -> Result<Stats, Error> {
        let residents = self.schedule.buffers.iter().filter(|buffer| buffer.life == Life::Resident);
        let resident_bytes: u64 = residents.map(|buffer| buffer.bytes).sum();
        let mut stats = Stats {
            peak_bytes: resident_bytes + ready.bank.settle(),
            downloaded_bytes: found.downloaded_bytes,
            times: ready.timer.as_mut().map(Timer::take).unwrap_or_default(),
            ..Stats::default()
        };
        for step in &self.schedule.steps {
            match step {
                Step::Upload { to, .. } => stats.uploaded_bytes += to.bytes,
                Step::Barrier => stats.barriers += 1,
                Step::Clear { .. }
                | Step::Copy { .. }
                | Step::Download { .. }
                | Step::Free { .. }
                | Step::Loop { .. }
                | Step::When { .. }
                | Step::Swap { .. }
                | Step::End
                | Step::Dispatch { .. }
                | Step::DispatchIndirect { .. } => {}
            }
        }
        for dispatch in &ready.dispatches {
            let grid = match dispatch.target {
                Target::Grid(grid) => grid,
                Target::Slot(slot, job) => match found.grids[slot] {
                    Some(indirect::Found::Ran(grid)) => grid,
                    Some(indirect::Found::BeyondLimit(grid)) => {
                        return Err(Error::GridLimit { step: job.step, grid, limit: job.limit });
                    }
                    Some(indirect::Found::BeyondDevice(grid)) => {
                        let device = self.shared.caps.id.clone();
                        return Err(Error::GridTooLarge { device, step: job.step, grid });
                    }
                    None => unreachable!("invariant grids: each was read by the end of the run"),
                },
            };
            let kernel = &self.schedule.kernels[dispatch.kernel];
            stats.dispatches += 1;
            stats.workgroups += groups(grid);
            stats.invocations += groups(grid) * kernel.workgroup_invocations();
        }
        Ok(stats)
    }
}

impl device::Loaded for Loaded {
    fn found(&self) -> &[cache::Found] {
        &self.found
    }

    fn run(&self, io: Io<'_>, control: &Control) -> Result<Stats, Error> {
        device::io_fits(&self.schedule, &io)?;
        let residents =
            io.residents.iter().map(|buffer| self.shared.resident(buffer)).collect::<Result<Vec<_>, _>>()?;
        let mut order = residents.clone();
        order.sort_by_key(|resident| std::ptr::from_ref(*resident));
        order.dedup_by_key(|resident| std::ptr::from_ref(*resident));
        let place = |(resident, buffer): (&&Resident, &&Buffer)| Place {
            raw: resident.memory.raw.clone(),
            base: buffer.offset,
        };
        let places: Vec<Place> = residents.iter().zip(&io.residents).map(place).collect();
        let addresses = residents.iter().map(|resident| std::ptr::from_ref(*resident).addr());
        let same = Same::new(&self.schedule, addresses);
        let _turns = order.iter().map(|resident| resident.lock_with(&control.stop)).collect::<Result<Vec<_>, _>>()?;
        // One run at a time: its buffers are the schedule's own.
        let mut kept = self.kept.take(&control.stop)?;
        control.go_on()?;
        let open = self.shared.open()?;
        let mut ready = match kept.ready.take() {
            Some(ready) if Arc::ptr_eq(&ready.open, &open) && ready.same == same => ready,
            _ => Ready::new(open, &self.schedule, &self.ops, (same, self.shared.side_max), &control.stop)?,
        };
        ready.stage(&self.ops)?;
        let given = Given {
            schedule: &self.schedule,
            hosts: io.hosts,
            residents: &places,
            control,
            slice: self.shared.slice,
            side_max: self.shared.side_max,
            counts: self.counts,
        };
        let found = Run::new(&mut ready, &mut kept.known, given).all(&self.ops)?;
        let stats = self.stats(&mut ready, &found);
        let turns = ready.open.loop_turns;
        kept.ready = Some(ready);
        match (found.cut, turns) {
            (Some(kernel), Some(turns)) => Err(self.cut(&self.schedule.kernels[kernel], turns)),
            _ => stats,
        }
    }
}
