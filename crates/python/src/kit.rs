//! Pieces of the kit on buffers; `seawall/kit.py` calls them on arrays, too.

use half::f16;
use numpy::PyArrayDescr;
use pyo3::prelude::*;
use seawall::device::Control;
use seawall::layout::Scalar;
use seawall_kit::scan::Kind;
use seawall_kit::sort::Order;
use seawall_kit::{
    Error, Op, betweenness, bfs, compact, components, fft, gather, histogram, matmul, pagerank, partition, random,
    reduce, runs, scan, segment, sort, spmv, sssp, top, transpose, triangles, unique,
};

use crate::buffer::{Buffer, expect, other, words};
use crate::csr::Csr;
use crate::interrupt::{self, Pace};
use crate::plan::Plan;
use crate::runtime::{self, Runtime};
use crate::{dtype, error};

/// Does this for the type of a buffer's elements, which it calls `T`.
macro_rules! typed {
    ($py:expr, $name:literal, $buffer:expr, $does:expr) => {
        match $buffer.scalar($py) {
            Some(Scalar::U32) => {
                type T = u32;
                $does
            }
            Some(Scalar::I32) => {
                type T = i32;
                $does
            }
            Some(Scalar::F32) => {
                type T = f32;
                $does
            }
            Some(Scalar::U64) => {
                type T = u64;
                $does
            }
            Some(Scalar::I64) => {
                type T = i64;
                $does
            }
            Some(Scalar::Bool | Scalar::F16 | Scalar::F64) | None => {
                let numbers = "`uint32`, `int32`, `float32`, `uint64` or `int64`";
                Err(other($py, $name, $buffer, numbers))
            }
        }
    };
}

fn floats(py: Python<'_>, name: &str, buffer: &Buffer) -> PyResult<()> {
    expect(py, name, buffer, Scalar::F32, "float32")
}

fn op(py: Python<'_>, name: &str) -> PyResult<Op> {
    match name {
        "sum" => Ok(Op::Sum),
        "min" => Ok(Op::Min),
        "max" => Ok(Op::Max),
        other => Err(error::bind(py, format!("`op` is \"{other}\": it is \"sum\", \"min\" or \"max\""))),
    }
}

fn kind(exclusive: bool) -> Kind {
    if exclusive { Kind::Exclusive } else { Kind::Inclusive }
}

fn order(descending: bool) -> Order {
    if descending { Order::Descending } else { Order::Ascending }
}

/// Either an expression or flags.
enum Chosen<'a> {
    Where(&'a str),
    Flags(&'a Buffer),
}

fn chosen<'a>(py: Python<'_>, r#where: Option<&'a str>, flags: Option<&'a Buffer>) -> PyResult<Chosen<'a>> {
    match (r#where, flags) {
        (Some(expression), None) => Ok(Chosen::Where(expression)),
        (None, Some(flags)) => words(py, "flags", flags).map(|()| Chosen::Flags(flags)),
        (Some(_), Some(_)) | (None, None) => Err(error::bind(py, "either `where` or `flags` is needed")),
    }
}

/// Rows of what begins where offsets say.
fn rows(py: Python<'_>, offsets: &Buffer) -> PyResult<usize> {
    words(py, "offsets", offsets)?;
    let rows = offsets.size().checked_sub(1);
    rows.ok_or_else(|| error::bind(py, "`offsets` is empty: it says where each begins and where the last one ends"))
}

/// The two lengths of a matrix.
fn sides(py: Python<'_>, name: &str, matrix: &Buffer) -> PyResult<(usize, usize)> {
    match *matrix.lens() {
        [rows, columns] => Ok((rows, columns)),
        ref lens => Err(error::bind(py, format!("`{name}` has {} dimensions: it takes 2", lens.len()))),
    }
}

/// The kit on a runtime's device.
#[pyclass(frozen, module = "seawall")]
pub(crate) struct Kit {
    runtime: Py<Runtime>,
}

