//! What every run has: memory by name, a deadline, a hand on it, a trace.

use std::path::PathBuf;
use std::time::Duration;

use numpy::PyUntypedArray;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyMapping, PyModule, PyString, PyTuple};
use seawall::Error;

use crate::bind::{Given, Wanted};
use crate::interrupt::Control;
use crate::{buffer, error, runtime, trace};

/// Has rows of memory that runs bind by name: a kernel, or a graph.
pub(crate) trait Callee {
    fn rows(&self) -> usize;

    fn row(&self, py: Python<'_>, name: &str) -> PyResult<usize>;

    fn wanted(&self, row: usize) -> Wanted<'_>;

    /// Whether it is made if it is left out.
    fn is_output(&self, row: usize) -> bool;
}

/// The memory of a run.
pub(crate) struct Memory<'py> {
    pub(crate) given: Vec<(usize, Given<'py>)>,
    /// Arrays that are handed back, in the order of the rows.
    pub(crate) made: Vec<(usize, Bound<'py, PyUntypedArray>)>,
}

impl<'py> Memory<'py> {
    /// What is handed in, and what `make` makes, of a shape if there is one, for the rest.
    pub(crate) fn new(
        py: Python<'py>,
        callee: &impl Callee,
        listed: Option<&Bound<'py, PyMapping>>,
        named: Option<&Bound<'py, PyDict>>,
        make: impl Fn(usize, Option<Vec<usize>>) -> PyResult<Bound<'py, PyUntypedArray>>,
    ) -> PyResult<Self> {
        let copy = |listed: &Bound<'py, PyMapping>| {
            let copy = PyDict::new(py);
            copy.update(listed).map(|()| copy)
        };
        let listed = listed.map(copy).transpose()?;
        let out = out_class(py)?;
        let mut memory = Self { given: Vec::with_capacity(callee.rows()), made: Vec::new() };
        let mut add = |row: usize, shape: Option<Vec<usize>>| {
            let array = make(row, shape)?;
            let held = Given::new(&callee.wanted(row), array.as_any())?;
            memory.made.push((row, array));
            Ok::<_, PyErr>(held)
        };
        for (name, value) in listed.iter().chain(named).flat_map(PyDictMethods::iter) {
            let name = name.cast::<PyString>()?.to_str()?;
            let row = callee.row(py, name)?;
            if memory.given.iter().any(|(other, _)| *other == row) {
                return Err(error::of(py, &Error::BoundTwice { buffer: name.to_owned() }));
            }
            let held = if value.is_exact_instance(out) {
                let shape = value.getattr("shape")?;
                add(row, if shape.is_none() { None } else { Some(buffer::shape(&shape)?) })?
            } else {
                Given::new(&callee.wanted(row), &value)?
            };
            memory.given.push((row, held));
        }
        for row in (0..callee.rows()).filter(|&row| callee.is_output(row)) {
            if memory.given.iter().all(|(other, _)| *other != row) {
                memory.given.push((row, add(row, None)?));
            }
        }
        memory.made.sort_by_key(|(row, _)| *row);
        Ok(memory)
    }
}

/// `seawall.out`'s class.
fn out_class(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    static OUT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let found = || Ok::<_, PyErr>(PyModule::import(py, "seawall._results")?.getattr("out")?.unbind());
    Ok(OUT.get_or_try_init(py, found)?.bind(py))
}

/// What the caller wants of a run beside its memory.
pub(crate) struct Options {
    pub(crate) deadline: Option<Duration>,
    pub(crate) hand: trace::Hand,
}

impl Options {
    pub(crate) fn new(
        py: Python<'_>,
        deadline: Option<f64>,
        control: Option<&Bound<'_, Control>>,
        trace: Option<PathBuf>,
    ) -> PyResult<Self> {
        let deadline = deadline.map(|time| runtime::seconds(py, "deadline", time)).transpose()?;
        Ok(Self { deadline, hand: trace::Hand::new(py, control, trace)? })
    }
}

/// Calls it on a thread of its own, and gives a ticket for what it gives at once.
pub(crate) fn submit<'py, T>(
    callee: &Bound<'py, T>,
    args: &Bound<'py, PyTuple>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    PyModule::import(callee.py(), "seawall._ticket")?.call_method1("submit", (callee.as_any(), args, options))
}
