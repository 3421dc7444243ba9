//! Graphs that are ready to run, again and again.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bytemuck::Pod;
use seawall_core::cache::Found;
use seawall_core::check::{Checked, Slot};
use seawall_core::device::{self, Control, Device, Fitted, Host, Io, Looped, Stats};
use seawall_core::graph::{BlockId, Data, DataId, Repeat, Role};
use seawall_core::plan::Plan;
use seawall_core::route::{Because, Choice};
use seawall_core::texture::Shape;
use seawall_cpu::{Crew, Process};

use crate::buffer::{Buffer, Resident};
use crate::deadline::within;
use crate::error::Error;
use crate::graph::{self, Graph};
use crate::host::{Bind, Bound, Element, Memory};
use crate::process;
use crate::queue;
use crate::runtime::Runtime;

/// Plans that are kept, each for another set of data that was bound to resident buffers.
const KEPT_MAX: usize = 32;

/// A planned and compiled [`Graph`]. Clones share everything; any number of threads may run it
/// at once.
#[derive(Clone)]
pub struct Compiled {
    inner: Arc<Inner>,
}

struct Inner {
    /// For slices alone.
    base: Arc<Variant>,
    /// For data that is on the device already; what was asked for last comes first.
    others: Mutex<Vec<(Vec<DataId>, Arc<Variant>)>>,
    device: Arc<dyn Device>,
    because: Because,
    /// Where the data of each name is.
    names: Arc<HashMap<String, DataId>>,
    /// By data.
    elements: Vec<Element>,
    images: HashMap<DataId, Shape>,
    /// What each run sets.
    settable: Vec<DataId>,
    /// By persistent data, in order.
    persistent: Vec<device::Buffer>,
    /// The threads that jobs run on.
    jobs: Arc<Crew>,
    process: Process,
}

/// A plan, ready to run.
struct Variant {
    plan: Plan,
    schedule: Arc<Checked>,
    loaded: Box<dyn device::Loaded>,
    /// Our own host slices, kept from run to run.
    spare: Mutex<Vec<Slices>>,
}

/// By slot: ours, or empty where the caller's goes.
type Slices = Vec<Vec<u8>>;

impl fmt::Debug for Compiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps = self.inner.base.schedule.steps.len();
        write!(f, "{} steps on {}", steps, self.inner.device.caps().id)
    }
}

/// What a run of a graph did.
#[derive(Debug, Clone, PartialEq)]
pub struct Finished {
    /// Who ran it.
    pub device: String,
    /// The device's own account.
    pub stats: Stats,
    /// From the schedule's start to its end.
    pub elapsed: Duration,
    /// The counted outputs, and how many of their elements mean something. A count over what the
    /// output can hold is given as it was found.
    pub counts: Vec<(String, u32)>,
    /// The loops and branches, in the order in which the schedule has them.
    pub loops: Vec<Loop>,
    /// The work queues, in the order in which they were added.
    pub queues: Vec<(String, queue::Drained)>,
}

/// What became of a loop, or of a branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loop {
    /// As the graph calls it.
    pub name: String,
    /// How often it was entered.
    pub entries: u64,
    /// Turns of all of those; of a branch, how often it was taken.
    pub turns: u64,
    /// How often its limit ended it while there should have been another turn.
    pub limited: u64,
}

impl Finished {
    /// Of a counted output.
    pub fn count(&self, output: &str) -> Option<u32> {
        self.counts.iter().find(|(name, _)| name == output).map(|(_, count)| *count)
    }

    /// Of a loop, how often it went round in all; of a branch, how often it was taken.
    pub fn turns(&self, name: &str) -> Option<u64> {
        self.loops.iter().find(|it| it.name == name).map(|it| it.turns)
    }

    /// What became of a work queue.
    pub fn queue(&self, name: &str) -> Option<queue::Drained> {
        self.queues.iter().find(|(queue, _)| queue == name).map(|(_, drained)| *drained)
    }
}

