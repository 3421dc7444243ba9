//! From the commands of a submission to schedules: one for all of them, unless queries come between, or copies of
//! texels that have fewer bytes outside of a texture than in it.

use std::collections::HashMap;
use std::ops;
use std::sync::Arc;

use seawall_core::program::Kernel;
use seawall_core::schedule::{
    BINDING_ALIGN_BYTES, Binding, Buffer as Declared, BufferId, Host, HostId, KernelId, Life, Schedule, Step,
};

use crate::buffer::{Buffer, Range};
use crate::command::{self, Bound, Command, Dispatch, Grid};
use crate::copy::{Copy, Packed, Plain};
use crate::pipeline::changes;
use crate::query;

/// What wgpu's own check of an indirect dispatch lets through, at the most.
pub(crate) const GRID_MAX: u32 = u16::MAX as u32;

/// What is done in one go.
pub(crate) enum Part<'a> {
    Run(Run),
    Packed(&'a Packed),
    Stamp { set: &'a query::Set, at: u32 },
    Reset { set: &'a query::Set, range: ops::Range<u32> },
    Resolve { set: &'a query::Set, range: ops::Range<u32>, to: &'a Range, stride: u64 },
}

/// A schedule and what it runs on.
#[derive(Default)]
pub(crate) struct Run {
    pub(crate) schedule: Schedule,
    /// For each buffer of the schedule but the one of what is told.
    pub(crate) residents: Vec<Buffer>,
    /// What all dispatches are told, one after the other.
    pub(crate) told: Vec<u8>,
}

/// All of a submission.
pub(crate) fn lower(buffers: &[command::Buffer]) -> Vec<Part<'_>> {
    let (mut parts, mut writer) = (Vec::new(), Writer::default());
    for buffer in buffers {
        for command in buffer.0.iter() {
            let part = match command {
                Command::Barrier => {
                    writer.barrier();
                    continue;
                }
                Command::Clear(range) => {
                    writer.clear(range);
                    continue;
                }
                Command::Copy(Copy::Plain(plain)) => {
                    writer.copy(plain);
                    continue;
                }
                Command::Dispatch(dispatch) => {
                    writer.dispatch(dispatch);
                    continue;
                }
                Command::Copy(Copy::Packed(packed)) => Part::Packed(packed),
                Command::Stamp { set, at } => Part::Stamp { set, at: *at },
                Command::Reset { set, range } => Part::Reset { set, range: range.clone() },
                Command::Resolve { set, range, to, stride } => {
                    Part::Resolve { set, range: range.clone(), to, stride: *stride }
                }
            };
            parts.extend(std::mem::take(&mut writer).end());
            parts.push(part);
        }
    }
    parts.extend(writer.end());
    parts
}

/// A schedule so far.
#[derive(Default)]
struct Writer {
    run: Run,
    buffers: HashMap<usize, BufferId>,
    kernels: HashMap<*const Kernel, KernelId>,
    /// Where what is told stands in the schedule, if anything is.
    told: Option<BufferId>,
    /// Textures that were used since the last barrier, and whether they were changed.
    textures: HashMap<usize, bool>,
}

impl Writer {
    fn step(&mut self, step: Step) {
        self.run.schedule.steps.push(step);
    }

    fn barrier(&mut self) {
        self.textures.clear();
        if !matches!(self.run.schedule.steps.last(), None | Some(Step::Barrier)) {
            self.step(Step::Barrier);
        }
    }

    /// Puts a barrier before a step that uses these buffers, and says whether it changes them, where it comes
    /// after another that uses one of the textures among them. wgpu tracks levels and layers each for itself and has
    /// no barrier between different ones, but what is bound of a texture may be more than a shader sees of it.
    fn in_turn<'b>(&mut self, buffers: impl Iterator<Item = (&'b Buffer, bool)>) {
        let used: Vec<(usize, bool)> =
            buffers.filter(|(buffer, _)| buffer.is_texels()).map(|(buffer, changes)| (buffer.id(), changes)).collect();
        if used.iter().any(|(id, changes)| self.textures.get(id).is_some_and(|changed| *changed || *changes)) {
            self.barrier();
        }
        for (id, changes) in used {
            *self.textures.entry(id).or_default() |= changes;
        }
    }

    fn clear(&mut self, range: &Range) {
        let range = self.binding(range);
        self.step(Step::Clear { range });
    }

    fn copy(&mut self, Plain { from, to, pieces }: &Plain) {
        self.in_turn([(from, false), (to, true)].into_iter());
        for piece in pieces {
            let from = self.binding(&from.range(piece.from, piece.bytes));
            let to = self.binding(&to.range(piece.to, piece.bytes));
            self.step(Step::Copy { from, to });
        }
    }

    fn dispatch(&mut self, Dispatch { kernel, grid, bound }: &Dispatch) {
        self.in_turn(kernel.buffers.iter().zip(bound).filter_map(|(row, bound)| match bound {
            Bound::Range(range) => Some((&range.buffer, changes(row))),
            Bound::Told(_) => None,
        }));
        let kernel = self.kernel(kernel);
        let bindings = bound.iter().map(|bound| match bound {
            Bound::Range(range) => self.binding(range),
            Bound::Told(bytes) => self.tell(bytes),
        });
        let bindings = bindings.collect();
        let step = match grid {
            Grid::Given(grid) => Step::Dispatch { kernel, grid: *grid, bindings },
            Grid::Found(args) => {
                Step::DispatchIndirect { kernel, args: self.binding(args), limit: [GRID_MAX; 3], bindings }
            }
        };
        self.step(step);
    }

    fn kernel(&mut self, kernel: &Arc<Kernel>) -> KernelId {
        let kernels = &mut self.run.schedule.kernels;
        *self.kernels.entry(Arc::as_ptr(kernel)).or_insert_with(|| {
            kernels.push(kernel.clone());
            KernelId(kernels.len() as u32 - 1)
        })
    }

    fn binding(&mut self, range: &Range) -> Binding {
        let Run { schedule, residents, .. } = &mut self.run;
        let buffer = *self.buffers.entry(range.buffer.id()).or_insert_with(|| {
            residents.push(range.buffer.clone());
            let name = range.buffer.name().to_owned();
            schedule.buffers.push(Declared { name, bytes: range.buffer.bytes(), life: Life::Resident });
            BufferId(schedule.buffers.len() as u32 - 1)
        });
        Binding { buffer, offset: range.offset, bytes: range.bytes }
    }

    /// What is told stands at the end of what dispatches before are told, where it can be bound.
    fn tell(&mut self, bytes: &[u8]) -> Binding {
        let buffers = &mut self.run.schedule.buffers;
        let buffer = *self.told.get_or_insert_with(|| {
            // How long it gets is known at the end.
            buffers.push(Declared { name: TOLD.to_owned(), bytes: 0, life: Life::Transient });
            BufferId(buffers.len() as u32 - 1)
        });
        let offset = self.run.told.len() as u64;
        self.run.told.extend_from_slice(bytes);
        self.run.told.resize(self.run.told.len().next_multiple_of(BINDING_ALIGN_BYTES as usize), 0);
        Binding { buffer, offset, bytes: bytes.len() as u64 }
    }

    /// All of it, if it is anything.
    fn end(mut self) -> Option<Part<'static>> {
        let schedule = &mut self.run.schedule;
        if let Some(buffer) = self.told {
            let bytes = self.run.told.len() as u64;
            schedule.buffers[buffer.0 as usize].bytes = bytes;
            schedule.hosts.push(Host { name: TOLD.to_owned(), bytes, writable: false });
            let upload = Step::Upload { host: HostId(0), at: 0, to: Binding { buffer, offset: 0, bytes } };
            schedule.steps.splice(0..0, [upload, Step::Barrier]);
        }
        (!schedule.steps.is_empty()).then_some(Part::Run(self.run))
    }
}

/// What is uploaded for all dispatches is called.
const TOLD: &str = "immediates and shapes";
