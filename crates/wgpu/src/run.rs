//! Runs what was submitted, one submission after the other.

use std::sync::Arc;
use std::time::{Duration, Instant};

use seawall_core::check::{self, check};
use seawall_core::device::{self, Control, Device as _, Host, Io, Loaded, fit};

use crate::buffer::Buffer;
use crate::command;
use crate::copy::{Packed, Piece};
use crate::lower::{Part, Run, lower};

/// Schedules that are kept ready: programs submit the same again and again.
const READY_MAX: usize = 16;

/// Why a submission was not done.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// wgpu has let something through that a schedule cannot be.
    #[error(transparent)]
    Schedule(#[from] check::Error),
    #[error(transparent)]
    Device(#[from] device::Error),
    /// There is no thread to watch a deadline.
    #[error(transparent)]
    Thread(#[from] seawall::Error),
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
                Part::Packed(packed) => self.copy(packed)?,
                Part::Stamp { set, at } => set.set(at..at + 1, self.start.elapsed().as_nanos() as u64),
                Part::Reset { set, range } => set.set(range, 0),
                Part::Resolve { set, range, to, stride } => {
                    for (at, value) in (0..).zip(set.bytes(range)) {
                        let offset = to.offset + at * stride;
                        self.cpu.write(to.buffer.memory(), offset, &value)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn copy(&self, Packed { texture, buffer, to_texture, pieces }: &Packed) -> Result<(), Error> {
        let format = texture.layout.format();
        let (packed, texel) = (u64::from(format.packed_bytes()), texture.layout.texel_bytes());
        for &Piece { from, to, bytes } in pieces {
            if *to_texture {
                let mut row = vec![0; bytes as usize];
                self.cpu.read(buffer.memory(), from, &mut row)?;
                self.cpu.write(texture.texels.memory(), to, &format.spread(&row))?;
            } else {
                let mut row = vec![0; (bytes / packed * texel) as usize];
                self.cpu.read(texture.texels.memory(), to, &mut row)?;
                self.cpu.write(buffer.memory(), from, &format.pack(&row))?;
            }
        }
        Ok(())
    }

    fn run(&mut self, run: Run, control: &Control) -> Result<(), Error> {
        let Run { schedule, residents, told } = run;
        match self.ready.iter().rposition(|ready| **ready.schedule == schedule) {
            Some(at) => {
                let ready = self.ready.remove(at);
                self.ready.push(ready);
            }
            None => {
                log::trace!("a submission:\n{schedule}");
                let schedule = Arc::new(check(schedule)?);
                let loaded = self.cpu.load_with(fit(schedule.clone(), self.cpu.caps())?, &control.stop)?;
                if self.ready.len() == READY_MAX {
                    self.ready.remove(0);
                }
                self.ready.push(Ready { schedule, loaded });
            }
        }
        let ready = self.ready.last().expect("invariant ready: it was put there just now");
        let hosts = ready.schedule.hosts.iter().map(|_| Host::Read(&told)).collect();
        let residents = residents.iter().map(Buffer::memory).collect();
        ready.loaded.run(Io { hosts, residents }, control)?;
        Ok(())
    }
}
