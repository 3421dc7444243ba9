//! What values are made of: operations on scalars, and places in memory.

use super::{Any, Mem, Slot, Ty, Value};
use crate::helpers::Helper;

/// How a value comes to be.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Op {
    /// A parameter of a join: an `If`'s result, a block's or a loop's parameter.
    Param,
    /// The bits of a literal, zero-extended.
    Const(u64),
    Builtin(Builtin),
    /// Elements in the runtime-sized tail of a buffer.
    Length {
        buffer: u32,
    },
    Unary(Unary, Value),
    Binary(Binary, Value, Value),
    /// condition, then, else
    Select(Value, Value, Value),
    /// The same number in this value's type.
    Convert(Value),
    /// The same bits in this value's type.
    Bitcast(Value),
    /// A function of `seawall_core::math`.
    Call(Helper, Vec<Value>),
    /// Runs a function of the program, by its number, which finds its arguments in memory of the
    /// invocation and leaves its results there; in the vector form, for the lanes of a mask. Gives nothing.
    Run(u32, Option<Value>),
    /// `uniform` loads give every invocation of the workgroup the same value by contract.
    Load {
        at: Address,
        uniform: bool,
    },
    /// Gives the old value; in the vector form, in the lanes of a mask.
    Atomic {
        at: Address,
        fun: Atomic,
        value: Value,
        compare: Option<Value>,
        when: Option<Value>,
    },
    /// What the active lanes of a subgroup do together, which is a lane group. In the vector form all of its lanes do
    /// it, and whoever takes no part brings nothing.
    Subgroup(Subgroup, Vec<Value>),
    /// What a number that grows along the lanes is in one of them, counted with 64 bits so that it does not wrap.
    Edge(Edge, Value),
    /// In the group form: what was left in a slot.
    Recall(Slot),
    /// In the group form, outside lane groups: whether a lane of any of them is so.
    Any(Any),
    /// In the vector form: whether a mask has a lane.
    AnyLane(Value),
    /// In the vector form of a function that is called: the lanes that call it.
    Callers,
}

/// A lane of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Edge {
    First,
    Last,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Subgroup {
    /// One of four words of bits, one for each lane: whether the operand holds there.
    Ballot(u8),
    /// The operands of lanes, joined.
    Fold(Binary, Reach),
    /// That of the first lane; in the vector form, of the second operand's.
    First,
    /// That of a lane which the second operand tells, or zero.
    Shuffle(Shuffle),
    /// Lanes see what the others have done to memory. Gives nothing.
    Fence,
}

/// Which lanes' operands a lane gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Reach {
    All,
    /// Those before it, and its own.
    UpTo,
    Before,
}

