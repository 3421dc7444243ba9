//! One run: commands are recorded into an encoder, which is submitted when its slice is full,
//! when a belt is full, when the host must see a download, and at the end.

mod grids;
mod results;
mod turns;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use seawall_core::check::Checked;
use seawall_core::device::{Control, Error, Host, Looped, Stats};
use seawall_core::schedule::Binding;

use crate::indirect::SLOT_BYTES;
use crate::landing::{Found, Landing, To};
use crate::memory::{Place, padded};
use crate::open::Open;
use crate::outer;
use crate::pipeline::WATCH_BYTES;
use crate::progress::Progress;
use crate::ready::{Ready, Target};
use crate::record::{Body, Op};
use crate::slice::{Known, Parts, Slice};
use crate::staging::Down;
use crate::timer::{Pair, Timer};
use grids::Look;

/// One run under way.
pub(crate) struct Run<'a> {
    schedule: &'a Checked,
    open: Arc<Open>,
    ready: &'a mut Ready,
    known: &'a mut Known,
    /// For each buffer of the schedule, while it has memory.
    buffers: Vec<Option<Place>>,
    hosts: Vec<Host<'a>>,
    control: &'a Control,
    side_max: u32,
    slice: Slice,
    encoder: Option<wgpu::CommandEncoder>,
    /// Of the encoder, which must not be used while there is one.
    pass: Option<wgpu::ComputePass<'static>>,
    landings: Vec<Landing>,
    looks: Vec<Look>,
    /// Loops and branches of this submission that the device decides, with how many turns of them are
    /// recorded.
    recorded: Vec<(&'a Body, u64)>,
    /// Where in the belt their states go.
    states_to: u64,
    found: Found,
    /// The step that copies are recorded for.
    step: Option<usize>,
    /// The last dispatch that was begun.
    progress: Option<Progress>,
    /// The dispatch whose pipeline and bindings the pass has.
    set: Option<usize>,
}

/// What a run is given.
pub(crate) struct Given<'a> {
    pub(crate) schedule: &'a Checked,
    pub(crate) hosts: Vec<Host<'a>>,
    pub(crate) residents: Vec<Place>,
    pub(crate) control: &'a Control,
    pub(crate) slice: Duration,
    pub(crate) side_max: u32,
    pub(crate) counts: usize,
}

impl<'a> Run<'a> {
    pub(crate) fn new(ready: &'a mut Ready, known: &'a mut Known, given: Given<'a>) -> Self {
        let mut buffers = vec![None; given.schedule.buffers.len()];
        for (id, resident) in given.schedule.residents().zip(given.residents) {
            buffers[id.0 as usize] = Some(resident);
        }
        let grids = vec![None; ready.grids()];
        let bodies = given.schedule.bodies();
        let loops = bodies.iter().map(|&(step, _)| Looped { step, ..Looped::default() }).collect();
        Self {
            schedule: given.schedule,
            open: ready.open.clone(),
            ready,
            known,
            buffers,
            hosts: given.hosts,
            control: given.control,
            side_max: given.side_max,
            slice: Slice::new(given.slice),
            encoder: None,
            pass: None,
            landings: Vec::new(),
            looks: Vec::new(),
            recorded: Vec::new(),
            states_to: 0,
            step: None,
            progress: None,
            set: None,
            found: Found {
                counts: vec![0; given.counts],
                grids,
                turns: vec![0; bodies.len()],
                stats: Stats { loops, ..Stats::default() },
                ..Found::default()
            },
        }
    }

    /// Does all of it; gives what only the device knew.
    pub(crate) fn all(mut self, ops: &'a [Op]) -> Result<Found, Error> {
        if self.control.clock.is_some() && self.ready.timer.is_none() {
            self.ready.timer = Timer::new(&self.open.driver)?;
        }
        if let Some(cuts) = self.ready.cuts.as_ref().map(|cuts| cuts.raw.clone()) {
            self.clear(&cuts, 0, cuts.size())?;
        }
        let mut packs = 0;
        for op in ops {
            self.op(op, &mut packs)?;
        }
        self.step = None;
        if let Some(cuts) = self.ready.cuts.as_ref().map(|cuts| cuts.raw.clone()) {
            for kernel in self.ready.watched() {
                self.fetch(&cuts, kernel as u64 * SLOT_BYTES, WATCH_BYTES, To::Cut { kernel })?;
            }
        }
        self.flush()?;
        let residents = self.schedule.residents().map(|id| self.buffers[id.0 as usize].clone());
        self.found.residents = residents.flatten().collect();
        Ok(self.found)
    }

