//! What the caller binds, and whether it is what the program declares.

use std::any::{TypeId, type_name};
use std::borrow::Cow;
use std::sync::Arc;

use bytemuck::Pod;
use half::f16;
use seawall_core::layout::{Scalar, Type};
use seawall_core::program;
use seawall_core::program::texture::Texture;
use seawall_core::texture::Shape;

use crate::buffer::{Buffer, Resident};
use crate::error::{Error, Needs, Pad, TypeClash};
use crate::form;

/// What the elements of some memory are, as far as it can be known. Slices and buffers say it by
/// their type; bytes from another language are told what they are by this, and are checked all the same:
///
/// ```
/// # fn main() -> Result<(), seawall::Error> {
/// use seawall::{Bound, Element, layout::Scalar};
///
/// let runtime = seawall::Runtime::new()?;
/// let double = runtime.kernel(
///     "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
///      @compute @workgroup_size(64)
///      fn main(@builtin(global_invocation_id) id: vec3<u32>) { v[id.x] *= 2u; }",
/// )?;
/// let mut bytes = [1u8, 0, 0, 0, 2, 0, 0, 0];
/// let number = |scalar, name| Element::numbers(scalar, 4, name);
/// runtime.call(&double).bind("v", Bound::write(number(Scalar::U32, "uint32"), &mut bytes)).threads(2).run()?;
/// assert_eq!(bytes, [2, 0, 0, 0, 4, 0, 0, 0]);
/// let refused = runtime.call(&double).bind("v", Bound::write(number(Scalar::F32, "float32"), &mut bytes));
/// let refused = refused.threads(2).run().unwrap_err().to_string();
/// assert_eq!(refused, "`v: array<u32>` cannot be bound to elements of `float32`: it holds `u32`");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Element {
    name: Cow<'static, str>,
    bytes: u64,
    kind: Kind,
}

#[derive(Debug, Clone, PartialEq)]
enum Kind {
    /// `u8`: bytes of anything.
    Raw,
    /// A number, or arrays of one; the bytes of larger arrays that they make up, from the smallest on.
    Numbers(Scalar, Vec<u64>),
    /// A type of the caller's own of which it is known what it is made of.
    Known(Arc<Type>),
    /// One of which it is not; only its size is known.
    Opaque,
}

impl Element {
    /// Elements of a Rust type; a `u8` is bytes of anything.
    pub fn of<T: Pod>() -> Self {
        let kind = if TypeId::of::<T>() == TypeId::of::<u8>() {
            Kind::Raw
        } else if let Some(scalar) = scalar_of::<T>() {
            Kind::Numbers(scalar, Vec::new())
        } else {
            form::of::<T>().map_or(Kind::Opaque, Kind::Known)
        };
        Self { name: type_name::<T>().into(), bytes: size_of::<T>() as u64, kind }
    }

    /// Numbers, or rows of them, of so many bytes each, by the name that the caller knows them by.
    pub fn numbers(scalar: Scalar, bytes: u64, name: impl Into<Cow<'static, str>>) -> Self {
        Self { name: name.into(), bytes, kind: Kind::Numbers(scalar, Vec::new()) }
    }

    /// Elements of so many bytes that are made of this: numbers, arrays with a length, and structs.
    pub fn typed(ty: Arc<Type>, bytes: u64, name: impl Into<Cow<'static, str>>) -> Self {
        Self { name: name.into(), bytes, kind: Kind::Known(ty) }
    }

    /// The same in an array of this shape, its last dimension the innermost. Of numbers in several
    /// dimensions, the elements are rows of the last one, and a buffer may hold what any of the last ones
    /// make up: vectors, matrices, arrays of those.
    #[must_use]
    pub fn shaped(mut self, shape: &[usize]) -> Self {
        if let (Kind::Numbers(_, arrays), [outer @ .., last]) = (&mut self.kind, shape)
            && !outer.is_empty()
        {
            let mut bytes = self.bytes.saturating_mul(*last as u64);
            self.bytes = bytes;
            *arrays = Vec::with_capacity(outer.len());
            for &len in outer.iter().rev() {
                bytes = bytes.saturating_mul(len as u64);
                arrays.push(bytes);
            }
        }
        self
    }

