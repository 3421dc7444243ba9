//! Memory that both sides see. Uploads are written into one buffer, downloads land in another,
//! and both are kept from run to run: making and mapping them costs more than a small run.

use seawall_core::device::Error;

use crate::driver::{Driver, Mapping};
use crate::memory::Memory;

/// Where a mapped range may start.
const ALIGN_BYTES: u64 = wgpu::MAP_ALIGNMENT;

/// The most that a belt holds at once; what is larger goes in pieces.
pub(crate) const BELT_BYTES_MAX: u64 = 64 << 20;

/// What a piece of so many bytes takes of a belt.
pub(crate) fn footprint(bytes: u64) -> u64 {
    bytes.next_multiple_of(ALIGN_BYTES).max(ALIGN_BYTES)
}

/// Uploads on their way.
#[derive(Debug)]
pub(crate) struct Up {
    memory: Memory,
    bytes: u64,
    used: u64,
    state: State,
}

#[derive(Debug)]
enum State {
    /// The host may write.
    Open,
    /// It will be open when the device has been polled.
    Opening(Mapping),
    /// The device reads it.
    Closed,
}

impl Up {
    /// For a schedule whose uploads take so much in all.
    pub(crate) fn new(driver: &Driver, total: u64) -> Result<Self, Error> {
        let bytes = footprint(total).min(BELT_BYTES_MAX);
        let usage = wgpu::BufferUsages::MAP_WRITE | wgpu::BufferUsages::COPY_SRC;
        let memory = driver.mapped_buffer("staging memory for uploads", bytes, usage)?;
        Ok(Self { memory, bytes, used: 0, state: State::Open })
    }

    /// Bytes that still find room.
    pub(crate) fn room(&self) -> u64 {
        self.bytes - self.used
    }

    /// Writes bytes that find room; gives the place of them.
    pub(crate) fn write(&mut self, driver: &Driver, from: &[u8]) -> Result<u64, Error> {
        if let State::Opening(mapping) = &self.state {
            driver.poll()?;
            driver.mapped(mapping)?;
            self.state = State::Open;
        }
        let (at, bytes) = (self.used, footprint(from.len() as u64));
        let mut view = driver.view_mut(&self.memory, at, bytes)?;
        view.slice(..from.len()).copy_from_slice(from);
        view.slice(from.len()..).fill(0);
        self.used += bytes;
        Ok(at)
    }

    /// The host has written what is to be submitted.
    pub(crate) fn close(&mut self) {
        if self.used > 0 {
            self.memory.raw.unmap();
            self.state = State::Closed;
        }
    }

    /// The device has read it all: the host may write again, once the device is polled.
    pub(crate) fn open(&mut self, driver: &Driver) -> Result<(), Error> {
        if let State::Closed = self.state {
            self.state = State::Opening(driver.map(&self.memory, self.bytes, wgpu::MapMode::Write)?);
        }
        self.used = 0;
        Ok(())
    }

    pub(crate) fn raw(&self) -> &wgpu::Buffer {
        &self.memory.raw
    }
}

/// Downloads on their way.
#[derive(Debug)]
pub(crate) struct Down {
    memory: Memory,
    bytes: u64,
    used: u64,
}

impl Down {
    /// For a schedule whose downloads take so much in all.
    pub(crate) fn new(driver: &Driver, total: u64) -> Result<Self, Error> {
        let bytes = footprint(total).min(BELT_BYTES_MAX);
        let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        Ok(Self { memory: driver.buffer("staging memory for downloads", bytes, usage)?, bytes, used: 0 })
    }

    /// Bytes that still find room.
    pub(crate) fn room(&self) -> u64 {
        self.bytes - self.used
    }

    /// Takes room for so many bytes; gives the place.
    pub(crate) fn take(&mut self, bytes: u64) -> u64 {
        let at = self.used;
        self.used += footprint(bytes);
        at
    }

    /// Starts to map what was taken.
    pub(crate) fn map(&self, driver: &Driver) -> Result<Mapping, Error> {
        driver.map(&self.memory, self.used, wgpu::MapMode::Read)
    }

    /// Hands out what came, and has room again.
    pub(crate) fn land(&mut self, driver: &Driver, mapping: &Mapping, to: impl FnOnce(&[u8])) -> Result<(), Error> {
        driver.mapped(mapping)?;
        let view = driver.view(&self.memory, self.used)?;
        to(&view);
        drop(view);
        self.memory.raw.unmap();
        self.used = 0;
        Ok(())
    }

    pub(crate) fn raw(&self) -> &wgpu::Buffer {
        &self.memory.raw
    }
}
