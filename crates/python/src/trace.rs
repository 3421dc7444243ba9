//! When each step of a run was done, to a file.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use seawall::check::Checked;
use seawall::device::{self, Stats};
use seawall_show::trace::Trace;

use crate::error;
use crate::interrupt::Control;

/// What watches a run: the caller's hand on it, or one that times its steps.
pub(crate) struct Hand {
    control: Arc<device::Control>,
    trace: Option<(PathBuf, Trace)>,
}

impl Hand {
    pub(crate) fn new(py: Python<'_>, control: Option<&Bound<'_, Control>>, path: Option<PathBuf>) -> PyResult<Self> {
        match (control, path) {
            (Some(_), Some(_)) => Err(error::bind(py, "a run has a `control` or a `trace`, not both")),
            (Some(given), None) => Ok(Self { control: given.get().0.clone(), trace: None }),
            (None, None) => Ok(Self { control: Arc::default(), trace: None }),
            (None, Some(path)) => {
                let trace = Trace::new(seawall::clock());
                let control = device::Control { clock: Some(trace.clock()), ..device::Control::default() };
                Ok(Self { control: Arc::new(control), trace: Some((path, trace)) })
            }
        }
    }

    pub(crate) fn control(&self) -> &device::Control {
        &self.control
    }

    /// Writes the file, if there is to be one.
    pub(crate) fn write(
        self,
        py: Python<'_>,
        device: &str,
        schedule: &Checked,
        names: impl Fn(usize) -> Option<String>,
        stats: &Stats,
    ) -> PyResult<()> {
        let Some((path, trace)) = self.trace else { return Ok(()) };
        let text = trace.text(device, schedule, names, stats).map_err(|error| error::device(py, &error.to_string()))?;
        Ok(py.detach(|| std::fs::write(path, text))?)
    }
}
