//! One open wgpu device. Every call that can fail goes through here, and comes back as an error
//! of the device contract: wgpu itself would panic, log, or tell a callback.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use seawall_core::device::{Error, Stop};
use seawall_core::quiet::quietly;
use seawall_core::turn::LOOK;

use crate::adapter::{Adapter, WANTED};
use crate::fault::{Fault, Faults, Point};
use crate::memory::{Full, Memory, Pool, padded};

/// What every buffer of a schedule may be used for.
pub(crate) const USAGE: wgpu::BufferUsages = wgpu::BufferUsages::STORAGE
    .union(wgpu::BufferUsages::UNIFORM)
    .union(wgpu::BufferUsages::INDIRECT)
    .union(wgpu::BufferUsages::COPY_SRC)
    .union(wgpu::BufferUsages::COPY_DST);

thread_local! {
    /// What goes wrong in the call that this thread is making; `None` outside of calls. wgpu tells
    /// on the thread that makes the call, so this costs nothing where its error scopes would cost
    /// more than all else that we add to a small run.
    static CALL: RefCell<Option<Met>> = const { RefCell::new(None) };
}

/// What a call met.
#[derive(Debug, Default)]
struct Met {
    no_memory: bool,
    refused: Option<String>,
}

impl Met {
    fn note(&mut self, error: &wgpu::Error) {
        match error {
            wgpu::Error::OutOfMemory { .. } => self.no_memory = true,
            wgpu::Error::Validation { .. } | wgpu::Error::Internal { .. } => {
                self.refused.get_or_insert_with(|| error.to_string());
            }
        }
    }
}

/// A device and its queue, as long as they live.
pub(crate) struct Driver {
    /// What the device is called in errors.
    id: String,
    pub(crate) raw: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    /// Why it was lost, once it was.
    lost: Arc<OnceLock<String>>,
    /// What went wrong outside of calls; the next one reports it.
    stray: Arc<Mutex<Option<String>>>,
    pool: Arc<Pool>,
    faults: Option<Arc<dyn Faults>>,
}

/// How long news of a mapping may take from thread to thread.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long it asks again and again whether the device is done, before it sleeps in between.
const ALERT: Duration = Duration::from_micros(200);

/// The first of these sleeps; each is twice as long as the one before.
const PAUSE_MIN: Duration = Duration::from_micros(50);

/// What is taken away on purpose: features, and calls that fail.
pub(crate) type Less = (wgpu::Features, Option<Arc<dyn Faults>>);

/// Work handed to the device.
pub(crate) type Submission = wgpu::SubmissionIndex;

/// A mapping under way.
#[derive(Debug, Clone, Default)]
pub(crate) struct Mapping(Arc<OnceLock<Result<(), wgpu::BufferAsyncError>>>);

