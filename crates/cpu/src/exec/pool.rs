//! Worker threads that are started once, and the parallel regions that they run.
//!
//! A region is one closure that every worker calls once; the calling thread is worker 0.
//! The others sleep between regions, but poll for a while first, so regions that follow one
//! another closely start in about a microsecond.
//!
//! One region runs at a time: a second caller waits its turn, since two regions on the same
//! cores would only slow each other, and gives up if it is asked to stop meanwhile. A region inside a region, of whatever pool, runs inline
//! on its caller, alone. If a worker panics, the others are unwound from the barrier at
//! which they would wait for it, and the caller gets the panic when all have ended.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::{io, ptr};

use seawall_core::stop::{Reason, Stop};

use super::barrier::{Barrier, Broken, WORKERS_MAX};
use super::scratch::Scratch;
use super::signal::{Seen, Signal};
use super::stack::THREAD_BYTES;
use super::sync::{AtomicPtr, Mutex, Turn, lock, thread, thread_local};
use crate::fork::Process;

/// Why there is no pool.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// More threads than the barrier counts.
    #[error("{threads} threads are more than {WORKERS_MAX}")]
    TooMany {
        /// As asked for.
        threads: usize,
    },
    /// The system gave no thread.
    #[error("worker thread {index} could not be started")]
    Spawn {
        /// Which worker it would have been.
        index: usize,
        /// What the system says.
        source: io::Error,
    },
}

/// What every worker of a region does.
type Job<'a> = &'a (dyn Fn(&Worker<'_>) + Sync);

/// One of the workers of a region, on its own thread.
#[derive(Debug)]
pub(crate) struct Worker<'a> {
    /// From 0, which is the caller.
    pub(crate) index: usize,
    /// How many there are in this region.
    pub(crate) count: usize,
    /// Memory for this worker alone.
    pub(crate) scratch: &'a RefCell<Scratch>,
    /// `None` if it is alone.
    barrier: Option<&'a Barrier>,
}

impl Worker<'_> {
    /// Waits for the other workers; what any of them wrote before, all see after. All must
    /// cross it equally often. Unwinds if one of them cannot come.
    pub(crate) fn barrier(&self) {
        if let Some(Err(broken)) = self.barrier.map(Barrier::cross) {
            resume_unwind(Box::new(broken));
        }
    }
}

/// What the threads of a pool share.
#[derive(Debug)]
struct Shared {
    count: usize,
    /// Points to the caller's [`Job`] while a region runs; null to end the threads.
    job: AtomicPtr<()>,
    start: Signal,
    /// Advanced if the last to leave a region is not the caller.
    done: Signal,
    barrier: Barrier,
    panics: Mutex<Vec<Box<dyn Any + Send>>>,
}

thread_local! {
    /// Whether this thread works in a region.
    #[allow(clippy::missing_const_for_thread_local, reason = "loom's double takes no `const` block")]
    static INSIDE: Cell<bool> = Cell::new(false);
}

/// Marks the thread as working in a region until dropped.
struct Inside {
    before: bool,
}

impl Inside {
    fn enter() -> Self {
        Self { before: INSIDE.with(|inside| inside.replace(true)) }
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        INSIDE.with(|inside| inside.set(self.before));
    }
}

impl Shared {
    /// Does one worker's part and leaves; whether it was the last to.
    fn work(&self, index: usize, scratch: &RefCell<Scratch>, job: Job<'_>) -> bool {
        let worker = Worker { index, count: self.count, scratch, barrier: Some(&self.barrier) };
        let end = catch_unwind(AssertUnwindSafe(|| {
            let _inside = Inside::enter();
            job(&worker);
        }));
        if let Err(panic) = end {
            lock(&self.panics).push(panic);
            self.barrier.break_off();
        }
        self.barrier.leave()
    }

