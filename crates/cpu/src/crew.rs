//! Threads for what a caller may stop waiting for. They wait a while for the next piece of work
//! before they end, and there are only so many; what comes beyond that waits.

use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::thread;
use std::time::{Duration, Instant};

use seawall_core::cache::{Hands, Work};
use seawall_core::stop::{Reason, Stop};
use seawall_core::turn::LOOK;

use crate::fork::Process;

/// How long a thread without work stays.
const LINGER: Duration = Duration::from_secs(1);

/// See the module. Dropping it lets the threads end after what they have begun; they are not
/// waited for.
#[derive(Debug)]
pub struct Crew {
    inner: Arc<Inner>,
    process: Process,
}

struct Inner {
    name: &'static str,
    threads_max: usize,
    stack_bytes: usize,
    state: Mutex<State>,
    arrived: Condvar,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Work>,
    threads: usize,
    /// Those of them that wait for work.
    idle: usize,
    closed: bool,
}

impl std::fmt::Debug for Inner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Crew").field("name", &self.name).finish_non_exhaustive()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Crew {
    /// One of up to so many threads of this name, each with so much stack.
    pub fn new(name: &'static str, threads_max: usize, stack_bytes: usize) -> Self {
        let (state, arrived) = (Mutex::default(), Condvar::new());
        let inner = Inner { name, threads_max: threads_max.max(1), stack_bytes, state, arrived };
        Self { inner: Arc::new(inner), process: Process::this() }
    }

    /// Lets a thread do this, as soon as one is free; says why if there can be none.
    pub fn submit<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<Promise<T>, String> {
        let shared = Arc::new(Shared {
            phase: Mutex::new(Phase::Waiting(Box::new(work))),
            over: Condvar::new(),
            waker: Mutex::default(),
        });
        let begun = shared.clone();
        self.take(Box::new(move || begun.run()))?;
        Ok(Promise { shared })
    }
}

impl Hands for Crew {
    fn take(&self, work: Work) -> Result<(), String> {
        let inner = &self.inner;
        let mut state = lock(&inner.state);
        state.waiting.push_back(work);
        if state.waiting.len() > state.idle && state.threads < inner.threads_max {
            let serve = inner.clone();
            let thread = thread::Builder::new().name(inner.name.to_owned()).stack_size(inner.stack_bytes);
            match thread.spawn(move || serve.serve()) {
                Ok(_) => state.threads += 1,
                // Those that there are will come to it.
                Err(_) if state.threads > 0 => {}
                Err(error) => {
                    let refused = state.waiting.pop_back();
                    // What it holds may come here when it is dropped.
                    drop(state);
                    drop(refused);
                    return Err(error.to_string());
                }
            }
        }
        drop(state);
        inner.arrived.notify_one();
        Ok(())
    }

    fn pressed(&self) -> bool {
        let state = lock(&self.inner.state);
        state.waiting.len() > state.idle && state.threads == self.inner.threads_max
    }
}

impl Inner {
    /// The life of a thread.
    fn serve(&self) {
        let mut state = lock(&self.state);
        loop {
            while let Some(work) = state.waiting.pop_front() {
                drop(state);
                // Whoever cares about a panic has caught it further in.
                let _caught = catch_unwind(AssertUnwindSafe(work));
                state = lock(&self.state);
            }
            if state.closed {
                break;
            }
            state.idle += 1;
            let (back, waited) = self.arrived.wait_timeout(state, LINGER).unwrap_or_else(PoisonError::into_inner);
            state = back;
            state.idle -= 1;
            if waited.timed_out() && state.waiting.is_empty() {
                break;
            }
        }
        state.threads -= 1;
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        // In a child the threads are not there, and one of them may have held the lock.
        if self.process.is_this() {
            lock(&self.inner.state).closed = true;
            self.inner.arrived.notify_all();
        }
    }
}

/// What a piece of work gives, when it is over.
#[derive(Debug)]
pub struct Promise<T> {
    shared: Arc<Shared<T>>,
}

struct Shared<T> {
    phase: Mutex<Phase<T>>,
    over: Condvar,
    /// Whom to wake, beside those who wait.
    waker: Mutex<Option<Waker>>,
}

