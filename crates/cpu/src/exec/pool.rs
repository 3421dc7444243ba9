//! Worker threads that are started once, and the teams that share work among them.
//!
//! A thread that has work to share makes a [`Team`] and leads it, as worker 0. It works alone, and
//! alone decides what is next, until something is worth sharing: then it calls as many others as have
//! something to do ([`Team::share`]), takes part, and goes on when all that came are done. Others know
//! nothing of what was before or comes after. Who is not called is not woken.
//!
//! Calls go down a tree: the leader calls two workers, each of whom calls two more before it begins,
//! so that waking 64 takes the leader no longer than waking two. Those that have not begun when the
//! leader has nothing left to do are no longer needed, and not waited for.
//!
//! One team shares at a time: the leader of a second one waits its turn, since two on the same cores
//! would only slow each other, and gives up if it is asked to stop meanwhile. A turn lasts as long as
//! its team. A team inside a team, of whatever pool, is its leader alone. If a worker panics, the
//! leader carries the panic on when all others are done with what they share.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::{io, ptr};

use seawall_core::stop::{Reason, Stop};

use super::mailbox::Mailbox;
use super::scratch::Scratch;
use super::stack::THREAD_BYTES;
use super::sync::{AtomicBool, AtomicPtr, AtomicUsize, Held, Mutex, Turn, lock, thread, thread_local};
use crate::fork::Process;

/// Threads at the most; more are surely a mistake.
pub(crate) const WORKERS_MAX: usize = 1024;

/// Whom each worker calls.
const CALLS: usize = 2;

/// Why there is no pool.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// More threads than anyone has use for.
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

/// What every worker that comes does.
type Job<'a> = &'a (dyn Fn(&Worker<'_>) + Sync);

/// One of those who share something, on its own thread.
#[derive(Debug)]
pub(crate) struct Worker<'a> {
    /// From 0, which is the leader.
    pub(crate) index: usize,
    /// How many were called, the leader among them. Not all of them may come.
    pub(crate) count: usize,
    /// Memory for this worker alone.
    pub(crate) scratch: &'a RefCell<Scratch>,
}

/// What the threads of a pool share. Changed by the leader whose turn it is, while all workers rest.
#[derive(Debug)]
struct Shared {
    /// Of workers 1 and on.
    mailboxes: Vec<Mailbox>,
    /// Points to the leader's [`Job`] while workers may come.
    job: AtomicPtr<()>,
    /// How many share it.
    count: AtomicUsize,
    panicked: AtomicBool,
    panics: Mutex<Vec<Box<dyn Any + Send>>>,
}

thread_local! {
    /// Whether this thread works in a team.
    #[allow(clippy::missing_const_for_thread_local, reason = "loom's double takes no `const` block")]
    static INSIDE: Cell<bool> = Cell::new(false);
}

/// Marks the thread as working in a team until dropped.
#[derive(Debug)]
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
    /// Calls those whom this worker is to call.
    fn call(&self, index: usize, count: usize) {
        let first = index * CALLS + 1;
        (first..(first + CALLS).min(count)).for_each(|called| self.mailboxes[called - 1].call());
    }

    /// The life of a worker thread.
    fn serve(&self, index: usize) {
        let scratch = RefCell::default();
        let mailbox = &self.mailboxes[index - 1];
        let _inside = Inside::enter();
        while mailbox.answer() {
            let count = self.count.load(Relaxed);
            self.call(index, count);
            let job = self.job.load(Relaxed).cast::<Job<'_>>();
            // SAFETY: `Team::share` made it from a reference on its stack, and stays there until it
            // has settled with every worker; with this one not before it is done.
            let job = unsafe { *job };
            let worker = Worker { index, count, scratch: &scratch };
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| job(&worker))) {
                lock(&self.panics).push(panic);
                self.panicked.store(true, Relaxed);
            }
            mailbox.done();
        }
    }
}

/// See the module. Dropping it ends the threads.
#[derive(Debug)]
pub(crate) struct Pool {
    shared: Arc<Shared>,
    threads: Vec<thread::JoinHandle<()>>,
    /// Held by the team that shares.
    turn: Turn<()>,
    /// Memory of leaders that are through.
    scratches: Mutex<Vec<Scratch>>,
    /// Where the threads are.
    process: Process,
}

