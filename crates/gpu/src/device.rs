//! The device: what loads schedules, and has memory that outlives runs.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use seawall_core::device::{self, Buffer, Caps, Error, Fitted, Stop};
use seawall_core::diag::Diagnostic;
use seawall_core::program::Kernel;
use seawall_core::turn::Turn;

use crate::adapter::{self, Adapter, ID};
use crate::driver::{Driver, Submission, USAGE};
use crate::fault::Point;
use crate::flaw::Flaw;
use crate::gaps;
use crate::memory::{ALIGN_BYTES, Memory, Place, Pool};
use crate::open::{Config, Open, Resident, Shared};
use crate::pipeline::Cache;
use crate::run::Loaded;
use crate::staging::{self, Down, Up, piece_bytes};
use crate::within;

/// The longest that a submission should hold the device, well under the usual watchdog's two
/// seconds.
pub const SLICE: Duration = Duration::from_millis(200);

/// A resident buffer is written in pieces of this size: what the caches hold.
const PIECE_BYTES: usize = 8 << 20;

/// Why there is no device.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// No driver shows an adapter.
    #[error("no adapter: no Vulkan, Metal or DX12 driver shows one")]
    NoAdapter,
    /// None with this name.
    #[error("no adapter has `{name}` in its name; there are {}", known.join(", "))]
    NoSuchAdapter {
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// Those that might do cannot be used.
    #[error("{}", reasons.iter().map(|(name, reason)| format!("`{name}`: {reason}")).collect::<Vec<_>>().join("; "))]
    Unusable {
        /// Each adapter's name and why it cannot be used.
        reasons: Vec<(String, String)>,
    },
}

/// Memory in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Usage {
    /// Buffers, staging included.
    pub buffers: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// The GPU device.
pub struct Device {
    shared: Arc<Shared>,
}

impl Device {
    /// Opens the adapter that is asked for, or else the first that can be opened.
    pub fn open(config: Config) -> Result<Self, OpenError> {
        let adapters = adapter::list();
        if adapters.is_empty() {
            return Err(OpenError::NoAdapter);
        }
        let known: Vec<String> = adapters.iter().map(|adapter| adapter.info.name.clone()).collect();
        let asked = |adapter: &Adapter| config.name.as_ref().is_none_or(|name| adapter.is_called(name));
        let mut reasons = Vec::new();
        for adapter in adapters.into_iter().filter(asked) {
            let name = adapter.info.name.clone();
            match Self::open_adapter(adapter, config.clone()) {
                Ok(device) => return Ok(device),
                Err(reason) => reasons.push((name, reason)),
            }
        }
        match config.name {
            Some(name) if reasons.is_empty() => Err(OpenError::NoSuchAdapter { name, known }),
            _ => Err(OpenError::Unusable { reasons }),
        }
    }

    /// Opens this adapter, or says why not.
    pub fn open_adapter(adapter: Adapter, config: Config) -> Result<Self, String> {
        if let Some(reason) = adapter.unusable() {
            return Err(reason);
        }
        let id = config.name.as_ref().map_or_else(|| ID.to_owned(), |name| format!("{ID}:{name}"));
        let mut caps = adapter.caps(&id, config.without);
        caps.memory_bytes = config.budget_bytes.map(staging::without_belts);
        let pool = Arc::new(Pool::new(config.budget_bytes));
        let driver = Driver::open(&id, &adapter, pool.clone(), (config.without, config.faults.clone()))?;
        let loop_turns = Flaw::loop_turns(&adapter.info);
        let pipelines = Cache::new(config.hands.clone());
        let open = Mutex::new(Arc::new(Open { driver: Arc::new(driver), loop_turns, pipelines }));
        let slice = config.slice.unwrap_or(SLICE);
        let side_max = adapter.limits().max_compute_workgroups_per_dimension;
        let caps = Arc::new(caps);
        Ok(Self { shared: Arc::new(Shared { caps, slice, side_max, config, adapter, pool, open }) })
    }

    /// Memory in use now.
    pub fn usage(&self) -> Usage {
        Usage { buffers: self.shared.pool.buffers(), bytes: self.shared.pool.used_bytes() }
    }
}

impl device::Device for Device {
    fn caps(&self) -> &Arc<Caps> {
        &self.shared.caps
    }

    fn alloc(&self, bytes: u64) -> Result<Buffer, Error> {
        let (device, limit_bytes) = (self.shared.caps.id.clone(), self.shared.caps.limits.buffer_bytes_max);
        if bytes > limit_bytes {
            return Err(Error::BufferTooLarge { device, buffer: "buffer".to_owned(), bytes, limit_bytes });
        }
        let open = self.shared.open()?;
        let memory = open.driver.buffer("a resident buffer", bytes, USAGE)?;
        let all = memory.raw.size();
        Ok(Buffer::new(Arc::new(Resident { open, bytes: all, memory: Turn::new(memory) }), bytes))
    }

    fn write(&self, buffer: &Buffer, offset: u64, from: &[u8]) -> Result<(), Error> {
        let resident = self.shared.resident(buffer)?;
        let offset = buffer.place(offset, from.len() as u64)?;
        if from.is_empty() {
            return Ok(());
        }
        let (driver, memory) = (&resident.open.driver, resident.lock());
        let (start, end) = words(offset, from.len() as u64);
        if (start, end) == (offset, offset + from.len() as u64) {
            return put(driver, &memory, start, from);
        }
        let mut whole = vec![0; (end - start) as usize];
        get(driver, &memory, start, &mut whole)?;
        whole[(offset - start) as usize..][..from.len()].copy_from_slice(from);
        put(driver, &memory, start, &whole)
    }

