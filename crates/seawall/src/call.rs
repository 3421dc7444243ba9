//! One dispatch: bindings by name, a grid, and what comes of it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytemuck::Pod;
use seawall_core::cache::Found;
use seawall_core::check::{Checked, check};
use seawall_core::device::{Control, Host, Io, Stats};
use seawall_core::program::{self, Kernel};
use seawall_core::route::{Because, Choice};
use seawall_core::schedule::{self, Binding, BufferId, HostId, KernelId, Life, Schedule, Step};

use crate::deadline::within;
use crate::error::Error;
use crate::host::{Bind, Bound, Element, Memory};
use crate::loaded::Ready;
use crate::runtime::Runtime;

/// One to three numbers, the rest 1: `n`, `[x, y]`, `[x, y, z]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dims(pub [u32; 3]);

impl From<u32> for Dims {
    fn from(x: u32) -> Self {
        Self([x, 1, 1])
    }
}

impl From<[u32; 2]> for Dims {
    fn from([x, y]: [u32; 2]) -> Self {
        Self([x, y, 1])
    }
}

impl From<[u32; 3]> for Dims {
    fn from(all: [u32; 3]) -> Self {
        Self(all)
    }
}

#[derive(Debug, Clone, Copy)]
enum Grid {
    Workgroups(Dims),
    Threads(Dims),
}

/// What a call did.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Who ran it.
    pub device: String,
    /// Why that device.
    pub because: Because,
    /// Workgroups in each dimension.
    pub grid: [u32; 3],
    /// What the device was given.
    pub schedule: Arc<Checked>,
    /// How the code of each kernel was come by; a call has one.
    pub code: Vec<Found>,
    /// The device's own account.
    pub stats: Stats,
    /// From the schedule's start to its end; compiling is not in it.
    pub elapsed: Duration,
}

/// A dispatch being described; nothing happens until [`run`](Self::run).
#[derive(Debug)]
#[must_use = "a call does nothing until it is run"]
pub struct Call<'a> {
    runtime: &'a Runtime,
    kernel: Arc<Kernel>,
    bound: Vec<(String, Bound<'a>)>,
    grid: Option<Grid>,
    deadline: Option<Duration>,
}

impl<'a> Call<'a> {
    pub(crate) fn new(runtime: &'a Runtime, kernel: Arc<Kernel>) -> Self {
        Self { runtime, kernel, bound: Vec::new(), grid: None, deadline: None }
    }

    /// Binds a slice or a resident buffer to the buffer of this name. What the kernel
    /// writes must be bound by `&mut` or be resident.
    pub fn bind(mut self, name: &str, memory: impl Bind<'a>) -> Self {
        self.bound.push((name.to_owned(), memory.bound()));
        self
    }