impl Runtime {
    /// Plans a graph and compiles its kernels, to be run any number of times.
    ///
    /// ```
    /// # fn main() -> Result<(), seawall::Error> {
    /// let runtime = seawall::Runtime::new()?;
    /// let double = runtime.kernel(
    ///     "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
    ///      @compute @workgroup_size(64)
    ///      fn main(@builtin(global_invocation_id) id: vec3<u32>) { v[id.x] *= 2u; }",
    /// )?;
    /// let mut graph = seawall::Graph::new();
    /// graph.in_out::<u32>("v", 3);
    /// graph.wave("double", &double).bind("v", "v").over("v");
    /// let compiled = runtime.compile(&graph)?;
    /// let mut v = [1u32, 2, 3];
    /// for _ in 0..4 {
    ///     compiled.call().bind("v", &mut v).run()?;
    /// }
    /// assert_eq!(v, [16, 32, 48]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn compile(&self, graph: &Graph) -> Result<Compiled, Error> {
        let caps = self.caps();
        Compiled::new(self, graph, &Control::default(), graph.planned(caps.memory_bytes, caps.native_grid_barrier)?)
    }

    /// The same, while others may stop it through `control`, or [`within`](crate::within) does.
    pub fn compile_with(&self, graph: &Graph, control: &Control) -> Result<Compiled, Error> {
        let (apart, memory_bytes, grid_barriers) =
            (graph.clone(), self.caps().memory_bytes, self.caps().native_grid_barrier);
        let planned = self.apart(control, move || apart.planned(memory_bytes, grid_barriers))?;
        Compiled::new(self, graph, control, planned)
    }
}