impl Kit {
    /// Without the interpreter, until somebody stops it.
    fn run<T: Send>(
        &self,
        py: Python<'_>,
        elements: usize,
        work: impl FnOnce(&seawall_kit::Kit<'_>) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        let (runtime, control) = (self.runtime.get(), Control::default());
        let kit = seawall_kit::Kit::with(&runtime.inner, runtime.kept.clone()).control(&control);
        interrupt::run(py, &control, Pace::default().is_brief(elements as u64), || work(&kit))
    }

    /// Room for elements like those of a buffer.
    fn like(&self, py: Python<'_>, buffer: &Buffer, shape: Vec<usize>) -> PyResult<Buffer> {
        Buffer::zeros(self.runtime.bind(py), shape, buffer.dtype_of(py))
    }

    fn zeros(&self, py: Python<'_>, shape: Vec<usize>, name: &str) -> PyResult<Buffer> {
        let dtype = PyArrayDescr::new(py, &dtype::numpy(py, name)?)?;
        Buffer::zeros(self.runtime.bind(py), shape, &dtype)
    }
}

#[pymethods]
impl Kit {
    #[new]
    #[pyo3(signature = (runtime=None))]
    fn new(py: Python<'_>, runtime: Option<Bound<'_, Runtime>>) -> PyResult<Self> {
        Ok(Self { runtime: runtime::or_default(py, runtime)?.unbind() })
    }

    fn reduce(&self, py: Python<'_>, x: &Buffer, op: &str) -> PyResult<Py<PyAny>> {
        let op = self::op(py, op)?;
        typed!(py, "x", x, {
            let sum = self.run(py, x.size(), |kit| reduce::reduce(kit, op, &x.elements::<T>()?))?;
            Ok(sum.into_pyobject(py)?.into_any().unbind())
        })
    }

    fn scan(&self, py: Python<'_>, x: &Buffer, op: &str, exclusive: bool) -> PyResult<Buffer> {
        let (op, y) = (self::op(py, op)?, self.like(py, x, x.lens().to_vec())?);
        typed!(py, "x", x, {
            self.run(py, x.size(), |kit| {
                let (x, y) = (x.elements::<T>()?, y.elements()?);
                match kind(exclusive) {
                    Kind::Inclusive => scan::inclusive(kit, op, &x, &y),
                    Kind::Exclusive => scan::exclusive(kit, op, &x, &y),
                }
            })
        })?;
        Ok(y)
    }