    /// Binds one value, such as the struct of a uniform.
    pub fn value<T: Pod>(mut self, name: &str, value: &'a T) -> Self {
        let memory = Memory::Read(bytemuck::bytes_of(value));
        self.bound.push((name.to_owned(), Bound { element: Element::of::<T>(), memory }));
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

    /// Ends the run, with [`Stopped`](seawall_core::device::Error::Stopped), if it is not done
    /// in this time, counted from the start of [`run`](Self::run). All of it counts: compiling,
    /// which then goes on by itself for the next who needs the kernel, waiting for a kernel that
    /// another call compiles, and waiting for other runs on the same device or the same buffers.
    pub fn deadline(mut self, time: Duration) -> Self {
        self.deadline = Some(time);
        self
    }

    /// Runs and waits; slices bound by `&mut` hold the results.
    pub fn run(self) -> Result<Outcome, Error> {
        self.run_with(&Control::default())
    }

    /// Runs and waits, while others watch or stop it through `control`.
    pub fn run_with(self, control: &Control) -> Result<Outcome, Error> {
        match self.deadline {
            None => self.execute(control),
            Some(time) => within(time, control, || self.execute(control)),
        }
    }

    fn execute(mut self, control: &Control) -> Result<Outcome, Error> {
        self.runtime.here()?;
        let grid = self.grid()?;
        let bound = self.ordered()?;
        let (schedule, io) = lay_out(&self.kernel, grid, bound, self.runtime)?;
        let checked = check(schedule)?;
        let Choice { device, because } = self.runtime.choose(&checked)?;
        let (Ready { schedule, loaded, .. }, code) = self.runtime.load(&device, checked, control)?;
        let start = Instant::now();
        let stats = loaded.run(io, control)?;
        let device = device.caps().id.clone();
        Ok(Outcome { device, because, grid, schedule, code, stats, elapsed: start.elapsed() })
    }

    fn grid(&self) -> Result<[u32; 3], Error> {
        match self.grid {
            None => Err(Error::NoGrid { kernel: self.kernel.name.clone() }),
            Some(Grid::Workgroups(Dims(count))) => Ok(count),
            Some(Grid::Threads(Dims(count))) => {
                Ok(std::array::from_fn(|i| count[i].div_ceil(self.kernel.workgroup_size[i])))
            }
        }
    }

    /// What is bound, in the order of the kernel's buffer table.
    fn ordered(&mut self) -> Result<Vec<Bound<'a>>, Error> {
        let mut rows: Vec<Option<Bound<'a>>> = self.kernel.buffers.iter().map(|_| None).collect();
        for (name, bound) in std::mem::take(&mut self.bound) {
            let Some(at) = self.kernel.buffers.iter().position(|buffer| buffer.name == name) else {
                let known = self.kernel.buffers.iter().map(|buffer| buffer.name.clone()).collect();
                return Err(Error::UnknownBuffer { kernel: self.kernel.name.clone(), buffer: name, known });
            };
            bound.fits(&self.kernel.name, &self.kernel.buffers[at])?;
            if rows[at].replace(bound).is_some() {
                return Err(Error::BoundTwice { buffer: name });
            }
        }
        let row = |(row, buffer): (Option<Bound<'a>>, &program::Buffer)| {
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
    grid: [u32; 3],
    bound: Vec<Bound<'a>>,
    runtime: &Runtime,
) -> Result<(Schedule, Io<'a>), Error> {
    let mut schedule = Schedule { kernels: vec![kernel.clone()], ..Schedule::default() };
    let mut io = Io::default();
    let (mut bindings, mut downloads) = (Vec::new(), Vec::new());
    for (row, bound) in kernel.buffers.iter().zip(bound) {
        let name = || row.name.clone();
        let host = match bound.memory {
            Memory::Resident(resident) => {
                if !Arc::ptr_eq(&resident.device, runtime.device()) {
                    let device = runtime.caps().id.clone();
                    return Err(Error::OtherDevice { buffer: name(), device });
                }
                let bytes = resident.memory.bytes;
                let seen = io.residents.iter().position(|other| Arc::ptr_eq(&other.memory, &resident.memory.memory));
                let buffer = if let Some(at) = seen {
                    schedule.residents().nth(at).expect("invariant residents: one id for each buffer")
                } else {
                    io.residents.push(&resident.memory);
                    push(&mut schedule, schedule::Buffer { name: name(), bytes, life: Life::Resident })
                };
                bindings.push(Binding { buffer, offset: 0, bytes });
                continue;
            }
            Memory::Read(slice) => Host::Read(slice),
            Memory::Write(slice) => Host::Write(slice),
        };
        let bytes = host.bytes().len() as u64;
        let buffer = push(&mut schedule, schedule::Buffer { name: name(), bytes, life: Life::Transient });
        let id = HostId(schedule.hosts.len() as u32);
        let writable = matches!(host, Host::Write(_));
        schedule.hosts.push(schedule::Host { name: name(), bytes, writable });
        io.hosts.push(host);
        let whole = Binding { buffer, offset: 0, bytes };
        schedule.steps.push(Step::Upload { host: id, at: 0, to: whole });
        bindings.push(whole);
        if row.effects.writes || row.effects.updates {
            downloads.push(Step::Download { from: whole, host: id, at: 0, length: None });
        }
    }
    schedule.steps.extend([Step::Barrier, Step::Dispatch { kernel: KernelId(0), grid, bindings }, Step::Barrier]);
    schedule.steps.append(&mut downloads);
    Ok((schedule, io))
}

fn push(schedule: &mut Schedule, buffer: schedule::Buffer) -> BufferId {
    schedule.buffers.push(buffer);
    BufferId(schedule.buffers.len() as u32 - 1)
}
