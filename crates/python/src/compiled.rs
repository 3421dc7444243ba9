//! Graphs that are ready to run, and what a run did.

use std::path::PathBuf;

use numpy::PyUntypedArray;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyMapping, PyModule, PySlice, PyTuple};
use seawall::device::Control as Hand;
use seawall::{Error, Graph, Role};
use seawall_core::plan::Plan as Planned;

use crate::bind::Wanted;
use crate::buffer::Buffer;
use crate::interrupt::{self, Control};
use crate::plan::Plan;
use crate::replay::{self, Data};
use crate::run::{self, Callee, Memory, Options};
use crate::runtime::{self, Runtime};
use crate::{dtype, error};

/// A graph that was planned and compiled for a device.
#[pyclass(frozen, module = "seawall", weakref)]
pub(crate) struct Compiled {
    inner: seawall::Compiled,
    data: Vec<Data>,
    graph: Py<PyAny>,
    runtime: Py<Runtime>,
}

/// What was said of a graph, as Seawall has it.
fn described(graph: &Bound<'_, PyAny>) -> PyResult<(Graph, Vec<Data>)> {
    let steps = graph.getattr("_steps")?.cast_into::<PyList>()?;
    let (mut described, mut data) = (Graph::new(), Vec::new());
    if let Some(bytes) = graph.getattr("budget")?.extract::<Option<u64>>()? {
        described.budget_bytes(bytes);
    }
    replay::all(&mut described, &steps, &mut data)?;
    Ok((described, data))
}

/// What a graph becomes; nothing is compiled for it.
#[pyfunction]
pub(crate) fn plan(py: Python<'_>, graph: &Bound<'_, PyAny>) -> PyResult<Plan> {
    let (described, _) = described(graph)?;
    py.detach(|| described.plan()).map(Plan).map_err(|error| error::of(py, &error))
}

/// The name of the wave that a step runs, or of the loop or branch that it begins.
fn step_name(plan: &Planned, step: usize) -> Option<String> {
    let Planned { graph, placement, .. } = plan;
    if let Ok(at) = placement.blocks.binary_search_by_key(&step, |(at, _)| *at) {
        return Some(graph.blocks[placement.blocks[at].1.0 as usize].name.clone());
    }
    let at = placement.waves.binary_search_by_key(&step, |(at, _)| *at).ok()?;
    Some(graph.node_name(placement.waves[at].1))
}

impl Compiled {
    /// Zeros for an output, in the shape that the graph has for it.
    fn make<'py>(&self, py: Python<'py>, row: usize, shape: Option<&[usize]>) -> PyResult<Bound<'py, PyUntypedArray>> {
        let data = &self.data[row];
        if shape.is_some_and(|shape| shape != data.shape) {
            let message = format!("`{}` has the shape that the graph gives it: use `seawall.out()`", data.name);
            return Err(error::bind(py, message));
        }
        let shape = PyTuple::new(py, &data.shape)?;
        Ok(dtype::numpy(py, "zeros")?.call1((shape, data.dtype.bind(py)))?.cast_into()?)
    }
}

impl Callee for Compiled {
    fn rows(&self) -> usize {
        self.data.len()
    }

    fn row(&self, py: Python<'_>, name: &str) -> PyResult<usize> {
        let unknown = || {
            let known = self.data.iter().filter(|data| data.is_callers()).map(|data| data.name.clone()).collect();
            error::of(py, &Error::UnknownData { data: name.to_owned(), known })
        };
        self.data.iter().position(|data| data.is_callers() && data.name == name).ok_or_else(unknown)
    }

    fn wanted(&self, row: usize) -> Wanted<'_> {
        let Data { name, ty, role, .. } = &self.data[row];
        Wanted { name, ty, changed: *role != Role::Input }
    }

    fn is_output(&self, row: usize) -> bool {
        self.data[row].role == Role::Output
    }
}

#[pymethods]
impl Compiled {
    /// Plans and compiles a graph for a runtime's device.
    #[new]
    #[pyo3(signature = (graph, *, runtime=None))]
    fn new(graph: &Bound<'_, PyAny>, runtime: Option<Bound<'_, Runtime>>) -> PyResult<Self> {
        let py = graph.py();
        let runtime = runtime::or_default(py, runtime)?;
        let (described, data) = described(graph)?;
        let (opened, control) = (&runtime.get().inner, Hand::default());
        let inner = interrupt::run(py, &control, false, || opened.compile_with(&described, &control))?;
        // What is added to the graph later is not of this one.
        let graph = graph.call_method0("copy")?.unbind();
        Ok(Self { inner, data, graph, runtime: runtime.unbind() })
    }

