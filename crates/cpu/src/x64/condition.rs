//! Conditions of the flags, and the tests that set them.

use super::reg::{Bits, Size};

/// A condition of the flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Cc {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Below,
    BelowEqual,
    Above,
    AboveEqual,
}

impl Cc {
    pub(super) fn not(self) -> Self {
        match self {
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
            Self::Less => Self::GreaterEqual,
            Self::LessEqual => Self::Greater,
            Self::Greater => Self::LessEqual,
            Self::GreaterEqual => Self::Less,
            Self::Below => Self::AboveEqual,
            Self::BelowEqual => Self::Above,
            Self::Above => Self::BelowEqual,
            Self::AboveEqual => Self::Below,
        }
    }

    /// The condition for operands that have changed places.
    pub(super) fn turned(self) -> Self {
        match self {
            Self::Equal | Self::NotEqual => self,
            Self::Less => Self::Greater,
            Self::LessEqual => Self::GreaterEqual,
            Self::Greater => Self::Less,
            Self::GreaterEqual => Self::LessEqual,
            Self::Below => Self::Above,
            Self::BelowEqual => Self::AboveEqual,
            Self::Above => Self::Below,
            Self::AboveEqual => Self::BelowEqual,
        }
    }

    /// Whether it holds between two numbers.
    pub(super) fn holds(self, size: Size, a: i64, b: i64) -> bool {
        let signed = |n: i64| if size == Size::Word { i64::from(n as i32) } else { n };
        let unsigned = |n: i64| if size == Size::Word { u64::from(n as u32) } else { n as u64 };
        let (order, other) = (signed(a).cmp(&signed(b)), unsigned(a).cmp(&unsigned(b)));
        match self {
            Self::Equal => order.is_eq(),
            Self::NotEqual => order.is_ne(),
            Self::Less => order.is_lt(),
            Self::LessEqual => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::GreaterEqual => order.is_ge(),
            Self::Below => other.is_lt(),
            Self::BelowEqual => other.is_le(),
            Self::Above => other.is_gt(),
            Self::AboveEqual => other.is_ge(),
        }
    }
}

/// What sets the flags, and which of them is asked for. It has two operands at the most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Test {
    /// Two numbers.
    Two { size: Size, cc: Cc },
    /// A number and a literal.
    One { size: Size, cc: Cc, literal: i32 },
    /// Bits of a number.
    Bits { size: Size, cc: Cc, literal: i32 },
    /// Floats, `Above`, `AboveEqual` and their opposites, which hold for those without an order.
    Float { size: Size, cc: Cc },
    /// Whether a bit of a vector is set, or none.
    Any { bits: Bits, cc: Cc },
    /// Whether all bits of a vector are set that are set in this literal, or not all.
    All { bits: Bits, cc: Cc, ones: u32 },
    /// Whether a lane of a mask is set, or none.
    AnyLane { cc: Cc },
    /// Whether all are set, of 16 lanes or of eight, or not all.
    AllLanes { eight: bool, cc: Cc },
}

impl Test {
    pub(super) fn not(self) -> Self {
        match self {
            Self::Two { size, cc } => Self::Two { size, cc: cc.not() },
            Self::One { size, cc, literal } => Self::One { size, cc: cc.not(), literal },
            Self::Bits { size, cc, literal } => Self::Bits { size, cc: cc.not(), literal },
            Self::Float { size, cc } => Self::Float { size, cc: cc.not() },
            Self::Any { bits, cc } => Self::Any { bits, cc: cc.not() },
            Self::All { bits, cc, ones } => Self::All { bits, cc: cc.not(), ones },
            Self::AnyLane { cc } => Self::AnyLane { cc: cc.not() },
            Self::AllLanes { eight, cc } => Self::AllLanes { eight, cc: cc.not() },
        }
    }

    pub(super) fn cc(self) -> Cc {
        match self {
            Self::Two { cc, .. }
            | Self::One { cc, .. }
            | Self::Bits { cc, .. }
            | Self::Float { cc, .. }
            | Self::Any { cc, .. }
            | Self::All { cc, .. }
            | Self::AnyLane { cc }
            | Self::AllLanes { cc, .. } => cc,
        }
    }
}
