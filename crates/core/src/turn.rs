//! A lock whose waiters give up when they are asked to stop.
//!
//! One word says whether it is free, held, or held while others wait. To take and to release it
//! when nobody waits is one exchange each. A waiter holds the queue's lock from before it says
//! that it waits until it sleeps, and whoever releases takes that lock before it notifies, so no
//! release is slept through. Whoever was notified and gives up notifies the next.
//!
//! A waiter looks at its [`Stop`] every [`LOOK`], which costs nothing beside the wait, and spares
//! a `Stop` from knowing who waits where.
//!
//! It is modelled with loom, which tries every interleaving within a bound:
//!
//! ```text
//! RUSTFLAGS="--cfg loom" CARGO_TARGET_DIR=target/loom cargo test --release -p seawall-core --lib turn
//! ```

use std::ops::{Deref, DerefMut};
use std::sync::PoisonError;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};
use std::time::Duration;

#[cfg(all(loom, test))]
use loom::sync::{Condvar, Mutex, MutexGuard, atomic::AtomicU8};
#[cfg(not(all(loom, test)))]
use std::sync::{Condvar, Mutex, MutexGuard, atomic::AtomicU8};

use crate::stop::{Reason, Stop};

/// How often a waiter looks whether it is still wanted.
pub const LOOK: Duration = Duration::from_millis(2);

const FREE: u8 = 0;
const HELD: u8 = 1;
/// And others wait, or did.
const AWAITED: u8 = 2;

/// See the module. A holder that panics releases it.
#[derive(Debug, Default)]
pub struct Turn<T> {
    word: AtomicU8,
    /// Held by whose turn it is, so nobody ever waits for it.
    value: Mutex<T>,
    queue: Mutex<()>,
    released: Condvar,
}

/// Sole access, until dropped.
#[derive(Debug)]
pub struct Held<'a, T> {
    // Released in this order.
    value: MutexGuard<'a, T>,
    _turn: Release<'a, T>,
}

#[derive(Debug)]
struct Release<'a, T>(&'a Turn<T>);

impl<T> Turn<T> {
    /// A free one.
    pub fn new(value: T) -> Self {
        Self { word: AtomicU8::new(FREE), value: Mutex::new(value), queue: Mutex::new(()), released: Condvar::new() }
    }

    /// Takes it if it is free.
    pub fn try_take(&self) -> Option<Held<'_, T>> {
        self.word.compare_exchange(FREE, HELD, Acquire, Relaxed).is_ok().then(|| self.held())
    }

    /// Waits for it, unless asked to stop.
    pub fn take(&self, stop: &Stop) -> Result<Held<'_, T>, Reason> {
        if let Some(held) = self.try_take() {
            return Ok(held);
        }
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        while self.word.swap(AWAITED, AcqRel) != FREE {
            if let Err(reason) = stop.go_on() {
                self.released.notify_one();
                return Err(reason);
            }
            queue = self.released.wait_timeout(queue, LOOK).unwrap_or_else(PoisonError::into_inner).0;
        }
        Ok(self.held())
    }

    /// Waits for it as long as it takes.
    pub fn wait(&self) -> Held<'_, T> {
        match self.take(&Stop::default()) {
            Ok(held) => held,
            Err(reason) => unreachable!("invariant stop: nobody else has it: {reason}"),
        }
    }

    fn held(&self) -> Held<'_, T> {
        let turn = Release(self);
        Held { value: self.value.lock().unwrap_or_else(PoisonError::into_inner), _turn: turn }
    }
}

impl<T> Drop for Release<'_, T> {
    fn drop(&mut self) {
        if self.0.word.swap(FREE, AcqRel) == AWAITED {
            drop(self.0.queue.lock().unwrap_or_else(PoisonError::into_inner));
            self.0.released.notify_one();
        }
    }
}

impl<T> Deref for Held<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Held<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

#[cfg(test)]
mod tests;
