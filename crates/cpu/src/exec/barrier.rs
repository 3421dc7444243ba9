//! The barrier that the workers of a region cross together, and the count of those that
//! have left the region.
//!
//! Both counts live in one word, so that their operations have one order, and a crossing
//! that can never be complete is found instead of waited for: a worker that leaves while
//! another waits here, or arrives here after another has left, breaks the region, as does
//! one that panics; everybody who waits or arrives is then told so.
//!
//! The last to arrive sets the word back before it advances the signal; until it advances,
//! all others wait, so nobody can arrive, leave or break between the two. A breaker has not
//! left while it breaks, so it cannot break a region that was opened after its own.

use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

use super::signal::Signal;
use super::sync::{Apart, AtomicU32};

/// Workers that fit in the word's counts.
pub(crate) const WORKERS_MAX: usize = 1024;

const ARRIVED: u32 = 1;
const LEFT: u32 = 1 << 12;
const BROKEN: u32 = 1 << 24;

fn arrived(state: u32) -> u32 {
    state % LEFT
}

fn left(state: u32) -> u32 {
    state % BROKEN / LEFT
}

/// The crossing will never be complete: a worker panicked, or left without crossing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Broken;

/// See the module.
#[derive(Debug)]
pub(crate) struct Barrier {
    count: u32,
    state: Apart<AtomicU32>,
    crossed: Signal,
}

impl Barrier {
    /// For so many workers, 1 to [`WORKERS_MAX`].
    pub(crate) fn new(count: usize) -> Self {
        assert!((1..=WORKERS_MAX).contains(&count), "invariant: 1 to {WORKERS_MAX} workers, not {count}");
        Self { count: count as u32, state: Apart(AtomicU32::new(0)), crossed: Signal::new() }
    }

    /// Begins a region, when all workers have left the one before.
    pub(crate) fn open(&self) {
        self.state.0.store(0, Relaxed);
    }

    /// Waits until every worker has arrived as often as this one. What any of them wrote
    /// before, all of them see after.
    pub(crate) fn cross(&self) -> Result<(), Broken> {
        let seen = self.crossed.now();
        // A worker that arrives in a broken region again and again must not fill the count.
        if self.state.0.load(Acquire) & BROKEN != 0 {
            return Err(Broken);
        }
        let before = self.state.0.fetch_add(ARRIVED, AcqRel);
        if before >= LEFT {
            self.break_off();
            return Err(Broken);
        }
        if before + ARRIVED == self.count {
            self.state.0.store(0, Relaxed);
            self.crossed.advance();
            return Ok(());
        }
        self.crossed.wait(seen);
        if self.state.0.load(Acquire) & BROKEN != 0 { Err(Broken) } else { Ok(()) }
    }

    /// Ends the region for one worker; whether it was the last. Only the last may rely on
    /// what the others did.
    pub(crate) fn leave(&self) -> bool {
        let mut state = self.state.0.load(Acquire);
        loop {
            if arrived(state) > 0 && state & BROKEN == 0 {
                self.break_off();
                state |= BROKEN;
            }
            match self.state.0.compare_exchange_weak(state, state + LEFT, AcqRel, Acquire) {
                Ok(_) => return left(state) + 1 == self.count,
                Err(now) => state = now,
            }
        }
    }

    /// Breaks the region, on behalf of a worker that has not left it.
    pub(crate) fn break_off(&self) {
        if self.state.0.fetch_or(BROKEN, AcqRel) & BROKEN == 0 {
            self.crossed.advance();
        }
    }

    /// Whether the region was broken.
    pub(crate) fn broken(&self) -> bool {
        self.state.0.load(Acquire) & BROKEN != 0
    }
}

#[cfg(all(test, loom))]
mod models {
    use loom::cell::UnsafeCell;
    use loom::sync::Arc;
    use loom::thread;

    use super::*;

    /// `count` threads write and read each other's cells on both sides of crossings; loom
    /// fails on a race, a lost wake-up, or a value from the wrong side.
    fn exchange(count: usize, crossings: usize, preemptions: usize) {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(preemptions);
        model.check(move || {
            let cells: Vec<_> = (0..count).map(|_| UnsafeCell::new(0)).collect();
            let shared = Arc::new((Barrier::new(count), cells));
            let work = move |shared: &(Barrier, Vec<UnsafeCell<usize>>), index: usize| {
                for crossing in 0..crossings {
                    let (mine, other) = ((index + crossing) % count, (index + crossing + 1) % count);
                    // SAFETY: between two crossings each thread has one cell of its own; loom checks it.
                    shared.1[mine].with_mut(|cell| unsafe { *cell += 1 });
                    shared.0.cross().unwrap();
                    // SAFETY: as above; only one thread is at `other` until the next crossing.
                    shared.1[other].with(|cell| assert_eq!(unsafe { *cell }, crossing + 1));
                }
                shared.0.leave()
            };
            let threads: Vec<_> = (1..count)
                .map(|index| {
                    let shared = shared.clone();
                    thread::spawn(move || work(&shared, index))
                })
                .collect();
            let mut last = usize::from(work(&shared, 0));
            last += threads.into_iter().map(|thread| usize::from(thread.join().unwrap())).sum::<usize>();
            assert_eq!(last, 1, "one worker is the last to leave");
        });
    }

    #[test]
    fn two_cross_thrice() {
        exchange(2, 3, 3);
    }

    #[test]
    fn three_cross_twice() {
        exchange(3, 2, 1);
    }

    /// One worker leaves without crossing: in every order the other is told, none waits for
    /// ever, and the next region is whole.
    #[test]
    fn a_leaver_breaks() {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(3);
        model.check(|| {
            let barrier = Arc::new(Barrier::new(2));
            let other = barrier.clone();
            let thread = thread::spawn(move || other.leave());
            assert_eq!(barrier.cross(), Err(Broken));
            let last = barrier.leave();
            assert_ne!(thread.join().unwrap(), last);
            assert!(barrier.broken());
            barrier.open();
            let other = barrier.clone();
            let thread = thread::spawn(move || other.cross());
            assert_eq!(barrier.cross(), Ok(()));
            assert_eq!(thread.join().unwrap(), Ok(()));
        });
    }

    /// One worker panics while the others cross and leave.
    #[test]
    fn a_panic_breaks() {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(2);
        model.check(|| {
            let barrier = Arc::new(Barrier::new(3));
            let cross = |barrier: Arc<Barrier>| {
                thread::spawn(move || {
                    assert_eq!(barrier.cross(), Err(Broken));
                    barrier.leave()
                })
            };
            let threads = [cross(barrier.clone()), cross(barrier.clone())];
            barrier.break_off();
            let mut last = usize::from(barrier.leave());
            last += threads.map(|thread| usize::from(thread.join().unwrap())).iter().sum::<usize>();
            assert_eq!(last, 1);
        });
    }
}
