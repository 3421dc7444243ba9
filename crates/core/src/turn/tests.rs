use super::*;

#[cfg(not(loom))]
mod unit {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::{panic, thread};

    use super::*;

    #[test]
    fn one_holder_at_a_time() {
        let (turn, inside) = (Turn::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..2000 {
                        let mut held = turn.wait();
                        assert_eq!(inside.fetch_add(1, Ordering::Relaxed), 0);
                        *held += 1;
                        inside.fetch_sub(1, Ordering::Relaxed);
                    }
                });
            }
        });
        assert_eq!(*turn.wait(), 8000);
    }

    #[test]
    fn a_waiter_leaves_when_asked_and_others_get_their_turn() {
        let (turn, stop) = (Arc::new(Turn::new(())), Stop::default());
        let held = turn.wait();
        let patient = thread::spawn({
            let turn = turn.clone();
            move || drop(turn.wait())
        });
        thread::scope(|scope| {
            let waiter = scope.spawn(|| turn.take(&stop).map(|_| ()));
            stop.ask(Reason::Deadline);
            // The turn is still held.
            assert_eq!(waiter.join().unwrap(), Err(Reason::Deadline));
        });
        assert!(turn.try_take().is_none());
        assert_eq!(turn.take(&stop).map(|_| ()), Err(Reason::Deadline));
        drop(held);
        patient.join().unwrap();
        assert!(turn.take(&stop).is_ok(), "a free turn is not waited for");
    }

    #[test]
    fn a_holder_that_panics_releases_it() {
        let turn = Turn::new(1);
        let panicked = panic::catch_unwind(panic::AssertUnwindSafe(|| {
            let _held = turn.wait();
            panic::resume_unwind(Box::new(()));
        }));
        assert!(panicked.is_err());
        assert_eq!(turn.try_take().map(|held| *held), Some(1));
    }
}

/// loom's waits never time out, so that whoever is not woken is found asleep for ever.
#[cfg(loom)]
mod models {
    use loom::sync::Arc;
    use loom::thread;

    use super::*;

    fn check(model: impl Fn() + Sync + Send + 'static) {
        let mut builder = loom::model::Builder::new();
        builder.preemption_bound = Some(3);
        builder.check(model);
    }

    #[test]
    fn three_take_turns() {
        check(|| {
            let turn = Arc::new(Turn::new(0));
            let count = |turn: Arc<Turn<usize>>| *turn.wait() += 1;
            let others: Vec<_> = (0..2)
                .map(|_| {
                    thread::spawn({
                        let turn = turn.clone();
                        move || count(turn)
                    })
                })
                .collect();
            count(turn.clone());
            others.into_iter().for_each(|other| other.join().unwrap());
            assert_eq!(*turn.wait(), 3);
        });
    }

    /// One waiter is asked to stop at any moment: it has the turn or leaves, and the other is
    /// woken all the same.
    #[test]
    fn one_of_two_leaves() {
        check(|| {
            let (turn, stop) = (Arc::new(Turn::new(())), Arc::new(Stop::default()));
            let held = turn.wait();
            let leaver = thread::spawn({
                let (turn, stop) = (turn.clone(), stop.clone());
                move || drop(turn.take(&stop))
            });
            let waiter = thread::spawn({
                let turn = turn.clone();
                move || drop(turn.wait())
            });
            stop.ask(Reason::Caller);
            drop(held);
            leaver.join().unwrap();
            waiter.join().unwrap();
        });
    }
}
