//! Proves that a schedule computes a graph: each wave runs once, as written, on data that is
//! what it should be by then; waves that depend on each other run in order; and what the caller
//! is to get back comes back when it is final.
//!
//! Data has a version. A buffer holds some version of some data, and so does a slice of the host's;
//! an upload or a download carries it over. Whatever a wave is bound to must hold the version that
//! is current.
//!
//! What is changed anywhere inside a loop or a branch counts as changed from its beginning on, by the
//! one buffer that it has in there: so what holds before a turn holds after it, whatever the number
//! of turns, and one walk over the steps is a proof for all of them.

mod error;
mod order;
mod control;

use std::sync::Arc;

use self::control::Begun;
use self::order::in_order;
use super::{Checked, check};
use crate::graph::{self, Arg, BlockId, DataId, Launch, Node, Resolved, Role, Span, WaveId};
use crate::schedule::{Binding, BufferId, Length, Life, Schedule, Step};

pub use self::error::Error;

/// What a slice of the host's is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// The caller's, for this data.
    Data(DataId),
    /// The values that waves are bound to, one after the other.
    Values,
    /// Room for this data while it is not on the device.
    Scratch(DataId),
    /// The number of elements of this output, a `u32`.
    Count(DataId),
}

/// What the parts of a schedule stand for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Placement {
    /// Each wave and the step that runs it, by step.
    pub waves: Vec<(usize, WaveId)>,
    /// Each loop and branch, and the step that begins it, by step.
    pub blocks: Vec<(usize, BlockId)>,
    /// For each buffer, the data that it holds; `None` if it holds values.
    pub lives: Vec<Option<DataId>>,
    /// For each slice of the host's.
    pub slots: Vec<Slot>,
    /// What [`Slot::Values`] holds.
    pub values: Vec<u8>,
}

/// Proves that `schedule`, whose parts stand for what `placement` says, computes `graph`.
pub fn check_graph(
    schedule: impl Into<Arc<Schedule>>,
    placement: &Placement,
    graph: &Resolved,
) -> Result<Checked, Error> {
    let checked = check(schedule)?;
    let sizes = (placement.lives.len(), placement.slots.len());
    if sizes != (checked.buffers.len(), checked.hosts.len()) {
        return Err(Error::Placement);
    }
    let homes = homes(&checked, placement, graph)?;
    let mut flow = Flow::new(&checked, placement, graph);
    for (step, what) in checked.steps.iter().enumerate() {
        flow.step(step, what)?;
    }
    flow.group_ends();
    flow.returned(&homes)?;
    let all = |block: &Option<Begun>| block.map(|begun| (begun.first, begun.last));
    let blocks: Option<Vec<(u32, u32)>> = flow.blocks.iter().map(all).collect();
    let Some(blocks) = blocks else {
        let missing = flow.blocks.iter().position(Option::is_none).unwrap_or_default();
        return Err(Error::NoBlock { block: graph.blocks[missing].name.clone() });
    };
    in_order(graph, &flow.ran, &blocks)?;
    Ok(checked)
}

/// By data: the buffer that the caller hands in for it. What stays on the device has one and no
/// slice of the caller's, and nothing else has one.
fn homes(schedule: &Checked, placement: &Placement, graph: &Resolved) -> Result<Vec<Option<BufferId>>, Error> {
    let stays = |data: DataId| graph.data.get(data.0 as usize).is_some_and(graph::Data::stays);
    let mut homes = vec![None; graph.data.len()];
    for buffer in schedule.residents() {
        let data = placement.lives[buffer.0 as usize].filter(|&data| stays(data)).ok_or(Error::Placement)?;
        if homes[data.0 as usize].replace(buffer).is_some() {
            return Err(Error::Placement);
        }
    }
    let homeless = graph.data.iter().zip(&homes).any(|(data, home)| data.stays() && home.is_none());
    let handed_in = placement.slots.iter().any(|slot| matches!(slot, Slot::Data(data) if stays(*data)));
    if homeless || handed_in { Err(Error::Placement) } else { Ok(homes) }
}

