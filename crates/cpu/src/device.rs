//! The device: memory, compiled kernels, worker threads.

use std::num::NonZeroUsize;
use std::ptr::NonNull;
use std::sync::Arc;

use seawall_core::cache::{Cache, Hands, Wanted};
use seawall_core::check::Checked;
use seawall_core::device::{self, Buffer, Caps, Error, Fitted, Kind, Limits, Stop, SubgroupSize};
use seawall_core::program::Kernel;

use crate::build::Excess;
use crate::compile::{self, Code};
use crate::crew::Crew;
use crate::effort::Effort;
use crate::exec::fault;
use crate::exec::memory::{self, Edge, Memory, View};
use crate::exec::pool::{Pool, WORKERS_MAX};
use crate::exec::stack;
use crate::lent::{ID, memory_of, refused};
use crate::run::Loaded;
use crate::target::{Backend, Target};
use crate::width::Lanes;

/// The largest buffer that an index can address with the smallest stride.
const BUFFER_BYTES_MAX: u64 = 1 << 40;

/// Workgroup memory of a kernel; it stays in a core's cache up to a few hundred KiB.
const WORKGROUP_BYTES_MAX: u64 = 1 << 24;

const WORKGROUP_INVOCATIONS_MAX: u64 = 1 << 14;

/// Worker threads at the most.
pub const THREADS_MAX: usize = WORKERS_MAX;

/// Kernels whose code is kept for schedules to come; a page or a few each.
const CODES_MAX: usize = 256;

/// Kernels that are compiled at once, those included that nobody waits for any more.
pub const COMPILES_MAX: usize = 8;

/// Threads to compile on, for this device and for others that compile.
pub fn compilers() -> Arc<Crew> {
    Arc::new(Crew::new("seawall compile", COMPILES_MAX, compile::STACK_BYTES))
}

/// How the device runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Config {
    /// Worker threads, [`THREADS_MAX`] at the most; as many as the machine runs at once if `None`.
    pub threads: Option<NonZeroUsize>,
    /// Invocations that run together; decided for each kernel if `None`.
    pub lanes: Option<Lanes>,
    /// Lets `a * b + c` round once, where the processor can do so. Results then differ from the
    /// reference device's, within what WGSL allows.
    pub contract: bool,
    /// Invocations of a subgroup.
    pub subgroup: SubgroupSize,
    /// How hard the code generator tries; by the size of each kernel if `None`.
    pub effort: Option<Effort>,
    /// Who writes machine code; the best that runs here if `None`, unless the environment's `SEAWALL_BACKEND`
    /// names one.
    pub backend: Option<Backend>,
    /// For tests: where all memory ends or begins at pages that cannot be touched, and what is only
    /// read cannot be written. Slow, and on Linux only.
    pub edge: Option<Edge>,
}

impl Config {
    /// What of it the compiler is to know.
    pub(crate) fn options(self) -> compile::Options {
        let Self { lanes, subgroup, contract, effort, edge, .. } = self;
        compile::Options { lanes, subgroup, contract, effort, edge }
    }
}

/// Why there is no device.
#[derive(Debug, thiserror::Error)]
#[error("{reason}")]
pub struct OpenError {
    /// For the user, lower case, no full stop.
    pub reason: String,
}

/// The CPU device.
pub struct Device {
    caps: Arc<Caps>,
    target: Arc<Target>,
    options: compile::Options,
    codes: Cache<compile::Options, Code, Error>,
    pool: Arc<Pool>,
}

impl Device {
    /// Starts the worker threads.
    pub fn open(config: Config) -> Result<Self, OpenError> {
        Self::open_with(config, compilers())
    }

