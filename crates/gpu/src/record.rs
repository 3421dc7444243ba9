//! From a schedule to the commands of an encoder, in the order in which they are recorded.
//!
//! Steps of a group may run in any order: its copies come first, so that its dispatches share a
//! pass, with those of the groups before and after where there are no copies between. wgpu puts
//! barriers between dispatches that touch the same buffers, and nowhere else.

use std::collections::HashSet;

use seawall_core::check::Checked;
use seawall_core::schedule::{Binding, BufferId, Step, Test};

use crate::pieces::{self, Counted, Fetch, Goal, Piece, Slab, WAIT_BYTES, piece};

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
    /// Device to host, by a copy.
    Fetch(Piece),
    /// Device to host: small pieces, in one slab.
    Slab(Slab),
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
        /// How much, which the host knows by then.
        length: Counted,
    },
    /// A kernel over a grid.
    Dispatch {
        /// Which of the schedule's dispatches, counted from zero.
        at: usize,
    },
    /// Two buffers exchange their memory.
    Swap {
        /// The one.
        first: usize,
        /// The other.
        second: usize,
    },
    /// A loop or a branch.
    Body(Body),
    /// Between two groups.
    Barrier,
    /// What was downloaded must be in the host's memory now: something later depends on it.
    Land,
}

impl Op {
    /// The loop or branch that it is.
    pub(crate) fn body(&self) -> Option<&Body> {
        if let Self::Body(body) = self { Some(body) } else { None }
    }
}

/// A loop or a branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Body {
    /// Which of the schedule's, in the order of their beginnings.
    pub(crate) which: usize,
    /// Asked before each turn.
    pub(crate) test: Option<Test>,
    /// Turns at the most: one of a branch.
    pub(crate) limit: u32,
    /// Whether it is a loop.
    pub(crate) is_loop: bool,
    /// What is done in a turn.
    pub(crate) ops: Vec<Op>,
}

impl Body {
    /// Whether a loop stands in it.
    pub(crate) fn has_loop(&self) -> bool {
        self.ops.iter().filter_map(Op::body).any(|inner| inner.is_loop || inner.has_loop())
    }
}

/// The commands of a schedule, for a device that can pack results or one that cannot.
pub(crate) fn ops(schedule: &Checked, packs: bool) -> Vec<Op> {
    let mut list = List { landed: vec![true; schedule.hosts.len()], packs, ..List::default() };
    let groups = schedule.steps.split(Step::is_boundary);
    let mut first = 0;
    for (group, turnover) in groups.zip(schedule.turnover()) {
        let filled: HashSet<BufferId> = group.iter().filter_map(|step| filled(schedule, step)).collect();
        for buffer in turnover.come {
            list.ops.push(Op::Come { buffer: buffer.0 as usize, zeros: !filled.contains(&buffer) });
        }
        list.group(first, group);
        first += group.len();
        list.ops.extend(turnover.go.iter().map(|buffer| Op::Go { buffer: buffer.0 as usize }));
        list.boundary(schedule.steps.get(first));
        first += 1;
    }
    list.ops
}

/// How many counts the host wants to know.
pub(crate) fn counts(schedule: &Checked) -> usize {
    schedule.steps.iter().filter(|step| matches!(step, Step::Download { length: Some(_), .. })).count()
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
    packs: bool,
    dispatches: usize,
    counts: usize,
    bodies: usize,
    /// Bodies that have not ended, each with what comes before it.
    open: Vec<(Vec<Op>, Body)>,
}

impl List {
    fn land(&mut self) {
        self.ops.push(Op::Land);
        self.landed.fill(true);
    }

    /// What ends a group.
    fn boundary(&mut self, step: Option<&Step>) {
        match step {
            None => {}
            Some(Step::Barrier) => self.ops.push(Op::Barrier),
            Some(Step::Loop { test, limit }) => self.begin(*test, *limit, true),
            Some(Step::When { test }) => self.begin(Some(*test), 1, false),
            Some(Step::End) => {
                let (before, mut body) = self.open.pop().expect("invariant bodies: what ends was begun");
                body.ops = std::mem::replace(&mut self.ops, before);
                self.ops.push(Op::Body(body));
            }
            Some(other) => unreachable!("invariant groups: split at boundaries, not at `{other}`"),
        }
    }

