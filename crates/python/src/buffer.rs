//! Memory on the device that outlives a call.

use bytemuck::Pod;
use numpy::{PyArrayDescr, PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyBufferError, PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySlice, PyTuple};
use seawall::layout::Scalar;
use seawall::{Bound as Binding, Element};

use crate::array::Held;
use crate::runtime::{self, Runtime};
use crate::{dtype, error, value};

/// Elements of a dtype on a device, in a shape.
#[pyclass(frozen, module = "seawall", weakref)]
pub(crate) struct Buffer {
    inner: seawall::Buffer<u8>,
    element: Element,
    dtype: Py<PyArrayDescr>,
    shape: Vec<usize>,
}

fn product(py: Python<'_>, shape: &[usize], item: usize) -> PyResult<usize> {
    let bytes = shape.iter().try_fold(item, |bytes, &len| bytes.checked_mul(len));
    bytes.ok_or_else(|| error::bind(py, format!("a buffer of shape {shape:?} is more than can be addressed")))
}

/// A shape as people give it: a number, or several.
pub(crate) fn shape(given: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
    let lens = signed(given)?;
    let refused = |_| error::bind(given.py(), format!("the shape {lens:?} has less than nothing"));
    lens.iter().map(|&len| usize::try_from(len)).collect::<Result<_, _>>().map_err(refused)
}

fn signed(given: &Bound<'_, PyAny>) -> PyResult<Vec<isize>> {
    let refused =
        || error::bind(given.py(), format!("a shape is a number or a tuple, not {}", value::described(given)));
    given.extract::<isize>().map(|len| vec![len]).or_else(|_| given.extract()).map_err(|_| refused())
}

/// An array over the memory of whatever has some.
fn array_of<'py>(given: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyUntypedArray>>> {
    if let Ok(array) = given.cast::<PyUntypedArray>() {
        return Ok(Some(array.clone()));
    }
    let foreign = given.py().import("seawall._foreign")?.call_method1("array", ("the array", given))?;
    Ok(foreign.cast_into().ok())
}

/// An error that names what a buffer holds, and what is taken.
pub(crate) fn other(py: Python<'_>, name: &str, buffer: &Buffer, takes: &str) -> PyErr {
    error::bind(py, format!("`{name}` has elements of `{}`: it takes {takes}", buffer.dtype_of(py)))
}

/// An error unless the elements are these.
pub(crate) fn expect(py: Python<'_>, name: &str, buffer: &Buffer, scalar: Scalar, called: &str) -> PyResult<()> {
    if buffer.scalar(py) == Some(scalar) { Ok(()) } else { Err(other(py, name, buffer, &format!("`{called}`"))) }
}

/// An error unless its elements are counts, indices or flags.
pub(crate) fn words(py: Python<'_>, name: &str, buffer: &Buffer) -> PyResult<()> {
    expect(py, name, buffer, Scalar::U32, "uint32")
}

impl Buffer {
    /// Bytes that are there, as elements of a dtype whose rows become dimensions.
    pub(crate) fn over(
        inner: seawall::Buffer<u8>,
        dtype: &Bound<'_, PyArrayDescr>,
        mut shape: Vec<usize>,
    ) -> PyResult<Self> {
        let py = dtype.py();
        let mut base = dtype.clone();
        if dtype.has_subarray() {
            shape.extend(dtype.shape());
            base = dtype.base();
        }
        let element = dtype::element(&base)?;
        let element = element.map_err(|what| error::bind(py, format!("no buffer holds elements of `{what}`")))?;
        Ok(Self { inner, element, dtype: base.unbind(), shape })
    }

    pub(crate) fn zeros(
        runtime: &Bound<'_, Runtime>,
        shape: Vec<usize>,
        dtype: &Bound<'_, PyArrayDescr>,
    ) -> PyResult<Self> {
        let py = runtime.py();
        let bytes = product(py, &shape, dtype.itemsize())?;
        let (opened, made) = (&runtime.get().inner, |error| error::of(py, &error));
        let inner = py.detach(|| opened.buffer::<u8>(bytes)).map_err(made)?;
        Self::over(inner, dtype, shape)
    }