/// How a lane is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Shuffle {
    /// By its number.
    At,
    /// By how far it is, upwards.
    Down,
    Up,
    /// By the bits in which its number differs.
    Xor,
    /// By its number among four.
    Quad,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Builtin {
    LocalIndex,
    LocalId(u8),
    WorkgroupId(u8),
    NumWorkgroups(u8),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Unary {
    Negate,
    /// Of a boolean, or of every bit.
    Not,
    Abs,
    Floor,
    Ceil,
    Trunc,
    /// Ties to even.
    Round,
    Sqrt,
    CountOnes,
    LeadingZeros,
    TrailingZeros,
    Reverse,
}

#[cfg(test)]
impl Unary {
    pub(crate) const ALL: [Self; 12] = [
        Self::Negate,
        Self::Not,
        Self::Abs,
        Self::Floor,
        Self::Ceil,
        Self::Trunc,
        Self::Round,
        Self::Sqrt,
        Self::CountOnes,
        Self::LeadingZeros,
        Self::TrailingZeros,
        Self::Reverse,
    ];
}

/// Integer semantics are total: division by zero and shifts are as WGSL defines them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    /// Integers only; the float form is spelled out.
    Rem,
    And,
    Or,
    Xor,
    /// By an unsigned amount, modulo the width.
    Shl,
    Shr,
    /// `if b < a { b } else { a }`
    Min,
    /// `if a < b { b } else { a }`
    Max,
    /// The sum of the products of their four bytes, with signs or without.
    Dot,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

#[cfg(test)]
impl Binary {
    pub(crate) const ALL: [Self; 19] = [
        Self::Add,
        Self::Sub,
        Self::Mul,
        Self::Div,
        Self::Rem,
        Self::And,
        Self::Or,
        Self::Xor,
        Self::Shl,
        Self::Shr,
        Self::Min,
        Self::Max,
        Self::Dot,
        Self::Eq,
        Self::Ne,
        Self::Lt,
        Self::Le,
        Self::Gt,
        Self::Ge,
    ];
}

impl Binary {
    pub(crate) fn compares(self) -> bool {
        matches!(self, Self::Eq | Self::Ne | Self::Lt | Self::Le | Self::Gt | Self::Ge)
    }

    /// The comparison that holds exactly where this one does not. Numbers that are not ordered
    /// have none for `<` and its like.
    pub(crate) fn opposite(self, of: Ty) -> Option<Self> {
        let ordered = matches!(of, Ty::I32 | Ty::U32 | Ty::I64 | Ty::U64);
        match self {
            Self::Eq => Some(Self::Ne),
            Self::Ne => Some(Self::Eq),
            Self::Lt if ordered => Some(Self::Ge),
            Self::Le if ordered => Some(Self::Gt),
            Self::Gt if ordered => Some(Self::Le),
            Self::Ge if ordered => Some(Self::Lt),
            _ => None,
        }
    }

    /// The bits of the number that changes nothing, whatever it joins.
    pub(crate) fn neutral(self, ty: Ty) -> u64 {
        let (one, most, least): (u64, u64, u64) = match ty {
            Ty::F16 => (0x3c00, 0x7c00, 0xfc00),
            Ty::F32 => (1f32.to_bits().into(), f32::INFINITY.to_bits().into(), f32::NEG_INFINITY.to_bits().into()),
            Ty::F64 => (1f64.to_bits(), f64::INFINITY.to_bits(), f64::NEG_INFINITY.to_bits()),
            Ty::I32 => (1, i32::MAX as u64, u64::from(i32::MIN as u32)),
            Ty::U32 => (1, u32::MAX.into(), 0),
            Ty::I64 => (1, i64::MAX as u64, i64::MIN as u64),
            Ty::U64 => (1, u64::MAX, 0),
            Ty::Bool => (1, 1, 0),
        };
        match self {
            Self::Mul => one,
            Self::Min => most,
            Self::Max => least,
            Self::And if ty.bytes() == 8 => u64::MAX,
            Self::And => u32::MAX.into(),
            _ => 0,
        }
    }

    /// Whether a comparison of two 32-bit integers holds.
    pub(crate) fn decide(self, of: Ty, a: u64, b: u64) -> Option<bool> {
        let number = |bits: u64| match of {
            Ty::U32 => Some(i64::from(bits as u32)),
            Ty::I32 => Some(i64::from(bits as i32)),
            Ty::Bool | Ty::F16 | Ty::F32 | Ty::F64 | Ty::I64 | Ty::U64 => None,
        };
        let order = number(a)?.cmp(&number(b)?);
        match self {
            Self::Eq => Some(order.is_eq()),
            Self::Ne => Some(order.is_ne()),
            Self::Lt => Some(order.is_lt()),
            Self::Le => Some(order.is_le()),
            Self::Gt => Some(order.is_gt()),
            Self::Ge => Some(order.is_ge()),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Atomic {
    Add,
    Sub,
    And,
    Or,
    Xor,
    Min,
    Max,
    Exchange,
    /// Stores only where the old value equals the comparand.
    CompareExchange,
}

impl Atomic {
    /// What joins its value to the old one; none for exchanges.
    pub(crate) fn joins(self) -> Option<Binary> {
        match self {
            Self::Add => Some(Binary::Add),
            Self::Sub => Some(Binary::Sub),
            Self::And => Some(Binary::And),
            Self::Or => Some(Binary::Or),
            Self::Xor => Some(Binary::Xor),
            Self::Min => Some(Binary::Min),
            Self::Max => Some(Binary::Max),
            Self::Exchange | Self::CompareExchange => None,
        }
    }
}

#[cfg(test)]
impl Atomic {
    pub(crate) const ALL: [Self; 9] = [
        Self::Add,
        Self::Sub,
        Self::And,
        Self::Or,
        Self::Xor,
        Self::Min,
        Self::Max,
        Self::Exchange,
        Self::CompareExchange,
    ];
}

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

impl Op {
    /// Calls `f` for every operand.
    pub(crate) fn each(&self, mut f: impl FnMut(Value)) {
        match self {
            Self::Param
            | Self::Const(_)
            | Self::Builtin(_)
            | Self::Length { .. }
            | Self::Recall(_)
            | Self::Any(_)
            | Self::Callers => {}
            Self::Run(_, when) => when.iter().copied().for_each(f),
            Self::Unary(_, a) | Self::Convert(a) | Self::Bitcast(a) | Self::Edge(_, a) | Self::AnyLane(a) => f(*a),
            Self::Binary(_, a, b) => [*a, *b].into_iter().for_each(f),
            Self::Select(c, a, b) => [*c, *a, *b].into_iter().for_each(f),
            Self::Call(_, args) | Self::Subgroup(_, args) => args.iter().copied().for_each(f),
            Self::Load { at, .. } => at.each(f),
            Self::Atomic { at, value, compare, when, .. } => {
                at.each(&mut f);
                f(*value);
                compare.iter().chain(when).copied().for_each(f);
            }
        }
    }

    /// Replaces every operand.
    pub(crate) fn rename(&mut self, mut f: impl FnMut(Value) -> Value) {
        let mut set = |value: &mut Value| *value = f(*value);
        match self {
            Self::Param
            | Self::Const(_)
            | Self::Builtin(_)
            | Self::Length { .. }
            | Self::Recall(_)
            | Self::Any(_)
            | Self::Callers => {}
            Self::Run(_, when) => when.iter_mut().for_each(set),
            Self::Unary(_, a) | Self::Convert(a) | Self::Bitcast(a) | Self::Edge(_, a) | Self::AnyLane(a) => set(a),
            Self::Binary(_, a, b) => [a, b].into_iter().for_each(set),
            Self::Select(c, a, b) => [c, a, b].into_iter().for_each(set),
            Self::Call(_, args) | Self::Subgroup(_, args) => args.iter_mut().for_each(set),
            Self::Load { at, .. } => at.terms.iter_mut().for_each(|term| set(&mut term.index)),
            Self::Atomic { at, value, compare, when, .. } => {
                at.terms.iter_mut().for_each(|term| set(&mut term.index));
                set(value);
                compare.iter_mut().chain(when).for_each(set);
            }
        }
    }

    /// Whether it is made of its operands alone, by a few instructions.
    pub(crate) fn is_arithmetic(&self) -> bool {
        match self {
            Self::Unary(..) | Self::Binary(..) | Self::Select(..) | Self::Convert(_) | Self::Bitcast(_) => true,
            Self::Param
            | Self::Const(_)
            | Self::Builtin(_)
            | Self::Length { .. }
            | Self::Call(..)
            | Self::Run(..)
            | Self::Load { .. }
            | Self::Atomic { .. }
            | Self::Subgroup(..)
            | Self::Edge(..)
            | Self::AnyLane(_)
            | Self::Callers
            | Self::Recall(_)
            | Self::Any(_) => false,
        }
    }

    /// Whether it is done though nobody wants its result.
    pub(crate) fn acts(&self) -> bool {
        matches!(self, Self::Atomic { .. } | Self::Run(..) | Self::Subgroup(Subgroup::Fence, _))
    }

    /// Whether evaluating it changes memory, or means something else where other lanes are active.
    pub(crate) fn has_effect(&self) -> bool {
        matches!(self, Self::Atomic { .. } | Self::Run(..) | Self::Subgroup(..))
    }
}

impl Address {
    pub(crate) fn each(&self, f: impl FnMut(Value)) {
        self.terms.iter().map(|term| term.index).for_each(f);
    }
}
