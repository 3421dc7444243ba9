//! What a caller hands in for a buffer of the program.

use numpy::{PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyModule};
use seawall::layout::Type;
use seawall::{Bound as Binding, Element};

use crate::array::Held;
use crate::buffer::Buffer;
use crate::{array, dtype, error, value};

/// Memory that a run uses, kept for as long as it does.
pub(crate) enum Given<'py> {
    /// An array, in place.
    Array(Held<'py>),
    /// Memory on the device.
    Buffer(Bound<'py, Buffer>),
    /// A value that was put into bytes.
    Value(Vec<u8>, Element),
}

/// What is asked for.
pub(crate) struct Wanted<'a> {
    pub(crate) name: &'a str,
    pub(crate) ty: &'a Type,
    pub(crate) changed: bool,
}

impl<'py> Given<'py> {
    pub(crate) fn new(wanted: &Wanted<'_>, given: &Bound<'py, PyAny>) -> PyResult<Self> {
        let Wanted { name, ty, changed, .. } = *wanted;
        if let Ok(array) = given.cast::<PyUntypedArray>() {
            return Self::of_array(wanted, array);
        }
        if let Ok(buffer) = given.cast::<Buffer>() {
            return Ok(Self::Buffer(buffer.clone()));
        }
        let py = given.py();
        // Another library's memory, as an array; `None` if it is none of that.
        let foreign = PyModule::import(py, "seawall._foreign")?.call_method1("array", (name, given))?;
        if let Ok(array) = foreign.cast::<PyUntypedArray>() {
            return Self::of_array(wanted, array);
        }
        if changed || ty.tail().is_some() {
            let got = value::described(given);
            let message = format!(
                "`{name}: {ty}` takes an array or a buffer, not {got}; `numpy.asarray(x, dtype=...)` makes one"
            );
            return Err(error::bind(py, message));
        }
        Ok(Self::Value(value::encode(name, given, ty)?, Element::of::<u8>()))
    }

    fn of_array(wanted: &Wanted<'_>, array: &Bound<'py, PyUntypedArray>) -> PyResult<Self> {
        let Wanted { name, ty, changed } = *wanted;
        let dtype = array.dtype();
        // To copy a struct is faster than to borrow it.
        if !changed && ty.tail().is_none() && dtype.has_fields() {
            let element = dtype::element(&dtype)?;
            let element = element.map_err(|what| array::unknown(array.py(), name, array, &what))?;
            let bytes = array.call_method0(intern!(array.py(), "tobytes"))?;
            return Ok(Self::Value(bytes.cast::<PyBytes>()?.as_bytes().to_vec(), element));
        }
        Ok(Self::Array(Held::new(name, array, changed)?))
    }

    pub(crate) fn len_bytes(&self) -> u64 {
        match self {
            Self::Array(held) => held.bytes().len() as u64,
            Self::Buffer(buffer) => buffer.get().len_bytes(),
            Self::Value(bytes, _) => bytes.len() as u64,
        }
    }

    /// Its bytes, and what they are; nothing for what is on a device.
    pub(crate) fn into_value(self) -> Option<(Vec<u8>, Element)> {
        match self {
            Self::Array(held) => Some((held.bytes().to_vec(), held.element().clone())),
            Self::Value(bytes, element) => Some((bytes, element)),
            Self::Buffer(_) => None,
        }
    }

    pub(crate) fn bound(&mut self) -> Binding<'_> {
        match self {
            Self::Array(held) => held.bound(),
            Self::Buffer(buffer) => buffer.get().bound(),
            Self::Value(bytes, element) => Binding::read(element.clone(), bytes),
        }
    }
}
