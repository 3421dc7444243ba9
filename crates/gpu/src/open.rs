//! What is open: a driver with all that lives and dies with it, opened again where it was lost.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use seawall_core::cache::Hands;
use seawall_core::device::{Buffer, Caps, Error, Reason, Stop};
use seawall_core::turn::{Held, Turn};

use crate::adapter::{self, Adapter};
use crate::driver::Driver;
use crate::fault::Faults;
use crate::memory::{Memory, Pool};
use crate::pipeline::Cache;

/// How the device runs.
#[derive(Clone, Default)]
pub struct Config {
    /// A part of the adapter's name; the best adapter if `None`.
    pub name: Option<String>,
    /// Memory that it may use, staging included; as much as the driver gives if `None`.
    pub budget_bytes: Option<u64>,
    /// The longest that a submission should hold the device; [`crate::SLICE`] if `None`.
    pub slice: Option<Duration>,
    /// Features to do without although the adapter has them, for tests.
    pub without: wgpu::Features,
    /// Makes calls fail, for tests.
    pub faults: Option<Arc<dyn Faults>>,
    /// Threads to compile on; whoever loads a schedule compiles its kernels if `None`.
    pub hands: Option<Arc<dyn Hands>>,
}

/// What the device and its loaded schedules have in common.
pub(crate) struct Shared {
    pub(crate) caps: Arc<Caps>,
    pub(crate) slice: Duration,
    pub(crate) side_max: u32,
    pub(crate) config: Config,
    pub(crate) adapter: Adapter,
    pub(crate) pool: Arc<Pool>,
    pub(crate) open: Mutex<Arc<Open>>,
}

/// A driver and what lives and dies with it.
pub(crate) struct Open {
    pub(crate) driver: Arc<Driver>,
    /// How often the loops of an invocation go round at the most, where the driver has such a limit.
    pub(crate) loop_turns: Option<u32>,
    pub(crate) pipelines: Cache,
}

/// Memory that outlives runs.
pub(crate) struct Resident {
    pub(crate) open: Arc<Open>,
    pub(crate) bytes: u64,
    /// One run, read or write at a time; a run may leave other memory in its place.
    pub(crate) memory: Turn<Memory>,
}

impl Resident {
    /// Keeps other runs, reads and writes out.
    pub(crate) fn lock(&self) -> Held<'_, Memory> {
        self.memory.wait()
    }

    /// The same, unless asked to stop before they are done.
    pub(crate) fn lock_with(&self, stop: &Stop) -> Result<Held<'_, Memory>, Reason> {
        self.memory.take(stop)
    }
}

impl Shared {
    pub(crate) fn vulkan(&self) -> bool {
        self.adapter.info.backend == wgpu::Backend::Vulkan
    }

    /// The open driver; a new one if the last was lost.
    pub(crate) fn open(&self) -> Result<Arc<Open>, Error> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.driver.is_lost() {
            let id = &self.caps.id;
            let same = |adapter: &Adapter| adapter.info == self.adapter.info;
            let gone = |reason: String| Error::Lost { device: id.clone(), reason };
            let adapter = adapter::list().into_iter().find(same);
            let adapter = adapter.ok_or_else(|| gone("its adapter is gone".to_owned()))?;
            let less = (self.config.without, self.config.faults.clone());
            let driver = Driver::open(id, &adapter, self.pool.clone(), less)
                .map_err(|reason| gone(format!("it cannot be opened again: {reason}")))?;
            let pipelines = Cache::new(self.config.hands.clone());
            *open = Arc::new(Open { driver: Arc::new(driver), loop_turns: open.loop_turns, pipelines });
        }
        Ok(open.clone())
    }

    /// The device's own memory behind a handle.
    pub(crate) fn resident<'a>(&self, buffer: &'a Buffer) -> Result<&'a Resident, Error> {
        let device = || self.caps.id.clone();
        let resident: &Resident =
            buffer.memory.downcast_ref().ok_or_else(|| Error::ForeignBuffer { device: device() })?;
        if resident.open.driver.is_lost() {
            return Err(Error::BufferLost { device: device() });
        }
        // A handle's size is the caller's word; the memory's own is what counts.
        let (&Buffer { offset, bytes, .. }, buffer_bytes) = (buffer, resident.bytes);
        match offset.checked_add(bytes) {
            Some(end) if end <= buffer_bytes => Ok(resident),
            _ => Err(Error::OutsideBuffer { offset, bytes, buffer_bytes }),
        }
    }
}
