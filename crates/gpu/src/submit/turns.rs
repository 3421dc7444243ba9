//! Loops and branches of a run.
//!
//! What the device can decide is recorded before anybody knows whether it is run: a branch once, a
//! loop in chunks of turns, each turn behind its gate. After a chunk the host reads how many of its
//! turns were run and whether the loop goes on, and records twice as many. A chunk is no longer than
//! the slice; where not even one turn is known to fit, the host decides that turn and learns from it.
//!
//! A swap exchanges what buffers are bound to, turn by turn, while they are recorded. When the host
//! knows how many turns were run it exchanges them as often as that.

use seawall_core::device::Error;

use super::Run;
use crate::gate;
use crate::indirect::{SLOT_BYTES, WRITTEN_BYTES};
use crate::landing::{Landing, To};
use crate::progress::Progress;
use crate::ready::{Ready, Target};
use crate::record::{Body, Op};
use crate::slice::{CHUNK_MAX, CHUNK_MIN, groups};

impl<'a> Run<'a> {
    /// Does a loop or a branch.
    pub(super) fn body(&mut self, body: &'a Body) -> Result<(), Error> {
        self.found.stats.loops[body.which].entries += 1;
        let decides = self.ready.gates.as_ref().is_some_and(|gates| gates.decides(body.which));
        let turns = match body.test {
            // A run that is timed asks before each turn, so that only what is run is timed.
            Some(_) if decides && self.control.clock.is_none() => {
                if body.is_loop {
                    self.chunks(body)?
                } else if self.fits(body, 1)? > 0 {
                    return self.record(body, 1);
                } else {
                    self.turns(body)?
                }
            }
            _ => self.turns(body)?,
        };
        self.known.turned(body.which, turns);
        Ok(())
    }

    /// Turns that the host decides; gives how many there were.
    fn turns(&mut self, body: &'a Body) -> Result<u64, Error> {
        for turns in 0..u64::from(body.limit) {
            if !self.turn(body)? {
                return Ok(turns);
            }
            if (turns + 1).is_multiple_of(CHUNK_MAX) {
                self.flush()?;
            }
        }
        if body.is_loop && body.test.is_some() {
            let holds = self.holds(body)?;
            self.found.stats.loops[body.which].limited += u64::from(holds);
        }
        Ok(body.limit.into())
    }

    /// A turn if the test holds, and whether it does.
    fn turn(&mut self, body: &'a Body) -> Result<bool, Error> {
        if !self.holds(body)? {
            return Ok(false);
        }
        // Slabs stand outside of bodies.
        body.ops.iter().try_for_each(|op| self.op(op, &mut 0))?;
        self.found.stats.loops[body.which].turns += 1;
        Ok(true)
    }

    /// Asks whether a body's test holds now.
    fn holds(&mut self, body: &Body) -> Result<bool, Error> {
        let Some(test) = body.test else { return self.go_on().map(|()| true) };
        self.step = None;
        let (word, offset) = self.buffer(&test.word);
        self.fetch(&word, offset, 4, To::Word)?;
        self.flush()?;
        Ok(test.holds(self.found.word))
    }

    /// Turns of a loop that the device decides; gives how many there were.
    fn chunks(&mut self, body: &'a Body) -> Result<u64, Error> {
        let (mut turns, mut chunk) = (0, self.known.chunk(body.which));
        loop {
            let left = u64::from(body.limit) - turns;
            let most = self.fits(body, chunk.min(left))?;
            if most == 0 && left > 0 {
                if !self.turn(body)? {
                    return Ok(turns);
                }
                turns += 1;
                continue;
            }
            let before = self.buffers.clone();
            self.record(body, most)?;
            let holds = self.holds(body)?;
            let ran = if most > 0 { self.found.turns[body.which] } else { 0 };
            self.buffers = before;
            (0..ran).for_each(|_| self.swaps(body));
            turns += ran;
            if ran < most && self.found.late {
                chunk = CHUNK_MIN;
                continue;
            }
            if ran < most || !holds {
                return Ok(turns);
            }
            if turns == u64::from(body.limit) {
                self.found.stats.loops[body.which].limited += 1;
                return Ok(turns);
            }
            chunk = (chunk * 2).min(CHUNK_MAX);
        }
    }

