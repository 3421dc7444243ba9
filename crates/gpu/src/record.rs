//! From a schedule to the commands of an encoder, in the order in which they are recorded.
//!
//! Steps of a group may run in any order: its copies come first, so that its dispatches share a
//! pass, with those of the groups before and after where there are no copies between. wgpu puts
//! barriers between dispatches that touch the same buffers, and nowhere else.

use std::collections::HashSet;

use seawall_core::check::Checked;
use seawall_core::readback::{self, Packing, Slot, SlotId};
use seawall_core::schedule::{Binding, BufferId, COPY_ALIGN_BYTES, Length, Step};

/// A download of this size or less is copied whole, and cut on the host, rather than waited for
/// until its length is known.
const WAIT_BYTES: u64 = 1 << 16;

/// Bytes between two downloads from one buffer that are copied with them: a command of their own
/// would cost more.
const BRIDGE_BYTES: u64 = 64;

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
    Gather {
        /// Of the schedule, the first whose download this is.
        step: usize,
        /// From this range
        from: Binding,
        /// its parts to where they belong.
        parts: Vec<Part>,
    },
    /// Device to host, as much as a count says.
    Download {
        /// Of the schedule.
        step: usize,
        /// From this range
        from: Binding,
        /// to this slice,
        host: usize,
        /// from this byte of it on.
        at: u64,
        /// How much.
        length: Counted,
    },
    /// A kernel over a grid.
    Dispatch {
        /// Which of the schedule's dispatches, counted from zero.
        at: usize,
    },
    /// What was downloaded must be in the host's memory now: something later depends on it.
    Land,
}