    /// The life of a worker thread.
    fn serve(&self, index: usize) {
        let scratch = RefCell::default();
        let mut seen = Seen::FIRST;
        loop {
            self.start.wait(seen);
            // The caller does not advance again before this worker has left.
            seen = self.start.now();
            let job = self.job.load(Relaxed).cast::<Job<'_>>();
            if job.is_null() {
                return;
            }
            // SAFETY: `Pool::run` made it from a reference on its stack, and stays there until
            // every worker has left; this one leaves at the end of `work`.
            let job = unsafe { *job };
            if self.work(index, &scratch, job) {
                self.done.advance();
            }
        }
    }
}

/// See the module. Dropping it ends the threads.
#[derive(Debug)]
pub(crate) struct Pool {
    shared: Arc<Shared>,
    threads: Vec<thread::JoinHandle<()>>,
    /// Held by whose turn it is, with the scratch of worker 0.
    turn: Turn<RefCell<Scratch>>,
    /// Where the threads are.
    process: Process,
}

impl Pool {
    /// A pool of so many workers, the caller among them.
    pub(crate) fn new(threads: NonZeroUsize) -> Result<Self, Error> {
        let count = threads.get();
        if count > WORKERS_MAX {
            return Err(Error::TooMany { threads: count });
        }
        let shared = Arc::new(Shared {
            count,
            job: AtomicPtr::new(ptr::null_mut()),
            start: Signal::new(),
            done: Signal::new(),
            barrier: Barrier::new(count),
            panics: Mutex::default(),
        });
        let mut pool = Self { shared, threads: Vec::new(), turn: Turn::default(), process: Process::this() };
        for index in 1..count {
            let shared = pool.shared.clone();
            let thread = thread::Builder::new().name(format!("seawall {index}")).stack_size(THREAD_BYTES);
            let thread = thread.spawn(move || shared.serve(index));
            pool.threads.push(thread.map_err(|source| Error::Spawn { index, source })?);
        }
        Ok(pool)
    }

    /// How many workers a region has.
    pub(crate) fn count(&self) -> usize {
        self.shared.count
    }

    /// Whether its threads are in this process, which may be a child of theirs.
    pub(crate) fn is_here(&self) -> bool {
        self.process.is_this()
    }

    /// Runs a region: every worker calls `job` once. Returns when all have, or carries on
    /// the first panic; or does nothing, if it is asked to stop before its turn comes.
    pub(crate) fn run_with(&self, job: Job<'_>, stop: &Stop) -> Result<(), Reason> {
        if self.threads.is_empty() || INSIDE.with(Cell::get) {
            self.inline(job);
            return Ok(());
        }
        let shared = &*self.shared;
        let turn = self.turn.take(stop)?;
        shared.barrier.open();
        let seen = shared.done.now();
        shared.job.store((&raw const job).cast_mut().cast(), Relaxed);
        shared.start.advance();
        if !shared.work(0, &turn, job) {
            shared.done.wait(seen);
        }
        let panics = shared.barrier.broken().then(|| std::mem::take(&mut *lock(&shared.panics)));
        drop(turn);
        if let Some(panics) = panics {
            match panics.into_iter().find(|panic| !panic.is::<Broken>()) {
                Some(panic) => resume_unwind(panic),
                None => unreachable!("invariant: workers cross the barrier equally often"),
            }
        }
        Ok(())
    }

    /// Calls `job` on this thread alone, at once: for work that is done before the others
    /// would be awake.
    pub(crate) fn inline(&self, job: Job<'_>) {
        let _inside = Inside::enter();
        let call = |scratch: &_| job(&Worker { index: 0, count: 1, scratch, barrier: None });
        match self.turn.try_take() {
            Some(turn) => call(&turn),
            None => call(&RefCell::default()),
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        if !self.is_here() {
            // Nobody can be woken or waited for, and the handles mean threads of the parent.
            std::mem::forget(std::mem::take(&mut self.threads));
            return;
        }
        self.shared.job.store(ptr::null_mut(), Relaxed);
        self.shared.start.advance();
        for thread in self.threads.drain(..) {
            let ended = thread.join();
            debug_assert!(ended.is_ok(), "invariant: a worker catches the panics of its jobs");
        }
    }
}

#[cfg(test)]
mod tests;