    fn begin(&mut self, test: Option<Test>, limit: u32, is_loop: bool) {
        let body = Body { which: self.bodies, test, limit, is_loop, ops: Vec::new() };
        self.bodies += 1;
        self.open.push((std::mem::take(&mut self.ops), body));
    }

    fn group(&mut self, first: usize, steps: &[Step]) {
        let (mut pass, mut waiting, mut plain, mut counted) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
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
                Step::Free { .. } | Step::Download { from: Binding { bytes: 0, .. }, .. } => {}
                Step::Download { from, host, at, length: None } => {
                    let to = Goal::Host { host: host.0 as usize, at: *at, length: None };
                    plain.push(piece(step, *from, to));
                }
                Step::Download { from, host, at, length: Some(length) } => {
                    let (host, at, which) = (host.0 as usize, *at, self.counts);
                    self.counts += 1;
                    plain.push(piece(step, length.count, Goal::Count(which)));
                    let length = Counted { which, length: *length };
                    if from.bytes > WAIT_BYTES {
                        waiting.push((host, Op::Download { step, from: *from, host, at, length }));
                    } else {
                        counted.push(piece(step, *from, Goal::Host { host, at, length: Some(length) }));
                    }
                }
                Step::Dispatch { .. } | Step::DispatchIndirect { .. } => {
                    pass.push(Op::Dispatch { at: self.dispatches });
                    self.dispatches += 1;
                }
                Step::Swap { first, second } => {
                    self.ops.push(Op::Swap { first: first.0 as usize, second: second.0 as usize });
                }
                Step::Barrier | Step::Loop { .. } | Step::When { .. } | Step::End => {
                    unreachable!("invariant groups: split at boundaries")
                }
            }
        }
        for part in plain.iter().chain(&counted).flat_map(|piece| &piece.parts) {
            if let Goal::Host { host, .. } = part.to {
                self.landed[host] = false;
            }
        }
        let Fetch { direct, slab, whole } = pieces::fetch(plain, counted, self.packs);
        self.ops.extend(direct.into_iter().map(Op::Fetch));
        self.ops.extend((!slab.pieces.is_empty()).then_some(Op::Slab(slab)));
        self.ops.extend(whole.into_iter().map(Op::Fetch));
        if !waiting.is_empty() {
            self.land();
        }
        for (host, download) in waiting {
            self.landed[host] = false;
            self.ops.push(download);
        }
        self.ops.append(&mut pass);
    }
}

#[cfg(test)]
mod tests {
    use seawall_core::check::check;
    use seawall_core::schedule::{Buffer, Host, HostId, Length, Life, Schedule};

    use super::*;
    use crate::pieces::{BRIDGE_BYTES, RECORD_BYTES, WHOLE_BYTES};

    const BUFFERS: u32 = 8;

    /// The commands for downloads of these ranges: buffer, offset, bytes, and whether a word of the
    /// last buffer counts them.
    fn fetched(downloads: &[(u32, u64, u64, bool)], packs: bool) -> Vec<Op> {
        let mut at = 0;
        let step = |&(buffer, offset, bytes, counted): &(u32, u64, u64, bool)| {
            at += bytes;
            let from = Binding { buffer: BufferId(buffer), offset, bytes };
            let count = Binding { buffer: BufferId(BUFFERS - 1), offset: 0, bytes: 4 };
            let length = counted.then_some(Length { count, element_bytes: 4 });
            Step::Download { from, host: HostId(0), at: at - bytes, length }
        };
        let steps: Vec<Step> = downloads.iter().map(step).collect();
        let buffer = |name: u32| Buffer { name: name.to_string(), bytes: 1 << 20, life: Life::Resident };
        let schedule = Schedule {
            buffers: (0..BUFFERS).map(buffer).collect(),
            hosts: vec![Host { name: "host".to_owned(), bytes: at, writable: true }],
            steps,
            ..Schedule::default()
        };
        ops(&check(schedule).unwrap(), packs)
    }

