use super::*;

#[cfg(not(loom))]
impl Pool {
    /// Shares one job among all, however long it waits for its turn.
    fn run(&self, job: Job<'_>) {
        let stop = Stop::default();
        let mut team = self.team(&stop);
        team.share(team.count(), job).expect("nobody asks it to stop");
    }
}

#[cfg(not(loom))]
mod unit {
    use std::collections::BTreeSet;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
    use std::sync::{Arc, Barrier, Weak};
    use std::time::Duration;

    use super::*;
    use crate::exec::chunks::{Chunks, Sizes};

    fn pool(threads: usize) -> Pool {
        Pool::new(NonZeroUsize::new(threads).unwrap()).unwrap()
    }

    /// The message of the panic that is carried on.
    fn panic_of(run: impl FnOnce()) -> String {
        let panic = catch_unwind(AssertUnwindSafe(run)).expect_err("a panic");
        match panic.downcast::<String>() {
            Ok(text) => *text,
            Err(panic) => (*panic.downcast::<&str>().expect("a message")).to_owned(),
        }
    }

    /// Nobody leaves before all have come, so all come, also down the tree.
    #[test]
    fn every_worker_once() {
        for threads in [1, 2, 3, 4, 7, 20] {
            let (pool, stop) = (pool(threads), Stop::default());
            for round in 0..200 {
                let mut team = pool.team(&stop);
                assert_eq!(team.count(), threads);
                let count = 1 + round % threads;
                let (calls, all) = (std::sync::Mutex::new(BTreeSet::new()), Barrier::new(count));
                let job = |worker: &Worker<'_>| {
                    assert_eq!(worker.count, count);
                    assert!(calls.lock().unwrap().insert(worker.index), "twice");
                    all.wait();
                };
                team.share(count, &job).unwrap();
                assert!(calls.into_inner().unwrap().into_iter().eq(0..count));
            }
        }
    }

    #[test]
    fn the_caller_is_worker_0() {
        let caller = thread::current().id();
        pool(3).run(&|worker| assert_eq!(worker.index == 0, thread::current().id() == caller));
    }

    /// What is over before anyone comes is not waited for; who comes is waited for.
    #[test]
    fn late_workers_are_not_needed() {
        let (pool, stop) = (pool(4), Stop::default());
        let (begun, done) = (AtomicU64::new(0), AtomicU64::new(0));
        let mut team = pool.team(&stop);
        for round in 0..3000 {
            if round % 500 == 0 {
                thread::sleep(Duration::from_millis(1));
            }
            let job = |worker: &Worker<'_>| {
                if worker.index > 0 {
                    begun.fetch_add(1, Relaxed);
                    (0..round % 7).for_each(|_| thread::yield_now());
                    done.fetch_add(1, Relaxed);
                }
            };
            team.share(4, &job).unwrap();
            assert_eq!(begun.load(Relaxed), done.load(Relaxed), "someone still works");
        }
    }

    #[test]
    fn wakes_after_a_rest() {
        let (pool, stop) = (pool(3), Stop::default());
        let mut team = pool.team(&stop);
        for _ in 0..20 {
            thread::sleep(Duration::from_millis(1));
            let all = Barrier::new(3);
            let job = |_: &Worker<'_>| {
                all.wait();
            };
            team.share(3, &job).unwrap();
        }
    }

    /// Each worker fills its place, then in the next round all who come read all places: one missed
    /// wait is seen.
    #[test]
    fn rounds_keep_step() {
        for threads in [2, 3, 5] {
            let (pool, stop) = (pool(threads), Stop::default());
            let mut team = pool.team(&stop);
            let places: Vec<_> = (0..threads).map(|_| AtomicU64::new(0)).collect();
            for step in 1..=2000 {
                let handed = Chunks::new();
                let write = |_: &Worker<'_>| {
                    while let Some(chunk) = handed.take(threads as u64, Sizes::new(1, threads)) {
                        chunk.for_each(|place| places[place as usize].store(step, Relaxed));
                    }
                };
                team.share(threads, &write).unwrap();
                let read = |_: &Worker<'_>| assert!(places.iter().all(|place| place.load(Relaxed) == step));
                team.share(threads, &read).unwrap();
            }
        }
    }

    #[test]
    fn a_slow_partner_is_slept_for() {
        let (pool, stop) = (pool(2), Stop::default());
        let mut team = pool.team(&stop);
        for late in [0, 1, 0, 1] {
            let (both, slow) = (Barrier::new(2), AtomicU64::new(0));
            let job = |worker: &Worker<'_>| {
                both.wait();
                if worker.index == late {
                    thread::sleep(Duration::from_millis(3));
                    slow.store(1, Relaxed);
                }
            };
            team.share(2, &job).unwrap();
            assert_eq!(slow.into_inner(), 1);
        }
    }

    #[test]
    fn uneven_work_is_handed_out_whole() {
        let (pool, stop, total) = (pool(3), Stop::default(), 3000);
        let mut team = pool.team(&stop);
        let done: Vec<_> = (0..total).map(|_| AtomicUsize::new(0)).collect();
        for round in 0..3 {
            let chunks = Chunks::new();
            let job = |_: &Worker<'_>| {
                while let Some(chunk) = chunks.take(total, Sizes::new(2, 3)) {
                    for group in chunk {
                        let work = if group < 300 { 3000 } else { group % 7 };
                        std::hint::black_box((0..work).fold(0, |sum, x| sum ^ std::hint::black_box(x)));
                        assert_eq!(done[group as usize].fetch_add(1, Relaxed), round);
                    }
                }
            };
            team.share(3, &job).unwrap();
        }
        assert!(done.into_iter().all(|done| done.into_inner() == 3));
    }

    #[test]
    fn a_panic_reaches_the_leader_and_the_pool_lives() {
        let pool = pool(4);
        for round in 0..200 {
            let who = round % 4;
            let (all, others) = (Barrier::new(4), AtomicUsize::new(0));
            let text = panic_of(|| {
                pool.run(&|worker| {
                    all.wait();
                    if worker.index == who {
                        resume_unwind(Box::new(format!("by {who}")));
                    }
                    others.fetch_add(1, Relaxed);
                });
            });
            assert_eq!((text, others.into_inner()), (format!("by {who}"), 3));
            let all = Barrier::new(4);
            pool.run(&|_| {
                all.wait();
            });
        }
    }

    #[test]
    fn one_of_several_panics_reaches_the_leader() {
        let (pool, all) = (pool(3), Barrier::new(3));
        let text = panic_of(|| {
            pool.run(&|worker| {
                all.wait();
                resume_unwind(Box::new(format!("by {}", worker.index)));
            });
        });
        assert!(["by 0", "by 1", "by 2"].contains(&&*text), "{text}");
        pool.run(&|_| {});
    }

    #[test]
    fn a_panic_of_a_leader_alone_is_its_own() {
        let pool = pool(1);
        assert_eq!(panic_of(|| pool.run(&|_| resume_unwind(Box::new("alone")))), "alone");
        pool.run(&|worker| assert_eq!(worker.count, 1));
    }

    #[test]
    fn a_team_inside_a_team_is_its_leader_alone() {
        let (pool, inner, all) = (pool(3), AtomicUsize::new(0), Barrier::new(3));
        let alone = |worker: &Worker<'_>| {
            assert_eq!((worker.index, worker.count), (0, 1));
            inner.fetch_add(1, Relaxed);
        };
        pool.run(&|_| {
            all.wait();
            pool.run(&|worker| {
                alone(worker);
                pool.run(&alone);
            });
        });
        let stop = Stop::default();
        let team = pool.team(&stop);
        pool.run(&alone);
        assert_eq!(inner.into_inner(), 7);
        drop(team);
        pool.run(&|worker| assert_eq!(worker.count, 3, "outside again"));
    }

    #[test]
    fn teams_take_turns() {
        let (pool, busy, shared) = (pool(2), AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..300 {
                        pool.run(&|_| {
                            assert!(busy.fetch_add(1, Relaxed) < 2, "one team at a time");
                            thread::yield_now();
                            busy.fetch_sub(1, Relaxed);
                        });
                        shared.fetch_add(1, Relaxed);
                    }
                });
            }
        });
        assert_eq!(shared.into_inner(), 1200);
    }

    /// Who shares nothing waits for nobody.
    #[test]
    fn a_leader_alone_needs_no_turn() {
        let (pool, stop) = (pool(2), Stop::default());
        let mut team = pool.team(&stop);
        team.share(2, &|_| {}).unwrap();
        thread::scope(|scope| {
            let share = || pool.team(&stop).share(1, &|worker| assert_eq!((worker.index, worker.count), (0, 1)));
            scope.spawn(share).join().unwrap().unwrap();
        });
    }

    #[test]
    fn a_leader_that_is_stopped_waits_no_longer() {
        let (pool, stop) = (pool(2), Stop::default());
        let (begun, open) = (Barrier::new(3), Barrier::new(3));
        thread::scope(|scope| {
            scope.spawn(|| {
                pool.run(&|_| {
                    begun.wait();
                    open.wait();
                });
            });
            begun.wait();
            let wait = || pool.team(&stop).share(2, &|_| unreachable!("its turn has not come"));
            let waiter = scope.spawn(wait);
            stop.ask(Reason::Deadline);
            // The other team still shares.
            assert_eq!(waiter.join().unwrap(), Err(Reason::Deadline));
            open.wait();
        });
        pool.run(&|worker| assert_eq!(worker.count, 2));
    }

    #[test]
    fn scratch_is_kept_and_private() {
        let pool = pool(3);
        let places = || {
            let (all, places) = (Barrier::new(3), [const { AtomicUsize::new(0) }; 3]);
            pool.run(&|worker| {
                all.wait();
                let mut scratch = worker.scratch.borrow_mut();
                places[worker.index].store(scratch.reserve(100).unwrap().as_ptr().addr(), Relaxed);
            });
            places.map(AtomicUsize::into_inner)
        };
        let first = places();
        assert_eq!(places(), first);
        assert!(first[0] != first[1] && first[1] != first[2] && first[0] != first[2]);
    }

    #[test]
    fn threads_end_with_the_pool() {
        for shares in [false, true] {
            let pool = pool(4);
            if shares {
                pool.run(&|_| {});
            }
            let shared: Weak<_> = Arc::downgrade(&pool.shared);
            drop(pool);
            assert!(shared.upgrade().is_none(), "a thread still holds what the pool shared");
        }
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
    use crate::exec::chunks::{Chunks, Sizes};

    /// One cell for each piece of work.
    struct Cells(Vec<UnsafeCell<usize>>);

    // SAFETY: loom watches every access.
    unsafe impl Sync for Cells {}

    /// Work is shared again and again, by as many as each round says, in every order within the bound:
    /// every piece is done once a round, and the leader sees it.
    fn rounds(threads: usize, shares: &'static [usize], preemptions: usize) {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(preemptions);
        model.check(move || {
            let (pool, stop) = (Pool::new(NonZeroUsize::new(threads).unwrap()).unwrap(), Stop::default());
            let cells = Cells((0..2).map(|_| UnsafeCell::new(0)).collect());
            let mut team = pool.team(&stop);
            for (round, &share) in shares.iter().enumerate() {
                let (chunks, cells) = (Chunks::new(), &cells);
                let job = |_: &Worker<'_>| {
                    while let Some(chunk) = chunks.take(2, Sizes::new(1, 2)) {
                        // SAFETY: each piece goes to one worker; loom checks it.
                        cells.0[chunk.start as usize].with_mut(|cell| unsafe { *cell += 1 });
                    }
                };
                team.share(share, &job).unwrap();
                for cell in &cells.0 {
                    // SAFETY: all are done; loom checks it.
                    cell.with(|cell| assert_eq!(unsafe { *cell }, round + 1));
                }
            }
        });
    }

    #[test]
    fn two_workers_share_twice() {
        rounds(2, &[2, 2], 2);
    }

    #[test]
    fn three_workers_share() {
        rounds(3, &[3], 2);
    }

    /// Worker 3 is called by worker 1.
    #[test]
    fn four_workers_share_down_the_tree() {
        rounds(4, &[4], 1);
    }

    #[test]
    fn fewer_share_than_there_are() {
        rounds(3, &[3, 2], 1);
    }
}