    #[pyo3(signature = (x, r#where=None, flags=None))]
    fn compact(&self, py: Python<'_>, x: &Buffer, r#where: Option<&str>, flags: Option<&Buffer>) -> PyResult<Buffer> {
        let (keep, y) = (chosen(py, r#where, flags)?, self.like(py, x, vec![x.size()])?);
        let count = typed!(py, "x", x, {
            self.run(py, x.size(), |kit| {
                let (x, y) = (x.elements::<T>()?, y.elements()?);
                match keep {
                    Chosen::Where(expression) => compact::filter(kit, expression, &x, &y),
                    Chosen::Flags(flags) => compact::flagged(kit, &x, &flags.elements()?, &y),
                }
            })
        })?;
        y.first(py, count)
    }

    #[pyo3(signature = (x, r#where=None, flags=None))]
    fn partition(
        &self,
        py: Python<'_>,
        x: &Buffer,
        r#where: Option<&str>,
        flags: Option<&Buffer>,
    ) -> PyResult<(Buffer, usize)> {
        let (first, y) = (chosen(py, r#where, flags)?, self.like(py, x, vec![x.size()])?);
        let count = typed!(py, "x", x, {
            self.run(py, x.size(), |kit| {
                let (x, y) = (x.elements::<T>()?, y.elements()?);
                match first {
                    Chosen::Where(expression) => partition::partition(kit, expression, &x, &y),
                    Chosen::Flags(flags) => partition::flagged(kit, &x, &flags.elements()?, &y),
                }
            })
        })?;
        Ok((y, count))
    }

    fn unique(&self, py: Python<'_>, x: &Buffer) -> PyResult<Buffer> {
        let y = self.like(py, x, vec![x.size()])?;
        let count = typed!(py, "x", x, {
            self.run(py, x.size(), |kit| unique::unique(kit, &x.elements::<T>()?, &y.elements()?))
        })?;
        y.first(py, count)
    }

    fn runs(&self, py: Python<'_>, x: &Buffer) -> PyResult<(Buffer, Buffer)> {
        let y = self.like(py, x, vec![x.size()])?;
        let lengths = self.zeros(py, vec![x.size()], "uint32")?;
        let count = typed!(py, "x", x, {
            self.run(py, x.size(), |kit| runs::runs(kit, &x.elements::<T>()?, &y.elements()?, &lengths.elements()?))
        })?;
        Ok((y.first(py, count)?, lengths.first(py, count)?))
    }

    #[pyo3(signature = (keys, values, descending))]
    fn sort(
        &self,
        py: Python<'_>,
        keys: &Buffer,
        values: Option<&Buffer>,
        descending: bool,
    ) -> PyResult<(Buffer, Option<Buffer>)> {
        let (order, y) = (order(descending), self.like(py, keys, vec![keys.size()])?);
        let Some(values) = values else {
            typed!(py, "keys", keys, {
                self.run(py, keys.size(), |kit| sort::keys(kit, order, &keys.elements::<T>()?, &y.elements()?))
            })?;
            return Ok((y, None));
        };
        let moved = self.like(py, values, vec![values.size()])?;
        typed!(py, "keys", keys, {
            type Key = T;
            typed!(py, "values", values, {
                self.run(py, keys.size(), |kit| {
                    let from = (&keys.elements::<Key>()?, &values.elements::<T>()?);
                    sort::pairs(kit, order, from, (&y.elements()?, &moved.elements()?))
                })
            })
        })?;
        Ok((y, Some(moved)))
    }

    fn top(&self, py: Python<'_>, x: &Buffer, count: usize, least: bool) -> PyResult<(Buffer, Buffer)> {
        let (keys, places) = (self.like(py, x, vec![count])?, self.zeros(py, vec![count], "uint32")?);
        typed!(py, "x", x, {
            self.run(py, x.size(), |kit| {
                top::top(kit, order(!least), &x.elements::<T>()?, &keys.elements()?, &places.elements()?)
            })
        })?;
        Ok((keys, places))
    }

    fn histogram(&self, py: Python<'_>, x: &Buffer, bins: usize, bin: &str) -> PyResult<Buffer> {
        let counts = self.zeros(py, vec![bins], "uint32")?;
        typed!(py, "x", x, {
            self.run(py, x.size(), |kit| histogram::histogram(kit, bin, &x.elements::<T>()?, &counts.elements()?))
        })?;
        Ok(counts)
    }

    fn transpose(&self, py: Python<'_>, x: &Buffer) -> PyResult<Buffer> {
        let (rows, columns) = sides(py, "x", x)?;
        let y = self.like(py, x, vec![columns, rows])?;
        typed!(py, "x", x, {
            self.run(py, x.size(), |kit| {
                transpose::transpose(kit, (rows, columns), &x.elements::<T>()?, &y.elements()?)
            })
        })?;
        Ok(y)
    }

    fn gather(&self, py: Python<'_>, x: &Buffer, indices: &Buffer) -> PyResult<Buffer> {
        words(py, "indices", indices)?;
        let y = self.like(py, x, indices.lens().to_vec())?;
        typed!(py, "x", x, {
            self.run(py, indices.size(), |kit| {
                gather::gather(kit, &x.elements::<T>()?, &indices.elements()?, &y.elements()?)
            })
        })?;
        Ok(y)
    }

    /// Into `y` itself.
    fn scatter(&self, py: Python<'_>, x: &Buffer, indices: &Buffer, y: &Buffer) -> PyResult<()> {
        words(py, "indices", indices)?;
        if x.scalar(py) != y.scalar(py) {
            return Err(other(py, "y", y, &format!("those of `x`, `{}`", x.dtype_of(py))));
        }
        typed!(py, "x", x, {
            self.run(py, indices.size(), |kit| {
                gather::scatter(kit, &x.elements::<T>()?, &indices.elements()?, &y.elements()?)
            })
        })
    }

    fn segment_scan(&self, py: Python<'_>, x: &Buffer, heads: &Buffer, op: &str, exclusive: bool) -> PyResult<Buffer> {
        words(py, "heads", heads)?;
        let (op, y) = (self::op(py, op)?, self.like(py, x, vec![x.size()])?);
        typed!(py, "x", x, {
            self.run(py, x.size(), |kit| {
                segment::scan(kit, kind(exclusive), op, &x.elements::<T>()?, &heads.elements()?, &y.elements()?)
            })
        })?;
        Ok(y)
    }

    fn segment_reduce(&self, py: Python<'_>, x: &Buffer, offsets: &Buffer, op: &str) -> PyResult<Buffer> {
        let (op, y) = (self::op(py, op)?, self.like(py, x, vec![rows(py, offsets)?])?);
        typed!(py, "x", x, {
            self.run(py, x.size(), |kit| {
                segment::reduce(kit, op, &x.elements::<T>()?, &offsets.elements()?, &y.elements()?)
            })
        })?;
        Ok(y)
    }

    fn spmv(
        &self,
        py: Python<'_>,
        offsets: &Buffer,
        columns: &Buffer,
        entries: &Buffer,
        x: &Buffer,
    ) -> PyResult<Buffer> {
        words(py, "columns", columns)?;
        floats(py, "entries", entries)?;
        floats(py, "x", x)?;
        let y = self.like(py, x, vec![rows(py, offsets)?])?;
        self.run(py, columns.size(), |kit| {
            let (offsets, columns, entries) = (offsets.elements()?, columns.elements()?, entries.elements()?);
            let matrix = spmv::Matrix { offsets: &offsets, columns: &columns, entries: &entries };
            spmv::multiply(kit, &matrix, &x.elements()?, &y.elements()?)
        })?;
        Ok(y)
    }

    fn matmul(&self, py: Python<'_>, a: &Buffer, b: &Buffer) -> PyResult<Buffer> {
        let half = match a.scalar(py) {
            Some(Scalar::F32) => false,
            Some(Scalar::F16) => true,
            Some(Scalar::Bool | Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64 | Scalar::F64) | None => {
                return Err(other(py, "a", a, "`float32`, `float16` or, as an array, `int8`"));
            }
        };
        if a.scalar(py) != b.scalar(py) {
            return Err(other(py, "b", b, &format!("those of `a`, `{}`", a.dtype_of(py))));
        }
        let ((rows, inner), (other, columns)) = (sides(py, "a", a)?, sides(py, "b", b)?);
        if inner != other {
            return Err(error::bind(py, format!("`a` has {inner} columns, but `b` has {other} rows")));
        }
        let c = self.zeros(py, vec![rows, columns], "float32")?;
        let work = rows.saturating_mul(inner).saturating_mul(columns);
        self.run(py, work, |kit| {
            let (shape, c) = (matmul::Shape { rows, inner, columns }, c.elements()?);
            if half {
                matmul::multiply_of::<f16>(kit, shape, &a.elements()?, &b.elements()?, &c)
            } else {
                matmul::multiply(kit, shape, &a.elements()?, &b.elements()?, &c)
            }
        })?;
        Ok(c)
    }

    /// Of bytes in words: `a` in rows, and `b` in columns.
    fn matmul_bytes(&self, py: Python<'_>, a: &Buffer, b: &Buffer) -> PyResult<Buffer> {
        let ((rows, inner), (columns, _)) = (sides(py, "a", a)?, sides(py, "b", b)?);
        let c = self.zeros(py, vec![rows, columns], "int32")?;
        let work = rows.saturating_mul(inner).saturating_mul(columns);
        self.run(py, work, |kit| {
            let shape = matmul::Shape { rows, inner: 4 * inner, columns };
            matmul::multiply_bytes(kit, shape, &a.elements()?, &b.elements()?, &c.elements()?)
        })?;
        Ok(c)
    }

    /// Of pairs of numbers: the last length is 2, and the one before it that of a transform.
    fn fft(&self, py: Python<'_>, x: &Buffer, inverse: bool) -> PyResult<Buffer> {
        floats(py, "x", x)?;
        let [.., len, 2] = *x.lens() else {
            return Err(error::bind(py, "`x` has no complex numbers: as floats, its last dimension has 2"));
        };
        let (way, y) =
            (if inverse { fft::Way::Inverse } else { fft::Way::Forward }, self.like(py, x, x.lens().to_vec())?);
        self.run(py, x.size(), |kit| fft::transform(kit, way, len, &x.elements()?, &y.elements()?))?;
        Ok(y)
    }

    /// Fills a buffer.
    fn random(&self, py: Python<'_>, y: &Buffer, seed: u64, stream: u32) -> PyResult<()> {
        let stream = random::Stream { seed, number: stream };
        match y.scalar(py) {
            Some(Scalar::U32) => self.run(py, y.size(), |kit| random::fill(kit, stream, &y.elements::<u32>()?)),
            Some(Scalar::F32) => self.run(py, y.size(), |kit| random::fill(kit, stream, &y.elements::<f32>()?)),
            Some(Scalar::Bool | Scalar::I32 | Scalar::F16 | Scalar::I64 | Scalar::U64 | Scalar::F64) | None => {
                Err(other(py, "random", y, "`uint32` or `float32`"))
            }
        }
    }
    fn bfs(&self, py: Python<'_>, graph: &Csr, source: u32) -> PyResult<Buffer> {
        let dist = self.zeros(py, vec![graph.resident.vertices()], "uint32")?;
        self.run(py, graph.work(), |kit| bfs::search(kit, &graph.resident, source, &dist.elements()?))?;
        Ok(dist)
    }

    #[pyo3(signature = (graph, source, delta))]
    fn sssp(&self, py: Python<'_>, graph: &Csr, source: u32, delta: Option<u32>) -> PyResult<Buffer> {
        let dist = self.zeros(py, vec![graph.resident.vertices()], "uint32")?;
        self.run(py, graph.work(), |kit| sssp::search(kit, &graph.resident, source, delta, &dist.elements()?))?;
        Ok(dist)
    }

    fn components(&self, py: Python<'_>, graph: &Csr) -> PyResult<Buffer> {
        let component = self.zeros(py, vec![graph.resident.vertices()], "uint32")?;
        self.run(py, graph.work(), |kit| components::find(kit, &graph.resident, &component.elements()?))?;
        Ok(component)
    }

    fn pagerank(&self, py: Python<'_>, graph: &Csr, damping: f32, tolerance: f32) -> PyResult<Buffer> {
        let (ranks, how) =
            (self.zeros(py, vec![graph.resident.vertices()], "float32")?, pagerank::How { damping, tolerance });
        self.run(py, graph.work(), |kit| pagerank::rank(kit, &graph.resident, how, &ranks.elements()?))?;
        Ok(ranks)
    }

    fn triangles(&self, py: Python<'_>, graph: &Csr) -> PyResult<u64> {
        self.run(py, graph.work(), |kit| triangles::count(kit, &graph.resident))
    }

    /// From all vertices if none are given.
    #[pyo3(signature = (graph, sources))]
    fn betweenness(&self, py: Python<'_>, graph: &Csr, sources: Option<&Buffer>) -> PyResult<Buffer> {
        let vertices = graph.resident.vertices();
        let sources = match sources {
            Some(given) => {
                words(py, "sources", given)?;
                given.words().and_then(|words| words.to_vec()).map_err(|error| error::of(py, &error))?
            }
            None => (0..vertices as u32).collect(),
        };
        let scores = self.zeros(py, vec![vertices], "float32")?;
        let work = graph.work().saturating_mul(sources.len());
        self.run(py, work, |kit| betweenness::score(kit, &graph.resident, &sources, &scores.elements()?))?;
        Ok(scores)
    }

    /// Plans of the calls that are kept for this runtime.
    fn plans(&self) -> Vec<Plan> {
        self.runtime.get().kept.plans().into_iter().map(Plan).collect()
    }
}