    pub(crate) fn bound(&self) -> Binding<'_> {
        Binding::resident(self.element.clone().shaped(&self.shape), &self.inner)
    }

    pub(crate) fn len_bytes(&self) -> u64 {
        self.inner.len() as u64
    }

    /// As words, for a grid.
    pub(crate) fn words(&self) -> Result<seawall::Buffer<u32>, seawall::Error> {
        self.inner.view()
    }

    /// As elements of whatever is as large.
    pub(crate) fn elements<T: Pod>(&self) -> Result<seawall::Buffer<T>, seawall::Error> {
        self.inner.view()
    }

    pub(crate) fn lens(&self) -> &[usize] {
        &self.shape
    }

    pub(crate) fn scalar(&self, py: Python<'_>) -> Option<Scalar> {
        dtype::scalar(self.dtype.bind(py)).map(|(scalar, _)| scalar)
    }

    pub(crate) fn dtype_of<'py>(&self, py: Python<'py>) -> &Bound<'py, PyArrayDescr> {
        self.dtype.bind(py)
    }

    /// The first elements of it.
    pub(crate) fn first(&self, py: Python<'_>, len: usize) -> PyResult<Self> {
        let inner = self.inner.range(0..len * self.row_bytes(py)).map_err(|error| error::of(py, &error))?;
        Ok(Self { inner, element: self.element.clone(), dtype: self.dtype.clone_ref(py), shape: vec![len] })
    }

    fn item(&self, py: Python<'_>) -> usize {
        self.dtype.bind(py).itemsize()
    }

    /// Bytes of one element of the first dimension.
    fn row_bytes(&self, py: Python<'_>) -> usize {
        self.shape.iter().skip(1).product::<usize>() * self.item(py)
    }

    /// Elements of the first dimension that an index names: from, to, and whether it is one alone.
    fn rows(&self, index: &Bound<'_, PyAny>) -> PyResult<(usize, usize, bool)> {
        let Some(&len) = self.shape.first() else {
            return Err(PyIndexError::new_err("a buffer without dimensions has no parts"));
        };
        if let Ok(slice) = index.cast::<PySlice>() {
            let indices = slice.indices(len as isize)?;
            if indices.step != 1 {
                return Err(PyIndexError::new_err("a part of a buffer is contiguous: only a step of 1 is possible"));
            }
            let start = indices.start as usize;
            return Ok((start, start + indices.slicelength, false));
        }
        let at = index
            .extract::<isize>()
            .map_err(|_| PyTypeError::new_err("a buffer is indexed by a number or a slice of its first dimension"))?;
        let from = if at < 0 { at + len as isize } else { at };
        if !(0..len as isize).contains(&from) {
            return Err(PyIndexError::new_err(format!("index {at} is out of range for a buffer of {len}")));
        }
        Ok((from as usize, from as usize + 1, true))
    }
}