    /// Runs it on arrays, buffers and values by the names of its data. Outputs that are left out are made.
    #[pyo3(signature = (bindings=None, /, *, deadline=None, control=None, trace=None, **data))]
    fn __call__<'py>(
        slf: &Bound<'py, Self>,
        bindings: Option<&Bound<'py, PyMapping>>,
        deadline: Option<f64>,
        control: Option<&Bound<'py, Control>>,
        trace: Option<PathBuf>,
        data: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Finished> {
        let (py, this) = (slf.py(), slf.get());
        let make = |row, shape: Option<Vec<usize>>| this.make(py, row, shape.as_deref());
        let Memory { mut given, made: arrays } = Memory::new(py, this, bindings, data, make)?;
        let is_given = |row| given.iter().any(|(other, _)| *other == row);
        if let Some(row) = (0..this.rows()).find(|&row| this.data[row].is_callers() && !is_given(row)) {
            return Err(error::of(py, &Error::UnboundData { data: this.data[row].name.clone() }));
        }
        let options = Options::new(py, deadline, control, trace)?;
        let mut run = this.inner.call();
        for (row, given) in &mut given {
            run = run.bind(&this.data[*row].name, given.bound());
        }
        if let Some(time) = options.deadline {
            run = run.deadline(time);
        }
        let control = options.hand.control();
        let inner = interrupt::run(py, control, false, || run.run_with(control))?;
        drop(given);
        let names = |step| step_name(this.inner.plan(), step);
        options.hand.write(py, &inner.device, this.inner.schedule(), names, &inner.stats)?;
        let made = PyDict::new(py);
        arrays.into_iter().try_for_each(|(row, array)| made.set_item(&this.data[row].name, array))?;
        for (name, count) in &inner.counts {
            // Of a counted output, what the device filled.
            if let Some(array) = made.get_item(name)? {
                let part = PySlice::new(py, 0, *count as isize, 1);
                made.set_item(name, array.get_item(part)?)?;
            }
        }
        Ok(Finished { inner, made: made.unbind() })
    }

    /// Runs it on a thread of its own, and gives a ticket for its results at once.
    #[pyo3(signature = (*args, **options))]
    fn submit<'py>(
        slf: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        run::submit(slf, args, options)
    }

    /// Data that stays on the device from run to run.
    fn persistent(&self, py: Python<'_>, name: &str) -> PyResult<Buffer> {
        let memory = self.inner.persistent::<u8>(name).map_err(|error| error::of(py, &error))?;
        let data = self.data.iter().find(|data| data.name == name).expect("invariant data: it was declared");
        Buffer::over(memory, data.dtype.bind(py), data.shape.clone())
    }

    #[getter]
    fn plan(&self) -> Plan {
        Plan(self.inner.plan().clone())
    }

    #[getter]
    fn device(&self) -> &str {
        &self.inner.caps().id
    }

    #[getter]
    fn because(&self) -> String {
        self.inner.because().to_string()
    }

    #[getter]
    fn runtime(&self, py: Python<'_>) -> Py<Runtime> {
        self.runtime.clone_ref(py)
    }

    /// The most bytes that are on the device at once.
    #[getter]
    fn peak_bytes(&self) -> u64 {
        self.inner.peak_bytes()
    }

    fn __repr__(&self) -> String {
        format!("<seawall.Compiled on {}: {}>", self.inner.caps().id, self.inner.plan().summary())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let (py, this) = (slf.py(), slf.get());
        let args = (&this.graph, &this.runtime).into_pyobject(py)?.into_any();
        Ok((PyModule::import(py, "seawall._graph")?.getattr("compiled")?, args))
    }
}

/// What a run of a graph did, and the outputs that it made.
#[pyclass(frozen, module = "seawall")]
pub(crate) struct Finished {
    inner: seawall::Finished,
    made: Py<PyDict>,
}

#[pymethods]
impl Finished {
    /// An output that the run made; of a counted one, what the device filled.
    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.made.bind(py).as_any().get_item(name)
    }

    /// All that it made, by name.
    #[getter]
    fn outputs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.made.bind(py).copy()
    }

    #[getter]
    fn device(&self) -> &str {
        &self.inner.device
    }

    /// Seconds, without planning and compiling.
    #[getter]
    fn elapsed(&self) -> f64 {
        self.inner.elapsed.as_secs_f64()
    }

    /// Of a counted output.
    fn count(&self, output: &str) -> Option<u32> {
        self.inner.count(output)
    }

    /// Of a loop, how often it went round; of a branch, how often it was taken.
    fn turns(&self, name: &str) -> Option<u64> {
        self.inner.turns(name)
    }

    /// What became of a work queue.
    fn queue<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(drained) = self.inner.queue(name) else { return Ok(None) };
        let all = PyDict::new(py);
        all.set_item("items", drained.items)?;
        all.set_item("windows", drained.windows)?;
        all.set_item("idle", drained.idle)?;
        all.set_item("peak", drained.peak)?;
        Ok(Some(all))
    }

    /// The device's own account.
    #[getter]
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let stats = &self.inner.stats;
        let all = PyDict::new(py);
        let numbers = [
            ("dispatches", stats.dispatches),
            ("workgroups", stats.workgroups),
            ("invocations", stats.invocations),
            ("barriers", stats.barriers),
            ("uploaded_bytes", stats.uploaded_bytes),
            ("downloaded_bytes", stats.downloaded_bytes),
            ("peak_bytes", stats.peak_bytes),
        ];
        numbers.into_iter().try_for_each(|(name, number)| all.set_item(name, number))?;
        Ok(all)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let names: Vec<String> = self.made.bind(py).keys().iter().map(|name| name.to_string()).collect();
        let made = if names.is_empty() { String::new() } else { format!(", made {}", names.join(", ")) };
        format!("<seawall.Finished on {} in {:.3} ms{made}>", self.inner.device, 1e3 * self.elapsed())
    }
}
