//! What a host type is made of, and whether a WGSL type is made of the same.
//!
//! `#[derive(Layout)]` writes a struct's members down and registers it under its type id, so that
//! whatever is bound can be looked up: Rust cannot ask a type parameter for a trait that it may
//! have.

use std::any::TypeId;
use std::collections::HashMap;
use std::fmt;
use std::sync::OnceLock;

use half::f16;
use seawall_core::layout::{Scalar, Type};

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

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(scalar) => write!(f, "{scalar}"),
            Self::Array { element, len, .. } => write!(f, "[{element}; {len}]"),
            Self::Struct { name, .. } => f.write_str(name),
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
pub(crate) fn of<T: 'static>() -> Option<Form> {
    static KNOWN: OnceLock<HashMap<TypeId, Form>> = OnceLock::new();
    let known = KNOWN.get_or_init(|| {
        inventory::iter::<Registered>.into_iter().map(|registered| ((registered.id)(), registered.form)).collect()
    });
    known.get(&TypeId::of::<T>()).copied()
}

impl Form {
    /// Whether a value of it, of so many bytes, is one of the WGSL type: the first difference if not.
    pub(crate) fn fits(&self, ty: &Type, bytes: u64, wgsl_bytes: u64) -> Result<(), TypeClash> {
        self.same(ty, "", 0, 0)?;
        if bytes == wgsl_bytes || ty.tail().is_some() {
            return Ok(());
        }
        let name = |what: String, bytes: u64| format!("`{what}` of {bytes} bytes");
        Err(TypeClash::Member {
            path: String::new(),
            host: name(self.to_string(), bytes),
            wgsl: name(ty.to_string(), wgsl_bytes),
        })
    }

    fn same(&self, ty: &Type, path: &str, at: usize, wgsl_at: usize) -> Result<(), TypeClash> {
        let clash = || {
            let told = |what: String, at: usize| format!("`{what}` at byte {at}");
            let (host, wgsl) = (told(self.to_string(), at), told(ty.to_string(), wgsl_at));
            Err(TypeClash::Member { path: path.to_owned(), host, wgsl })
        };
        if at != wgsl_at {
            return clash();
        }
        let same = match (self, ty) {
            (Self::Number(scalar), Type::Scalar(wgsl) | Type::Atomic(wgsl)) => scalar == wgsl,
            (Self::Array { element: Self::Number(number), len, .. }, Type::Vector { len: lanes, scalar }) => {
                // The fourth of a vector of three is padding.
                number == scalar && (*len == *lanes as usize || (*len, *lanes) == (4, 3))
            }
            (Self::Array { element, len, stride }, Type::Matrix { columns, rows, scalar, column_stride }) => {
                let column = Type::Vector { len: *rows, scalar: *scalar };
                return match (*len == *columns as usize, *stride == *column_stride as usize) {
                    (true, true) => element.same(&column, &format!("{path}[0]"), at, wgsl_at),
                    _ => clash(),
                };
            }
            (Self::Array { element, len, stride }, Type::Array { element: inner, len: wgsl, stride: apart }) => {
                let long = wgsl.is_none_or(|wgsl| wgsl as usize == *len);
                return if long && *stride == *apart as usize {
                    element.same(inner, &format!("{path}[0]"), at, wgsl_at)
                } else {
                    clash()
                };
            }
            (Self::Struct { fields, .. }, Type::Struct { members, .. }) => {
                return fields_same(fields, members, path, at);
            }
            (Self::Number(_) | Self::Array { .. } | Self::Struct { .. }, _) => false,
        };
        if same { Ok(()) } else { clash() }
    }
}

fn fields_same(
    fields: &[Field],
    members: &[seawall_core::layout::Member],
    path: &str,
    at: usize,
) -> Result<(), TypeClash> {
    let join = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    for member in members {
        let wgsl_at = at + member.offset as usize;
        let Some(field) = fields.iter().find(|field| field.name == member.name) else {
            let wgsl = format!("`{}` at byte {wgsl_at}", member.ty);
            return Err(TypeClash::Member { path: join(&member.name), host: "none".to_owned(), wgsl });
        };
        field.form.same(&member.ty, &join(&member.name), at + field.offset, wgsl_at)?;
    }
    match fields.iter().find(|field| members.iter().all(|member| member.name != field.name)) {
        Some(field) => {
            let host = format!("`{}` at byte {}", field.form, at + field.offset);
            Err(TypeClash::Member { path: join(field.name), host, wgsl: "none".to_owned() })
        }
        None => Ok(()),
    }
}