    /// The same, with these threads to compile on.
    pub fn open_with(config: Config, crew: Arc<Crew>) -> Result<Self, OpenError> {
        if config.edge.is_some() {
            if cfg!(not(target_os = "linux")) {
                return Err(OpenError { reason: "memory with edges needs Linux".to_owned() });
            }
            fault::watch();
        }
        let there = || {
            std::thread::available_parallelism()
                .ok()
                .map(|threads| threads.min(NonZeroUsize::new(THREADS_MAX).unwrap_or(threads)))
        };
        let threads = config.threads.or_else(there).unwrap_or(NonZeroUsize::MIN);
        let target = compile::target(config.backend).map_err(|error| OpenError { reason: error.to_string() })?;
        let pool = Pool::new(threads).map_err(|error| OpenError { reason: error.to_string() })?;
        let caps = Caps {
            id: ID.to_owned(),
            name: format!("{} threads, {}", threads, target.name()),
            kind: Kind::Cpu,
            limits: Limits {
                buffer_bytes_max: BUFFER_BYTES_MAX,
                workgroup_bytes_max: WORKGROUP_BYTES_MAX,
                workgroup_invocations_max: WORKGROUP_INVOCATIONS_MAX,
                ..Limits::NONE
            },
            native_grid_barrier: false,
            indirect: true,
            control: true,
            subgroup: Some(config.subgroup.get()..=config.subgroup.get()),
            subgroup_barrier: true,
            f16: true,
            int64: true,
            f64: true,
            atomic_f32: true,
            atomic_int64_min_max: true,
            atomic_int64: true,
            threads: Some(threads),
            memory_bytes: None,
            facts: Vec::new(),
        };
        let codes = Cache::new(CODES_MAX, Some(crew as Arc<dyn Hands>));
        Ok(Self {
            caps: Arc::new(caps),
            target: Arc::new(target),
            options: config.options(),
            codes,
            pool: Arc::new(pool),
        })
    }

    /// Where a buffer's bytes are, for as long as its memory is kept: for callers who hand pointers on. Whoever
    /// goes through it sees to it that no run and no other caller uses these bytes meanwhile.
    pub fn address(&self, buffer: &Buffer) -> Result<NonNull<u8>, Error> {
        let mut memory = memory_of(buffer)?.lock();
        let bytes = memory.view().range(buffer.offset, buffer.bytes);
        bytes.map(View::start).map_err(|error| refused(&error, ID, "an address"))
    }
}

/// A kernel that could not be compiled, as the contract has it.
fn refuse(kernel: &Kernel, error: &compile::Error) -> Error {
    let (code, span) = match error {
        compile::Error::Excess(Excess::Operations { span, .. }) => ("too-large", *span),
        compile::Error::Excess(Excess::Nesting { span, .. }) => ("too-deep", *span),
        compile::Error::Excess(Excess::Instructions { .. } | Excess::Loops { .. }) => ("too-large", None),
        compile::Error::Target { .. }
        | compile::Error::Thread { .. }
        | compile::Error::Codegen { .. }
        | compile::Error::Scratch { .. }
        | compile::Error::Frame { .. }
        | compile::Error::Memory { .. }
        | compile::Error::NotCranelift
        | compile::Error::GivenUp => {
            return device::unsupported(kernel, ID, &error.to_string());
        }
    };
    device::too_large(kernel, ID, code, &error.to_string(), span)
}

impl device::Device for Device {
    fn caps(&self) -> &Arc<Caps> {
        &self.caps
    }

    fn alloc(&self, bytes: u64) -> Result<Buffer, Error> {
        let limit_bytes = self.caps.limits.buffer_bytes_max;
        if bytes > limit_bytes {
            let device = self.caps.id.clone();
            return Err(Error::BufferTooLarge { device, buffer: "buffer".to_owned(), bytes, limit_bytes });
        }
        let memory = Memory::with_edge(bytes, self.options.edge);
        let memory = memory.map_err(|error| refused(&error, ID, "a resident buffer"))?;
        Ok(Buffer::new(Arc::new(memory), bytes))
    }

    fn write(&self, buffer: &Buffer, offset: u64, from: &[u8]) -> Result<(), Error> {
        let (memory, at) = (memory_of(buffer)?, buffer.place(offset, from.len() as u64)?);
        memory.lock().write(at, from).map_err(|error| refused(&error, ID, "a write"))
    }

