//! What a host type is made of, and whether a WGSL type is made of the same.
//!
//! `#[derive(Layout)]` writes a struct's members down and registers it under its type id, so that
//! whatever is bound can be looked up: Rust cannot ask a type parameter for a trait that it may
//! have.

use std::any::TypeId;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use half::f16;
use seawall_core::layout::{Member, Scalar, Type};

use crate::error::TypeClash;

/// A type whose members are compared with those of the WGSL type that it is bound to: their
/// names, offsets and types. `#[derive(seawall::Layout)]` implements it for structs; numbers and
/// arrays have it.
///
/// ```
/// # fn main() -> Result<(), seawall::Error> {
/// #[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable, seawall::Layout)]
/// #[repr(C)]
/// struct Light {
///     at: [f32; 3],
///     power: f32,
///     colour: [f32; 3],
///     _pad: u32,
/// }
///
/// let runtime = seawall::Runtime::new()?;
/// let text = "struct Light { at: vec3<f32>, NEXT }
///     @group(0) @binding(0) var<uniform> light: Light;
///     @group(0) @binding(1) var<storage, read_write> sum: f32;
///     @compute @workgroup_size(1) fn main() { sum = light.power * dot(light.at, light.colour); }";
/// let light = Light { at: [1.0; 3], power: 2.0, colour: [0.5; 3], _pad: 0 };
/// let run = |members: &str| {
///     let kernel = runtime.kernel(&text.replace("NEXT", members))?;
///     let mut sum = [0f32];
///     runtime.call(&kernel).value("light", &light).bind("sum", &mut sum).workgroups(1).run()?;
///     Ok::<f32, seawall::Error>(sum[0])
/// };
/// assert_eq!(run("power: f32, colour: vec3<f32>")?, 3.0);
/// let refused = run("colour: vec3<f32>, power: f32").unwrap_err().to_string();
/// assert!(refused.ends_with("member `power`: the host has `f32` at byte 12, WGSL has `f32` at byte 28"));
/// # Ok(())
/// # }
/// ```
pub trait Layout: 'static {
    /// What it is made of.
    const FORM: Form;
}

/// What a host type is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Form {
    /// One number.
    Number(Scalar),
    /// `[T; N]`, which stands for vectors and matrices too.
    Array {
        /// Of each element.
        element: &'static Form,
        /// How many.
        len: usize,
        /// From one to the next.
        stride: usize,
    },
    /// A struct.
    Struct {
        /// As Rust has it.
        name: &'static str,
        /// Without padding.
        fields: &'static [Field],
        /// With padding.
        bytes: usize,
    },
}

/// A member of a [`Form::Struct`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Field {
    /// As Rust and WGSL have it.
    pub name: &'static str,
    /// Bytes from the start.
    pub offset: usize,
    /// What it is made of.
    pub form: &'static Form,
}

macro_rules! numbers {
    ($($number:ty => $scalar:ident,)*) => {$(
        impl Layout for $number {
            const FORM: Form = Form::Number(Scalar::$scalar);
        }
    )*};
}

numbers! {
    f32 => F32,
    u32 => U32,
    i32 => I32,
    f16 => F16,
    u64 => U64,
    i64 => I64,
    f64 => F64,
}

impl<T: Layout, const N: usize> Layout for [T; N] {
    const FORM: Form = Form::Array { element: &T::FORM, len: N, stride: size_of::<T>() };
}

impl Form {
    /// The same as plain data, which is what is compared.
    pub fn ty(&self) -> Type {
        match *self {
            Self::Number(scalar) => Type::Scalar(scalar),
            Self::Array { element, len, stride } => {
                Type::Array { element: Box::new(element.ty()), len: Some(len as u32), stride: stride as u32 }
            }
            Self::Struct { name, fields, bytes } => {
                let member = |field: &Field| Member {
                    name: field.name.to_owned(),
                    offset: field.offset as u32,
                    ty: field.form.ty(),
                };
                Type::Struct {
                    name: name.to_owned(),
                    members: fields.iter().map(member).collect(),
                    bytes: bytes as u32,
                }
            }
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Spelled(&self.ty()).fmt(f)
    }
}

/// A type as the host's language has it: arrays stand for vectors and matrices.
struct Spelled<'a>(&'a Type);

impl fmt::Display for Spelled<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Type::Array { element, len: Some(len), .. } => write!(f, "[{}; {len}]", Spelled(element)),
            other => write!(f, "{other}"),
        }
    }
}

