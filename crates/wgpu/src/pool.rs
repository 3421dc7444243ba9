//! Memory of buffers that are gone, kept for those to come.
//!
//! Programs that make buffers for each of their calls are common, and fresh pages cost several times as much to fill
//! as pages that were used before. What was in them stays: wgpu clears whatever a program may read before it has
//! written it, for no graphics API gives memory that is cleared.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use seawall_core::device::{Buffer, Device as _, Error};

/// Memory of fewer bytes is left to the allocator, which keeps it as well.
const LEAST_BYTES: u64 = 128 << 10;
/// What is kept at most, in all.
const KEPT_BYTES_MAX: u64 = 256 << 20;

#[derive(Debug, Default)]
struct Free {
    /// The one that was freed last is the last.
    memory: VecDeque<Buffer>,
    bytes: u64,
}

/// Cheap to clone. What it keeps goes with the last clone.
#[derive(Clone)]
pub(crate) struct Pool {
    cpu: Arc<seawall_cpu::Device>,
    free: Arc<Mutex<Free>>,
}

/// Memory that goes back to where it came from.
#[derive(Debug)]
pub(crate) struct Memory {
    pub(crate) buffer: Buffer,
    /// All of it, and where it goes.
    home: Option<(Buffer, Weak<Mutex<Free>>)>,
}

fn locked(free: &Mutex<Free>) -> MutexGuard<'_, Free> {
    free.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pool {
    pub(crate) fn new(cpu: Arc<seawall_cpu::Device>) -> Self {
        Self { cpu, free: Arc::default() }
    }

    pub(crate) fn alloc(&self, bytes: u64) -> Result<Memory, Error> {
        if bytes < LEAST_BYTES {
            return self.cpu.alloc(bytes).map(Memory::from);
        }
        // A little more, so that what is about as large finds it.
        let room = bytes.checked_next_multiple_of(bytes.ilog2().checked_sub(3).map_or(1, |log| 1 << log));
        let room = room.unwrap_or(bytes);
        let whole = match self.kept(room) {
            Some(kept) => kept,
            None => self.cpu.alloc(room)?,
        };
        let buffer = whole.part(0, bytes)?;
        Ok(Memory { buffer, home: Some((whole, Arc::downgrade(&self.free))) })
    }

    fn kept(&self, bytes: u64) -> Option<Buffer> {
        let mut free = locked(&self.free);
        let at = free.memory.iter().rposition(|memory| memory.bytes == bytes)?;
        free.bytes -= bytes;
        free.memory.remove(at)
    }
}

impl From<Buffer> for Memory {
    fn from(buffer: Buffer) -> Self {
        Self { buffer, home: None }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        let Some((whole, free)) = self.home.take() else { return };
        let Some(free) = free.upgrade() else { return };
        let mut free = locked(&free);
        free.bytes += whole.bytes;
        free.memory.push_back(whole);
        let mut gone = Vec::new();
        while free.bytes > KEPT_BYTES_MAX {
            let Some(oldest) = free.memory.pop_front() else { break };
            free.bytes -= oldest.bytes;
            gone.push(oldest);
        }
        // Memory is given back without the lock, which takes time.
        drop(free);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool() -> Pool {
        Pool::new(Arc::new(seawall_cpu::Device::open(seawall_cpu::Config::default()).unwrap()))
    }

    #[test]
    fn memory_is_used_again_by_what_is_about_as_large() {
        let pool = pool();
        let first = pool.alloc(1_000_004).unwrap();
        let before = first.buffer.clone();
        assert_eq!(before.bytes, 1_000_004);
        assert!(!before.is_beside(&pool.alloc(1_000_004).unwrap().buffer), "it is in use");
        drop(first);
        let again = pool.alloc(1_010_000).unwrap();
        assert!(before.is_beside(&again.buffer));
        assert_eq!(again.buffer.bytes, 1_010_000);
        assert!(!before.is_beside(&pool.alloc(1_010_000).unwrap().buffer));
        drop(again);
        assert!(!before.is_beside(&pool.alloc(2_000_000).unwrap().buffer));
        assert!(!before.is_beside(&pool.alloc(1000).unwrap().buffer));
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let pool = pool();
        let all: Vec<Memory> = (0..10).map(|_| pool.alloc(48 << 20).unwrap()).collect();
        drop(all);
        let free = locked(&pool.free);
        assert_eq!((free.memory.len(), free.bytes), (5, 240 << 20));
    }
}
