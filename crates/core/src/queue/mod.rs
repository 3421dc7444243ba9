//! What a work queue that stays on the device costs, and in which windows it is drained.
//!
//! The queue is a ring of `capacity_items` entries and a control block. The host fills it
//! before the run and reads its final state; it takes no part while items are drained, so
//! nothing waits for it. A drain limit bounds what one launch takes: the ring is then
//! drained in windows of that many items.

#[cfg(any(test, feature = "arbitrary"))]
pub mod case;
#[cfg(test)]
mod tests;

use std::fmt;

use crate::bytes;

/// When the host looks at a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Host {
    /// Once, when all is done.
    FinalOnly,
    /// While items are drained, which is refused.
    WhileDraining,
}

/// What the caller knows of a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Profile {
    /// Entries filled before the run.
    pub initial_items: u64,
    /// Entries of the ring.
    pub capacity_items: u64,
    /// Size of an entry.
    pub entry_bytes: u64,
    /// Size of the counters beside the ring.
    pub control_bytes: u64,
    /// What the queue may take in all.
    pub budget_bytes: u64,
    /// When the host wants to look.
    pub host: Host,
    /// Most items of one drain; none for all at once.
    pub drain_limit_items: Option<u64>,
}

/// How the ring is emptied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drain {
    /// All items at once.
    Single {
        /// The most there can be.
        items: u64,
    },
    /// A window at a time.
    Chunked {
        /// Windows that empty a full ring; over one.
        chunks: u64,
        /// Items of each, but for the last, which may have fewer.
        items_per_chunk: u64,
    },
}

impl Drain {
    /// Windows that empty a full ring.
    pub fn chunks(self) -> u64 {
        match self {
            Self::Single { .. } => 1,
            Self::Chunked { chunks, .. } => chunks,
        }
    }

    /// The most items of one window.
    pub fn items_per_chunk(self) -> u64 {
        match self {
            Self::Single { items } => items,
            Self::Chunked { items_per_chunk, .. } => items_per_chunk,
        }
    }
}

/// A queue's size on the device and how it is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// The ring.
    pub queue_bytes: u64,
    /// The ring and its counters.
    pub resident_bytes: u64,
    /// How full it starts, of 10000.
    pub initial_occupancy_bp: u64,
    /// Always [`Host::FinalOnly`].
    pub host: Host,
    /// In which windows it is emptied.
    pub drain: Drain,
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { queue_bytes, resident_bytes, initial_occupancy_bp, host: _, drain } = self;
        writeln!(f, "queue: {queue_bytes} bytes, {resident_bytes} resident, {initial_occupancy_bp} bp full at first")?;
        match drain {
            Drain::Single { items } => writeln!(f, "drain: {items} items at once, host sync at the end only"),
            Drain::Chunked { chunks, items_per_chunk } => {
                writeln!(f, "drain: {chunks} chunks of {items_per_chunk} items, host sync at the end only")
            }
        }
    }
}

/// Why there is no plan. The first that holds, in this order, is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A ring of nothing.
    #[error("the queue has a capacity of 0 items; give it at least 1")]
    ZeroCapacity,
    /// Entries of nothing.
    #[error("the queue has entries of 0 bytes; give them at least 1")]
    ZeroEntry,
    /// More at first than it holds.
    #[error("{initial_items} items at first in a queue of {capacity_items}; raise the capacity")]
    InitialOverCapacity {
        /// At first.
        initial_items: u64,
        /// At most.
        capacity_items: u64,
    },
    /// The host would have to be waited for.
    #[error("the host cannot take part while the queue drains; read its final state")]
    HostWhileDraining,
    /// A size over 64 bits.
    #[error(transparent)]
    Bytes(#[from] bytes::Error),
    /// More than it may take.
    #[error("the queue needs {required_bytes} bytes of a budget of {budget_bytes}; lower its capacity")]
    OverBudget {
        /// The ring and its counters.
        required_bytes: u64,
        /// What it may take.
        budget_bytes: u64,
    },
    /// Windows of nothing.
    #[error("the drain limit is 0 items; give at least 1, or none to drain all at once")]
    ZeroDrainLimit,
}

/// The plan of one queue. It allocates nothing, so there is no scratch to keep.
pub fn plan(profile: &Profile) -> Result<Plan, Error> {
    let &Profile { initial_items, capacity_items, entry_bytes, control_bytes, budget_bytes, host, drain_limit_items } =
        profile;
    if capacity_items == 0 {
        return Err(Error::ZeroCapacity);
    }
    if entry_bytes == 0 {
        return Err(Error::ZeroEntry);
    }
    if initial_items > capacity_items {
        return Err(Error::InitialOverCapacity { initial_items, capacity_items });
    }
    if host == Host::WhileDraining {
        return Err(Error::HostWhileDraining);
    }
    let queue_bytes = bytes::mul("queue bytes", capacity_items, entry_bytes)?;
    let resident_bytes = bytes::add("resident queue bytes", queue_bytes, control_bytes)?;
    if resident_bytes > budget_bytes {
        return Err(Error::OverBudget { required_bytes: resident_bytes, budget_bytes });
    }
    let drain = drain(capacity_items, drain_limit_items)?;
    let initial_occupancy_bp = bytes::basis_points(initial_items, capacity_items);
    Ok(Plan { queue_bytes, resident_bytes, initial_occupancy_bp, host, drain })
}

fn drain(capacity_items: u64, limit_items: Option<u64>) -> Result<Drain, Error> {
    match limit_items {
        Some(0) => Err(Error::ZeroDrainLimit),
        Some(limit) if limit < capacity_items => {
            Ok(Drain::Chunked { chunks: capacity_items.div_ceil(limit), items_per_chunk: limit })
        }
        Some(_) | None => Ok(Drain::Single { items: capacity_items }),
    }
}
