//! What the executor synchronises with: std's primitives, or loom's doubles of them where
//! its models run.

use std::sync::PoisonError;

#[cfg(all(loom, test))]
pub(super) use loom::{
    sync::{
        Condvar, Mutex, MutexGuard,
        atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize},
    },
    thread, thread_local,
};
#[cfg(not(all(loom, test)))]
pub(super) use seawall_core::turn::{Held, Turn};
#[cfg(not(all(loom, test)))]
pub(super) use std::{
    sync::{
        Condvar, Mutex, MutexGuard,
        atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize},
    },
    thread, thread_local,
    time::{Duration, Instant},
};

/// Locks, also after a panic of another holder: nothing behind these locks is left half done.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A turn as its users see it; the real one has models of its own.
#[cfg(all(loom, test))]
#[derive(Debug, Default)]
pub(super) struct Turn<T>(Mutex<T>);

#[cfg(all(loom, test))]
pub(super) type Held<'a, T> = MutexGuard<'a, T>;

#[cfg(all(loom, test))]
impl<T> Turn<T> {
    pub(super) fn take(&self, _: &seawall_core::stop::Stop) -> Result<MutexGuard<'_, T>, seawall_core::stop::Reason> {
        Ok(lock(&self.0))
    }
}

/// How long a thread polls before it sleeps: several times what waking it would cost, and
/// short enough that a slow partner costs no core.
#[cfg(not(all(loom, test)))]
const SPIN: Duration = Duration::from_micros(30);

/// When it begins to offer its core to others between polls: where there are more threads
/// than cores, the one that it waits for may need that core.
#[cfg(not(all(loom, test)))]
const ALONE: Duration = Duration::from_micros(5);

/// Polls until `ready` or until it is better to sleep; whether it is ready.
#[cfg(not(all(loom, test)))]
pub(super) fn spin(ready: impl Fn() -> bool) -> bool {
    // Reading the clock costs as much as several polls.
    const POLLS: u32 = 32;
    let mut since = None;
    loop {
        for _ in 0..POLLS {
            if ready() {
                return true;
            }
            std::hint::spin_loop();
        }
        let waited = since.get_or_insert_with(Instant::now).elapsed();
        if waited >= SPIN {
            return false;
        }
        if waited >= ALONE {
            thread::yield_now();
        }
    }
}

/// One poll stands for all of them: more would only repeat interleavings.
#[cfg(all(loom, test))]
pub(super) fn spin(ready: impl Fn() -> bool) -> bool {
    ready()
}

/// Keeps what one thread writes often apart from what others read: two cache lines, because
/// processors fetch them in pairs.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct CachePadded<T>(pub(super) T);
