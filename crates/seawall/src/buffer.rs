//! Device memory that outlives a call.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Bound, RangeBounds};
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
/// [`Runtime::buffer`](crate::Runtime::buffer). Clones share the memory, and so do parts of it
/// ([`range`](Self::range)) and other views of it ([`view`](Self::view)). Whatever takes a slice
/// takes a buffer too, and several graphs and calls can work on the same one.
///
/// ```
/// # fn main() -> Result<(), seawall::Error> {
/// let runtime = seawall::Runtime::new()?;
/// let all = runtime.buffer_from(&(0..256).collect::<Vec<u32>>())?;
/// let (first, second) = (all.range(..128)?, all.range(128..)?);
/// first.copy_from(&second)?;
/// second.fill(&7)?;
/// assert_eq!(all.to_vec()?[126..130], [254, 255, 7, 7]);
/// all.clear()?;
/// all.view::<f32>()?.write(1, &[1.0])?;
/// assert_eq!(all.to_vec()?[..3], [0, 0x3f80_0000, 0]);
/// # Ok(())
/// # }
/// ```
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

    /// Makes all elements zero, on the device.
    pub fn clear(&self) -> Result<(), Error> {
        process::same(self.resident.process, &*self.resident.device)?;
        Ok(self.resident.device.fill(&self.resident.memory, &[0])?)
    }

    /// Makes all elements this one, on the device.
    pub fn fill(&self, element: &T) -> Result<(), Error> {
        process::same(self.resident.process, &*self.resident.device)?;
        Ok(self.resident.device.fill(&self.resident.memory, bytemuck::bytes_of(element))?)
    }

    /// Makes all of it these bytes, over and over again, on the device. They are whole elements.
    pub fn fill_bytes(&self, pattern: &[u8]) -> Result<(), Error> {
        process::same(self.resident.process, &*self.resident.device)?;
        let (bytes, element_bytes) = (pattern.len() as u64, size_of::<T>() as u64);
        if bytes == 0 || !bytes.is_multiple_of(element_bytes) {
            return Err(Error::Elements { bytes, element_bytes });
        }
        Ok(self.resident.device.fill(&self.resident.memory, pattern)?)
    }

    /// Replaces all elements by those of another buffer of the same length, on the device. They
    /// may be parts of one buffer, and overlap: the elements are then those from before.
    pub fn copy_from(&self, other: &Self) -> Result<(), Error> {
        process::same(self.resident.process, &*self.resident.device)?;
        if self.len != other.len {
            return Err(Error::Length { len: other.len, buffer_len: self.len });
        }
        let (from, to) = (&other.resident, &self.resident);
        if !Arc::ptr_eq(&from.device, &to.device) {
            return Err(device::Error::ForeignBuffer { device: to.device.caps().id.clone() }.into());
        }
        Ok(to.device.copy(&from.memory, &to.memory)?)
    }

    /// These elements, in the same memory, to be bound or changed by themselves. Devices bind what
    /// starts at a multiple of 256 bytes, so a range must; and it must end at a multiple of 4 bytes
    /// or with the buffer.
    pub fn range(&self, range: impl RangeBounds<usize>) -> Result<Self, Error> {
        let start = match range.start_bound() {
            Bound::Included(&start) => Some(start),
            Bound::Excluded(&start) => start.checked_add(1),
            Bound::Unbounded => Some(0),
        };
        let end = match range.end_bound() {
            Bound::Included(&end) => end.checked_add(1),
            Bound::Excluded(&end) => Some(end),
            Bound::Unbounded => Some(self.len),
        };
        let (start, end) = (start.unwrap_or(usize::MAX), end.unwrap_or(usize::MAX));
        if start > end || end > self.len {
            return Err(Error::Range { start, end, len: self.len });
        }
        let element_bytes = size_of::<T>();
        let bytes = |elements: usize| (elements * element_bytes) as u64;
        let memory = self.resident.memory.part(bytes(start), bytes(end - start)).map_err(|error| match error {
            device::Error::PartAlign { .. } => Error::RangeAlign { start, end, element_bytes },
            error => Error::Device(error),
        })?;
        Ok(Self { resident: Resident { memory, ..self.resident.clone() }, len: end - start, element: PhantomData })
    }

    /// The same bytes as elements of another type.
    pub fn view<U: Pod>(&self) -> Result<Buffer<U>, Error> {
        Buffer::over(self.resident.clone())
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
            _ => Err(Error::Outside { start, len, buffer_len: self.len }),
        }
    }
}

impl Buffer<u8> {
    /// Lends the bytes of several buffers of one device to `work`, where they lie in the host's memory; where they do
    /// not, `work` is not called and there is no result. Runs and copies of these buffers wait meanwhile, so `work`
    /// must not start any. No two of them share memory.
    pub fn lend<R>(buffers: &[&Self], work: impl FnOnce(&mut [&mut [u8]]) -> R) -> Result<Option<R>, Error> {
        let Some(Resident { device, process, .. }) = buffers.first().map(|buffer| &buffer.resident) else {
            return Ok(Some(work(&mut [])));
        };
        process::same(*process, &**device)?;
        if buffers.iter().any(|buffer| !Arc::ptr_eq(&buffer.resident.device, device)) {
            return Err(device::Error::ForeignBuffer { device: device.caps().id.clone() }.into());
        }
        let (mut work, mut result) = (Some(work), None);
        let mut once = |slices: &mut [&mut [u8]]| result = work.take().map(|work| work(slices));
        match buffers {
            [one] => device.lend(&[&one.resident.memory], &mut once)?,
            several => device.lend(&several.iter().map(|one| &one.resident.memory).collect::<Vec<_>>(), &mut once)?,
        };
        Ok(result)
    }
}
