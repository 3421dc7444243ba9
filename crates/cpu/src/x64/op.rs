//! What the machine can do, as far as we ask for it.
//!
//! Words of 32 bits stand in general registers with zeros before them, whoever made them: so a word is an
//! index of 64 bits as it is. Booleans are such words, 0 or 1. Floats stand in vector registers.

use super::condition::{Cc, Test};
use super::reg::{Bits, Class, Size};
use super::vector::V;
use crate::helpers::Helper;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Alu {
    Add,
    Sub,
    And,
    Or,
    Xor,
    Mul,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Shift {
    Left,
    Right,
    Arithmetic,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Count {
    Ones,
    LeadingZeros,
    TrailingZeros,
}

/// What is moved between a register and memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Width {
    Byte,
    Half,
    Word,
    Double,
    /// Floats.
    Single,
    Long,
    Vector(Bits),
}

impl Width {
    pub(super) fn class(self) -> Class {
        match self {
            Self::Byte | Self::Half | Self::Word | Self::Double => Class::General,
            Self::Single | Self::Long | Self::Vector(_) => Class::Vector,
        }
    }

    pub(super) fn bytes(self) -> u32 {
        match self {
            Self::Byte => 1,
            Self::Half => 2,
            Self::Word | Self::Single => 4,
            Self::Double | Self::Long => 8,
            Self::Vector(bits) => bits.bytes(),
        }
    }
}

/// `base + index * scale + ahead`, of which the operands are the first two of an operation. Without an
/// index there is no second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub(super) scale: u8,
    pub(super) ahead: i32,
}

/// An operation on masks, of 16 lanes if it says nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Mask {
    And,
    /// Not the first, and the second.
    AndNot,
    Or,
    Xor,
    Not,
    /// Of eight lanes.
    NotEight,
    /// The lanes from the eighth on.
    Upper,
    /// Eight lanes of the second, then those of the first.
    Join,
}

/// Changes a word in memory at once, and gives what it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Change {
    Add,
    Exchange,
    And,
    Or,
    Xor,
    /// The one for which this holds when it is compared with the other.
    Pick(Cc),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Op {
    /// Of the function.
    Argument(u8),
    /// Of a block.
    Param(Class),
    /// A literal.
    Int(i64),
    /// A literal in memory, for vector registers.
    Pool {
        at: u32,
        bytes: u8,
    },
    /// a, b
    Alu(Alu, Size),
    AluLiteral(Alu, Size, i32),
    /// a, amount; modulo the size
    Shift(Shift, Size),
    ShiftLiteral(Shift, Size, u8),
    Negate(Size),
    Not(Size),
    Count(Count, Size),
    /// The bytes, the last first.
    Swap(Size),
    /// a, where: the lowest bits of the first, in the places that the second has set
    Deposit,
    /// a, which: those bits of the first that the second has set, as its lowest
    Collect,
    /// The lower word of a double.
    Low,
    LowByte,
    LowHalf,
    /// A word with its sign.
    Signed,
    /// a, b; b is not zero, and the result fits
    Divide {
        size: Size,
        signed: bool,
        rest: bool,
    },
    /// 0 or 1
    Set(Test),
    /// Whether floats are equal, or not.
    FloatEqual {
        size: Size,
        not: bool,
    },
    /// x, y of the test, then what it is if it holds, and what otherwise.
    Select(Test, Class),
    /// An operation on vectors, with its literal.
    V(V, Bits, u8),
    /// A number as the first lane, with zeros behind it.
    ToVector(Size),
    FromVector(Size),
    /// A lane of the first 128 bits.
    Extract(Size, u8),
    /// vector, number
    Insert(Size, u8),
    /// From a float, cut off; what does not fit is the least number.
    ToInt {
        from: Size,
        to: Size,
    },
    FromInt {
        from: Size,
        to: Size,
    },
    /// The signs of 32-bit lanes.
    Signs(Bits),
    /// A literal, of no lane or all 16.
    MaskLiteral(u16),
    Mask(Mask),
    /// The lowest bits of a word.
    ToMask,
    FromMask,
    /// The result of a function of numbers.
    Call(Helper),
    /// place
    Load(Width, Place),
    /// pointer, bytes from it for each lane of 64 bits, mask if there is one: a word of 32 bits each
    Gather(Bits),
    /// The same, written: pointer, bytes, value, mask if there is one
    Scatter(Bits),
    /// place, value
    Store(Width, Place),
    /// The same past the caches, at a multiple of its bytes.
    Stream(Bits, Place),
    /// What went past the caches is seen before what is stored later.
    Fence,
    /// Adds a literal to a word: place
    AddTo(i32, Place),
    /// place, value, mask
    StoreMasked(Bits, Place),
    /// place, value
    Change(Change, Size, Place),
    /// place, new, what it must be; gives what it was
    CompareExchange(Size, Place),
    /// place
    Prefetch(Place),
    /// first address, bytes
    Fetch,
    /// Another function of the kernel, with three arguments.
    Run(u32),
}

impl Op {
    /// Whether it has no effect, and depends on its operands alone.
    pub(super) fn is_pure(self) -> bool {
        !matches!(
            self,
            Self::Load(..)
                | Self::Gather(_)
                | Self::Scatter(_)
                | Self::Store(..)
                | Self::Stream(..)
                | Self::Fence
                | Self::AddTo(..)
                | Self::StoreMasked(..)
                | Self::Change(..)
                | Self::CompareExchange(..)
                | Self::Prefetch(..)
                | Self::Fetch
                | Self::Run(..)
                | Self::Param(..)
                | Self::Argument(..)
        )
    }

    /// Whether memory may be other after it.
    pub(super) fn writes(self) -> bool {
        matches!(
            self,
            Self::Store(..)
                | Self::Stream(..)
                | Self::Fence
                | Self::AddTo(..)
                | Self::StoreMasked(..)
                | Self::Scatter(_)
                | Self::Change(..)
                | Self::CompareExchange(..)
                | Self::Run(..)
        )
    }

    /// Where its result stands.
    pub(super) fn class(self) -> Class {
        match self {
            Self::Param(class) | Self::Select(_, class) => class,
            Self::Load(width, _) => width.class(),
            Self::V(op, ..) => op.class(),
            Self::Pool { .. } | Self::ToVector(_) | Self::Insert(..) | Self::FromInt { .. } | Self::Gather(_) => {
                Class::Vector
            }
            Self::MaskLiteral(_) | Self::Mask(_) | Self::ToMask => Class::Mask,
            Self::Call(helper) => match helper.signature().1 {
                crate::helpers::Machine::f32 | crate::helpers::Machine::f64 => Class::Vector,
                crate::helpers::Machine::u32 | crate::helpers::Machine::i32 | crate::helpers::Machine::i64 => {
                    Class::General
                }
            },
            _ => Class::General,
        }
    }

    /// Where it goes to memory, by its first two operands.
    pub(super) fn place(self) -> Option<Place> {
        match self {
            Self::Load(_, place)
            | Self::Store(_, place)
            | Self::Stream(_, place)
            | Self::AddTo(_, place)
            | Self::StoreMasked(_, place)
            | Self::Change(_, _, place)
            | Self::CompareExchange(_, place)
            | Self::Prefetch(place) => Some(place),
            _ => None,
        }
    }
}
