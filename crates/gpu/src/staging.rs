//! Memory that both sides see. Uploads are written into one buffer, downloads land in another,
//! and both are kept from run to run: making and mapping them costs more than a small run.
//!
//! They count as the device's memory. Where there is a budget, they share what the schedule's own
//! buffers leave of it: belts that are smaller than what goes through them only make more
//! submissions, as long as whatever cannot be cut finds room.

use seawall_core::device::Error;

use crate::driver::{Driver, Mapping};
use crate::memory::Memory;

/// Where a mapped range may start.
const ALIGN_BYTES: u64 = wgpu::MAP_ALIGNMENT;

/// The most that a belt holds at once; what is larger goes in pieces.
pub(crate) const BELT_BYTES_MAX: u64 = 64 << 20;

/// The part of a budget that plans leave to belts: one in so many bytes.
const BUDGET_SHARE: u64 = 8;

/// What a budget has for the buffers of schedules.
pub(crate) fn without_belts(budget_bytes: u64) -> u64 {
    budget_bytes - (budget_bytes / BUDGET_SHARE).min(3 * BELT_BYTES_MAX)
}

/// Bytes of a belt: what all that goes through it would take, and what it takes at the least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Need {
    pub(crate) all: u64,
    pub(crate) least: u64,
}

impl Need {
    /// Adds something that can be cut where it must.
    pub(crate) fn add(&mut self, bytes: u64) {
        self.all = self.all.saturating_add(footprint(bytes));
        self.least = self.least.max(ALIGN_BYTES);
    }

    /// Adds something that cannot be cut.
    pub(crate) fn add_whole(&mut self, bytes: u64) {
        self.add(bytes);
        self.least = self.least.max(footprint(bytes));
    }

    fn wanted(self) -> u64 {
        self.all.min(BELT_BYTES_MAX).max(self.least)
    }
}

/// What belts get if there are so many bytes for all of them, which is at least what they need at the
/// least: what they want, or the same part of it.
pub(crate) fn share<const N: usize>(needs: [Need; N], left_bytes: Option<u64>) -> [u64; N] {
    let wanted: u64 = needs.iter().map(|need| need.wanted()).sum();
    let least: u64 = needs.iter().map(|need| need.least).sum();
    let Some(left) = left_bytes.filter(|&left| left < wanted) else { return needs.map(Need::wanted) };
    let (more, over) = (wanted - least, left.saturating_sub(least));
    needs.map(|need| {
        let part = u128::from(need.wanted() - need.least) * u128::from(over) / u128::from(more.max(1));
        need.least + (part as u64 & !(ALIGN_BYTES - 1))
    })
}

/// Bytes of each of so many belts, which are to take as many as wanted, if the budget has them.
pub(crate) fn piece_bytes(driver: &Driver, wanted: u64, belts: u64) -> u64 {
    let needs = Need { all: wanted * belts, least: 0 };
    let [all] = share([needs], driver.left_bytes());
    (all / belts / ALIGN_BYTES * ALIGN_BYTES).max(ALIGN_BYTES)
}

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
    /// With room for so many bytes.
    pub(crate) fn new(driver: &Driver, bytes: u64) -> Result<Self, Error> {
        let bytes = footprint(bytes);
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
    /// With room for so many bytes.
    pub(crate) fn new(driver: &Driver, bytes: u64) -> Result<Self, Error> {
        Self::with(driver, bytes, wgpu::BufferUsages::COPY_DST)
    }

    /// The same, where kernels may write too.
    pub(crate) fn shared(driver: &Driver, bytes: u64) -> Result<Self, Error> {
        Self::with(driver, bytes, wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::STORAGE)
    }

    fn with(driver: &Driver, bytes: u64, usage: wgpu::BufferUsages) -> Result<Self, Error> {
        let (bytes, usage) = (footprint(bytes), usage | wgpu::BufferUsages::MAP_READ);
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

    /// The same, at a multiple of this; `None` if it finds no room there.
    pub(crate) fn take_at(&mut self, align_bytes: u64, bytes: u64) -> Option<u64> {
        let at = self.used.next_multiple_of(align_bytes);
        if at.saturating_add(footprint(bytes)) > self.bytes {
            return None;
        }
        self.used = at;
        Some(self.take(bytes))
    }

    /// Bytes of all of it.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn belts_share_what_is_left() {
        let (mut up, mut down, scratch) = (Need::default(), Need::default(), Need::default());
        up.add(1 << 30);
        down.add_whole(100);
        down.add(1000);
        assert_eq!(share([up, down, scratch], None), [BELT_BYTES_MAX, 104 + 1000, 0]);
        let least = 8 + 104;
        for left in (least..4096).chain([1 << 20, 63 << 20]) {
            let [up, down, scratch] = share([up, down, scratch], Some(left));
            assert!(up + down + scratch <= left && up >= 8 && down >= 104 && scratch == 0, "{left}: {up}, {down}");
            assert!(up.is_multiple_of(8) && down.is_multiple_of(8), "{left}: {up}, {down}");
            assert!(up + down + 16 > left.min(BELT_BYTES_MAX), "{left}: {up}, {down}");
        }
    }

    #[test]
    fn plans_leave_room_for_belts() {
        assert_eq!(without_belts(4 << 20), 7 << 19);
        assert_eq!(without_belts(1 << 40), (1 << 40) - (192 << 20));
    }
}
