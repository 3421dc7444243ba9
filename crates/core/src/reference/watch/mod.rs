//! The sanitizer's eyes: told of every access, barrier and step, it keeps what
//! [`crate::sanitize`] needs to know. The machine does nothing else because of it.

mod site;
mod access;
mod told;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use naga::Barrier;

use self::access::Fault;
use self::site::{Sites, Spot};
use self::told::Key;
use super::code::Code;
use super::pointer::Place;
use crate::check::Checked;
use crate::device::Error;
use crate::layout::Type;
use crate::program::Kernel;
use crate::sanitize::race::{self, Race};
use crate::sanitize::shadow::Shadow;
use crate::sanitize::tell::{Record, Scope};
use crate::sanitize::{Config, Findings};
use crate::schedule::{Life, Step};

/// All that is watched in a run.
#[derive(Debug)]
pub(super) struct Watch {
    config: Config,
    /// The device's id, for errors.
    device: String,
    schedule: Arc<Checked>,
    codes: Vec<Arc<Code>>,
    /// For each kernel.
    sites: Vec<Sites>,
    /// For each spot, the number that shadow memory has for it; zero while it has none.
    numbers: Vec<u16>,
    /// The spot of each number but the first, which stands for all that are too many.
    spots: Vec<Option<Spot>>,
    /// By buffer.
    stores: Vec<Shadow>,
    held_bytes: u64,
    peak_bytes: u64,
    /// The first ticket of this phase, and of the next workgroup.
    first: u32,
    next: u32,
    /// The dispatches of this phase.
    ran: Vec<Ran>,
    /// What is under way.
    now: Now,
    turn: Turn,
    faults: BTreeMap<Spot, Fault>,
    records: BTreeMap<Key, Record>,
    /// Used again for each access.
    races: Vec<(Race, usize)>,
    bytes: Vec<u8>,
    watched: u64,
    workgroups: u64,
    /// Why it cannot go on.
    failed: Option<Error>,
}

/// A dispatch of this phase.
#[derive(Debug, Clone)]
struct Ran {
    kernel: usize,
    grid: [u32; 3],
    /// Its tickets.
    tickets: Range<u32>,
}

/// The dispatch under way.
#[derive(Debug, Default)]
struct Now {
    kernel: usize,
    /// Its first ticket, since the last barrier of the grid.
    first: u32,
    grid: [u32; 3],
    /// Of each row, the store and its first byte in it.
    rows: Vec<(usize, usize)>,
    /// Whether nobody can write what the row has, as long as the dispatch runs.
    quiet: Vec<bool>,
    /// Bytes of the smallest number in workgroup memory.
    unit: usize,
}

/// The invocation under way.
#[derive(Debug, Default)]
struct Turn {
    ticket: u32,
    /// The workgroup's first ticket.
    start: u32,
    id: [u32; 3],
    index: usize,
    is_watched: bool,
    group: Group,
}

/// What is kept for a workgroup.
#[derive(Debug, Default)]
pub(super) struct Group {
    /// Its first ticket; zero before its first invocation runs.
    start: u32,
    /// Barriers that it has passed, for buffers and for workgroup memory.
    storage: u32,
    workgroup: u32,
    memory: Shadow,
}

impl Group {
    /// It is another workgroup from now on.
    pub(super) fn reset(&mut self) {
        self.start = 0;
    }

    /// All of it has passed a barrier.
    pub(super) fn pass(&mut self, barrier: Barrier) {
        self.storage += u32::from(barrier.contains(Barrier::STORAGE));
        self.workgroup += u32::from(barrier.contains(Barrier::WORK_GROUP));
    }
}

impl Watch {
    pub(super) fn new(config: Config, device: &str, schedule: &Arc<Checked>, codes: &[Arc<Code>]) -> Self {
        let mut sites: Vec<Sites> = Vec::new();
        let mut first = 0;
        for (kernel, code) in schedule.kernels.iter().zip(codes) {
            sites.push(Sites::new(kernel, code, first));
            first += sites[sites.len() - 1].len() as u32;
        }
        let stores = schedule.buffers.iter().map(|_| Shadow::default()).collect();
        Self {
            config,
            device: device.to_owned(),
            schedule: schedule.clone(),
            codes: codes.to_vec(),
            sites,
            numbers: vec![0; first as usize],
            spots: vec![None],
            stores,
            held_bytes: 0,
            peak_bytes: 0,
            first: race::FIRST,
            next: race::FIRST,
            ran: Vec::new(),
            now: Now::default(),
            turn: Turn::default(),
            faults: BTreeMap::new(),
            records: BTreeMap::new(),
            races: Vec::new(),
            bytes: Vec::new(),
            watched: 0,
            workgroups: 0,
            failed: None,
        }
    }