/// A version of data: 0 as it starts, then larger with each change.
type Version = u32;

struct Flow<'a> {
    schedule: &'a Checked,
    placement: &'a Placement,
    graph: &'a Resolved,
    waves: std::iter::Peekable<std::slice::Iter<'a, (usize, WaveId)>>,
    group: u32,
    /// The last that anything has.
    version: Version,
    /// By block.
    blocks: Vec<Option<Begun>>,
    /// Those that have begun and not ended.
    open: Vec<BlockId>,
    /// By wave: the group that it ran in.
    ran: Vec<Option<u32>>,
    /// By data.
    current: Vec<Version>,
    /// By buffer: what it holds, if that is all of some version.
    holds: Vec<Option<Version>>,
    /// By slice, the same.
    kept: Vec<Option<Version>>,
    /// By buffer of values: where they come from.
    values: Vec<Option<u64>>,
    /// By counted output: the versions of it and of its count that came back.
    counted: Vec<Option<(Version, Version)>>,
    /// By output: the version of its count that came back.
    counts: Vec<Option<Version>>,
    /// What the group's steps do, for its end: by data, the buffer that they change,
    changing: Vec<Option<BufferId>>,
    /// those data,
    changed: Vec<DataId>,
    /// and what is uploaded.
    uploaded: Vec<(BufferId, Option<Version>)>,
}

impl<'a> Flow<'a> {
    fn new(schedule: &'a Checked, placement: &'a Placement, graph: &'a Resolved) -> Self {
        let role = |data: DataId| graph.data[data.0 as usize].role;
        let starts = |(buffer, data): (&crate::schedule::Buffer, &Option<DataId>)| {
            let zeros = [Role::Output, Role::Transient].contains(&role((*data)?));
            // What the caller hands in holds something else until it is cleared.
            let ready = if buffer.life == Life::Resident { role((*data)?) != Role::Output } else { zeros };
            ready.then_some(0)
        };
        let kept = |slot: &Slot| match slot {
            Slot::Data(data) if role(*data) != Role::Output => Some(0),
            Slot::Data(_) | Slot::Values | Slot::Scratch(_) | Slot::Count(_) => None,
        };
        let data = graph.data.len();
        Self {
            schedule,
            placement,
            graph,
            waves: placement.waves.iter().peekable(),
            group: 0,
            version: 0,
            blocks: vec![None; graph.blocks.len()],
            open: Vec::new(),
            ran: vec![None; graph.waves.len()],
            current: vec![0; data],
            holds: schedule.buffers.iter().zip(&placement.lives).map(starts).collect(),
            kept: placement.slots.iter().map(kept).collect(),
            values: vec![None; schedule.buffers.len()],
            counted: vec![None; data],
            counts: vec![None; data],
            changing: vec![None; data],
            changed: Vec::new(),
            uploaded: Vec::new(),
        }
    }

    fn data(&self, buffer: BufferId) -> Option<DataId> {
        self.placement.lives[buffer.0 as usize]
    }

    fn whole(&self, range: &Binding) -> bool {
        range.bytes == self.schedule.buffers[range.buffer.0 as usize].bytes
    }

    /// Whether the caller hands it in on the device for waves that find zeros there.
    fn starts_cleared(&self, data: DataId) -> bool {
        let data = &self.graph.data[data.0 as usize];
        data.stays() && data.role == Role::Output
    }

    fn stale(&self, step: usize, data: DataId) -> Error {
        Error::Stale { step, data: self.graph.data[data.0 as usize].name.clone() }
    }

    /// The data of a buffer that must hold its current version.
    fn fresh(&self, step: usize, buffer: BufferId) -> Result<DataId, Error> {
        let data = self.data(buffer).ok_or(Error::Stray { step })?;
        if self.holds[buffer.0 as usize] != Some(self.current[data.0 as usize]) {
            return Err(self.stale(step, data));
        }
        Ok(data)
    }

