use super::*;

impl Pool {
    /// Runs a region, however long it waits for its turn.
    fn run(&self, job: Job<'_>) {
        self.run_with(job, &Stop::default()).expect("nobody asks it to stop");
    }
}

#[cfg(not(loom))]
mod unit {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
    use std::sync::{Arc, Weak};
    use std::time::Duration;

    use super::*;
    use crate::exec::chunks::{Chunks, Sizes};

    fn pool(threads: usize) -> Pool {
        Pool::new(NonZeroUsize::new(threads).unwrap()).unwrap()
    }

    /// The message of the panic that `run` carries on.
    fn panic_of(pool: &Pool, job: Job<'_>) -> String {
        let panic = catch_unwind(AssertUnwindSafe(|| pool.run(job))).expect_err("a panic");
        match panic.downcast::<String>() {
            Ok(text) => *text,
            Err(panic) => (*panic.downcast::<&str>().expect("a message")).to_owned(),
        }
    }

    #[test]
    fn every_worker_once() {
        for threads in [1, 2, 3, 7] {
            let pool = pool(threads);
            assert_eq!(pool.count(), threads);
            for _ in 0..2000 {
                let calls: Vec<_> = (0..threads).map(|_| AtomicUsize::new(0)).collect();
                pool.run(&|worker| {
                    assert_eq!(worker.count, threads);
                    calls[worker.index].fetch_add(1, Relaxed);
                });
                assert!(calls.into_iter().all(|calls| calls.into_inner() == 1));
            }
        }
    }

    #[test]
    fn the_caller_is_worker_0() {
        let caller = thread::current().id();
        pool(3).run(&|worker| assert_eq!(worker.index == 0, thread::current().id() == caller));
    }

    #[test]
    fn wakes_after_a_rest() {
        let (pool, sum) = (pool(3), AtomicU64::new(0));
        for _ in 0..20 {
            thread::sleep(Duration::from_millis(1));
            pool.run(&|_| {
                sum.fetch_add(1, Relaxed);
            });
        }
        assert_eq!(sum.into_inner(), 60);
    }

    /// Each worker fills its place, then all read all places: one missed wait is seen.
    #[test]
    fn barriers_keep_step() {
        for threads in [2, 3, 5] {
            let places: Vec<_> = (0..threads).map(|_| AtomicU64::new(0)).collect();
            pool(threads).run(&|worker| {
                for step in 1..=2000 {
                    places[worker.index].store(step, Relaxed);
                    worker.barrier();
                    assert!(places.iter().all(|place| place.load(Relaxed) == step));
                    worker.barrier();
                }
            });
        }
    }

    #[test]
    fn a_slow_partner_is_slept_for() {
        let (pool, slow) = (pool(2), AtomicBool::new(false));
        for late in [0, 1, 0, 1] {
            slow.store(false, Relaxed);
            pool.run(&|worker| {
                if worker.index == late {
                    thread::sleep(Duration::from_millis(3));
                    slow.store(true, Relaxed);
                }
                worker.barrier();
                assert!(slow.load(Relaxed));
            });
        }
    }

    #[test]
    fn uneven_work_is_handed_out_whole() {
        let (pool, total) = (pool(3), 3000);
        let done: Vec<_> = (0..total).map(|_| AtomicUsize::new(0)).collect();
        let rounds: [Chunks; 3] = std::array::from_fn(|_| Chunks::new());
        pool.run(&|worker| {
            for (round, chunks) in rounds.iter().enumerate() {
                while let Some(chunk) = chunks.take(total, Sizes::new(2, 3)) {
                    for group in chunk {
                        let work = if group < 300 { 3000 } else { group % 7 };
                        std::hint::black_box((0..work).fold(0, |sum, x| sum ^ std::hint::black_box(x)));
                        assert_eq!(done[group as usize].fetch_add(1, Relaxed), round);
                    }
                }
                worker.barrier();
            }
        });
        assert!(done.into_iter().all(|done| done.into_inner() == 3));
    }

    #[test]
    fn a_panic_reaches_the_caller_and_the_pool_lives() {
        let pool = pool(3);
        for round in 0..200 {
            let who = round % 3;
            let text = panic_of(&pool, &|worker| {
                if worker.index == who {
                    resume_unwind(Box::new(format!("by {who}")));
                }
                if round % 2 == 0 {
                    worker.barrier();
                    unreachable!("worker {who} never came");
                }
            });
            assert_eq!(text, format!("by {who}"));
            let sum = AtomicUsize::new(0);
            pool.run(&|worker| {
                worker.barrier();
                sum.fetch_add(1, Relaxed);
            });
            assert_eq!(sum.into_inner(), 3);
        }
    }

    #[test]
    fn a_panic_of_a_worker_alone_reaches_the_caller() {
        let pool = pool(1);
        assert_eq!(panic_of(&pool, &|_| resume_unwind(Box::new("alone"))), "alone");
        pool.run(&|worker| worker.barrier());
    }

