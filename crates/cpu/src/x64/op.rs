//! What the machine can do, as far as we ask for it.
//!
//! Words of 32 bits stand in general registers with zeros before them, whoever made them: so a word is an
//! index of 64 bits as it is. Booleans are such words, 0 or 1. Floats stand in vector registers.

use super::vector::V;
use crate::helpers::Helper;

/// A kind of registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Class {
    General,
    Vector,
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
}

impl Bits {
    pub(super) fn bytes(self) -> u32 {
        match self {
            Self::X => 16,
            Self::Y => 32,
        }
    }

    pub(super) fn of(bytes: u32) -> Self {
        if bytes <= 16 { Self::X } else { Self::Y }
    }
}

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
        }
    }

    pub(super) fn cc(self) -> Cc {
        match self {
            Self::Two { cc, .. }
            | Self::One { cc, .. }
            | Self::Bits { cc, .. }
            | Self::Float { cc, .. }
            | Self::Any { cc, .. }
            | Self::All { cc, .. } => cc,
        }
    }
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
    /// The result of a function of numbers.
    Call(Helper),
    /// place; from memory that nobody writes
    Fixed(Width, Place),
    /// place
    Load(Width, Place),
    /// place, value
    Store(Width, Place),
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
                | Self::Store(..)
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
        matches!(self, Self::Store(..) | Self::Change(..) | Self::CompareExchange(..) | Self::Run(..))
    }

    /// Where its result stands.
    pub(super) fn class(self) -> Class {
        match self {
            Self::Param(class) | Self::Select(_, class) => class,
            Self::Load(width, _) | Self::Fixed(width, _) => width.class(),
            Self::Pool { .. } | Self::V(..) | Self::ToVector(_) | Self::Insert(..) | Self::FromInt { .. } => {
                Class::Vector
            }
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
            Self::Fixed(_, place)
            | Self::Load(_, place)
            | Self::Store(_, place)
            | Self::Change(_, _, place)
            | Self::CompareExchange(_, place)
            | Self::Prefetch(place) => Some(place),
            _ => None,
        }
    }
}