    fn step(&mut self, step: usize, what: &Step) -> Result<(), Error> {
        match what {
            Step::Upload { host, at, to } => {
                let slot = self.placement.slots[host.0 as usize];
                match (self.data(to.buffer), slot) {
                    (None, Slot::Values) => self.values[to.buffer.0 as usize] = at.checked_sub(to.offset),
                    (Some(data), Slot::Data(from) | Slot::Scratch(from)) if data == from => {
                        let version = self.kept[host.0 as usize].filter(|_| *at == 0 && self.whole(to));
                        self.uploaded.push((to.buffer, version));
                    }
                    _ => return Err(Error::Stray { step }),
                }
                Ok(())
            }
            Step::Download { from, host, at, length } => self.download(step, from, host.0 as usize, *at, *length),
            Step::Dispatch { .. } | Step::DispatchIndirect { .. } => match self.waves.next_if(|next| next.0 == step) {
                Some(&(_, wave)) => self.wave(step, what, wave),
                None => Err(Error::Stray { step }),
            },
            Step::Clear { range } => match self.data(range.buffer) {
                Some(data) if self.open.is_empty() && self.starts_cleared(data) && self.whole(range) => {
                    self.uploaded.push((range.buffer, Some(0)));
                    Ok(())
                }
                _ => Err(Error::Stray { step }),
            },
            Step::Copy { .. } => Err(Error::Stray { step }),
            Step::Loop { .. } | Step::When { .. } => self.begin(step, what),
            Step::Swap { first, second } => self.swap(step, *first, *second),
            Step::End => self.end(step),
            Step::Barrier => {
                self.group_ends();
                Ok(())
            }
            Step::Free { .. } => Ok(()),
        }
    }

    fn download(
        &mut self,
        step: usize,
        from: &Binding,
        host: usize,
        at: u64,
        length: Option<Length>,
    ) -> Result<(), Error> {
        let data = self.fresh(step, from.buffer)?;
        let version = self.current[data.0 as usize];
        match (self.placement.slots[host], length) {
            (Slot::Data(to) | Slot::Scratch(to), None) if to == data => {
                self.kept[host] = Some(version).filter(|_| at == 0 && self.whole(from));
                Ok(())
            }
            (Slot::Data(to), Some(Length { count, element_bytes })) if to == data && at == 0 && self.whole(from) => {
                let holder = self.fresh(step, count.buffer)?;
                let span = Span { data: holder, offset: count.offset, bytes: count.bytes };
                match self.graph.counted[data.0 as usize] {
                    Some(counted) if counted.count == span && counted.element_bytes == element_bytes => {
                        self.counted[data.0 as usize] = Some((version, self.current[holder.0 as usize]));
                        Ok(())
                    }
                    _ => Err(Error::Stray { step }),
                }
            }
            (Slot::Count(of), None) => match self.graph.counted[of.0 as usize] {
                Some(counted)
                    if counted.count == (Span { data, offset: from.offset, bytes: from.bytes }) && at == 0 =>
                {
                    self.counts[of.0 as usize] = Some(version);
                    Ok(())
                }
                _ => Err(Error::Stray { step }),
            },
            _ => Err(Error::Stray { step }),
        }
    }

    /// Data changes in this buffer: two that both do would leave neither whole.
    fn change(&mut self, step: usize, data: DataId, buffer: BufferId) -> Result<(), Error> {
        match self.changing[data.0 as usize].replace(buffer) {
            Some(other) if other != buffer => return Err(self.stale(step, data)),
            Some(_) => {}
            None => self.changed.push(data),
        }
        Ok(())
    }

