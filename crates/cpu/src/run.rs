//! Runs a checked schedule: one worker leads, and shares the groups that are worth it.
//!
//! The leader alone walks the schedule and decides: which memory comes and goes, what a group finds
//! in its grids and counts, whether to stop. It writes that down in a [`Group`], which is all that
//! workers see. A group too small to share it does itself, at no cost but the work's.

mod group;
mod lead;
mod share;
mod shield;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use seawall_core::cache;
use seawall_core::check::Checked;
use seawall_core::device::{self, Control, Error, Host, Io, Looped, Stats, Timed};
use seawall_core::schedule::Life;

use self::group::Group;
use self::lead::Leader;
use crate::alias;
use crate::bank::Bank;
use crate::compile::Code;
use crate::exec::memory::{self, Edge, Memory, View};
use crate::exec::pool::Pool;
use crate::lent::{ID, memory_of};
use crate::recipe::Recipe;

/// A schedule with compiled kernels.
pub(crate) struct Loaded {
    schedule: Arc<Checked>,
    codes: Vec<Arc<Code>>,
    found: Vec<cache::Found>,
    recipe: Recipe,
    pool: Arc<Pool>,
    /// Transient memory, kept from run to run.
    spare: Mutex<Option<Bank>>,
    /// What memory is to have, for tests.
    edge: Option<Edge>,
}

impl Loaded {
    /// With the code of each kernel, and whether it was compiled or found in the cache.
    pub(crate) fn new(
        schedule: Arc<Checked>,
        codes: Vec<Arc<Code>>,
        found: Vec<cache::Found>,
        pool: Arc<Pool>,
        edge: Option<Edge>,
    ) -> Self {
        let recipe = Recipe::new(&schedule, &codes);
        Self { schedule, codes, found, recipe, pool, spare: Mutex::default(), edge }
    }
}

impl device::Loaded for Loaded {
    fn found(&self) -> &[cache::Found] {
        &self.found
    }

    fn run(&self, io: Io<'_>, control: &Control) -> Result<Stats, Error> {
        if !self.pool.is_here() {
            return Err(Error::Forked { device: ID.to_owned() });
        }
        device::io_fits(&self.schedule, &io)?;
        // A slice has no edge.
        let aliases = match self.edge {
            None => alias::aligned(&self.recipe.aliases, &io),
            Some(_) => vec![None; self.recipe.aliases.len()],
        };
        let residents = io.residents.iter().map(|buffer| memory_of(buffer)).collect::<Result<Vec<&Memory>, _>>()?;
        let mut guards = memory::lock_all(&residents, &control.stop)?;
        let mut parts = io.residents.iter().zip(&residents).map(|(buffer, memory)| {
            let part = guards.part(memory, buffer.offset, buffer.bytes);
            part.expect("invariant residents: they lie in their memory").as_ptr()
        });
        let hosts: Vec<View<'_>> = io.hosts.into_iter().map(host_view).collect();
        let table = self.schedule.buffers.iter().zip(&aliases).map(|(buffer, alias)| match (buffer.life, alias) {
            (Life::Resident, _) => parts.next().expect("invariant io-fits: one for each"),
            (Life::Transient, Some(alias)) => hosts[alias.host].as_ptr(),
            (Life::Transient, None) => std::ptr::null_mut(),
        });
        let table: Vec<*mut u8> = table.collect();
        let homes = table.clone();
        let bodies = self.schedule.bodies().iter();
        let loops: Vec<Looped> = bodies.map(|&(step, _)| Looped { step, ..Looped::default() }).collect();
        let limit_bytes = self.schedule.peak_bytes().saturating_sub(self.recipe.resident_bytes);
        let bank = self.spare.lock().unwrap_or_else(PoisonError::into_inner).take();
        let bank = bank.unwrap_or_else(|| Bank::new(self.schedule.buffers.len(), limit_bytes, self.edge));
        let common = Common {
            loaded: self,
            control,
            failure: Mutex::new(None),
            failed: AtomicBool::new(false),
            times: Mutex::default(),
        };
        let mut leader = Leader {
            common: &common,
            table,
            hosts,
            aliases,
            bank,
            residents,
            homes,
            shielded: Vec::new(),
            team: self.pool.team(&control.stop),
            alone_operations: 0,
            left_nanos: 0,
            turns: vec![0; loops.len()],
            stats: Stats { loops, ..Stats::default() },
        };
        // What it says is in `common`.
        let _halted = leader.run();
        let stats = leader.end();
        common.end(stats)
    }
}

fn host_view(host: Host<'_>) -> View<'_> {
    match host {
        Host::Read(slice) => View::over(slice),
        Host::Write(slice) => View::over_mut(slice),
    }
}

/// One run, as all its workers see it.
struct Common<'a> {
    loaded: &'a Loaded,
    control: &'a Control,
    failure: Mutex<Option<Error>>,
    failed: AtomicBool,
    /// Where the run is timed.
    times: Mutex<Vec<Timed>>,
}

/// The run goes no further; [`Common::failure`] says why.
#[derive(Debug)]
struct Halted;

impl Common<'_> {
    /// The first failure counts; one that names a loop counts for more.
    fn fail(&self, error: Error) -> Halted {
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        let replace = match &*failure {
            None => true,
            Some(Error::Stopped { report: Some(report), .. }) => {
                report.diagnostics.iter().all(|diagnostic| diagnostic.labels.is_empty())
            }
            Some(Error::Stopped { report: None, .. }) => true,
            Some(_) => false,
        };
        if replace {
            *failure = Some(error);
        }
        self.failed.store(true, Relaxed);
        Halted
    }

    /// Whether nobody has failed.
    fn go_on(&self) -> Result<(), Halted> {
        if self.failed.load(Relaxed) { Err(Halted) } else { Ok(()) }
    }

    /// Keeps when a worker did what.
    fn timed(&self, mut times: Vec<Timed>) {
        if !times.is_empty() {
            self.times.lock().unwrap_or_else(PoisonError::into_inner).append(&mut times);
        }
    }

    fn end(self, mut stats: Stats) -> Result<Stats, Error> {
        if let Some(error) = self.failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        stats.times = self.times.into_inner().unwrap_or_else(PoisonError::into_inner);
        stats.times.sort_by_key(|timed| (timed.step, timed.worker));
        Ok(stats)
    }
}