    /// As the caller calls it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Of each.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether a buffer of the program holds such elements.
    pub(crate) fn fits(&self, buffer: &program::Buffer) -> Result<(), Error> {
        let clash = |why| {
            Err(Error::Type {
                buffer: buffer.name.clone(),
                ty: buffer.ty.to_string(),
                host: self.name.clone().into_owned(),
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
        match &self.kind {
            Kind::Raw => Ok(()),
            Kind::Opaque if got_bytes == stride_bytes || got_bytes == buffer.ty.bytes() || headed => Ok(()),
            Kind::Opaque => clash(stride()),
            Kind::Known(host) => {
                // A struct of nothing but a runtime-sized array is bound as the array is.
                let tail = buffer.ty.tail().filter(|_| buffer.ty.bytes() == 0);
                let (ty, bytes) = tail.map_or((element, stride_bytes), |(ty, stride)| (ty, u64::from(stride)));
                form::fits(host, ty, got_bytes, bytes).or_else(clash)
            }
            Kind::Numbers(scalar, arrays) => match other_leaf(&buffer.ty, *scalar) {
                Some(other) => clash(TypeClash::Scalar { expected: other.name() }),
                None if dense_bytes(element) == Some(stride_bytes) || got_bytes == stride_bytes => Ok(()),
                None if arrays.contains(&stride_bytes) => Ok(()),
                None if got_bytes == u64::from(scalar.bytes()) && !matches!(buffer.ty, Type::Array { .. }) => Ok(()),
                None => clash(stride()),
            },
        }
    }

    /// Whether slices of the one can stand for slices of the other: bytes can for anything, and
    /// numbers for arrays of them.
    pub(crate) fn same(&self, other: &Self) -> bool {
        match (&self.kind, &other.kind) {
            (Kind::Raw, _) | (_, Kind::Raw) => true,
            (Kind::Numbers(a, _), Kind::Numbers(b, _)) => a == b,
            (Kind::Known(a), Kind::Known(b)) => a == b,
            (Kind::Opaque | Kind::Known(_), Kind::Opaque | Kind::Known(_)) => self.bytes == other.bytes,
            (Kind::Numbers(..), Kind::Opaque | Kind::Known(_)) | (Kind::Opaque | Kind::Known(_), Kind::Numbers(..)) => {
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
    /// Whether it may be longer than a type that fixes its size: then its beginning is bound.
    prefix: bool,
    /// The image that it is the texels of.
    pub(crate) shape: Option<Shape>,
}

#[derive(Debug)]
pub(crate) enum Memory<'a> {
    Read(&'a [u8]),
    Write(&'a mut [u8]),
    /// All of it, or so many bytes from its start.
    Resident(&'a Resident, Option<u64>),
}

impl<'a> Bound<'a> {
    /// Bytes of such elements, to be read.
    pub fn read(element: Element, bytes: &'a [u8]) -> Self {
        Self { element, memory: Memory::Read(bytes), prefix: false, shape: None }
    }

    /// Bytes of such elements, which the kernel may change.
    pub fn write(element: Element, bytes: &'a mut [u8]) -> Self {
        Self { element, memory: Memory::Write(bytes), prefix: false, shape: None }
    }

    /// A resident buffer whose bytes are such elements.
    pub fn resident<T: Pod>(element: Element, buffer: &'a Buffer<T>) -> Self {
        Self { element, memory: Memory::Resident(buffer.resident(), None), prefix: false, shape: None }
    }

    pub(crate) fn new<T: Pod>(memory: Memory<'a>) -> Self {
        Self { element: Element::of::<T>(), memory, prefix: false, shape: None }
    }

    /// The same bytes, as texels of an image.
    pub(crate) fn shaped(self, shape: Shape) -> Self {
        Self { shape: Some(shape), ..self }
    }

    /// The part of it that a buffer of the program needs, where it may be longer.
    pub(crate) fn cut(self, buffer: &program::Buffer) -> Self {
        let bytes = buffer.min_bytes;
        if !self.prefix || buffer.ty.tail().is_some() || self.bytes() <= bytes {
            return self;
        }
        let memory = match self.memory {
            Memory::Read(slice) => Memory::Read(&slice[..bytes as usize]),
            Memory::Write(slice) => Memory::Write(&mut slice[..bytes as usize]),
            Memory::Resident(resident, _) => Memory::Resident(resident, Some(bytes)),
        };
        Self { memory, ..self }
    }

    /// One value, to be read.
    pub(crate) fn value<T: Pod>(value: &'a T) -> Self {
        Self::new::<T>(Memory::Read(bytemuck::bytes_of(value)))
    }

    pub(crate) fn bytes(&self) -> u64 {
        match &self.memory {
            Memory::Read(slice) => slice.len() as u64,
            Memory::Write(slice) => slice.len() as u64,
            Memory::Resident(resident, part) => part.unwrap_or(resident.memory.bytes),
        }
    }

    /// Whether it is what the program declares.
    pub(crate) fn fits(&self, kernel: &program::Kernel, buffer: &program::Buffer) -> Result<(), Error> {
        if let (Some(texture), Some(shape)) = (kernel.texture(&buffer.name), self.shape) {
            texels_fit(texture, shape, self.bytes())?;
        } else {
            self.element.fits(buffer)?;
            self.size_fits(buffer)?;
        }
        let changed = buffer.effects.writes || buffer.effects.updates;
        if changed && matches!(self.memory, Memory::Read(_)) {
            return Err(Error::ReadOnly { kernel: kernel.name.clone(), buffer: buffer.name.clone() });
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
/// Whether an image of so many bytes can be bound to a texture.
fn texels_fit(texture: &Texture, shape: Shape, got_bytes: u64) -> Result<(), Error> {
    texture.fits(shape)?;
    if got_bytes == shape.bytes() {
        return Ok(());
    }
    let needs = Needs::Exactly { bytes: shape.bytes() };
    Err(Error::Size { buffer: texture.name.clone(), ty: texture.ty(), needs, got_bytes, pad: Pad::default() })
}

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
/// `&mut [T; N]` of plain data, a resident [`Buffer`], or bytes that are told what they are ([`Bound`]).
pub trait Bind<'a> {
    /// As a binding.
    fn bound(self) -> Bound<'a>;
}

impl<'a, T: Pod> Bind<'a> for &'a [T] {
    fn bound(self) -> Bound<'a> {
        Bound::new::<T>(Memory::Read(bytemuck::cast_slice(self)))
    }
}

impl<'a, T: Pod> Bind<'a> for &'a mut [T] {
    fn bound(self) -> Bound<'a> {
        Bound::new::<T>(Memory::Write(bytemuck::cast_slice_mut(self)))
    }
}

impl<'a, T: Pod> Bind<'a> for &'a Buffer<T> {
    fn bound(self) -> Bound<'a> {
        Bound::new::<T>(Memory::Resident(self.resident(), None))
    }
}

impl<'a> Bind<'a> for Bound<'a> {
    fn bound(self) -> Self {
        self
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

/// A slice or a buffer that may be longer than the type that it is bound to: then its beginning is
/// bound. Without it, another length than that of `array<u32, 4>` is an error, for it is often a
/// mistake. An array without a length takes all that there is anyway.
///
/// ```
/// # fn main() -> Result<(), seawall::Error> {
/// let runtime = seawall::Runtime::new()?;
/// let ones = runtime.kernel(
///     "@group(0) @binding(0) var<storage, read_write> four: array<u32, 4>;
///      @compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) { four[i] = 1u; }",
/// )?;
/// let mut six = [0u32; 6];
/// assert!(runtime.call(&ones).bind("four", &mut six).workgroups(1).run().is_err());
/// runtime.call(&ones).bind("four", seawall::Prefix(&mut six)).workgroups(1).run()?;
/// assert_eq!(six, [1, 1, 1, 1, 0, 0]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prefix<B>(pub B);

impl<'a, B: Bind<'a>> Bind<'a> for Prefix<B> {
    fn bound(self) -> Bound<'a> {
        Bound { prefix: true, ..self.0.bound() }
    }
}
