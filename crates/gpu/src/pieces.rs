//! Which pieces of buffers cross to the host, and how: those that lie close in one copy, small ones in
//! one slab, as `readback` plans it.

use seawall_core::readback::{self, Packing, Slot, SlotId};
use seawall_core::schedule::{Binding, COPY_ALIGN_BYTES, Length};

/// A download of this size or less does not wait until the host knows its length: the device brings
/// as much as means something, or it is copied whole and cut on the host.
pub(crate) const WAIT_BYTES: u64 = 1 << 16;

/// Bytes between two downloads from one buffer that are fetched with them: a command of their own
/// would cost more.
pub(crate) const BRIDGE_BYTES: u64 = 64;

/// What is larger has a place of its own, and is cut where staging memory is short.
pub(crate) const RECORD_BYTES: u64 = 1 << 12;

/// A download of which only the device knows the length is copied whole if none is larger: a kernel
/// that looks would cost more.
pub(crate) const WHOLE_BYTES: u64 = 1 << 10;

/// A range that the host is to have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    /// Of the schedule, the first whose download this is.
    pub(crate) step: usize,
    /// From this range
    pub(crate) from: Binding,
    /// its parts to where they belong.
    pub(crate) parts: Vec<Part>,
}

impl Piece {
    /// What says how much of it means something, if only the device knows. It is the only part then.
    pub(crate) fn length(&self) -> Option<Counted> {
        match self.parts[..] {
            [Part { to: Goal::Host { length, .. }, .. }] => length,
            _ => None,
        }
    }
}

/// A part of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Part {
    /// First byte in the range.
    pub(crate) offset: u64,
    /// How many.
    pub(crate) bytes: u64,
    /// Where they go.
    pub(crate) to: Goal,
}

/// Where a part goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Goal {
    /// To a slice, from this byte of it on, as much as a count says if there is one.
    Host { host: usize, at: u64, length: Option<Counted> },
    /// To the counts, as this one.
    Count(usize),
}

impl Goal {
    /// The place of what comes so many bytes later.
    pub(crate) fn after(self, bytes: u64) -> Self {
        match self {
            Self::Host { host, at, length } => Self::Host { host, at: at + bytes, length },
            Self::Count(which) => Self::Count(which),
        }
    }
}

/// Pieces that cross together: each by a copy, but those of which only the device knows the length
/// by a kernel that looks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Slab {
    /// Each with its place in the slab; counts before what they count.
    pub(crate) pieces: Vec<(u64, Piece)>,
    pub(crate) bytes: u64,
}

impl Slab {
    /// Whether it has pieces of which only the device knows the length.
    pub(crate) fn packs(&self) -> bool {
        self.pieces.iter().any(|(_, piece)| piece.length().is_some())
    }
}

/// A length that a count gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Counted {
    /// Which of the counts.
    pub(crate) which: usize,
    /// What it counts.
    pub(crate) length: Length,
}

/// How pieces are brought.
#[derive(Debug)]
pub(crate) struct Fetch {
    /// By a copy of their own.
    pub(crate) direct: Vec<Piece>,
    /// Together.
    pub(crate) slab: Slab,
    /// Copied whole, although only the device knows their lengths. Their counts come before.
    pub(crate) whole: Vec<Piece>,
}

/// Brings pieces to the host: small ones in a slab, as `readback` plans it, with those of which
/// only the device knows the length behind them.
pub(crate) fn fetch(plain: Vec<Piece>, counted: Vec<Piece>, packs: bool) -> Fetch {
    let mut direct = Vec::new();
    let plain = merged(plain);
    let slot = |(id, piece): (usize, &Piece)| Slot {
        id: SlotId(id as u32),
        buffer: piece.from.buffer,
        offset: piece.from.offset,
        meaningful_bytes: piece.from.bytes,
        capacity_bytes: piece.from.bytes,
    };
    let slots: Vec<Slot> = plain.iter().enumerate().map(slot).collect();
    let packing = Packing { record_limit_bytes: RECORD_BYTES, align_bytes: COPY_ALIGN_BYTES };
    let plan = match readback::plan(&slots, packing) {
        Ok(plan) => plan,
        Err(error) => unreachable!("invariant downloads: `check` has proved their ranges: {error}"),
    };
    let mut slab = Slab { pieces: Vec::new(), bytes: plan.compact_bytes };
    let mut records = plan.records.iter().peekable();
    for (id, piece) in (0..).zip(plain) {
        match records.next_if(|record| record.slot == SlotId(id)) {
            Some(record) => slab.pieces.push((record.offset, piece)),
            None => direct.push(piece),
        }
    }
    let packs = packs && counted.iter().any(|piece| piece.from.bytes > WHOLE_BYTES);
    let (packed, whole) = if packs { (counted, Vec::new()) } else { (Vec::new(), counted) };
    for piece in packed {
        let at = slab.bytes;
        slab.bytes += piece.from.bytes.next_multiple_of(COPY_ALIGN_BYTES);
        slab.pieces.push((at, piece));
    }
    Fetch { direct, slab, whole }
}

/// A piece with one part.
pub(crate) fn piece(step: usize, from: Binding, to: Goal) -> Piece {
    Piece { step, from, parts: vec![Part { offset: 0, bytes: from.bytes, to }] }
}

/// Pieces by address; those that overlap or lie close are one.
fn merged(mut plain: Vec<Piece>) -> Vec<Piece> {
    plain.sort_by_key(|Piece { step, from, .. }| (from.buffer, from.offset, *step));
    let mut pieces: Vec<Piece> = Vec::new();
    for piece in plain {
        let (from, end) = (piece.from, piece.from.offset + piece.from.bytes);
        match pieces.last_mut() {
            Some(last)
                if last.from.buffer == from.buffer
                    && from.offset <= last.from.offset + last.from.bytes + BRIDGE_BYTES =>
            {
                last.from.bytes = last.from.bytes.max(end - last.from.offset);
                let offset = from.offset - last.from.offset;
                last.parts.extend(piece.parts.iter().map(|part| Part { offset: offset + part.offset, ..*part }));
            }
            _ => pieces.push(piece),
        }
    }
    pieces
}