    fn fill(&self, buffer: &Buffer, pattern: &[u8]) -> Result<(), Error> {
        let resident = self.shared.resident(buffer)?;
        if buffer.bytes == 0 || pattern.is_empty() {
            return Ok(());
        }
        within::fill(&resident.open.driver, &resident.lock().raw, buffer.offset, buffer.bytes, pattern)
    }

    fn copy(&self, from: &Buffer, to: &Buffer) -> Result<(), Error> {
        device::copy_fits(from, to)?;
        let (source, target) = (self.shared.resident(from)?, self.shared.resident(to)?);
        if from.bytes == 0 {
            return Ok(());
        }
        let mut both = vec![source, target];
        both.sort_by_key(|resident| std::ptr::from_ref(*resident));
        both.dedup_by_key(|resident| std::ptr::from_ref(*resident));
        let turns: Vec<_> = both.iter().map(|resident| (std::ptr::from_ref(*resident), resident.lock())).collect();
        let place = |resident: &Resident, base: u64| {
            let turn = turns.iter().find(|(of, _)| std::ptr::eq(*of, resident));
            let (_, memory) = turn.expect("invariant turns: both have theirs");
            Place { raw: memory.raw.clone(), base }
        };
        let (from_place, to_place) = (place(source, from.offset), place(target, to.offset));
        within::copy(&source.open.driver, &from_place, &to_place, from.bytes)
    }

    fn read(&self, buffer: &Buffer, offset: u64, to: &mut [u8]) -> Result<(), Error> {
        let resident = self.shared.resident(buffer)?;
        let offset = buffer.place(offset, to.len() as u64)?;
        if to.is_empty() {
            return Ok(());
        }
        get(&resident.open.driver, &resident.lock(), offset, to)
    }

    fn refuses(&self, kernel: &Kernel) -> Vec<Diagnostic> {
        let caps = &self.shared.caps;
        device::lacks(kernel, caps).into_iter().chain(gaps::of(kernel, &caps.id, self.shared.vulkan())).collect()
    }

    fn load_with(&self, fitted: Fitted, stop: &Stop) -> Result<Box<dyn device::Loaded>, Error> {
        let schedule = fitted.of(&self.shared.caps)?;
        gaps::fit(&schedule, &self.shared.caps.id, self.shared.vulkan())?;
        Ok(Box::new(Loaded::new(self.shared.clone(), schedule, stop)?))
    }
}

/// The whole words that a range lies in.
pub(crate) fn words(offset: u64, bytes: u64) -> (u64, u64) {
    (offset - offset % ALIGN_BYTES, (offset + bytes).next_multiple_of(ALIGN_BYTES))
}

/// Writes whole words.
fn put(driver: &Driver, memory: &Memory, offset: u64, from: &[u8]) -> Result<(), Error> {
    // wgpu stages what it is given to write without our counting it.
    if from.len() > PIECE_BYTES || driver.left_bytes().is_some() {
        return put_in_pieces(driver, memory, offset, from);
    }
    let write = || {
        driver.queue.write_buffer(&memory.raw, offset, from);
        driver.queue.submit([])
    };
    let submission = driver.call(Point::Submit, "a write", from.len() as u64, write)?;
    driver.wait(submission)
}

/// While the device reads one piece the host fills another.
fn put_in_pieces(driver: &Driver, memory: &Memory, offset: u64, from: &[u8]) -> Result<(), Error> {
    let piece_bytes = piece_bytes(driver, PIECE_BYTES.min(from.len()) as u64, 2);
    let mut belts = [Up::new(driver, piece_bytes)?, Up::new(driver, piece_bytes)?];
    let mut read: [Option<Submission>; 2] = [None, None];
    let mut at = offset;
    for (turn, piece) in from.chunks(piece_bytes as usize).enumerate() {
        let (up, read) = (&mut belts[turn % 2], &mut read[turn % 2]);
        if let Some(submission) = read.take() {
            driver.wait(submission)?;
            up.open(driver)?;
        }
        let place = up.write(driver, piece)?;
        let mut encoder = driver.raw.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_buffer_to_buffer(up.raw(), place, &memory.raw, at, piece.len() as u64);
        up.close();
        *read = Some(driver.submit(encoder)?);
        at += piece.len() as u64;
    }
    read.into_iter().flatten().try_for_each(|submission| driver.wait(submission))
}

/// Reads bytes.
fn get(driver: &Driver, memory: &Memory, offset: u64, to: &mut [u8]) -> Result<(), Error> {
    let mut at = offset;
    // A piece may lie across one word more than it has.
    let wanted = (to.len() as u64 + 2 * ALIGN_BYTES).min(staging::BELT_BYTES_MAX / 2);
    let piece_bytes = piece_bytes(driver, wanted, 1) - ALIGN_BYTES;
    for piece in to.chunks_mut(piece_bytes as usize) {
        let (start, end) = words(at, piece.len() as u64);
        let mut down = Down::new(driver, end - start)?;
        down.take(end - start);
        let mut encoder = driver.raw.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_buffer_to_buffer(&memory.raw, start, down.raw(), 0, end - start);
        let submission = driver.submit(encoder)?;
        let mapping = down.map(driver)?;
        driver.wait(submission)?;
        down.land(driver, &mapping, |bytes| piece.copy_from_slice(&bytes[(at - start) as usize..][..piece.len()]))?;
        at += piece.len() as u64;
    }
    Ok(())
}
