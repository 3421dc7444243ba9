//! Memory that may not be had: buffers of a run, and what outlives it.

use std::collections::TryReserveError;
use std::ops::{Deref, DerefMut, Range};
use std::sync::Arc;

use crate::stop::{Reason, Stop};
use crate::turn::{Held, Turn};

/// A resident buffer. Runs and copies take turns on it.
#[derive(Debug, Default)]
pub(super) struct Resident {
    bytes: Turn<Vec<u8>>,
}

impl Resident {
    pub(super) fn new(bytes: Vec<u8>) -> Self {
        Self { bytes: Turn::new(bytes) }
    }

    /// Waits until no run uses it.
    pub(super) fn lock(&self) -> Held<'_, Vec<u8>> {
        self.bytes.wait()
    }
}

/// A memory where it comes first; nothing but where that was, when it comes again.
pub(super) type Locked<'a> = (usize, Option<Held<'a, Vec<u8>>>);

/// Locks all of them, each once, in an order that any two runs share, so that they cannot
/// deadlock.
pub(super) fn lock_all<'a>(residents: &'a [Arc<Resident>], stop: &Stop) -> Result<Vec<Locked<'a>>, Reason> {
    let mut order: Vec<usize> = (0..residents.len()).collect();
    order.sort_by_key(|&i| (Arc::as_ptr(&residents[i]), i));
    let mut all: Vec<_> = (0..residents.len()).map(|i| (i, None)).collect();
    let mut first = None;
    for i in order {
        match first {
            Some(first) if Arc::ptr_eq(&residents[first], &residents[i]) => all[i].0 = first,
            _ => {
                first = Some(i);
                all[i].1 = Some(residents[i].bytes.take(stop)?);
            }
        }
    }
    Ok(all)
}

/// What [`lock_all`] locked.
pub(super) fn whole<'a>(locked: &'a mut Locked<'_>) -> &'a mut [u8] {
    locked.1.as_mut().expect("invariant first: it is locked where it came first")
}

/// A buffer during a run.
#[derive(Debug)]
pub(super) enum Store<'a> {
    /// It does not live yet, or no longer.
    None,
    Transient(Vec<u8>),
    Resident(Held<'a, Vec<u8>>),
}

impl Deref for Store<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::None => &[],
            Self::Transient(bytes) => bytes,
            Self::Resident(held) => held,
        }
    }
}

impl DerefMut for Store<'_> {
    fn deref_mut(&mut self) -> &mut [u8] {
        match self {
            Self::None => &mut [],
            Self::Transient(bytes) => bytes,
            Self::Resident(held) => held,
        }
    }
}

/// What the rows of a kernel's buffer table are bound to in one dispatch.
#[derive(Debug)]
pub(super) struct Bound<'a> {
    /// Those that it uses.
    buffers: Vec<&'a mut [u8]>,
    /// Place among them and range of each row. Rows that are only read may share bytes.
    rows: Vec<(usize, Range<usize>)>,
}

impl<'a> Bound<'a> {
    pub(super) fn new(mut stores: &'a mut [Store<'_>], mut rows: Vec<(usize, Range<usize>)>) -> Self {
        let mut used: Vec<usize> = rows.iter().map(|&(buffer, _)| buffer).collect();
        used.sort_unstable();
        used.dedup();
        let mut buffers = Vec::with_capacity(used.len());
        let mut passed = 0;
        for &buffer in &used {
            let (store, rest) = stores[buffer - passed..].split_first_mut().expect("invariant ranges: buffers exist");
            buffers.push(&mut **store);
            (stores, passed) = (rest, buffer + 1);
        }
        for (buffer, _) in &mut rows {
            *buffer = used.binary_search(buffer).expect("invariant used: every row is among them");
        }
        Self { buffers, rows }
    }

    pub(super) fn bytes(&self, row: u32) -> &[u8] {
        let (buffer, ref range) = self.rows[row as usize];
        &self.buffers[buffer][range.clone()]
    }

    pub(super) fn bytes_mut(&mut self, row: u32) -> &mut [u8] {
        let (buffer, ref range) = self.rows[row as usize];
        &mut self.buffers[buffer][range.clone()]
    }
}

/// `count` copies of `item`, if they can be had.
pub(super) fn filled<T: Clone>(count: usize, item: T) -> Result<Vec<T>, TryReserveError> {
    let mut items = Vec::new();
    items.try_reserve_exact(count)?;
    items.resize(count, item);
    Ok(items)
}