    /// How many of so many turns can go into this submission; none if not even one can be alone in it.
    fn fits(&mut self, body: &Body, most: u64) -> Result<u64, Error> {
        let (mut work, mut slots) = (Vec::new(), 0);
        self.work(body, &mut work, &mut slots);
        let fits = self.slice.turns(&self.known.paces, &work, most);
        let room = self.ready.turn_bytes(slots) <= self.down().room();
        if most == 0 || (room && (fits > 0 || self.slice.is_empty())) {
            return Ok(fits);
        }
        self.flush()?;
        Ok(self.slice.turns(&self.known.paces, &work, most))
    }

    /// Workgroups that are reckoned with in a turn, by kernel, and how many grids the device decides.
    fn work(&self, body: &Body, work: &mut Vec<(usize, u64)>, slots: &mut usize) {
        for op in &body.ops {
            match op {
                Op::Dispatch { at } => {
                    let dispatch = &self.ready.dispatches[*at];
                    work.push((
                        dispatch.kernel,
                        match dispatch.target {
                            Target::Grid(grid) => groups(grid),
                            Target::Slot(slot, job) => {
                                *slots += 1;
                                self.known.expected(slot, job.limit)
                            }
                        },
                    ));
                }
                Op::Clear { range: to, .. } | Op::Copy { to, .. } => work.push((self.mover(), copied(to.bytes))),
                Op::Body(inner) => self.work(inner, work, slots),
                _ => {}
            }
        }
    }

    /// What copies that are gated count as among the kernels.
    fn mover(&self) -> usize {
        self.schedule.kernels.len()
    }

    /// Records so many turns, each behind its gate.
    fn record(&mut self, body: &'a Body, turns: u64) -> Result<(), Error> {
        if turns == 0 {
            return Ok(());
        }
        if self.recorded.is_empty() {
            let states = self.states();
            self.clear(&states, 0, states.size())?;
            let to = self.down().take(states.size());
            self.landings.push(Landing { from: to, to: To::States });
            self.states_to = to;
        }
        self.begin(body, turns)?;
        match self.recorded.iter_mut().find(|(other, _)| other.which == body.which) {
            Some((_, recorded)) => *recorded += turns,
            None => self.recorded.push((body, turns)),
        }
        self.untimed_pass();
        (0..turns).try_for_each(|_| self.gated(body))
    }

