//! What values are made of.

use super::{Address, Any, Binary, Slot, Value};
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

/// What an operation does besides giving a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    None,
    /// The result depends on which lanes are active.
    Lanes,
    /// It is done though nobody wants the result.
    Acts,
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

    /// What it does besides giving a result.
    pub(crate) fn effect(&self) -> Effect {
        match self {
            Self::Atomic { .. } | Self::Run(..) | Self::Subgroup(Subgroup::Fence, _) => Effect::Acts,
            Self::Subgroup(..) => Effect::Lanes,
            Self::Param
            | Self::Const(_)
            | Self::Builtin(_)
            | Self::Length { .. }
            | Self::Unary(..)
            | Self::Binary(..)
            | Self::Select(..)
            | Self::Convert(_)
            | Self::Bitcast(_)
            | Self::Call(..)
            | Self::Load { .. }
            | Self::Edge(..)
            | Self::Recall(_)
            | Self::Any(_)
            | Self::AnyLane(_)
            | Self::Callers => Effect::None,
        }
    }

    /// Whether it is done though nobody wants its result.
    pub(crate) fn acts(&self) -> bool {
        self.effect() == Effect::Acts
    }

    /// Whether evaluating it changes memory, or means something else where other lanes are active.
    pub(crate) fn has_effect(&self) -> bool {
        self.effect() != Effect::None
    }
}
