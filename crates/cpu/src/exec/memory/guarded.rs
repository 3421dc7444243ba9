//! Memory that shows who goes outside it, for tests.
//!
//! One end lies at pages that cannot be touched: who reads or writes past it is stopped by the
//! processor, and [`super::super::fault`] says in which case. What is left of a page at the other
//! end, or at either where a number must be aligned, holds a pattern that is looked at when the
//! memory is given back. Around that lie pages that cannot be touched too, so that it shows on both
//! sides who goes far.

use std::ptr::NonNull;

use super::Edge;

/// Pages that cannot be touched, on each side: far enough for an index that is a workgroup off.
/// They are taken from the addresses, not from memory.
const BARRED: usize = 1 << 20;

/// Where an element of any size may begin: compiled code asks for no more of a caller's slice.
const STEP: usize = if cfg!(target_arch = "x86_64") { 4 } else { 8 };

/// What stands in the bytes around.
const PATTERN: u8 = 0xa5;

/// A mapping with barred pages at both ends.
#[derive(Debug)]
pub(super) struct Guarded {
    base: NonNull<u8>,
    room: usize,
    /// The pages that can be touched: from where, and how many bytes.
    skip: usize,
    open: usize,
    /// Bytes before and after the memory in them.
    around: [usize; 2],
}

impl Guarded {
    pub(super) fn new(size: usize, edge: Edge) -> Option<Self> {
        let page = page_bytes();
        let open = size.max(1).checked_next_multiple_of(page)?;
        let skip = BARRED.next_multiple_of(page);
        let room = open.checked_add(2 * skip)?;
        let before = match edge {
            Edge::Start => 0,
            Edge::End => (open - size) / STEP * STEP,
        };
        let base = map(room)?;
        let guarded = Self { base, room, skip, open, around: [before, open - size - before] };
        guarded.protect(false);
        for bytes in guarded.outside() {
            // SAFETY: `outside` gives writable bytes of the mapping, which nobody else has yet.
            unsafe { std::ptr::write_bytes(bytes.0.as_ptr(), PATTERN, bytes.1) };
        }
        Some(guarded)
    }

    /// Where the memory starts.
    pub(super) fn at(&self) -> NonNull<u8> {
        // SAFETY: inside the mapping, by construction.
        unsafe { self.base.add(self.skip + self.around[0]) }
    }

    /// The bytes before and after the memory that can be touched: where, and how many.
    fn outside(&self) -> [(NonNull<u8>, usize); 2] {
        let [before, after] = self.around;
        // SAFETY: both lie in the open pages of the mapping.
        unsafe { [(self.base.add(self.skip), before), (self.base.add(self.skip + self.open - after), after)] }
    }

    /// Whether the memory can be read only, from now on.
    pub(super) fn protect(&self, read_only: bool) {
        let access = libc::PROT_READ | if read_only { 0 } else { libc::PROT_WRITE };
        // SAFETY: whole pages of our own mapping.
        let done = unsafe { libc::mprotect(self.base.add(self.skip).as_ptr().cast(), self.open, access) };
        assert!(done == 0, "invariant guards: pages of our own can be protected");
    }

    /// Panics if something was written around the memory.
    pub(super) fn check(&self) {
        for ((at, bytes), side) in self.outside().into_iter().zip(["before", "after"]) {
            // SAFETY: initialised in `new`, and readable as long as the mapping is.
            let found = unsafe { std::slice::from_raw_parts(at.as_ptr(), bytes) };
            let whole = found.iter().all(|&byte| byte == PATTERN);
            assert!(whole, "invariant guards: compiled code wrote {side} its memory");
        }
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.check();
        }
        // SAFETY: mapped in `new` with this size, and no view outlives the owner.
        let done = unsafe { libc::munmap(self.base.as_ptr().cast(), self.room) };
        assert!(done == 0, "invariant guards: what was mapped can be unmapped");
    }
}

fn page_bytes() -> usize {
    // SAFETY: asks for a constant of the system.
    let bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(bytes).expect("invariant guards: the system has pages")
}

/// Pages that cannot be touched yet.
fn map(room: usize) -> Option<NonNull<u8>> {
    let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: a mapping of its own, wherever the system likes.
    let base = unsafe { libc::mmap(std::ptr::null_mut(), room, libc::PROT_NONE, kind, -1, 0) };
    if base == libc::MAP_FAILED { None } else { NonNull::new(base.cast()) }
}
