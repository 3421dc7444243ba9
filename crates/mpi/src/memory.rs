//! Where a rank has its data: on its device, or in the host's memory where the budget has no room for it.

use std::cell::{RefCell, RefMut};

use seawall::{Buffer, Runtime};

/// The bytes of some data. What the host has lies as words, so that numbers of every type lie where they may.
#[derive(Debug)]
pub(crate) enum Memory {
    Device(Buffer<u8>),
    Host { words: RefCell<Vec<u64>>, bytes: usize },
}

impl Memory {
    /// Zeros.
    pub(crate) fn new(runtime: &Runtime, bytes: usize, on_device: bool) -> Result<Self, seawall::Error> {
        if on_device {
            return runtime.buffer(bytes).map(Self::Device);
        }
        Ok(Self::Host { words: RefCell::new(vec![0; bytes.div_ceil(8)]), bytes })
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Device(buffer) => buffer.len(),
            Self::Host { bytes, .. } => *bytes,
        }
    }

    /// Copies bytes from `offset` on.
    pub(crate) fn read(&self, offset: usize, to: &mut [u8]) -> Result<(), seawall::Error> {
        match self {
            Self::Device(buffer) => buffer.read(offset, to),
            Self::Host { words, .. } => {
                to.copy_from_slice(&bytemuck::cast_slice(&words.borrow())[offset..offset + to.len()]);
                Ok(())
            }
        }
    }

    /// Replaces bytes from `offset` on.
    pub(crate) fn write(&self, offset: usize, from: &[u8]) -> Result<(), seawall::Error> {
        match self {
            Self::Device(buffer) => buffer.write(offset, from),
            Self::Host { words, .. } => {
                bytemuck::cast_slice_mut(&mut words.borrow_mut())[offset..offset + from.len()].copy_from_slice(from);
                Ok(())
            }
        }
    }

    /// What is on the device.
    pub(crate) fn device(&self) -> Option<&Buffer<u8>> {
        match self {
            Self::Device(buffer) => Some(buffer),
            Self::Host { .. } => None,
        }
    }

    /// What the host has.
    pub(crate) fn host(&self) -> Option<RefMut<'_, [u8]>> {
        match self {
            Self::Device(_) => None,
            Self::Host { words, bytes } => {
                Some(RefMut::map(words.borrow_mut(), |words| &mut bytemuck::cast_slice_mut(words)[..*bytes]))
            }
        }
    }
}
