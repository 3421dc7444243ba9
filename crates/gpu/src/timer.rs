//! How long each step takes, by the device's own clock.

use seawall_core::device::{Error, Timed};

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
    /// By step.
    nanos: Vec<Option<u64>>,
}

/// The two timestamps around a step.
pub(crate) struct Pair {
    pub(crate) set: wgpu::QuerySet,
    pub(crate) begin: u32,
    pub(crate) end: u32,
}

impl Timer {
    /// For a schedule of so many steps; `None` where the adapter has no timestamps.
    pub(crate) fn new(driver: &Driver, steps: usize) -> Result<Option<Self>, Error> {
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
        Ok(Some(Self { set, resolved, down, steps: Vec::new(), period, nanos: vec![None; steps] }))
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
    pub(crate) fn resolve(&mut self, encoder: &mut wgpu::CommandEncoder) {
        let count = self.steps.len();
        if count == 0 {
            return;
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
        let (steps, nanos, period) = (&mut self.steps, &mut self.nanos, self.period);
        self.down.land(driver, mapping, |bytes| {
            for (step, pair) in steps.drain(..).zip(bytes.chunks_exact(PAIR_BYTES as usize)) {
                let tick = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| pair[8 * at + i]));
                let took = (tick(1).saturating_sub(tick(0)) as f64 * period) as u64;
                *nanos[step].get_or_insert(0) += took;
            }
        })
    }

    /// What was measured since the last time.
    pub(crate) fn take(&mut self) -> Vec<Timed> {
        let times = self.nanos.iter_mut().enumerate();
        times.filter_map(|(step, nanos)| nanos.take().map(|nanos| Timed { step, nanos })).collect()
    }
}
