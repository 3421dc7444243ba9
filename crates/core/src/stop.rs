//! Whether work is to end early. What takes long looks here, and so does whoever waits: for a
//! kernel that is being compiled, for a turn on a device, for a buffer that is in use.

use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering};

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

    /// The reason as an error, once there is one.
    pub fn go_on(&self) -> Result<(), Reason> {
        self.asked().map_or(Ok(()), Err)
    }

    /// Not zero once a run is to end, for compiled code to look at.
    pub fn flag(&self) -> &AtomicU8 {
        &self.0
    }
}
