//! The queue: submissions in their order, done by a thread of its own or by whoever waits for them.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use wgpu::hal::{self, DeviceError, FenceValue};

use crate::Api;
use crate::command;
use crate::never::{Never, Surface};
use crate::run::Runner;

/// A number that grows as submissions are done. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fence(Arc<Reached>);

#[derive(Debug, Default)]
struct Reached {
    value: Mutex<FenceValue>,
    more: Condvar,
}

impl Fence {
    pub(crate) fn value(&self) -> FenceValue {
        *locked(&self.0.value)
    }

    fn reach(&self, value: FenceValue) {
        let mut reached = locked(&self.0.value);
        *reached = value.max(*reached);
        drop(reached);
        self.0.more.notify_all();
    }

    /// Whether it gets so far before `end`, if there is one. A lost device gets nowhere.
    fn wait(&self, value: FenceValue, lost: &AtomicBool, end: Option<Instant>) -> bool {
        let mut reached = locked(&self.0.value);
        while *reached < value && !lost.load(Ordering::Acquire) {
            reached = match end {
                None => self.0.more.wait(reached).unwrap_or_else(PoisonError::into_inner),
                Some(end) => {
                    let left = end.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return false;
                    }
                    self.0.more.wait_timeout(reached, left).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
        *reached >= value
    }
}

/// What was submitted, and the fence that tells when it is done.
struct Job {
    buffers: Vec<command::Buffer>,
    fence: Fence,
    value: FenceValue,
}

/// What a device, its queue and the queue's thread share.
pub(crate) struct Line {
    waiting: Mutex<Waiting>,
    come: Condvar,
    /// Jobs are taken by whoever holds this, so that they are done in their order.
    runner: Mutex<Runner>,
    lost: AtomicBool,
}

#[derive(Default)]
struct Waiting {
    jobs: VecDeque<Job>,
    closed: bool,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Line {
    /// Starts the thread.
    pub(crate) fn open(runner: Runner) -> Result<Arc<Self>, DeviceError> {
        let line = Arc::new(Self {
            waiting: Mutex::default(),
            come: Condvar::new(),
            runner: Mutex::new(runner),
            lost: AtomicBool::new(false),
        });
        let own = line.clone();
        match thread::Builder::new().name("seawall queue".to_owned()).spawn(move || own.work()) {
            Ok(_) => Ok(line),
            Err(error) => {
                log::error!("no thread for a queue: {error}");
                Err(DeviceError::Lost)
            }
        }
    }

    /// An error once the device is lost.
    pub(crate) fn here(&self) -> Result<(), DeviceError> {
        if self.lost.load(Ordering::Acquire) { Err(DeviceError::Lost) } else { Ok(()) }
    }

    /// Waits until a fence gets so far, and does what is to be done for it, unless the caller has no time.
    pub(crate) fn wait(
        &self,
        fence: &Fence,
        value: FenceValue,
        timeout: Option<Duration>,
    ) -> Result<bool, DeviceError> {
        if timeout.is_none() {
            while fence.value() < value && self.try_next() {}
        }
        let end = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let reached = fence.wait(value, &self.lost, end);
        self.here().map(|()| reached)
    }

    /// Waits until nothing is left to do.
    fn idle(&self) -> Result<(), DeviceError> {
        while self.next(&mut locked(&self.runner)) {}
        self.here()
    }

    fn submit(&self, job: Job) -> Result<(), DeviceError> {
        self.here()?;
        locked(&self.waiting).jobs.push_back(job);
        self.come.notify_one();
        Ok(())
    }

    /// What the thread does.
    fn work(&self) {
        loop {
            let mut waiting = locked(&self.waiting);
            while waiting.jobs.is_empty() {
                if waiting.closed {
                    return;
                }
                waiting = self.come.wait(waiting).unwrap_or_else(PoisonError::into_inner);
            }
            drop(waiting);
            self.next(&mut locked(&self.runner));
        }
    }

    /// Does the next job, if nobody else is at one and there is one.
    fn try_next(&self) -> bool {
        match self.runner.try_lock() {
            Ok(mut runner) => self.next(&mut runner),
            Err(TryLockError::Poisoned(runner)) => self.next(&mut runner.into_inner()),
            Err(TryLockError::WouldBlock) => false,
        }
    }

    /// Does the next job, if there is one. After a loss all that is left is dropped.
    fn next(&self, runner: &mut Runner) -> bool {
        let Some(Job { buffers, fence, value }) = locked(&self.waiting).jobs.pop_front() else { return false };
        let mut end = End { line: self, fence: &fence, reached: None };
        match self.here().map(|()| runner.submission(&buffers)) {
            Ok(Ok(())) => end.reached = Some(value),
            Ok(Err(error)) => log::error!("the device is lost: {error}"),
            Err(_) => {}
        }
        // What a submission used is let go of before anybody hears that it is done.
        drop(buffers);
        true
    }
}

/// How a job ends, by a panic too: nobody waits for ever.
struct End<'a> {
    line: &'a Line,
    fence: &'a Fence,
    reached: Option<FenceValue>,
}

impl Drop for End<'_> {
    fn drop(&mut self) {
        if self.reached.is_none() {
            self.line.lost.store(true, Ordering::Release);
        }
        self.fence.reach(self.reached.unwrap_or_default());
    }
}

/// The queue as wgpu sees it.
pub(crate) struct Queue {
    line: Arc<Line>,
}

impl Queue {
    pub(crate) fn new(line: Arc<Line>) -> Self {
        Self { line }
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        locked(&self.line.waiting).closed = true;
        self.line.come.notify_one();
    }
}

impl hal::Queue for Queue {
    type A = Api;

    unsafe fn submit(
        &self,
        buffers: &[&command::Buffer],
        _: &[&Never],
        (fence, value): (&Fence, FenceValue),
    ) -> Result<(), DeviceError> {
        let buffers = buffers.iter().filter(|buffer| !buffer.0.is_empty()).map(|&buffer| buffer.clone()).collect();
        self.line.submit(Job { buffers, fence: fence.clone(), value })
    }

    unsafe fn present(&self, _: &Surface, texture: Never) -> Result<(), hal::SurfaceError> {
        match texture {}
    }

    unsafe fn wait_for_idle(&self) -> Result<(), DeviceError> {
        self.line.idle()
    }

    unsafe fn get_timestamp_period(&self) -> f32 {
        1.0
    }
}
