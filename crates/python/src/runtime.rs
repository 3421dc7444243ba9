//! Devices, and the one that is open.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyModule};
use seawall::Builder;
use seawall::device::{Caps, SubgroupSize};
use seawall_kit::Kept;

use crate::error;

/// How a runtime was opened, so that it can be opened the same way elsewhere.
#[derive(Clone)]
struct Asked {
    device: Option<String>,
    seed: Option<u64>,
    threads: Option<usize>,
    contract: bool,
    subgroup_size: Option<u32>,
    gpu_slice: Option<f64>,
    gpu_budget: Option<u64>,
}

/// Devices, one of them open.
#[pyclass(frozen, module = "seawall", weakref)]
pub(crate) struct Runtime {
    pub(crate) inner: seawall::Runtime,
    /// What calls of the kit have compiled on it.
    pub(crate) kept: Arc<Kept>,
    asked: Asked,
}

/// The one that is named, or else the innermost that was entered, or the best.
pub(crate) fn or_default<'py>(py: Python<'py>, named: Option<Bound<'py, Runtime>>) -> PyResult<Bound<'py, Runtime>> {
    match named {
        Some(runtime) => Ok(runtime),
        None => Ok(PyModule::import(py, "seawall._default")?.call_method0("default")?.cast_into()?),
    }
}

/// A number of seconds, if it is a time to wait for.
pub(crate) fn seconds(py: Python<'_>, what: &str, time: f64) -> PyResult<Duration> {
    let refused = |_| error::bind(py, format!("`{what}` is {time} seconds, which is no time to wait for"));
    Duration::try_from_secs_f64(time).map_err(refused)
}

#[pymethods]
impl Runtime {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python's")]
    #[pyo3(signature = (device=None, *, seed=None, threads=None, contract=false, subgroup_size=None, gpu_slice=None, gpu_budget=None))]
    fn new(
        py: Python<'_>,
        device: Option<String>,
        seed: Option<u64>,
        threads: Option<usize>,
        contract: bool,
        subgroup_size: Option<u32>,
        gpu_slice: Option<f64>,
        gpu_budget: Option<u64>,
    ) -> PyResult<Self> {
        let mut builder = seawall::Runtime::builder().contract(contract);
        if let Some(device) = &device {
            builder = builder.device(device);
        }
        if let Some(seed) = seed {
            builder = builder.seed(seed);
        }
        if let Some(threads) = threads {
            let threads = NonZeroUsize::new(threads);
            builder =
                builder.threads(threads.ok_or_else(|| error::bind(py, "`threads` is 0: one at least is needed"))?);
        }
        if let Some(size) = subgroup_size {
            let refused =
                || error::bind(py, format!("`subgroup_size` is {size}: it is one of {:?}", SubgroupSize::ALL));
            builder = builder.subgroup_size(SubgroupSize::new(size).ok_or_else(refused)?);
        }
        builder = for_gpu(py, builder, gpu_slice, gpu_budget)?;
        let inner = py.detach(|| builder.open()).map_err(|error| error::of(py, &error))?;
        let kept = Arc::default();
        Ok(Self { inner, kept, asked: Asked { device, seed, threads, contract, subgroup_size, gpu_slice, gpu_budget } })
    }

    /// What the open device is called.
    #[getter]
    fn device(&self) -> &str {
        &self.inner.caps().id
    }

    /// Why it was chosen.
    #[getter]
    fn because(&self) -> String {
        self.inner.because().to_string()
    }

    /// What the open device is and can do.
    #[getter]
    fn caps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        caps(py, self.inner.caps())
    }

    fn __repr__(&self) -> String {
        format!("<seawall.Runtime on {}: {}>", self.inner.caps().id, self.inner.caps().name)
    }

    /// In the block, what names no runtime uses this one.
    fn __enter__(slf: Bound<'_, Self>) -> PyResult<Bound<'_, Self>> {
        PyModule::import(slf.py(), "seawall._default")?.call_method1("enter", (&slf,))?;
        Ok(slf)
    }

    #[pyo3(signature = (*_raised))]
    fn __exit__(slf: &Bound<'_, Self>, _raised: &Bound<'_, PyAny>) -> PyResult<()> {
        PyModule::import(slf.py(), "seawall._default")?.call_method1("leave", (slf,))?;
        Ok(())
    }

    /// In another process, a runtime that is opened the same way, once for all that travel there.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let py = slf.py();
        let home = PyModule::import(py, "seawall._default")?;
        if home.call_method1("is_default", (slf,))?.is_truthy()? {
            return Ok((home.getattr("default")?, ().into_pyobject(py)?.into_any()));
        }
        let Asked { device, seed, threads, contract, subgroup_size, gpu_slice, gpu_budget } = slf.get().asked.clone();
        let asked = (device, seed, threads, contract, subgroup_size, gpu_slice, gpu_budget);
        Ok((home.getattr("opened")?, asked.into_pyobject(py)?.into_any()))
    }
}

#[cfg(feature = "gpu")]
fn for_gpu(py: Python<'_>, builder: Builder, slice: Option<f64>, budget: Option<u64>) -> PyResult<Builder> {
    let builder = match slice {
        Some(slice) => builder.gpu_slice(seconds(py, "gpu_slice", slice)?),
        None => builder,
    };
    Ok(match budget {
        Some(bytes) => builder.gpu_budget(bytes),
        None => builder,
    })
}

#[cfg(not(feature = "gpu"))]
fn for_gpu(py: Python<'_>, builder: Builder, slice: Option<f64>, budget: Option<u64>) -> PyResult<Builder> {
    match (slice, budget) {
        (None, None) => Ok(builder),
        _ => Err(error::bind(py, "this build of Seawall has no GPU device")),
    }
}

fn caps<'py>(py: Python<'py>, caps: &Caps) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    all.set_item("id", &caps.id)?;
    all.set_item("name", &caps.name)?;
    all.set_item("kind", caps.kind.to_string())?;
    all.set_item("memory_bytes", caps.memory_bytes)?;
    let has = [
        ("f16", caps.f16),
        ("f64", caps.f64),
        ("int64", caps.int64),
        ("subgroup", caps.subgroup.is_some()),
        ("atomic_f32", caps.atomic_f32),
        ("atomic_int64", caps.atomic_int64),
    ];
    has.into_iter().try_for_each(|(name, has)| all.set_item(name, has))?;
    all.set_item("facts", caps.facts.iter().cloned().collect::<std::collections::BTreeMap<_, _>>())?;
    Ok(all)
}

/// Every device that this build knows, the first choice first: what it is and can do, or, under
/// `absent`, why it cannot run here.
#[pyfunction]
pub(crate) fn devices(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let found = py.detach(|| {
        let registry = seawall::Runtime::builder().registry()?;
        let members = registry.slots().iter().flat_map(seawall::route::Slot::members);
        let told = members.map(|member| (member.id, member.device.map(|device| device.caps().clone())));
        Ok::<_, seawall::Error>(told.collect::<Vec<_>>())
    });
    let of = |(id, device): (String, Result<Arc<Caps>, seawall::route::Absent>)| match device {
        Ok(found) => caps(py, &found),
        Err(absent) => {
            let all = PyDict::new(py);
            all.set_item("id", id)?;
            all.set_item("absent", absent.reason)?;
            Ok(all)
        }
    };
    found.map_err(|error| error::of(py, &error))?.into_iter().map(of).collect()
}
