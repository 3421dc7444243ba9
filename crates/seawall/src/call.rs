//! One dispatch: bindings by name, a grid, and what comes of it.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytemuck::Pod;
use seawall_core::cache::Found;
use seawall_core::check::{Checked, check};
use seawall_core::device::{self, Control, Host, Io, Stats};
use seawall_core::program::texture::SHAPES;
use seawall_core::program::{self, Kernel};
use seawall_core::route::{Because, Choice};
use seawall_core::schedule::{Binding, Life, Schedule, Step, Writer};
use seawall_core::texture::{Sampler, Shape};

use crate::buffer::{Buffer, Resident};
use crate::deadline::within;
use crate::dims::Dims;
use crate::error::Error;
use crate::host::{Bind, Bound, Memory};
use crate::image::{self, Texels};
use crate::loaded::Ready;
use crate::runtime::Runtime;

/// Bytes of a grid on the device.
const GRID_BYTES: u64 = 12;

#[derive(Debug, Clone)]
enum Grid<'a> {
    Workgroups(Dims),
    Threads(Dims),
    /// The name of a buffer.
    Over(String),
    Indirect {
        grid: &'a Buffer<u32>,
        limit: Dims,
    },
}

/// A grid that is known, or where it is to be found.
#[derive(Debug, Clone, Copy)]
enum Launch<'a> {
    Workgroups([u32; 3]),
    Indirect { grid: &'a Resident, limit: [u32; 3] },
}

/// A call whose kernel is compiled.
struct Prepared {
    device: Arc<dyn device::Device>,
    because: Because,
    grid: [u32; 3],
    ready: Ready,
    code: Vec<Found>,
}

/// What a call did.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Who ran it.
    pub device: String,
    /// Why that device.
    pub because: Because,
    /// Workgroups in each dimension; at the most, if the device decided.
    pub grid: [u32; 3],
    /// What the device was given.
    pub schedule: Arc<Checked>,
    /// Whether the code of each kernel was compiled or found in the cache; a call has one kernel.
    pub code: Vec<Found>,
    /// The device's own account.
    pub stats: Stats,
    /// From the schedule's start to its end; compiling is not in it.
    pub elapsed: Duration,
}

/// A buffer of a kernel, as the caller calls it.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Slot {
    Named(String),
    /// By group and binding.
    At(u32, u32),
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(name) => f.write_str(name),
            Self::At(group, binding) => write!(f, "@group({group}) @binding({binding})"),
        }
    }
}

impl Slot {
    fn is(&self, buffer: &program::Buffer) -> bool {
        match self {
            Self::Named(name) => *name == buffer.name,
            Self::At(group, binding) => (*group, *binding) == (buffer.group, buffer.binding),
        }
    }
}

/// A dispatch being described; nothing happens until [`run`](Self::run).
///
/// ```
/// # fn main() -> Result<(), seawall::Error> {
/// let runtime = seawall::Runtime::new()?;
/// let scale = runtime.kernel(
///     "@group(0) @binding(0) var<uniform> by: f32;
///      @group(0) @binding(1) var<storage, read> x: array<f32>;
///      @group(0) @binding(2) var<storage, read_write> y: array<f32>;
///      @compute @workgroup_size(64)
///      fn main(@builtin(global_invocation_id) id: vec3<u32>) {
///          if id.x < arrayLength(&y) { y[id.x] = by * x[id.x]; }
///      }",
/// )?;
/// let (x, mut y) = (vec![1.5f32; 100], vec![0.0f32; 100]);
/// let outcome = runtime.call(&scale).value("by", &2.0f32).bind("x", &x).bind("y", &mut y).over("y").run()?;
/// assert_eq!(y, [3.0; 100]);
/// assert_eq!((outcome.grid, outcome.stats.invocations), ([2, 1, 1], 128));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "a call does nothing until it is run"]
pub struct Call<'a> {
    runtime: &'a Runtime,
    kernel: Arc<Kernel>,
    bound: Vec<(Slot, Bound<'a>)>,
    samplers: Vec<(String, Sampler)>,
    grid: Option<Grid<'a>>,
    deadline: Option<Duration>,
}

