//! `--trace FILE`, and what the command is doing.

use std::path::Path;

use seawall::check::Checked;
use seawall::device::{Clock, Stats};

use crate::error::Error;
use crate::gantt;
use crate::phase::Phase;

/// What the command has done so far.
pub(crate) struct Trace {
    now: Phase,
    inner: seawall_show::trace::Trace,
}

impl Trace {
    /// Also says in `now` what is being done.
    pub(crate) fn new(now: Phase) -> Self {
        Self { now, inner: seawall_show::trace::Trace::new(seawall::clock()) }
    }

    /// The time since it was made, for devices.
    pub(crate) fn clock(&self) -> Clock {
        self.inner.clock()
    }

    /// Does a part of the command's work.
    pub(crate) fn phase<T>(&mut self, name: &'static str, work: impl FnOnce() -> T) -> T {
        self.now.set(name, false);
        self.inner.timed(name, work)
    }

    /// Does a part that ends when it is asked to.
    pub(crate) fn stoppable<T>(&mut self, name: &'static str, work: impl FnOnce() -> T) -> T {
        self.now.set(name, true);
        self.inner.timed(name, work)
    }

    /// The text of the file, a picture if it is called `.svg`: the phases, and what the device did.
    /// `names` are those of dispatches, by step, where they have better ones than their kernels'.
    pub(crate) fn text(
        self,
        path: &Path,
        device: &str,
        schedule: &Checked,
        names: impl Fn(usize) -> Option<String>,
        stats: &Stats,
    ) -> Result<String, Error> {
        let text = self.inner.text(device, schedule, names, stats)?;
        if path.extension().is_none_or(|extension| extension != "svg") {
            return Ok(text);
        }
        let trace: serde_json::Value = serde_json::from_str(&text).map_err(std::io::Error::from)?;
        let events = trace["traceEvents"].as_array().map_or(&[][..], Vec::as_slice);
        Ok(gantt::draw(&format!("device {device}"), seawall_show::trace::DEVICE, events))
    }
}
