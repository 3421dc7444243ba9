//! The device that defines every result: a plain interpreter of naga IR, obviously
//! right rather than fast. With a seed it interleaves invocations and workgroups at
//! every memory access, so that programs that depend on their order show it.
//!
//! Out-of-bounds reads give zero, writes are dropped, atomics do nothing and find zero.

mod types;
mod pointer;
mod eval;
mod memory;
mod atomic;
mod flatten;
mod code;
mod constant;
mod watch;
mod dispatch;
mod limit;
mod machine;
mod start;
mod subgroup;
mod group;
mod turns;
mod run;

use std::sync::Arc;

use self::code::Code;
use self::memory::Resident;
use self::run::Loaded;
use crate::cache::{Cache, Hands};
use crate::device::{self, Buffer, Caps, Error, Fitted, Kind, Limits, Stop, SubgroupSize};
use crate::program::Kernel;
use crate::sanitize;

/// What to type to choose this device.
pub const ID: &str = "reference";

/// The largest buffer: as far as a byte offset of 32 bits reaches.
pub const BUFFER_BYTES_MAX: u64 = 1 << 32;

/// Workgroup memory of a kernel: far beyond any GPU.
pub const WORKGROUP_BYTES_MAX: u64 = 1 << 24;

/// Invocations of a workgroup: sixteen times what GPUs offer.
pub const WORKGROUP_INVOCATIONS_MAX: u64 = 1 << 14;

/// Kernels whose code is kept for schedules to come.
const CODES_MAX: usize = 64;

/// How the device runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Config {
    /// Interleaves invocations as this seed says, instead of in order.
    pub seed: Option<u64>,
    /// Invocations of a subgroup.
    pub subgroup: SubgroupSize,
    /// Watches for races and the like. A run that shows an error ends in [`Error::Unsound`].
    pub sanitize: Option<sanitize::Config>,
}

/// The reference device.
#[derive(Debug)]
pub struct Device {
    caps: Arc<Caps>,
    config: Config,
    codes: Cache<(), Code, Error>,
}

impl Device {
    /// A device; there may be any number of them.
    pub fn new(config: Config) -> Self {
        Self::with_hands(config, None)
    }

    /// One that has its kernels prepared by these threads, since it has none of its own.
    pub fn with_hands(config: Config, hands: Option<Arc<dyn Hands>>) -> Self {
        let size = config.subgroup.get();
        let caps = Caps {
            id: ID.to_owned(),
            name: "reference interpreter".to_owned(),
            kind: Kind::Reference,
            limits: Limits {
                buffer_bytes_max: BUFFER_BYTES_MAX.min(isize::MAX as u64),
                workgroup_bytes_max: WORKGROUP_BYTES_MAX,
                workgroup_invocations_max: WORKGROUP_INVOCATIONS_MAX,
                ..Limits::NONE
            },
            native_grid_barrier: true,
            indirect: true,
            control: true,
            subgroup: Some(size..=size),
            subgroup_barrier: true,
            f16: true,
            int64: true,
            f64: true,
            atomic_f32: true,
            atomic_int64_min_max: true,
            atomic_int64: true,
            threads: Some(std::num::NonZeroUsize::MIN),
            memory_bytes: None,
            facts: Vec::new(),
        };
        Self { caps: Arc::new(caps), config, codes: Cache::new(CODES_MAX, hands) }
    }

    /// A buffer's memory, to be locked with others.
    fn shared(&self, buffer: &Buffer) -> Result<Arc<Resident>, Error> {
        buffer.memory.clone().downcast().map_err(|_| Error::ForeignBuffer { device: self.caps.id.clone() })
    }

    fn resident<'a>(&self, buffer: &'a Buffer) -> Result<&'a Resident, Error> {
        buffer.memory.downcast_ref().ok_or_else(|| Error::ForeignBuffer { device: self.caps.id.clone() })
    }
}

impl device::Device for Device {
    fn caps(&self) -> &Arc<Caps> {
        &self.caps
    }