impl Pool {
    /// A pool of so many workers, the leader among them.
    pub(crate) fn new(threads: NonZeroUsize) -> Result<Self, Error> {
        let count = threads.get();
        if count > WORKERS_MAX {
            return Err(Error::TooMany { threads: count });
        }
        let shared = Arc::new(Shared {
            mailboxes: (1..count).map(|_| Mailbox::new()).collect(),
            job: AtomicPtr::new(ptr::null_mut()),
            count: AtomicUsize::new(0),
            panicked: AtomicBool::new(false),
            panics: Mutex::default(),
        });
        let (threads, turn, scratches) = (Vec::new(), Turn::default(), Mutex::default());
        let mut pool = Self { shared, threads, turn, scratches, process: Process::this() };
        for index in 1..count {
            let shared = pool.shared.clone();
            let thread = thread::Builder::new().name(format!("seawall {index}")).stack_size(THREAD_BYTES);
            let thread = thread.spawn(move || shared.serve(index));
            pool.threads.push(thread.map_err(|source| Error::Spawn { index, source })?);
        }
        Ok(pool)
    }

    /// Workers, the caller among them.
    pub(crate) fn workers(&self) -> usize {
        self.threads.len() + 1
    }

    /// Whether its threads are in this process, which may be a child of theirs.
    pub(crate) fn is_here(&self) -> bool {
        self.process.is_this()
    }

    /// A team that this thread leads, alone as yet.
    pub(crate) fn team<'a>(&'a self, stop: &'a Stop) -> Team<'a> {
        let inside = Inside::enter();
        let count = if inside.before { 1 } else { self.workers() };
        let scratch = lock(&self.scratches).pop().unwrap_or_default();
        Team { pool: self, stop, count, scratch: RefCell::new(scratch), turn: None, _inside: inside }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        if !self.is_here() {
            // Nobody can be woken or waited for, and the handles mean threads of the parent.
            std::mem::forget(std::mem::take(&mut self.threads));
            return;
        }
        // Not all have a thread, where one could not be started.
        self.shared.mailboxes.iter().for_each(Mailbox::close);
        for thread in self.threads.drain(..) {
            let ended = thread.join();
            debug_assert!(ended.is_ok(), "invariant: a worker catches the panics of its jobs");
        }
    }
}

/// A leader, and the workers whom it may call.
#[derive(Debug)]
pub(crate) struct Team<'a> {
    pool: &'a Pool,
    stop: &'a Stop,
    count: usize,
    scratch: RefCell<Scratch>,
    turn: Option<Held<'a, ()>>,
    _inside: Inside,
}

impl Team<'_> {
    /// How many there are, the leader among them.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Whether the first of the others would be there at once.
    pub(crate) fn looks_out(&self) -> bool {
        self.pool.shared.mailboxes.first().is_some_and(Mailbox::looks_out)
    }

    /// The leader, for what it does alone.
    pub(crate) fn alone(&self) -> Worker<'_> {
        Worker { index: 0, count: 1, scratch: &self.scratch }
    }

    /// Calls workers up to `count` in all, each of whom calls `job` once, if it comes before there is
    /// nothing left to do: when the leader returns from it. Returns when all are done, or carries on
    /// a panic; or does nothing, if it is asked to stop before its turn comes.
    pub(crate) fn share(&mut self, count: usize, job: Job<'_>) -> Result<(), Reason> {
        assert!((1..=self.count).contains(&count), "invariant: a team of {} does not share by {count}", self.count);
        if count == 1 {
            job(&self.alone());
            return Ok(());
        }
        if self.turn.is_none() {
            self.turn = Some(self.pool.turn.take(self.stop)?);
        }
        let shared = &*self.pool.shared;
        shared.job.store((&raw const job).cast_mut().cast(), Relaxed);
        shared.count.store(count, Relaxed);
        shared.call(0, count);
        let end = catch_unwind(AssertUnwindSafe(|| job(&Worker { index: 0, count, scratch: &self.scratch })));
        // In this order: those whom a worker called are known when it is done.
        shared.mailboxes[..count - 1].iter().for_each(Mailbox::settle);
        if shared.panicked.load(Relaxed) {
            shared.panicked.store(false, Relaxed);
            let panics = std::mem::take(&mut *lock(&shared.panics));
            if let Some(first) = panics.into_iter().next() {
                resume_unwind(first);
            }
        }
        end.map_err(|panic| resume_unwind(panic))
    }
}

impl Drop for Team<'_> {
    fn drop(&mut self) {
        lock(&self.pool.scratches).push(self.scratch.take());
    }
}

#[cfg(test)]
mod tests;
