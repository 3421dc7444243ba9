//! The memory of a schedule's own buffers: lent for as long as they live, group by group.
//!
//! What is given back is kept for the next buffer of the same size, in this run or the next, as
//! long as all that is held stays within what the schedule has live at its peak. A buffer gets
//! what it had in the last run if it can, so that its bindings hold.

use seawall_core::device::Error;

use crate::device::USAGE;
use crate::driver::Driver;
use crate::memory::Memory;

/// Lends memory to buffers.
#[derive(Debug)]
pub(crate) struct Bank {
    limit_bytes: u64,
    held_bytes: u64,
    peak_bytes: u64,
    /// By buffer.
    lent: Vec<Option<(u64, Memory)>>,
    spare: Vec<(u64, Memory)>,
    /// What each buffer had last.
    last: Vec<Option<wgpu::Buffer>>,
}

impl Bank {
    /// For so many buffers, with so much for those that live at once.
    pub(crate) fn new(buffers: usize, limit_bytes: u64) -> Self {
        let lent = std::iter::repeat_with(|| None).take(buffers).collect();
        Self { limit_bytes, held_bytes: 0, peak_bytes: 0, lent, spare: Vec::new(), last: vec![None; buffers] }
    }

    /// Kept memory for a buffer, if there is any of its size.
    pub(crate) fn lend(&mut self, buffer: usize, bytes: u64) -> Option<&wgpu::Buffer> {
        let fits = |(size, _): &(u64, Memory)| *size == bytes;
        let own = |kept: &(u64, Memory)| fits(kept) && self.last[buffer].as_ref() == Some(&kept.1.raw);
        let at = self.spare.iter().position(own).or_else(|| self.spare.iter().position(fits))?;
        let kept = self.spare.swap_remove(at);
        Some(self.hand_out(buffer, kept))
    }

    /// New memory for a buffer; all zeros.
    pub(crate) fn make(
        &mut self,
        driver: &Driver,
        buffer: usize,
        name: &str,
        bytes: u64,
    ) -> Result<&wgpu::Buffer, Error> {
        let memory = driver.buffer(&format!("`{name}`"), bytes, USAGE)?;
        self.held_bytes += bytes;
        self.peak_bytes = self.peak_bytes.max(self.held_bytes);
        Ok(self.hand_out(buffer, (bytes, memory)))
    }

    fn hand_out(&mut self, buffer: usize, memory: (u64, Memory)) -> &wgpu::Buffer {
        let (_, memory) = self.lent[buffer].insert(memory);
        self.last[buffer] = Some(memory.raw.clone());
        &memory.raw
    }

    /// The buffer's life is over.
    pub(crate) fn take_back(&mut self, buffer: usize) {
        self.spare.extend(self.lent[buffer].take());
    }

    /// Spare memory that must go before so much more can be held, the largest first.
    pub(crate) fn make_room(&mut self, bytes: u64) -> Vec<Memory> {
        let mut gone = Vec::new();
        self.spare.sort_by_key(|(bytes, _)| *bytes);
        while self.held_bytes.saturating_add(bytes) > self.limit_bytes {
            let Some((bytes, memory)) = self.spare.pop() else { break };
            self.held_bytes -= bytes;
            for last in &mut self.last {
                last.take_if(|last| *last == memory.raw);
            }
            gone.push(memory);
        }
        gone
    }

    /// The run is over. Returns the most that was held during it.
    pub(crate) fn settle(&mut self) -> u64 {
        for buffer in 0..self.lent.len() {
            self.take_back(buffer);
        }
        std::mem::replace(&mut self.peak_bytes, self.held_bytes)
    }
}
