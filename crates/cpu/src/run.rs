//! Runs a checked schedule: one parallel region, a barrier between groups.

mod shield;
mod step;
mod work;

use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use seawall_core::cache;
use seawall_core::check::Checked;
use seawall_core::device::{self, Control, Error, Host, Io, Stats, Timed};
use seawall_core::schedule::Life;

use crate::alias::{self, Alias};
use crate::bank::Bank;
use crate::compile::Code;
use crate::context;
use crate::device::{ID, memory_of};
use crate::exec::chunks::{Chunks, Sizes};
use crate::exec::memory::{self, Edge, Memory, View};
use crate::exec::pool::{Pool, Worker};
use crate::recipe::Recipe;

/// Operations that are done before another thread would be awake.
const INLINE_OPERATIONS: u64 = 100_000;

/// Operations of a group that take about as long as it takes workers to meet.
const MEETING_OPERATIONS: u64 = 10_000;

/// Operations that make handing out a chunk cheap beside doing it.
const CHUNK_OPERATIONS: u64 = 20_000;

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
    /// With the code of each kernel, and how it was come by.
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

    /// One, where the others would come too late or wait for each other most of the time.
    fn workers(&self) -> usize {
        let Recipe { operations, turnover, .. } = &self.recipe;
        let alone = *operations < INLINE_OPERATIONS || operations / (turnover.len() as u64) < MEETING_OPERATIONS;
        if alone { 1 } else { self.pool.count() }
    }

    /// By kernel: how its dispatches are handed out.
    fn sizes(&self, workers: usize) -> Vec<Sizes> {
        let sizes = |operations: &u64| Sizes::new(CHUNK_OPERATIONS / (*operations).max(1), workers);
        self.recipe.workgroup_operations.iter().map(sizes).collect()
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
        let table = self.schedule.buffers.iter().zip(&aliases).map(|(buffer, alias)| {
            AtomicPtr::new(match (buffer.life, alias) {
                (Life::Resident, _) => parts.next().expect("invariant io-fits: one for each"),
                (Life::Transient, Some(alias)) => hosts[alias.host].as_ptr(),
                (Life::Transient, None) => std::ptr::null_mut(),
            })
        });
        let table = table.collect();
        let limit_bytes = self.schedule.peak_bytes().saturating_sub(self.recipe.resident_bytes);
        let bank = self.spare.lock().unwrap_or_else(PoisonError::into_inner).take();
        let workers = self.workers();
        let run = Run {
            loaded: self,
            table,
            hosts,
            aliases,
            sizes: self.sizes(workers),
            chunks: std::iter::repeat_with(Chunks::new).take(self.recipe.stats.dispatches as usize).collect(),
            control,
            bank: Mutex::new(bank.unwrap_or_else(|| Bank::new(self.schedule.buffers.len(), limit_bytes, self.edge))),
            failure: Mutex::new(None),
            failed: AtomicBool::new(false),
            halt: AtomicUsize::new(usize::MAX),
            found: Found::default(),
            times: Mutex::default(),
            residents,
            shielded: Mutex::default(),
        };
        run.come(0);
        run.shield(Some(0));
        let job = |worker: &Worker<'_>| run.work(worker);
        match (run.failed.load(Relaxed), workers) {
            (true, _) => {}
            (false, 1) => self.pool.inline(&job),
            (false, _) => {
                if let Err(reason) = self.pool.run_with(&job, &control.stop) {
                    run.fail(reason.into());
                }
            }
        }
        run.end()
    }
}

fn host_view(host: Host<'_>) -> View<'_> {
    match host {
        Host::Read(slice) => View::over(slice),
        Host::Write(slice) => View::over_mut(slice),
    }
}

/// What only the device knew.
#[derive(Debug, Default)]
struct Found {
    workgroups: AtomicU64,
    invocations: AtomicU64,
    downloaded_bytes: AtomicU64,
}

/// What a worker keeps from dispatch to dispatch.
#[derive(Default)]
struct Local {
    bound: Vec<context::Buffer>,
    /// What has not been reported yet.
    workgroups: u64,
    operations: u64,
}

/// One run, as its workers see it.
struct Run<'a> {
    loaded: &'a Loaded,
    /// Where each buffer's memory starts; null while it has none. Changed between groups, by
    /// one worker, with a barrier before and after.
    table: Vec<AtomicPtr<u8>>,
    hosts: Vec<View<'a>>,
    aliases: Vec<Option<Alias>>,
    /// By kernel.
    sizes: Vec<Sizes>,
    /// By dispatch.
    chunks: Vec<Chunks>,
    control: &'a Control,
    bank: Mutex<Bank>,
    failure: Mutex<Option<Error>>,
    failed: AtomicBool,
    /// The barrier after which everyone stops. Worker 0 says so before it comes to that
    /// barrier, so that all find the same there.
    halt: AtomicUsize,
    found: Found,
    /// Where the run is timed.
    times: Mutex<Vec<Timed>>,
    /// In the order of the schedule.
    residents: Vec<&'a Memory>,
    /// Buffers that can be read only now.
    shielded: Mutex<Vec<usize>>,
}