impl Compiled {
    pub(crate) fn new(
        runtime: &Runtime,
        graph: &Graph,
        control: &Control,
        (plan, schedule): (Plan, Arc<Checked>),
    ) -> Result<Self, Error> {
        runtime.here()?;
        let (Choice { device, because }, fitted) = runtime.choose(&schedule)?;
        control.go_on()?;
        log::info!("plan: {}, at most {} bytes on {}", plan.summary(), schedule.peak_bytes(), device.caps().id);
        let base = Variant::new(&*device, plan, fitted, control)?;
        let schedule = &base.schedule;
        for (kernel, found) in schedule.kernels.iter().zip(base.loaded.found()) {
            log::debug!("`{}` on {}: {found}", kernel.name, device.caps().id);
        }
        let persistent = schedule.residents().map(|id| device.alloc(schedule.buffers[id.0 as usize].bytes));
        let persistent = persistent.collect::<Result<_, _>>()?;
        let inner = Inner {
            base: Arc::new(base),
            others: Mutex::default(),
            device,
            because,
            names: graph.names().clone(),
            elements: graph.elements().to_vec(),
            images: graph.images().clone(),
            settable: graph.settable().to_vec(),
            persistent,
            jobs: runtime.jobs().clone(),
            process: runtime.process(),
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// The plan: what runs together, and why. Of a run over slices alone, as are those below.
    pub fn plan(&self) -> &Plan {
        &self.inner.base.plan
    }

    /// What the device was given.
    pub fn schedule(&self) -> &Checked {
        &self.inner.base.schedule
    }

    /// The most bytes that are on the device at once.
    pub fn peak_bytes(&self) -> u64 {
        self.inner.base.schedule.peak_bytes()
    }

    /// What the device is and can do.
    pub fn caps(&self) -> &device::Caps {
        self.inner.device.caps()
    }

    /// Why it was chosen.
    pub fn because(&self) -> &Because {
        &self.inner.because
    }

    /// Whether the code of each kernel was compiled or found in the cache.
    pub fn code(&self) -> &[Found] {
        self.inner.base.loaded.found()
    }

    /// Persistent data, to be read and written between runs.
    pub fn persistent<T: Pod>(&self, name: &str) -> Result<Buffer<T>, Error> {
        let inner = &*self.inner;
        let all = || inner.base.plan.graph.data.iter().filter(|data| data.role == Role::Persistent);
        let Some(at) = all().position(|data| data.name == name) else {
            let known = all().map(|data| data.name.clone()).collect();
            return Err(Error::UnknownData { data: name.to_owned(), known });
        };
        let memory = inner.persistent[at].clone();
        Buffer::over(Resident::new(inner.device.clone(), memory, inner.process))
    }

    /// Starts describing a run over slices, resident buffers, or both.
    pub fn call(&self) -> Run<'_> {
        Run { compiled: self, bound: Vec::new(), refused: None, deadline: None, control: None }
    }

    /// The threads that jobs run on; an error in a child of the process that has them.
    pub(crate) fn jobs(&self) -> Result<&Crew, Error> {
        process::same(self.inner.process, &*self.inner.device)?;
        Ok(&self.inner.jobs)
    }

    /// An error if each run does not set a value of this name.
    pub(crate) fn sets(&self, name: &str) -> Result<(), Error> {
        let Inner { names, settable, base, .. } = &*self.inner;
        if names.get(name).is_some_and(|data| settable.contains(data)) {
            return Ok(());
        }
        let known = settable.iter().map(|data| base.plan.graph.data[data.0 as usize].name.clone()).collect();
        Err(Error::UnknownValue { name: name.to_owned(), known })
    }

    /// Whether a run wants something of the caller for this data: not for a queue's words.
    pub(crate) fn is_callers(&self, data: &Data) -> bool {
        [Role::Input, Role::Output, Role::InOut].contains(&data.role) && !queue::is_words(&self.inner.base.plan, data)
    }

    /// By data: what the caller bound, where a run wants something.
    fn ordered<'a>(&self, bound: Vec<(String, Bound<'a>)>) -> Result<Vec<Option<Bound<'a>>>, Error> {
        let data = &self.inner.base.plan.graph.data;
        let names = || data.iter().filter(|data| self.is_callers(data)).map(|data| data.name.clone()).collect();
        let mut rows: Vec<Option<Bound<'a>>> = data.iter().map(|_| None).collect();
        for (name, bound) in bound {
            let at = self.inner.names.get(&name).map(|id| id.0 as usize);
            let Some(at) = at.filter(|&at| self.is_callers(&data[at])) else {
                return Err(Error::UnknownData { data: name, known: names() });
            };
            fits(&data[at], &self.inner.elements[at], &bound, &self.inner.device)?;
            let image = self.inner.images.get(&DataId(at as u32));
            if let (Some(expected), Some(got)) = (image, &bound.shape)
                && expected != got
            {
                return Err(Error::DataShape { data: name, expected: expected.to_string(), got: got.to_string() });
            }
            if rows[at].replace(bound).is_some() {
                return Err(Error::BoundTwice { buffer: name });
            }
        }
        let missing = |((_, data), row): &((DataId, &Data), &Option<_>)| self.is_callers(data) && row.is_none();
        match (0..).map(DataId).zip(data).zip(&rows).find(missing) {
            Some(((id, data), _)) if self.inner.settable.contains(&id) => {
                Err(Error::Unset { value: data.name.clone() })
            }
            Some(((_, data), _)) => Err(Error::UnboundData { data: data.name.clone() }),
            None => Ok(rows),
        }
    }

    /// What runs with these data on the device already, kept for the next run that has the same.
    fn variant(&self, resident: &[DataId], control: &Control) -> Result<Arc<Variant>, Error> {
        let inner = &*self.inner;
        if resident.is_empty() {
            return Ok(inner.base.clone());
        }
        let lock = || inner.others.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = |others: &mut Vec<(Vec<DataId>, Arc<Variant>)>| {
            let at = others.iter().position(|(of, _)| of == resident)?;
            others[..=at].rotate_right(1);
            Some(others[0].1.clone())
        };
        if let Some(variant) = kept(&mut lock()) {
            return Ok(variant);
        }
        // Nobody else is held up meanwhile.
        let (plan, schedule) = graph::with_residents(&inner.base.plan, resident)?;
        let fitted = device::fit(schedule, inner.device.caps())?;
        let variant = Arc::new(Variant::new(&*inner.device, plan, fitted, control)?);
        let mut others = lock();
        if let Some(variant) = kept(&mut others) {
            return Ok(variant);
        }
        others.truncate(KEPT_MAX - 1);
        others.insert(0, (resident.to_vec(), variant.clone()));
        Ok(variant)
    }

    pub(crate) fn run(&self, bound: Vec<(String, Bound<'_>)>, control: &Control) -> Result<Finished, Error> {
        let inner = &*self.inner;
        process::same(inner.process, &*inner.device)?;
        control.go_on()?;
        let mut rows = self.ordered(bound)?;
        let is_resident = |row: &Option<Bound<'_>>| matches!(row, Some(Bound { memory: Memory::Resident(..), .. }));
        let resident = (0..).map(DataId).zip(&rows).filter(|(_, row)| is_resident(row)).map(|(data, _)| data);
        let variant = self.variant(&resident.collect::<Vec<_>>(), control)?;
        let Plan { graph, placement, .. } = &variant.plan;
        let mut persistent = inner.persistent.iter();
        let residents = graph.data.iter().zip(&rows).filter(|(data, _)| data.stays()).map(|(_, row)| match row {
            Some(Bound { memory: Memory::Resident(resident, _), .. }) => &resident.memory,
            _ => persistent.next().expect("invariant persistent: one for each"),
        });
        let residents = residents.collect();
        let mut ours = variant.slices(&*inner.device)?;
        let slots = placement.slots.iter().zip(&mut ours).map(|(slot, ours)| match slot {
            Slot::Data(data) => match rows[data.0 as usize].take().map(|bound| bound.memory) {
                Some(Memory::Read(slice)) => Host::Read(slice),
                Some(Memory::Write(slice)) => Host::Write(slice),
                // A queue's words.
                None => Host::Write(ours),
                Some(Memory::Resident(..)) => unreachable!("invariant variant: its data has no slice"),
            },
            Slot::Values => Host::Read(&placement.values),
            Slot::Scratch(_) | Slot::Count(_) => Host::Write(ours),
        });
        let io = Io { hosts: slots.collect(), residents };
        let start = Instant::now();
        let stats = variant.loaded.run(io, control).map_err(|error| variant.named(error))?;
        let elapsed = start.elapsed();
        let count = |(slot, ours): (&Slot, &Vec<u8>)| match slot {
            Slot::Count(data) => {
                let word = ours.first_chunk().copied().expect("invariant count: it is a word");
                Some((graph.data[data.0 as usize].name.clone(), u32::from_le_bytes(word)))
            }
            Slot::Data(_) | Slot::Values | Slot::Scratch(_) => None,
        };
        let counts = placement.slots.iter().zip(&ours).filter_map(count).collect();
        let queues = queue::drained(&variant.plan, &ours);
        variant.spare.lock().unwrap_or_else(PoisonError::into_inner).push(ours);
        let (queues, loops) = (queues?, variant.loops(&stats)?);
        Ok(Finished { device: inner.device.caps().id.clone(), stats, elapsed, counts, loops, queues })
    }
}

