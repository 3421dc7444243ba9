//! Failures on purpose: whoever opens a device may make any call of the driver fail, to see
//! that the failure comes back as the right error and that the next run works.

/// A call that can fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Point {
    /// A buffer is made.
    Alloc,
    /// A kernel is compiled.
    Compile,
    /// Buffers are bound to a kernel.
    Bind,
    /// Commands are handed to the device.
    Submit,
    /// The host waits for the device.
    Wait,
    /// A staging buffer is mapped into the host's memory.
    Map,
}

/// What goes wrong there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// There is no memory for it.
    OutOfMemory,
    /// The driver refuses the call.
    Refused,
    /// The device is really lost: everything on it is gone.
    Lost,
}

/// Decides, at each call, whether it fails.
pub trait Faults: Send + Sync {
    /// What goes wrong at this call, if anything.
    fn at(&self, point: Point) -> Option<Fault>;
}