    /// Does one of them; `packs` slabs had something to pack before.
    fn op(&mut self, op: &'a Op, packs: &mut usize) -> Result<(), Error> {
        self.step = None;
        match op {
            Op::Come { buffer, zeros } => self.come(*buffer, *zeros),
            Op::Go { buffer } => {
                self.buffers[*buffer] = None;
                self.ready.bank.take_back(*buffer);
                Ok(())
            }
            Op::Upload { step, host, at, to } => {
                self.step = Some(*step);
                self.upload(*host, *at, to)
            }
            Op::Clear { step, range } => {
                self.step = Some(*step);
                let (buffer, offset) = self.buffer(range);
                self.clear(&buffer, offset, padded(range.bytes))
            }
            Op::Copy { step, from, to } => {
                self.step = Some(*step);
                self.copy(from, to)
            }
            Op::Fetch(piece) => self.fetch_piece(piece),
            Op::Slab(slab) => {
                let pack = *packs;
                *packs += usize::from(slab.packs());
                self.slab(pack, slab)
            }
            Op::Download { step, from, host, at, length } => {
                self.step = Some(*step);
                self.download(from, *host, *at, *length)
            }
            Op::Dispatch { at } => match self.ready.dispatches[*at].target {
                Target::Grid(grid) => self.dispatch(*at, grid),
                Target::Slot(slot, job) => self.dispatch_slot(*at, slot, &job),
            },
            Op::Swap { first, second } => {
                self.swap(*first, *second);
                Ok(())
            }
            Op::Body(body) => self.body(body),
            Op::Barrier => {
                self.found.stats.barriers += 1;
                Ok(())
            }
            Op::Land => self.flush(),
        }
    }

    /// The encoder, outside a pass.
    fn encoder(&mut self) -> &mut wgpu::CommandEncoder {
        self.pass = None;
        let new = || self.open.driver.raw.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        self.encoder.get_or_insert_with(new)
    }

    /// Submits if there is no room to time another command. Before belts are written to.
    fn make_time(&mut self) -> Result<(), Error> {
        let full = self.control.clock.is_some() && self.ready.timer.as_ref().is_some_and(Timer::is_full);
        if full { self.flush() } else { Ok(()) }
    }

    /// Timestamps for the next command of a step, if it is to be timed.
    fn pair(&mut self, step: usize) -> Option<Pair> {
        let timer = self.ready.timer.as_mut().filter(|_| self.control.clock.is_some())?;
        Some(timer.pair(step))
    }

    /// Records a command outside passes, between timestamps where the adapter has them there.
    fn command(&mut self, record: impl FnOnce(&mut wgpu::CommandEncoder)) {
        let inside = self.open.driver.raw.features().contains(wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS);
        let pair = self.step.filter(|_| inside).and_then(|step| self.pair(step));
        let encoder = self.encoder();
        if let Some(pair) = &pair {
            encoder.write_timestamp(&pair.set, pair.begin);
        }
        record(encoder);
        if let Some(pair) = &pair {
            encoder.write_timestamp(&pair.set, pair.end);
        }
    }

    fn clear(&mut self, buffer: &wgpu::Buffer, offset: u64, bytes: u64) -> Result<(), Error> {
        self.make_time()?;
        self.command(|encoder| encoder.clear_buffer(buffer, offset, Some(bytes)));
        Ok(())
    }

    /// The memory that a range lies in, and where it starts there.
    fn buffer(&self, range: &Binding) -> (wgpu::Buffer, u64) {
        let Place { raw, base } = place(&self.buffers, range);
        (raw.clone(), base + range.offset)
    }

    /// Memory for a buffer: kept, or else new, for which other memory may have to go.
    fn come(&mut self, buffer: usize, zeros: bool) -> Result<(), Error> {
        let (name, bytes) = (&self.schedule.buffers[buffer].name, self.schedule.buffers[buffer].bytes);
        if let Some(raw) = self.ready.bank.lend(buffer, bytes).cloned() {
            if zeros {
                self.clear(&raw, 0, raw.size())?;
            }
            self.buffers[buffer] = Some(Place { raw, base: 0 });
            return Ok(());
        }
        let gone = self.ready.bank.make_room(bytes);
        if !gone.is_empty() {
            // It is free only when the device has done with it.
            self.flush()?;
            for memory in gone {
                self.ready.forget(&memory.raw);
            }
        }
        let raw = self.ready.bank.make(&self.open.driver, buffer, name, bytes)?;
        self.buffers[buffer] = Some(Place { raw: raw.clone(), base: 0 });
        Ok(())
    }