enum Phase<T> {
    Waiting(Box<dyn FnOnce() -> T + Send>),
    Running,
    Over(Result<T, Box<dyn Any + Send>>),
}

impl<T> std::fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Promise").field("over", &matches!(*lock(&self.phase), Phase::Over(_))).finish_non_exhaustive()
    }
}

impl<T> Shared<T> {
    fn run(&self) {
        let mut phase = lock(&self.phase);
        match std::mem::replace(&mut *phase, Phase::Running) {
            Phase::Waiting(work) => {
                drop(phase);
                let result = catch_unwind(AssertUnwindSafe(work));
                *lock(&self.phase) = Phase::Over(result);
                self.wake();
            }
            withdrawn => *phase = withdrawn,
        }
    }

    /// Wakes all who wait for it to be over.
    fn wake(&self) {
        self.over.notify_all();
        let waker = lock(&self.waker).take();
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl<T> Promise<T> {
    /// Whether it is over.
    pub fn is_kept(&self) -> bool {
        matches!(*lock(&self.shared.phase), Phase::Over(_))
    }

    /// Ends it with `instead`, unless it has begun or is over.
    pub fn withdraw(&self, instead: impl FnOnce() -> T) {
        let mut phase = lock(&self.shared.phase);
        if matches!(*phase, Phase::Waiting(_)) {
            let work = std::mem::replace(&mut *phase, Phase::Over(Ok(instead())));
            drop(phase);
            self.shared.wake();
            // What it holds is the caller's, who may do anything when it is dropped.
            drop(work);
        }
    }

    /// What it gave, once, if it is over; carries on its panic. If it is not over, the waker is woken
    /// when it is; only the last one is.
    pub fn take_or_wake(&self, waker: &Waker) -> Option<T> {
        // It is left there first: who ends it meanwhile finds it.
        *lock(&self.shared.waker) = Some(waker.clone());
        let mut phase = lock(&self.shared.phase);
        if !matches!(*phase, Phase::Over(_)) {
            return None;
        }
        let Phase::Over(result) = std::mem::replace(&mut *phase, Phase::Running) else {
            unreachable!("invariant phase: looked at just now")
        };
        drop(phase);
        Some(result.unwrap_or_else(|panic| resume_unwind(panic)))
    }

    /// Waits for it; carries on its panic.
    pub fn wait(self) -> T {
        self.wait_until(None).unwrap_or_else(|_| unreachable!("invariant promise: nothing ends the wait before it"))
    }

    /// Waits for it until some moment, if one is given; gives itself back if it is not over then.
    pub fn wait_until(self, until: Option<Instant>) -> Result<T, Self> {
        let mut phase = lock(&self.shared.phase);
        loop {
            if let Phase::Over(_) = *phase {
                let Phase::Over(result) = std::mem::replace(&mut *phase, Phase::Running) else {
                    unreachable!("invariant phase: looked at just now")
                };
                drop(phase);
                return result.or_else(|panic| resume_unwind(panic));
            }
            phase = match until.map(|until| until.saturating_duration_since(Instant::now())) {
                None => self.shared.over.wait(phase).unwrap_or_else(PoisonError::into_inner),
                Some(Duration::ZERO) => break,
                Some(left) => self.shared.over.wait_timeout(phase, left).unwrap_or_else(PoisonError::into_inner).0,
            };
        }
        drop(phase);
        Err(self)
    }

    /// Waits for it, unless asked to stop. If it has not begun by then it never will.
    pub fn wait_with(mut self, stop: &Stop) -> Result<T, Reason> {
        loop {
            self = match self.wait_until(Some(Instant::now() + LOOK)) {
                Ok(value) => return Ok(value),
                Err(promise) => promise,
            };
            stop.go_on().inspect_err(|_| self.forget())?;
        }
    }

    /// Does not do what has not begun: nobody waits for it.
    fn forget(&self) {
        let mut phase = lock(&self.shared.phase);
        if let Phase::Waiting(_) = *phase {
            let work = std::mem::replace(&mut *phase, Phase::Running);
            drop(phase);
            drop(work);
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::sync::Barrier;
    use std::sync::mpsc;

    use super::*;

    const STACK_BYTES: usize = 1 << 20;

    fn crew(threads: usize) -> Crew {
        Crew::new("test", threads, STACK_BYTES)
    }

    #[test]
    fn more_work_than_threads_is_all_done() {
        let crew = crew(16);
        let promises: Vec<_> = (0..200).map(|i| crew.submit(move || i * i).unwrap()).collect();
        assert!(promises.into_iter().map(Promise::wait).eq((0..200).map(|i| i * i)));
        assert!(lock(&crew.inner.state).threads <= 16);
    }

    #[test]
    fn works_go_on_side_by_side() {
        let (crew, meet) = (crew(3), Arc::new(Barrier::new(3)));
        let promises = [0, 1, 2].map(|i| {
            let meet = meet.clone();
            let work = move || {
                meet.wait();
                i
            };
            crew.submit(work).unwrap()
        });
        assert_eq!(promises.map(Promise::wait), [0, 1, 2]);
    }

    #[test]
    fn a_panic_comes_to_who_waits_and_the_thread_lives() {
        let crew = crew(1);
        let promise = crew.submit(|| -> u32 { resume_unwind(Box::new("on purpose")) }).unwrap();
        let panic = catch_unwind(AssertUnwindSafe(|| promise.wait())).unwrap_err();
        assert_eq!(panic.downcast_ref(), Some(&"on purpose"));
        crew.take(Box::new(|| resume_unwind(Box::new("and again")))).unwrap();
        let promise = crew.submit(|| 7).unwrap();
        while !promise.is_kept() {
            thread::yield_now();
        }
        assert_eq!(promise.wait(), 7);
        assert_eq!(lock(&crew.inner.state).threads, 1);
    }

    /// One thread, and a gate that holds it.
    fn held(crew: &Crew) -> (mpsc::Sender<()>, Promise<()>) {
        let (open, gate) = mpsc::channel::<()>();
        let (begin, begun) = mpsc::channel();
        let work = move || {
            begin.send(()).unwrap();
            // Opened by a message, or by dropping the sender.
            let _opened = gate.recv();
        };
        let promise = crew.submit(work).unwrap();
        begun.recv().unwrap();
        (open, promise)
    }

    #[test]
    fn what_has_not_begun_can_be_withdrawn() {
        let crew = crew(1);
        let (open, holder) = held(&crew);
        let (dropped, told) = mpsc::channel::<()>();
        let promise = crew.submit(move || drop(dropped)).unwrap();
        assert!(crew.pressed() && !promise.is_kept());
        promise.withdraw(|| ());
        assert!(promise.is_kept());
        assert!(told.recv().is_err(), "what it held is gone");
        promise.wait();
        holder.withdraw(|| unreachable!("it has begun"));
        assert!(!holder.is_kept());
        open.send(()).unwrap();
        holder.wait();
        assert_eq!(crew.submit(|| 3).unwrap().wait(), 3);
    }

    #[test]
    fn waits_end_when_they_are_to() {
        let crew = crew(1);
        let (open, holder) = held(&crew);
        let soon = Instant::now() + Duration::from_millis(1);
        let holder = holder.wait_until(Some(soon)).expect_err("the gate is shut");
        let holder = holder.wait_until(Some(soon)).expect_err("and the moment is over");
        let (began, begun) = mpsc::channel::<()>();
        let stop = Stop::default();
        stop.ask(Reason::Caller);
        let left = crew.submit(move || began.send(()).unwrap()).unwrap();
        assert_eq!(left.wait_with(&stop), Err(Reason::Caller));
        open.send(()).unwrap();
        holder.wait_until(None).unwrap();
        assert!(begun.recv().is_err(), "nobody waited for it");
    }

    #[test]
    fn threads_end_with_the_crew() {
        let crew = crew(2);
        crew.submit(|| ()).unwrap().wait();
        let inner = Arc::downgrade(&crew.inner);
        drop(crew);
        while inner.upgrade().is_some() {
            thread::yield_now();
        }
    }
}
