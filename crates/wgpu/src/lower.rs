//! From the commands of a submission to schedules: one for all of them, unless queries come between.

use std::collections::HashMap;
use std::ops;

use seawall_core::schedule::{
    BINDING_ALIGN_BYTES, Binding, Buffer as Declared, BufferId, Host, HostId, KernelId, Life, Schedule, Step,
};

use crate::buffer::{Buffer, Range};
use crate::command::{self, Command, Dispatch, Grid};
use crate::pipeline::Pipeline;
use crate::query;

/// What wgpu's own check of an indirect dispatch lets through, at the most.
pub(crate) const GRID_MAX: u32 = u16::MAX as u32;

/// What is done in one go.
pub(crate) enum Part<'a> {
    Run(Run),
    Stamp { set: &'a query::Set, at: u32 },
    Reset { set: &'a query::Set, range: ops::Range<u32> },
    Resolve { set: &'a query::Set, range: ops::Range<u32>, to: &'a Range, stride: u64 },
}

/// A schedule and what it runs on.
#[derive(Default)]
pub(crate) struct Run {
    pub(crate) schedule: Schedule,
    /// For each buffer of the schedule but that of immediates.
    pub(crate) residents: Vec<Buffer>,
    /// What all dispatches read as immediates, one after the other.
    pub(crate) immediates: Vec<u8>,
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
                Command::Copy { from, to } => {
                    writer.copy(from, to);
                    continue;
                }
                Command::Dispatch(dispatch) => {
                    writer.dispatch(dispatch);
                    continue;
                }
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
    kernels: HashMap<usize, KernelId>,
    /// Where immediates stand in the schedule, if there are any.
    immediates: Option<BufferId>,
}

impl Writer {
    fn step(&mut self, step: Step) {
        self.run.schedule.steps.push(step);
    }

    fn barrier(&mut self) {
        if !matches!(self.run.schedule.steps.last(), None | Some(Step::Barrier)) {
            self.step(Step::Barrier);
        }
    }

    fn clear(&mut self, range: &Range) {
        let range = self.binding(range);
        self.step(Step::Clear { range });
    }

    fn copy(&mut self, from: &Range, to: &Range) {
        let (from, to) = (self.binding(from), self.binding(to));
        self.step(Step::Copy { from, to });
    }

    fn dispatch(&mut self, dispatch: &Dispatch) {
        let kernel = self.kernel(&dispatch.pipeline);
        let mut bound = dispatch.bound.iter();
        let rows = dispatch.pipeline.kernel().buffers.iter();
        let bindings = rows.map(|row| match row.immediate {
            true => self.immediates(&dispatch.immediates),
            false => self.binding(bound.next().expect("invariant rows-bound: a range for each row")),
        });
        let bindings = bindings.collect();
        let step = match &dispatch.grid {
            Grid::Given(grid) => Step::Dispatch { kernel, grid: *grid, bindings },
            Grid::Found(args) => {
                Step::DispatchIndirect { kernel, args: self.binding(args), limit: [GRID_MAX; 3], bindings }
            }
        };
        self.step(step);
    }

    fn kernel(&mut self, pipeline: &Pipeline) -> KernelId {
        let kernels = &mut self.run.schedule.kernels;
        *self.kernels.entry(pipeline.id()).or_insert_with(|| {
            kernels.push(pipeline.kernel().clone());
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

    /// Immediates stand at the end of those of dispatches before, where they can be bound.
    fn immediates(&mut self, bytes: &[u8]) -> Binding {
        let buffers = &mut self.run.schedule.buffers;
        let buffer = *self.immediates.get_or_insert_with(|| {
            // How long it gets is known at the end.
            buffers.push(Declared { name: "immediates".to_owned(), bytes: 0, life: Life::Transient });
            BufferId(buffers.len() as u32 - 1)
        });
        let offset = self.run.immediates.len() as u64;
        self.run.immediates.extend_from_slice(bytes);
        self.run.immediates.resize(self.run.immediates.len().next_multiple_of(BINDING_ALIGN_BYTES as usize), 0);
        Binding { buffer, offset, bytes: bytes.len() as u64 }
    }

    /// All of it, if it is anything.
    fn end(mut self) -> Option<Part<'static>> {
        let schedule = &mut self.run.schedule;
        if let Some(buffer) = self.immediates {
            let bytes = self.run.immediates.len() as u64;
            schedule.buffers[buffer.0 as usize].bytes = bytes;
            schedule.hosts.push(Host { name: "immediates".to_owned(), bytes, writable: false });
            let upload = Step::Upload { host: HostId(0), at: 0, to: Binding { buffer, offset: 0, bytes } };
            schedule.steps.splice(0..0, [upload, Step::Barrier]);
        }
        (!schedule.steps.is_empty()).then_some(Part::Run(self.run))
    }
}