impl Runtime {
    /// Starts describing a run of `kernel`.
    pub fn call<'a>(&'a self, kernel: &Arc<Kernel>) -> Call<'a> {
        Call::new(self, kernel.clone())
    }

    /// Compiles a kernel for the open device, or for whichever takes it, without running it, so that
    /// its first call starts at once. Says what was compiled and what was there already.
    ///
    /// ```
    /// # fn main() -> Result<(), seawall::Error> {
    /// use seawall::cache::Found;
    ///
    /// let runtime = seawall::Runtime::new()?;
    /// let double = runtime.kernel(
    ///     "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
    ///      @compute @workgroup_size(64)
    ///      fn main(@builtin(global_invocation_id) id: vec3<u32>) { v[id.x] *= 2u; }",
    /// )?;
    /// assert_ne!(runtime.prepare(&double)?, [Found::Kept]);
    /// assert_eq!(runtime.prepare(&double)?, [Found::Kept]);
    /// let mut v = [1u32, 2, 3];
    /// let outcome = runtime.call(&double).bind("v", &mut v).threads(3).run()?;
    /// assert_eq!((v, outcome.code), ([2, 4, 6], vec![Found::Kept]));
    /// # Ok(())
    /// # }
    /// ```
    pub fn prepare(&self, kernel: &Arc<Kernel>) -> Result<Vec<Found>, Error> {
        let least = |buffer: &program::Buffer| match kernel.texture(&buffer.name) {
            None => (None, vec![0_u8; buffer.min_bytes as usize]),
            Some(texture) => {
                let shape = Shape::new(texture.dim, texture.format, [1; 3]).ok();
                (shape, vec![0; shape.map_or(0, |shape| shape.bytes() as usize)])
            }
        };
        let rows = || kernel.buffers.iter().filter(|buffer| buffer.name != program::texture::SHAPES);
        let mut memory: Vec<(Option<Shape>, Vec<u8>)> = rows().map(least).collect();
        let call = self.call(kernel).workgroups(1);
        let call = kernel.samplers.iter().fold(call, |call, slot| call.sampler(&slot.name, Sampler::nearest()));
        let bound = rows().zip(&mut memory).fold(call, |call, (buffer, (shape, bytes))| match shape {
            None => call.bind_at(buffer.group, buffer.binding, bytes),
            Some(shape) => call.bind_at(buffer.group, buffer.binding, Texels(*shape, bytes)),
        });
        bound.prepare()
    }
}

impl<'a> Call<'a> {
    pub(crate) fn new(runtime: &'a Runtime, kernel: Arc<Kernel>) -> Self {
        Self { runtime, kernel, bound: Vec::new(), samplers: Vec::new(), grid: None, deadline: None }
    }

    /// Binds a slice or a resident buffer to the buffer of this name. What the kernel
    /// writes must be bound by `&mut` or be resident.
    pub fn bind(mut self, name: &str, memory: impl Bind<'a>) -> Self {
        self.bound.push((Slot::Named(name.to_owned()), memory.bound()));
        self
    }