    /// Bytes that it has held at once.
    pub(super) fn peak_bytes(&self) -> u64 {
        self.peak_bytes
    }

    /// A store has memory from now on: the caller's, who has filled it, or zeros.
    pub(super) fn come(&mut self, store: usize, bytes: usize, whole: bool) {
        // Halves of a word can belong to different invocations.
        let halves = self.schedule.kernels.iter().any(|kernel| kernel.needs.f16.is_some());
        self.stores[store] = Shadow::new(bytes, if halves { 2 } else { 4 }, whole);
    }

    /// It has none any more.
    pub(super) fn go(&mut self, store: usize) {
        self.held_bytes -= self.stores[store].held_bytes();
        self.stores[store] = Shadow::default();
    }

    /// The host has written these bytes of a store.
    pub(super) fn filled(&mut self, store: usize, range: Range<usize>) -> Result<(), Error> {
        let before = self.stores[store].held_bytes();
        self.stores[store].write(range).map_err(|_| self.refused(store))?;
        self.held_bytes += self.stores[store].held_bytes() - before;
        self.fits()
    }

    /// What was written in one range is written in the other.
    pub(super) fn copied(&mut self, from: &(usize, Range<usize>), to: (usize, Range<usize>)) -> Result<(), Error> {
        let written = self.stores[from.0].written(from.1.clone());
        if written.iter().all(|&written| written) {
            return self.filled(to.0, to.1);
        }
        let unit = from.1.len().div_ceil(written.len().max(1));
        for (at, _) in to.1.step_by(unit.max(1)).zip(written).filter(|(_, written)| *written) {
            self.filled(to.0, at..at + unit)?;
        }
        Ok(())
    }

    /// Two buffers have changed places. The caller's are all written, whatever comes into them.
    pub(super) fn swapped(&mut self, one: (usize, Range<usize>), other: (usize, Range<usize>)) -> Result<(), Error> {
        if [one.0, other.0].iter().any(|&store| self.schedule.buffers[store].life == Life::Resident) {
            self.filled(one.0, one.1)?;
            return self.filled(other.0, other.1);
        }
        self.stores.swap(one.0, other.0);
        Ok(())
    }

    /// Everything before is ordered before everything after.
    pub(super) fn boundary(&mut self) {
        self.first = self.next;
        self.ran.clear();
    }

    /// A dispatch begins, with where each of its rows lies; `sole` if nothing runs beside it.
    pub(super) fn begin(&mut self, kernel: usize, grid: [u32; 3], rows: Vec<(usize, usize)>, sole: bool) {
        let (of, code) = (&self.schedule.kernels[kernel], &self.codes[kernel]);
        let quiet = of.buffers.iter().map(|row| sole && !row.effects.writes && !row.effects.updates).collect();
        let unit = self::memory(of, code).map(|(_, ty, _)| site::smallest(&ty)).min().unwrap_or(4).min(4);
        self.now = Now { kernel, first: 0, grid, rows, quiet, unit };
        let count = count(grid);
        self.workgroups += count;
        let sample = self.config.workgroups.map_or(count, |only| only.end.min(count).saturating_sub(only.first));
        self.watched += sample;
        self.tickets();
    }

    /// Gives tickets to all workgroups of the dispatch.
    fn tickets(&mut self) {
        let count = count(self.now.grid).min(u64::from(u32::MAX - race::FIRST)) as u32;
        if self.next.checked_add(count).is_none() {
            self.stores.iter_mut().for_each(Shadow::forget);
            (self.first, self.next) = (race::FIRST, race::FIRST);
            self.ran.clear();
        }
        self.now.first = self.next;
        self.next += count;
        self.ran.push(Ran { kernel: self.now.kernel, grid: self.now.grid, tickets: self.now.first..self.next });
    }

    /// All workgroups of the dispatch have met.
    pub(super) fn grid_barrier(&mut self) {
        self.boundary();
        self.tickets();
    }

    /// The dispatch is over, and its workgroup memory gone.
    pub(super) fn end(&mut self) -> Result<(), Error> {
        self.held_bytes = self.stores.iter().map(Shadow::held_bytes).sum();
        self.failed.take().map_or(Ok(()), Err)
    }

