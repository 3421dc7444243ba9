//! Runs a checked schedule, step after step: every order that its barriers allow gives
//! the same result, so this one does.

use std::ops::Range;
use std::sync::Arc;

use super::code::Code;
use super::constant::Constants;
use super::dispatch::Dispatch;
use super::memory::{self, Bound, Resident, Store};
use super::watch::{self, Watch};
use super::{Config, turns};
use crate::cache::Found;
use crate::check::{Checked, Turnover};
use crate::device::{self, Control, Error, Host, Io, Looped, Stats};
use crate::schedule::{Binding, BufferId, KernelId, Length, Step};

/// A schedule whose kernels are ready for the machine.
#[derive(Debug)]
pub(super) struct Loaded {
    /// The device's id, for errors.
    pub(super) device: String,
    pub(super) schedule: Arc<Checked>,
    /// For each kernel.
    pub(super) codes: Vec<Arc<Code>>,
    pub(super) found: Vec<Found>,
    pub(super) config: Config,
}

impl device::Loaded for Loaded {
    fn found(&self) -> &[Found] {
        &self.found
    }

    fn run(&self, io: Io<'_>, control: &Control) -> Result<Stats, Error> {
        device::io_fits(&self.schedule, &io)?;
        let residents = self.residents(&io)?;
        let (stores, homes) = self.stores(&residents, &io, control)?;
        let held_bytes = self.schedule.residents().map(|id| self.schedule.buffers[id.0 as usize].bytes).sum();
        let loops = self.schedule.bodies().iter().map(|&(step, _)| Looped { step, ..Looped::default() }).collect();
        let stats = Stats { peak_bytes: held_bytes, loops, ..Stats::default() };
        let mut watch =
            self.config.sanitize.map(|config| Watch::new(config, &self.device, &self.schedule, &self.codes));
        for (at, store) in stores.iter().enumerate().filter(|(_, store)| !matches!(store, Store::None)) {
            if let Some(watch) = &mut watch {
                watch.come(at, store.len(), true);
            }
        }
        let (hosts, open) = (io.hosts, Vec::new());
        let mut run = Run { loaded: self, hosts, control, stores, homes, held_bytes, stats, open, watch };
        let (steps, groups) = (&self.schedule.steps, self.schedule.turnover());
        // By step: the group that it stands in, or ends.
        let mut places = vec![0];
        for step in steps {
            places.push(places[places.len() - 1] + usize::from(step.is_boundary()));
        }
        run.come(&groups[0])?;
        let mut index = 0;
        while let Some(step) = steps.get(index) {
            control.go_on()?;
            let mut times = std::mem::take(&mut run.stats.times);
            control.time(&mut times, index, 0, || run.step(index, step))?;
            run.stats.times = times;
            let next = run.next(index, step);
            if step.is_boundary() {
                if let Some(watch) = &mut run.watch {
                    watch.boundary();
                }
                run.go(&groups[places[index]]);
                run.come(&groups[places[next]])?;
            }
            index = next;
        }
        judged(run.stats, run.watch)
    }
}

impl Loaded {
    fn residents(&self, io: &Io<'_>) -> Result<Vec<Arc<Resident>>, Error> {
        let foreign = |_| Error::ForeignBuffer { device: self.device.clone() };
        io.residents.iter().map(|buffer| buffer.memory.clone().downcast().map_err(foreign)).collect()
    }

    /// Before the first group: only what is resident has memory. With where each buffer lies:
    /// those that the caller cut from one memory share its store.
    fn stores<'a>(
        &self,
        residents: &'a [Arc<Resident>],
        io: &Io<'_>,
        control: &Control,
    ) -> Result<(Vec<Store<'a>>, Vec<Home>), Error> {
        let ids: Vec<usize> = self.schedule.residents().map(|id| id.0 as usize).collect();
        let count = self.schedule.buffers.len();
        let mut stores: Vec<Store<'a>> = std::iter::repeat_with(|| Store::None).take(count).collect();
        let mut homes: Vec<Home> = (0..count).map(|store| Home { store, base: 0 }).collect();
        let held = memory::lock_all(residents, &control.stop)?;
        for ((&id, buffer), (first, held)) in ids.iter().zip(&io.residents).zip(held) {
            homes[id] = Home { store: ids[first], base: buffer.offset };
            if let Some(held) = held {
                stores[id] = Store::Resident(held);
            }
        }
        for (index, (&id, buffer)) in ids.iter().zip(&io.residents).enumerate() {
            // A handle's size is the caller's word; the memory's own is what counts.
            let got = (stores[homes[id].store].len() as u64).saturating_sub(buffer.offset);
            if got < buffer.bytes {
                let (expected_bytes, got_bytes) = (Some(buffer.bytes), Some(got));
                return Err(Error::ResidentMismatch { index, expected_bytes, got_bytes });
            }
        }
        Ok((stores, homes))
    }
}