    /// The same for the buffer of this group and binding, whatever it is called: for kernels whose
    /// names are not known, or have none, as in SPIR-V.
    ///
    /// ```
    /// # fn main() -> Result<(), seawall::Error> {
    /// let runtime = seawall::Runtime::new()?;
    /// let add = runtime.kernel(
    ///     "@group(0) @binding(0) var<storage, read> x: array<f32>;
    ///      @group(1) @binding(2) var<storage, read_write> y: array<f32>;
    ///      @compute @workgroup_size(64)
    ///      fn main(@builtin(global_invocation_id) id: vec3<u32>) { y[id.x] += x[id.x]; }",
    /// )?;
    /// let (x, mut y) = ([1.0f32, 2.0], [10.0f32, 20.0]);
    /// runtime.call(&add).bind_at(0, 0, &x).bind_at(1, 2, &mut y).threads(2).run()?;
    /// assert_eq!(y, [11.0, 22.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn bind_at(mut self, group: u32, binding: u32, memory: impl Bind<'a>) -> Self {
        self.bound.push((Slot::At(group, binding), memory.bound()));
        self
    }

    /// Binds one value, such as the struct of a uniform.
    pub fn value<T: Pod>(mut self, name: &str, value: &'a T) -> Self {
        self.bound.push((Slot::Named(name.to_owned()), Bound::value(value)));
        self
    }

    /// Binds a sampler.
    pub fn sampler(mut self, name: &str, sampler: Sampler) -> Self {
        self.samplers.push((name.to_owned(), sampler));
        self
    }

    /// Runs this many workgroups.
    pub fn workgroups(mut self, count: impl Into<Dims>) -> Self {
        self.grid = Some(Grid::Workgroups(count.into()));
        self
    }

    /// Runs as many whole workgroups as cover this many invocations.
    pub fn threads(mut self, count: impl Into<Dims>) -> Self {
        self.grid = Some(Grid::Threads(count.into()));
        self
    }

    /// Runs an invocation for each element of what is bound to this buffer, or for each texel of an image: in
    /// x, y and z.
    pub fn over(mut self, buffer: &str) -> Self {
        self.grid = Some(Grid::Over(buffer.to_owned()));
        self
    }

    /// Runs as many workgroups as the first three elements of `grid` say when the device comes to
    /// it, each at most its limit. The kernel must not change them.
    ///
    /// ```
    /// # fn main() -> Result<(), seawall::Error> {
    /// let runtime = seawall::Runtime::new()?;
    /// let count = runtime.kernel(
    ///     "@group(0) @binding(0) var<storage, read_write> n: atomic<u32>;
    ///      @compute @workgroup_size(1) fn main() { atomicAdd(&n, 1u); }",
    /// )?;
    /// let (grid, n) = (runtime.buffer_from(&[3u32, 2, 1])?, runtime.buffer::<u32>(1)?);
    /// runtime.call(&count).bind("n", &n).indirect(&grid, [8, 8, 1]).run()?;
    /// assert_eq!(n.to_vec()?, [6]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn indirect(mut self, grid: &'a Buffer<u32>, limit: impl Into<Dims>) -> Self {
        self.grid = Some(Grid::Indirect { grid, limit: limit.into() });
        self
    }

    /// Ends the run, with [`Stopped`](seawall_core::device::Error::Stopped), if it is not done
    /// in this time, counted from the start of [`run`](Self::run). All of it counts: compiling,
    /// which then goes on by itself for the next who needs the kernel, waiting for a kernel that
    /// another call compiles, and waiting for other runs on the same device or the same buffers.
    ///
    /// ```
    /// # fn main() -> Result<(), seawall::Error> {
    /// use std::time::Duration;
    /// use seawall::device::{Error::Stopped, Reason};
    ///
    /// let runtime = seawall::Runtime::new()?;
    /// let wait = runtime.kernel(
    ///     "@group(0) @binding(0) var<storage, read_write> flag: array<u32>;
    ///      @compute @workgroup_size(1) fn main() { loop { if flag[0] == 1u { break; } } }",
    /// )?;
    /// let mut flag = [0u32];
    /// let run = runtime.call(&wait).bind("flag", &mut flag).workgroups(1).deadline(Duration::from_millis(20)).run();
    /// let Err(seawall::Error::Device(Stopped { reason, report })) = run else { panic!("it never ends") };
    /// assert_eq!(reason, Reason::Deadline);
    /// println!("{}", report.unwrap()); // the loop that it was in
    /// # Ok(())
    /// # }
    /// ```
    pub fn deadline(mut self, time: Duration) -> Self {
        self.deadline = Some(time);
        self
    }

    /// Runs and waits; slices bound by `&mut` hold the results.
    pub fn run(self) -> Result<Outcome, Error> {
        self.run_with(&Control::default())
    }

    /// Runs and waits, while others watch or stop it through `control`.
    ///
    /// ```
    /// # fn main() -> Result<(), seawall::Error> {
    /// use std::sync::atomic::Ordering;
    /// use seawall::device::{Control, Reason};
    ///
    /// let runtime = seawall::Runtime::new()?;
    /// let wait = runtime.kernel(
    ///     "@group(0) @binding(0) var<storage, read_write> flag: array<u32>;
    ///      @compute @workgroup_size(1) fn main() { loop { if flag[0] == 1u { break; } } }",
    /// )?;
    /// let (control, mut flag) = (Control::default(), [0u32]);
    /// let stopped = std::thread::scope(|scope| {
    ///     scope.spawn(|| control.stop.ask(Reason::Caller));
    ///     runtime.call(&wait).bind("flag", &mut flag).workgroups(1).run_with(&control)
    /// });
    /// assert!(stopped.is_err());
    /// assert_eq!(control.workgroups_done.load(Ordering::Relaxed), 0);
    /// # Ok(())
    /// # }
    /// ```
    pub fn run_with(self, control: &Control) -> Result<Outcome, Error> {
        match self.deadline {
            None => self.execute(control),
            Some(time) => within(time, control, || self.execute(control)),
        }
    }

    /// Compiles all that [`run`](Self::run) would, and runs nothing: the next call of this kernel, of
    /// whatever sizes, does not compile it. Says what was compiled and what was there.
    pub fn prepare(mut self) -> Result<Vec<Found>, Error> {
        let told = self.told()?;
        Ok(self.ready(&told, &Control::default())?.0.code)
    }

    fn execute(mut self, control: &Control) -> Result<Outcome, Error> {
        let told = self.told()?;
        let (Prepared { device, because, grid, ready, code }, io) = self.ready(&told, control)?;
        let start = Instant::now();
        let stats = ready.loaded.run(io, control).map_err(|error| self.named(error))?;
        let device = device.caps().id.clone();
        Ok(Outcome { device, because, grid, schedule: ready.schedule, code, stats, elapsed: start.elapsed() })
    }

    /// Takes the kernel for the formats of the images that are bound, and gives what it is told of them.
    fn told(&mut self) -> Result<Vec<u8>, Error> {
        let shape = |texture: &program::texture::Texture| {
            let is_its = |(slot, _): &&(Slot, Bound<'a>)| match slot {
                Slot::Named(name) => *name == texture.name,
                Slot::At(group, binding) => (*group, *binding) == (texture.group, texture.binding),
            };
            self.bound.iter().find(is_its).and_then(|(_, bound)| bound.shape)
        };
        let (kernel, told) = image::viewing(&self.kernel, shape, &self.samplers)?;
        self.kernel = kernel;
        Ok(told)
    }

    /// All that is done before the device runs it.
    fn ready<'b>(&mut self, told: &'b [u8], control: &Control) -> Result<(Prepared, Io<'b>), Error>
    where
        'a: 'b,
    {
        self.runtime.here()?;
        let Some(grid) = self.grid.take() else {
            return Err(Error::NoGrid { kernel: self.kernel.name.clone() });
        };
        let bound = self.ordered(told)?;
        let launch = self.launch(&grid, &bound)?;
        let (Launch::Workgroups(grid) | Launch::Indirect { limit: grid, .. }) = launch;
        let (schedule, io) = lay_out(&self.kernel, launch, bound, self.runtime)?;
        let schedule = self.runtime.cut(schedule)?;
        let (Choice { device, because }, fitted) = self.runtime.choose(&Arc::new(check(schedule)?))?;
        let (ready, code) = self.runtime.load(&device, fitted, control)?;
        Ok((Prepared { device, because, grid, ready, code }, io))
    }

    fn launch(&self, grid: &Grid<'a>, bound: &[Bound<'_>]) -> Result<Launch<'a>, Error> {
        let (kernel, size) = (|| self.kernel.name.clone(), self.kernel.workgroup_size);
        match grid {
            Grid::Workgroups(count) => Ok(Launch::Workgroups(count.get()?)),
            Grid::Threads(count) => {
                let count = count.get()?;
                Ok(Launch::Workgroups(std::array::from_fn(|i| count[i].div_ceil(size[i]))))
            }
            Grid::Over(buffer) => {
                let mut rows = self.kernel.buffers.iter().zip(bound);
                let row = rows.find(|(row, _)| row.name == *buffer && row.ty.tail().is_some());
                let (row, bound) = row.ok_or_else(|| Error::GridOver { kernel: kernel(), buffer: buffer.clone() })?;
                if let (Some(shape), Some(_)) = (bound.shape, self.kernel.texture(buffer)) {
                    return Ok(Launch::Workgroups(std::array::from_fn(|i| shape.size()[i].div_ceil(size[i]))));
                }
                let groups = row.ty.tail_len(bound.bytes()).div_ceil(u64::from(size[0]));
                Ok(Launch::Workgroups(Dims::from(groups).get()?))
            }
            Grid::Indirect { grid, limit } => {
                if grid.len() < 3 {
                    return Err(Error::GridBuffer { len: grid.len() });
                }
                Ok(Launch::Indirect { grid: grid.resident(), limit: limit.get()? })
            }
        }
    }

    /// An error that names a step, with the kernel's name instead.
    fn named(&self, error: device::Error) -> Error {
        match error {
            device::Error::GridLimit { grid, limit, .. } => {
                Error::CallGridLimit { kernel: self.kernel.name.clone(), grid, limit }
            }
            error => Error::Device(error),
        }
    }

    /// What is bound, in the order of the kernel's buffer table.
    fn ordered<'b>(&mut self, told: &'b [u8]) -> Result<Vec<Bound<'b>>, Error>
    where
        'a: 'b,
    {
        let ours = |buffer: &program::Buffer| buffer.name == SHAPES;
        let shapes = |buffer| ours(buffer).then(|| Bound::new::<u8>(Memory::Read(told)));
        let mut rows: Vec<Option<Bound<'b>>> = self.kernel.buffers.iter().map(shapes).collect();
        for (slot, bound) in std::mem::take(&mut self.bound) {
            let Some(at) = self.kernel.buffers.iter().position(|buffer| slot.is(buffer)) else {
                let known = self.kernel.buffers.iter().filter(|buffer| !ours(buffer)).map(|buffer| match slot {
                    Slot::Named(_) => buffer.name.clone(),
                    Slot::At(..) => Slot::At(buffer.group, buffer.binding).to_string(),
                });
                let (kernel, known) = (self.kernel.name.clone(), known.collect());
                return Err(Error::UnknownBuffer { kernel, buffer: slot.to_string(), known });
            };
            let bound = bound.cut(&self.kernel.buffers[at]);
            bound.fits(&self.kernel, &self.kernel.buffers[at])?;
            if rows[at].replace(bound).is_some() {
                return Err(Error::BoundTwice { buffer: self.kernel.buffers[at].name.clone() });
            }
        }
        let row = |(row, buffer): (Option<Bound<'b>>, &program::Buffer)| {
            row.ok_or_else(|| Error::Unbound {
                kernel: self.kernel.name.clone(),
                buffer: buffer.name.clone(),
                ty: buffer.ty.to_string(),
            })
        };
        rows.into_iter().zip(&self.kernel.buffers).map(row).collect()
    }
}