    /// The pieces for downloads of these ranges: buffer, offset, bytes.
    fn pieces(downloads: &[(u32, u64, u64)]) -> Vec<(Binding, usize)> {
        let plain: Vec<_> = downloads.iter().map(|&(buffer, offset, bytes)| (buffer, offset, bytes, false)).collect();
        let pieces = |op: Op| match op {
            Op::Slab(slab) => slab.pieces.into_iter().map(|(_, piece)| piece).collect(),
            Op::Fetch(piece) => vec![piece],
            other => panic!("{other:?}"),
        };
        let pieces = fetched(&plain, true).into_iter().flat_map(pieces);
        pieces.map(|Piece { from, parts, .. }| (from, parts.len())).collect()
    }

    #[test]
    fn downloads_that_lie_close_are_one_copy() {
        let range = |buffer, offset, bytes| Binding { buffer: BufferId(buffer), offset, bytes };
        let near = BRIDGE_BYTES;
        assert_eq!(pieces(&[(0, 8, 8), (0, 0, 8)]), [(range(0, 0, 16), 2)], "adjacent, in any order");
        assert_eq!(pieces(&[(0, 0, 8), (0, 8 + near, 4)]), [(range(0, 0, 12 + near), 2)], "across a small gap");
        let far = [(range(0, 0, 8), 1), (range(0, 12 + near, 4), 1)];
        assert_eq!(pieces(&[(0, 0, 8), (0, 12 + near, 4)]), far, "not across a larger one");
        let apart = [(range(0, 0, 8), 1), (range(1, 8, 8), 1)];
        assert_eq!(pieces(&[(1, 8, 8), (0, 0, 8)]), apart, "nor from one buffer to the next");
        assert_eq!(pieces(&[(0, 0, 64), (0, 4, 8), (0, 32, 64)]), [(range(0, 0, 96), 3)], "what overlaps crosses once");
        assert_eq!(pieces(&[(0, 0, 0)]), [], "nothing is no copy");
    }

    /// Where each piece of a slab is, and where it comes from.
    fn slab(op: &Op) -> Vec<(u64, u32, u64)> {
        let Op::Slab(slab) = op else { panic!("{op:?}") };
        slab.pieces.iter().map(|(at, piece)| (*at, piece.from.buffer.0, piece.from.bytes)).collect()
    }

    #[test]
    fn small_downloads_of_many_buffers_are_one_slab() {
        let large = RECORD_BYTES + 4;
        let many = [(0, 0, 8, false), (1, 0, 12, false), (2, 0, large, false), (3, 0, 4, false)];
        let [Op::Fetch(direct), packed] = &fetched(&many, true)[..] else { panic!("a copy and a slab") };
        assert_eq!((direct.from.buffer, direct.from.bytes), (BufferId(2), large), "what is large is not in it");
        assert_eq!(slab(packed), [(0, 0, 8), (8, 1, 12), (20, 3, 4)]);
    }

    #[test]
    fn what_the_device_counts_is_packed_behind_its_count() {
        let [packed] = &fetched(&[(0, 0, WAIT_BYTES, true)], true)[..] else { panic!("a slab") };
        assert_eq!(slab(packed), [(0, BUFFERS - 1, 4), (4, 0, WAIT_BYTES)]);
        for (bytes, packs) in [(WHOLE_BYTES, true), (WAIT_BYTES, false)] {
            let whole = fetched(&[(0, 0, bytes, true)], packs);
            assert!(matches!(&whole[..], [Op::Slab(_), Op::Fetch(_)]), "it is copied: {whole:?}");
        }
        let long = fetched(&[(0, 0, WAIT_BYTES + 4, true)], true);
        assert!(matches!(&long[..], [Op::Slab(_), Op::Land, Op::Download { .. }]), "it waits: {long:?}");
    }
}
