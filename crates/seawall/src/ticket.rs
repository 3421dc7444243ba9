//! Runs that go on by themselves.

use std::any::{Any, TypeId};
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use bytemuck::Pod;
use seawall_core::device::{self, Control, Reason};
use seawall_cpu::Promise;

use crate::buffer::Buffer;
use crate::compiled::{Compiled, Finished};
use crate::deadline::within;
use crate::error::Error;
use crate::host::{Bind, Bound};

/// What a job has to itself, or shares on the device.
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

impl<T: Pod + Send> Owned for Buffer<T> {
    fn bound(&mut self) -> Bound<'_> {
        Bind::bound(&*self)
    }

    fn id(&self) -> TypeId {
        TypeId::of::<Self>()
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

/// One value of the graph.
struct Value<T>(T);

impl<T: Pod + Send> Owned for Value<T> {
    fn bound(&mut self) -> Bound<'_> {
        Bound::value(&self.0)
    }

    fn id(&self) -> TypeId {
        TypeId::of::<Self>()
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

/// What can be given to a job: a vector of plain data, or a resident [`Buffer`].
pub trait Give {
    /// As a binding.
    fn given(self) -> Given;
}

/// Something given to a job.
pub struct Given(Box<dyn Owned>);

impl fmt::Debug for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Given").finish_non_exhaustive()
    }
}

impl<T: Pod + Send> Give for Vec<T> {
    fn given(self) -> Given {
        Given(Box::new(self))
    }
}

impl<T: Pod + Send> Give for Buffer<T> {
    fn given(self) -> Given {
        Given(Box::new(self))
    }
}

impl<T: Pod + Send> Give for &Buffer<T> {
    fn given(self) -> Given {
        self.clone().given()
    }
}

/// A run being described that has its inputs and outputs to itself.
#[must_use = "a job does nothing until it is submitted"]
pub struct Job {
    compiled: Compiled,
    vectors: Vec<(String, Box<dyn Owned>)>,
    refused: Option<Error>,
    deadline: Option<Duration>,
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.vectors.iter().map(|(name, _)| name)).finish()
    }
}

impl Compiled {
    /// Starts describing a run that has its inputs and outputs to itself and goes on by itself.
    pub fn job(&self) -> Job {
        Job::new(self.clone())
    }
}

impl Job {
    pub(crate) fn new(compiled: Compiled) -> Self {
        Self { compiled, vectors: Vec::new(), refused: None, deadline: None }
    }

    /// Gives a vector to the input or output of this name, which comes back with the results, or a
    /// resident [`Buffer`], which is shared ([`Run::bind`](crate::Run::bind)).
    pub fn bind(mut self, data: &str, given: impl Give) -> Self {
        self.vectors.push((data.to_owned(), given.given().0));
        self
    }

    /// Sets a value that the graph declared by [`Graph::value`](crate::Graph::value).
    pub fn set<T: Pod + Send>(mut self, value: &str, to: &T) -> Self {
        match self.compiled.sets(value) {
            Ok(()) => self.vectors.push((value.to_owned(), Box::new(Value(*to)))),
            Err(error) => self.refused = self.refused.or(Some(error)),
        }
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
        let Self { compiled, mut vectors, refused, deadline } = self;
        if let Some(error) = refused {
            return Err(error);
        }
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
///
/// It can be [waited](Self::wait) for, looked at, or awaited: it is a [`Future`], for any executor.
/// Once awaited to its end it must not be polled again.
///
/// ```
/// # fn main() -> Result<(), seawall::Error> {
/// let runtime = seawall::Runtime::new()?;
/// let twice = runtime.kernel(
///     "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
///      @compute @workgroup_size(64)
///      fn main(@builtin(global_invocation_id) id: vec3<u32>) { v[id.x] *= 2u; }",
/// )?;
/// let mut graph = seawall::Graph::new();
/// graph.in_out::<u32>("v", 3);
/// graph.wave("twice", &twice).bind("v", "v").over("v");
/// let compiled = runtime.compile(&graph)?;
///
/// // Two jobs at once, each with a vector of its own.
/// let [first, second] = [vec![1u32, 2, 3], vec![4, 5, 6]].map(|v| compiled.job().bind("v", v).submit());
/// let mut results = first?.wait()?;
/// assert_eq!(results.take::<u32>("v"), Some(vec![2, 4, 6]));
/// let work = async { second?.await };
/// let mut results = pollster::block_on(work)?;
/// assert_eq!(results.take::<u32>("v"), Some(vec![8, 10, 12]));
/// # Ok(())
/// # }
/// ```
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
    ///
    /// ```
    /// # fn main() -> Result<(), seawall::Error> {
    /// use std::time::Duration;
    ///
    /// let runtime = seawall::Runtime::new()?;
    /// let wait = runtime.kernel(
    ///     "@group(0) @binding(0) var<storage, read_write> flag: array<u32>;
    ///      @compute @workgroup_size(1) fn main() { loop { if flag[0] == 1u { break; } } }",
    /// )?;
    /// let mut graph = seawall::Graph::new();
    /// graph.in_out::<u32>("flag", 1);
    /// graph.wave("wait", &wait).bind("flag", "flag").workgroups(1);
    /// let compiled = runtime.compile(&graph)?;
    ///
    /// let ticket = compiled.job().bind("flag", vec![0u32]).submit()?;
    /// let ticket = ticket.wait_timeout(Duration::from_millis(10)).expect_err("it is not over");
    /// ticket.cancel();
    /// assert!(ticket.wait().is_err());
    ///
    /// // A deadline does the same by itself.
    /// let job = compiled.job().bind("flag", vec![0u32]).deadline(Duration::from_millis(10));
    /// assert!(job.submit()?.wait().is_err());
    /// # Ok(())
    /// # }
    /// ```
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

/// A job whose deadline comes before anybody has begun it ends when it would begin, or when it is
/// polled.
impl Future for Ticket {
    type Output = Result<Results, Error>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let ticket = self.get_mut();
        Self::poll(ticket);
        ticket.promise.take_or_wake(context.waker()).map_or(Poll::Pending, Poll::Ready)
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
