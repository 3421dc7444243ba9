//! Device memory, and who may touch it when.
//!
//! Compiled code on several threads reads and writes memory through raw pointers, so none of
//! it is ever behind a Rust reference while a run lives. Two rules make that sound:
//!
//! - [`Memory`] that runs and hosts share is touched only through its lock: [`Memory::lock`]
//!   for the host, [`lock_all`] for a run, which keeps every resident buffer that it binds
//!   until it ends. Two runs that bind the same buffer thus follow one another, and a host's
//!   read or write falls before or after a run, as WebGPU orders them.
//! - [`View`]s borrow the lock's guard, or a slice of the caller's. They go freely between
//!   threads; to go through their pointer is `unsafe`, and within a run the barriers of a
//!   checked schedule order what Rust code copies or clears against everything else. Races
//!   among invocations of a kernel stay among machine instructions and atomics of that
//!   kernel, inside its buffers.

#[cfg(target_os = "linux")]
mod guarded;
#[cfg(not(target_os = "linux"))]
mod guarded {
    //! Linux only: a device with such memory is not opened elsewhere.

    use std::ptr::NonNull;

    use super::Edge;

    #[derive(Debug)]
    pub(super) enum Guarded {}

    impl Guarded {
        pub(super) fn new(_: usize, _: Edge) -> Option<Self> {
            None
        }

        pub(super) fn at(&self) -> NonNull<u8> {
            match *self {}
        }

        pub(super) fn protect(&self, _: bool) {
            match *self {}
        }

        pub(super) fn check(&self) {
            match *self {}
        }
    }
}
mod pages;

use std::marker::PhantomData;
use std::ptr::NonNull;

use pages::Pages;
use seawall_core::stop::{Reason, Stop};
use seawall_core::turn::{Held, Turn};

/// A pattern is repeated from so many bytes, which stay in the cache, or from itself if it is
/// longer.
const FILL_BYTES: u64 = 1 << 15;

/// Which end of every memory lies at pages that cannot be touched: for tests, which so see who
/// goes outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Edge {
    /// Nothing can be touched before it.
    Start,
    /// Nothing can be touched after it.
    End,
}

/// What is wrong with a request for memory or for a range of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Error {
    /// The system does not give so much.
    #[error("no room for {bytes} bytes")]
    OutOfMemory {
        /// How much was asked for.
        bytes: u64,
    },
    /// A range past the end.
    #[error("bytes {offset} to {offset}+{bytes} lie outside a buffer of {buffer_bytes} bytes")]
    Outside {
        /// Where it starts.
        offset: u64,
        /// How much.
        bytes: u64,
        /// What there is.
        buffer_bytes: u64,
    },
}

/// Zeroed, aligned memory of its own.
#[derive(Debug)]
pub(crate) struct Memory {
    pages: Pages,
    bytes: u64,
    turn: Turn<()>,
}

// SAFETY: a `Memory` owns its allocation, which no thread is special to.
unsafe impl Send for Memory {}
// SAFETY: through a shared reference the bytes are reached only with the lock held.
unsafe impl Sync for Memory {}

impl Memory {
    /// Pages are taken when first touched, by whoever touches them.
    pub(crate) fn new(bytes: u64) -> Result<Self, Error> {
        let pages = usize::try_from(bytes).ok().and_then(Pages::new).ok_or(Error::OutOfMemory { bytes })?;
        Ok(Self { pages, bytes, turn: Turn::new(()) })
    }

    /// The same, with an edge that cannot be passed if there is to be one.
    pub(crate) fn with_edge(bytes: u64, edge: Option<Edge>) -> Result<Self, Error> {
        let Some(edge) = edge else { return Self::new(bytes) };
        let pages = usize::try_from(bytes).ok().and_then(|size| Pages::guarded(size, edge));
        let pages = pages.ok_or(Error::OutOfMemory { bytes })?;
        Ok(Self { pages, bytes, turn: Turn::default() })
    }

    /// Size.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether it can be read only from now on; only memory with an edge changes.
    pub(crate) fn protect(&self, read_only: bool) {
        if let Some(guarded) = self.pages.guard() {
            guarded.protect(read_only);
        }
    }

    /// Panics if it has an edge and something was written outside.
    pub(crate) fn check(&self) {
        if let Some(guarded) = self.pages.guard() {
            guarded.check();
        }
    }

    /// For compiled code that only reads it, as nobody writes it any more.
    pub(crate) fn as_ptr(&self) -> *const u8 {
        self.pages.at.as_ptr()
    }