impl Variant {
    fn new(device: &dyn Device, plan: Plan, fitted: Fitted, control: &Control) -> Result<Self, Error> {
        let schedule = fitted.schedule().clone();
        let loaded = device.load_with(fitted, &control.stop)?;
        Ok(Self { plan, schedule, loaded, spare: Mutex::default() })
    }

    /// What became of loops and branches; an error if one did not end as it must.
    fn loops(&self, stats: &Stats) -> Result<Vec<Loop>, Error> {
        let Plan { graph, placement, .. } = &self.plan;
        let of = |(looped, (_, block)): (&Looped, &(usize, BlockId))| {
            let body = &graph.blocks[block.0 as usize];
            if let (Repeat::Loop { limit, .. }, true) = (body.repeat, body.must_end && looped.limited > 0) {
                return Err(Error::LoopLimit { name: body.name.clone(), limit });
            }
            let &Looped { entries, turns, limited, .. } = looped;
            Ok(Loop { name: body.name.clone(), entries, turns, limited })
        };
        stats.loops.iter().zip(&placement.blocks).map(of).collect()
    }

    /// An error that names a step, with the wave's name instead.
    fn named(&self, error: device::Error) -> Error {
        let device::Error::GridLimit { step, grid, limit } = error else { return Error::Device(error) };
        let Plan { graph, placement, .. } = &self.plan;
        match placement.waves.iter().find(|(at, _)| *at == step) {
            Some((_, wave)) => Error::GridLimit { wave: graph.node_name(*wave), grid, limit },
            None => unreachable!("invariant placement: each dispatch is a wave's"),
        }
    }

    /// Host slices that are not the caller's, new or used.
    fn slices(&self, device: &dyn Device) -> Result<Slices, Error> {
        if let Some(slices) = self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop() {
            return Ok(slices);
        }
        let ours = self.plan.placement.slots.iter().zip(&self.schedule.hosts).map(|(slot, host)| {
            let bytes = match slot {
                Slot::Scratch(_) | Slot::Count(_) => host.bytes,
                Slot::Data(data) if queue::is_words(&self.plan, &self.plan.graph.data[data.0 as usize]) => host.bytes,
                Slot::Data(_) | Slot::Values => 0,
            };
            let mut slice = Vec::new();
            let refused = |_| {
                let what = format!("`{}` on the host", host.name);
                Error::Device(device::Error::OutOfMemory { device: device.caps().id.clone(), what, bytes })
            };
            slice.try_reserve_exact(bytes as usize).map_err(refused)?;
            slice.resize(bytes as usize, 0);
            Ok(slice)
        });
        ours.collect()
    }
}

