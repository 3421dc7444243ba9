//! What lies behind a pointer: the module's types as plain shapes with WGSL layout, and
//! how their bytes become values and back. Atomics are laid out as what they hold, and
//! a matrix as the array of its columns.

use std::ops::{Index, Range};

use half::f16;
use naga::{ArraySize, Handle, TypeInner};

use crate::layout::Scalar;
use crate::ops::{Num, Value, Vector};

/// Index of a [`Shape`]; the module's types come first, by handle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TypeId(u32);

impl TypeId {
    /// The module's first type.
    pub(super) const FIRST: Self = Self(0);
}

impl From<Handle<naga::Type>> for TypeId {
    fn from(handle: Handle<naga::Type>) -> Self {
        Self(handle.index() as u32)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shape {
    Scalar(Scalar),
    Vector {
        len: usize,
        scalar: Scalar,
        /// The type of a component.
        item: TypeId,
    },
    Array {
        element: TypeId,
        /// `None` when the buffer decides.
        len: Option<usize>,
        stride: usize,
    },
    Struct {
        /// Offset and type of each.
        members: Box<[(usize, TypeId)]>,
        bytes: usize,
    },
    /// A type without bytes: pointers, and what no compute kernel holds.
    Opaque,
}

/// All shapes of a module, also those of components and columns that naga has no handle for.
#[derive(Debug, Clone)]
pub(super) struct Types {
    shapes: Vec<Shape>,
}

impl Index<TypeId> for Types {
    type Output = Shape;

    fn index(&self, id: TypeId) -> &Shape {
        &self.shapes[id.0 as usize]
    }
}

impl Types {
    pub(super) fn new(module: &naga::Module) -> Self {
        let count = module.types.len();
        let mut types = Self { shapes: vec![Shape::Opaque; count] };
        for (handle, ty) in module.types.iter() {
            types.shapes[handle.index()] = types.shape(&ty.inner);
        }
        types
    }

    fn shape(&mut self, inner: &TypeInner) -> Shape {
        let known = |scalar| Scalar::of(scalar).expect("invariant known-scalars: validation allows no other widths");
        match *inner {
            TypeInner::Scalar(scalar) | TypeInner::Atomic(scalar) => Shape::Scalar(known(scalar)),
            TypeInner::Vector { size, scalar } => self.vector(size as usize, known(scalar)),
            TypeInner::Matrix { columns, rows, scalar } => {
                let scalar = known(scalar);
                let padded = if rows as usize == 3 { 4 } else { rows as usize };
                let column = self.vector(rows as usize, scalar);
                let element = self.intern(column);
                Shape::Array { element, len: Some(columns as usize), stride: padded * scalar.bytes() as usize }
            }
            TypeInner::Array { base, size, stride } => Shape::Array {
                element: base.into(),
                len: match size {
                    ArraySize::Constant(len) => Some(len.get() as usize),
                    ArraySize::Dynamic => None,
                    ArraySize::Pending(_) => {
                        unreachable!("invariant no-overrides: a kernel has every override decided")
                    }
                },
                stride: stride as usize,
            },
            TypeInner::Struct { ref members, span } => Shape::Struct {
                members: members.iter().map(|member| (member.offset as usize, member.ty.into())).collect(),
                bytes: span as usize,
            },
            TypeInner::CooperativeMatrix { .. }
            | TypeInner::Pointer { .. }
            | TypeInner::ValuePointer { .. }
            | TypeInner::Image { .. }
            | TypeInner::Sampler { .. }
            | TypeInner::AccelerationStructure { .. }
            | TypeInner::RayQuery { .. }
            | TypeInner::BindingArray { .. } => Shape::Opaque,
        }
    }

    fn vector(&mut self, len: usize, scalar: Scalar) -> Shape {
        let item = self.intern(Shape::Scalar(scalar));
        Shape::Vector { len, scalar, item }
    }

    fn intern(&mut self, shape: Shape) -> TypeId {
        let at = self.shapes.iter().position(|other| *other == shape).unwrap_or_else(|| {
            self.shapes.push(shape);
            self.shapes.len() - 1
        });
        TypeId(at as u32)
    }

    /// Bytes of a value of this type; none for a runtime-sized array.
    pub(super) fn bytes(&self, ty: TypeId) -> usize {
        match self[ty] {
            Shape::Scalar(scalar) => scalar.bytes() as usize,
            Shape::Vector { len, scalar, .. } => len * scalar.bytes() as usize,
            Shape::Array { len, stride, .. } => len.unwrap_or(0) * stride,
            Shape::Struct { bytes, .. } => bytes,
            Shape::Opaque => 0,
        }
    }

    /// Tells which bytes a value of this type has where it starts at `offset`: all but padding.
    pub(super) fn spans(&self, ty: TypeId, offset: usize, tell: &mut impl FnMut(Range<usize>)) {
        match self[ty] {
            Shape::Scalar(_) | Shape::Vector { .. } => tell(offset..offset + self.bytes(ty)),
            Shape::Array { element, len, stride } => {
                (0..len.unwrap_or(0)).for_each(|i| self.spans(element, offset + i * stride, tell));
            }
            Shape::Struct { ref members, .. } => {
                members.iter().for_each(|&(at, ty)| self.spans(ty, offset + at, tell));
            }
            Shape::Opaque => no_bytes(),
        }
    }

    pub(super) fn zero(&self, ty: TypeId) -> Value {
        match self[ty] {
            Shape::Scalar(scalar) => Value::Num(Num::zero(scalar)),
            Shape::Vector { len, scalar, .. } => Value::Vector(Vector::new((0..len).map(|_| Num::zero(scalar)))),
            Shape::Array { element, len, .. } => {
                let zero = self.zero(element);
                Value::Composite((0..len.unwrap_or(0)).map(|_| zero.clone()).collect())
            }
            Shape::Struct { ref members, .. } => {
                Value::Composite(members.iter().map(|&(_, ty)| self.zero(ty)).collect())
            }
            Shape::Opaque => no_bytes(),
        }
    }

    /// The value whose bytes are the first of `from`.
    pub(super) fn load(&self, ty: TypeId, from: &[u8]) -> Value {
        match self[ty] {
            Shape::Scalar(scalar) => Value::Num(num(scalar, from)),
            Shape::Vector { len, scalar, .. } => {
                let stride = scalar.bytes() as usize;
                Value::Vector(Vector::new((0..len).map(|i| num(scalar, &from[i * stride..]))))
            }
            Shape::Array { element, len, stride } => {
                let len = len.unwrap_or(0);
                Value::Composite((0..len).map(|i| self.load(element, &from[i * stride..])).collect())
            }
            Shape::Struct { ref members, .. } => {
                Value::Composite(members.iter().map(|&(offset, ty)| self.load(ty, &from[offset..])).collect())
            }
            Shape::Opaque => no_bytes(),
        }
    }

    /// Writes the value over the first bytes of `to`; padding stays as it is.
    pub(super) fn store(&self, ty: TypeId, value: &Value, to: &mut [u8]) {
        match (&self[ty], value) {
            (Shape::Scalar(_), Value::Num(item)) => put(*item, to),
            (Shape::Vector { scalar, .. }, Value::Vector(vector)) => {
                let stride = scalar.bytes() as usize;
                vector.items().iter().enumerate().for_each(|(i, &item)| put(item, &mut to[i * stride..]));
            }
            (Shape::Array { element, stride, .. }, Value::Composite(items)) => {
                items.iter().enumerate().for_each(|(i, item)| self.store(*element, item, &mut to[i * stride..]));
            }
            (Shape::Struct { members, .. }, Value::Composite(items)) => {
                members.iter().zip(items.iter()).for_each(|(&(at, ty), item)| self.store(ty, item, &mut to[at..]));
            }
            (shape, value) => unreachable!("invariant typed-stores: {value:?} does not fit {shape:?}"),
        }
    }
}

fn no_bytes() -> ! {
    unreachable!("invariant data-only: values of compute kernels have bytes")
}

fn num(scalar: Scalar, from: &[u8]) -> Num {
    match scalar {
        Scalar::Bool => Num::Bool(from[0] != 0),
        Scalar::I32 => Num::I32(i32::from_le_bytes(first(from))),
        Scalar::U32 => Num::U32(u32::from_le_bytes(first(from))),
        Scalar::F32 => Num::F32(f32::from_le_bytes(first(from))),
        Scalar::F16 => Num::F16(f16::from_le_bytes(first(from))),
        Scalar::I64 => Num::I64(i64::from_le_bytes(first(from))),
        Scalar::U64 => Num::U64(u64::from_le_bytes(first(from))),
        Scalar::F64 => Num::F64(f64::from_le_bytes(first(from))),
    }
}

fn first<const N: usize>(from: &[u8]) -> [u8; N] {
    *from.first_chunk().expect("invariant in-bounds: pointers stay inside their memory")
}

fn put(item: Num, to: &mut [u8]) {
    match item {
        Num::Bool(x) => to[0] = u8::from(x),
        Num::I32(x) => to[..4].copy_from_slice(&x.to_le_bytes()),
        Num::U32(x) => to[..4].copy_from_slice(&x.to_le_bytes()),
        Num::F32(x) => to[..4].copy_from_slice(&x.to_le_bytes()),
        Num::F16(x) => to[..2].copy_from_slice(&x.to_le_bytes()),
        Num::I64(x) => to[..8].copy_from_slice(&x.to_le_bytes()),
        Num::U64(x) => to[..8].copy_from_slice(&x.to_le_bytes()),
        Num::F64(x) => to[..8].copy_from_slice(&x.to_le_bytes()),
    }
}
