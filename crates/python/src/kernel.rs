//! Programs, their kernels, and one dispatch of one.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use numpy::PyUntypedArray;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping, PyModule, PyTuple};
use seawall::device::Kind;
use seawall::{Error, Overrides};

use crate::bind::{Given, Wanted};
use crate::buffer::Buffer;
use crate::grid::{Grid, Shape};
use crate::interrupt::{self, Control, Pace};
use crate::run::{self, Callee, Memory, Options};
use crate::runtime::{self, Runtime};
use crate::{dtype, error};

/// A text that was read: its entry points and overrides.
#[pyclass(frozen, module = "seawall")]
pub(crate) struct Program {
    inner: Arc<seawall::Program>,
    /// The text as it was given, without what queues add to it.
    text: String,
    queues: Vec<(String, String)>,
}

#[pymethods]
impl Program {
    #[new]
    #[pyo3(signature = (source, *, queues=None, name="<wgsl>"))]
    fn new(
        py: Python<'_>,
        source: String,
        queues: Option<std::collections::BTreeMap<String, String>>,
        name: &str,
    ) -> PyResult<Self> {
        let queues: Vec<(String, String)> = queues.unwrap_or_default().into_iter().collect();
        let read = || {
            let pairs: Vec<(&str, &str)> = queues.iter().map(|(name, ty)| (&**name, &**ty)).collect();
            let added = if pairs.is_empty() { String::new() } else { seawall_core::graph::helpers(&pairs) };
            seawall::Program::wgsl_named(name, &(source.clone() + &added))
        };
        let inner = py.detach(read).map_err(|report| error::program(py, &report))?;
        Ok(Self { inner: Arc::new(inner), text: source, queues })
    }

    /// Names of the entry points, in the order of the text.
    #[getter]
    fn entries(&self) -> Vec<String> {
        self.inner.entries().map(str::to_owned).collect()
    }

    /// The overrides that may be set, and whether they may be left out.
    #[getter]
    fn overrides(&self) -> std::collections::BTreeMap<String, bool> {
        let name = |item: &seawall::program::Override| match (item.name.is_empty(), item.id) {
            (true, Some(id)) => id.to_string(),
            _ => item.name.clone(),
        };
        self.inner.overrides().iter().map(|item| (name(item), item.has_default)).collect()
    }

    #[getter]
    fn source(&self) -> &str {
        &self.text
    }

    /// One entry point with its overrides decided.
    #[pyo3(signature = (entry=None, *, overrides=None, runtime=None))]
    fn kernel(
        slf: &Bound<'_, Self>,
        entry: Option<&str>,
        overrides: Option<Overrides>,
        runtime: Option<Bound<'_, Runtime>>,
    ) -> PyResult<Kernel> {
        let py = slf.py();
        let (program, entries) = (&slf.get().inner, slf.get().entries());
        let entry = match (entry, entries.as_slice()) {
            (Some(entry), _) => entry.to_owned(),
            (None, [entry]) => entry.clone(),
            (None, _) => {
                let message =
                    format!("the program has several entry points: {}; say which by `entry=`", entries.join(", "));
                return Err(error::bind(py, message));
            }
        };
        let runtime = runtime::or_default(py, runtime)?;
        let overrides = overrides.unwrap_or_default();
        let inner = py.detach(|| program.kernel(&entry, &overrides)).map_err(|report| error::program(py, &report))?;
        if let Some(texture) = inner.textures.first() {
            let message = format!("`{}` is a texture, and Python can bind arrays and buffers only", texture.name);
            return Err(error::bind(py, message));
        }
        let rows = inner.buffers.iter().map(Row::new).collect();
        let pace = (!inner.has_loops()).then(Pace::default);
        Ok(Kernel { inner, rows, pace, program: slf.clone().unbind(), runtime: runtime.unbind() })
    }

    fn __repr__(&self) -> String {
        format!("<seawall.Program {}: {}>", self.inner.source().name, self.entries().join(", "))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let (py, this) = (slf.py(), slf.get());
        let queues: std::collections::BTreeMap<_, _> = this.queues.iter().cloned().collect();
        let args = (&this.text, queues, &this.inner.source().name).into_pyobject(py)?.into_any();
        Ok((PyModule::import(py, "seawall._default")?.getattr("program")?, args))
    }
}

/// A row of the buffer table, as calls need it.
struct Row {
    stride: u64,
    changed: bool,
    /// Written and never read before that, so that it need not be given.
    output: bool,
}

impl Row {
    fn new(buffer: &seawall::program::Buffer) -> Self {
        let changed = buffer.effects.writes || buffer.effects.updates;
        let stride = buffer.ty.tail().map_or_else(|| buffer.ty.element().1, |(_, stride)| u64::from(stride));
        Self { stride, changed, output: changed && !buffer.effects.reads }
    }
}

/// One entry point, to be called on arrays.
#[pyclass(frozen, module = "seawall", weakref)]
pub(crate) struct Kernel {
    pub(crate) inner: Arc<seawall::Kernel>,
    rows: Vec<Row>,
    /// How fast it is, if that can be told from one call to the next.
    pace: Option<Pace>,
    program: Py<Program>,
    runtime: Py<Runtime>,
}