/// A type that `#[derive(Layout)]` has seen.
#[doc(hidden)]
#[derive(Debug)]
pub struct Registered {
    id: fn() -> TypeId,
    form: Form,
}

impl Registered {
    /// The entry for a type.
    pub const fn new<T: Layout>() -> Self {
        Self { id: TypeId::of::<T>, form: T::FORM }
    }
}

inventory::collect!(Registered);

/// Makes a type known; `#[derive(Layout)]` says it.
#[doc(hidden)]
#[macro_export]
macro_rules! register_layout {
    ($ty:ty) => {
        $crate::inventory::submit! { $crate::Registered::new::<$ty>() }
    };
}

/// What a type is made of, if that was derived.
pub(crate) fn of<T: 'static>() -> Option<Arc<Type>> {
    static KNOWN: OnceLock<HashMap<TypeId, Arc<Type>>> = OnceLock::new();
    let known = KNOWN.get_or_init(|| {
        let all = inventory::iter::<Registered>.into_iter();
        all.map(|registered| ((registered.id)(), Arc::new(registered.form.ty()))).collect()
    });
    known.get(&TypeId::of::<T>()).cloned()
}

/// Whether a host's value of so many bytes is one of the WGSL type: the first difference if not.
pub(crate) fn fits(host: &Type, ty: &Type, bytes: u64, wgsl_bytes: u64) -> Result<(), TypeClash> {
    same(host, ty, "", 0, 0)?;
    if bytes == wgsl_bytes || ty.tail().is_some() {
        return Ok(());
    }
    let name = |what: String, bytes: u64| format!("`{what}` of {bytes} bytes");
    Err(TypeClash::Member {
        path: String::new(),
        host: name(Spelled(host).to_string(), bytes),
        wgsl: name(ty.to_string(), wgsl_bytes),
    })
}

fn same(host: &Type, ty: &Type, path: &str, at: u32, wgsl_at: u32) -> Result<(), TypeClash> {
    let clash = || {
        let told = |what: String, at: u32| format!("`{what}` at byte {at}");
        let (host, wgsl) = (told(Spelled(host).to_string(), at), told(ty.to_string(), wgsl_at));
        Err(TypeClash::Member { path: path.to_owned(), host, wgsl })
    };
    if at != wgsl_at {
        return clash();
    }
    let same_type = match (host, ty) {
        (Type::Scalar(scalar), Type::Scalar(wgsl) | Type::Atomic(wgsl)) => scalar == wgsl,
        (Type::Array { element, len: Some(len), .. }, Type::Vector { len: lanes, scalar }) => {
            // The fourth of a vector of three is padding.
            **element == Type::Scalar(*scalar) && (len == lanes || (*len, *lanes) == (4, 3))
        }
        (Type::Array { element, len, stride }, Type::Matrix { columns, rows, scalar, column_stride }) => {
            let column = Type::Vector { len: *rows, scalar: *scalar };
            return match (*len == Some(*columns), stride == column_stride) {
                (true, true) => same(element, &column, &format!("{path}[0]"), at, wgsl_at),
                _ => clash(),
            };
        }
        (Type::Array { element, len, stride }, Type::Array { element: inner, len: wgsl, stride: apart }) => {
            return if (wgsl.is_none() || wgsl == len) && stride == apart {
                same(element, inner, &format!("{path}[0]"), at, wgsl_at)
            } else {
                clash()
            };
        }
        (Type::Struct { members: fields, .. }, Type::Struct { members, .. }) => {
            return members_same(fields, members, path, at);
        }
        _ => false,
    };
    if same_type { Ok(()) } else { clash() }
}

fn members_same(fields: &[Member], members: &[Member], path: &str, at: u32) -> Result<(), TypeClash> {
    let join = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    for member in members {
        let wgsl_at = at + member.offset;
        let Some(field) = fields.iter().find(|field| field.name == member.name) else {
            let wgsl = format!("`{}` at byte {wgsl_at}", member.ty);
            return Err(TypeClash::Member { path: join(&member.name), host: "none".to_owned(), wgsl });
        };
        same(&field.ty, &member.ty, &join(&member.name), at + field.offset, wgsl_at)?;
    }
    match fields.iter().find(|field| members.iter().all(|member| member.name != field.name)) {
        Some(field) => {
            let host = format!("`{}` at byte {}", Spelled(&field.ty), at + field.offset);
            Err(TypeClash::Member { path: join(&field.name), host, wgsl: "none".to_owned() })
        }
        None => Ok(()),
    }
}
