//! What generated code is called with. The layout is known to the code generator.

use std::mem::offset_of;
use std::sync::atomic::AtomicU8;

/// A bound buffer.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct Buffer {
    pub(crate) pointer: *mut u8,
    /// Elements of the runtime-sized tail, 2³² - 1 at most.
    pub(crate) length: u64,
}

/// The world of one call.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Context {
    /// By row of the kernel's buffer table.
    pub(crate) buffers: *const Buffer,
    /// The worker's own memory, as large as `walk::frame::Frame` says.
    pub(crate) scratch: *mut u8,
    /// The kernel's tables.
    pub(crate) constants: *const u8,
    /// The code returns soon after this is no longer zero.
    pub(crate) stop: *const AtomicU8,
    /// Workgroups in each dimension.
    pub(crate) grid: [u32; 3],
    /// One more than the label of the loop in which it stopped; 0 if it ran to its end.
    pub(crate) stopped_in: u32,
}

pub(crate) const BUFFERS: u64 = offset_of!(Context, buffers) as u64;
pub(crate) const SCRATCH: u64 = offset_of!(Context, scratch) as u64;
pub(crate) const CONSTANTS: u64 = offset_of!(Context, constants) as u64;
pub(crate) const STOP: u64 = offset_of!(Context, stop) as u64;
pub(crate) const GRID: u64 = offset_of!(Context, grid) as u64;
pub(crate) const STOPPED_IN: u64 = offset_of!(Context, stopped_in) as u64;
pub(crate) const BUFFER_BYTES: u64 = size_of::<Buffer>() as u64;
pub(crate) const BUFFER_LENGTH: u64 = offset_of!(Buffer, length) as u64;

/// The code of a kernel: runs workgroups `first..first + count`, counted along x, then y, then z.
pub(crate) type Entry = unsafe extern "C" fn(context: *mut Context, first: u64, count: u64);
