//! Intervals of integers, and what operations make of them.

use crate::ir::{Binary, Ty};

/// From the least to the greatest number, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) low: i64,
    pub(crate) high: i64,
}

impl Range {
    pub(crate) fn one(n: i64) -> Self {
        Self { low: n, high: n }
    }

    /// Every number of a type; `None` for types that are not followed.
    pub(crate) fn all(ty: Ty) -> Option<Self> {
        match ty {
            Ty::U32 => Some(Self { low: 0, high: u32::MAX.into() }),
            Ty::I32 => Some(Self { low: i32::MIN.into(), high: i32::MAX.into() }),
            Ty::Bool | Ty::F16 | Ty::F32 | Ty::F64 | Ty::I64 | Ty::U64 => None,
        }
    }

    pub(crate) fn join(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    pub(crate) fn within(self, other: Self) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    /// What both allow. Where they exclude each other nothing can be, and either will do.
    pub(crate) fn meet(self, other: Self) -> Self {
        let both = Self { low: self.low.max(other.low), high: self.high.min(other.high) };
        if both.low <= both.high { both } else { self }
    }

    /// The results of a function that grows or falls with each operand.
    pub(crate) fn corners(self, other: Self, f: impl Fn(i64, i64) -> i64) -> Self {
        let all = [f(self.low, other.low), f(self.low, other.high), f(self.high, other.low), f(self.high, other.high)];
        all.into_iter().map(Self::one).reduce(Self::join).unwrap_or(self)
    }

    /// What an operation gives of a type; all of it, if it may wrap.
    pub(crate) fn made(op: Binary, ty: Ty, a: Self, b: Self) -> Option<Self> {
        let all = Self::all(ty)?;
        Some(Self::binary(op, a, b).filter(|range| range.within(all)).unwrap_or(all))
    }

    /// What an operation gives, if that is known; beyond what its type holds, should it wrap.
    fn binary(op: Binary, a: Self, b: Self) -> Option<Self> {
        let positive = a.low >= 0 && b.low >= 0;
        match op {
            Binary::Add => Some(Self { low: a.low + b.low, high: a.high + b.high }),
            Binary::Sub => Some(Self { low: a.low - b.high, high: a.high - b.low }),
            // 32 bits by 32 bits fit into 64, except for the square of 2³².
            Binary::Mul => Some(a.corners(b, i64::saturating_mul)),
            Binary::Div if positive && b.low > 0 => Some(Self { low: a.low / b.high, high: a.high / b.low }),
            Binary::Rem if positive && b.low > 0 => Some(Self { low: 0, high: a.high.min(b.high - 1) }),
            Binary::And if positive => Some(Self { low: 0, high: a.high.min(b.high) }),
            Binary::Or | Binary::Xor if positive => {
                let bits = (a.high.max(b.high) as u64 + 1).next_power_of_two();
                Some(Self { low: 0, high: bits as i64 - 1 })
            }
            Binary::Shl if positive && b.high < 32 => Some(Self { low: a.low << b.low, high: a.high << b.high }),
            Binary::Shr if positive && b.high < 32 => Some(Self { low: a.low >> b.high, high: a.high >> b.low }),
            Binary::Min => Some(Self { low: a.low.min(b.low), high: a.high.min(b.high) }),
            Binary::Max => Some(Self { low: a.low.max(b.low), high: a.high.max(b.high) }),
            _ => None,
        }
    }
}
