//! The memory of a run's transient buffers: taken and given back between groups.
//!
//! What is given back is kept for the next buffer of the same size, in this run or the next,
//! as long as all that is held stays within what the schedule has live at its peak; so the
//! system is asked for memory seldom, and never for more than was planned.

use std::collections::BTreeMap;

use crate::exec::memory::{Edge, Error, Memory, View};

#[derive(Debug, Default)]
pub(crate) struct Bank {
    limit_bytes: u64,
    held_bytes: u64,
    peak_bytes: u64,
    /// By buffer.
    lent: Vec<Option<Memory>>,
    /// By size.
    spare: BTreeMap<u64, Vec<Memory>>,
    /// What memory is to have, for tests.
    edge: Option<Edge>,
}

impl Bank {
    /// For so many buffers, with so much for those that live at once.
    pub(crate) fn new(buffers: usize, limit_bytes: u64, edge: Option<Edge>) -> Self {
        let lent = std::iter::repeat_with(|| None).take(buffers).collect();
        Self { limit_bytes, lent, edge, ..Self::default() }
    }

    /// Whether a buffer's memory can be read only from now on; only memory with an edge changes.
    pub(crate) fn protect(&self, buffer: usize, read_only: bool) {
        self.lent[buffer].iter().for_each(|memory| memory.protect(read_only));
    }

    /// Memory for a buffer, zeroed unless it is about to be overwritten.
    pub(crate) fn lend(&mut self, buffer: usize, bytes: u64, overwritten: bool) -> Result<View<'_>, Error> {
        let memory = if let Some(mut memory) = self.spare.get_mut(&bytes).and_then(Vec::pop) {
            if !overwritten {
                memory.clear();
            }
            memory
        } else {
            self.make_room(bytes);
            let memory = Memory::with_edge(bytes, self.edge)?;
            self.held_bytes += bytes;
            self.peak_bytes = self.peak_bytes.max(self.held_bytes);
            memory
        };
        Ok(self.lent[buffer].insert(memory).view())
    }

    /// Two buffers of one size, both alive, exchange what they hold.
    pub(crate) fn swap(&mut self, first: usize, second: usize) {
        self.lent.swap(first, second);
    }

    /// The buffer's life is over.
    pub(crate) fn take_back(&mut self, buffer: usize) {
        if let Some(memory) = self.lent[buffer].take() {
            memory.check();
            self.spare.entry(memory.bytes()).or_default().push(memory);
        }
    }

    /// The run is over, however it ended. Returns the most that was held during it.
    pub(crate) fn settle(&mut self) -> u64 {
        for buffer in 0..self.lent.len() {
            self.take_back(buffer);
        }
        std::mem::replace(&mut self.peak_bytes, self.held_bytes)
    }

    /// Lets go of spare memory, the largest first, until so much more can be held.
    fn make_room(&mut self, bytes: u64) {
        while self.held_bytes.saturating_add(bytes) > self.limit_bytes {
            let Some(mut largest) = self.spare.last_entry() else { return };
            match largest.get_mut().pop() {
                Some(memory) => self.held_bytes -= memory.bytes(),
                None => drop(largest.remove()),
            }
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn address(bank: &mut Bank, buffer: usize, bytes: u64) -> usize {
        bank.lend(buffer, bytes, false).unwrap().as_ptr().addr()
    }

    #[test]
    fn equal_sizes_share_memory_one_after_the_other() {
        let mut bank = Bank::new(3, 200, None);
        let first = address(&mut bank, 0, 100);
        assert_ne!(address(&mut bank, 1, 100), first);
        bank.take_back(0);
        assert_eq!(address(&mut bank, 2, 100), first);
        assert_eq!(bank.settle(), 200);
        assert!([0, 1].map(|buffer| address(&mut bank, buffer, 100)).contains(&first), "kept for the next run");
    }

    #[test]
    fn what_is_held_stays_within_the_limit() {
        let mut bank = Bank::new(4, 100, None);
        for (buffer, bytes) in [(0, 60), (1, 40)] {
            address(&mut bank, buffer, bytes);
            bank.take_back(buffer);
        }
        address(&mut bank, 2, 50);
        assert_eq!((bank.held_bytes, bank.peak_bytes), (90, 100), "the 60 went, the 40 stayed");
        bank.take_back(2);
        address(&mut bank, 3, 100);
        assert_eq!((bank.held_bytes, bank.settle()), (100, 100));
    }

    #[test]
    fn reused_memory_is_zeroed() {
        let mut bank = Bank::new(2, 8, None);
        let ones = [1; 8];
        // SAFETY: nobody else has this memory.
        unsafe { bank.lend(0, 8, true).unwrap().copy_from(View::over(&ones)) };
        bank.take_back(0);
        let mut seen = [9; 8];
        let view = bank.lend(1, 8, false).unwrap();
        // SAFETY: as above.
        unsafe { View::over_mut(&mut seen).copy_from(view) };
        assert_eq!(seen, [0; 8]);
    }
}
