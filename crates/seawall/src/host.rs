//! What the caller binds, and whether it is what the program declares.

use std::any::{TypeId, type_name};

use bytemuck::Pod;
use half::f16;
use seawall_core::layout::{Scalar, Type};
use seawall_core::program;

use crate::buffer::{Buffer, Resident};
use crate::error::{Error, Needs, Pad, TypeClash};
use crate::form::{self, Form};

/// The caller's element type, as far as it can be known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Element {
    name: &'static str,
    bytes: u64,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    /// `u8`: bytes of anything.
    Raw,
    /// A number, or arrays of one.
    Numbers(Scalar),
    /// A type of the caller's own that says what it is made of.
    Known(Form),
    /// One that does not; only its size is known.
    Opaque,
}

impl Element {
    pub(crate) fn of<T: Pod>() -> Self {
        let kind = if TypeId::of::<T>() == TypeId::of::<u8>() {
            Kind::Raw
        } else if let Some(scalar) = scalar_of::<T>() {
            Kind::Numbers(scalar)
        } else {
            form::of::<T>().map_or(Kind::Opaque, Kind::Known)
        };
        Self { name: type_name::<T>(), bytes: size_of::<T>() as u64, kind }
    }

    /// As Rust calls it.
    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    /// Whether a buffer of the program holds such elements.
    pub(crate) fn fits(&self, buffer: &program::Buffer) -> Result<(), Error> {
        let clash = |why| {
            Err(Error::Type {
                buffer: buffer.name.clone(),
                ty: buffer.ty.to_string(),
                host: self.name,
                why: Box::new(why),
            })
        };
        let (element, stride_bytes) = buffer.ty.element();
        let got_bytes = self.bytes;
        let stride = || TypeClash::Stride {
            expected_bytes: stride_bytes,
            got_bytes,
            pad: pad(element, stride_bytes, got_bytes),
        };
        let headed = matches!(buffer.ty, Type::Struct { .. }) && buffer.ty.tail().is_some();
        match self.kind {
            Kind::Raw => Ok(()),
            Kind::Opaque if got_bytes == stride_bytes || got_bytes == buffer.ty.bytes() || headed => Ok(()),
            Kind::Opaque => clash(stride()),
            Kind::Known(form) => {
                // A struct of nothing but a runtime-sized array is bound as the array is.
                let tail = buffer.ty.tail().filter(|_| buffer.ty.bytes() == 0);
                let (ty, bytes) = tail.map_or((element, stride_bytes), |(ty, stride)| (ty, u64::from(stride)));
                form.fits(ty, got_bytes, bytes).or_else(clash)
            }
            Kind::Numbers(scalar) => match other_leaf(&buffer.ty, scalar) {
                Some(other) => clash(TypeClash::Scalar { expected: other.name() }),
                None if dense_bytes(element) == Some(stride_bytes) || got_bytes == stride_bytes => Ok(()),
                None if got_bytes == u64::from(scalar.bytes()) && !matches!(buffer.ty, Type::Array { .. }) => Ok(()),
                None => clash(stride()),
            },
        }
    }

    /// Whether slices of the one can stand for slices of the other: bytes can for anything, and
    /// numbers for arrays of them.
    pub(crate) fn same(&self, other: &Self) -> bool {
        match (self.kind, other.kind) {
            (Kind::Raw, _) | (_, Kind::Raw) => true,
            (Kind::Numbers(a), Kind::Numbers(b)) => a == b,
            (Kind::Known(a), Kind::Known(b)) => a == b,
            (Kind::Opaque | Kind::Known(_), Kind::Opaque | Kind::Known(_)) => self.bytes == other.bytes,
            (Kind::Numbers(_), Kind::Opaque | Kind::Known(_)) | (Kind::Opaque | Kind::Known(_), Kind::Numbers(_)) => {
                false
            }
        }
    }
}

/// The scalar of `T`, `[T; 2..=4]` and `[[T; 2..=4]; 2..=4]`: the host forms of numbers,
/// vectors and matrices.
fn scalar_of<T: 'static>() -> Option<Scalar> {
    fn is<T: 'static, S: 'static>() -> bool {
        let ids = [
            TypeId::of::<S>(),
            TypeId::of::<[S; 2]>(),
            TypeId::of::<[S; 3]>(),
            TypeId::of::<[S; 4]>(),
            TypeId::of::<[[S; 2]; 2]>(),
            TypeId::of::<[[S; 2]; 3]>(),
            TypeId::of::<[[S; 2]; 4]>(),
            TypeId::of::<[[S; 4]; 2]>(),
            TypeId::of::<[[S; 4]; 3]>(),
            TypeId::of::<[[S; 4]; 4]>(),
        ];
        ids.contains(&TypeId::of::<T>())
    }
    [
        (is::<T, f32>(), Scalar::F32),
        (is::<T, u32>(), Scalar::U32),
        (is::<T, i32>(), Scalar::I32),
        (is::<T, f16>(), Scalar::F16),
        (is::<T, u64>(), Scalar::U64),
        (is::<T, i64>(), Scalar::I64),
        (is::<T, f64>(), Scalar::F64),
    ]
    .into_iter()
    .find_map(|(same, scalar)| same.then_some(scalar))
}

/// Something bound to a name.
#[derive(Debug)]
pub struct Bound<'a> {
    pub(crate) element: Element,
    pub(crate) memory: Memory<'a>,
}