    fn upload(&mut self, host: usize, start: u64, to: &Binding) -> Result<(), Error> {
        let (target, offset) = self.buffer(to);
        let mut done = 0;
        while done < to.bytes {
            self.make_time()?;
            let up = self.ready.staging.up.as_mut().expect("invariant belts: a schedule with uploads has one");
            let piece = (to.bytes - done).min(up.room());
            if piece == 0 {
                self.flush()?;
                continue;
            }
            let from = &self.hosts[host].bytes()[(start + done) as usize..][..piece as usize];
            let place = up.write(&self.open.driver, from)?;
            let source = up.raw().clone();
            let at = offset + done;
            self.command(|encoder| encoder.copy_buffer_to_buffer(&source, place, &target, at, padded(piece)));
            self.found.stats.uploaded_bytes += piece;
            done += piece;
        }
        Ok(())
    }

    fn copy(&mut self, from: &Binding, to: &Binding) -> Result<(), Error> {
        let ((source, start), (target, end)) = (self.buffer(from), self.buffer(to));
        self.make_time()?;
        if source != target {
            let bytes = padded(from.bytes);
            self.command(|encoder| encoder.copy_buffer_to_buffer(&source, start, &target, end, bytes));
            return Ok(());
        }
        let scratch = self.ready.staging.scratch.as_ref().expect("invariant scratch: there is some for such copies");
        let scratch = scratch.raw.clone();
        let mut done = 0;
        while done < from.bytes {
            self.make_time()?;
            let piece = padded(from.bytes - done).min(scratch.size());
            self.command(|encoder| {
                encoder.copy_buffer_to_buffer(&source, start + done, &scratch, 0, piece);
                encoder.copy_buffer_to_buffer(&scratch, 0, &target, end + done, piece);
            });
            done += piece;
        }
        Ok(())
    }

    fn down(&mut self) -> &mut Down {
        self.ready.staging.down.as_mut().expect("invariant belts: a schedule with downloads has one")
    }

    /// A few words for the host.
    fn fetch(&mut self, source: &wgpu::Buffer, offset: u64, bytes: u64, to: To) -> Result<(), Error> {
        self.make_time()?;
        if self.down().room() < bytes {
            self.flush()?;
        }
        let from = self.copy_down(source, offset, bytes);
        self.landings.push(Landing { from, to });
        Ok(())
    }

    /// Copies what finds room in the belt; gives the place.
    fn copy_down(&mut self, source: &wgpu::Buffer, offset: u64, bytes: u64) -> u64 {
        let place = self.down().take(bytes);
        let target = self.down().raw().clone();
        self.command(|encoder| encoder.copy_buffer_to_buffer(source, offset, &target, place, bytes));
        place
    }

    /// The pass that dispatches go into; one of its own for a dispatch that is timed.
    fn pass(&mut self, step: usize) -> Result<(), Error> {
        self.make_time()?;
        let pair = self.pair(step);
        if self.pass.is_none() || pair.is_some() {
            let timestamp_writes = pair.as_ref().map(|pair| wgpu::ComputePassTimestampWrites {
                query_set: &pair.set,
                beginning_of_pass_write_index: Some(pair.begin),
                end_of_pass_write_index: Some(pair.end),
            });
            let descriptor = wgpu::ComputePassDescriptor { label: None, timestamp_writes };
            let pass = self.encoder().begin_compute_pass(&descriptor).forget_lifetime();
            self.pass = Some(pass);
            self.set = None;
        }
        Ok(())
    }

    /// A pass for what is no step of its own.
    fn untimed_pass(&mut self) {
        if self.pass.is_none() {
            let pass = self.encoder().begin_compute_pass(&wgpu::ComputePassDescriptor::default()).forget_lifetime();
            self.pass = Some(pass);
        }
        self.set = None;
    }