#[pymethods]
impl Buffer {
    /// Zeros of a shape, or what an array holds, on the device.
    #[new]
    #[pyo3(signature = (like, dtype=None, *, runtime=None))]
    fn new(
        like: &Bound<'_, PyAny>,
        dtype: Option<&Bound<'_, PyAny>>,
        runtime: Option<Bound<'_, Runtime>>,
    ) -> PyResult<Self> {
        let py = like.py();
        let runtime = runtime::or_default(py, runtime)?;
        let is_shape = like.extract::<usize>().is_ok() || like.is_instance_of::<PyTuple>();
        if is_shape {
            let Some(dtype) = dtype else {
                return Err(error::bind(py, "a buffer of zeros needs a `dtype`"));
            };
            return Self::zeros(&runtime, shape(like)?, &PyArrayDescr::new(py, dtype)?);
        }
        let array = array_of(like)?.ok_or_else(|| {
            error::bind(py, format!("a buffer is made of a shape or an array, not of {}", value::described(like)))
        })?;
        let kept = array.dtype();
        if let Some(dtype) = dtype
            && !PyArrayDescr::new(py, dtype)?.is_equiv_to(&kept)
        {
            return Err(error::bind(py, format!("the array has elements of `{kept}`: use `.astype` for others")));
        }
        let buffer = Self::zeros(&runtime, array.shape().to_vec(), &kept)?;
        buffer.copy_from(py, array.as_any())?;
        Ok(buffer)
    }

    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.shape)
    }

    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> Bound<'py, PyArrayDescr> {
        self.dtype.bind(py).clone()
    }

    #[getter]
    fn ndim(&self) -> usize {
        self.shape.len()
    }

    #[getter]
    pub(crate) fn size(&self) -> usize {
        self.shape.iter().product()
    }

    #[getter]
    fn nbytes(&self) -> usize {
        self.inner.len()
    }

    fn __len__(&self) -> PyResult<usize> {
        self.shape.first().copied().ok_or_else(|| PyTypeError::new_err("a buffer without dimensions has no length"))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<seawall.Buffer: {} of {}>", self.shape(py)?, self.dtype.bind(py)))
    }

    /// A copy of it, in a new array or in `out`.
    #[pyo3(signature = (out=None))]
    fn numpy<'py>(&self, py: Python<'py>, out: Option<Bound<'py, PyUntypedArray>>) -> PyResult<Bound<'py, PyAny>> {
        let out = match out {
            Some(out) => out,
            None => dtype::numpy(py, "empty")?.call1((self.shape(py)?, self.dtype(py)))?.cast_into()?,
        };
        if out.shape() != self.shape || !out.dtype().is_equiv_to(self.dtype.bind(py)) {
            let (shape, dtype) = (out.shape(), out.dtype());
            let message = format!("{} cannot be read into shape {shape:?} of {dtype}", self.__repr__(py)?);
            return Err(error::bind(py, message));
        }
        let mut held = Held::new("out", &out, true)?;
        let (inner, to) = (&self.inner, held.bytes_mut());
        py.detach(|| inner.read(0, to)).map_err(|error| error::of(py, &error))?;
        Ok(out.into_any())
    }

    /// Takes the elements of an array or a buffer of the same shape and dtype.
    fn copy_from(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<()> {
        let raised = |error| error::of(py, &error);
        let clash = |shape: &[usize], dtype: &Bound<'_, PyArrayDescr>| {
            let (own, kept) = (&self.shape, self.dtype.bind(py));
            (shape != own || !dtype.is_equiv_to(kept)).then(|| {
                error::bind(py, format!("shape {shape:?} of {dtype} cannot be copied to shape {own:?} of {kept}"))
            })
        };
        if let Ok(other) = other.cast::<Self>() {
            let other = other.get();
            if let Some(error) = clash(&other.shape, other.dtype.bind(py)) {
                return Err(error);
            }
            return py.detach(|| self.inner.copy_from(&other.inner)).map_err(raised);
        }
        let array = array_of(other)?;
        let array = array.ok_or_else(|| error::bind(py, format!("cannot copy from {}", value::described(other))))?;
        if let Some(error) = clash(array.shape(), &array.dtype()) {
            return Err(error);
        }
        let held = Held::new("the array", &array, false)?;
        let (inner, from) = (&self.inner, held.bytes());
        py.detach(|| inner.write(0, from)).map_err(raised)
    }

    /// Makes all elements this value.
    fn fill(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let one = dtype::numpy(py, "full")?.call1((1, value, self.dtype(py)))?;
        let held = Held::new("the value", one.cast()?, false)?;
        let element = held.bytes();
        py.detach(|| self.inner.fill_bytes(element)).map_err(|error| error::of(py, &error))
    }

    /// Makes all elements zero.
    fn clear(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.inner.clear()).map_err(|error| error::of(py, &error))
    }

    /// A part of it, in the same memory, to be bound or changed by itself.
    fn __getitem__(&self, py: Python<'_>, index: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (from, to, alone) = self.rows(index)?;
        let row = self.row_bytes(py);
        let part = self.inner.range(from * row..to * row).map_err(|error| match error {
            seawall::Error::RangeAlign { start, end, .. } => error::bind(
                py,
                format!(
                    "elements {from} to {to} are bytes {start} to {end}: a part of a buffer starts at a multiple of \
                     256 bytes, and ends at a multiple of 4 or with the buffer"
                ),
            ),
            error => error::of(py, &error),
        })?;
        let shape = if alone { Vec::new() } else { vec![to - from] };
        let shape = shape.into_iter().chain(self.shape[1..].iter().copied()).collect();
        Ok(Self { inner: part, element: self.element.clone(), dtype: self.dtype.clone_ref(py), shape })
    }

    /// Writes an array's elements into a part, wherever that starts.
    fn __setitem__(&self, py: Python<'_>, index: &Bound<'_, PyAny>, from: &Bound<'_, PyAny>) -> PyResult<()> {
        let (first, end, alone) = self.rows(index)?;
        let shape = if alone { Vec::new() } else { vec![end - first] };
        let shape: Vec<usize> = shape.into_iter().chain(self.shape[1..].iter().copied()).collect();
        let wide = dtype::numpy(py, "empty")?.call1((PyTuple::new(py, &shape)?, self.dtype(py)))?;
        dtype::numpy(py, "copyto")?.call1((&wide, from))?;
        let held = Held::new("the array", wide.cast()?, false)?;
        let (bytes, at) = (held.bytes(), first * self.row_bytes(py));
        py.detach(|| self.inner.write(at, bytes)).map_err(|error| error::of(py, &error))
    }

    /// The same elements in another shape, of which one length may be -1: what is left for it.
    fn reshape(&self, py: Python<'_>, shape: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut to = signed(shape)?;
        let refused = || error::bind(py, format!("{} elements are none of shape {shape}", self.size()));
        let rest = to.iter().filter(|&&len| len != -1).try_fold(1, |all: isize, &len| all.checked_mul(len));
        if let [left] = to.iter_mut().filter(|len| **len == -1).collect::<Vec<_>>().as_mut_slice() {
            let whole = rest.and_then(|rest| (self.size() as isize).checked_div(rest));
            **left = whole.ok_or_else(refused)?;
        }
        let to: Vec<usize> =
            to.iter().map(|&len| usize::try_from(len)).collect::<Result<_, _>>().map_err(|_| refused())?;
        if product(py, &to, 1)? != self.size() {
            return Err(refused());
        }
        let (inner, element) = (self.inner.clone(), self.element.clone());
        Ok(Self { inner, element, dtype: self.dtype.clone_ref(py), shape: to })
    }

    /// The same bytes as elements of another dtype, in one dimension.
    fn view(&self, py: Python<'_>, dtype: &Bound<'_, PyAny>) -> PyResult<Self> {
        let dtype = PyArrayDescr::new(py, dtype)?;
        let (bytes, item) = (self.inner.len(), dtype.itemsize());
        if item == 0 || !bytes.is_multiple_of(item) {
            return Err(error::bind(py, format!("{bytes} bytes are not whole elements of `{dtype}`")));
        }
        Self::over(self.inner.clone(), &dtype, vec![bytes / item])
    }

    /// For NumPy's functions: a copy.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            return Err(pyo3::exceptions::PyValueError::new_err("a buffer's elements can only be had as a copy"));
        }
        let array = self.numpy(py, None)?;
        match dtype {
            Some(dtype) => array.call_method1("astype", (dtype,)),
            None => Ok(array),
        }
    }

    /// For other libraries: a copy of it in the host's memory.
    #[pyo3(signature = (**options))]
    fn __dlpack__<'py>(&self, py: Python<'py>, options: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        if let Some(copy) = options.map(|options| options.get_item("copy")).transpose()?.flatten()
            && copy.extract::<bool>().is_ok_and(|copy| !copy)
        {
            return Err(PyBufferError::new_err("a buffer's elements can only be had as a copy"));
        }
        self.numpy(py, None)?.call_method("__dlpack__", (), options)
    }

    /// The host's memory, in DLPack's numbers.
    #[pyo3(signature = ())]
    #[expect(clippy::unused_self, reason = "DLPack asks the object")]
    fn __dlpack_device__(&self) -> (i32, i32) {
        (1, 0)
    }

    #[expect(clippy::unused_self, reason = "Python asks the object")]
    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err("a seawall.Buffer lives on this process's device: send `buffer.numpy()` instead"))
    }
}
