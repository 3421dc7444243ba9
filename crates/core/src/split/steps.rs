//! Schedules without grid barriers: dispatches of kernels that have some become those of their
//! segments, in the loops and branches that these are in.

use std::sync::Arc;

use super::{Split, Step as Part, While};
use crate::diag::Report;
use crate::program::Kernel;
use crate::schedule::{Binding, Buffer, BufferId, COPY_ALIGN_BYTES, KernelId, Life, Schedule, Step, Test};

/// Why a schedule cannot be cut.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// A kernel that cannot be.
    #[error(transparent)]
    Kernel(#[from] Report),
    /// More than 64 bits can count.
    #[error("`{kernel}` keeps more across its grid barriers than can be counted, for a grid of this size")]
    TooLarge {
        /// Whose.
        kernel: String,
    },
}

/// What gives the segments of a kernel.
pub type Finder<'a> = dyn FnMut(&Arc<Kernel>) -> Result<Arc<Split>, Report> + 'a;

/// The same schedule, by the segments of its kernels, as `split` finds them.
pub fn cut(schedule: Schedule, split: &mut Finder<'_>) -> Result<Schedule, Error> {
    let Schedule { kernels, buffers, hosts, steps, budget_bytes } = schedule;
    let mut cut = Cut { out: Schedule { buffers, hosts, budget_bytes, ..Schedule::default() }, freed: Vec::new() };
    let mut places = Vec::with_capacity(kernels.len());
    for kernel in &kernels {
        let split = if kernel.needs.grid_barrier.is_some() { split(kernel)? } else { Arc::new(Split::whole(kernel)) };
        places.push((KernelId(cut.out.kernels.len() as u32), split.clone()));
        cut.out.kernels.extend(split.segments.iter().map(|segment| segment.kernel.clone()));
    }
    for step in steps {
        match step {
            Step::Dispatch { kernel, grid, bindings } => {
                let at = kernel.0 as usize;
                cut.dispatch(&places[at], &kernels[at], (Launch::Grid(grid), &bindings))?;
            }
            Step::DispatchIndirect { kernel, args, limit, bindings } => {
                let at = kernel.0 as usize;
                cut.dispatch(&places[at], &kernels[at], (Launch::Found { args, limit }, &bindings))?;
            }
            // A life ends with the group, of which there may be several now.
            Step::Free { .. } => cut.freed.push(step),
            step => {
                if step.is_boundary() {
                    cut.out.steps.append(&mut cut.freed);
                }
                cut.out.steps.push(step);
            }
        }
    }
    cut.out.steps.append(&mut cut.freed);
    Ok(cut.out)
}

#[derive(Clone, Copy)]
enum Launch {
    Grid([u32; 3]),
    Found { args: Binding, limit: [u32; 3] },
}

impl Launch {
    fn dispatch(self, kernel: KernelId, bindings: Vec<Binding>) -> Step {
        match self {
            Self::Grid(grid) => Step::Dispatch { kernel, grid, bindings },
            Self::Found { args, limit } => Step::DispatchIndirect { kernel, args, limit, bindings },
        }
    }
}

struct Cut {
    out: Schedule,
    /// Lives that end with the group at hand.
    freed: Vec<Step>,
}

impl Cut {
    fn memory(&mut self, kernel: &Kernel, what: &str, bytes: Option<u64>) -> Result<Binding, Error> {
        let bytes = bytes.ok_or_else(|| Error::TooLarge { kernel: kernel.name.clone() })?.max(COPY_ALIGN_BYTES);
        let buffer = BufferId(self.out.buffers.len() as u32);
        self.out.buffers.push(Buffer { name: format!("{}.{what}", kernel.name), bytes, life: Life::Transient });
        Ok(Binding { buffer, offset: 0, bytes })
    }

    fn dispatch(
        &mut self,
        (first, split): &(KernelId, Arc<Split>),
        kernel: &Kernel,
        (launch, bindings): (Launch, &[Binding]),
    ) -> Result<(), Error> {
        let (Launch::Grid(grid) | Launch::Found { limit: grid, .. }) = launch;
        let spill = split.rows.spill.map(|_| self.memory(kernel, "spill", split.spill_bytes(grid))).transpose()?;
        let kept = match split.rows.kept_in {
            Some(_) => Some([
                self.memory(kernel, "kept", split.kept_bytes(grid))?,
                self.memory(kernel, "kept next", split.kept_bytes(grid))?,
            ]),
            None => None,
        };
        let test = |word: u32, zero: bool| {
            let spill = spill.unwrap_or_else(|| unreachable!("invariant control: its words are in the spill memory"));
            Test { word: Binding { offset: 4 * u64::from(word), bytes: 4, ..spill }, zero }
        };
        let (mut swapping, mut ran) = (Vec::new(), false);
        for part in &split.steps {
            match *part {
                Part::Run { segment, swapped } => {
                    let mut sides = kept;
                    if let (Some(sides), true) = (&mut sides, swapped) {
                        sides.reverse();
                    }
                    let all = bindings.iter().copied().chain(spill).chain(sides.into_iter().flatten()).collect();
                    if std::mem::replace(&mut ran, true) {
                        self.out.steps.push(Step::Barrier);
                    }
                    self.out.steps.push(launch.dispatch(KernelId(first.0 + segment), all));
                }
                Part::Loop { how, swaps } => {
                    swapping.push(kept.filter(|_| swaps));
                    self.out.steps.push(match how {
                        While::Word(word) => Step::Loop { test: Some(test(word, false)), limit: u32::MAX },
                        While::Turns(turns) => Step::Loop { test: None, limit: turns },
                    });
                    ran = false;
                }
                Part::When { word, zero } => {
                    swapping.push(None);
                    self.out.steps.push(Step::When { test: test(word, zero) });
                    ran = false;
                }
                Part::End => {
                    if let Some([one, other]) = swapping.pop().flatten() {
                        let swap = Step::Swap { first: one.buffer, second: other.buffer };
                        self.out.steps.extend([Step::Barrier, swap]);
                    }
                    self.out.steps.push(Step::End);
                    ran = false;
                }
            }
        }
        Ok(())
    }
}
