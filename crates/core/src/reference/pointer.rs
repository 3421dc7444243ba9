//! Where a load or store goes. An index out of bounds does not fail: it makes a pointer
//! to nowhere, which reads as zero, drops stores, and stays nowhere however far one
//! goes on indexing.

use super::types::{Shape, TypeId, Types};
use crate::ops::{Num, Value};

/// Which memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The binding of this row of the kernel's buffer table.
    Buffer(u32),
    /// Shared by the workgroup.
    Workgroup,
    /// The invocation's own: private and function variables.
    Own,
    /// Out of bounds.
    Nowhere,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pointer {
    pub(super) place: Place,
    /// Bytes from the start of the place.
    pub(super) offset: usize,
    /// What it points at.
    pub(super) ty: TypeId,
    /// Of one that the sanitizer has seen lead nowhere: who made it. The offset is then the index.
    pub(super) origin: u32,
}

impl Pointer {
    /// What stands where no expression has made a pointer yet.
    pub(super) const NOWHERE: Self = Self::new(Place::Nowhere, 0, TypeId::FIRST);

    pub(super) const fn new(place: Place, offset: usize, ty: TypeId) -> Self {
        Self { place, offset, ty, origin: 0 }
    }

    /// To a component, column, element or member; `None` is an index that no length holds.
    /// `place_bytes` decides the length of a runtime-sized array.
    pub(super) fn at(self, types: &Types, place_bytes: usize, index: Option<usize>) -> Self {
        let (ty, offset) = match types[self.ty] {
            Shape::Vector { len, scalar, item } => (item, within(index, len).map(|i| i * scalar.bytes() as usize)),
            Shape::Array { element, len, stride } => {
                let len = len.unwrap_or_else(|| place_bytes.saturating_sub(self.offset) / stride);
                (element, within(index, len).map(|i| i * stride))
            }
            Shape::Struct { ref members, .. } => {
                let (offset, ty) = members[index.expect("invariant static-members: members are named")];
                (ty, Some(offset))
            }
            Shape::Scalar(_) | Shape::Opaque => unreachable!("invariant typed-access: only composites are indexed"),
        };
        match offset {
            _ if self.place == Place::Nowhere => Self { ty, ..self },
            Some(offset) => Self::new(self.place, self.offset + offset, ty),
            None => Self::new(Place::Nowhere, 0, ty),
        }
    }

    /// How many parts there are to index in what it points at.
    pub(super) fn parts(self, types: &Types, place_bytes: usize) -> usize {
        match types[self.ty] {
            Shape::Vector { len, .. } => len,
            Shape::Array { len, .. } => len.unwrap_or_else(|| self.len(types, place_bytes)),
            Shape::Struct { ref members, .. } => members.len(),
            Shape::Scalar(_) | Shape::Opaque => unreachable!("invariant typed-access: only composites are indexed"),
        }
    }

    /// Elements of the runtime-sized array that it points at.
    pub(super) fn len(self, types: &Types, place_bytes: usize) -> usize {
        let Shape::Array { stride, .. } = types[self.ty] else {
            unreachable!("invariant typed-length: only arrays have a length")
        };
        place_bytes.saturating_sub(self.offset) / stride
    }
}

fn within(index: Option<usize>, len: usize) -> Option<usize> {
    index.filter(|&index| index < len)
}

/// The index that a value means; `None` if it is negative or beyond any length.
pub(super) fn index(value: &Value) -> Option<usize> {
    match *value {
        Value::Num(Num::I32(i)) => usize::try_from(i).ok(),
        Value::Num(Num::U32(i)) => usize::try_from(i).ok(),
        Value::Num(Num::I64(i)) => usize::try_from(i).ok(),
        Value::Num(Num::U64(i)) => usize::try_from(i).ok(),
        _ => unreachable!("invariant typed-index: an index is an integer"),
    }
}
