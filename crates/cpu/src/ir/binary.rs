//! Operations on two scalars.

use super::Ty;

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
