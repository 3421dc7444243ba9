//! What expressions evaluate to.

use std::rc::Rc;

use half::f16;

use crate::layout::Scalar;

/// A scalar value of a known type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Num {
    Bool(bool),
    I32(i32),
    U32(u32),
    F32(f32),
    F16(f16),
    I64(i64),
    U64(u64),
    F64(f64),
}

impl Num {
    /// The zero of a type.
    pub(crate) fn zero(scalar: Scalar) -> Self {
        match scalar {
            Scalar::Bool => Self::Bool(false),
            Scalar::I32 => Self::I32(0),
            Scalar::U32 => Self::U32(0),
            Scalar::F32 => Self::F32(0.0),
            Scalar::F16 => Self::F16(f16::ZERO),
            Scalar::I64 => Self::I64(0),
            Scalar::U64 => Self::U64(0),
            Scalar::F64 => Self::F64(0.0),
        }
    }

    /// Its type.
    pub(crate) fn scalar(self) -> Scalar {
        match self {
            Self::Bool(_) => Scalar::Bool,
            Self::I32(_) => Scalar::I32,
            Self::U32(_) => Scalar::U32,
            Self::F32(_) => Scalar::F32,
            Self::F16(_) => Scalar::F16,
            Self::I64(_) => Scalar::I64,
            Self::U64(_) => Scalar::U64,
            Self::F64(_) => Scalar::F64,
        }
    }
}

/// Two to four numbers of one type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Vector {
    len: u8,
    items: [Num; 4],
}

impl Vector {
    /// Of two to four numbers.
    pub(crate) fn new(items: impl IntoIterator<Item = Num>) -> Self {
        let mut vector = Self { len: 0, items: [Num::Bool(false); 4] };
        for item in items {
            vector.items[vector.len as usize] = item;
            vector.len += 1;
        }
        vector
    }

    /// Its numbers.
    pub(crate) fn items(&self) -> &[Num] {
        &self.items[..self.len as usize]
    }

    /// Its numbers, to change.
    pub(crate) fn items_mut(&mut self) -> &mut [Num] {
        &mut self.items[..self.len as usize]
    }
}

/// Any value of the language that an operator can see. Matrices are the composite of
/// their columns.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Num(Num),
    Vector(Vector),
    Composite(Rc<[Value]>),
}
