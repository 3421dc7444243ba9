//! What a graph becomes within its budget, and why.

use pyo3::prelude::*;
use seawall_core::plan;

use crate::error;

/// The schedule of a graph, with the reasons for it.
#[pyclass(frozen, module = "seawall")]
pub(crate) struct Plan(pub(crate) plan::Plan);

#[pymethods]
impl Plan {
    /// The waves of each group: those that run together.
    #[getter]
    fn groups(&self) -> Vec<Vec<String>> {
        let name = |&wave| self.0.graph.node_name(wave);
        self.0.groups.iter().map(|group| group.iter().map(name).collect()).collect()
    }

    /// Why there is each barrier, split and eviction.
    #[getter]
    fn reasons(&self) -> Vec<String> {
        self.0.reasons.iter().map(|reason| self.0.explain(reason).clone()).collect()
    }

    /// What was chosen for waves by who added them, and why.
    #[getter]
    fn choices(&self) -> Vec<String> {
        self.0.graph.choices.iter().map(ToString::to_string).collect()
    }

    /// What the device does, step by step.
    #[getter]
    fn steps(&self) -> Vec<String> {
        self.0.schedule.steps.iter().map(ToString::to_string).collect()
    }

    #[getter]
    fn budget_bytes(&self) -> Option<u64> {
        self.0.schedule.budget_bytes
    }

    /// The most bytes that are on the device at once.
    #[getter]
    fn peak_bytes(&self) -> u64 {
        checked(&self.0).peak_bytes()
    }

    /// Data that is put aside on the host at some time, in bytes.
    #[getter]
    fn evicted_bytes(&self) -> u64 {
        self.0.evicted_bytes()
    }

    /// A picture of it.
    #[pyo3(signature = (title="plan"))]
    fn svg(&self, py: Python<'_>, title: &str) -> PyResult<String> {
        seawall_show::picture::draw(title, &self.0, &checked(&self.0))
            .map_err(|error| error::bind(py, error.to_string()))
    }

    /// For notebooks.
    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        self.svg(py, "plan")
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<seawall.Plan: {}, at most {} bytes>", self.0.summary(), self.peak_bytes())
    }
}

fn checked(plan: &plan::Plan) -> seawall::check::Checked {
    match plan.check() {
        Ok(checked) => checked,
        Err(error) => unreachable!("invariant plan: it is sound and computes its graph: {error}"),
    }
}
