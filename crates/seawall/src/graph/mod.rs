//! Graphs of waves, by names and host types.

mod plan;
mod wave;

use std::collections::HashMap;
use std::sync::Arc;

use bytemuck::Pod;
use seawall_core::graph::{self, DataId, Role};
use seawall_core::program::Kernel;
use seawall_core::texture::{Sampler, Shape};

use crate::control::{Repeat, When};
use crate::error::Error;
use crate::host::Element;

pub(crate) use plan::with_residents;
pub use wave::Wave;

/// Data and waves over it, to be compiled by [`Runtime::compile`](crate::Runtime::compile).
///
/// The waves mean what they would mean one after the other, in the order in which they are
/// added; which of them can run at once is found from what their kernels read and write.
#[derive(Debug, Clone, Default)]
pub struct Graph {
    inner: graph::Graph,
    /// Where the data of each name is, the first of them.
    names: Arc<HashMap<String, DataId>>,
    /// By data.
    elements: Vec<Element>,
    /// The images among the data.
    images: HashMap<DataId, Shape>,
    /// The samplers of waves.
    samplers: Vec<(usize, String, Sampler)>,
    /// The type of each value: its wave, its place among the wave's bindings.
    values: Vec<(usize, usize, Element)>,
    /// The data that [`value`](Self::value) declared.
    settable: Vec<DataId>,
    /// A grid that cannot be, and the wave that has it.
    refused: Option<(String, Error)>,
    budget_bytes: Option<u64>,
    /// Loops and branches that are being described.
    open: Vec<usize>,
    /// Data that was to change places outside of a loop.
    stray: Option<(String, String)>,
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

