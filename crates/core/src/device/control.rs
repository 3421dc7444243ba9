//! The caller's hand on a run.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use super::{Error, Timed};
use crate::stop::Stop;

/// The caller's clock, for devices that have none of their own.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> u64 + Send + Sync>);

impl Clock {
    /// One that gives nanoseconds since some moment, never fewer than before.
    pub fn new(nanos: impl Fn() -> u64 + Send + Sync + 'static) -> Self {
        Self(Arc::new(nanos))
    }

    /// The time.
    pub fn nanos(&self) -> u64 {
        (self.0)()
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ns", self.nanos())
    }
}

/// The caller's hand on a run, shared with whoever watches or stops it.
#[derive(Debug)]
pub struct Control {
    /// Ends the run with [`Error::Stopped`](super::Error::Stopped).
    pub stop: Stop,
    /// Workgroups finished so far.
    pub workgroups_done: AtomicU64,
    /// Statements that one invocation may execute before its loop counts as endless.
    /// Only devices that interpret can count them.
    pub steps_max: u64,
    /// Times each step, which makes a run a little slower. GPUs have a clock of their own and
    /// are asked for it by this one.
    pub clock: Option<Clock>,
}

impl Control {
    /// Statements per invocation, unless the caller says otherwise: seconds of interpretation.
    pub const STEPS_MAX: u64 = 1 << 26;

    /// An error once the caller wants no more of it.
    pub fn go_on(&self) -> Result<(), Error> {
        Ok(self.stop.go_on()?)
    }

    /// Does a worker's part of a step, and notes when that was if the run is timed.
    pub fn time<T>(&self, times: &mut Vec<Timed>, step: usize, worker: usize, work: impl FnOnce() -> T) -> T {
        let Some(clock) = &self.clock else { return work() };
        let begin_nanos = clock.nanos();
        let result = work();
        times.push(Timed { step, worker, begin_nanos, nanos: clock.nanos().saturating_sub(begin_nanos) });
        result
    }
}

impl Default for Control {
    fn default() -> Self {
        Self { stop: Stop::default(), workgroups_done: AtomicU64::new(0), steps_max: Self::STEPS_MAX, clock: None }
    }
}
