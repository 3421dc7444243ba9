//! Places in memory.

use super::{Mem, Ty, Value};

/// A place: `offset` plus the sum of index · stride, if every index is within its bound.
/// Outside, loads give zero, stores do nothing, atomics do nothing and give zero.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Address {
    pub(crate) memory: Mem,
    pub(crate) offset: u32,
    pub(crate) terms: Vec<Term>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Term {
    /// Unsigned 32 bits.
    pub(crate) index: Value,
    pub(crate) stride: u32,
    pub(crate) bound: Bound,
    /// In which lanes a question before the place has shown that the index is below its bound. Elsewhere it is
    /// asked about like any other.
    pub(crate) shown: Option<Lanes>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Bound {
    Const(u32),
    /// The length of a buffer's runtime-sized tail.
    Length {
        buffer: u32,
    },
}

/// The lanes of a workgroup that a question has answered for. A load takes the whole row of a lane
/// group at once, those lanes included that are masked or that fill up the last group of a
/// workgroup whose size is no multiple of the width: a bound may be dropped only where all of them
/// have been asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Lanes {
    /// All, for it was asked about the one scalar that stands for them.
    Scalar,
    /// Those below, existing or not, for it was asked about the first and the last of a number that
    /// grows evenly along them.
    Ramp(u32),
    /// The same, for a number that was counted without wrapping around.
    Even(u32),
}

impl Address {
    pub(crate) fn each(&self, f: impl FnMut(Value)) {
        self.terms.iter().map(|term| term.index).for_each(f);
    }
}

/// Whether lanes of this type are loaded from any places, and stored there, by one instruction where a machine has it.
pub(crate) fn is_gathered(ty: Ty) -> bool {
    matches!(ty, Ty::F32 | Ty::I32 | Ty::U32)
}