impl Kernel {
    fn at(&self, name: &str) -> Option<usize> {
        self.inner.buffers.iter().position(|buffer| buffer.name == name)
    }

    /// Zeros for a buffer, of this shape or of as many elements as there are invocations.
    fn make<'py>(
        &self,
        py: Python<'py>,
        row: usize,
        shape: Option<Vec<usize>>,
        grid: Option<&Grid<'_>>,
    ) -> PyResult<Bound<'py, PyUntypedArray>> {
        let buffer = &self.inner.buffers[row];
        let (name, ty) = (&buffer.name, &buffer.ty);
        let shape = match (ty.tail(), shape, grid) {
            (None, None, _) => Vec::new(),
            (Some(_), Some(shape), _) if ty.bytes() == 0 => shape,
            (Some(_), None, Some(Grid::Threads(threads))) if ty.bytes() == 0 => threads.numpy(),
            (None, Some(_), _) => {
                return Err(error::bind(py, format!("`{name}: {ty}` has a shape of its own: use `seawall.out()`")));
            }
            (Some(_), ..) if ty.bytes() > 0 => {
                let message = format!("`{name}: {ty}` has something before its elements, so that it must be bound");
                return Err(error::bind(py, message));
            }
            (Some(_), ..) => {
                let message = format!("how long is `{name}: {ty}` to be? Bind it, or `seawall.out(shape)`");
                return Err(error::bind(py, message));
            }
        };
        let dtype = self.dtype(py, name)?;
        let made = dtype::numpy(py, "zeros")?.call1((PyTuple::new(py, shape)?, dtype))?;
        Ok(made.cast_into()?)
    }

    fn invocations(&self, grid: &Grid<'_>, given: &[(usize, Given<'_>)]) -> u64 {
        match grid {
            Grid::Threads(threads) => threads.product(),
            Grid::Workgroups(count) => count.product().saturating_mul(self.inner.workgroup_invocations()),
            Grid::Over(name) => {
                let row = self.at(name);
                let found = given.iter().find(|(at, _)| Some(*at) == row);
                found.map_or(0, |(at, given)| given.len_bytes() / self.rows[*at].stride.max(1))
            }
            Grid::Indirect { .. } => u64::MAX,
        }
    }

    /// What a call hands back: the one array that it made, or several by their names.
    fn results<'py>(
        &self,
        py: Python<'py>,
        made: Vec<(usize, Bound<'py, PyUntypedArray>)>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match <[_; 1]>::try_from(made) {
            Ok([(_, array)]) => Ok(array.into_any()),
            Err(made) if made.is_empty() => Ok(py.None().into_bound(py)),
            Err(made) => {
                let names: Vec<&str> = made.iter().map(|(row, _)| &*self.inner.buffers[*row].name).collect();
                let arrays = PyTuple::new(py, made.iter().map(|(_, array)| array))?;
                PyModule::import(py, "seawall._results")?.call_method1("results", (PyTuple::new(py, names)?, arrays))
            }
        }
    }

    fn dispatch<'py>(
        &self,
        py: Python<'py>,
        mut given: Vec<(usize, Given<'py>)>,
        grid: Option<&Grid<'py>>,
        options: Options,
    ) -> PyResult<()> {
        let Some(grid) = grid else {
            return Err(error::of(py, &Error::NoGrid { kernel: self.inner.name.clone() }));
        };
        let opened = &self.runtime.get().inner;
        let is_cpu = opened.caps().kind == Kind::Cpu;
        let invocations = self.invocations(grid, &given);
        let pace = self.pace.as_ref().filter(|_| is_cpu);
        let brief = pace.is_some_and(|pace| pace.is_brief(invocations));
        let words = match grid {
            Grid::Indirect { grid, .. } => Some(grid.get().words().map_err(|error| error::of(py, &error))?),
            Grid::Threads(_) | Grid::Workgroups(_) | Grid::Over(_) => None,
        };
        let mut call = opened.call(&self.inner);
        for (row, given) in &mut given {
            call = call.bind(&self.inner.buffers[*row].name, given.bound());
        }
        call = match (grid, &words) {
            (Grid::Threads(count), _) => call.threads(count.dims(py)?),
            (Grid::Workgroups(count), _) => call.workgroups(count.dims(py)?),
            (Grid::Over(name), _) => call.over(name),
            (Grid::Indirect { limit, .. }, Some(words)) => call.indirect(words, limit.dims(py)?),
            (Grid::Indirect { .. }, None) => unreachable!("invariant words: made above"),
        };
        if let Some(time) = options.deadline {
            call = call.deadline(time);
        }
        let control = options.hand.control();
        let start = Instant::now();
        let outcome = interrupt::run(py, control, brief, || call.run_with(control))?;
        if let Some(pace) = pace {
            pace.note(invocations, start.elapsed());
        }
        options.hand.write(py, &outcome.device, &outcome.schedule, |_| None, &outcome.stats)
    }
}

