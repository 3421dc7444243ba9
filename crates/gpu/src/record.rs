//! From a schedule to the commands of an encoder, in the order in which they are recorded.
//!
//! Steps of a group may run in any order: its copies come first, so that its dispatches share a
//! pass, with those of the groups before and after where there are no copies between. wgpu puts
//! barriers between dispatches that touch the same buffers, and nowhere else.

use seawall_core::check::Checked;
use seawall_core::schedule::{Binding, BufferId, Length, Step};

/// A download of this size or less is copied whole, and cut on the host, rather than waited for
/// until its length is known.
const WAIT_BYTES: u64 = 1 << 16;

/// One command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Op {
    /// A buffer gets its memory.
    Come {
        /// Which.
        buffer: usize,
        /// Whether anybody can see that it is all zeros.
        zeros: bool,
    },
    /// A buffer loses its memory.
    Go {
        /// Which.
        buffer: usize,
    },
    /// Host to device.
    Upload {
        /// Of the schedule.
        step: usize,
        /// From this slice,
        host: usize,
        /// from this byte of it on,
        at: u64,
        /// into this range.
        to: Binding,
    },
    /// Zeros.
    Clear {
        /// Of the schedule.
        step: usize,
        /// Into this range.
        range: Binding,
    },
    /// Device to device.
    Copy {
        /// Of the schedule.
        step: usize,
        /// From this range
        from: Binding,
        /// to this one.
        to: Binding,
    },
    /// A count on the device that the host wants to know.
    Count {
        /// Which of the counts.
        which: usize,
        /// Where it is.
        from: Binding,
    },
    /// Device to host.
    Download {
        /// Of the schedule.
        step: usize,
        /// From this range
        from: Binding,
        /// to this slice,
        host: usize,
        /// from this byte of it on.
        at: u64,
        /// How much, if a count says so.
        length: Option<Counted>,
    },
    /// A kernel over a grid.
    Dispatch {
        /// Which of the schedule's dispatches, counted from zero.
        at: usize,
    },
    /// What was downloaded must be in the host's memory now: something later depends on it.
    Land,
}

/// A length that a count gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Counted {
    /// Which of the counts.
    pub(crate) which: usize,
    /// What it counts.
    pub(crate) length: Length,
    /// Whether the host knows the count when it records the download.
    pub(crate) known: bool,
}

/// The commands of a schedule.
pub(crate) fn ops(schedule: &Checked) -> Vec<Op> {
    let mut list = List { landed: vec![true; schedule.hosts.len()], ..List::default() };
    let groups = schedule.steps.split(|step| *step == Step::Barrier);
    let mut first = 0;
    for (group, turnover) in groups.zip(schedule.turnover()) {
        for buffer in turnover.come {
            let zeros = !filled(schedule, group, buffer);
            list.ops.push(Op::Come { buffer: buffer.0 as usize, zeros });
        }
        list.group(first, group);
        first += group.len() + 1;
        list.ops.extend(turnover.go.iter().map(|buffer| Op::Go { buffer: buffer.0 as usize }));
    }
    list.ops
}

/// How many counts the host wants to know.
pub(crate) fn counts(ops: &[Op]) -> usize {
    ops.iter().filter(|op| matches!(op, Op::Count { .. })).count()
}

/// Whether an upload of its first group fills all of a buffer.
fn filled(schedule: &Checked, group: &[Step], buffer: BufferId) -> bool {
    let bytes = schedule.buffers[buffer.0 as usize].bytes;
    group.iter().any(|step| {
        matches!(step, Step::Upload { to, .. } | Step::Copy { to, .. } if *to == Binding { buffer, offset: 0, bytes })
    })
}

#[derive(Default)]
struct List {
    ops: Vec<Op>,
    /// Whether each host slice has what was downloaded to it.
    landed: Vec<bool>,
    dispatches: usize,
    counts: usize,
}

impl List {
    fn land(&mut self) {
        self.ops.push(Op::Land);
        self.landed.fill(true);
    }

    fn group(&mut self, first: usize, steps: &[Step]) {
        let (mut pass, mut waiting) = (Vec::new(), Vec::new());
        for (step, what) in (first..).zip(steps) {
            match what {
                Step::Upload { host, at, to } => {
                    let host = host.0 as usize;
                    if !self.landed[host] {
                        self.land();
                    }
                    self.ops.push(Op::Upload { step, host, at: *at, to: *to });
                }
                Step::Clear { range } => self.ops.push(Op::Clear { step, range: *range }),
                Step::Copy { from, to } => self.ops.push(Op::Copy { step, from: *from, to: *to }),
                Step::Download { from, host, at, length } => {
                    let download = self.download(step, *from, host.0 as usize, (*at, *length));
                    let waits = matches!(download, Op::Download { length: Some(Counted { known: true, .. }), .. });
                    if waits { waiting.push(download) } else { self.ops.push(download) }
                }
                Step::Dispatch { .. } | Step::DispatchIndirect { .. } => {
                    pass.push(Op::Dispatch { at: self.dispatches });
                    self.dispatches += 1;
                }
                Step::Free { .. } => {}
                Step::Barrier => unreachable!("invariant groups: split at barriers"),
            }
        }
        if !waiting.is_empty() {
            self.land();
        }
        for download in waiting {
            if let Op::Download { host, .. } = download {
                self.landed[host] = false;
            }
            self.ops.push(download);
        }
        self.ops.append(&mut pass);
    }

    fn download(&mut self, step: usize, from: Binding, host: usize, (at, length): (u64, Option<Length>)) -> Op {
        self.landed[host] = false;
        let length = length.map(|length| {
            let which = self.counts;
            self.counts += 1;
            self.ops.push(Op::Count { which, from: length.count });
            Counted { which, length, known: from.bytes > WAIT_BYTES }
        });
        Op::Download { step, from, host, at, length }
    }
}
