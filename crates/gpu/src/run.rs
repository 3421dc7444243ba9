//! Runs a checked schedule, again and again.

use std::sync::Arc;

use seawall_core::cache;
use seawall_core::check::Checked;
use seawall_core::device::{self, Buffer, Control, Error, Io, Stats, Stop};
use seawall_core::program::Kernel;
use seawall_core::schedule::Life;
use seawall_core::turn::{Held, Turn};

use crate::gate;
use crate::landing::Found;
use crate::memory::{Memory, Place, padded};
use crate::open::{Open, Resident, Shared};
use crate::ready::{Ready, Same};
use crate::record::{self, Op};
use crate::slice::Known;
use crate::submit::{Given, Run};
use crate::timer::Timer;
use crate::within;

/// A schedule with its commands.
pub(crate) struct Loaded {
    shared: Arc<Shared>,
    schedule: Arc<Checked>,
    ops: Vec<Op>,
    counts: usize,
    /// Whether each kernel was compiled or found in the cache; one that is never dispatched costs nothing.
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
        let open = shared.open()?;
        let ops = record::ops(&schedule, open.driver.packs());
        let same = Same::new(&schedule, std::iter::empty());
        let ready = Ready::new(open, &schedule, &ops, (same, shared.side_max), stop)?;
        let mut found = vec![cache::Found::Kept; schedule.kernels.len()];
        // The first dispatch of a kernel says it.
        for dispatch in ready.dispatches.iter().rev() {
            found[dispatch.kernel] = dispatch.found;
        }
        let invocations = schedule.kernels.iter().map(|kernel| kernel.workgroup_invocations()).chain([gate::LANES]);
        let known = Known::new(invocations, ready.grids(), schedule.bodies().len());
        let counts = record::counts(&schedule);
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

    /// What was done, and what the device found.
    fn stats(&self, ready: &mut Ready, found: Found) -> Stats {
        let residents = self.schedule.buffers.iter().filter(|buffer| buffer.life == Life::Resident);
        let resident_bytes: u64 = residents.map(|buffer| buffer.bytes).sum();
        let mut stats = found.stats;
        stats.readback.avoided_bytes = found.capacity_bytes.saturating_sub(stats.readback.selected_bytes);
        stats.peak_bytes = resident_bytes + ready.bank.settle();
        stats.times = ready.timer.as_mut().map(Timer::take).unwrap_or_default();
        stats
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
        let mut held = order.iter().map(|resident| resident.lock_with(&control.stop)).collect::<Result<Vec<_>, _>>()?;
        // By resident buffer: whose memory it lies in.
        let whose = |resident: &&Resident| {
            order.partition_point(|other| std::ptr::from_ref(*other) < std::ptr::from_ref(*resident))
        };
        let whose: Vec<usize> = residents.iter().map(whose).collect();
        let place = |(of, buffer): (&usize, &&Buffer)| Place { raw: held[*of].raw.clone(), base: buffer.offset };
        let places: Vec<Place> = whose.iter().zip(&io.residents).map(place).collect();
        let same = Same::new(&self.schedule, whose.iter().copied());
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
            residents: places.clone(),
            control,
            slice: self.shared.slice,
            side_max: self.shared.side_max,
            counts: self.counts,
        };
        let found = Run::new(&mut ready, &mut kept.known, given).all(&self.ops)?;
        let cut = found.cut;
        let buffers: Vec<&Buffer> = io.residents;
        bring_home(&ready.open, (&buffers, &whose, &mut held), &places, &found.residents)?;
        let stats = self.stats(&mut ready, found);
        let turns = ready.open.loop_turns;
        kept.ready = Some(ready);
        match (cut, turns) {
            (Some(kernel), Some(turns)) => Err(self.cut(&self.schedule.kernels[kernel], turns)),
            _ => Ok(stats),
        }
    }
}

/// What was swapped is to be found where the callers look for it: memory changes hands where it is
/// all of what a caller has, and else bytes are copied.
fn bring_home(
    open: &Open,
    (buffers, whose, held): (&[&Buffer], &[usize], &mut [Held<'_, Memory>]),
    before: &[Place],
    after: &[Place],
) -> Result<(), Error> {
    let moved: Vec<usize> = (0..before.len()).filter(|&at| before[at] != after[at]).collect();
    let whole = |&at: &usize| before[at].base == 0 && padded(buffers[at].bytes) == before[at].raw.size();
    if !moved.iter().all(whole) {
        let moves: Vec<_> = moved.iter().map(|&at| (&after[at], &before[at], buffers[at].bytes)).collect();
        return within::exchange(&open.driver, &moves);
    }
    for (turn, &at) in moved.iter().enumerate() {
        let from = moved[turn..].iter().find(|&&other| held[whose[other]].raw == after[at].raw);
        let from = *from.expect("invariant swaps: they leave the same memory in another order");
        if from != at {
            let (low, high) = (whose[at].min(whose[from]), whose[at].max(whose[from]));
            let (before, rest) = held.split_at_mut(high);
            std::mem::swap(&mut *before[low], &mut *rest[0]);
        }
    }
    Ok(())
}