    fn fill(&self, buffer: &Buffer, pattern: &[u8]) -> Result<(), Error> {
        let filled = memory_of(buffer)?.lock().fill(buffer.offset, buffer.bytes, pattern);
        filled.map_err(|error| refused(&error, ID, "a fill"))
    }

    fn copy(&self, from: &Buffer, to: &Buffer) -> Result<(), Error> {
        device::copy_fits(from, to)?;
        let (source, target) = (memory_of(from)?, memory_of(to)?);
        let mut guards = memory::lock_all(&[source, target], &Stop::default())?;
        let copied = guards.copy((source, from.offset), (target, to.offset), from.bytes);
        copied.map_err(|error| refused(&error, ID, "a copy"))
    }

    fn read(&self, buffer: &Buffer, offset: u64, to: &mut [u8]) -> Result<(), Error> {
        let (memory, at) = (memory_of(buffer)?, buffer.place(offset, to.len() as u64)?);
        memory.lock().read(at, to).map_err(|error| refused(&error, ID, "a read"))
    }

    fn lend(&self, buffers: &[&Buffer], work: &mut dyn FnMut(&mut [&mut [u8]])) -> Result<bool, Error> {
        if let [buffer] = buffers {
            let lent = memory::lend(&[memory_of(buffer)?], &[(buffer.offset, buffer.bytes)], work);
            return lent.map(|()| true).map_err(|error| refused(&error, ID, "a loan"));
        }
        device::lend_fits(buffers)?;
        let memories = buffers.iter().map(|buffer| memory_of(buffer)).collect::<Result<Vec<_>, _>>()?;
        let ranges: Vec<_> = buffers.iter().map(|buffer| (buffer.offset, buffer.bytes)).collect();
        let lent = memory::lend(&memories, &ranges, work);
        lent.map(|()| true).map_err(|error| refused(&error, ID, "a loan"))
    }

    fn load_with(&self, fitted: Fitted, stop: &Stop) -> Result<Box<dyn device::Loaded>, Error> {
        if !self.pool.is_here() {
            return Err(Error::Forked { device: ID.to_owned() });
        }
        let schedule = fitted.of(&self.caps)?;
        let code = |kernel: &Arc<Kernel>| {
            let (target, options, made) = (self.target.clone(), self.options, kernel.clone());
            let compile = move |wanted: &Wanted<'_>| {
                let code = compile::compile(&target, &made, options, &|| wanted.go_on());
                code.map_err(|error| refuse(&made, &error))
            };
            let got = self.codes.get(kernel, &self.options, stop, compile);
            got.map_err(|missed| device::missed(kernel, ID, missed))
        };
        let (codes, found): (Vec<Arc<Code>>, Vec<_>) = schedule.kernels.iter().map(code).collect::<Result<_, _>>()?;
        scratch_fits(&schedule, &codes, self.pool.workers() as u64)?;
        Ok(Box::new(Loaded::new(schedule, codes, found, self.pool.clone(), self.options.edge)))
    }
}

/// What workers need for themselves counts in a budget where it is more than a stack has room for.
fn scratch_fits(schedule: &Checked, codes: &[Arc<Code>], workers: u64) -> Result<(), Error> {
    let large = codes.iter().zip(&schedule.kernels).filter(|(code, _)| code.scratch_bytes() > stack::OWN_MAX);
    let (Some(budget_bytes), Some((code, kernel))) =
        (schedule.budget_bytes, large.max_by_key(|(code, _)| code.scratch_bytes()))
    else {
        return Ok(());
    };
    let (bytes, used_bytes) = (code.scratch_bytes().saturating_mul(workers), schedule.peak_bytes());
    if used_bytes.saturating_add(bytes) <= budget_bytes {
        return Ok(());
    }
    let what = format!("memory of {workers} workers for `{}`", kernel.name);
    Err(Error::OverBudget { device: ID.to_owned(), what, bytes, used_bytes, budget_bytes })
}