    /// The bytes, without the lock: nobody else has this memory.
    pub(crate) fn view(&mut self) -> View<'_> {
        View { at: self.pages.at, bytes: self.bytes, writable: true, life: PhantomData }
    }

    /// Makes all of it zero; nobody else has this memory.
    pub(crate) fn clear(&mut self) {
        if !self.pages.renew(self.bytes as usize) {
            // SAFETY: nobody else has this memory.
            unsafe { self.view().clear() };
        }
    }

    /// Waits until no run and no host uses the memory. A holder that panicked left bytes
    /// behind, and any bytes will do.
    pub(crate) fn lock(&self) -> Guard<'_> {
        Guard { memory: self, _held: self.turn.wait() }
    }
}

/// Locks what a run binds, each memory once, in order of address, so that two runs never wait
/// for each other. Gives them up when it is asked to stop.
pub(crate) fn lock_all<'a>(memories: &[&'a Memory], stop: &Stop) -> Result<Guards<'a>, Reason> {
    let mut order = memories.to_vec();
    order.sort_unstable_by_key(|memory| std::ptr::from_ref(*memory));
    order.dedup_by_key(|memory| std::ptr::from_ref(*memory));
    let lock = |memory: &'a Memory| Ok(Guard { memory, _held: memory.turn.take(stop)? });
    Ok(Guards(order.into_iter().map(lock).collect::<Result<_, _>>()?))
}

/// Lends a range of each memory to `work` as slices, with all of them locked; they are different memories, or it waits for itself.
pub(crate) fn lend(
    memories: &[&Memory],
    ranges: &[(u64, u64)],
    work: &mut dyn FnMut(&mut [&mut [u8]]),
) -> Result<(), Error> {
    if let ([memory], [(offset, bytes)]) = (memories, ranges) {
        let mut guard = memory.lock();
        work(&mut [guard.slice(*offset, *bytes)?]);
        return Ok(());
    }
    // In order of address, as a run locks them.
    let mut order: Vec<usize> = (0..memories.len()).collect();
    order.sort_unstable_by_key(|&at| std::ptr::from_ref(memories[at]));
    let mut guards: Vec<(usize, Guard<'_>)> = order.into_iter().map(|at| (at, memories[at].lock())).collect();
    guards.sort_unstable_by_key(|(at, _)| *at);
    let mut slices = Vec::with_capacity(guards.len());
    for ((_, guard), (offset, bytes)) in guards.iter_mut().zip(ranges) {
        slices.push(guard.slice(*offset, *bytes)?);
    }
    work(&mut slices);
    Ok(())
}

/// Sole access to several memories, by address.
#[derive(Debug)]
pub(crate) struct Guards<'a>(Vec<Guard<'a>>);

impl Guards<'_> {
    /// A part of a memory that is among them.
    pub(crate) fn part(&mut self, memory: &Memory, offset: u64, bytes: u64) -> Result<View<'_>, Error> {
        let at = self.0.binary_search_by_key(&std::ptr::from_ref(memory), |guard| std::ptr::from_ref(guard.memory));
        self.0[at.expect("invariant locked: it is among them")].view().range(offset, bytes)
    }

    /// Copies a part of one memory to a part of another, or of the same.
    pub(crate) fn copy(&mut self, from: (&Memory, u64), to: (&Memory, u64), bytes: u64) -> Result<(), Error> {
        let View { at, .. } = self.part(from.0, from.1, bytes)?;
        let to = self.part(to.0, to.1, bytes)?;
        // SAFETY: it is as long as it was a line ago, and the guards are borrowed: nothing else
        // reaches these memories.
        unsafe { to.copy_from(View::raw(at, bytes)) };
        Ok(())
    }
}

/// Sole access to a memory.
#[derive(Debug)]
pub(crate) struct Guard<'a> {
    memory: &'a Memory,
    _held: Held<'a, ()>,
}

