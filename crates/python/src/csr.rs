//! Graphs of vertices and edges on a device, for the kit's algorithms; `seawall/kit.py` makes them of arrays and files.

use numpy::PyArrayDescr;
use pyo3::prelude::*;
use seawall_kit::csr::{Csr as Host, Kind, Weights};
use seawall_kit::{Error, Resident};

use crate::buffer::{Buffer, words};
use crate::error::Raise;
use crate::runtime::{self, Runtime};
use crate::{dtype, error};

/// A graph in compressed rows.
#[pyclass(frozen, module = "seawall")]
pub(crate) struct Csr {
    pub(crate) runtime: Py<Runtime>,
    pub(crate) resident: Resident,
}

fn kind(directed: bool) -> Kind {
    if directed { Kind::Directed } else { Kind::Undirected }
}

impl Csr {
    /// A graph that is made on the host, without the interpreter, and brought to the device.
    fn made(
        py: Python<'_>,
        runtime: Option<Bound<'_, Runtime>>,
        make: impl FnOnce() -> Result<Host, seawall_kit::csr::Error> + Send,
    ) -> PyResult<Self> {
        let runtime = runtime::or_default(py, runtime)?.unbind();
        let opened = &runtime.get().inner;
        let made = py.detach(|| Resident::new(opened, &make()?));
        let resident = made.map_err(|error: Error| error.raise(py))?;
        Ok(Self { runtime, resident })
    }

    /// What an algorithm goes through at least.
    pub(crate) fn work(&self) -> usize {
        self.resident.vertices() + self.resident.edges()
    }

    /// Words on the device as a buffer.
    fn buffer(py: Python<'_>, words: &seawall::Buffer<u32>) -> PyResult<Buffer> {
        let dtype = PyArrayDescr::new(py, &dtype::numpy(py, "uint32")?)?;
        let bytes = words.view().map_err(|error| error::of(py, &error))?;
        Buffer::over(bytes, &dtype, vec![words.len()])
    }
}

#[pymethods]
impl Csr {
    /// By words, as the command has them.
    #[staticmethod]
    #[pyo3(signature = (text, runtime=None))]
    fn generated(py: Python<'_>, text: &str, runtime: Option<Bound<'_, Runtime>>) -> PyResult<Self> {
        Self::made(py, runtime, || Host::generated(text))
    }

    /// From the text of a Matrix Market file or a list of edges.
    #[staticmethod]
    #[pyo3(signature = (text, directed, weighted, runtime=None))]
    fn parsed(
        py: Python<'_>,
        text: &str,
        directed: bool,
        weighted: bool,
        runtime: Option<Bound<'_, Runtime>>,
    ) -> PyResult<Self> {
        let weights = if weighted { Weights::Read } else { Weights::Left };
        Self::made(py, runtime, || Ok(Host::read(text, kind(directed), weights)?.simple()))
    }

    /// From the two ends of each edge, and its weight.
    #[staticmethod]
    #[pyo3(signature = (vertices, pairs, weights, directed, runtime=None))]
    fn from_pairs(
        py: Python<'_>,
        vertices: usize,
        pairs: &Buffer,
        weights: Option<&Buffer>,
        directed: bool,
        runtime: Option<Bound<'_, Runtime>>,
    ) -> PyResult<Self> {
        let read = |name: &str, buffer: &Buffer| {
            words(py, name, buffer)?;
            buffer.words().and_then(|words| words.to_vec()).map_err(|error| error::of(py, &error))
        };
        let ends = read("pairs", pairs)?;
        let pairs: Vec<(u32, u32)> = ends.chunks_exact(2).map(|two| (two[0], two[1])).collect();
        let weights = weights.map(|weights| read("weights", weights)).transpose()?;
        Self::made(py, runtime, || match weights {
            None => Host::new(vertices, kind(directed), &pairs),
            Some(weights) => {
                let edges = pairs.iter().zip(weights).map(|(&(from, to), weight)| (from, to, weight));
                Host::weighted(vertices, kind(directed), &edges.collect::<Vec<_>>())
            }
        })
    }

    /// Rows that are on the device, which are checked there.
    #[staticmethod]
    #[pyo3(signature = (offsets, edges, weights=None, back_offsets=None, back_edges=None, runtime=None))]
    fn from_rows(
        py: Python<'_>,
        offsets: &Buffer,
        edges: &Buffer,
        weights: Option<&Buffer>,
        back_offsets: Option<&Buffer>,
        back_edges: Option<&Buffer>,
        runtime: Option<Bound<'_, Runtime>>,
    ) -> PyResult<Self> {
        let runtime = runtime::or_default(py, runtime)?.unbind();
        let view = |name: &str, buffer: &Buffer| {
            words(py, name, buffer)?;
            buffer.words().map_err(|error| error::of(py, &error))
        };
        let maybe = |name: &str, buffer: Option<&Buffer>| buffer.map(|buffer| view(name, buffer)).transpose();
        let (offsets, edges, weights) = (view("offsets", offsets)?, view("edges", edges)?, maybe("weights", weights)?);
        let back = maybe("back_offsets", back_offsets)?.zip(maybe("back_edges", back_edges)?);
        let opened = runtime.get();
        let made = py.detach(|| {
            let kit = seawall_kit::Kit::with(&opened.inner, opened.kept.clone());
            let back = back.as_ref().map(|(offsets, edges)| (offsets, edges));
            Resident::from_rows(&kit, (&offsets, &edges), back, weights.as_ref())
        });
        let resident = made.map_err(|error| error.raise(py))?;
        Ok(Self { runtime, resident })
    }

    #[getter]
    fn vertices(&self) -> usize {
        self.resident.vertices()
    }

    /// Places in its rows.
    #[getter]
    fn places(&self) -> usize {
        self.resident.edges()
    }

    #[getter]
    fn directed(&self) -> bool {
        self.resident.kind() == Kind::Directed
    }

    #[getter]
    fn runtime(&self, py: Python<'_>) -> Py<Runtime> {
        self.runtime.clone_ref(py)
    }

    fn offsets(&self, py: Python<'_>) -> PyResult<Buffer> {
        Self::buffer(py, self.resident.offsets())
    }

    fn edges(&self, py: Python<'_>) -> PyResult<Buffer> {
        Self::buffer(py, &self.resident.targets().map_err(|error| error.raise(py))?)
    }

    fn weights(&self, py: Python<'_>) -> PyResult<Buffer> {
        Self::buffer(py, &self.resident.lengths().map_err(|error| error.raise(py))?)
    }
}