#[derive(Debug)]
pub(crate) enum Memory<'a> {
    Read(&'a [u8]),
    Write(&'a mut [u8]),
    Resident(&'a Resident),
}

impl<'a> Bound<'a> {
    /// One value, to be read.
    pub(crate) fn value<T: Pod>(value: &'a T) -> Self {
        Self { element: Element::of::<T>(), memory: Memory::Read(bytemuck::bytes_of(value)) }
    }

    pub(crate) fn bytes(&self) -> u64 {
        match &self.memory {
            Memory::Read(slice) => slice.len() as u64,
            Memory::Write(slice) => slice.len() as u64,
            Memory::Resident(resident) => resident.memory.bytes,
        }
    }

    /// Whether it is what the program declares.
    pub(crate) fn fits(&self, kernel: &str, buffer: &program::Buffer) -> Result<(), Error> {
        self.element.fits(buffer)?;
        self.size_fits(buffer)?;
        let changed = buffer.effects.writes || buffer.effects.updates;
        if changed && matches!(self.memory, Memory::Read(_)) {
            return Err(Error::ReadOnly { kernel: kernel.to_owned(), buffer: buffer.name.clone() });
        }
        Ok(())
    }

    fn size_fits(&self, buffer: &program::Buffer) -> Result<(), Error> {
        let (got_bytes, head_bytes) = (self.bytes(), buffer.ty.bytes());
        let (fits, needs) = match buffer.ty.tail() {
            None => (got_bytes == buffer.min_bytes, Needs::Exactly { bytes: buffer.min_bytes }),
            Some((_, stride)) => {
                let (stride_bytes, min_bytes) = (u64::from(stride), buffer.min_bytes);
                let whole = got_bytes.checked_sub(head_bytes).is_some_and(|tail| tail.is_multiple_of(stride_bytes));
                (whole && got_bytes >= min_bytes, Needs::Elements { head_bytes, stride_bytes, min_bytes })
            }
        };
        if fits {
            return Ok(());
        }
        let fixed = buffer.ty.tail().is_none();
        let pad = if fixed { pad(&buffer.ty, buffer.min_bytes, got_bytes) } else { Pad::default() };
        Err(Error::Size { buffer: buffer.name.clone(), ty: buffer.ty.to_string(), needs, got_bytes, pad })
    }
}

/// How to get from so many bytes to those of the type.
fn pad(ty: &Type, expected_bytes: u64, got_bytes: u64) -> Pad {
    Pad { vec3: vec3(ty), bytes: expected_bytes.saturating_sub(got_bytes) }
}

/// Of what a vector of three in `ty` is made.
fn vec3(ty: &Type) -> Option<Scalar> {
    match ty {
        Type::Vector { len: 3, scalar } | Type::Matrix { rows: 3, scalar, .. } => Some(*scalar),
        Type::Scalar(_) | Type::Atomic(_) | Type::Vector { .. } | Type::Matrix { .. } => None,
        Type::Array { element, .. } => vec3(element),
        Type::Struct { members, .. } => members.iter().find_map(|member| vec3(&member.ty)),
    }
}

/// A scalar in `ty` that is not `scalar`.
fn other_leaf(ty: &Type, scalar: Scalar) -> Option<Scalar> {
    match ty {
        Type::Scalar(leaf)
        | Type::Atomic(leaf)
        | Type::Vector { scalar: leaf, .. }
        | Type::Matrix { scalar: leaf, .. } => (*leaf != scalar).then_some(*leaf),
        Type::Array { element, .. } => other_leaf(element, scalar),
        Type::Struct { members, .. } => members.iter().find_map(|member| other_leaf(&member.ty, scalar)),
    }
}

/// Bytes of a value whose scalars lie side by side; `None` if there is padding between them.
fn dense_bytes(ty: &Type) -> Option<u64> {
    match ty {
        Type::Scalar(_) | Type::Atomic(_) | Type::Vector { .. } => Some(ty.bytes()),
        Type::Matrix { rows, scalar, column_stride, .. } => {
            (rows * scalar.bytes() == *column_stride).then(|| ty.bytes())
        }
        Type::Array { element, stride, .. } => (dense_bytes(element)? == u64::from(*stride)).then(|| ty.bytes()),
        Type::Struct { members, bytes, .. } => {
            let mut end = 0;
            for member in members {
                if u64::from(member.offset) != end {
                    return None;
                }
                end += dense_bytes(&member.ty)?;
            }
            (end == u64::from(*bytes)).then_some(end)
        }
    }
}

/// What can be bound to a buffer: `&[T]`, `&mut [T]`, `&Vec<T>`, `&mut Vec<T>`, `&[T; N]`,
/// `&mut [T; N]` of plain data, or a resident [`Buffer`].
pub trait Bind<'a> {
    /// As a binding.
    fn bound(self) -> Bound<'a>;
}

impl<'a, T: Pod> Bind<'a> for &'a [T] {
    fn bound(self) -> Bound<'a> {
        Bound { element: Element::of::<T>(), memory: Memory::Read(bytemuck::cast_slice(self)) }
    }
}

impl<'a, T: Pod> Bind<'a> for &'a mut [T] {
    fn bound(self) -> Bound<'a> {
        Bound { element: Element::of::<T>(), memory: Memory::Write(bytemuck::cast_slice_mut(self)) }
    }
}

impl<'a, T: Pod> Bind<'a> for &'a Buffer<T> {
    fn bound(self) -> Bound<'a> {
        Bound { element: Element::of::<T>(), memory: Memory::Resident(self.resident()) }
    }
}

macro_rules! bind_as_slice {
    ($([$($params:tt)*] $shared:ty;)*) => {$(
        impl<'a, $($params)*> Bind<'a> for &'a $shared {
            fn bound(self) -> Bound<'a> {
                self.as_slice().bound()
            }
        }

        impl<'a, $($params)*> Bind<'a> for &'a mut $shared {
            fn bound(self) -> Bound<'a> {
                self.as_mut_slice().bound()
            }
        }
    )*};
}

bind_as_slice! {
    [T: Pod] Vec<T>;
    [T: Pod, const N: usize] [T; N];
}
