//! Graphs of waves, by names and host types.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use bytemuck::Pod;
use seawall_core::check::Checked;
use seawall_core::graph::{self, Bind, DataId, Grid, Key, Role};
use seawall_core::plan::{self, Plan};
use seawall_core::program::texture::{SHAPES, Texture};
use seawall_core::program::{self, Kernel};
use seawall_core::texture::{Sampler, Shape};

use crate::control::{Repeat, When};
use crate::dims::Dims;
use crate::error::Error;
use crate::host::Element;
use crate::image;

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

    /// What runs together and what is staged, and why; nothing is compiled or run for it.
    pub fn plan(&self) -> Result<Plan, Error> {
        self.plan_within(self.budget_bytes, false)
    }

    /// Planned within its budget and for a device's, and proved.
    pub(crate) fn planned(
        &self,
        memory_bytes: Option<u64>,
        grid_barriers: bool,
    ) -> Result<(Plan, Arc<Checked>), Error> {
        // What the caller allows, and what the device has.
        let plan = self.plan_within([self.budget_bytes, memory_bytes].into_iter().flatten().min(), grid_barriers)?;
        let schedule = proved(&plan);
        Ok((plan, schedule))
    }

    /// For a device that has grid barriers, or for one for which kernels are cut there.
    fn plan_within(&self, budget_bytes: Option<u64>, grid_barriers: bool) -> Result<Plan, Error> {
        if let Some((first, second)) = &self.stray {
            return Err(Error::StraySwap { first: first.clone(), second: second.clone() });
        }
        if let Some((wave, error)) = &self.refused {
            return Err(Error::Wave { wave: wave.clone(), source: Box::new(error.clone()) });
        }
        self.types_fit()?;
        let inner = self.viewed()?;
        let resolved = if grid_barriers { graph::resolve(&inner) } else { graph::resolve_cut(&inner, budget_bytes) };
        Ok(plan::plan(&Arc::new(resolved?), budget_bytes)?)
    }

    /// With kernels for the formats of the images that waves bind, and what they are told of them.
    fn viewed(&self) -> Result<Cow<'_, graph::Graph>, Error> {
        let mut inner = Cow::Borrowed(&self.inner);
        for (at, wave) in self.inner.waves.iter().enumerate() {
            let told = |key: &Key| row(&wave.kernel, key).is_some_and(|row| row.name == SHAPES);
            let has_views = !wave.kernel.textures.is_empty() || !wave.kernel.samplers.is_empty();
            // Who describes a graph by its parts may have told its kernels already.
            if !has_views || wave.binds.iter().any(|(key, _)| told(key)) {
                continue;
            }
            let named = |error| Error::Wave { wave: wave.name.to_string(), source: Box::new(error) };
            let samplers = self.samplers.iter().filter(|(of, ..)| *of == at);
            let samplers: Vec<_> = samplers.map(|(_, name, sampler)| (name.clone(), *sampler)).collect();
            let shape = |texture: &Texture| self.shape(wave, &texture.name);
            let (kernel, told) = image::viewing(&wave.kernel, shape, &samplers).map_err(named)?;
            let changed = &mut inner.to_mut().waves[at];
            if let Some(Grid::Over(key)) = &wave.grid
                && let Some(shape) = row(&wave.kernel, key).and_then(|row| self.shape(wave, &row.name))
            {
                changed.grid(Grid::Threads(shape.size()));
            }
            changed.kernel = kernel;
            if !told.is_empty() {
                changed.value(SHAPES, &told);
            }
        }
        Ok(inner)
    }

    /// The image that a wave binds to a texture.
    fn shape(&self, wave: &graph::Wave, texture: &str) -> Option<Shape> {
        wave.kernel.texture(texture)?;
        let mut binds = wave.binds.iter();
        let (_, bind) = binds.find(|(key, _)| row(&wave.kernel, key).is_some_and(|row| row.name == texture))?;
        let Bind::Data { data, range: None } = bind else { return None };
        let id = match data {
            Key::At(data) => DataId(*data),
            Key::Name(name) => *self.names.get(name)?,
        };
        self.images.get(&id).copied()
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

    /// Whether data and values are bound to buffers that hold their elements.
    fn types_fit(&self) -> Result<(), Error> {
        let mut values = self.values.iter().peekable();
        for (at, wave) in self.inner.waves.iter().enumerate().filter(|(_, wave)| !graph::is_own(&wave.kernel)) {
            for (place, (buffer, bind)) in wave.binds.iter().enumerate() {
                let element = match bind {
                    Bind::Data { data, .. } => match data {
                        Key::At(data) => self.elements.get(*data as usize),
                        Key::Name(name) => self.names.get(name).map(|data| &self.elements[data.0 as usize]),
                    },
                    Bind::Value(_) => values.next_if(|value| (value.0, value.1) == (at, place)).map(|value| &value.2),
                };
                let row = row(&wave.kernel, buffer);
                // Names that lead nowhere are found where the graph is resolved.
                if let (Some(element), Some(row)) = (element, row) {
                    let named = |error| Error::Wave { wave: wave.name.to_string(), source: Box::new(error) };
                    element.fits(row).map_err(named)?;
                }
            }
        }
        Ok(())
    }
}

/// The buffer of a kernel that a key means.
fn row<'a>(kernel: &'a Kernel, key: &Key) -> Option<&'a program::Buffer> {
    match key {
        Key::At(row) => kernel.buffers.get(*row as usize),
        Key::Name(name) => kernel.buffer(name),
    }
}

/// Planned within the same budget, with some data on the device already, and proved.
pub(crate) fn with_residents(plan: &Plan, resident: &[DataId]) -> Result<(Plan, Arc<Checked>), Error> {
    let mut graph = (*plan.graph).clone();
    for data in resident {
        graph.data[data.0 as usize].resident = true;
    }
    let name = |data: DataId| graph.data[data.0 as usize].name.clone();
    let stays = |data: DataId| graph.data[data.0 as usize].stays();
    for block in &graph.blocks {
        if let Some(&(first, second)) = block.swaps.iter().find(|(first, second)| stays(*first) != stays(*second)) {
            let (block, why) = (block.name.clone(), "bind both to resident buffers, or neither");
            return Err(graph::Error::Swap { block, first: name(first), second: name(second), why }.into());
        }
    }
    let data = resident.iter().map(|&data| name(data)).collect();
    let over = |source| Error::Resident { data, source: Box::new(source) };
    let plan = plan::plan(&Arc::new(graph), plan.schedule.budget_bytes).map_err(over)?;
    let schedule = proved(&plan);
    Ok((plan, schedule))
}

fn proved(plan: &Plan) -> Arc<Checked> {
    match plan.check() {
        Ok(schedule) => Arc::new(schedule),
        Err(error) => unreachable!("invariant plan: it is sound and computes its graph: {error}"),
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

/// A wave being described.
#[derive(Debug)]
pub struct Wave<'a> {
    at: usize,
    inner: &'a mut graph::Wave,
    names: &'a HashMap<String, DataId>,
    values: &'a mut Vec<(usize, usize, Element)>,
    refused: &'a mut Option<(String, Error)>,
    samplers: &'a mut Vec<(usize, String, Sampler)>,
    queues: &'a [graph::Queue],
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
    /// workgroup. Only in a [`drain`](Graph::drain) of the queue.
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