/// Where a buffer lies: a store, and the byte of it that is the buffer's first.
#[derive(Debug, Clone, Copy)]
struct Home {
    store: usize,
    base: u64,
}

/// One run.
struct Run<'a> {
    loaded: &'a Loaded,
    hosts: Vec<Host<'a>>,
    control: &'a Control,
    /// By buffer, but for those that lie in another's.
    stores: Vec<Store<'a>>,
    /// By buffer.
    homes: Vec<Home>,
    held_bytes: u64,
    stats: Stats,
    /// Loops and branches that have not ended, by their place among all of them; and turns done.
    open: Vec<(usize, u32)>,
    /// The sanitizer, if it looks on.
    watch: Option<Watch>,
}

impl Run<'_> {
    /// Gives zeros to the buffers that live from this group on.
    fn come(&mut self, group: &Turnover) -> Result<(), Error> {
        for id in &group.come {
            let buffer = &self.loaded.schedule.buffers[id.0 as usize];
            let (device, what, bytes) = (self.loaded.device.clone(), format!("`{}`", buffer.name), buffer.bytes);
            let refused = |_| Error::OutOfMemory { device, what, bytes };
            self.stores[id.0 as usize] = Store::Transient(memory::filled(bytes as usize, 0).map_err(refused)?);
            self.held_bytes += bytes;
            if let Some(watch) = &mut self.watch {
                watch.come(id.0 as usize, bytes as usize, false);
            }
        }
        self.stats.peak_bytes = self.stats.peak_bytes.max(self.held_bytes);
        Ok(())
    }

    /// Takes the memory of those that lived up to it.
    fn go(&mut self, group: &Turnover) {
        for id in &group.go {
            let store = std::mem::replace(&mut self.stores[id.0 as usize], Store::None);
            self.held_bytes -= store.len() as u64;
            if let Some(watch) = &mut self.watch {
                watch.go(id.0 as usize);
            }
        }
    }

    /// The step after this one.
    fn next(&mut self, index: usize, step: &Step) -> usize {
        match step {
            Step::Loop { .. } | Step::When { .. } => {
                let bodies = self.loaded.schedule.bodies();
                let which = bodies.partition_point(|&(begin, _)| begin < index);
                self.stats.loops[which].entries += 1;
                self.open.push((which, 0));
                self.turn()
            }
            Step::End => self.turn(),
            Step::Upload { .. }
            | Step::Clear { .. }
            | Step::Copy { .. }
            | Step::Dispatch { .. }
            | Step::DispatchIndirect { .. }
            | Step::Barrier
            | Step::Download { .. }
            | Step::Free { .. }
            | Step::Swap { .. } => index + 1,
        }
    }

    /// Another turn of the innermost loop or branch, or what comes after it.
    fn turn(&mut self) -> usize {
        let (which, done) = self.open.pop().expect("invariant bodies: what ends was begun");
        let (begin, end) = self.loaded.schedule.bodies()[which];
        let (test, limit) = match self.loaded.schedule.steps[begin] {
            Step::Loop { test, limit } => (test, limit),
            Step::When { test } => (Some(test), 1),
            _ => unreachable!("invariant bodies: a loop or a branch begins one"),
        };
        let holds = test.is_none_or(|test| test.holds(self.word(&test.word, 0)));
        let looped = &mut self.stats.loops[which];
        if holds && done < limit {
            looped.turns += 1;
            self.open.push((which, done + 1));
            return begin + 1;
        }
        let is_loop = matches!(self.loaded.schedule.steps[begin], Step::Loop { .. });
        looped.limited += u64::from(holds && is_loop && test.is_some());
        end + 1
    }

    fn step(&mut self, index: usize, step: &Step) -> Result<(), Error> {
        match step {
            Step::Upload { host, at, to } => {
                let (store, range) = self.at(to);
                let from = &self.hosts[host.0 as usize].bytes()[span(*at, to.bytes)];
                self.stores[store][range.clone()].copy_from_slice(from);
                self.stats.uploaded_bytes += to.bytes;
                self.filled(store, range)?;
            }
            Step::Clear { range } => {
                let (store, range) = self.at(range);
                self.stores[store][range.clone()].fill(0);
                self.filled(store, range)?;
            }
            Step::Copy { from, to } => {
                let ((from, of), (to, range)) = (self.at(from), self.at(to));
                let bytes = self.stores[from][of.clone()].to_vec();
                self.stores[to][range.clone()].copy_from_slice(&bytes);
                if let Some(watch) = &mut self.watch {
                    watch.copied(&(from, of), (to, range))?;
                }
            }
            Step::Dispatch { kernel, grid, bindings } => self.dispatch(index, *kernel, *grid, bindings)?,
            Step::DispatchIndirect { kernel, args, limit, bindings } => {
                let words: [u32; 3] = std::array::from_fn(|i| self.word(args, i));
                self.dispatch(index, *kernel, device::grid_within(index, words, *limit)?, bindings)?;
            }
            Step::Barrier => self.stats.barriers += 1,
            Step::Download { from, host, at, length } => {
                let bytes = match length {
                    None => from.bytes,
                    Some(length @ Length { count, .. }) => length.meaningful_bytes(self.word(count, 0), from.bytes),
                };
                let (store, range) = self.at(&Binding { bytes, ..*from });
                let Host::Write(to) = &mut self.hosts[host.0 as usize] else {
                    unreachable!("invariant writable-hosts: io_fits refuses downloads into read-only slices")
                };
                to[span(*at, bytes)].copy_from_slice(&self.stores[store][range]);
                self.stats.downloaded_bytes += bytes;
            }
            Step::Swap { first, second } => {
                let ((first, one), (second, other)) = (self.all_of(*first), self.all_of(*second));
                let bytes = self.stores[first][one.clone()].to_vec();
                let others = self.stores[second][other.clone()].to_vec();
                self.stores[first][one.clone()].copy_from_slice(&others);
                self.stores[second][other.clone()].copy_from_slice(&bytes);
                if let Some(watch) = &mut self.watch {
                    watch.swapped((first, one), (second, other))?;
                }
            }
            // Where these lead is known when they are done.
            Step::Free { .. } | Step::Loop { .. } | Step::When { .. } | Step::End => {}
        }
        Ok(())
    }

    /// Where a range lies.
    fn at(&self, range: &Binding) -> (usize, Range<usize>) {
        let Home { store, base } = self.homes[range.buffer.0 as usize];
        (store, span(base + range.offset, range.bytes))
    }

    fn all_of(&self, buffer: BufferId) -> (usize, Range<usize>) {
        self.at(&Binding { buffer, offset: 0, bytes: self.loaded.schedule.buffers[buffer.0 as usize].bytes })
    }

    /// A `u32` that a step reads for itself.
    fn word(&self, of: &Binding, index: usize) -> u32 {
        let (store, range) = self.at(of);
        let bytes = &self.stores[store][range];
        u32::from_le_bytes(std::array::from_fn(|i| bytes[index * 4 + i]))
    }

    /// The host has written there.
    fn filled(&mut self, store: usize, range: Range<usize>) -> Result<(), Error> {
        self.watch.as_mut().map_or(Ok(()), |watch| watch.filled(store, range))
    }

    fn dispatch(&mut self, step: usize, id: KernelId, grid: [u32; 3], bindings: &[Binding]) -> Result<(), Error> {
        let code = &self.loaded.codes[id.0 as usize];
        let kernel = &*self.loaded.schedule.kernels[id.0 as usize];
        let rows: Vec<(usize, Range<usize>)> = bindings.iter().map(|binding| self.at(binding)).collect();
        if let Some(watch) = &mut self.watch {
            let places = rows.iter().map(|(store, range)| (*store, range.start)).collect();
            watch.begin(id.0 as usize, grid, places, watch::is_sole(&self.loaded.schedule.steps, step));
        }
        let mut dispatch = Dispatch {
            device: &self.loaded.device,
            kernel,
            code,
            constants: Constants::new(kernel, code),
            grid,
            subgroup: self.loaded.config.subgroup.get(),
            bound: Bound::new(&mut self.stores, rows),
            control: self.control,
            pauses: self.loaded.config.seed.is_some(),
            watch: self.watch.as_mut(),
        };
        let workgroups = turns::run(&mut dispatch, self.loaded.config.seed)?;
        self.watch.as_mut().map_or(Ok(()), Watch::end)?;
        self.stats.dispatches += 1;
        self.stats.workgroups += workgroups;
        self.stats.invocations += workgroups * kernel.workgroup_invocations();
        Ok(())
    }
}

/// With what the sanitizer has found.
fn judged(stats: Stats, watch: Option<Watch>) -> Result<Stats, Error> {
    let Some(watch) = watch else { return Ok(stats) };
    let peak_bytes = stats.peak_bytes + watch.peak_bytes();
    let findings = watch.findings();
    if findings.has_errors() {
        return Err(Error::Unsound(Box::new(findings)));
    }
    Ok(Stats { peak_bytes, findings: Some(findings), ..stats })
}

fn span(start: u64, bytes: u64) -> Range<usize> {
    start as usize..(start + bytes) as usize
}
