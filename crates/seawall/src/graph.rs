//! Graphs of waves, by names and host types.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use bytemuck::Pod;
use seawall_core::graph::{self, Bind, Grid, Role};
use seawall_core::plan::{self, Plan};
use seawall_core::program::Kernel;

use crate::call::Dims;
use crate::error::Error;
use crate::host::Element;

/// Data and waves over it, to be compiled by [`Runtime::compile`](crate::Runtime::compile).
///
/// The waves mean what they would mean one after the other, in the order in which they are
/// added; which of them can run at once is found from what their kernels read and write.
#[derive(Debug, Clone, Default)]
pub struct Graph {
    inner: graph::Graph,
    /// By data.
    elements: HashMap<String, Element>,
    /// The type of each value, by wave and buffer.
    values: HashMap<(usize, String), Element>,
    budget_bytes: Option<u64>,
}

impl Graph {
    /// An empty one.
    pub fn new() -> Self {
        Self::default()
    }

    /// `len` elements that each run gets from the caller. No wave may change them.
    pub fn input<T: Pod>(&mut self, name: &str, len: usize) -> &mut Self {
        self.data::<T>(Role::Input, name, len)
    }

    /// `len` elements that each run gives to the caller; they start as zeros.
    pub fn output<T: Pod>(&mut self, name: &str, len: usize) -> &mut Self {
        self.data::<T>(Role::Output, name, len)
    }

    /// `len` elements that each run gets from the caller and gives back.
    pub fn in_out<T: Pod>(&mut self, name: &str, len: usize) -> &mut Self {
        self.data::<T>(Role::InOut, name, len)
    }

    /// `len` elements that stay on the device from run to run; zeros before the first.
    pub fn persistent<T: Pod>(&mut self, name: &str, len: usize) -> &mut Self {
        self.data::<T>(Role::Persistent, name, len)
    }

    /// `len` elements that live within a run; they start as zeros.
    pub fn transient<T: Pod>(&mut self, name: &str, len: usize) -> &mut Self {
        self.data::<T>(Role::Transient, name, len)
    }

    /// Data of any role; a `u8` stands for bytes of anything.
    pub fn data<T: Pod>(&mut self, role: Role, name: &str, len: usize) -> &mut Self {
        let bytes = (len as u64).saturating_mul(size_of::<T>() as u64);
        self.inner.data(role, name, bytes);
        self.elements.insert(name.to_owned(), Element::of::<T>());
        self
    }

    /// An output of which only the first elements come back: as many as the first `u32` of `count`
    /// says when all waves are done.
    pub fn counted_output<T: Pod>(&mut self, name: &str, len: usize, count: &str) -> &mut Self {
        self.output::<T>(name, len);
        if let Some(data) = self.inner.data.last_mut() {
            data.counted(count, 0, size_of::<T>() as u64);
        }
        self
    }

    /// Adds a wave, to be described.
    pub fn wave(&mut self, name: &str, kernel: &Arc<Kernel>) -> Wave<'_> {
        Wave { at: self.inner.waves.len(), inner: self.inner.wave(name, kernel), values: &mut self.values }
    }

    /// At most so many bytes may be on the device at once. What does not fit is staged: brought
    /// when it is needed and put aside on the host when not.
    pub fn budget_bytes(&mut self, bytes: u64) -> &mut Self {
        self.budget_bytes = Some(bytes);
        self
    }

    /// What runs together and what is staged, and why; nothing is compiled or run for it.
    pub fn plan(&self) -> Result<Plan, Error> {
        self.plan_within(self.budget_bytes)
    }

    pub(crate) fn plan_within(&self, budget_bytes: Option<u64>) -> Result<Plan, Error> {
        self.types_fit()?;
        let resolved = Arc::new(graph::resolve(&self.inner)?);
        Ok(plan::plan(&resolved, budget_bytes)?)
    }

    /// What was added.
    pub fn description(&self) -> &graph::Graph {
        &self.inner
    }

    pub(crate) fn budget(&self) -> Option<u64> {
        self.budget_bytes
    }

    pub(crate) fn element(&self, name: &str) -> Option<&Element> {
        self.elements.get(name)
    }

    /// Whether data and values are bound to buffers that hold their elements.
    fn types_fit(&self) -> Result<(), Error> {
        for (at, wave) in self.inner.waves.iter().enumerate() {
            for (buffer, bind) in &wave.binds {
                let element = match bind {
                    Bind::Data { name, .. } => self.element(name),
                    Bind::Value(_) => self.values.get(&(at, buffer.clone())),
                };
                // Names that lead nowhere are found where the graph is resolved.
                if let (Some(element), Some(row)) = (element, wave.kernel.buffer(buffer)) {
                    element.fits(row)?;
                }
            }
        }
        Ok(())
    }
}

/// Everything in it is bytes of anything.
impl From<graph::Graph> for Graph {
    fn from(inner: graph::Graph) -> Self {
        let elements = inner.data.iter().map(|data| (data.name.clone(), Element::of::<u8>())).collect();
        Self { inner, elements, values: HashMap::new(), budget_bytes: None }
    }
}

/// A wave being described.
#[derive(Debug)]
pub struct Wave<'a> {
    at: usize,
    inner: &'a mut graph::Wave,
    values: &'a mut HashMap<(usize, String), Element>,
}

impl Wave<'_> {
    /// Binds data to the kernel's buffer of this name.
    pub fn bind(&mut self, buffer: &str, data: &str) -> &mut Self {
        self.inner.bind(buffer, data);
        self
    }

    /// Binds a range of bytes of data; it must start at a multiple of 256.
    pub fn bind_range(&mut self, buffer: &str, data: &str, bytes: Range<u64>) -> &mut Self {
        self.inner.bind_range(buffer, data, bytes);
        self
    }

    /// Binds one value, such as the struct of a uniform.
    pub fn value<T: Pod>(&mut self, buffer: &str, value: &T) -> &mut Self {
        self.values.insert((self.at, buffer.to_owned()), Element::of::<T>());
        self.inner.value(buffer, bytemuck::bytes_of(value));
        self
    }

    /// Binds bytes that the kernel reads.
    pub fn value_bytes(&mut self, buffer: &str, bytes: &[u8]) -> &mut Self {
        self.inner.value(buffer, bytes);
        self
    }

    /// Runs this many workgroups.
    pub fn workgroups(&mut self, count: impl Into<Dims>) -> &mut Self {
        self.inner.grid(Grid::Workgroups(count.into().0));
        self
    }

    /// Runs as many whole workgroups as cover this many invocations.
    pub fn threads(&mut self, count: impl Into<Dims>) -> &mut Self {
        self.inner.grid(Grid::Threads(count.into().0));
        self
    }

    /// Runs an invocation for each element of what is bound to this buffer.
    pub fn over(&mut self, buffer: &str) -> &mut Self {
        self.inner.grid(Grid::Over(buffer.to_owned()));
        self
    }

    /// Runs as many workgroups as the first three `u32` of `data` say, each at most its limit.
    pub fn indirect(&mut self, data: &str, limit: impl Into<Dims>) -> &mut Self {
        self.inner.grid(Grid::Indirect { data: data.to_owned(), offset: 0, limit: limit.into().0 });
        self
    }

    /// Starts when the wave of this name is over, whatever they share.
    pub fn after(&mut self, wave: &str) -> &mut Self {
        self.inner.after(wave);
        self
    }
}
