//! The caller's hand on a run.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use super::Timed;

/// Who ended a run early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The caller no longer wants it.
    Caller,
    /// Its time was over.
    Deadline,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Caller => "the run was stopped",
            Self::Deadline => "the run was not done at its deadline",
        })
    }
}

/// Whether a run is to end, and why; whoever asks first is the reason. Devices look at it at
/// every turn of a loop, so it is one byte and they need no clock: who sets a deadline watches it.
/// It has its cache lines to itself, because what stands beside it is written all the time.
#[derive(Debug, Default)]
#[repr(align(128))]
pub struct Stop(AtomicU8);

impl Stop {
    /// Ends the run soon.
    pub fn ask(&self, reason: Reason) {
        let _first = self.0.compare_exchange(0, reason as u8 + 1, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// What was asked, if anything.
    pub fn asked(&self) -> Option<Reason> {
        match self.0.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(Reason::Caller),
            _ => Some(Reason::Deadline),
        }
    }

    /// Not zero once a run is to end, for compiled code to look at.
    pub fn flag(&self) -> &AtomicU8 {
        &self.0
    }
}

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