impl Callee for Kernel {
    fn rows(&self) -> usize {
        self.rows.len()
    }

    fn row(&self, py: Python<'_>, name: &str) -> PyResult<usize> {
        let unknown = || {
            let known = self.inner.buffers.iter().map(|buffer| buffer.name.clone()).collect();
            error::of(py, &Error::UnknownBuffer { kernel: self.inner.name.clone(), buffer: name.to_owned(), known })
        };
        self.at(name).ok_or_else(unknown)
    }

    fn wanted(&self, row: usize) -> Wanted<'_> {
        let buffer = &self.inner.buffers[row];
        Wanted { name: &buffer.name, ty: &buffer.ty, changed: self.rows[row].changed }
    }

    fn is_output(&self, row: usize) -> bool {
        self.rows[row].output
    }
}

#[pymethods]
impl Kernel {
    /// Runs it on arrays, buffers and values by their names in the program.
    #[pyo3(signature = (
        bindings=None, /, *, threads=None, workgroups=None, over=None, indirect=None, limit=None, deadline=None,
        control=None, trace=None, **buffers
    ))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python's")]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        bindings: Option<&Bound<'py, PyMapping>>,
        threads: Option<&Bound<'py, PyAny>>,
        workgroups: Option<&Bound<'py, PyAny>>,
        over: Option<String>,
        indirect: Option<Bound<'py, Buffer>>,
        limit: Option<&Bound<'py, PyAny>>,
        deadline: Option<f64>,
        control: Option<&Bound<'py, Control>>,
        trace: Option<PathBuf>,
        buffers: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let grid = match (threads, workgroups, over, indirect, limit) {
            (None, None, None, None, None) => None,
            (Some(count), None, None, None, None) => Some(Grid::Threads(Shape::new("threads", count)?)),
            (None, Some(count), None, None, None) => Some(Grid::Workgroups(Shape::new("workgroups", count)?)),
            (None, None, Some(name), None, None) => Some(Grid::Over(name)),
            (None, None, None, Some(grid), Some(limit)) => {
                Some(Grid::Indirect { grid, limit: Shape::new("limit", limit)? })
            }
            (None, None, None, Some(_), None) => {
                return Err(error::bind(py, "`indirect` needs a `limit` of workgroups"));
            }
            _ => {
                let message = "say one of `threads`, `workgroups`, `over`, and `indirect` with `limit`";
                return Err(error::bind(py, message));
            }
        };
        let make = |row, shape| self.make(py, row, shape, grid.as_ref());
        let memory = Memory::new(py, self, bindings, buffers, make)?;
        let options = Options::new(py, deadline, control, trace)?;
        self.dispatch(py, memory.given, grid.as_ref(), options)?;
        self.results(py, memory.made)
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

    /// The dtype of a buffer's elements.
    fn dtype<'py>(&self, py: Python<'py>, buffer: &str) -> PyResult<Bound<'py, PyAny>> {
        let row = self.row(py, buffer)?;
        let ty = &self.inner.buffers[row].ty;
        match ty.tail() {
            Some((element, stride)) => dtype::of_type(py, element, u64::from(stride)),
            None => dtype::of_type(py, ty, ty.bytes()),
        }
    }

    /// The entry point's name.
    #[getter]
    fn entry(&self) -> &str {
        &self.inner.name
    }

    #[getter]
    fn workgroup_size(&self) -> (u32, u32, u32) {
        self.inner.workgroup_size.into()
    }

    #[getter]
    fn overrides(&self) -> Overrides {
        self.inner.overrides().clone()
    }

    #[getter]
    fn program(&self, py: Python<'_>) -> Py<Program> {
        self.program.clone_ref(py)
    }

    #[getter]
    fn runtime(&self, py: Python<'_>) -> Py<Runtime> {
        self.runtime.clone_ref(py)
    }

    /// What the program calls its buffers, and their WGSL types.
    #[getter]
    fn buffers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for buffer in &self.inner.buffers {
            all.set_item(&buffer.name, buffer.ty.to_string())?;
        }
        Ok(all)
    }

    /// The features that a device must have for it, by the names in `Runtime.caps`.
    #[getter]
    fn needs(&self) -> Vec<&'static str> {
        self.inner.needs.list().into_iter().map(|(feature, _)| feature).collect()
    }

    fn __repr__(&self) -> String {
        let show =
            |buffer: &seawall::program::Buffer| format!("{}: {} ({})", buffer.name, buffer.ty, buffer.declared());
        let buffers: Vec<String> = self.inner.buffers.iter().map(show).collect();
        let size = self.inner.workgroup_size.map(|count| count.to_string()).join(", ");
        format!("<seawall.Kernel {}({}) in workgroups of {size}>", self.inner.name, buffers.join(", "))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let (py, this) = (slf.py(), slf.get());
        let args = (&this.program, &this.inner.name, this.overrides(), &this.runtime).into_pyobject(py)?.into_any();
        Ok((PyModule::import(py, "seawall._default")?.getattr("kernel_of")?, args))
    }
}
