//! Numbers, sequences, dicts and dataclasses as the bytes of a WGSL value.

use half::f16;
use pyo3::prelude::*;
use pyo3::types::{PyMapping, PyModule, PyString};
use seawall::layout::{Member, Scalar, Type};

use crate::error;

/// The bytes of a value of this type, which has a size.
pub(crate) fn encode(name: &str, value: &Bound<'_, PyAny>, ty: &Type) -> PyResult<Vec<u8>> {
    let mut bytes = vec![0; ty.bytes() as usize];
    put(name, value, ty, &mut bytes)?;
    Ok(bytes)
}

fn put(path: &str, value: &Bound<'_, PyAny>, ty: &Type, to: &mut [u8]) -> PyResult<()> {
    match ty {
        Type::Scalar(scalar) | Type::Atomic(scalar) => put_number(path, value, *scalar, to),
        Type::Vector { len, scalar } => put_all(path, value, ty, &Type::Scalar(*scalar), *len, scalar.bytes(), to),
        Type::Matrix { columns, rows, scalar, column_stride } => {
            let column = Type::Vector { len: *rows, scalar: *scalar };
            put_all(path, value, ty, &column, *columns, *column_stride, to)
        }
        Type::Array { element, len: Some(len), stride } => put_all(path, value, ty, element, *len, *stride, to),
        Type::Array { len: None, .. } => {
            Err(error::bind(value.py(), format!("`{path}: {ty}` has as many elements as are bound: bind an array")))
        }
        Type::Struct { members, .. } => put_members(path, value, ty, members, to),
    }
}

fn put_all(
    path: &str,
    value: &Bound<'_, PyAny>,
    ty: &Type,
    element: &Type,
    len: u32,
    stride: u32,
    to: &mut [u8],
) -> PyResult<()> {
    let wrong = |got: &str| error::bind(value.py(), format!("`{path}: {ty}` takes {len} values, not {got}"));
    let got = value.len().map_err(|_| wrong(&described(value)))?;
    if got != len as usize || value.is_instance_of::<PyString>() {
        return Err(wrong(&if value.is_instance_of::<PyString>() { described(value) } else { got.to_string() }));
    }
    for (at, part) in value.try_iter().map_err(|_| wrong(&described(value)))?.enumerate() {
        let start = at * stride as usize;
        put(&format!("{path}[{at}]"), &part?, element, &mut to[start..start + element.bytes() as usize])?;
    }
    Ok(())
}

fn put_members(path: &str, value: &Bound<'_, PyAny>, ty: &Type, members: &[Member], to: &mut [u8]) -> PyResult<()> {
    let py = value.py();
    let mapping = value.cast::<PyMapping>();
    let is_dataclass = || PyModule::import(py, "dataclasses")?.getattr("is_dataclass")?.call1((value,))?.is_truthy();
    if mapping.is_err() && !is_dataclass()? {
        let got = described(value);
        return Err(error::bind(
            py,
            format!("`{path}: {ty}` takes a dict, a dataclass or a structured scalar, not {got}"),
        ));
    }
    let names = || members.iter().map(|member| format!("`{}`", member.name)).collect::<Vec<_>>().join(", ");
    if let Ok(mapping) = mapping {
        for key in mapping.keys()? {
            let key = key.str()?.to_string();
            if members.iter().all(|member| member.name != key) {
                return Err(error::bind(py, format!("`{path}: {ty}` has no member `{key}`; it has {}", names())));
            }
        }
    }
    for member in members {
        let part = match mapping {
            Ok(mapping) => mapping.get_item(&member.name),
            Err(_) => value.getattr(member.name.as_str()),
        };
        let missing = |_| error::bind(py, format!("`{path}: {ty}` needs member `{}: {}`", member.name, member.ty));
        let (start, bytes) = (member.offset as usize, member.ty.bytes() as usize);
        put(&format!("{path}.{}", member.name), &part.map_err(missing)?, &member.ty, &mut to[start..start + bytes])?;
    }
    Ok(())
}

/// A number, if the type holds it: integers wholly, floats rounded.
fn put_number(path: &str, value: &Bound<'_, PyAny>, scalar: Scalar, to: &mut [u8]) -> PyResult<()> {
    let wrong = || error::bind(value.py(), format!("`{path}: {scalar}` cannot be {}", described(value)));
    // NumPy's integers are no `int`, but have an index, which floats do not have.
    macro_rules! number {
        ($ty:ty) => {
            to.copy_from_slice(&value.extract::<$ty>().map_err(|_| wrong())?.to_le_bytes())
        };
    }
    match scalar {
        Scalar::Bool => to[0] = u8::from(value.extract::<bool>().map_err(|_| wrong())?),
        Scalar::I32 => number!(i32),
        Scalar::U32 => number!(u32),
        Scalar::I64 => number!(i64),
        Scalar::U64 => number!(u64),
        Scalar::F64 => number!(f64),
        Scalar::F32 => {
            let double = value.extract::<f64>().map_err(|_| wrong())?;
            to.copy_from_slice(&(double as f32).to_le_bytes());
        }
        Scalar::F16 => {
            let double = value.extract::<f64>().map_err(|_| wrong())?;
            to.copy_from_slice(&f16::from_f64(double).to_le_bytes());
        }
    }
    Ok(())
}

/// A value for people: short ones as they are, others by their type.
pub(crate) fn described(value: &Bound<'_, PyAny>) -> String {
    let class = value.get_type().name().map_or_else(|_| "a value".to_owned(), |name| format!("a `{name}`"));
    match value.repr().map(|text| text.to_string()) {
        Ok(text) if text.chars().count() <= 24 && !text.contains('\n') => format!("{text}, {class}"),
        _ => class,
    }
}