/// Whether what is bound is what the graph's data is.
fn fits(data: &Data, element: &Element, bound: &Bound<'_>, device: &Arc<dyn Device>) -> Result<(), Error> {
    let name = || data.name.clone();
    if bound.bytes() != data.bytes {
        return Err(Error::DataSize { data: name(), expected_bytes: data.bytes, got_bytes: bound.bytes() });
    }
    if !element.same(&bound.element) {
        let (expected, got) = (element.name().to_owned(), bound.element.name().to_owned());
        return Err(Error::DataType { data: name(), expected, got });
    }
    match bound.memory {
        Memory::Resident(resident, _) if !Arc::ptr_eq(&resident.device, device) => {
            Err(Error::OtherDevice { buffer: name(), device: device.caps().id.clone() })
        }
        Memory::Read(_) if data.role != Role::Input => Err(Error::DataReadOnly { data: name() }),
        Memory::Read(_) | Memory::Write(_) | Memory::Resident(..) => Ok(()),
    }
}

/// A run being described; nothing happens until [`run`](Self::run).
#[derive(Debug)]
#[must_use = "a run does nothing until it is run"]
pub struct Run<'a> {
    compiled: &'a Compiled,
    bound: Vec<(String, Bound<'a>)>,
    refused: Option<Error>,
    deadline: Option<Duration>,
    control: Option<&'a Control>,
}

impl<'a> Run<'a> {
    /// Binds a slice or a resident [`Buffer`] to the input or output of this name; slices to
    /// outputs by `&mut`.
    ///
    /// What is bound to a buffer is there already and stays there: nothing is uploaded or
    /// downloaded, and several graphs and calls can share it. An output starts as zeros all the
    /// same. The buffer counts in the graph's budget, as persistent data does. The first run that
    /// has buffers for these data plans for it, and the plan is kept.
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
    /// graph.input::<u32>("x", 100).output::<u32>("y", 100);
    /// graph.wave("next", &next).bind("x", "x").bind("y", "y").over("y");
    /// let compiled = runtime.compile(&graph)?;
    ///
    /// let (mut here, mut there) = (runtime.buffer::<u32>(100)?, runtime.buffer::<u32>(100)?);
    /// for _ in 0..5 {
    ///     let finished = compiled.call().bind("x", &here).bind("y", &there).run()?;
    ///     assert_eq!(finished.stats.downloaded_bytes, 0);
    ///     std::mem::swap(&mut here, &mut there);
    /// }
    /// assert_eq!(here.to_vec()?, [5; 100]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn bind(mut self, data: &str, memory: impl Bind<'a>) -> Self {
        self.bound.push((data.to_owned(), memory.bound()));
        self
    }

    /// Sets a value that the graph declared by [`Graph::value`].
    pub fn set<T: Pod>(mut self, value: &str, to: &'a T) -> Self {
        match self.compiled.sets(value) {
            Ok(()) => self.bound.push((value.to_owned(), Bound::value(to))),
            Err(error) => self.refused = self.refused.or(Some(error)),
        }
        self
    }

    /// Ends the run, with [`Stopped`](seawall_core::device::Error::Stopped), if it is not done
    /// in this time; waiting for other runs counts.
    pub fn deadline(mut self, time: Duration) -> Self {
        self.deadline = Some(time);
        self
    }

    /// Lets others watch or stop it.
    pub fn control(mut self, control: &'a Control) -> Self {
        self.control = Some(control);
        self
    }

    /// Runs and waits; slices bound to outputs hold the results.
    pub fn run(self) -> Result<Finished, Error> {
        match self.control {
            Some(control) => self.run_with(control),
            None => self.run_with(&Control::default()),
        }
    }

    /// Runs and waits, while others watch or stop it through `control`.
    pub fn run_with(self, control: &Control) -> Result<Finished, Error> {
        if let Some(error) = self.refused {
            return Err(error);
        }
        match self.deadline {
            None => self.compiled.run(self.bound, control),
            Some(time) => within(time, control, || self.compiled.run(self.bound, control)),
        }
    }
}