    /// One `T` that each run sets ([`Run::set`](crate::Run::set), [`Job::set`](crate::Job::set)),
    /// for waves to read: a uniform, most likely. What is the same at each run can be bound to a
    /// wave as it is ([`Wave::value`]).
    ///
    /// ```
    /// # fn main() -> Result<(), seawall::Error> {
    /// let runtime = seawall::Runtime::new()?;
    /// let scale = runtime.kernel(
    ///     "@group(0) @binding(0) var<uniform> by: f32;
    ///      @group(0) @binding(1) var<storage, read_write> v: array<f32>;
    ///      @compute @workgroup_size(64)
    ///      fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    ///          if id.x < arrayLength(&v) { v[id.x] *= by; }
    ///      }",
    /// )?;
    /// let mut graph = seawall::Graph::new();
    /// graph.value::<f32>("factor").in_out::<f32>("v", 2);
    /// graph.wave("scale", &scale).bind("by", "factor").bind("v", "v").over("v");
    /// let compiled = runtime.compile(&graph)?;
    ///
    /// let mut v = [1.0f32, 2.0];
    /// for factor in [2.0f32, 0.5, 3.0] {
    ///     compiled.call().set("factor", &factor).bind("v", &mut v).run()?;
    /// }
    /// assert_eq!(v, [3.0, 6.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn value<T: Pod>(&mut self, name: &str) -> &mut Self {
        self.value_of(name, Element::of::<T>())
    }

    /// The same, of a type that is not one of Rust's.
    pub fn value_of(&mut self, name: &str, element: Element) -> &mut Self {
        self.settable.push(DataId(self.inner.data.len() as u32));
        self.data_of(Role::Input, name, 1, element)
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
    ///
    /// ```
    /// # fn main() -> Result<(), seawall::Error> {
    /// let runtime = seawall::Runtime::new()?;
    /// let add = runtime.kernel(
    ///     "@group(0) @binding(0) var<storage, read> x: array<f32>;
    ///      @group(0) @binding(1) var<storage, read_write> sum: array<f32>;
    ///      @compute @workgroup_size(64)
    ///      fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    ///          if id.x < arrayLength(&sum) { sum[id.x] += x[id.x]; }
    ///      }",
    /// )?;
    /// let mut graph = seawall::Graph::new();
    /// graph.input::<f32>("x", 3).persistent::<f32>("sum", 3);
    /// graph.wave("add", &add).bind("x", "x").bind("sum", "sum").over("sum");
    /// let compiled = runtime.compile(&graph)?;
    ///
    /// let sum = compiled.persistent::<f32>("sum")?;
    /// sum.write(0, &[100.0, 0.0, 0.0])?;
    /// for _ in 0..2 {
    ///     compiled.call().bind("x", &[1.0f32, 2.0, 3.0]).run()?;
    /// }
    /// assert_eq!(sum.to_vec()?, [102.0, 4.0, 6.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn persistent<T: Pod>(&mut self, name: &str, len: usize) -> &mut Self {
        self.data::<T>(Role::Persistent, name, len)
    }

    /// `len` elements that live within a run; they start as zeros.
    pub fn transient<T: Pod>(&mut self, name: &str, len: usize) -> &mut Self {
        self.data::<T>(Role::Transient, name, len)
    }

    /// Data of any role; a `u8` stands for bytes of anything.
    pub fn data<T: Pod>(&mut self, role: Role, name: &str, len: usize) -> &mut Self {
        self.data_of(role, name, len, Element::of::<T>())
    }

    /// Data whose elements are no type of Rust's.
    pub fn data_of(&mut self, role: Role, name: &str, len: usize, element: Element) -> &mut Self {
        let bytes = (len as u64).saturating_mul(element.bytes());
        let next = DataId(self.inner.data.len() as u32);
        Arc::make_mut(&mut self.names).entry(name.to_owned()).or_insert(next);
        self.inner.data(role, name, bytes);
        self.elements.push(element);
        self
    }

    /// An image of any role, for waves to bind to their textures; a run binds an [`Image`](crate::Image) or its
    /// texels.
    ///
    /// ```
    /// # fn main() -> Result<(), seawall::Error> {
    /// use seawall::{Role, texture::{Format, Shape}};
    ///
    /// let runtime = seawall::Runtime::new()?;
    /// let darker = runtime.kernel(
    ///     "@group(0) @binding(0) var light: texture_2d<f32>;
    ///      @group(0) @binding(1) var dark: texture_storage_2d<rgba8unorm, write>;
    ///      @compute @workgroup_size(8, 8)
    ///      fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    ///          textureStore(dark, id.xy, 0.5 * textureLoad(light, id.xy, 0));
    ///      }",
    /// )?;
    /// let shape = Shape::d2(Format::Rgba8Unorm, 20, 10)?;
    /// let mut graph = seawall::Graph::new();
    /// graph.image(Role::Input, "a", shape).image(Role::Transient, "b", shape).image(Role::Output, "c", shape);
    /// graph.wave("once", &darker).bind("light", "a").bind("dark", "b").over("dark");
    /// graph.wave("twice", &darker).bind("light", "b").bind("dark", "c").over("dark");
    /// let (a, c) = (runtime.image_from(shape, &[200; 800])?, runtime.image(shape)?);
    /// runtime.compile(&graph)?.call().bind("a", &a).bind("c", &c).run()?;
    /// assert_eq!(c.to_bytes()?, [50; 800]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn image(&mut self, role: Role, name: &str, shape: Shape) -> &mut Self {
        self.images.insert(DataId(self.inner.data.len() as u32), shape);
        self.data::<u8>(role, name, shape.bytes() as usize)
    }

    /// An output of which only the first elements come back: as many as the first `u32` of `count`
    /// says when all waves are done.
    ///
    /// ```
    /// # fn main() -> Result<(), seawall::Error> {
    /// let runtime = seawall::Runtime::new()?;
    /// let keep = runtime.kernel(
    ///     "@group(0) @binding(0) var<storage, read> x: array<u32>;
    ///      @group(0) @binding(1) var<storage, read_write> kept: array<u32>;
    ///      @group(0) @binding(2) var<storage, read_write> count: atomic<u32>;
    ///      @compute @workgroup_size(64)
    ///      fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    ///          if id.x < arrayLength(&x) && x[id.x] % 10u == 0u { kept[atomicAdd(&count, 1u)] = x[id.x]; }
    ///      }",
    /// )?;
    /// let mut graph = seawall::Graph::new();
    /// graph.input::<u32>("x", 100).transient::<u32>("count", 1).counted_output::<u32>("kept", 100, "count");
    /// graph.wave("keep", &keep).bind("x", "x").bind("kept", "kept").bind("count", "count").over("x");
    /// let compiled = runtime.compile(&graph)?;
    ///
    /// let (x, mut kept) = ((1..101).collect::<Vec<u32>>(), vec![0u32; 100]);
    /// let finished = compiled.call().bind("x", &x).bind("kept", &mut kept).run()?;
    /// let kept = &mut kept[..finished.count("kept").unwrap() as usize];
    /// kept.sort(); // who comes first is up to the device
    /// assert_eq!(kept, [10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn counted_output<T: Pod>(&mut self, name: &str, len: usize, count: &str) -> &mut Self {
        self.counted_output_of(name, len, count, 1, Element::of::<T>())
    }

    /// The same, of a type that is not one of Rust's; `each` elements belong together and are counted as one.
    pub fn counted_output_of(
        &mut self,
        name: &str,
        len: usize,
        count: &str,
        each: usize,
        element: Element,
    ) -> &mut Self {
        let counted_bytes = (each as u64).saturating_mul(element.bytes());
        self.data_of(Role::Output, name, len, element);
        if let Some(data) = self.inner.data.last_mut() {
            data.counted(count, 0, counted_bytes);
        }
        self
    }

    /// Says what was decided for some waves by whoever adds them, and why. It changes nothing; the plan tells it.
    ///
    /// ```
    /// # fn main() -> Result<(), seawall::Error> {
    /// let mut graph = seawall::Graph::new();
    /// graph.chosen("blur", "tiles of 64 x 64", "two of them stay in a core's cache");
    /// let plan = graph.plan()?;
    /// let told = "chosen for `blur`: tiles of 64 x 64, because two of them stay in a core's cache";
    /// assert_eq!(plan.graph.choices[0].to_string(), told);
    /// assert!(plan.to_string().contains(told));
    /// # Ok(())
    /// # }
    /// ```
    pub fn chosen(&mut self, of: &str, what: &str, because: &str) -> &mut Self {
        self.inner.choose(of, what, because);
        self
    }

    /// Adds a wave, to be described.
    pub fn wave(&mut self, name: &str, kernel: &Arc<Kernel>) -> Wave<'_> {
        let at = self.inner.waves.len();
        self.inner.wave(name, kernel);
        let Self { inner: graph::Graph { waves, queues, .. }, names, values, refused, samplers, .. } = self;
        Wave { at, inner: &mut waves[at], names, values, refused, samplers, queues }
    }

    /// Waves that run turn after turn: those that `body` adds. The device decides when it ends; say
    /// what the loop depends on with the methods of what this gives.
    ///
    /// ```
    /// # fn main() -> Result<(), seawall::Error> {
    /// let runtime = seawall::Runtime::new()?;
    /// let halve = runtime.kernel(
    ///     "@group(0) @binding(0) var<storage, read_write> x: u32;
    ///      @compute @workgroup_size(1) fn main() { x /= 2u; }",
    /// )?;
    /// let mut graph = seawall::Graph::new();
    /// graph.in_out::<u32>("x", 1);
    /// graph
    ///     .repeat("halvings", |body| {
    ///         body.wave("halve", &halve).bind("x", "x").workgroups(1);
    ///     })
    ///     .while_nonzero("x");
    /// let mut x = [1000u32];
    /// let finished = runtime.compile(&graph)?.call().bind("x", &mut x).run()?;
    /// assert_eq!((x[0], finished.turns("halvings")), (0, Some(10)));
    /// # Ok(())
    /// # }
    /// ```
    pub fn repeat(&mut self, name: &str, body: impl FnOnce(&mut Self)) -> Repeat<'_> {
        let control = graph::Control::Repeat { word: None, limit: None, must_end: false, swaps: Vec::new() };
        let at = self.block(name, control, body);
        self.repeated(at)
    }

    /// Waves that run only if a word on the device says so: those that `body` adds.
    ///
    /// ```
    /// # fn main() -> Result<(), seawall::Error> {
    /// let runtime = seawall::Runtime::new()?;
    /// let negate = runtime.kernel(
    ///     "@group(0) @binding(0) var<storage, read_write> v: array<i32>;
    ///      @compute @workgroup_size(64)
    ///      fn main(@builtin(global_invocation_id) id: vec3<u32>) { v[id.x] = -v[id.x]; }",
    /// )?;
    /// let mut graph = seawall::Graph::new();
    /// graph.input::<u32>("wanted", 1).in_out::<i32>("v", 2);
    /// graph
    ///     .when("is wanted", |body| {
    ///         body.wave("negate", &negate).bind("v", "v").over("v");
    ///     })
    ///     .nonzero("wanted");
    /// let (compiled, mut v) = (runtime.compile(&graph)?, [1i32, 2]);
    /// for wanted in [1u32, 0] {
    ///     let finished = compiled.call().bind("wanted", &[wanted]).bind("v", &mut v).run()?;
    ///     assert_eq!((v, finished.turns("is wanted")), ([-1, -2], Some(wanted.into())));
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn when(&mut self, name: &str, body: impl FnOnce(&mut Self)) -> When<'_> {
        let at = self.block(name, graph::Control::When { word: None }, body);
        When { block: &mut self.inner.blocks[at], names: &self.names }
    }

    fn block(&mut self, name: &str, control: graph::Control, body: impl FnOnce(&mut Self)) -> usize {
        let (at, first) = (self.inner.blocks.len(), self.inner.waves.len());
        self.inner.blocks.push(graph::Block { name: name.to_owned(), waves: first..first, control });
        self.inside(at, body);
        self.inner.blocks[at].waves = first..self.inner.waves.len();
        at
    }

    /// Lets `body` add what stands in a block.
    pub(crate) fn inside(&mut self, block: usize, body: impl FnOnce(&mut Self)) {
        self.open.push(block);
        body(self);
        self.open.pop();
    }

    /// A loop, whose end is yet to be described.
    pub(crate) fn repeated(&mut self, block: usize) -> Repeat<'_> {
        Repeat { block: &mut self.inner.blocks[block], names: &self.names }
    }

    /// Lets `add` add data of such elements, and whatever else.
    pub(crate) fn described<T>(&mut self, add: impl FnOnce(&mut graph::Graph) -> T, element: Element) -> T {
        let added = add(&mut self.inner);
        for (at, data) in self.inner.data.iter().enumerate().skip(self.elements.len()) {
            Arc::make_mut(&mut self.names).entry(data.name.clone()).or_insert(DataId(at as u32));
        }
        self.elements.resize(self.inner.data.len(), element);
        added
    }

    /// A queue with its data: words, but for the entries and what it begins with.
    pub(crate) fn add_queue(&mut self, queue: graph::Queue, entry: &Element) {
        let (first, name) = (self.inner.data.len(), queue.name.clone());
        self.described(|inner| inner.queue(queue), Element::of::<u8>());
        for at in first..self.inner.data.len() {
            let data = &self.inner.data[at].name;
            if *data == name || data.strip_prefix(&name) == Some(".ring") {
                self.elements[at] = entry.clone();
            }
        }
    }

    /// In the body of a loop: two data of one size exchange what they hold at the end of each turn,
    /// whatever their size at no cost. After the loop each name means what the last turn left it.
    ///
    /// ```
    /// # fn main() -> Result<(), seawall::Error> {
    /// let runtime = seawall::Runtime::new()?;
    /// let shift = runtime.kernel(
    ///     "@group(0) @binding(0) var<storage, read> now: array<u32>;
    ///      @group(0) @binding(1) var<storage, read_write> next: array<u32>;
    ///      @compute @workgroup_size(64)
    ///      fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    ///          let n = arrayLength(&now);
    ///          if id.x < n { next[(id.x + 1u) % n] = now[id.x]; }
    ///      }",
    /// )?;
    /// let mut graph = seawall::Graph::new();
    /// graph.in_out::<u32>("now", 5).transient::<u32>("next", 5);
    /// graph
    ///     .repeat("steps", |body| {
    ///         body.wave("shift", &shift).bind("now", "now").bind("next", "next").over("next");
    ///         body.swap("now", "next");
    ///     })
    ///     .times(3);
    /// let mut now = [1u32, 2, 3, 4, 5];
    /// runtime.compile(&graph)?.call().bind("now", &mut now).run()?;
    /// assert_eq!(now, [3, 4, 5, 1, 2]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn swap(&mut self, first: &str, second: &str) -> &mut Self {
        let key = |name: &str| self.names.get(name).map_or_else(|| name.into(), |&id| id.into());
        let pair = (key(first), key(second));
        match self.open.last().map(|&at| &mut self.inner.blocks[at].control) {
            Some(graph::Control::Repeat { swaps, .. }) => swaps.push(pair),
            Some(graph::Control::When { .. }) | None => self.stray = Some((first.to_owned(), second.to_owned())),
        }
        self
    }

    /// At most so many bytes may be on the device at once. What does not fit is staged: brought
    /// when it is needed and put aside on the host when not.
    ///
    /// ```
    /// # fn main() -> Result<(), seawall::Error> {
    /// let runtime = seawall::Runtime::new()?;
    /// let next = runtime.kernel(
    ///     "@group(0) @binding(0) var<storage, read> x: array<u32>;
    ///      @group(0) @binding(1) var<storage, read_write> y: array<u32>;
    ///      @compute @workgroup_size(64)
    ///      fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    ///          if id.x < arrayLength(&y) { y[id.x] = x[id.x] + 1u; }
    ///      }",
    /// )?;
    /// let mut graph = seawall::Graph::new();
    /// graph.input::<u32>("a", 1000).transient::<u32>("b", 1000).output::<u32>("c", 1000).output::<u32>("d", 1000);
    /// graph.wave("first", &next).bind("x", "a").bind("y", "b").over("y");
    /// graph.wave("second", &next).bind("x", "b").bind("y", "c").over("y");
    /// graph.wave("third", &next).bind("x", "a").bind("y", "d").over("y");
    /// graph.budget_bytes(8000); // two of the four
    ///
    /// let plan = graph.plan()?;
    /// for reason in &plan.reasons {
    ///     println!("{}", plan.explain(reason));
    /// }
    /// let (a, mut c, mut d) = (vec![5u32; 1000], vec![0u32; 1000], vec![0u32; 1000]);
    /// let finished = runtime.compile(&graph)?.call().bind("a", &a).bind("c", &mut c).bind("d", &mut d).run()?;
    /// assert_eq!((c[999], d[999]), (7, 6));
    /// assert!(finished.stats.peak_bytes <= 8000);
    /// # Ok(())
    /// # }
    /// ```
    pub fn budget_bytes(&mut self, bytes: u64) -> &mut Self {
        self.budget_bytes = Some(bytes);
        self
    }

    /// The images among the data.
    pub(crate) fn images(&self) -> &HashMap<DataId, Shape> {
        &self.images
    }

    /// What was added.
    pub fn description(&self) -> &graph::Graph {
        &self.inner
    }

    /// Where the data of each name is.
    pub(crate) fn names(&self) -> &Arc<HashMap<String, DataId>> {
        &self.names
    }

    /// By data.
    pub(crate) fn elements(&self) -> &[Element] {
        &self.elements
    }

    /// The data that each run sets.
    pub(crate) fn settable(&self) -> &[DataId] {
        &self.settable
    }
}

/// Everything in it is bytes of anything.
impl From<graph::Graph> for Graph {
    fn from(inner: graph::Graph) -> Self {
        let mut names = HashMap::new();
        for (at, data) in inner.data.iter().enumerate() {
            names.entry(data.name.clone()).or_insert(DataId(at as u32));
        }
        let elements = vec![Element::of::<u8>(); inner.data.len()];
        Self { inner, names: Arc::new(names), elements, ..Self::default() }
    }
}
