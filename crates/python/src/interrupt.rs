//! Runs without the interpreter, and what ends them: Ctrl-C, another thread, a deadline.
//!
//! Only the interpreter's main thread hears of Ctrl-C, and only when it asks. So what may take long
//! runs on a thread beside it there, while the main thread asks again and again; what is sure to be over
//! soon runs where it is, since a thread takes longer to start than most calls, and has to find a core.

use std::cell::OnceCell;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread::{self, Thread};
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::PyModule;
use seawall::device::{self, Reason};

use crate::error::{self, Raise};

/// How long Ctrl-C may have to wait.
const PATIENCE: Duration = Duration::from_millis(25);

/// How fast work is whose time is decided by its size alone.
#[derive(Default)]
pub(crate) struct Pace {
    /// Of a thousand pieces when there were last many, in nanoseconds; 0 before that.
    nanos: AtomicU64,
}

impl Pace {
    /// Pieces that are over soon, whatever they are.
    const FEW: u64 = 1 << 20;

    /// Whether so many pieces are sure enough to be over before anyone is out of patience.
    pub(crate) fn is_brief(&self, pieces: u64) -> bool {
        let nanos = self.nanos.load(Ordering::Relaxed);
        let expected = u128::from(nanos) * u128::from(pieces) / 1000;
        pieces <= Self::FEW || (nanos > 0 && expected <= PATIENCE.as_nanos())
    }

    /// So many pieces took this long.
    pub(crate) fn note(&self, pieces: u64, time: Duration) {
        if pieces > Self::FEW {
            let nanos = time.as_nanos() * 1000 / u128::from(pieces);
            self.nanos.store(u64::try_from(nanos).unwrap_or(u64::MAX).max(1), Ordering::Relaxed);
        }
    }
}

/// Runs that may take long, of any thread: another one may have to wait for them.
static LONG: AtomicUsize = AtomicUsize::new(0);

/// Another thread's hand on a run.
#[pyclass(frozen, module = "seawall")]
#[derive(Default)]
pub(crate) struct Control(pub(crate) Arc<device::Control>);

#[pymethods]
impl Control {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Ends the run soon, with `StoppedError`.
    fn stop(&self) {
        self.0.stop.ask(Reason::Caller);
    }

    /// Whether it was stopped, by hand or by a deadline.
    #[getter]
    fn stopped(&self) -> bool {
        self.0.stop.asked().is_some()
    }

    /// Workgroups finished so far.
    #[getter]
    fn workgroups_done(&self) -> u64 {
        self.0.workgroups_done.load(Ordering::Relaxed)
    }

    fn __repr__(&self) -> String {
        let stopped = if self.stopped() { ", stopped" } else { "" };
        format!("<seawall.Control: {} workgroups done{stopped}>", self.workgroups_done())
    }
}

/// Whether this thread is the one that hears of signals.
fn is_main(py: Python<'_>) -> PyResult<bool> {
    thread_local! {
        static MAIN: OnceCell<bool> = const { OnceCell::new() };
    }
    if let Some(main) = MAIN.with(|main| main.get().copied()) {
        return Ok(main);
    }
    let threading = PyModule::import(py, "threading")?;
    let main = threading.call_method0("current_thread")?.is(threading.call_method0("main_thread")?);
    MAIN.with(|cell| cell.set(main)).ok();
    Ok(main)
}

/// Does work that leaves the interpreter to others. It must end soon after `control` says so.
pub(crate) fn run<T: Send, E: Raise + Send>(
    py: Python<'_>,
    control: &device::Control,
    brief: bool,
    work: impl FnOnce() -> Result<T, E> + Send,
) -> PyResult<T> {
    let alone = LONG.load(Ordering::Relaxed) == 0;
    if (brief && alone) || !is_main(py)? {
        let long = (!brief).then(Long::begin);
        let result = py.detach(work);
        drop(long);
        return result.map_err(|error| error.raise(py));
    }
    let _long = Long::begin();
    let over = &AtomicBool::new(false);
    thread::scope(|scope| {
        let waiter = thread::current();
        let worker = move || {
            // Also if it panics.
            let _over = Over { over, waiter };
            work()
        };
        let started = thread::Builder::new().name("seawall call".to_owned()).spawn_scoped(scope, worker);
        let worker = started.map_err(|error| {
            let reason = error.to_string();
            error::of(py, &seawall::Error::Thread { reason })
        })?;
        let mut raised = None;
        while !over.load(Ordering::Acquire) {
            py.detach(|| thread::park_timeout(PATIENCE));
            if raised.is_none()
                && let Err(signal) = py.check_signals()
            {
                control.stop.ask(Reason::Caller);
                raised = Some(signal);
            }
        }
        let result = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
        // What a signal's handler raised counts, also if the run was as good as over.
        raised.map_or_else(|| result.map_err(|error| error.raise(py)), Err)
    })
}

/// Wakes who waits for a run, however that ends.
struct Over<'a> {
    over: &'a AtomicBool,
    waiter: Thread,
}

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Release);
        self.waiter.unpark();
    }
}

/// One more of the runs that may take long.
struct Long;

impl Long {
    fn begin() -> Self {
        LONG.fetch_add(1, Ordering::Relaxed);
        Self
    }
}

impl Drop for Long {
    fn drop(&mut self) {
        LONG.fetch_sub(1, Ordering::Relaxed);
    }
}
