//! The memory of a schedule's own buffers: lent for as long as they live, group by group.
//!
//! What is given back is kept for the next buffer of the same size, in this run or the next, as
//! long as all that is held stays within what the schedule has live at its peak. A buffer gets
//! what it had in the last run if it can, so that its bindings hold.

use std::collections::BTreeMap;

use seawall_core::device::Error;
use seawall_core::schedule::{Buffer, Life};

use crate::driver::Driver;
use crate::driver::USAGE;
use crate::memory::{Memory, padded};

/// Lends memory to buffers.
#[derive(Debug)]
pub(crate) struct Bank {
    limit_bytes: u64,
    /// What whole words may add to that.
    padding_bytes: u64,
    held_bytes: u64,
    peak_bytes: u64,
    /// By buffer.
    lent: Vec<Option<Held>>,
    /// By size, then by number.
    spare: BTreeMap<u64, BTreeMap<u64, Memory>>,
    /// The number of what each buffer had last.
    last: Vec<Option<u64>>,
    /// The next number.
    next: u64,
}

/// Memory, its size, and a number that no other ever has.
#[derive(Debug)]
struct Held {
    bytes: u64,
    number: u64,
    memory: Memory,
}

impl Bank {
    /// For the buffers of a schedule, with so much for those that live at once.
    pub(crate) fn new(buffers: &[Buffer], limit_bytes: u64) -> Self {
        let own = buffers.iter().filter(|buffer| buffer.life == Life::Transient);
        let padding_bytes = own.map(|buffer| padded(buffer.bytes) - buffer.bytes).sum();
        let lent = std::iter::repeat_with(|| None).take(buffers.len()).collect();
        let (spare, last) = (BTreeMap::new(), vec![None; buffers.len()]);
        Self { limit_bytes, padding_bytes, held_bytes: 0, peak_bytes: 0, lent, spare, last, next: 0 }
    }

    /// What may still be made beyond what is held.
    pub(crate) fn to_come_bytes(&self) -> u64 {
        (self.limit_bytes.saturating_add(self.padding_bytes)).saturating_sub(self.held_bytes)
    }

    /// Kept memory for a buffer, if there is any of its size.
    pub(crate) fn lend(&mut self, buffer: usize, bytes: u64) -> Option<&wgpu::Buffer> {
        let fits = self.spare.get_mut(&bytes)?;
        let own = self.last[buffer].and_then(|number| fits.remove_entry(&number));
        let (number, memory) = own.or_else(|| fits.pop_first())?;
        Some(self.hand_out(buffer, Held { bytes, number, memory }))
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
        self.next += 1;
        Ok(self.hand_out(buffer, Held { bytes, number: self.next, memory }))
    }

    fn hand_out(&mut self, buffer: usize, held: Held) -> &wgpu::Buffer {
        self.last[buffer] = Some(held.number);
        &self.lent[buffer].insert(held).memory.raw
    }

    /// Two buffers of one size exchange their memory.
    pub(crate) fn swap(&mut self, first: usize, second: usize) {
        self.lent.swap(first, second);
    }

    /// The buffer's life is over.
    pub(crate) fn take_back(&mut self, buffer: usize) {
        if let Some(Held { bytes, number, memory }) = self.lent[buffer].take() {
            self.spare.entry(bytes).or_default().insert(number, memory);
        }
    }

    /// Spare memory that must go before so much more can be held, the largest first.
    pub(crate) fn make_room(&mut self, bytes: u64) -> Vec<Memory> {
        let mut gone = Vec::new();
        while self.held_bytes.saturating_add(bytes) > self.limit_bytes {
            let Some(mut largest) = self.spare.last_entry() else { break };
            match largest.get_mut().pop_last() {
                Some((_, memory)) => {
                    self.held_bytes -= *largest.key();
                    gone.push(memory);
                }
                None => drop(largest.remove()),
            }
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
