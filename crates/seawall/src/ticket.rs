//! Runs that go on by themselves.

use std::any::{Any, TypeId};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use bytemuck::Pod;
use seawall_core::device::{Control, Reason};

use crate::compiled::{Compiled, Finished};
use crate::crew::{self, Promise};
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
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.vectors.iter().map(|(name, _)| name)).finish()
    }
}

impl Job {
    pub(crate) fn new(compiled: Compiled) -> Self {
        Self { compiled, vectors: Vec::new() }
    }

    /// Gives a vector to the input or output of this name; it comes back with the results.
    pub fn bind<T: Pod + Send>(mut self, data: &str, vector: Vec<T>) -> Self {
        self.vectors.push((data.to_owned(), Box::new(vector)));
        self
    }

    /// Lets it run as soon as a thread is free: several jobs do at once, and the others wait.
    pub fn submit(self) -> Result<Ticket, Error> {
        let control = Arc::new(Control::default());
        let Self { compiled, mut vectors } = self;
        let shared = control.clone();
        let work = move || {
            let bound = vectors.iter_mut().map(|(name, vector)| (name.clone(), vector.bound())).collect();
            let finished = compiled.run(bound, &shared)?;
            Ok(Results { finished, vectors })
        };
        Ok(Ticket { control, promise: crew::submit(work)? })
    }
}

/// A run that goes on. Dropping the ticket lets it; to end it, [`cancel`](Self::cancel).
pub struct Ticket {
    control: Arc<Control>,
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
        self.promise.is_kept()
    }

    /// Asks it to stop; it then ends in [`Stopped`](seawall_core::device::Error::Stopped), unless it
    /// is as good as over.
    pub fn cancel(&self) {
        self.control.stop.ask(Reason::Caller);
    }

    /// Workgroups finished so far.
    pub fn workgroups_done(&self) -> u64 {
        self.control.workgroups_done.load(Ordering::Relaxed)
    }

    /// Waits until it is over.
    pub fn wait(self) -> Result<Results, Error> {
        self.promise.wait()
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
