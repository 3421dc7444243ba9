//! A counter that threads wait on: they poll it shortly, then sleep.
//!
//! One word holds the count and a bit that says whether anyone sleeps, so advancing it is
//! one exchange, and a system call only if the bit was set. No wake-up is lost: a sleeper
//! takes the lock, sets the bit, and only then looks at the count. If it has not moved, the
//! exchange that moves it comes after the bit and returns it, and that thread cannot take the
//! lock to notify before the sleeper has given it up by sleeping.

use std::sync::PoisonError;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

use super::sync::{Apart, AtomicU32, Condvar, Mutex, lock, spin};

const ASLEEP: u32 = 1;
const STEP: u32 = 2;

/// See the module. Whoever sees an advance also sees all that went before it.
#[derive(Debug)]
pub(crate) struct Signal {
    word: Apart<AtomicU32>,
    lock: Mutex<()>,
    moved: Condvar,
}

/// A count that was seen. They repeat after 2³¹ advances, which no waiter sleeps through:
/// each user waits for its waiters before it advances again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seen(u32);

impl Seen {
    /// What a new signal shows.
    pub(crate) const FIRST: Self = Self(0);
}

impl Signal {
    pub(crate) fn new() -> Self {
        Self { word: Apart(AtomicU32::new(0)), lock: Mutex::new(()), moved: Condvar::new() }
    }

    /// The present count.
    pub(crate) fn now(&self) -> Seen {
        Seen(self.word.0.load(Acquire) & !ASLEEP)
    }

    /// Moves on and wakes whoever waits. One thread at a time may call it.
    pub(crate) fn advance(&self) {
        let next = (self.word.0.load(Relaxed) & !ASLEEP).wrapping_add(STEP);
        if self.word.0.swap(next, AcqRel) & ASLEEP != 0 {
            drop(lock(&self.lock));
            self.moved.notify_all();
        }
    }

    /// Waits until the count is no longer the one seen.
    pub(crate) fn wait(&self, seen: Seen) {
        if spin(|| self.now() != seen) {
            return;
        }
        let mut held = lock(&self.lock);
        // If the count has moved by now, the bit costs one needless notification, later.
        self.word.0.fetch_or(ASLEEP, AcqRel);
        while self.now() == seen {
            held = self.moved.wait(held).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