    /// Readies what a body finds, and reckons with its work.
    fn begin(&mut self, body: &Body, turns: u64) -> Result<(), Error> {
        for op in &body.ops {
            match op {
                Op::Dispatch { at } => {
                    let (step, kernel) = (self.ready.dispatches[*at].step, self.ready.dispatches[*at].kernel);
                    self.progress = Some(Progress::new(step, kernel, None));
                    match self.ready.dispatches[*at].target {
                        Target::Grid(grid) => self.slice.add(&self.known.paces, kernel, turns * groups(grid)),
                        Target::Slot(slot, job) => {
                            if self.looks.iter().all(|look| look.slot != slot) {
                                self.fresh(slot, kernel)?;
                            }
                            let expected = self.known.expected(slot, job.limit);
                            self.expect(*at, slot, turns.saturating_mul(expected));
                        }
                    }
                }
                Op::Clear { range: to, .. } | Op::Copy { to, .. } => {
                    self.slice.add(&self.known.paces, self.mover(), turns * copied(to.bytes));
                }
                Op::Body(inner) => self.begin(inner, turns)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// A slot in which nothing is found yet, with the workgroups that there is time for.
    fn fresh(&mut self, slot: usize, kernel: usize) -> Result<(), Error> {
        let Some(slots) = &mut self.ready.slots else {
            unreachable!("invariant slots: one for each indirect dispatch")
        };
        slots.allow(&self.open, slot, self.slice.fits(&self.known.paces, kernel, u64::MAX))?;
        let raw = slots.raw().clone();
        self.clear(&raw, slot as u64 * SLOT_BYTES, WRITTEN_BYTES)
    }

    /// One turn, which is run if its gate opens.
    fn gated(&mut self, body: &'a Body) -> Result<(), Error> {
        let states = self.states();
        let Some(pass) = &mut self.pass else { unreachable!("invariant pass: begun for the turns") };
        let Ready { gates: Some(gates), slots, dispatches, .. } = &mut *self.ready else {
            unreachable!("invariant gates: they decide this")
        };
        let leads = gates.leads(body.which);
        let lead = match (slots, leads.map(|at| &dispatches[at].target)) {
            (Some(slots), Some(Target::Slot(slot, job))) => Some((&*slots, *slot, job)),
            _ => None,
        };
        gates.ask(&self.open, pass, body, &self.buffers, &states, lead)?;
        for op in &body.ops {
            let Some(pass) = &mut self.pass else { unreachable!("invariant pass: begun for the turns") };
            let Ready { gates: Some(gates), dispatches, cuts, .. } = &mut *self.ready else {
                unreachable!("invariant gates: they decide this")
            };
            match op {
                Op::Dispatch { at } => match dispatches[*at].target {
                    Target::Grid(_) => {
                        let dispatch = &mut dispatches[*at];
                        pass.set_pipeline(&dispatch.pipeline(&self.open, true, &self.control.stop)?.raw);
                        pass.set_bind_group(0, &dispatch.bind(&self.open, &self.buffers, cuts.as_ref())?, &[]);
                        let (dims, place) = gates.dispatch(*at);
                        pass.dispatch_workgroups_indirect(dims, place);
                    }
                    Target::Slot(slot, job) => {
                        self.record_slot(*at, slot, &job, (leads != Some(*at)).then_some(true))?;
                    }
                },
                Op::Clear { step, .. } | Op::Copy { step, .. } => {
                    gates.copy(&self.open, pass, *step, &self.buffers)?;
                }
                Op::Swap { first, second } => self.buffers.swap(*first, *second),
                Op::Body(inner) => self.gated(inner)?,
                Op::Barrier => {}
                other => unreachable!("invariant bodies: nothing moves to or from the host inside: {other:?}"),
            }
        }
        Ok(())
    }

    fn states(&self) -> wgpu::Buffer {
        let states = self.ready.states.as_ref().map(|states| states.raw.clone());
        states.expect("invariant states: there are some where the device decides")
    }

    /// Records that the states of this submission go to the host.
    pub(super) fn fetch_turns(&self, encoder: &mut wgpu::CommandEncoder) {
        if let (false, Some(down)) = (self.recorded.is_empty(), &self.ready.staging.down) {
            let states = self.states();
            encoder.copy_buffer_to_buffer(&states, 0, down.raw(), self.states_to, states.size());
        }
    }

    /// Learns how often loops and branches of a submission were run.
    pub(super) fn learn_turns(&mut self) {
        for (body, recorded) in std::mem::take(&mut self.recorded) {
            self.learn_body(body, recorded);
        }
    }

    fn learn_body(&mut self, body: &Body, recorded: u64) {
        let turns = self.found.turns[body.which];
        self.found.stats.loops[body.which].turns += turns;
        for op in &body.ops {
            match op {
                Op::Dispatch { at } => {
                    let kernel = self.ready.dispatches[*at].kernel;
                    if let Target::Grid(grid) = self.ready.dispatches[*at].target {
                        self.ran(kernel, turns, turns * groups(grid));
                        self.slice.correct(kernel, recorded * groups(grid), turns * groups(grid));
                    }
                }
                Op::Clear { range: to, .. } | Op::Copy { to, .. } => {
                    self.slice.correct(self.mover(), recorded * copied(to.bytes), turns * copied(to.bytes));
                }
                Op::Barrier => self.found.stats.barriers += turns,
                Op::Body(inner) => {
                    self.found.stats.loops[inner.which].entries += turns;
                    self.learn_body(inner, recorded);
                }
                _ => {}
            }
        }
    }

    /// Exchanges what two buffers are.
    pub(super) fn swap(&mut self, first: usize, second: usize) {
        self.buffers.swap(first, second);
        self.ready.bank.swap(first, second);
        self.set = None;
    }

    /// The swaps of one turn.
    fn swaps(&mut self, body: &Body) {
        for op in &body.ops {
            if let Op::Swap { first, second } = op {
                self.swap(*first, *second);
            }
        }
    }
}

/// Workgroups of a gated copy of so many bytes.
fn copied(bytes: u64) -> u64 {
    groups(gate::move_grid(bytes))
}