    #[test]
    fn unequal_crossings_are_found() {
        let pool = pool(3);
        for who in [0, 1, 2] {
            let text = panic_of(&pool, &|worker| {
                worker.barrier();
                if worker.index != who {
                    worker.barrier();
                }
            });
            assert!(text.contains("cross the barrier equally often"), "{text}");
        }
    }

    #[test]
    fn regions_inside_regions_run_inline() {
        let (pool, inner) = (pool(3), AtomicUsize::new(0));
        pool.run(&|_| {
            pool.run(&|worker| {
                assert_eq!((worker.index, worker.count), (0, 1));
                worker.barrier();
                pool.inline(&|_| {
                    inner.fetch_add(1, Relaxed);
                });
            });
        });
        pool.inline(&|_| {
            pool.run(&|worker| {
                assert_eq!(worker.count, 1);
                inner.fetch_add(1, Relaxed);
            });
        });
        assert_eq!(inner.into_inner(), 4);
        pool.run(&|worker| assert_eq!(worker.count, 3, "outside again"));
    }

    #[test]
    fn callers_take_turns() {
        let (pool, busy, regions) = (pool(2), AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..300 {
                        pool.run(&|worker| {
                            assert!(busy.fetch_add(1, Relaxed) < 2, "one region at a time");
                            worker.barrier();
                            worker.barrier();
                            busy.fetch_sub(1, Relaxed);
                        });
                        regions.fetch_add(1, Relaxed);
                    }
                });
            }
        });
        assert_eq!(regions.into_inner(), 1200);
    }

    #[test]
    fn a_caller_that_is_stopped_waits_no_longer() {
        let (pool, stop) = (pool(2), Stop::default());
        let (begun, open) = (std::sync::Barrier::new(3), std::sync::Barrier::new(3));
        thread::scope(|scope| {
            scope.spawn(|| {
                pool.run(&|_| {
                    begun.wait();
                    open.wait();
                });
            });
            begun.wait();
            let waiter = scope.spawn(|| pool.run_with(&|_| unreachable!("its turn has not come"), &stop));
            stop.ask(Reason::Deadline);
            // The other region still runs.
            assert_eq!(waiter.join().unwrap(), Err(Reason::Deadline));
            open.wait();
        });
        pool.run(&|worker| assert_eq!(worker.count, 2));
    }

    #[test]
    fn scratch_is_kept_and_private() {
        let pool = pool(3);
        let places = || {
            let places: Vec<_> = (0..3).map(|_| AtomicUsize::new(0)).collect();
            pool.run(&|worker| {
                let mut scratch = worker.scratch.borrow_mut();
                places[worker.index].store(scratch.reserve(100).unwrap().as_ptr().addr(), Relaxed);
            });
            places.into_iter().map(AtomicUsize::into_inner).collect::<Vec<_>>()
        };
        let first = places();
        assert_eq!(places(), first);
        assert!(first[0] != first[1] && first[1] != first[2] && first[0] != first[2]);
    }

    #[test]
    fn threads_end_with_the_pool() {
        let pool = pool(4);
        pool.run(&|worker| worker.barrier());
        let shared: Weak<_> = Arc::downgrade(&pool.shared);
        drop(pool);
        assert!(shared.upgrade().is_none(), "a thread still holds what the pool shared");
    }

    #[test]
    fn too_many_threads_are_refused() {
        let threads = NonZeroUsize::new(WORKERS_MAX + 1).unwrap();
        assert!(matches!(Pool::new(threads), Err(Error::TooMany { threads: 1025 })));
    }
}

#[cfg(loom)]
mod models {
    use loom::cell::UnsafeCell;

    use super::*;

    /// Regions start, cross, finish and end in every order within the bound.
    fn regions(threads: usize, regions: usize, crossings: usize) {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(2);
        model.check(move || {
            let pool = Pool::new(NonZeroUsize::new(threads).unwrap()).unwrap();
            let cells: Vec<_> = (0..threads).map(|_| UnsafeCell::new(0)).collect();
            let cells = Cells(cells);
            for region in 0..regions {
                pool.run(&|worker| {
                    for crossing in 0..=crossings {
                        if crossing > 0 {
                            worker.barrier();
                        }
                        // SAFETY: between two crossings each worker has a cell of its own; loom checks it.
                        cells.at(worker.index + crossing + region).with_mut(|cell| unsafe { *cell += 1 });
                    }
                });
                for index in 0..threads {
                    // SAFETY: all workers have left; loom checks it.
                    cells.at(index).with(|cell| assert_eq!(unsafe { *cell }, (region + 1) * (crossings + 1)));
                }
            }
        });
    }

    struct Cells(Vec<UnsafeCell<usize>>);

    // SAFETY: loom watches every access.
    unsafe impl Sync for Cells {}

    impl Cells {
        fn at(&self, index: usize) -> &UnsafeCell<usize> {
            &self.0[index % self.0.len()]
        }
    }

    #[test]
    fn two_workers_two_regions() {
        regions(2, 2, 1);
    }

    #[test]
    fn three_workers_one_region() {
        regions(3, 1, 0);
    }
}
