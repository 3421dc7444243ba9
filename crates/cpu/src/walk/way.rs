//! How places lie across the lanes.

use super::Walk;
use crate::cost;
use crate::divergence::Shape;
use crate::emit::Emit;
use crate::ir::{Address, Memory, Term, Value};

/// How an address moves along the lanes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Strided {
    /// The term that moves, and by how much.
    pub(super) moving: usize,
    pub(super) stride: u32,
    /// Bytes from lane to lane.
    pub(super) step: u32,
}

/// How an address lies across the lanes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Way {
    /// One place for all lanes.
    Same,
    /// Lane after lane, evenly apart.
    Strided(Strided),
    /// Private memory at one slot: lane after lane.
    Slot,
    Scattered,
}

impl<E: Emit> Walk<'_, E> {
    pub(super) fn way(&self, at: &Address) -> Way {
        let memory = &self.f.memories[at.memory.index()];
        let shape = |value: Value| self.shapes.of(value);
        let moving: Vec<usize> = (0..at.terms.len()).filter(|&i| !shape(at.terms[i].index).is_scalar()).collect();
        match (moving.as_slice(), memory) {
            ([], Memory::Private { .. }) => Way::Slot,
            ([], _) => Way::Same,
            (_, Memory::Private { .. }) => Way::Scattered,
            (&[moving], _) => {
                let term = at.terms[moving];
                let Shape::Linear(stride @ 1..) = shape(term.index) else { return Way::Scattered };
                let step = stride.saturating_mul(i64::from(term.stride)).saturating_mul(self.unit(at) as i64);
                match (u32::try_from(stride), u32::try_from(step)) {
                    (Ok(stride), Ok(step)) if step < cost::ELEMENT_BYTES => {
                        Way::Strided(Strided { moving, stride, step })
                    }
                    _ => Way::Scattered,
                }
            }
            _ => Way::Scattered,
        }
    }

    /// Whether lanes lie side by side, so many bytes each, and never leave their bounds.
    pub(super) fn is_row(&self, at: &Address, bytes: u32) -> bool {
        let lies = matches!(self.way(at), Way::Strided(along) if along.step == bytes);
        lies && self.e.width() > 1 && at.terms.iter().all(|term| self.is_within(term))
    }

    /// Whether an index cannot leave its bound.
    pub(super) fn is_within(&self, term: &Term) -> bool {
        self.ranges.is_within(term, self.shapes.of(term.index), self.here.lanes)
    }

    /// Bytes that one of an address's offset counts.
    pub(super) fn unit(&self, at: &Address) -> u64 {
        match self.f.memories[at.memory.index()] {
            Memory::Buffer { .. } | Memory::Workgroup { .. } => 1,
            Memory::Private { slot_bytes, .. } => u64::from(slot_bytes) * u64::from(self.e.width()),
            Memory::Constants { ty, .. } => ty.bytes().into(),
        }
    }
}
