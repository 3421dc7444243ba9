//! The memory of a kernel's code: pages of its own, which are written first and run then, never both.

use std::io;
use std::ptr::NonNull;

use super::asm::Code;
use crate::context::Entry;

/// Where functions begin: a cache line, which is also where what they read is aligned to.
const ALIGN: usize = 64;

/// Code that can be called, freed when dropped.
#[derive(Debug)]
pub(crate) struct Pages {
    base: NonNull<u8>,
    bytes: usize,
    /// Where the last function begins.
    entry: usize,
}

impl Pages {
    /// Functions by their numbers, the kernel last.
    pub(crate) fn link(codes: &[Code]) -> io::Result<Self> {
        let mut starts = Vec::with_capacity(codes.len());
        let mut image = Vec::new();
        for code in codes {
            image.resize(image.len().next_multiple_of(ALIGN), 0xcc);
            starts.push(image.len());
            image.extend_from_slice(&code.bytes);
        }
        for (code, start) in codes.iter().zip(&starts) {
            for &(at, number) in &code.calls {
                let at = start + at as usize;
                let distance = starts[number as usize] as i64 - (at as i64 + 4);
                let distance = i32::try_from(distance).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
                image[at..at + 4].copy_from_slice(&distance.to_le_bytes());
            }
        }
        let Some(&entry) = starts.last() else { unreachable!("invariant code: there is a kernel") };
        let pages = Self::new(image.len(), entry)?;
        // SAFETY: the mapping is new, ours alone, writable and at least as large.
        unsafe { std::ptr::copy_nonoverlapping(image.as_ptr(), pages.base.as_ptr(), image.len()) };
        pages.seal()?;
        Ok(pages)
    }

    fn new(bytes: usize, entry: usize) -> io::Result<Self> {
        let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANON);
        // SAFETY: a mapping of its own, wherever the system likes.
        let base = unsafe { libc::mmap(std::ptr::null_mut(), bytes, access, kind, -1, 0) };
        match NonNull::new(base.cast::<u8>()) {
            Some(at) if base != libc::MAP_FAILED => Ok(Self { base: at, bytes, entry }),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// From now on it can be run, and no longer written.
    fn seal(&self) -> io::Result<()> {
        // SAFETY: the mapping is ours, and nobody has a reference into it.
        let done = unsafe { libc::mprotect(self.base.as_ptr().cast(), self.bytes, libc::PROT_READ | libc::PROT_EXEC) };
        if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }

    /// The last function.
    pub(crate) fn entry(&self) -> Entry {
        // SAFETY: inside the mapping.
        let pointer = unsafe { self.base.as_ptr().add(self.entry) };
        // SAFETY: it was written with this signature, and whoever has it has this too.
        unsafe { std::mem::transmute::<*const u8, Entry>(pointer) }
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: mapped by `new` with this size, and nobody runs it any more.
        let done = unsafe { libc::munmap(self.base.as_ptr().cast(), self.bytes) };
        assert!(done == 0, "invariant: what was mapped can be unmapped");
    }
}
