//! When each step is done, by the device's own clock.

use seawall_core::device::{Clock, Error, Timed};

use crate::driver::{Driver, Mapping};
use crate::fault::Point;
use crate::memory::Memory;
use crate::staging::Down;

/// Pairs of timestamps that one submission has room for.
const PAIRS_MAX: usize = 1024;

/// Bytes of a pair.
const PAIR_BYTES: u64 = 16;

/// Timestamps on their way.
pub(crate) struct Timer {
    set: wgpu::QuerySet,
    resolved: Memory,
    down: Down,
    /// The step of each pair of this submission.
    steps: Vec<usize>,
    /// Nanoseconds of a tick.
    period: f64,
    /// The caller's time when the first of a run was submitted.
    submitted_nanos: u64,
    /// What has landed: a step, and the ticks before and after it.
    landed: Vec<(usize, [u64; 2])>,
}

/// The two timestamps around a step.
pub(crate) struct Pair {
    pub(crate) set: wgpu::QuerySet,
    pub(crate) begin: u32,
    pub(crate) end: u32,
}

impl Timer {
    /// `None` where the adapter has no timestamps.
    pub(crate) fn new(driver: &Driver) -> Result<Option<Self>, Error> {
        if !driver.raw.features().contains(wgpu::Features::TIMESTAMP_QUERY) {
            return Ok(None);
        }
        let (count, bytes) = (2 * PAIRS_MAX as u32, PAIRS_MAX as u64 * PAIR_BYTES);
        let descriptor = wgpu::QuerySetDescriptor { label: None, ty: wgpu::QueryType::Timestamp, count };
        let set = driver.call(Point::Alloc, "timestamps", bytes, || driver.raw.create_query_set(&descriptor))?;
        let usage = wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC;
        let resolved = driver.buffer("timestamps", bytes, usage)?;
        let down = Down::new(driver, bytes)?;
        let period = f64::from(driver.queue.get_timestamp_period());
        Ok(Some(Self { set, resolved, down, steps: Vec::new(), period, submitted_nanos: 0, landed: Vec::new() }))
    }

    /// Whether a submission has no room for another step.
    pub(crate) fn is_full(&self) -> bool {
        self.steps.len() == PAIRS_MAX
    }

    /// Timestamps for a part of a step.
    pub(crate) fn pair(&mut self, step: usize) -> Pair {
        let begin = 2 * self.steps.len() as u32;
        self.steps.push(step);
        Pair { set: self.set.clone(), begin, end: begin + 1 }
    }

    /// Records that the timestamps go to the host.
    pub(crate) fn resolve(&mut self, encoder: &mut wgpu::CommandEncoder, clock: &Clock) {
        let count = self.steps.len();
        if count == 0 {
            return;
        }
        if self.landed.is_empty() {
            self.submitted_nanos = clock.nanos();
        }
        let bytes = count as u64 * PAIR_BYTES;
        encoder.resolve_query_set(&self.set, 0..2 * count as u32, &self.resolved.raw, 0);
        let at = self.down.take(bytes);
        encoder.copy_buffer_to_buffer(&self.resolved.raw, 0, self.down.raw(), at, bytes);
    }

    /// Starts to map them.
    pub(crate) fn map(&self, driver: &Driver) -> Result<Option<Mapping>, Error> {
        if self.steps.is_empty() { Ok(None) } else { self.down.map(driver).map(Some) }
    }

    /// Reads them.
    pub(crate) fn land(&mut self, driver: &Driver, mapping: &Mapping) -> Result<(), Error> {
        let (steps, landed) = (&mut self.steps, &mut self.landed);
        self.down.land(driver, mapping, |bytes| {
            for (step, pair) in steps.drain(..).zip(bytes.chunks_exact(PAIR_BYTES as usize)) {
                let tick = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| pair[8 * at + i]));
                landed.push((step, [tick(0), tick(1)]));
            }
        })
    }

    /// What was measured since the last time.
    pub(crate) fn take(&mut self) -> Vec<Timed> {
        let start = self.landed.iter().map(|(_, [begin, _])| *begin).min().unwrap_or(0);
        let nanos = |from: u64, to: u64| (to.saturating_sub(from) as f64 * self.period) as u64;
        let timed = |&(step, [begin, end]): &(usize, [u64; 2])| Timed {
            step,
            worker: 0,
            begin_nanos: self.submitted_nanos + nanos(start, begin),
            nanos: nanos(begin, end),
        };
        let mut times: Vec<Timed> = self.landed.iter().map(timed).collect();
        times.sort_by_key(|timed| timed.step);
        self.landed.clear();
        times
    }
}