/// A part of a range that is copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Part {
    /// First byte in the range.
    pub(crate) offset: u64,
    /// How many.
    pub(crate) bytes: u64,
    /// They go to this slice,
    pub(crate) host: usize,
    /// from this byte of it on.
    pub(crate) at: u64,
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
    let groups = schedule.steps.split(Step::is_boundary);
    let mut first = 0;
    for (group, turnover) in groups.zip(schedule.turnover()) {
        let filled: HashSet<BufferId> = group.iter().filter_map(|step| filled(schedule, step)).collect();
        for buffer in turnover.come {
            list.ops.push(Op::Come { buffer: buffer.0 as usize, zeros: !filled.contains(&buffer) });
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

/// The buffer that a step fills from the first byte to the last.
fn filled(schedule: &Checked, step: &Step) -> Option<BufferId> {
    let (Step::Upload { to, .. } | Step::Copy { to, .. }) = step else { return None };
    (to.offset == 0 && to.bytes == schedule.buffers[to.buffer.0 as usize].bytes).then_some(to.buffer)
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
        let (mut pass, mut waiting, mut plain) = (Vec::new(), Vec::new(), Vec::new());
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
                Step::Download { from, host, at, length: None } => plain.push((*from, step, host.0 as usize, *at)),
                Step::Download { from, host, at, length: Some(length) } => {
                    let download = self.download(step, *from, host.0 as usize, (*at, *length));
                    let waits = matches!(download, Op::Download { length: Counted { known: true, .. }, .. });
                    if waits { waiting.push(download) } else { self.ops.push(download) }
                }
                Step::Dispatch { .. } | Step::DispatchIndirect { .. } => {
                    pass.push(Op::Dispatch { at: self.dispatches });
                    self.dispatches += 1;
                }
                Step::Free { .. } => {}
                Step::Swap { .. } => unreachable!("invariant fit: a device that decides nothing gets no loops"),
                Step::Barrier | Step::Loop { .. } | Step::When { .. } | Step::End => {
                    unreachable!("invariant groups: split at boundaries")
                }
            }
        }
        self.gather(plain);
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

    fn download(&mut self, step: usize, from: Binding, host: usize, (at, length): (u64, Length)) -> Op {
        self.landed[host] = false;
        let which = self.counts;
        self.counts += 1;
        self.ops.push(Op::Count { which, from: length.count });
        let length = Counted { which, length, known: from.bytes > WAIT_BYTES };
        Op::Download { step, from, host, at, length }
    }

    /// Downloads by address, in as few copies as they allow.
    fn gather(&mut self, mut plain: Vec<(Binding, usize, usize, u64)>) {
        plain.sort_by_key(|&(from, step, ..)| (from.buffer, from.offset, step));
        let slot = |(id, (from, ..)): (usize, &(Binding, usize, usize, u64))| Slot {
            id: SlotId(id as u32),
            buffer: from.buffer,
            offset: from.offset,
            meaningful_bytes: from.bytes,
            capacity_bytes: from.bytes,
        };
        let slots: Vec<Slot> = plain.iter().enumerate().map(slot).collect();
        // Nothing is too small to be read where it lies: the belt packs what is read.
        let packing = Packing { record_limit_bytes: 0, align_bytes: COPY_ALIGN_BYTES };
        let plan = match readback::plan(&slots, packing) {
            Ok(plan) => plan,
            Err(error) => unreachable!("invariant downloads: `check` has proved their ranges: {error}"),
        };
        let first = self.ops.len();
        for direct in &plan.direct {
            let (range, (_, step, host, at)) = (plan.ranges[direct.range as usize], plain[direct.slot.0 as usize]);
            self.landed[host] = false;
            let (start, end) = (range.offset + direct.offset, range.offset + range.bytes);
            match self.ops[first..].last_mut() {
                Some(Op::Gather { from, parts, .. })
                    if from.buffer == range.buffer && start <= from.offset + from.bytes + BRIDGE_BYTES =>
                {
                    from.bytes = from.bytes.max(end - from.offset);
                    parts.push(Part { offset: start - from.offset, bytes: direct.bytes, host, at });
                }
                _ => {
                    let from = Binding { buffer: range.buffer, offset: start, bytes: end - start };
                    self.ops.push(Op::Gather {
                        step,
                        from,
                        parts: vec![Part { offset: 0, bytes: direct.bytes, host, at }],
                    });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use seawall_core::check::check;
    use seawall_core::schedule::{Buffer, Host, HostId, Life, Schedule};

    use super::*;

    /// The copies for downloads of these ranges: buffer, offset, bytes.
    fn copies(downloads: &[(u32, u64, u64)]) -> Vec<(Binding, usize)> {
        let mut at = 0;
        let step = |&(buffer, offset, bytes): &(u32, u64, u64)| {
            at += bytes;
            let from = Binding { buffer: BufferId(buffer), offset, bytes };
            Step::Download { from, host: HostId(0), at: at - bytes, length: None }
        };
        let steps: Vec<Step> = downloads.iter().map(step).collect();
        let buffer = |name: &str| Buffer { name: name.to_owned(), bytes: 1 << 20, life: Life::Resident };
        let schedule = Schedule {
            buffers: vec![buffer("a"), buffer("b")],
            hosts: vec![Host { name: "host".to_owned(), bytes: at, writable: true }],
            steps,
            ..Schedule::default()
        };
        let gather = |op: Op| match op {
            Op::Gather { from, parts, .. } => (from, parts.len()),
            other => panic!("{other:?}"),
        };
        ops(&check(schedule).unwrap()).into_iter().map(gather).collect()
    }

    #[test]
    fn downloads_that_lie_close_are_one_copy() {
        let range = |buffer, offset, bytes| Binding { buffer: BufferId(buffer), offset, bytes };
        let near = BRIDGE_BYTES;
        assert_eq!(copies(&[(0, 8, 8), (0, 0, 8)]), [(range(0, 0, 16), 2)], "adjacent, in any order");
        assert_eq!(copies(&[(0, 0, 8), (0, 8 + near, 4)]), [(range(0, 0, 12 + near), 2)], "across a small gap");
        let far = [(range(0, 0, 8), 1), (range(0, 12 + near, 4), 1)];
        assert_eq!(copies(&[(0, 0, 8), (0, 12 + near, 4)]), far, "not across a larger one");
        let apart = [(range(0, 0, 8), 1), (range(1, 8, 8), 1)];
        assert_eq!(copies(&[(1, 8, 8), (0, 0, 8)]), apart, "nor from one buffer to the next");
        assert_eq!(copies(&[(0, 0, 64), (0, 4, 8), (0, 32, 64)]), [(range(0, 0, 96), 3)], "what overlaps crosses once");
        assert_eq!(copies(&[(0, 0, 0)]), [], "nothing is no copy");
    }
}
