//! Where a worker is called to a piece of work, and says when it has done it.
//!
//! One word says where the worker stands: it rests, it was called, or it is busy. Who called it
//! need not wait until it wakes: [`Mailbox::settle`] takes back a call that nobody has answered yet,
//! so what is done already costs no wait for a thread that the system has not let run.
//!
//! ```text
//! rests --call--> called --answer--> busy --done--> rests
//!                    \----------settle----------------^
//! ```
//!
//! Both sides poll shortly before they sleep, and never sleep at once: a worker sleeps while it
//! rests, who waits for it sleeps while it is busy. So one bit says that someone sleeps until the
//! word changes, and a change is one exchange, and a system call only if that bit was set. No
//! wake-up is lost: a sleeper holds the lock from before it sets the bit until it sleeps, it sets it
//! only while the word is still what it waits to see changed, and whoever finds it set takes the lock
//! before it notifies.

use std::sync::PoisonError;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

use super::sync::{AtomicU32, CachePadded, Condvar, Mutex, lock, spin};

const RESTS: u32 = 0;
const CALLED: u32 = 1;
const BUSY: u32 = 2;
/// Nobody will call again.
const CLOSED: u32 = 3;
/// Someone sleeps until the word changes.
const SLEEPER: u32 = 4;

/// See the module. What a caller did before it called, the worker sees; what the worker did before it
/// was done, whoever settles sees.
#[derive(Debug)]
pub(crate) struct Mailbox {
    word: CachePadded<AtomicU32>,
    lock: Mutex<()>,
    changed: Condvar,
}

impl Mailbox {
    pub(crate) fn new() -> Self {
        Self { word: CachePadded(AtomicU32::new(RESTS)), lock: Mutex::new(()), changed: Condvar::new() }
    }

    /// Whether the worker rests and looks out for a call, so that it would be there at once.
    pub(crate) fn looks_out(&self) -> bool {
        self.word.0.load(Relaxed) == RESTS
    }

    /// Calls the worker, which rests.
    pub(crate) fn call(&self) {
        self.change(CALLED);
    }

    /// Ends the worker, which rests.
    pub(crate) fn close(&self) {
        self.change(CLOSED);
    }

    /// Waits for a call and takes it, for the worker; whether there was one before the end.
    pub(crate) fn answer(&self) -> bool {
        loop {
            self.wait_while(RESTS);
            match self.word.0.compare_exchange(CALLED, BUSY, AcqRel, Acquire) {
                Ok(_) => return true,
                Err(CLOSED) => return false,
                // Taken back.
                Err(_) => {}
            }
        }
    }

    /// The worker has done what it was called for.
    pub(crate) fn done(&self) {
        self.change(RESTS);
    }

    /// Takes back a call that is not answered yet, and waits for a worker that is busy; then it rests.
    pub(crate) fn settle(&self) {
        if self.word.0.load(Acquire) == CALLED && self.word.0.compare_exchange(CALLED, RESTS, AcqRel, Acquire).is_ok() {
            return;
        }
        self.wait_while(BUSY);
    }

    fn change(&self, to: u32) {
        if self.word.0.swap(to, AcqRel) & SLEEPER != 0 {
            drop(lock(&self.lock));
            self.changed.notify_one();
        }
    }

    fn wait_while(&self, state: u32) {
        if spin(|| self.word.0.load(Acquire) & !SLEEPER != state) {
            return;
        }
        let mut held = lock(&self.lock);
        loop {
            match self.word.0.compare_exchange(state, state | SLEEPER, AcqRel, Acquire) {
                Err(now) if now != state | SLEEPER => return,
                _ => held = self.changed.wait(held).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

#[cfg(all(test, loom))]
mod models {
    use loom::cell::UnsafeCell;
    use loom::sync::Arc;
    use loom::thread;

    use super::*;

    /// What the caller asks for, what the worker made of it, and how often it did.
    struct Desk {
        mailbox: Mailbox,
        asked: UnsafeCell<usize>,
        answers: UnsafeCell<Vec<usize>>,
    }

    // SAFETY: loom watches every access.
    unsafe impl Sync for Desk {}

    /// Calls follow one another, answered or taken back; loom fails on a race, a lost wake-up, or an
    /// answer to another call than the last.
    #[test]
    fn calls_are_answered_or_taken_back() {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(3);
        model.check(|| {
            let desk = Arc::new(Desk {
                mailbox: Mailbox::new(),
                asked: UnsafeCell::new(0),
                answers: UnsafeCell::new(Vec::new()),
            });
            let other = desk.clone();
            let worker = thread::spawn(move || {
                while other.mailbox.answer() {
                    // SAFETY: called, so the caller stays away until it has settled; loom checks it.
                    let asked = other.asked.with(|asked| unsafe { *asked });
                    // SAFETY: as above.
                    other.answers.with_mut(|answers| unsafe { (*answers).push(asked) });
                    other.mailbox.done();
                }
            });
            let mut before = 0;
            for call in 1..=2 {
                // SAFETY: settled, so the worker stays away until it is called; loom checks it.
                desk.asked.with_mut(|asked| unsafe { *asked = call });
                desk.mailbox.call();
                desk.mailbox.settle();
                desk.answers.with(|answers| {
                    // SAFETY: as above.
                    let answers = unsafe { &*answers };
                    assert!(answers[before..] == [] || answers[before..] == [call], "{answers:?} to {call}");
                    before = answers.len();
                });
            }
            desk.mailbox.close();
            worker.join().unwrap();
        });
    }
}