    fn dispatch(&mut self, at: usize, grid: [u32; 3]) -> Result<(), Error> {
        let (step, kernel) = (self.ready.dispatches[at].step, self.ready.dispatches[at].kernel);
        let mut parts = Parts::new(grid, self.side_max);
        self.progress = Some(Progress::new(step, kernel, Some(parts.left())));
        self.ran(kernel, 1, parts.left());
        while parts.left() > 0 {
            let groups = self.slice.fits(&self.known.paces, kernel, parts.left());
            if groups == 0 {
                self.flush()?;
                continue;
            }
            self.pass(step)?;
            let Some(pass) = &mut self.pass else { unreachable!("invariant pass: just begun") };
            let whole = parts.is_whole(groups) && !self.ready.dispatches[at].is_folded();
            let part = parts.take(groups);
            if !(whole && self.set.is_some_and(|set| self.ready.dispatches[set].is_like(&self.ready.dispatches[at]))) {
                let dispatch = &mut self.ready.dispatches[at];
                pass.set_pipeline(&dispatch.pipeline(&self.open, whole, &self.control.stop)?.raw);
                pass.set_bind_group(0, &dispatch.bind(&self.open, &self.buffers, self.ready.cuts.as_ref())?, &[]);
                self.set = whole.then_some(at);
            }
            if !whole {
                pass.set_immediates(0, &outer::part(part.corner, grid));
            }
            let [x, y, z] = part.size;
            pass.dispatch_workgroups(x, y, z);
            self.slice.add(&self.known.paces, kernel, part.groups());
            self.progress.iter_mut().for_each(|progress| progress.record(part.groups()));
        }
        Ok(())
    }

    /// Submits what is recorded, waits for it, and lets downloads reach the host.
    fn flush(&mut self) -> Result<(), Error> {
        self.pass = None;
        let Some(mut encoder) = self.encoder.take() else { return self.go_on() };
        self.go_on()?;
        self.fetch_grids(&mut encoder);
        self.fetch_turns(&mut encoder);
        let driver = &self.open.driver;
        let mut timer = self.ready.timer.as_mut().filter(|_| self.control.clock.is_some());
        if let (Some(timer), Some(clock)) = (&mut timer, &self.control.clock) {
            timer.resolve(&mut encoder, clock);
        }
        if let Some(up) = &mut self.ready.staging.up {
            up.close();
        }
        let start = Instant::now();
        driver.submit(encoder)?;
        let down = self.ready.staging.down.as_mut().filter(|_| !self.landings.is_empty());
        let landing = down.map(|down| down.map(driver).map(|mapping| (down, mapping))).transpose()?;
        let times = timer.as_ref().map(|timer| timer.map(driver)).transpose()?.flatten();
        if !driver.wait_with(&self.control.stop)? {
            // What the device still works on is the schedule's own, and goes with this run; what
            // is resident comes to the next one after it.
            return self.go_on();
        }
        if let (Some(timer), Some(mapping)) = (timer, times) {
            timer.land(driver, &mapping)?;
        }
        let took = start.elapsed();
        if let Some((down, mapping)) = landing {
            let (landings, hosts, found) = (&mut self.landings, &mut self.hosts, &mut self.found);
            let land = |belt: &[u8]| landings.drain(..).for_each(|landing| landing.land(belt, hosts, found));
            down.land(driver, &mapping, land)?;
        }
        if let Some(up) = &mut self.ready.staging.up {
            up.open(driver)?;
        }
        self.learn_grids()?;
        self.learn_turns();
        self.progress.iter_mut().for_each(Progress::settle);
        let groups = self.slice.done(&mut self.known.paces, took);
        self.control.workgroups_done.fetch_add(groups, Ordering::Relaxed);
        Ok(())
    }

    /// Whether the caller still wants it.
    fn go_on(&self) -> Result<(), Error> {
        let Some(reason) = self.control.stop.asked() else { return Ok(()) };
        Err(match &self.progress {
            None => Error::Stopped { reason, report: None },
            Some(progress) => progress.stopped(&self.schedule.kernels[progress.kernel], reason, self.open.driver.id()),
        })
    }
}

/// Where a range's buffer lies.
fn place<'a>(buffers: &'a [Option<Place>], range: &Binding) -> &'a Place {
    let place = buffers[range.buffer.0 as usize].as_ref();
    place.expect("invariant lives: what is touched has memory")
}
