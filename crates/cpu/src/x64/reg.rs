//! Kinds and sizes of registers.

/// A kind of registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Class {
    General,
    Vector,
    /// One bit for each lane.
    Mask,
}

/// Of an operation on general registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Size {
    Word,
    Double,
}

/// Of a vector register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Bits {
    /// 128, and single floats.
    X,
    /// 256.
    Y,
    /// 512.
    Z,
}

impl Bits {
    pub(super) fn bytes(self) -> u32 {
        match self {
            Self::X => 16,
            Self::Y => 32,
            Self::Z => 64,
        }
    }

    pub(super) fn of(bytes: u32) -> Self {
        match bytes {
            0..=16 => Self::X,
            17..=32 => Self::Y,
            _ => Self::Z,
        }
    }
}