/// Upload everything, dispatch, download what was changed.
fn lay_out<'a>(
    kernel: &Arc<Kernel>,
    launch: Launch<'a>,
    bound: Vec<Bound<'a>>,
    runtime: &Runtime,
) -> Result<(Schedule, Io<'a>), Error> {
    let (mut writer, mut io) = (Writer::default(), Io::default());
    let kernel_id = writer.kernel(kernel);
    let (mut bindings, mut downloads) = (Vec::new(), Vec::new());
    for (row, bound) in kernel.buffers.iter().zip(bound) {
        let host = match bound.memory {
            Memory::Resident(resident, part) => {
                let whole = hand_in(&mut writer, &mut io, &row.name, resident, runtime)?;
                bindings.push(Binding { bytes: part.unwrap_or(whole.bytes), ..whole });
                continue;
            }
            Memory::Read(slice) => Host::Read(slice),
            Memory::Write(slice) => Host::Write(slice),
        };
        let bytes = host.bytes().len() as u64;
        let whole = writer.buffer(&row.name, bytes, Life::Transient);
        let id = writer.host(&row.name, bytes, matches!(host, Host::Write(_)));
        io.hosts.push(host);
        writer.step(Step::Upload { host: id, at: 0, to: whole });
        bindings.push(whole);
        if row.effects.writes || row.effects.updates {
            downloads.push(Step::Download { from: whole, host: id, at: 0, length: None });
        }
    }
    let dispatch = match launch {
        Launch::Workgroups(grid) => Step::Dispatch { kernel: kernel_id, grid, bindings },
        Launch::Indirect { grid, limit } => {
            let whole = hand_in(&mut writer, &mut io, "the grid", grid, runtime)?;
            let args = Binding { bytes: GRID_BYTES, ..whole };
            Step::DispatchIndirect { kernel: kernel_id, args, limit, bindings }
        }
    };
    writer.barrier();
    writer.step(dispatch);
    if !downloads.is_empty() {
        writer.barrier();
    }
    writer.schedule.steps.append(&mut downloads);
    Ok((writer.schedule, io))
}

/// All of a resident buffer. One that is there already is bound again.
fn hand_in<'a>(
    writer: &mut Writer,
    io: &mut Io<'a>,
    name: &str,
    resident: &'a Resident,
    runtime: &Runtime,
) -> Result<Binding, Error> {
    if !Arc::ptr_eq(&resident.device, runtime.device()) {
        return Err(Error::OtherDevice { buffer: name.to_owned(), device: runtime.caps().id.clone() });
    }
    let (memory, bytes) = (&resident.memory, resident.memory.bytes);
    let same =
        |other: &&device::Buffer| other.is_beside(memory) && (other.offset, other.bytes) == (memory.offset, bytes);
    if let Some(at) = io.residents.iter().position(same) {
        let buffer = writer.schedule.residents().nth(at).expect("invariant residents: one id for each buffer");
        return Ok(Binding { buffer, offset: 0, bytes });
    }
    io.residents.push(memory);
    Ok(writer.buffer(name, bytes, Life::Resident))
}
