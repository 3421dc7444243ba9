//! NumPy arrays, in place.

use bytemuck::Pod;
use half::f16;
use numpy::{
    BorrowError, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyReadwriteArrayDyn,
    PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use seawall::layout::Scalar;
use seawall::{Bound as Binding, Element};

use crate::{dtype, error};

/// An array that nobody else changes as long as this lives.
pub(crate) struct Held<'py> {
    memory: Box<dyn Memory + 'py>,
    element: Element,
    changed: bool,
}

const CONTIGUOUS: &str = "invariant contiguous: it was looked at before";

trait Memory {
    fn bytes(&self) -> &[u8];
    /// Nothing where it was borrowed to be read.
    fn bytes_mut(&mut self) -> Option<&mut [u8]>;
}

impl<T: Pod + numpy::Element> Memory for PyReadonlyArrayDyn<'_, T> {
    fn bytes(&self) -> &[u8] {
        bytemuck::cast_slice(self.as_slice().expect(CONTIGUOUS))
    }

    fn bytes_mut(&mut self) -> Option<&mut [u8]> {
        None
    }
}

impl<T: Pod + numpy::Element> Memory for PyReadwriteArrayDyn<'_, T> {
    fn bytes(&self) -> &[u8] {
        bytemuck::cast_slice(self.as_slice().expect(CONTIGUOUS))
    }

    fn bytes_mut(&mut self) -> Option<&mut [u8]> {
        Some(bytemuck::cast_slice_mut(self.as_slice_mut().expect(CONTIGUOUS)))
    }
}

impl<'py> Held<'py> {
    /// Borrows an array, to be changed or not.
    pub(crate) fn new(name: &str, array: &Bound<'py, PyUntypedArray>, changed: bool) -> PyResult<Self> {
        let (py, dtype) = (array.py(), array.dtype());
        if !array.is_c_contiguous() {
            let why = if array.is_fortran_contiguous() { "has its columns side by side" } else { "is not contiguous" };
            let then = if changed { ", and take the results from that" } else { "" };
            let message = format!("`{name}` {why}: bind a copy by `numpy.ascontiguousarray`{then}");
            return Err(error::bind(py, message));
        }
        if !array.is_aligned() {
            let message = format!("`{name}` does not start at a multiple of its elements' size: bind a copy of it");
            return Err(error::bind(py, message));
        }
        let element = dtype::element(&dtype)?.map_err(|what| unknown(py, name, array, &what))?.shaped(array.shape());
        let memory: Box<dyn Memory + 'py> = match dtype::scalar(&dtype).map(|(scalar, _)| scalar) {
            Some(Scalar::F32) => borrow::<f32>(name, array, changed)?,
            Some(Scalar::U32) => borrow::<u32>(name, array, changed)?,
            Some(Scalar::I32) => borrow::<i32>(name, array, changed)?,
            Some(Scalar::F16) => borrow::<f16>(name, array, changed)?,
            Some(Scalar::F64) => borrow::<f64>(name, array, changed)?,
            Some(Scalar::U64) => borrow::<u64>(name, array, changed)?,
            Some(Scalar::I64) => borrow::<i64>(name, array, changed)?,
            Some(Scalar::Bool) | None => {
                // NumPy gives the bytes of a struct only as numbers in a row.
                let flat = array.call_method1("reshape", (-1,))?;
                let bytes = flat.call_method1("view", (dtype::numpy(py, "uint8")?,))?;
                borrow::<u8>(name, bytes.cast::<PyUntypedArray>()?, changed)?
            }
        };
        Ok(Self { memory, element, changed })
    }

    pub(crate) fn bound(&mut self) -> Binding<'_> {
        let element = self.element.clone();
        if self.changed {
            return Binding::write(element, self.bytes_mut());
        }
        Binding::read(element, self.bytes())
    }

    pub(crate) fn element(&self) -> &Element {
        &self.element
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        self.memory.bytes()
    }

    /// Of an array that was borrowed to be changed.
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        self.memory.bytes_mut().expect("invariant changed: it was borrowed so")
    }
}

fn borrow<'py, T: Pod + numpy::Element>(
    name: &str,
    array: &Bound<'py, PyUntypedArray>,
    changed: bool,
) -> PyResult<Box<dyn Memory + 'py>> {
    let py = array.py();
    let array = array.cast::<PyArrayDyn<T>>()?;
    let refused = |borrow: BorrowError| {
        let why = match borrow {
            BorrowError::NotWriteable => "is read-only, and the kernel writes it: bind a copy",
            _ if changed => {
                "is in use: what is written must not share memory with anything else of this call, nor be in use by another"
            }
            _ => "is in use: it is being written, by this call or by another",
        };
        error::bind(py, format!("`{name}` {why}"))
    };
    if changed {
        return Ok(Box::new(array.try_readwrite().map_err(refused)?));
    }
    Ok(Box::new(array.try_readonly().map_err(refused)?))
}

/// A dtype that no buffer has, and what to do about it.
pub(crate) fn unknown(py: Python<'_>, name: &str, array: &Bound<'_, PyUntypedArray>, what: &str) -> PyErr {
    let dtype = array.dtype();
    let advice = match (dtype.kind(), dtype.itemsize()) {
        _ if dtype.has_fields() => "its members must be numbers of 32 or 64 bits, or `float16`, or arrays of those",
        _ if dtype.is_native_byteorder() == Some(false) => {
            "its bytes are in another order than this machine's: use `.astype(x.dtype.newbyteorder('='))`"
        }
        (b'b', _) => "WGSL has no `bool` in buffers: use `.astype(numpy.uint32)`",
        (b'u' | b'i', 1 | 2) => {
            "WGSL has no integers of 8 or 16 bits: use `.astype(numpy.uint32)`, or `.view(numpy.uint32)` to unpack them in the kernel"
        }
        (b'c', 8) => "use `.view(numpy.float32)` for pairs of them, `vec2<f32>`",
        (b'O', _) => "Python's objects cannot be bound: give the array a dtype",
        _ => "WGSL has float32, int32 and uint32, and with an extension float16, float64, int64 and uint64",
    };
    error::bind(py, format!("`{name}` has elements of `{what}`, which no buffer holds; {advice}"))
}
