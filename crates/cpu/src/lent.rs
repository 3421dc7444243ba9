//! The device's name, and its memory behind the handles that callers have.

use seawall_core::device::{Buffer, Error};

use crate::exec::memory::{self, Memory};

/// What to type to choose this device.
pub const ID: &str = "cpu";

/// The memory that a buffer lies in. A handle's size is the caller's word; the memory's own is
/// what counts.
pub(crate) fn memory_of(buffer: &Buffer) -> Result<&Memory, Error> {
    let memory: Option<&Memory> = buffer.memory.downcast_ref();
    let memory = memory.ok_or_else(|| Error::ForeignBuffer { device: ID.to_owned() })?;
    let Buffer { offset, bytes, .. } = *buffer;
    match offset.checked_add(bytes) {
        Some(end) if end <= memory.bytes() => Ok(memory),
        _ => Err(Error::OutsideBuffer { offset, bytes, buffer_bytes: memory.bytes() }),
    }
}

/// A failure of memory as the contract has it.
pub(crate) fn refused(error: &memory::Error, device: &str, what: &str) -> Error {
    match *error {
        memory::Error::OutOfMemory { bytes } => {
            Error::OutOfMemory { device: device.to_owned(), what: what.to_owned(), bytes }
        }
        memory::Error::Outside { offset, bytes, buffer_bytes } => Error::OutsideBuffer { offset, bytes, buffer_bytes },
    }
}
