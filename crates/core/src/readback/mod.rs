//! Which bytes cross back to the host: only those that mean something, in few copies.
//!
//! Slots are taken in ascending id. An empty one is skipped; one at or under the record
//! limit becomes a record in one compact slab; a larger one is read where it lies, and
//! such ranges that touch, one after the other in the same buffer, become one. The plan
//! does not depend on the order in which the slots are given.

mod sort;
mod pack;

#[cfg(any(test, feature = "arbitrary"))]
pub mod case;
#[cfg(test)]
mod tests;

use std::fmt;

use crate::bytes::{self, Allowance};
pub use crate::ids::{BufferId, SlotId};

/// Room on the device for one result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// Its name; each slot has its own.
    pub id: SlotId,
    /// Where it lies.
    pub buffer: BufferId,
    /// Its first byte there.
    pub offset: u64,
    /// Bytes from there on that mean something.
    pub meaningful_bytes: u64,
    /// Bytes that it could have.
    pub capacity_bytes: u64,
}

/// How slots become copies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Packing {
    /// The most bytes of a record; a larger slot is read directly.
    pub record_limit_bytes: u64,
    /// Copies start and end at multiples of this, a power of two: 1 by default, 4 on wgpu.
    pub align_bytes: u64,
}

impl Packing {
    /// Unaligned, with this limit.
    pub fn new(record_limit_bytes: u64) -> Self {
        Self { record_limit_bytes, align_bytes: 1 }
    }
}

/// A slot whose bytes go into the slab.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record {
    /// Whose bytes.
    pub slot: SlotId,
    /// From this buffer
    pub buffer: BufferId,
    /// and this byte of it,
    pub source: u64,
    /// to this byte of the slab.
    pub offset: u64,
    /// How many mean something; a copy may be rounded up to the alignment.
    pub bytes: u64,
}

/// A part of a buffer that is read where it lies, in one copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// Of this buffer,
    pub buffer: BufferId,
    /// from this byte,
    pub offset: u64,
    /// so many, rounded up to the alignment.
    pub bytes: u64,
}

/// A slot whose bytes lie in a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Direct {
    /// Whose bytes.
    pub slot: SlotId,
    /// Index into [`Plan::ranges`].
    pub range: u32,
    /// First byte in it.
    pub offset: u64,
    /// How many mean something.
    pub bytes: u64,
}

/// The copies, and what each holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// Copies into the slab, by slot.
    pub records: Vec<Record>,
    /// Copies past the slab.
    pub ranges: Vec<Range>,
    /// What lies in the ranges, by slot.
    pub direct: Vec<Direct>,
    /// Sum of all capacities: what reading everything would cost.
    pub full_capacity_bytes: u64,
    /// Size of the slab, with what the alignment adds.
    pub compact_bytes: u64,
    /// Sum of the ranges.
    pub direct_bytes: u64,
    /// Slab and ranges: what crosses.
    pub selected_bytes: u64,
    /// What need not cross; 0 if the alignment adds more than it saves.
    pub avoided_bytes: u64,
    /// The same, of 10000.
    pub avoided_bp: u64,
}

impl Plan {
    /// Makes it empty, and keeps its memory.
    fn clear(&mut self) {
        let Self { records, ranges, direct, .. } = std::mem::take(self);
        *self = Self { records, ranges, direct, ..Self::default() };
        self.records.clear();
        self.ranges.clear();
        self.direct.clear();
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "readback: {} of {} bytes, {} avoided ({} bp), {} records in {} bytes, {} ranges of {} bytes",
            self.selected_bytes,
            self.full_capacity_bytes,
            self.avoided_bytes,
            self.avoided_bp,
            self.records.len(),
            self.compact_bytes,
            self.ranges.len(),
            self.direct_bytes
        )?;
        for Record { slot, buffer, source, offset, bytes } in &self.records {
            writeln!(f, "record {slot}: {buffer}[{source}+{bytes}] -> {offset}")?;
        }
        for (i, Range { buffer, offset, bytes }) in self.ranges.iter().enumerate() {
            writeln!(f, "range {i}: {buffer}[{offset}+{bytes}]")?;
        }
        for Direct { slot, range, offset, bytes } in &self.direct {
            writeln!(f, "direct {slot}: range {range}[{offset}+{bytes}]")?;
        }
        Ok(())
    }
}

/// Why there is no plan. The first that holds, in this order, is reported, and of those
/// alike the one with the lowest slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// An alignment that is not a power of two.
    #[error("an alignment of {align_bytes} bytes is not a power of two; use 1 for none, or 4 for wgpu")]
    Alignment {
        /// What was given.
        align_bytes: u64,
    },
    /// More slots than 32 bits count.
    #[error("{slots} slots, but at most {SLOTS_MAX} can be planned")]
    TooManySlots {
        /// How many were given.
        slots: usize,
    },
    /// Two slots of one name.
    #[error("{slot} is given twice, as slots {first} and {second} of the list; give each its own id")]
    DuplicateSlot {
        /// The name.
        slot: SlotId,
        /// Where it stands first in the list.
        first: usize,
        /// Where it stands next.
        second: usize,
    },
    /// More meaning than room.
    #[error("{slot} has {meaningful_bytes} meaningful bytes in a capacity of {capacity_bytes}; raise the capacity")]
    OverCapacity {
        /// The slot.
        slot: SlotId,
        /// What it says it has.
        meaningful_bytes: u64,
        /// What it can have.
        capacity_bytes: u64,
    },
    /// A slot that no copy can start at.
    #[error("{slot} starts at byte {offset}, which is not a multiple of {align_bytes}; move it")]
    Misaligned {
        /// The slot.
        slot: SlotId,
        /// Where it starts.
        offset: u64,
        /// What copies need.
        align_bytes: u64,
    },
    /// A size over 64 bits, or storage for the plan or for making it.
    #[error(transparent)]
    Bytes(#[from] bytes::Error),
}

/// How many slots one plan takes: they are counted in 32 bits.
pub const SLOTS_MAX: usize = u32::MAX as usize;

/// Memory to plan with, kept from call to call.
#[derive(Debug, Default)]
pub struct Scratch {
    limit_bytes: Option<u64>,
    sort: sort::Scratch,
}

impl Scratch {
    /// One whose calls reserve at most `limit_bytes` each, for scratch and plan together.
    pub fn limited(limit_bytes: u64) -> Self {
        Self { limit_bytes: Some(limit_bytes), ..Self::default() }
    }
}

/// The plan of these slots, in whatever order they come.
pub fn plan(slots: &[Slot], packing: Packing) -> Result<Plan, Error> {
    let mut plan = Plan::default();
    plan_with(&mut Scratch::default(), &mut plan, slots, packing)?;
    Ok(plan)
}

/// As [`plan`], into a plan and with a scratch that may have served before; once they have
/// served as many slots, nothing is allocated. An error leaves the plan empty.
pub fn plan_with(scratch: &mut Scratch, plan: &mut Plan, slots: &[Slot], packing: Packing) -> Result<(), Error> {
    plan.clear();
    let mut allowance = Allowance::new(scratch.limit_bytes);
    let done = pack::pack(&mut allowance, &mut scratch.sort, plan, slots, packing);
    if done.is_err() {
        plan.clear();
    }
    done
}
