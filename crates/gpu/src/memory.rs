//! Device memory that is counted: a pool knows its bytes and its buffers, and refuses what
//! would go beyond its budget before the driver is asked.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// wgpu copies and binds multiples of this.
pub(crate) const ALIGN_BYTES: u64 = 4;

/// What a buffer of so many bytes really takes: a whole number of words, and at least one.
pub(crate) fn padded(bytes: u64) -> u64 {
    bytes.next_multiple_of(ALIGN_BYTES).max(ALIGN_BYTES)
}

/// Where a buffer of a schedule lies: in memory of its own, or in a part of what was handed in.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Place {
    pub(crate) raw: wgpu::Buffer,
    /// Its first byte there.
    pub(crate) base: u64,
}

/// Counts what is in use on a device, staging included.
#[derive(Debug)]
pub(crate) struct Pool {
    budget_bytes: Option<u64>,
    used_bytes: AtomicU64,
    peak_bytes: AtomicU64,
    buffers: AtomicU64,
}

/// The budget is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Full {
    pub(crate) used_bytes: u64,
    pub(crate) budget_bytes: u64,
}

impl Pool {
    pub(crate) fn new(budget_bytes: Option<u64>) -> Self {
        Self { budget_bytes, used_bytes: AtomicU64::new(0), peak_bytes: AtomicU64::new(0), buffers: AtomicU64::new(0) }
    }

    /// Takes so many bytes for one buffer.
    pub(crate) fn charge(self: &Arc<Self>, bytes: u64) -> Result<Charge, Full> {
        let budget_bytes = self.budget_bytes.unwrap_or(u64::MAX);
        let take = |used: u64| used.checked_add(bytes).filter(|&sum| sum <= budget_bytes);
        match self.used_bytes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take) {
            Ok(used_bytes) => {
                self.peak_bytes.fetch_max(used_bytes + bytes, Ordering::Relaxed);
                self.buffers.fetch_add(1, Ordering::Relaxed);
                Ok(Charge { pool: self.clone(), bytes })
            }
            Err(used_bytes) => Err(Full { used_bytes, budget_bytes }),
        }
    }

    /// What may still be used; `None` if there is no limit.
    pub(crate) fn left_bytes(&self) -> Option<u64> {
        self.budget_bytes.map(|budget| budget.saturating_sub(self.used_bytes()))
    }

    /// Whether there is room for so many more bytes.
    pub(crate) fn fits(&self, bytes: u64) -> Result<(), Full> {
        let (used_bytes, budget_bytes) = (self.used_bytes(), self.budget_bytes.unwrap_or(u64::MAX));
        let fits = used_bytes.checked_add(bytes).is_some_and(|sum| sum <= budget_bytes);
        if fits { Ok(()) } else { Err(Full { used_bytes, budget_bytes }) }
    }

    /// Bytes in use.
    pub(crate) fn used_bytes(&self) -> u64 {
        self.used_bytes.load(Ordering::Relaxed)
    }

    /// Buffers in use.
    pub(crate) fn buffers(&self) -> u64 {
        self.buffers.load(Ordering::Relaxed)
    }
}

/// Bytes of a pool; given back when dropped.
#[derive(Debug)]
pub(crate) struct Charge {
    pool: Arc<Pool>,
    bytes: u64,
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.pool.used_bytes.fetch_sub(self.bytes, Ordering::Relaxed);
        self.pool.buffers.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A buffer and its place in the books.
#[derive(Debug)]
pub(crate) struct Memory {
    pub(crate) raw: wgpu::Buffer,
    _charge: Charge,
}

impl Memory {
    pub(crate) fn new(raw: wgpu::Buffer, charge: Charge) -> Self {
        Self { raw, _charge: charge }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_kept_and_given_back() {
        let pool = Arc::new(Pool::new(Some(100)));
        let first = pool.charge(60).unwrap();
        assert_eq!(pool.charge(41).unwrap_err(), Full { used_bytes: 60, budget_bytes: 100 });
        let second = pool.charge(40).unwrap();
        assert_eq!((pool.used_bytes(), pool.buffers()), (100, 2));
        drop(first);
        assert!(pool.charge(u64::MAX).is_err());
        drop(second);
        assert_eq!((pool.used_bytes(), pool.buffers()), (0, 0));
    }

    #[test]
    fn buffers_are_whole_words() {
        assert_eq!([0, 1, 4, 5].map(padded), [4, 4, 4, 8]);
    }
}
