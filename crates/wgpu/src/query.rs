//! Queries: numbers that commands leave, to be copied into buffers.

use std::sync::{Arc, Mutex, PoisonError};

/// Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Set(Arc<Mutex<Vec<u64>>>);

impl Set {
    pub(crate) fn new(count: u32) -> Self {
        Self(Arc::new(Mutex::new(vec![0; count as usize])))
    }

    pub(crate) fn set(&self, range: std::ops::Range<u32>, value: u64) {
        let mut values = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        values[range.start as usize..range.end as usize].fill(value);
    }

    pub(crate) fn bytes(&self, range: std::ops::Range<u32>) -> Vec<[u8; 8]> {
        let values = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        values[range.start as usize..range.end as usize].iter().map(|value| value.to_le_bytes()).collect()
    }
}