    fn alloc(&self, bytes: u64) -> Result<Buffer, Error> {
        let (device, limit_bytes) = (self.caps.id.clone(), self.caps.limits.buffer_bytes_max);
        if bytes > limit_bytes {
            return Err(Error::BufferTooLarge { device, buffer: "buffer".to_owned(), bytes, limit_bytes });
        }
        let refused = |_| Error::OutOfMemory { device, what: "a resident buffer".to_owned(), bytes };
        let memory = memory::filled(bytes as usize, 0).map_err(refused)?;
        Ok(Buffer::new(Arc::new(Resident::new(memory)), bytes))
    }

    fn write(&self, buffer: &Buffer, offset: u64, from: &[u8]) -> Result<(), Error> {
        let mut bytes = self.resident(buffer)?.lock();
        let range = inside(buffer, offset, from.len() as u64, bytes.len())?;
        bytes[range].copy_from_slice(from);
        Ok(())
    }

    fn fill(&self, buffer: &Buffer, pattern: &[u8]) -> Result<(), Error> {
        let mut bytes = self.resident(buffer)?.lock();
        let range = inside(buffer, 0, buffer.bytes, bytes.len())?;
        if !pattern.is_empty() {
            bytes[range].chunks_mut(pattern.len()).for_each(|chunk| chunk.copy_from_slice(&pattern[..chunk.len()]));
        }
        Ok(())
    }

    fn copy(&self, from: &Buffer, to: &Buffer) -> Result<(), Error> {
        device::copy_fits(from, to)?;
        let residents = [self.shared(from)?, self.shared(to)?];
        let mut held = memory::lock_all(&residents, &Stop::default())?;
        let [source, target] = [held[0].0, held[1].0];
        let bytes = memory::whole(&mut held[source]);
        let bytes = bytes[inside(from, 0, from.bytes, bytes.len())?].to_vec();
        let target = memory::whole(&mut held[target]);
        let range = inside(to, 0, to.bytes, target.len())?;
        target[range].copy_from_slice(&bytes);
        Ok(())
    }

    fn read(&self, buffer: &Buffer, offset: u64, to: &mut [u8]) -> Result<(), Error> {
        let bytes = self.resident(buffer)?.lock();
        let range = inside(buffer, offset, to.len() as u64, bytes.len())?;
        to.copy_from_slice(&bytes[range]);
        Ok(())
    }

    fn lend(&self, buffers: &[&Buffer], work: &mut dyn FnMut(&mut [&mut [u8]])) -> Result<bool, Error> {
        device::lend_fits(buffers)?;
        let residents = buffers.iter().map(|buffer| self.shared(buffer)).collect::<Result<Vec<_>, _>>()?;
        let mut held = memory::lock_all(&residents, &Stop::default())?;
        let lent = buffers.iter().zip(&mut held).map(|(buffer, held)| {
            let bytes = memory::whole(held);
            let range = inside(buffer, 0, buffer.bytes, bytes.len())?;
            Ok(&mut bytes[range])
        });
        work(&mut lent.collect::<Result<Vec<_>, Error>>()?);
        Ok(true)
    }

    fn load_with(&self, fitted: Fitted, stop: &Stop) -> Result<Box<dyn device::Loaded>, Error> {
        let schedule = fitted.of(&self.caps)?;
        let code = |kernel: &Arc<Kernel>| {
            let made = kernel.clone();
            let got = self.codes.get(kernel, &(), stop, move |_| prepare(&made));
            got.map_err(|missed| device::missed(kernel, ID, missed))
        };
        let (codes, found) = schedule.kernels.iter().map(code).collect::<Result<_, _>>()?;
        Ok(Box::new(Loaded { device: self.caps.id.clone(), schedule, codes, found, config: self.config }))
    }
}

fn prepare(kernel: &Kernel) -> Result<Code, Error> {
    let code = Code::new(kernel);
    match code.oversized(kernel) {
        None => Ok(code),
        Some((what, bytes)) => Err(Error::OutOfMemory { device: ID.to_owned(), what, bytes }),
    }
}

/// Where so many of a buffer's bytes lie in its memory, which has this many.
fn inside(buffer: &Buffer, offset: u64, bytes: u64, memory_bytes: usize) -> Result<std::ops::Range<usize>, Error> {
    let start = buffer.place(offset, bytes)?;
    match start.checked_add(bytes) {
        Some(end) if end <= memory_bytes as u64 => Ok(start as usize..end as usize),
        _ => Err(Error::OutsideBuffer { offset: start, bytes, buffer_bytes: memory_bytes as u64 }),
    }
}
