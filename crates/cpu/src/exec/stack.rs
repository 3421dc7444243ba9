//! The stack of compiled code.
//!
//! A frame is as large as the values that a kernel has at hand at once, and kernels are anybody's.
//! So compiled code touches each page of its frame in turn (both back ends see to that), a thread's own
//! stack is lent to frames up to [`OWN_MAX`] only, and larger ones lie in the worker's scratch
//! memory, which is asked for and refused like any other.

use crate::context::{Context, Entry};

/// The largest frame on a thread's own stack: little beside the two megabytes that threads have, for
/// a caller's thread is a worker too.
pub(crate) const OWN_MAX: u64 = 128 << 10;

/// The stack of a worker thread, whatever the environment says.
pub(crate) const THREAD_BYTES: usize = 2 << 20;

/// Room below a frame for what compiled code calls: functions of `core::math`, which take a few hundred
/// bytes; and for a handler of a signal that comes meanwhile.
const CALLS_BYTES: u64 = 64 << 10;

/// Whether code can run on a stack that is not its thread's.
const MOVES: bool = cfg!(all(target_arch = "x86_64", unix));

/// Where the frame of a function lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stack {
    /// On the stack of the thread that calls it.
    Own,
    /// In scratch memory of so many bytes.
    Separate(u64),
}

impl Stack {
    /// For a frame of so many bytes, if there is a place for it.
    pub(crate) fn of(frame_bytes: u64) -> Option<Self> {
        if frame_bytes <= OWN_MAX {
            return Some(Self::Own);
        }
        MOVES.then(|| Self::Separate((frame_bytes + CALLS_BYTES).next_multiple_of(64)))
    }

    pub(crate) fn bytes(self) -> u64 {
        match self {
            Self::Own => 0,
            Self::Separate(bytes) => bytes,
        }
    }
}

/// Calls compiled code with its frame below `top`.
///
/// # Safety
/// As the code asks for; and below `top`, which is aligned to 16 bytes, is writable memory of the size
/// that [`Stack::bytes`] says, which nobody else uses meanwhile.
#[cfg(all(target_arch = "x86_64", unix))]
pub(crate) unsafe fn call_on(top: *mut u8, entry: Entry, context: *mut Context, first: u64, count: u64) {
    // SAFETY: the code keeps r12, as every function of this convention does, and so finds its way
    // back to the stack that it came from. It does not unwind.
    unsafe {
        std::arch::asm!(
            "mov r12, rsp",
            "mov rsp, rax",
            "call rcx",
            "mov rsp, r12",
            in("rax") top,
            in("rcx") entry,
            in("rdi") context,
            in("rsi") first,
            in("rdx") count,
            out("r12") _,
            clobber_abi("C"),
        );
    }
}

/// Nowhere else.
///
/// # Safety
/// None.
#[cfg(not(all(target_arch = "x86_64", unix)))]
pub(crate) unsafe fn call_on(_: *mut u8, _: Entry, _: *mut Context, _: u64, _: u64) {
    unreachable!("invariant stacks: code that needs one of its own was refused")
}
