//! A wave of a graph, being described.

use std::collections::HashMap;
use std::ops::Range;

use bytemuck::Pod;
use seawall_core::graph::{self, DataId, Grid, Key};
use seawall_core::texture::Sampler;

use crate::dims::Dims;
use crate::error::Error;
use crate::host::Element;

/// A wave being described.
#[derive(Debug)]
pub struct Wave<'a> {
    pub(super) at: usize,
    pub(super) inner: &'a mut graph::Wave,
    pub(super) names: &'a HashMap<String, DataId>,
    pub(super) values: &'a mut Vec<(usize, usize, Element)>,
    pub(super) refused: &'a mut Option<(String, Error)>,
    pub(super) samplers: &'a mut Vec<(usize, String, Sampler)>,
    pub(super) queues: &'a [graph::Queue],
}

impl Wave<'_> {
    /// All that a description says of a wave but its name and its kernel.
    pub fn described(&mut self, wave: graph::Wave) -> &mut Self {
        let graph::Wave { binds, grid, after, .. } = wave;
        (self.inner.binds, self.inner.grid, self.inner.after) = (binds, grid, after);
        self
    }

    /// Data that was declared already is known by its place; else its name is looked up later.
    fn key(&self, data: &str) -> Key {
        self.names.get(data).map_or_else(|| data.into(), |&id| id.into())
    }

    /// Binds data to the kernel's buffer of this name.
    pub fn bind(&mut self, buffer: &str, data: &str) -> &mut Self {
        self.inner.bind(buffer, self.key(data));
        self
    }

    /// Binds a range of bytes of data; it must start at a multiple of 256.
    ///
    /// ```
    /// # fn main() -> Result<(), seawall::Error> {
    /// let runtime = seawall::Runtime::new()?;
    /// let fill = runtime.kernel(
    ///     "@group(0) @binding(0) var<uniform> by: u32;
    ///      @group(0) @binding(1) var<storage, read_write> v: array<u32>;
    ///      @compute @workgroup_size(64)
    ///      fn main(@builtin(global_invocation_id) id: vec3<u32>) { v[id.x] = by; }",
    /// )?;
    /// let mut graph = seawall::Graph::new();
    /// graph.output::<u32>("all", 128);
    /// // The two touch nothing in common, and so they run together.
    /// graph.wave("left", &fill).value("by", &1u32).bind_range("v", "all", 0..256).over("v");
    /// graph.wave("right", &fill).value("by", &2u32).bind_range("v", "all", 256..512).over("v");
    /// let (compiled, mut all) = (runtime.compile(&graph)?, vec![0u32; 128]);
    /// compiled.call().bind("all", &mut all).run()?;
    /// assert_eq!((all[63], all[64], compiled.plan().groups.len()), (1, 2, 1));
    /// # Ok(())
    /// # }
    /// ```
    pub fn bind_range(&mut self, buffer: &str, data: &str, bytes: Range<u64>) -> &mut Self {
        self.inner.bind_range(buffer, self.key(data), bytes);
        self
    }

    /// Binds one value, such as the struct of a uniform.
    pub fn value<T: Pod>(&mut self, buffer: &str, value: &T) -> &mut Self {
        self.values.push((self.at, self.inner.binds.len(), Element::of::<T>()));
        self.inner.value(buffer, bytemuck::bytes_of(value));
        self
    }

    /// Binds one value, as its bytes, of a type that is not one of Rust's.
    pub fn value_of(&mut self, buffer: &str, bytes: &[u8], element: Element) -> &mut Self {
        self.values.push((self.at, self.inner.binds.len(), element));
        self.inner.value(buffer, bytes);
        self
    }

    /// Binds a sampler.
    pub fn sampler(&mut self, name: &str, sampler: Sampler) -> &mut Self {
        self.samplers.push((self.at, name.to_owned(), sampler));
        self
    }

    /// Binds bytes that the kernel reads.
    pub fn value_bytes(&mut self, buffer: &str, bytes: &[u8]) -> &mut Self {
        self.inner.value(buffer, bytes);
        self
    }

    /// Runs this many workgroups.
    pub fn workgroups(&mut self, count: impl Into<Dims>) -> &mut Self {
        self.grid(count.into(), Grid::Workgroups)
    }

    /// Runs as many whole workgroups as cover this many invocations.
    pub fn threads(&mut self, count: impl Into<Dims>) -> &mut Self {
        self.grid(count.into(), Grid::Threads)
    }

    /// Runs an invocation for each element of what is bound to this buffer, or for each texel of an image: in
    /// x, y and z.
    pub fn over(&mut self, buffer: &str) -> &mut Self {
        self.inner.over(buffer);
        self
    }

    /// Runs as many workgroups as the first three `u32` of `data` say, each at most its limit.
    ///
    /// ```
    /// # fn main() -> Result<(), seawall::Error> {
    /// let runtime = seawall::Runtime::new()?;
    /// let decide = runtime.kernel(
    ///     "@group(0) @binding(0) var<storage, read_write> grid: array<u32, 3>;
    ///      @compute @workgroup_size(1) fn main() { grid = array(5u, 2u, 1u); }",
    /// )?;
    /// let count = runtime.kernel(
    ///     "@group(0) @binding(0) var<storage, read_write> n: atomic<u32>;
    ///      @compute @workgroup_size(1) fn main() { atomicAdd(&n, 1u); }",
    /// )?;
    /// let mut graph = seawall::Graph::new();
    /// graph.transient::<u32>("grid", 3).output::<u32>("n", 1);
    /// graph.wave("decide", &decide).bind("grid", "grid").workgroups(1);
    /// graph.wave("count", &count).bind("n", "n").indirect("grid", [8, 8, 1]);
    /// let mut n = [0u32];
    /// runtime.compile(&graph)?.call().bind("n", &mut n).run()?;
    /// assert_eq!(n, [10]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn indirect(&mut self, data: &str, limit: impl Into<Dims>) -> &mut Self {
        let data = self.key(data);
        self.grid(limit.into(), |limit| Grid::Indirect { data, offset: 0, limit })
    }

    /// A grid that does not fit is reported when the graph is planned.
    fn grid(&mut self, dims: Dims, grid: impl FnOnce([u32; 3]) -> Grid) -> &mut Self {
        match dims.get() {
            Ok(dims) => drop(self.inner.grid(grid(dims))),
            Err(error) => drop(self.refused.get_or_insert_with(|| (self.inner.name.to_string(), error))),
        }
        self
    }

    /// Binds a work queue of the graph to what the kernel's program calls `name`.
    pub fn queue(&mut self, name: &str, queue: &str) -> &mut Self {
        self.inner.queue(name, queue);
        self
    }

    /// Runs an invocation, in x, for each item of the queue's window, and as many more as fill the last
    /// workgroup. Only in a [`drain`](super::Graph::drain) of the queue.
    pub fn items(&mut self, queue: &str) -> &mut Self {
        let known = self.queues.iter().find(|known| known.name == queue);
        // Its data is missing, too, which is found where the graph is resolved.
        let unknown = graph::Queue { name: queue.to_owned(), entry_bytes: 0, capacity: 1, window: None, initial: 0 };
        self.inner.items(known.unwrap_or(&unknown));
        self
    }

    /// Starts when the wave of this name is over, whatever they share.
    pub fn after(&mut self, wave: &str) -> &mut Self {
        self.inner.after(wave);
        self
    }
}