impl Guard<'_> {
    /// The bytes, for a run.
    pub(crate) fn view(&mut self) -> View<'_> {
        View { at: self.memory.pages.at, bytes: self.memory.bytes, writable: true, life: PhantomData }
    }

    /// The bytes of a range, for the host.
    fn slice(&mut self, offset: u64, bytes: u64) -> Result<&mut [u8], Error> {
        let View { at, bytes, .. } = self.view().range(offset, bytes)?;
        // SAFETY: the range lies inside of the memory, and the guard is borrowed: nothing else reaches it.
        Ok(unsafe { std::slice::from_raw_parts_mut(at.as_ptr(), bytes as usize) })
    }

    /// Copies bytes out.
    pub(crate) fn read(&mut self, offset: u64, to: &mut [u8]) -> Result<(), Error> {
        let from = self.view().range(offset, to.len() as u64)?;
        // SAFETY: the guard is borrowed, so nothing else reaches its memory; `to` is another's.
        unsafe { View::over_mut(to).copy_from(from) };
        Ok(())
    }

    /// Copies bytes in.
    pub(crate) fn write(&mut self, offset: u64, from: &[u8]) -> Result<(), Error> {
        let to = self.view().range(offset, from.len() as u64)?;
        // SAFETY: as in `read`.
        unsafe { to.copy_from(View::over(from)) };
        Ok(())
    }

    /// Repeats a pattern over a range; the last one may be cut.
    pub(crate) fn fill(&mut self, offset: u64, bytes: u64, pattern: &[u8]) -> Result<(), Error> {
        let all = self.view().range(offset, bytes)?;
        if pattern.iter().all(|&byte| byte == 0) {
            // SAFETY: as in `read`.
            unsafe { all.clear() };
            return Ok(());
        }
        let first = (pattern.len() as u64).min(bytes);
        // SAFETY: as in `read`.
        unsafe { all.range(0, first)?.copy_from(View::over(&pattern[..first as usize])) };
        let (mut done, mut whole) = (first, first);
        while done < bytes {
            let more = whole.min(bytes - done);
            // SAFETY: as in `read`; `more` bytes are done already.
            unsafe { all.range(done, more)?.copy_from(all.range(0, more)?) };
            done += more;
            whole = if whole < FILL_BYTES { done } else { whole };
        }
        Ok(())
    }
}

/// A range of bytes that threads and compiled code reach by its pointer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View<'a> {
    at: NonNull<u8>,
    bytes: u64,
    writable: bool,
    life: PhantomData<&'a [u8]>,
}

// SAFETY: a view is a pointer that is good for its life; going through it is `unsafe`, and
// whoever does answers for the other threads.
unsafe impl Send for View<'_> {}
// SAFETY: as above.
unsafe impl Sync for View<'_> {}

impl<'a> View<'a> {
    /// A slice that is only read, aligned as it happens to be.
    pub(crate) fn over(slice: &'a [u8]) -> Self {
        Self { at: NonNull::from(slice).cast(), bytes: slice.len() as u64, writable: false, life: PhantomData }
    }

    /// A slice that may be written, aligned as it happens to be.
    pub(crate) fn over_mut(slice: &'a mut [u8]) -> Self {
        Self { bytes: slice.len() as u64, at: NonNull::from(slice).cast(), writable: true, life: PhantomData }
    }

    /// Memory that someone else keeps.
    ///
    /// # Safety
    /// `at` points to `bytes` bytes that are there, and may be written, for the view's life.
    pub(crate) unsafe fn raw(at: NonNull<u8>, bytes: u64) -> Self {
        Self { at, bytes, writable: true, life: PhantomData }
    }

    /// Its first byte.
    pub(crate) fn start(self) -> NonNull<u8> {
        self.at
    }

    /// For compiled code. Never null; to be written only if it was made from writable memory.
    pub(crate) fn as_ptr(self) -> *mut u8 {
        self.at.as_ptr()
    }

    /// Size.
    pub(crate) fn bytes(self) -> u64 {
        self.bytes
    }

    /// Whether the bytes may be written.
    #[cfg(test)]
    pub(crate) fn writable(self) -> bool {
        self.writable
    }

    /// A part of it.
    pub(crate) fn range(self, offset: u64, bytes: u64) -> Result<Self, Error> {
        if offset.checked_add(bytes).is_none_or(|end| end > self.bytes) {
            return Err(Error::Outside { offset, bytes, buffer_bytes: self.bytes });
        }
        // SAFETY: inside the view, whose size in bytes is a `usize`.
        Ok(Self { at: unsafe { self.at.add(offset as usize) }, bytes, ..self })
    }

    /// Copies all of another view of the same size, which may overlap.
    ///
    /// # Safety
    /// Nobody writes `from` or touches `self` meanwhile.
    pub(crate) unsafe fn copy_from(self, from: View<'_>) {
        assert!(self.writable && self.bytes == from.bytes, "invariant: copies go to writable memory of equal size");
        // SAFETY: both are `bytes` long for their life; the caller keeps other threads away.
        unsafe { std::ptr::copy(from.as_ptr(), self.as_ptr(), self.bytes as usize) }
    }

    /// Fills it with zeros.
    ///
    /// # Safety
    /// Nobody touches it meanwhile.
    pub(crate) unsafe fn clear(self) {
        assert!(self.writable, "invariant: only writable memory is cleared");
        // SAFETY: as in `copy_from`.
        unsafe { std::ptr::write_bytes(self.as_ptr(), 0, self.bytes as usize) }
    }
}

#[cfg(all(test, not(loom)))]
mod tests;
