//! Runs what was submitted, one submission after the other.

use std::sync::Arc;
use std::time::{Duration, Instant};

use seawall_core::check::{self, check};
use seawall_core::device::{self, Control, Device as _, Host, Io, Loaded};

use crate::buffer::Buffer;
use crate::command;
use crate::lower::{Part, Run, lower};

/// Schedules that are kept ready: programs submit the same again and again.
const READY_MAX: usize = 16;

/// Why a submission was not done.
#[derive(Debug)]
pub(crate) enum Error {
    /// wgpu has let something through that a schedule cannot be.
    Schedule(check::Error),
    Device(device::Error),
    Thread(seawall::Error),
}

impl From<seawall::Error> for Error {
    fn from(error: seawall::Error) -> Self {
        Self::Thread(error)
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Schedule(error) => error.fmt(f),
            Self::Device(error) => error.fmt(f),
            Self::Thread(error) => error.fmt(f),
        }
    }
}

/// A schedule that was checked and loaded.
struct Ready {
    schedule: Arc<check::Checked>,
    loaded: Box<dyn Loaded>,
}

pub(crate) struct Runner {
    cpu: Arc<seawall_cpu::Device>,
    deadline: Option<Duration>,
    /// What times are counted from.
    start: Instant,
    /// The one that was used last is the last.
    ready: Vec<Ready>,
}

impl Runner {
    pub(crate) fn new(cpu: Arc<seawall_cpu::Device>, deadline: Option<Duration>) -> Self {
        Self { cpu, deadline, start: Instant::now(), ready: Vec::new() }
    }

    /// Does a submission, in its time.
    pub(crate) fn submission(&mut self, buffers: &[command::Buffer]) -> Result<(), Error> {
        let control = Control::default();
        match self.deadline {
            None => self.parts(buffers, &control),
            Some(time) => seawall::within(time, &control, || self.parts(buffers, &control)),
        }
    }

    fn parts(&mut self, buffers: &[command::Buffer], control: &Control) -> Result<(), Error> {
        for part in lower(buffers) {
            match part {
                Part::Run(run) => self.run(run, control)?,
                Part::Stamp { set, at } => set.set(at..at + 1, self.start.elapsed().as_nanos() as u64),
                Part::Reset { set, range } => set.set(range, 0),
                Part::Resolve { set, range, to, stride } => {
                    for (at, value) in (0..).zip(set.bytes(range)) {
                        let offset = to.offset + at * stride;
                        self.cpu.write(to.buffer.memory(), offset, &value).map_err(Error::Device)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn run(&mut self, run: Run, control: &Control) -> Result<(), Error> {
        let Run { schedule, residents, immediates } = run;
        match self.ready.iter().rposition(|ready| **ready.schedule == schedule) {
            Some(at) => {
                let ready = self.ready.remove(at);
                self.ready.push(ready);
            }
            None => {
                let schedule = Arc::new(check(schedule).map_err(Error::Schedule)?);
                let loaded = self.cpu.load_with(schedule.clone(), &control.stop).map_err(Error::Device)?;
                if self.ready.len() == READY_MAX {
                    self.ready.remove(0);
                }
                self.ready.push(Ready { schedule, loaded });
            }
        }
        let ready = self.ready.last().expect("invariant ready: it was put there just now");
        let hosts = ready.schedule.hosts.iter().map(|_| Host::Read(&immediates)).collect();
        let residents = residents.iter().map(Buffer::memory).collect();
        ready.loaded.run(Io { hosts, residents }, control).map_err(Error::Device)?;
        Ok(())
    }
}
