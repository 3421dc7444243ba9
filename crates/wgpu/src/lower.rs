//! From the commands of a submission to schedules: one for all of them, unless queries come between, or copies of
//! texels that have fewer bytes outside of a texture than in it.

use std::collections::HashMap;
use std::ops;

use seawall_core::schedule::{BINDING_ALIGN_BYTES, Binding, BufferId, Life, Schedule, Step, Writer};

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
pub(crate) struct Run {
    pub(crate) schedule: Schedule,
    /// For each buffer of the schedule but the one of what is told.
    pub(crate) residents: Vec<Buffer>,
    /// What all dispatches are told, one after the other.
    pub(crate) told: Vec<u8>,
}

/// All of a submission.
pub(crate) fn lower(buffers: &[command::Buffer]) -> Vec<Part<'_>> {
    let (mut parts, mut lower) = (Vec::new(), Lower::default());
    for buffer in buffers {
        for command in buffer.0.iter() {
            let part = match command {
                Command::Barrier => {
                    lower.barrier();
                    continue;
                }
                Command::Clear(range) => {
                    lower.clear(range);
                    continue;
                }
                Command::Copy(Copy::Plain(plain)) => {
                    lower.copy(plain);
                    continue;
                }
                Command::Dispatch(dispatch) => {
                    lower.dispatch(dispatch);
                    continue;
                }
                Command::Copy(Copy::Packed(packed)) => Part::Packed(packed),
                Command::Stamp { set, at } => Part::Stamp { set, at: *at },
                Command::Reset { set, range } => Part::Reset { set, range: range.clone() },
                Command::Resolve { set, range, to, stride } => {
                    Part::Resolve { set, range: range.clone(), to, stride: *stride }
                }
            };
            parts.extend(std::mem::take(&mut lower).end());
            parts.push(part);
        }
    }
    parts.extend(lower.end());
    parts
}

/// A submission so far.
#[derive(Default)]
struct Lower {
    written: Writer,
    /// For each buffer of the schedule but the one of what is told.
    residents: Vec<Buffer>,
    /// What all dispatches are told, one after the other.
    told: Vec<u8>,
    buffers: HashMap<usize, BufferId>,
    /// Where that stands in the schedule, if anything is told.
    place: Option<BufferId>,
    /// Textures that were used since the last barrier, and whether they were changed.
    textures: HashMap<usize, bool>,
}

impl Lower {
    fn barrier(&mut self) {
        self.textures.clear();
        self.written.barrier();
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
        self.written.step(Step::Clear { range });
    }

    fn copy(&mut self, Plain { from, to, pieces }: &Plain) {
        self.in_turn([(from, false), (to, true)].into_iter());
        for piece in pieces {
            let from = self.binding(&from.range(piece.from, piece.bytes));
            let to = self.binding(&to.range(piece.to, piece.bytes));
            self.written.step(Step::Copy { from, to });
        }
    }

    fn dispatch(&mut self, Dispatch { kernel, grid, bound }: &Dispatch) {
        self.in_turn(kernel.buffers.iter().zip(bound).filter_map(|(row, bound)| match bound {
            Bound::Range(range) => Some((&range.buffer, changes(row))),
            Bound::Told(_) => None,
        }));
        let kernel = self.written.kernel(kernel);
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
        self.written.step(step);
    }

    fn binding(&mut self, range: &Range) -> Binding {
        let Self { written, residents, .. } = self;
        let buffer = *self.buffers.entry(range.buffer.id()).or_insert_with(|| {
            residents.push(range.buffer.clone());
            written.buffer(range.buffer.name(), range.buffer.bytes(), Life::Resident).buffer
        });
        Binding { buffer, offset: range.offset, bytes: range.bytes }
    }

    /// What is told stands at the end of what dispatches before are told, where it can be bound.
    fn tell(&mut self, bytes: &[u8]) -> Binding {
        // How long it gets is known at the end.
        let buffer = *self.place.get_or_insert_with(|| self.written.buffer(TOLD, 0, Life::Transient).buffer);
        let offset = self.told.len() as u64;
        self.told.extend_from_slice(bytes);
        self.told.resize(self.told.len().next_multiple_of(BINDING_ALIGN_BYTES as usize), 0);
        Binding { buffer, offset, bytes: bytes.len() as u64 }
    }

    /// All of it, if it is anything.
    fn end(self) -> Option<Part<'static>> {
        let Self { mut written, residents, told, place, .. } = self;
        if let Some(buffer) = place {
            let bytes = told.len() as u64;
            written.schedule.buffers[buffer.0 as usize].bytes = bytes;
            let host = written.host(TOLD, bytes, false);
            let upload = Step::Upload { host, at: 0, to: Binding { buffer, offset: 0, bytes } };
            written.schedule.steps.splice(0..0, [upload, Step::Barrier]);
        }
        let schedule = written.schedule;
        (!schedule.steps.is_empty()).then_some(Part::Run(Run { schedule, residents, told }))
    }
}

/// What is uploaded for all dispatches is called.
const TOLD: &str = "immediates and shapes";
