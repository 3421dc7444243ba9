//! Runs that go on by themselves.

use std::any::{Any, TypeId};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use bytemuck::Pod;
use seawall_core::device::{self, Control, Reason};
use seawall_cpu::Promise;

use crate::compiled::{Compiled, Finished};
use crate::deadline::within;
use crate::error::Error;
use crate::host::{Bind, Bound};

/// A vector of some plain data.
trait Owned: Send {
    fn bound(&mut self) -> Bound<'_>;
    fn id(&self) -> TypeId;
    fn into_any(self: Box<Self>) -> Box<dyn Any>;
}

impl<T: Pod + Send> Owned for Vec<T> {
    fn bound(&mut self) -> Bound<'_> {
        Bind::bound(self)
    }

    fn id(&self) -> TypeId {
        TypeId::of::<Self>()
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

/// A run being described that has its inputs and outputs to itself.
#[must_use = "a job does nothing until it is submitted"]
pub struct Job {
    compiled: Compiled,
    vectors: Vec<(String, Box<dyn Owned>)>,
    deadline: Option<Duration>,
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.vectors.iter().map(|(name, _)| name)).finish()
    }
}

impl Job {
    pub(crate) fn new(compiled: Compiled) -> Self {
        Self { compiled, vectors: Vec::new(), deadline: None }
    }

    /// Gives a vector to the input or output of this name; it comes back with the results.
    pub fn bind<T: Pod + Send>(mut self, data: &str, vector: Vec<T>) -> Self {
        self.vectors.push((data.to_owned(), Box::new(vector)));
        self
    }

    /// Ends it, with [`Stopped`](seawall_core::device::Error::Stopped), if it is not done in this
    /// time, counted from [`submit`](Self::submit): waiting for other jobs counts.
    pub fn deadline(mut self, time: Duration) -> Self {
        self.deadline = Some(time);
        self
    }

    /// Lets it run as soon as a thread is free: several jobs do at once, and the others wait.
    pub fn submit(self) -> Result<Ticket, Error> {
        let control = Arc::new(Control::default());
        let Self { compiled, mut vectors, deadline } = self;
        // One that lies beyond all time is none.
        let until = deadline.and_then(|time| Instant::now().checked_add(time));
        let (shared, crew) = (control.clone(), compiled.clone());
        let work = move || {
            let bound = vectors.iter_mut().map(|(name, vector)| (name.clone(), vector.bound())).collect();
            let finished = match until.map(|until| until.saturating_duration_since(Instant::now())) {
                None => compiled.run(bound, &shared)?,
                Some(left) => within(left, &shared, || compiled.run(bound, &shared))?,
            };
            Ok(Results { finished, vectors })
        };
        let promise = crew.jobs()?.submit(work).map_err(|reason| Error::Thread { reason })?;
        Ok(Ticket { control, until, promise })
    }
}

/// A run that goes on. Dropping the ticket lets it; to end it, [`cancel`](Self::cancel).
pub struct Ticket {
    control: Arc<Control>,
    /// Its deadline.
    until: Option<Instant>,
    promise: Promise<Result<Results, Error>>,
}

impl fmt::Debug for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ticket").field("over", &self.poll()).finish_non_exhaustive()
    }
}

impl Ticket {
    /// Whether it is over.
    pub fn poll(&self) -> bool {
        if self.until.is_some_and(|until| until <= Instant::now()) {
            self.end(Reason::Deadline);
        }
        self.promise.is_kept()
    }

    /// Asks it to stop; it then ends in [`Stopped`](seawall_core::device::Error::Stopped), unless it
    /// is as good as over. If it has not begun it ends at once.
    pub fn cancel(&self) {
        self.end(Reason::Caller);
    }

    fn end(&self, reason: Reason) {
        self.control.stop.ask(reason);
        let first = self.control.stop.asked().unwrap_or(reason);
        self.promise.withdraw(|| Err(device::Error::from(first).into()));
    }

    /// Workgroups finished so far.
    pub fn workgroups_done(&self) -> u64 {
        self.control.workgroups_done.load(Ordering::Relaxed)
    }

    /// Waits until it is over.
    pub fn wait(self) -> Result<Results, Error> {
        match self.wait_until(None) {
            Ok(results) => results,
            Err(ticket) => unreachable!("invariant wait: nothing ends it before {ticket:?}"),
        }
    }

    /// Waits until it is over, but no longer than this; gives the ticket back if it is not.
    pub fn wait_timeout(self, time: Duration) -> Result<Result<Results, Error>, Self> {
        self.wait_until(Instant::now().checked_add(time))
    }

    fn wait_until(mut self, patience: Option<Instant>) -> Result<Result<Results, Error>, Self> {
        // Its deadline ends what nobody has begun yet, so the wait is in two parts.
        for end in [[self.until, patience].into_iter().flatten().min(), patience] {
            match self.promise.wait_until(end) {
                Ok(results) => return Ok(results),
                Err(promise) => self.promise = promise,
            }
            self.poll();
        }
        Err(self)
    }
}

/// What a job leaves.
pub struct Results {
    /// What it did.
    pub finished: Finished,
    vectors: Vec<(String, Box<dyn Owned>)>,
}

impl fmt::Debug for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Results").field("finished", &self.finished).finish_non_exhaustive()
    }
}

impl Results {
    /// The vector that was given to this input or output; `None` if it was of another type, or
    /// has been taken.
    pub fn take<T: Pod>(&mut self, data: &str) -> Option<Vec<T>> {
        let wanted = |(name, vector): &(String, Box<dyn Owned>)| name == data && vector.id() == TypeId::of::<Vec<T>>();
        let at = self.vectors.iter().position(wanted)?;
        self.vectors.swap_remove(at).1.into_any().downcast().ok().map(|vector| *vector)
    }
}
