//! Device memory that outlives a call.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use bytemuck::Pod;
use seawall_core::device::{self, Device};
use seawall_cpu::Process;

use crate::error::Error;
use crate::process;

/// Memory and the device that it lives on.
#[derive(Clone)]
pub(crate) struct Resident {
    pub(crate) device: Arc<dyn Device>,
    pub(crate) memory: device::Buffer,
    process: Process,
}

impl Resident {
    pub(crate) fn new(device: Arc<dyn Device>, memory: device::Buffer, process: Process) -> Self {
        Self { device, memory, process }
    }
}

impl fmt::Debug for Resident {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes on {}", self.memory.bytes, self.device.caps().id)
    }
}

/// `len` elements of `T` on a device, kept between calls; made by
/// [`Runtime::buffer`](crate::Runtime::buffer). Clones share the memory.
#[derive(Debug, Clone)]
pub struct Buffer<T> {
    resident: Resident,
    len: usize,
    element: PhantomData<T>,
}

impl<T: Pod> Buffer<T> {
    pub(crate) fn zeros(device: &Arc<dyn Device>, len: usize, process: Process) -> Result<Self, Error> {
        process::same(process, &**device)?;
        let Some(bytes) = len.checked_mul(size_of::<T>()) else {
            return Err(Error::TooLong { len, element_bytes: size_of::<T>() });
        };
        let memory = device.alloc(bytes as u64)?;
        Ok(Self { resident: Resident::new(device.clone(), memory, process), len, element: PhantomData })
    }

    /// Memory that is already there, as whole elements.
    pub(crate) fn over(resident: Resident) -> Result<Self, Error> {
        let (bytes, element_bytes) = (resident.memory.bytes, size_of::<T>() as u64);
        if element_bytes == 0 || !bytes.is_multiple_of(element_bytes) {
            return Err(Error::Elements { bytes, element_bytes });
        }
        Ok(Self { resident, len: (bytes / element_bytes) as usize, element: PhantomData })
    }

    pub(crate) fn resident(&self) -> &Resident {
        &self.resident
    }

    /// Elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Replaces the elements from `start` on.
    pub fn write(&self, start: usize, from: &[T]) -> Result<(), Error> {
        process::same(self.resident.process, &*self.resident.device)?;
        let offset = self.offset(start, from.len())?;
        Ok(self.resident.device.write(&self.resident.memory, offset, bytemuck::cast_slice(from))?)
    }

    /// Copies elements from `start` on into `to`.
    pub fn read(&self, start: usize, to: &mut [T]) -> Result<(), Error> {
        process::same(self.resident.process, &*self.resident.device)?;
        let offset = self.offset(start, to.len())?;
        Ok(self.resident.device.read(&self.resident.memory, offset, bytemuck::cast_slice_mut(to))?)
    }

    /// All elements.
    pub fn to_vec(&self) -> Result<Vec<T>, Error> {
        let mut all = vec![T::zeroed(); self.len];
        self.read(0, &mut all)?;
        Ok(all)
    }

    fn offset(&self, start: usize, len: usize) -> Result<u64, Error> {
        match start.checked_add(len) {
            Some(end) if end <= self.len => Ok((start * size_of::<T>()) as u64),
            _ => Err(Error::Length { len: start.saturating_add(len), buffer_len: self.len }),
        }
    }
}
