//! Schedules that are ready to run, kept for the next call of the same shape; and kernels that were cut.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use seawall_core::cache::Found;
use seawall_core::check::Checked;
use seawall_core::device::{Control, Device, Fitted, Loaded};
use seawall_core::diag::Report;
use seawall_core::program::Kernel;
use seawall_core::split::{Split, split};

use crate::error::Error;

/// Schedules that are kept.
const KEPT_MAX: usize = 64;

/// A schedule and what a device made of it.
#[derive(Clone)]
pub(crate) struct Ready {
    device: Arc<dyn Device>,
    pub(crate) schedule: Arc<Checked>,
    pub(crate) loaded: Arc<dyn Loaded>,
}

impl fmt::Debug for Ready {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} steps", self.schedule.steps.len())
    }
}

/// See the module; the one asked for last first.
#[derive(Debug, Default)]
pub(crate) struct Loads(Mutex<Vec<Ready>>);

impl Loads {
    /// The schedule, ready to run, and whether the code of each of its kernels was compiled: a call
    /// of a shape seen before loads nothing, and a kernel seen before is not compiled again.
    pub(crate) fn get(
        &self,
        device: &Arc<dyn Device>,
        fitted: Fitted,
        control: &Control,
    ) -> Result<(Ready, Vec<Found>), Error> {
        control.go_on()?;
        let schedule = fitted.schedule().clone();
        if let Some(ready) = self.kept(|ready| Arc::ptr_eq(&ready.device, device) && ready.schedule == schedule) {
            return Ok((ready, vec![Found::Kept; schedule.kernels.len()]));
        }
        // Nobody else is held up meanwhile. Who loads the same schedule does so too, but the
        // device compiles its kernels once.
        let loaded: Arc<dyn Loaded> = device.load_with(fitted, &control.stop)?.into();
        let found = loaded.found().to_vec();
        let ready = Ready { device: device.clone(), schedule, loaded };
        let mut all = self.lock();
        all.truncate(KEPT_MAX - 1);
        all.insert(0, ready.clone());
        Ok((ready, found))
    }

    fn kept(&self, same: impl Fn(&Ready) -> bool) -> Option<Ready> {
        let mut all = self.lock();
        let at = all.iter().position(same)?;
        all[..=at].rotate_right(1);
        Some(all[0].clone())
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Ready>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The segments of kernels with grid barriers, the one asked for last first.
#[derive(Debug, Default)]
pub(crate) struct Splits(Mutex<Vec<(Arc<Kernel>, Arc<Split>)>>);

impl Splits {
    pub(crate) fn get(&self, kernel: &Arc<Kernel>) -> Result<Arc<Split>, Report> {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |other: &Arc<Kernel>| Arc::ptr_eq(other, kernel) || other == kernel;
        let mut all = lock();
        if let Some(at) = all.iter().position(|(other, _)| same(other)) {
            all[..=at].rotate_right(1);
            return Ok(all[0].1.clone());
        }
        drop(all);
        let split = Arc::new(split(kernel)?);
        let mut all = lock();
        all.truncate(KEPT_MAX - 1);
        all.insert(0, (kernel.clone(), split.clone()));
        Ok(split)
    }
}
