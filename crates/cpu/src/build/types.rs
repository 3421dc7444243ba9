//! How naga's types fall apart into scalars.

use naga::{ArraySize, Module, TypeInner};

use crate::ir::Ty;

fn scalar(scalar: naga::Scalar) -> Ty {
    Ty::of(scalar).unwrap_or_else(|| unreachable!("invariant scalars: {scalar:?} in a validated kernel"))
}

/// Elements of an array whose size is part of its type.
pub(super) fn array_len(size: ArraySize) -> Option<u32> {
    match size {
        ArraySize::Constant(len) => Some(len.get()),
        ArraySize::Dynamic => None,
        ArraySize::Pending(_) => unreachable!("invariant overrides: array sizes are decided"),
    }
}

/// The scalars of a value and where they lie in memory.
pub(super) fn layout(module: &Module, inner: &TypeInner, offset: u32, into: &mut Vec<(u32, Ty)>) {
    match inner {
        TypeInner::Scalar(s) | TypeInner::Atomic(s) => into.push((offset, scalar(*s))),
        TypeInner::Vector { size, scalar: s } => {
            let ty = scalar(*s);
            into.extend((0..*size as u32).map(|i| (offset + i * ty.bytes(), ty)));
        }
        TypeInner::Matrix { columns, rows, scalar: s } => {
            let column = TypeInner::Vector { size: *rows, scalar: *s };
            let stride = column_stride(*rows, *s);
            (0..*columns as u32).for_each(|c| layout(module, &column, offset + c * stride, into));
        }
        TypeInner::Array { base, size, stride } => {
            let base = &module.types[*base].inner;
            (0..array_len(*size).unwrap_or(0)).for_each(|i| layout(module, base, offset + i * stride, into));
        }
        TypeInner::Struct { members, .. } => {
            members.iter().for_each(|m| layout(module, &module.types[m.ty].inner, offset + m.offset, into));
        }
        other => unreachable!("invariant data-types: {other:?} holds no data"),
    }
}

/// Bytes from one column of a matrix to the next.
pub(super) fn column_stride(rows: naga::VectorSize, scalar: naga::Scalar) -> u32 {
    let rows = if rows == naga::VectorSize::Tri { 4 } else { rows as u32 };
    rows * u32::from(scalar.width)
}

/// The scalars of a value.
pub(super) fn leaves(module: &Module, inner: &TypeInner) -> Vec<Ty> {
    let mut all = Vec::new();
    layout(module, inner, 0, &mut all);
    all.into_iter().map(|(_, ty)| ty).collect()
}

/// How many scalars a value has.
pub(super) fn count(module: &Module, inner: &TypeInner) -> usize {
    match inner {
        TypeInner::Scalar(_) | TypeInner::Atomic(_) => 1,
        TypeInner::Vector { size, .. } => *size as usize,
        TypeInner::Matrix { columns, rows, .. } => *columns as usize * *rows as usize,
        TypeInner::Array { base, size, .. } => {
            count(module, &module.types[*base].inner) * array_len(*size).unwrap_or(0) as usize
        }
        TypeInner::Struct { members, .. } => members.iter().map(|m| count(module, &module.types[m.ty].inner)).sum(),
        other => unreachable!("invariant data-types: {other:?} holds no data"),
    }
}

/// Whether any scalar of a value takes eight bytes.
pub(super) fn is_wide(module: &Module, inner: &TypeInner) -> bool {
    match inner {
        TypeInner::Scalar(s) | TypeInner::Atomic(s) => scalar(*s).bytes() == 8,
        TypeInner::Vector { scalar: s, .. } | TypeInner::Matrix { scalar: s, .. } => scalar(*s).bytes() == 8,
        TypeInner::Array { base, .. } => is_wide(module, &module.types[*base].inner),
        TypeInner::Struct { members, .. } => members.iter().any(|m| is_wide(module, &module.types[m.ty].inner)),
        other => unreachable!("invariant data-types: {other:?} holds no data"),
    }
}

/// Bytes and alignment of a type in workgroup memory.
pub(super) fn size(module: &Module, inner: &TypeInner) -> (u32, u32) {
    match inner {
        TypeInner::Scalar(s) | TypeInner::Atomic(s) => (scalar(*s).bytes(), scalar(*s).bytes()),
        TypeInner::Vector { size, scalar: s } => {
            let bytes = scalar(*s).bytes();
            (*size as u32 * bytes, bytes * (*size as u32).next_power_of_two())
        }
        TypeInner::Matrix { columns, rows, scalar } => {
            let stride = column_stride(*rows, *scalar);
            (*columns as u32 * stride, stride)
        }
        TypeInner::Array { base, size: len, stride } => {
            (array_len(*len).unwrap_or(0) * stride, size(module, &module.types[*base].inner).1)
        }
        TypeInner::Struct { members, span } => {
            let align = members.iter().map(|m| size(module, &module.types[m.ty].inner).1).max();
            (*span, align.unwrap_or(1))
        }
        other => unreachable!("invariant data-types: {other:?} holds no data"),
    }
}

/// What an index of a composite steps over: its element, how many there are (`None`: as many
/// as the buffer holds) and the bytes between them.
pub(super) fn element(module: &Module, inner: &TypeInner) -> (TypeInner, Option<u32>, u32) {
    match inner {
        TypeInner::Vector { size, scalar } => (TypeInner::Scalar(*scalar), Some(*size as u32), u32::from(scalar.width)),
        TypeInner::Matrix { columns, rows, scalar } => {
            let column = TypeInner::Vector { size: *rows, scalar: *scalar };
            (column, Some(*columns as u32), column_stride(*rows, *scalar))
        }
        TypeInner::Array { base, size, stride } => (module.types[*base].inner.clone(), array_len(*size), *stride),
        other => unreachable!("invariant indexed-types: {other:?} has no elements"),
    }
}

/// A member or element with a constant index: its type, its first scalar and its first byte.
pub(super) fn member(module: &Module, inner: &TypeInner, index: u32) -> (TypeInner, usize, u32) {
    if let TypeInner::Struct { members, .. } = inner {
        let before = members[..index as usize].iter();
        let leaf = before.map(|m| count(module, &module.types[m.ty].inner)).sum();
        let member = &members[index as usize];
        return (module.types[member.ty].inner.clone(), leaf, member.offset);
    }
    let (element, _, stride) = element(module, inner);
    let leaf = count(module, &element) * index as usize;
    (element, leaf, stride * index)
}

/// What a pointer points to; `None` of what is no pointer.
pub(super) fn pointee(module: &Module, inner: &TypeInner) -> Option<TypeInner> {
    match inner {
        TypeInner::Pointer { base, .. } => Some(module.types[*base].inner.clone()),
        TypeInner::ValuePointer { size: Some(size), scalar, .. } => {
            Some(TypeInner::Vector { size: *size, scalar: *scalar })
        }
        TypeInner::ValuePointer { size: None, scalar, .. } => Some(TypeInner::Scalar(*scalar)),
        TypeInner::Scalar(_)
        | TypeInner::Vector { .. }
        | TypeInner::Matrix { .. }
        | TypeInner::CooperativeMatrix { .. }
        | TypeInner::Atomic(_)
        | TypeInner::Array { .. }
        | TypeInner::Struct { .. }
        | TypeInner::Image { .. }
        | TypeInner::Sampler { .. }
        | TypeInner::AccelerationStructure { .. }
        | TypeInner::RayQuery { .. }
        | TypeInner::BindingArray { .. } => None,
    }
}
