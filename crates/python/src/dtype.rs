//! NumPy's dtypes as WGSL's types, and the other way round.

use std::sync::Arc;

use numpy::{PyArrayDescr, PyArrayDescrMethods};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyModule, PyTuple};
use seawall::Element;
use seawall::layout::{Member, Scalar, Type};

/// A number's type, with NumPy's name for it.
pub(crate) fn scalar(dtype: &Bound<'_, PyArrayDescr>) -> Option<(Scalar, &'static str)> {
    if dtype.is_native_byteorder() == Some(false) {
        return None;
    }
    Some(match (dtype.kind(), dtype.itemsize()) {
        (b'f', 4) => (Scalar::F32, "float32"),
        (b'u', 4) => (Scalar::U32, "uint32"),
        (b'i', 4) => (Scalar::I32, "int32"),
        (b'f', 2) => (Scalar::F16, "float16"),
        (b'f', 8) => (Scalar::F64, "float64"),
        (b'u', 8) => (Scalar::U64, "uint64"),
        (b'i', 8) => (Scalar::I64, "int64"),
        _ => return None,
    })
}

/// What it is made of; `Err` names a part of it that WGSL does not have in buffers.
fn parts(dtype: &Bound<'_, PyArrayDescr>) -> PyResult<Result<Type, String>> {
    if dtype.has_subarray() {
        let base = dtype.base();
        let mut stride = base.itemsize() as u32;
        let mut ty = match parts(&base)? {
            Ok(ty) => ty,
            Err(what) => return Ok(Err(what)),
        };
        for len in dtype.shape().into_iter().rev() {
            ty = Type::Array { element: Box::new(ty), len: Some(len as u32), stride };
            stride *= len as u32;
        }
        return Ok(Ok(ty));
    }
    let Some(names) = dtype.names() else {
        return Ok(scalar(dtype).map(|(scalar, _)| Type::Scalar(scalar)).ok_or_else(|| dtype.to_string()));
    };
    let mut members = Vec::with_capacity(names.len());
    for name in names.into_iter().filter(|name| !name.starts_with('_')) {
        let (field, offset) = dtype.get_field(&name)?;
        match parts(&field)? {
            Ok(ty) => members.push(Member { name, offset: offset as u32, ty }),
            Err(what) => return Ok(Err(format!("{name}: {what}"))),
        }
    }
    Ok(Ok(Type::Struct { name: "the dtype".to_owned(), members, bytes: dtype.itemsize() as u32 }))
}

/// What a dtype is made of, kept from call to call.
#[pyclass(frozen)]
pub(crate) struct Made(Result<Arc<Type>, String>);

/// Dtypes that are kept.
const KEPT_MAX: usize = 256;

/// What it is made of; `Err` names a part of it that WGSL does not have in buffers.
pub(crate) fn ty(dtype: &Bound<'_, PyArrayDescr>) -> PyResult<Result<Arc<Type>, String>> {
    static KEPT: PyOnceLock<Py<PyDict>> = PyOnceLock::new();
    let py = dtype.py();
    let kept = KEPT.get_or_init(py, || PyDict::new(py).unbind()).bind(py);
    if let Some(made) = kept.get_item(dtype)? {
        return Ok(made.cast::<Made>()?.get().0.clone());
    }
    let made = parts(dtype)?.map(Arc::new);
    if kept.len() >= KEPT_MAX {
        kept.clear();
    }
    kept.set_item(dtype, Bound::new(py, Made(made.clone()))?)?;
    Ok(made)
}

/// Elements of a dtype; `Err` names a part of it that WGSL does not have in buffers.
pub(crate) fn element(dtype: &Bound<'_, PyArrayDescr>) -> PyResult<Result<Element, String>> {
    if let Some((scalar, name)) = scalar(dtype) {
        return Ok(Ok(Element::numbers(scalar, dtype.itemsize() as u64, name)));
    }
    if dtype.has_subarray()
        && let Some((scalar, name)) = scalar(&dtype.base())
    {
        return Ok(Ok(Element::numbers(scalar, dtype.itemsize() as u64, name)));
    }
    if !dtype.has_fields() && !dtype.has_subarray() {
        return Ok(Err(dtype.to_string()));
    }
    Ok(ty(dtype)?.map(|ty| Element::typed(ty, dtype.itemsize() as u64, dtype.to_string())))
}

fn numpy_name(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "bool",
        Scalar::I32 => "<i4",
        Scalar::U32 => "<u4",
        Scalar::F32 => "<f4",
        Scalar::F16 => "<f2",
        Scalar::I64 => "<i8",
        Scalar::U64 => "<u8",
        Scalar::F64 => "<f8",
    }
}

/// NumPy's dtype for a type whose values lie `stride` bytes apart: vectors and matrices as rows, with the
/// fourth of a vector of three where it is padded to one.
pub(crate) fn of_type<'py>(py: Python<'py>, ty: &Type, stride: u64) -> PyResult<Bound<'py, PyAny>> {
    let make = |spec: Bound<'py, PyAny>| Ok(PyArrayDescr::new(py, &spec)?.into_any());
    let text = |scalar: Scalar| numpy_name(scalar).into_pyobject(py).map(Bound::into_any);
    let rows =
        |scalar: Scalar, shape: &[u64]| make((text(scalar)?, PyTuple::new(py, shape)?).into_pyobject(py)?.into_any());
    match ty {
        Type::Scalar(scalar) | Type::Atomic(scalar) => make(text(*scalar)?),
        Type::Vector { len: 3, scalar } if stride >= 4 * u64::from(scalar.bytes()) => rows(*scalar, &[4]),
        Type::Vector { len, scalar } => rows(*scalar, &[u64::from(*len)]),
        Type::Matrix { columns, scalar, column_stride, .. } => {
            rows(*scalar, &[u64::from(*columns), u64::from(column_stride / scalar.bytes())])
        }
        Type::Array { element, len, stride } => {
            let element = of_type(py, element, u64::from(*stride))?;
            match len {
                Some(len) => make((element, (*len,)).into_pyobject(py)?.into_any()),
                None => Ok(element),
            }
        }
        Type::Struct { members, bytes, .. } => {
            let spec = PyDict::new(py);
            spec.set_item("names", members.iter().map(|member| member.name.as_str()).collect::<Vec<_>>())?;
            let mut formats = Vec::with_capacity(members.len());
            for (at, member) in members.iter().enumerate() {
                let end = members.get(at + 1).map_or(*bytes, |next| next.offset);
                // A number may lie where a vector of three would have its fourth.
                formats.push(of_type(py, &member.ty, u64::from(end.saturating_sub(member.offset)))?);
            }
            spec.set_item("formats", formats)?;
            spec.set_item("offsets", members.iter().map(|member| member.offset).collect::<Vec<_>>())?;
            spec.set_item("itemsize", *bytes)?;
            make(spec.into_any())
        }
    }
}

/// `numpy.NAME`.
pub(crate) fn numpy<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    PyModule::import(py, "numpy")?.getattr(name)
}