    fn wave(&mut self, step: usize, what: &Step, wave: WaveId) -> Result<(), Error> {
        let Some(node) = self.graph.waves.get(wave.0 as usize) else { return Err(Error::Stray { step }) };
        self.stands(step, self.graph.within[wave.0 as usize])?;
        if !self.runs(what, node) {
            return Err(Error::Differs { step, wave: node.name.to_string() });
        }
        let (Step::Dispatch { bindings, .. } | Step::DispatchIndirect { bindings, .. }) = what else {
            return Err(Error::Stray { step });
        };
        for ((row, arg), binding) in node.kernel.buffers.iter().zip(self.graph.args(node)).zip(bindings) {
            if matches!(arg, Arg::Value(_)) {
                continue;
            }
            let data = self.fresh(step, binding.buffer)?;
            if row.effects.writes || row.effects.updates {
                self.change(step, data, binding.buffer)?;
            }
        }
        if let Step::DispatchIndirect { args, .. } = what {
            self.fresh(step, args.buffer)?;
        }
        match self.ran[wave.0 as usize].replace(self.group) {
            Some(_) => Err(Error::NotOnce { wave: node.name.to_string(), times: 2 }),
            None => Ok(()),
        }
    }

    /// Whether a dispatch has the wave's kernel, grid and bindings.
    fn runs(&self, what: &Step, node: &Node) -> bool {
        let spans = |binding: &Binding, span: &Span| {
            let Binding { buffer, offset, bytes } = *binding;
            self.data(buffer).is_some_and(|data| *span == Span { data, offset, bytes })
        };
        let (kernel, bindings) = match what {
            Step::Dispatch { kernel, grid, bindings } if node.launch == Launch::Workgroups(*grid) => (kernel, bindings),
            Step::DispatchIndirect { kernel, args, limit, bindings } => match &node.launch {
                Launch::Indirect { args: span, limit: most } if most == limit && spans(args, span) => {
                    (kernel, bindings)
                }
                _ => return false,
            },
            _ => return false,
        };
        let bound = |(arg, binding): (&Arg, &Binding)| match arg {
            Arg::Data(span) => spans(binding, span),
            Arg::Value(bytes) => self.value(binding) == Some(bytes),
        };
        let given = &self.schedule.kernels[kernel.0 as usize];
        let same = Arc::ptr_eq(given, &node.kernel) || given == &node.kernel;
        same && self.graph.args(node).iter().zip(bindings).all(bound)
    }

    /// The bytes that a buffer of values has in a range.
    fn value(&self, range: &Binding) -> Option<&[u8]> {
        let start = self.values[range.buffer.0 as usize]?.checked_add(range.offset)?;
        let end = start.checked_add(range.bytes)?;
        self.placement.values.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
    }

    fn group_ends(&mut self) {
        self.version += 1;
        for data in self.changed.drain(..) {
            self.current[data.0 as usize] = self.version;
            if let Some(buffer) = self.changing[data.0 as usize].take() {
                self.holds[buffer.0 as usize] = Some(self.version);
            }
        }
        for (buffer, version) in self.uploaded.drain(..) {
            self.holds[buffer.0 as usize] = version;
        }
        self.group += 1;
    }

    /// Every wave ran, and every result came back.
    fn returned(&self, homes: &[Option<BufferId>]) -> Result<(), Error> {
        if let Some(wave) = self.ran.iter().position(Option::is_none) {
            return Err(Error::NotOnce { wave: self.graph.waves[wave].name.to_string(), times: 0 });
        }
        let mut kept = vec![0; self.graph.data.len()];
        for (slot, version) in self.placement.slots.iter().zip(&self.kept) {
            if let (Slot::Data(data), Some(version)) = (slot, version) {
                kept[data.0 as usize] = *version;
            }
        }
        for (at, data) in self.graph.data.iter().enumerate() {
            let current = self.current[at];
            let counted = self.graph.counted[at].map(|counted| self.current[counted.count.data.0 as usize]);
            let back = match (homes[at], data.role, counted) {
                (Some(home), ..) => self.holds[home.0 as usize] == Some(current),
                (None, Role::Output, Some(count)) => self.counted[at] == Some((current, count)),
                (None, Role::Output | Role::InOut, None) => kept[at] == current,
                (None, Role::Input | Role::Persistent | Role::Transient | Role::InOut, _) => true,
            };
            if !back || counted.is_some_and(|count| self.counts[at] != Some(count)) {
                return Err(Error::NotReturned { data: data.name.clone() });
            }
        }
        Ok(())
    }
}