impl Driver {
    /// Opens an adapter.
    pub(crate) fn open(id: &str, adapter: &Adapter, pool: Arc<Pool>, (without, faults): Less) -> Result<Self, String> {
        let descriptor = wgpu::DeviceDescriptor {
            label: None,
            required_features: (adapter.raw.features() & WANTED) - without,
            required_limits: adapter.limits(),
            experimental_features: wgpu::ExperimentalFeatures::disabled(),
            memory_hints: wgpu::MemoryHints::Performance,
            trace: wgpu::Trace::Off,
        };
        let opened = pollster::block_on(adapter.raw.request_device(&descriptor));
        let (raw, queue) = opened.map_err(|error| error.to_string())?;
        let lost: Arc<OnceLock<String>> = Arc::default();
        let note = lost.clone();
        raw.set_device_lost_callback(move |reason, message| {
            let message = if message.is_empty() { format!("{reason:?}").to_lowercase() } else { message };
            note.get_or_init(|| message);
        });
        let stray: Arc<Mutex<Option<String>>> = Arc::default();
        let note = stray.clone();
        raw.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            let inside = CALL.with_borrow_mut(|call| call.as_mut().map(|met| met.note(&error)).is_some());
            if !inside {
                note.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(|| error.to_string());
            }
        }));
        Ok(Self { id: id.to_owned(), raw, queue, lost, stray, pool, faults })
    }

    /// What the device is called in errors.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// Whether everything on it is gone.
    pub(crate) fn is_lost(&self) -> bool {
        self.lost.get().is_some()
    }

    /// Whether kernels can write what the host maps, so that results can be packed there.
    pub(crate) fn packs(&self) -> bool {
        self.raw.features().contains(wgpu::Features::MAPPABLE_PRIMARY_BUFFERS)
    }

    /// A new buffer of whole words, counted.
    pub(crate) fn buffer(&self, what: &str, bytes: u64, usage: wgpu::BufferUsages) -> Result<Memory, Error> {
        self.make(what, bytes, usage, false)
    }

    /// A new buffer that the host may write at once.
    pub(crate) fn mapped_buffer(&self, what: &str, bytes: u64, usage: wgpu::BufferUsages) -> Result<Memory, Error> {
        self.make(what, bytes, usage, true)
    }

    fn make(
        &self,
        what: &str,
        bytes: u64,
        usage: wgpu::BufferUsages,
        mapped_at_creation: bool,
    ) -> Result<Memory, Error> {
        let size = padded(bytes);
        let charge = self.pool.charge(size).map_err(|full| self.over_budget(what, bytes, full))?;
        let descriptor = wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation };
        let raw = self.call(Point::Alloc, what, bytes, || self.raw.create_buffer(&descriptor))?;
        Ok(Memory::new(raw, charge))
    }

    /// Bytes that the budget still has; `None` if there is none.
    pub(crate) fn left_bytes(&self) -> Option<u64> {
        self.pool.left_bytes()
    }

    /// Whether the budget has room for so many bytes more.
    pub(crate) fn fits(&self, what: &str, bytes: u64) -> Result<(), Error> {
        self.pool.fits(bytes).map_err(|full| self.over_budget(what, bytes, full))
    }

    fn over_budget(&self, what: &str, bytes: u64, full: Full) -> Error {
        let (device, what) = (self.id.clone(), what.to_owned());
        Error::OverBudget { device, what, bytes, used_bytes: full.used_bytes, budget_bytes: full.budget_bytes }
    }

    /// Hands commands to the device.
    pub(crate) fn submit(&self, commands: wgpu::CommandEncoder) -> Result<Submission, Error> {
        self.call(Point::Submit, "commands", 0, || self.queue.submit([commands.finish()]))
    }

    /// Waits until it has done them.
    pub(crate) fn wait(&self, submission: Submission) -> Result<(), Error> {
        self.poll_for(wgpu::PollType::Wait { submission_index: Some(submission), timeout: None })
    }

    /// Waits until it has done all that was submitted, unless asked to stop before; whether it has.
    /// wgpu can wait for a time, but then it panics if another thread polls at the same moment and
    /// is the one to see the work done.
    pub(crate) fn wait_with(&self, stop: &Stop) -> Result<bool, Error> {
        let done = Arc::new(AtomicBool::new(false));
        let wait = || {
            let note = done.clone();
            self.queue.on_submitted_work_done(move || note.store(true, Ordering::Release));
            let (start, mut pause) = (Instant::now(), PAUSE_MIN);
            loop {
                let polled = self.raw.poll(wgpu::PollType::Poll);
                if polled.is_err() || self.is_lost() || done.load(Ordering::Acquire) || stop.asked().is_some() {
                    return polled;
                }
                if start.elapsed() < ALERT {
                    thread::yield_now();
                } else {
                    thread::sleep(pause);
                    pause = (pause * 2).min(LOOK);
                }
            }
        };
        let polled = self.call(Point::Wait, "waiting", 0, || quietly(wait))?;
        self.polled(polled)?;
        Ok(done.load(Ordering::Acquire))
    }

    /// Lets mappings come about whose buffers are idle.
    pub(crate) fn poll(&self) -> Result<(), Error> {
        self.poll_for(wgpu::PollType::Poll)
    }

    fn poll_for(&self, what: wgpu::PollType) -> Result<(), Error> {
        let result = self.call(Point::Wait, "waiting", 0, || quietly(|| self.raw.poll(what)))?;
        self.polled(result)
    }

    /// wgpu panics where it turns out that the device is lost.
    fn polled(&self, result: Result<Result<wgpu::PollStatus, wgpu::PollError>, String>) -> Result<(), Error> {
        match result {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(self.refused("waiting", &error.to_string())),
            Err(panic) => Err(self.gone(self.lost.get_or_init(|| panic))),
        }
    }

    /// Starts to map the first `bytes` of a buffer; done when the device has been waited for.
    pub(crate) fn map(&self, memory: &Memory, bytes: u64, mode: wgpu::MapMode) -> Result<Mapping, Error> {
        let mapping = Mapping::default();
        let done = mapping.clone();
        let slice = memory.raw.slice(..padded(bytes));
        let start = || slice.map_async(mode, move |result| _ = done.0.set(result));
        self.call(Point::Map, "staging memory", bytes, start)?;
        Ok(mapping)
    }

    /// Waits for a mapping whose buffer is idle. Another thread's poll may have taken the news of
    /// it, and be about to tell.
    pub(crate) fn mapped(&self, mapping: &Mapping) -> Result<(), Error> {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            match mapping.0.get() {
                Some(Ok(())) => return Ok(()),
                Some(Err(_)) => break,
                None => thread::yield_now(),
            }
            self.alive()?;
        }
        self.alive()?;
        Err(self.refused("staging memory", "it could not be mapped"))
    }

    /// Mapped bytes, to be written.
    pub(crate) fn view_mut(&self, memory: &Memory, offset: u64, bytes: u64) -> Result<wgpu::BufferViewMut, Error> {
        let view = memory.raw.slice(offset..offset + bytes).get_mapped_range_mut();
        view.map_err(|error| self.refused("staging memory", &error.to_string()))
    }

    /// Mapped bytes, from the start.
    pub(crate) fn view(&self, memory: &Memory, bytes: u64) -> Result<wgpu::BufferView, Error> {
        let view = memory.raw.slice(..bytes).get_mapped_range();
        view.map_err(|error| self.refused("staging memory", &error.to_string()))
    }

    /// Makes a call, with what goes wrong as a value.
    pub(crate) fn call<T>(&self, point: Point, what: &str, bytes: u64, call: impl FnOnce() -> T) -> Result<T, Error> {
        let no_memory = || Error::OutOfMemory { device: self.id.clone(), what: what.to_owned(), bytes };
        self.alive()?;
        match self.faults.as_ref().and_then(|faults| faults.at(point)) {
            None => {}
            Some(Fault::OutOfMemory) => return Err(no_memory()),
            Some(Fault::Refused) => return Err(self.refused(what, "it was told to")),
            Some(Fault::Lost) => {
                // The call below finds a device that is really gone; polling tells the callback.
                self.raw.destroy();
                _ = quietly(|| self.raw.poll(wgpu::PollType::wait_indefinitely()));
            }
        }
        CALL.set(Some(Met::default()));
        let value = call();
        let met = CALL.take().unwrap_or_default();
        self.alive()?;
        if met.no_memory {
            return Err(no_memory());
        }
        if let Some(reason) = met.refused {
            return Err(self.refused(what, &reason));
        }
        match self.stray.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(reason) => Err(self.refused(what, &reason)),
            None => Ok(value),
        }
    }

    fn alive(&self) -> Result<(), Error> {
        self.lost.get().map_or(Ok(()), |reason| Err(self.gone(reason)))
    }

    fn gone(&self, reason: &str) -> Error {
        Error::Lost { device: self.id.clone(), reason: reason.to_owned() }
    }

    /// One line of what may be several.
    pub(crate) fn refused(&self, what: &str, reason: &str) -> Error {
        let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
        Error::Refused { device: self.id.clone(), what: what.to_owned(), reason }
    }
}