    /// It is this invocation's turn.
    pub(super) fn enter(&mut self, group: &mut Group, id: [u32; 3], index: usize) -> Result<(), Error> {
        let linear = linear(id, self.now.grid);
        let in_sample = self.config.workgroups.is_none_or(|only| (only.first..only.end).contains(&linear));
        let ticket = u64::from(self.now.first) + linear;
        let is_watched = in_sample && ticket < u64::from(u32::MAX);
        let ticket = ticket.min(u64::from(u32::MAX)) as u32;
        if group.start == 0 {
            group.start = ticket;
            let bytes = self.codes[self.now.kernel].workgroup_bytes;
            if is_watched && bytes > 0 && !group.memory.is_made() {
                group.memory = Shadow::new(bytes, self.now.unit, false);
                let full_bytes = group.memory.full_bytes();
                group.memory.make().map_err(|_| self.no_room("shadow memory of a workgroup", full_bytes))?;
                self.held_bytes += group.memory.held_bytes();
                self.fits()?;
            }
        }
        let start = group.start;
        self.turn = Turn { ticket, start, id, index, is_watched, group: std::mem::take(group) };
        Ok(())
    }

    /// It has stopped for now.
    pub(super) fn leave(&mut self, group: &mut Group) -> Result<(), Error> {
        *group = std::mem::take(&mut self.turn.group);
        self.failed.take().map_or(Ok(()), Err)
    }

    /// What was found.
    pub(super) fn findings(self) -> Findings {
        let (watched, workgroups) = (self.watched, self.workgroups);
        Findings { list: self.told(), watched, workgroups }
    }

    /// Whether its memory is within the schedule's budget, beside all that can be live at once.
    fn fits(&mut self) -> Result<(), Error> {
        self.peak_bytes = self.peak_bytes.max(self.held_bytes);
        let used_bytes = self.schedule.peak_bytes();
        match self.schedule.budget_bytes {
            Some(budget_bytes) if used_bytes + self.held_bytes > budget_bytes => Err(Error::OverBudget {
                device: self.device.clone(),
                what: "shadow memory, 64 bytes for each word that is watched,".to_owned(),
                bytes: self.held_bytes,
                used_bytes,
                budget_bytes,
            }),
            _ => Ok(()),
        }
    }

    fn refused(&self, store: usize) -> Error {
        let name = &self.schedule.buffers[store].name;
        self.no_room(&format!("shadow memory of `{name}`"), self.stores[store].full_bytes())
    }

    fn no_room(&self, what: &str, bytes: u64) -> Error {
        Error::OutOfMemory { device: self.device.clone(), what: what.to_owned(), bytes }
    }

    fn kernel(&self) -> &Kernel {
        &self.schedule.kernels[self.now.kernel]
    }

    /// Between whom a race is.
    fn scope(&self, place: Place, other: u32) -> Scope {
        let mine = self.ran.last().is_some_and(|ran| ran.tickets.contains(&other));
        match place {
            Place::Workgroup => Scope::Workgroup,
            Place::Buffer(_) | Place::Own | Place::Nowhere if other == self.turn.ticket => Scope::Storage,
            Place::Buffer(_) | Place::Own | Place::Nowhere if mine => Scope::Across,
            Place::Buffer(_) | Place::Own | Place::Nowhere => Scope::Waves,
        }
    }
}

/// Workgroups of a grid.
fn count(grid: [u32; 3]) -> u64 {
    grid.iter().fold(1, |count: u64, &n| count.saturating_mul(n.into()))
}

/// Its place among them, x fastest.
fn linear([x, y, z]: [u32; 3], [width, height, _]: [u32; 3]) -> u64 {
    u64::from(x) + u64::from(width) * (u64::from(y) + u64::from(height) * u64::from(z))
}

/// The workgroup variables of a kernel: name, type and first byte.
fn memory<'k>(kernel: &'k Kernel, code: &'k Code) -> impl Iterator<Item = (&'k naga::GlobalVariable, Type, usize)> {
    let variables = kernel.module().global_variables.iter().zip(&code.globals);
    variables.filter(|(_, pointer)| pointer.place == Place::Workgroup).filter_map(|((_, variable), pointer)| {
        Some((variable, Type::of(kernel.module(), variable.ty)?, pointer.offset))
    })
}

/// Whether a group of steps, from its first on, has only this one dispatch.
pub(super) fn is_sole(steps: &[Step], index: usize) -> bool {
    let runs = |step: &&Step| matches!(step, Step::Dispatch { .. } | Step::DispatchIndirect { .. });
    let inside = |step: &&Step| !step.is_boundary();
    let before = steps[..index].iter().rev().take_while(inside).any(|step| runs(&step));
    !before && !steps[index + 1..].iter().take_while(inside).any(|step| runs(&step))
}
