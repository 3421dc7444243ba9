//! Runs a checked schedule, step after step: every order that its barriers allow gives
//! the same result, so this one does.

use std::sync::Arc;

use super::code::Code;
use super::constant::Constants;
use super::dispatch::Dispatch;
use super::memory::{self, Bound, Resident, Store};
use super::turns;
use crate::check::Checked;
use crate::device::{self, Control, Error, Host, Io, Stats};
use crate::schedule::{Binding, Life, Step};

/// A schedule whose kernels are ready for the machine.
#[derive(Debug)]
pub(super) struct Loaded {
    /// The device's id, for errors.
    pub(super) device: String,
    pub(super) schedule: Arc<Checked>,
    /// For each kernel.
    pub(super) codes: Vec<Code>,
    pub(super) seed: Option<u64>,
}

impl device::Loaded for Loaded {
    fn run(&self, mut io: Io<'_>, control: &Control) -> Result<Stats, Error> {
        device::io_fits(&self.schedule, &io)?;
        let residents = self.residents(&io)?;
        let mut stores = self.stores(&residents)?;
        self.residents_fit(&stores)?;
        let mut stats = Stats { peak_bytes: stores.iter().map(|store| store.len() as u64).sum(), ..Stats::default() };
        for step in &self.schedule.steps {
            match step {
                Step::Upload { host, to } => {
                    let from = &io.hosts[host.0 as usize].bytes()[..to.bytes as usize];
                    stores[to.buffer.0 as usize][range(to)].copy_from_slice(from);
                    stats.uploaded_bytes += to.bytes;
                }
                Step::Download { from, host } => {
                    let Host::Write(to) = &mut io.hosts[host.0 as usize] else {
                        unreachable!("invariant writable-hosts: io_fits refuses downloads into read-only slices")
                    };
                    to[..from.bytes as usize].copy_from_slice(&stores[from.buffer.0 as usize][range(from)]);
                    stats.downloaded_bytes += from.bytes;
                }
                Step::Barrier => stats.barriers += 1,
                Step::Dispatch { kernel, grid, bindings } => {
                    let code = &self.codes[kernel.0 as usize];
                    let kernel = &*self.schedule.kernels[kernel.0 as usize];
                    let rows = bindings.iter().map(|binding| (binding.buffer.0 as usize, range(binding))).collect();
                    let mut dispatch = Dispatch {
                        device: &self.device,
                        kernel,
                        code,
                        constants: Constants::new(kernel, code),
                        grid: *grid,
                        bound: Bound::new(&mut stores, rows),
                        control,
                        pauses: self.seed.is_some(),
                    };
                    let workgroups = turns::run(&mut dispatch, self.seed)?;
                    stats.dispatches += 1;
                    stats.workgroups += workgroups;
                    stats.invocations += workgroups * kernel.workgroup_invocations();
                }
            }
        }
        Ok(stats)
    }
}

impl Loaded {
    fn residents(&self, io: &Io<'_>) -> Result<Vec<Arc<Resident>>, Error> {
        let foreign = |_| Error::ForeignBuffer { device: self.device.clone() };
        io.residents.iter().map(|buffer| buffer.memory.clone().downcast().map_err(foreign)).collect()
    }

    /// A handle's size is the caller's word; the memory's own is what counts.
    fn residents_fit(&self, stores: &[Store<'_>]) -> Result<(), Error> {
        for (index, id) in self.schedule.residents().enumerate() {
            let (expected, got) = (self.schedule.buffers[id.0 as usize].bytes, stores[id.0 as usize].len() as u64);
            if expected != got {
                let (expected_bytes, got_bytes) = (Some(expected), Some(got));
                return Err(Error::ResidentMismatch { index, expected_bytes, got_bytes });
            }
        }
        Ok(())
    }

    fn stores<'a>(&self, residents: &'a [Arc<Resident>]) -> Result<Vec<Store<'a>>, Error> {
        let mut residents = memory::lock_all(residents).into_iter();
        let stores = self.schedule.buffers.iter().map(|buffer| match buffer.life {
            Life::Resident => Ok(Store::Resident(residents.next().expect("invariant io-fits: one for each"))),
            Life::Transient => {
                let bytes = buffer.bytes;
                let (device, what) = (self.device.clone(), format!("`{}`", buffer.name));
                let refused = |_| Error::OutOfMemory { device, what, bytes };
                memory::filled(bytes as usize, 0).map(Store::Transient).map_err(refused)
            }
        });
        stores.collect()
    }
}

fn range(binding: &Binding) -> std::ops::Range<usize> {
    binding.offset as usize..(binding.offset + binding.bytes) as usize
}
