//! Where memory comes from: the allocator, or fresh pages of the system's if it is large.
//!
//! The allocator keeps what was freed for the next to come, in small pages that were touched
//! before; and it would clear them by hand. Fresh pages are zero, and can be huge.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;

use super::Edge;
use super::guarded::Guarded;

/// A cache line: the largest vector that compiled code loads at once.
pub(super) const ALIGN: usize = 64;
/// Memory of this size and more is aligned to it, so that huge pages can back it.
pub(super) const HUGE: usize = 2 << 20;

/// Memory of this size and more, which no cache holds, is not cleared but made of fresh pages.
pub(super) const RENEWED: usize = 16 << 20;

/// Zeroed bytes from an aligned one on.
#[derive(Debug)]
pub(super) struct Pages {
    source: Source,
    pub(super) at: NonNull<u8>,
}

/// Who gave the memory: from where on and how much, for alignment needs room.
#[derive(Debug)]
enum Source {
    Allocator { base: NonNull<u8>, room: usize },
    System { base: NonNull<u8>, room: usize },
    Guarded(Guarded),
}

impl Pages {
    /// Pages are taken when first touched, by whoever touches them; `None` if there is no room.
    pub(super) fn new(size: usize) -> Option<Self> {
        let mapped = cfg!(target_os = "linux") && size >= HUGE;
        let align = if mapped { HUGE } else { ALIGN };
        // Asked for an alignment, the system's allocator would clear by hand, and so touch, what
        // fresh pages give for nothing. Hence the room to align in.
        let room = size.checked_add(align)?;
        let base = if mapped { map(room)? } else { allocate(room)? };
        let skip = base.as_ptr().align_offset(align);
        assert!(skip < align, "invariant: a byte pointer can be aligned");
        // SAFETY: `skip + size < room`, so it stays in the allocation.
        let at = unsafe { base.add(skip) };
        if mapped {
            advise_huge(at, size);
        }
        let source = if mapped { Source::System { base, room } } else { Source::Allocator { base, room } };
        Some(Self { source, at })
    }

    /// The same, with an edge that cannot be passed.
    pub(super) fn guarded(size: usize, edge: Edge) -> Option<Self> {
        let guarded = Guarded::new(size, edge)?;
        Some(Self { at: guarded.at(), source: Source::Guarded(guarded) })
    }

    /// Gives the pages of so many bytes back, so that they are zero when next touched; whether it could.
    /// What is never touched again costs nothing then, and what is, is cleared by whoever touches it.
    pub(super) fn renew(&mut self, size: usize) -> bool {
        match self.source {
            Source::System { .. } => size >= RENEWED && renew(self.at, size),
            Source::Allocator { .. } | Source::Guarded(_) => false,
        }
    }

    /// What shows who goes outside, if anything does.
    pub(super) fn guard(&self) -> Option<&Guarded> {
        match &self.source {
            Source::Guarded(guarded) => Some(guarded),
            Source::Allocator { .. } | Source::System { .. } => None,
        }
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        match self.source {
            Source::System { base, room } => unmap(base, room),
            Source::Allocator { base, room } => {
                if let Ok(layout) = Layout::from_size_align(room, 1) {
                    // SAFETY: allocated in `new` with this layout, and no view outlives the owner.
                    unsafe { dealloc(base.as_ptr(), layout) }
                }
            }
            Source::Guarded(_) => {}
        }
    }
}

fn allocate(room: usize) -> Option<NonNull<u8>> {
    let layout = Layout::from_size_align(room, 1).ok()?;
    // SAFETY: the layout is not empty: it has room for the alignment.
    NonNull::new(unsafe { alloc_zeroed(layout) })
}

#[cfg(target_os = "linux")]
fn map(room: usize) -> Option<NonNull<u8>> {
    let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: a mapping of its own, wherever the system likes.
    let base = unsafe { libc::mmap(std::ptr::null_mut(), room, access, kind, -1, 0) };
    if base == libc::MAP_FAILED { None } else { NonNull::new(base.cast()) }
}

#[cfg(target_os = "linux")]
fn unmap(base: NonNull<u8>, room: usize) {
    // SAFETY: mapped by `map` with this size, and no view outlives the owner.
    let done = unsafe { libc::munmap(base.as_ptr().cast(), room) };
    assert!(done == 0, "invariant: what was mapped can be unmapped");
}

/// Asks for huge pages: fewer address translations, up to a third of the time of a kernel
/// that streams. Only advice, so a system that has none may refuse it.
#[cfg(target_os = "linux")]
fn advise_huge(at: NonNull<u8>, size: usize) {
    // SAFETY: the range is our own and begins at a page; the advice changes no contents.
    unsafe { libc::madvise(at.as_ptr().cast(), size, libc::MADV_HUGEPAGE) };
}

/// Private pages that nobody maps from a file are zero when touched after this.
#[cfg(target_os = "linux")]
fn renew(at: NonNull<u8>, size: usize) -> bool {
    // SAFETY: the range is our own and begins at a page; its owner, who has it alone, wants zeros there.
    unsafe { libc::madvise(at.as_ptr().cast(), size, libc::MADV_DONTNEED) == 0 }
}

#[cfg(not(target_os = "linux"))]
mod elsewhere {
    use std::ptr::NonNull;

    pub(super) fn map(_: usize) -> Option<NonNull<u8>> {
        unreachable!("invariant pages: mapped on Linux only")
    }

    pub(super) fn unmap(_: NonNull<u8>, _: usize) {
        unreachable!("invariant pages: mapped on Linux only")
    }

    pub(super) fn advise_huge(_: NonNull<u8>, _: usize) {
        unreachable!("invariant pages: mapped on Linux only")
    }

    pub(super) fn renew(_: NonNull<u8>, _: usize) -> bool {
        unreachable!("invariant pages: mapped on Linux only")
    }
}

#[cfg(not(target_os = "linux"))]
use elsewhere::{advise_huge, map, renew, unmap};
