//! Host-shareable types and where their bytes lie, as plain data: what a caller
//! needs in order to fill a buffer, without a naga handle in sight.

use std::fmt;

use naga::{ArraySize, Handle, ScalarKind, TypeInner};

/// A scalar that may stand in a buffer or a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scalar {
    /// `bool`: never in a buffer, one byte elsewhere.
    Bool,
    /// `i32`
    I32,
    /// `u32`
    U32,
    /// `f32`
    F32,
    /// `f16`
    F16,
    /// `i64`, a naga extension.
    I64,
    /// `u64`, a naga extension.
    U64,
    /// `f64`, a naga extension.
    F64,
}

impl Scalar {
    /// The naga scalar as ours; `None` for kinds that no validated compute program stores.
    pub fn of(scalar: naga::Scalar) -> Option<Self> {
        Some(match (scalar.kind, scalar.width) {
            (ScalarKind::Bool, _) => Self::Bool,
            (ScalarKind::Sint, 4) => Self::I32,
            (ScalarKind::Uint, 4) => Self::U32,
            (ScalarKind::Float, 4) => Self::F32,
            (ScalarKind::Float, 2) => Self::F16,
            (ScalarKind::Sint, 8) => Self::I64,
            (ScalarKind::Uint, 8) => Self::U64,
            (ScalarKind::Float, 8) => Self::F64,
            (
                ScalarKind::Sint
                | ScalarKind::Uint
                | ScalarKind::Float
                | ScalarKind::AbstractInt
                | ScalarKind::AbstractFloat,
                _,
            ) => return None,
        })
    }

    /// Size in bytes, which is also its alignment.
    pub const fn bytes(self) -> u32 {
        match self {
            Self::Bool => 1,
            Self::F16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }

    /// Its WGSL name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::I32 => "i32",
            Self::U32 => "u32",
            Self::F32 => "f32",
            Self::F16 => "f16",
            Self::I64 => "i64",
            Self::U64 => "u64",
            Self::F64 => "f64",
        }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A type with its WGSL layout. `Display` is its WGSL spelling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Type {
    /// One number.
    Scalar(Scalar),
    /// `atomic<T>`: laid out as `T`.
    Atomic(Scalar),
    /// `vecN<T>`: components side by side.
    Vector {
        /// 2, 3 or 4.
        len: u32,
        /// Of each component.
        scalar: Scalar,
    },
    /// `matCxR<T>`: columns `column_stride` bytes apart.
    Matrix {
        /// 2, 3 or 4.
        columns: u32,
        /// 2, 3 or 4.
        rows: u32,
        /// Of each component.
        scalar: Scalar,
        /// A column of three is padded to four.
        column_stride: u32,
    },
    /// `array<T, N>`, or `array<T>` whose length is the buffer's.
    Array {
        /// Of each element.
        element: Box<Type>,
        /// `None` when runtime-sized.
        len: Option<u32>,
        /// Bytes from one element to the next.
        stride: u32,
    },
    /// A structure.
    Struct {
        /// As declared.
        name: String,
        /// In order of offset.
        members: Vec<Member>,
        /// Bytes, with padding at the end; one element for a runtime-sized last member is not counted.
        bytes: u32,
    },
}

/// A member of a [`Type::Struct`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// As declared.
    pub name: String,
    /// Bytes from the start of the struct.
    pub offset: u32,
    /// Its type.
    pub ty: Type,
}

impl Type {
    /// The layout of a naga type that holds data; `None` for textures, samplers, pointers
    /// and whatever else holds no bytes.
    pub fn of(module: &naga::Module, handle: Handle<naga::Type>) -> Option<Self> {
        Self::of_type(module, &module.types[handle])
    }

