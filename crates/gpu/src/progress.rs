//! How far a run is, for whoever ends it early.

use seawall_core::device::{self, Error, Reason};
use seawall_core::program::Kernel;

/// A dispatch under way.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Progress {
    /// Of the schedule.
    pub(crate) step: usize,
    pub(crate) kernel: usize,
    /// Workgroups in all; `None` while only the device knows.
    pub(crate) all: Option<u64>,
    /// Of these, recorded,
    recorded: u64,
    /// and done.
    done: u64,
}

impl Progress {
    pub(crate) fn new(step: usize, kernel: usize, all: Option<u64>) -> Self {
        Self { step, kernel, all, recorded: 0, done: 0 }
    }

    /// More workgroups are in the commands.
    pub(crate) fn record(&mut self, groups: u64) {
        self.recorded += groups;
    }

    /// The device has done what was recorded.
    pub(crate) fn settle(&mut self) {
        self.done = self.recorded;
    }

    /// The run ends here: all that can be known from outside the device.
    pub(crate) fn stopped(&self, kernel: &Kernel, reason: Reason, device: &str) -> Error {
        let step = self.step;
        let state = match self.all {
            Some(all) => format!("{} of {all} workgroups of step {step} were done on device `{device}`", self.done),
            None => format!("step {step} was under way on device `{device}`"),
        };
        match device::stopped(kernel, reason, None) {
            Error::Stopped { reason, report: Some(mut report) } => {
                for diagnostic in &mut report.diagnostics {
                    diagnostic.message = format!("{}: {state}", diagnostic.message);
                }
                Error::Stopped { reason, report: Some(report) }
            }
            other => other,
        }
    }
}
