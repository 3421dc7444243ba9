//! The threads that jobs run on. They wait a while for the next job before they end, and there
//! are only so many: runs take turns on a device anyway.

use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::error::Error;

/// Threads at the most; what is submitted beyond that waits.
const THREADS_MAX: usize = 16;

/// How long a thread without work stays.
const LINGER: Duration = Duration::from_secs(1);

type Work = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct State {
    waiting: VecDeque<Work>,
    threads: usize,
    /// Those of them that wait for work.
    idle: usize,
}

static STATE: Mutex<State> = Mutex::new(State { waiting: VecDeque::new(), threads: 0, idle: 0 });
static ARRIVED: Condvar = Condvar::new();

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a piece of work gives, when it is over.
pub(crate) struct Promise<T> {
    shared: Arc<Shared<T>>,
}

struct Shared<T> {
    result: Mutex<Option<Result<T, Box<dyn Any + Send>>>>,
    over: Condvar,
}

impl<T> Promise<T> {
    /// Whether it is over.
    pub(crate) fn is_kept(&self) -> bool {
        lock(&self.shared.result).is_some()
    }

    /// Waits for it; carries on its panic.
    pub(crate) fn wait(self) -> T {
        let mut result = lock(&self.shared.result);
        loop {
            match result.take() {
                Some(Ok(value)) => return value,
                Some(Err(panic)) => {
                    drop(result);
                    resume_unwind(panic)
                }
                None => result = self.shared.over.wait(result).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

/// Lets a thread do this, as soon as one is free.
pub(crate) fn submit<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<Promise<T>, Error> {
    let shared = Arc::new(Shared { result: Mutex::new(None), over: Condvar::new() });
    let kept = shared.clone();
    let work = move || {
        let result = catch_unwind(AssertUnwindSafe(work));
        *lock(&kept.result) = Some(result);
        kept.over.notify_all();
    };
    let mut state = lock(&STATE);
    state.waiting.push_back(Box::new(work));
    if state.waiting.len() > state.idle && state.threads < THREADS_MAX {
        match thread::Builder::new().name("seawall job".to_owned()).spawn(serve) {
            Ok(_) => state.threads += 1,
            // Those that there are will come to it.
            Err(_) if state.threads > 0 => {}
            Err(error) => {
                state.waiting.pop_back();
                return Err(Error::Thread { reason: error.to_string() });
            }
        }
    }
    drop(state);
    ARRIVED.notify_one();
    Ok(Promise { shared })
}

/// The life of a thread.
fn serve() {
    let mut state = lock(&STATE);
    loop {
        while let Some(work) = state.waiting.pop_front() {
            drop(state);
            work();
            state = lock(&STATE);
        }
        state.idle += 1;
        let (back, waited) = ARRIVED.wait_timeout(state, LINGER).unwrap_or_else(PoisonError::into_inner);
        state = back;
        state.idle -= 1;
        if waited.timed_out() && state.waiting.is_empty() {
            state.threads -= 1;
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;

    #[test]
    fn more_work_than_threads_is_all_done() {
        let promises: Vec<_> = (0..200).map(|i| submit(move || i * i).unwrap()).collect();
        assert!(promises.into_iter().map(Promise::wait).eq((0..200).map(|i| i * i)));
        assert!(lock(&STATE).threads <= THREADS_MAX);
    }

    #[test]
    fn works_go_on_side_by_side() {
        let meet = Arc::new(Barrier::new(3));
        let promises = [0, 1, 2].map(|i| {
            let meet = meet.clone();
            submit(move || {
                meet.wait();
                i
            })
            .unwrap()
        });
        assert_eq!(promises.map(Promise::wait), [0, 1, 2]);
    }

    #[test]
    fn a_panic_comes_to_who_waits_and_the_thread_lives() {
        let promise = submit(|| -> u32 { resume_unwind(Box::new("on purpose")) }).unwrap();
        let panic = catch_unwind(AssertUnwindSafe(|| promise.wait())).unwrap_err();
        assert_eq!(panic.downcast_ref(), Some(&"on purpose"));
        let promise = submit(|| 7).unwrap();
        while !promise.is_kept() {
            thread::yield_now();
        }
        assert_eq!(promise.wait(), 7);
    }
}
