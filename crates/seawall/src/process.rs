//! What has threads is of use only in the process that started them, not in a child of it.

use seawall_core::device::{self, Device};
use seawall_cpu::Process;

use crate::error::Error;

/// An error in a process that was forked since. Asked before anything is locked: in a child a lock
/// may be held by a thread that is not there.
pub(crate) fn same(process: Process, device: &dyn Device) -> Result<(), Error> {
    if process.is_this() {
        return Ok(());
    }
    Err(Error::Device(device::Error::Forked { device: device.caps().id.clone() }))
}