    /// The same for a type that need not stand in the module itself.
    pub(crate) fn of_type(module: &naga::Module, ty: &naga::Type) -> Option<Self> {
        Some(match ty.inner {
            TypeInner::Scalar(scalar) => Self::Scalar(Scalar::of(scalar)?),
            TypeInner::Atomic(scalar) => Self::Atomic(Scalar::of(scalar)?),
            TypeInner::Vector { size, scalar } => Self::Vector { len: size as u32, scalar: Scalar::of(scalar)? },
            TypeInner::Matrix { columns, rows, scalar } => {
                let scalar = Scalar::of(scalar)?;
                let rows = rows as u32;
                let padded = if rows == 3 { 4 } else { rows };
                Self::Matrix { columns: columns as u32, rows, scalar, column_stride: padded * scalar.bytes() }
            }
            TypeInner::Array { base, size, stride } => Self::Array {
                element: Box::new(Self::of(module, base)?),
                len: match size {
                    ArraySize::Constant(len) => Some(len.get()),
                    ArraySize::Dynamic => None,
                    ArraySize::Pending(_) => return None,
                },
                stride,
            },
            TypeInner::Struct { ref members, span } => Self::Struct {
                name: ty.name.clone().unwrap_or_default(),
                members: members
                    .iter()
                    .enumerate()
                    .map(|(i, member)| {
                        Some(Member {
                            name: member.name.clone().unwrap_or_else(|| format!("m{i}")),
                            offset: member.offset,
                            ty: Self::of(module, member.ty)?,
                        })
                    })
                    .collect::<Option<_>>()?,
                bytes: span,
            },
            TypeInner::CooperativeMatrix { .. }
            | TypeInner::Pointer { .. }
            | TypeInner::ValuePointer { .. }
            | TypeInner::Image { .. }
            | TypeInner::Sampler { .. }
            | TypeInner::AccelerationStructure { .. }
            | TypeInner::RayQuery { .. }
            | TypeInner::BindingArray { .. } => return None,
        })
    }

    /// Bytes of a value; for a runtime-sized type, of everything before its first element.
    pub fn bytes(&self) -> u64 {
        match *self {
            Self::Scalar(scalar) | Self::Atomic(scalar) => u64::from(scalar.bytes()),
            Self::Vector { len, scalar } => u64::from(len) * u64::from(scalar.bytes()),
            Self::Matrix { columns, column_stride, .. } => u64::from(columns) * u64::from(column_stride),
            Self::Array { len, stride, .. } => u64::from(len.unwrap_or(0)) * u64::from(stride),
            Self::Struct { ref members, bytes, .. } => match members.last() {
                Some(last) if last.ty.tail().is_some() => u64::from(last.offset),
                _ => u64::from(bytes),
            },
        }
    }

    /// For a runtime-sized type: its element and the bytes between elements.
    pub fn tail(&self) -> Option<(&Type, u32)> {
        match self {
            Self::Array { element, len: None, stride } => Some((element, *stride)),
            Self::Struct { members, .. } => members.last()?.ty.tail(),
            _ => None,
        }
    }

    /// The least a binding of this type may have: WebGPU asks for one element at least,
    /// and for a struct's whole (padded) size.
    pub fn min_bytes(&self) -> u64 {
        match self {
            Self::Struct { bytes, .. } => u64::from(*bytes),
            _ => self.bytes() + self.tail().map_or(0, |(_, stride)| u64::from(stride)),
        }
    }

    /// How many elements of the runtime-sized tail lie in a binding of `bytes`.
    pub fn tail_len(&self, bytes: u64) -> u64 {
        self.tail().map_or(0, |(_, stride)| bytes.saturating_sub(self.bytes()) / u64::from(stride))
    }

    /// What repeats in it: the element and stride of an array, or the whole as its own element.
    pub fn element(&self) -> (&Type, u64) {
        match self {
            Self::Array { element, stride, .. } => (element, u64::from(*stride)),
            whole => (whole, whole.bytes()),
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scalar(scalar) => write!(f, "{scalar}"),
            Self::Atomic(scalar) => write!(f, "atomic<{scalar}>"),
            Self::Vector { len, scalar } => write!(f, "vec{len}<{scalar}>"),
            Self::Matrix { columns, rows, scalar, .. } => write!(f, "mat{columns}x{rows}<{scalar}>"),
            Self::Array { element, len: Some(len), .. } => write!(f, "array<{element}, {len}>"),
            Self::Array { element, len: None, .. } => write!(f, "array<{element}>"),
            Self::Struct { name, .. } => f.write_str(name),
        }
    }
}
