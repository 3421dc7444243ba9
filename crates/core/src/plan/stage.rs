//! Writes the schedule down, stage by stage, and keeps account of what is live.
//!
//! Each group of waves is a stage. What it needs and the device lacks is uploaded during the
//! stage before, if there is room beside it, or else in a stage of its own. If there is no room
//! at all, data that the group does not need makes way: results that are done, and then what is
//! needed again last (Belady, 1966). Data that the host does not have is downloaded first; one
//! that the last stage changed can only be downloaded in a stage after it.

mod control;

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;

use super::groups::{self, Groups, Needs};
use super::{Error, Reason};
use crate::check::{Placement, Slot};
use crate::graph::{Arg, BlockId, DataId, Launch, Resolved, Role, Span, WaveId};
use crate::schedule::{self, BINDING_ALIGN_BYTES, Binding, BufferId, HostId, Length, Life, Schedule, Step};

/// The schedule of these groups; adds to the reasons.
pub(super) fn stages(
    graph: &Resolved,
    needs: &Needs,
    groups: &mut Groups,
    budget_bytes: Option<u64>,
) -> Result<(Schedule, Placement), Error> {
    let mut writer = Writer::new(graph, needs, groups, budget_bytes)?;
    writer.clear();
    for unit in &groups.units {
        writer.unit(groups, unit.clone());
    }
    if !writer.done.is_empty() {
        writer.start();
    }
    groups.reasons.append(&mut writer.reasons);
    Ok(writer.end())
}

/// The data that a group, or a block with all that is in it, is bound to.
fn needed(graph: &Resolved, needs: &Needs, groups: &Groups, unit: &Range<usize>) -> Vec<DataId> {
    let parent = |block: &BlockId| graph.blocks[block.0 as usize].parent;
    let outermost = std::iter::successors(groups.within[unit.start], parent).last();
    let nodes = match outermost {
        Some(block) => &[graph.block_node(block)][..],
        None => &groups.nodes[unit.start],
    };
    let mut needed: Vec<DataId> = nodes.iter().flat_map(|&node| needs.of(node).data).copied().collect();
    needed.sort_unstable();
    needed.dedup();
    needed
}

/// Where data is.
#[derive(Clone, Copy, Default)]
struct Place {
    /// The caller's slice.
    home: Option<HostId>,
    /// Ours.
    scratch: Option<HostId>,
    /// The slice that has it as it is now. If none has and no buffer either, it is all zeros.
    stored: Option<HostId>,
    buffer: Option<BufferId>,
    /// The buffer alone has it as it is now.
    dirty: bool,
}

struct Writer<'a> {
    graph: &'a Resolved,
    needs: &'a Needs,
    limit_bytes: u64,
    /// By data: the groups that need it, ascending, and how many of them are over.
    uses: Vec<(Vec<u32>, usize)>,
    places: Vec<Place>,
    /// What has a buffer and could make way, first what is needed again last, or never.
    here: BTreeSet<(Reverse<u32>, DataId)>,
    /// Results that are final and wait to be downloaded.
    done: BTreeSet<DataId>,
    /// Stages so far.
    stage: u32,
    /// What is live in the last one,
    stage_bytes: u64,
    /// and what will be when it is over.
    live_bytes: u64,
    /// By data: the last stage that changed it.
    changed: Vec<u32>,
    /// The slice of all values.
    values_host: Option<HostId>,
    /// The group's values, and where the next one is.
    values: Option<Binding>,
    written: schedule::Writer,
    placement: Placement,
    reasons: Vec<Reason>,
}

impl<'a> Writer<'a> {
    fn new(graph: &'a Resolved, needs: &'a Needs, groups: &Groups, budget_bytes: Option<u64>) -> Result<Self, Error> {
        let mut uses = vec![(Vec::new(), 0); graph.data.len()];
        for unit in &groups.units {
            for data in needed(graph, needs, groups, unit) {
                uses[data.0 as usize].0.push(unit.start as u32);
            }
        }
        let mut writer = Self {
            graph,
            needs,
            limit_bytes: budget_bytes.unwrap_or(u64::MAX),
            uses,
            places: vec![Place::default(); graph.data.len()],
            here: BTreeSet::new(),
            done: BTreeSet::new(),
            stage: 0,
            stage_bytes: 0,
            live_bytes: groups::resident(graph)?,
            changed: vec![0; graph.data.len()],
            values_host: None,
            values: None,
            written: schedule::Writer::new(budget_bytes),
            placement: Placement::default(),
            reasons: Vec::new(),
        };
        writer.written.schedule.steps.reserve(graph.waves.len() + groups.nodes.len());
        writer.placement.waves.reserve(graph.waves.len());
        for (at, data) in graph.data.iter().enumerate() {
            let id = DataId(at as u32);
            if data.stays() {
                writer.places[at].buffer = Some(writer.buffer(&data.name, data.bytes, Life::Resident, Some(id)));
                continue;
            }
            match data.role {
                Role::Input | Role::InOut => {
                    let home = writer.host(&data.name, data.bytes, Slot::Data(id), data.role == Role::InOut);
                    (writer.places[at].home, writer.places[at].stored) = (Some(home), Some(home));
                }
                Role::Output => {
                    writer.places[at].home = Some(writer.host(&data.name, data.bytes, Slot::Data(id), true));
                }
                Role::Persistent | Role::Transient => {}
            }
        }
        Ok(writer)
    }

    /// Outputs that are on the device already start as zeros.
    fn clear(&mut self) {
        let graph = self.graph;
        let outputs = (0..).map(DataId).zip(&graph.data).filter(|(_, data)| data.resident && data.role == Role::Output);
        for (id, data) in outputs {
            if self.stage == 0 {
                self.start();
            }
            let range = self.bind(Span { data: id, offset: 0, bytes: data.bytes });
            self.written.step(Step::Clear { range });
        }
    }

    fn host(&mut self, name: &str, bytes: u64, slot: Slot, writable: bool) -> HostId {
        self.placement.slots.push(slot);
        self.written.host(name, bytes, writable)
    }

    fn buffer(&mut self, name: &str, bytes: u64, life: Life, data: Option<DataId>) -> BufferId {
        self.placement.lives.push(data);
        self.written.buffer(name, bytes, life).buffer
    }

    fn bytes(&self, data: DataId) -> u64 {
        self.graph.data[data.0 as usize].bytes
    }

    /// The group that needs the data next, of those that are not over.
    fn next_use(&self, data: DataId) -> Option<u32> {
        let (uses, over) = &self.uses[data.0 as usize];
        uses.get(*over).copied()
    }

    /// How soon the data makes way.
    fn turn(&self, data: DataId) -> (Reverse<u32>, DataId) {
        (Reverse(self.next_use(data).unwrap_or(u32::MAX)), data)
    }

    /// A new stage, which downloads what is done.
    fn start(&mut self) {
        self.written.barrier();
        self.stage += 1;
        self.stage_bytes = self.live_bytes;
        for data in std::mem::take(&mut self.done) {
            let home = self.places[data.0 as usize].home.expect("invariant done: the caller wants it");
            self.download(data, home);
            self.free(data);
        }
    }

    /// A group, or a block with all that is in it.
    fn unit(&mut self, groups: &Groups, unit: Range<usize>) {
        let (group, needed) = (unit.start as u32, needed(self.graph, self.needs, groups, &unit));
        let nodes = &groups.nodes[unit.clone()].concat();
        let value_bytes = nodes.iter().map(|&node| self.needs.of(node).value_bytes).sum();
        let missing = needed.iter().copied().filter(|data| self.places[data.0 as usize].buffer.is_none());
        let (known, fresh): (Vec<DataId>, Vec<DataId>) =
            missing.partition(|data| self.places[data.0 as usize].stored.is_some());
        let brought = known.iter().map(|&data| self.bytes(data)).fold(value_bytes, u64::saturating_add);
        let more = fresh.iter().map(|&data| self.bytes(data)).fold(brought, u64::saturating_add);
        self.make_room(group, more);
        self.bring(group, &known, nodes, brought, value_bytes);
        self.start();
        for data in fresh {
            self.come(data);
        }
        if groups.within[unit.start].is_some() {
            self.control(groups, unit);
        } else {
            for &node in nodes {
                self.node(node);
            }
        }
        for &data in &needed {
            self.used(data);
        }
        if let Some(Binding { buffer, .. }) = self.values.take() {
            self.written.step(Step::Free { buffer });
            self.live_bytes -= value_bytes;
        }
    }

    /// Only the data's buffer has it as it is now.
    fn changed(&mut self, data: DataId) {
        let place = &mut self.places[data.0 as usize];
        (place.stored, place.dirty) = (None, true);
        self.changed[data.0 as usize] = self.stage;
    }

    /// Frees what the group does not need until so much more fits.
    fn make_room(&mut self, group: u32, more: u64) {
        let mut victims = self.victims(group, more);
        let fresh = |data: &DataId| self.places[data.0 as usize].dirty && self.changed[data.0 as usize] == self.stage;
        if victims.iter().any(fresh) {
            self.start();
            victims = self.victims(group, more);
        }
        for data in victims {
            let Place { dirty, home, .. } = self.places[data.0 as usize];
            if self.done.remove(&data) {
                self.download(data, home.expect("invariant done: the caller wants it"));
                self.free(data);
                continue;
            }
            let next = self.next_use(data).expect("invariant here: what nobody needs is gone");
            self.reasons.push(Reason::Evicted { group, data, stored: dirty, next });
            if dirty {
                let host = self.aside(data);
                self.download(data, host);
            }
            self.free(data);
        }
    }

    /// What is to make way for a group that does not need it.
    fn victims(&self, group: u32, more: u64) -> Vec<DataId> {
        let mut over = self.live_bytes.saturating_add(more).saturating_sub(self.limit_bytes);
        let mut victims = Vec::new();
        // What the group needs comes last.
        for &(Reverse(next), data) in &self.here {
            if over == 0 || next == group {
                break;
            }
            over = over.saturating_sub(self.bytes(data));
            victims.push(data);
        }
        victims
    }

    /// A slice to put data aside in.
    fn aside(&mut self, data: DataId) -> HostId {
        let Place { home, scratch, .. } = self.places[data.0 as usize];
        // The rest of a counted output's slice must stay as it is.
        let own = home.filter(|_| self.graph.counted[data.0 as usize].is_none());
        if let Some(host) = own.or(scratch) {
            return host;
        }
        let name = self.graph.data[data.0 as usize].name.clone();
        let host = self.host(&name, self.bytes(data), Slot::Scratch(data), true);
        self.places[data.0 as usize].scratch = Some(host);
        host
    }

    /// Uploads data that a slice has, and the nodes' values.
    fn bring(&mut self, group: u32, known: &[DataId], nodes: &[WaveId], bytes: u64, value_bytes: u64) {
        if bytes == 0 {
            return;
        }
        let beside = self.stage > 0 && bytes <= self.limit_bytes.saturating_sub(self.stage_bytes);
        if !beside {
            if self.stage > 0 {
                self.reasons.push(Reason::Waited { group, bytes });
            }
            self.start();
        }
        for &data in known {
            let host = self.places[data.0 as usize].stored.expect("invariant known: a slice has it");
            let to = self.come(data);
            self.written.step(Step::Upload { host, at: 0, to });
        }
        if value_bytes > 0 {
            self.bring_values(nodes, value_bytes);
        }
    }

    fn bring_values(&mut self, nodes: &[WaveId], bytes: u64) {
        let host = match self.values_host {
            Some(host) => host,
            None => self.host("values", 0, Slot::Values, false),
        };
        self.values_host = Some(host);
        let start = self.placement.values.len() as u64;
        let waves = nodes.iter().filter_map(|node| self.graph.waves.get(node.0 as usize));
        let args = waves.flat_map(|wave| self.graph.args(wave));
        for arg in args {
            if let Arg::Value(value) = arg {
                self.placement.values.extend_from_slice(value);
                let aligned = self.placement.values.len().next_multiple_of(BINDING_ALIGN_BYTES as usize);
                self.placement.values.resize(aligned, 0);
            }
        }
        let buffer = self.buffer("values", bytes, Life::Transient, None);
        self.stage_bytes += bytes;
        self.live_bytes += bytes;
        let to = Binding { buffer, offset: 0, bytes };
        self.written.step(Step::Upload { host, at: start, to });
        self.values = Some(to);
    }

    /// Gives data a buffer in the last stage.
    fn come(&mut self, data: DataId) -> Binding {
        let bytes = self.bytes(data);
        let name = self.graph.data[data.0 as usize].name.clone();
        let buffer = self.buffer(&name, bytes, Life::Transient, Some(data));
        self.places[data.0 as usize].buffer = Some(buffer);
        self.here.insert(self.turn(data));
        self.stage_bytes += bytes;
        self.live_bytes += bytes;
        Binding { buffer, offset: 0, bytes }
    }

    fn download(&mut self, data: DataId, host: HostId) {
        let from = self.bind(Span { data, offset: 0, bytes: self.bytes(data) });
        self.written.step(Step::Download { from, host, at: 0, length: None });
        let place = &mut self.places[data.0 as usize];
        (place.stored, place.dirty) = (Some(host), false);
    }

    fn free(&mut self, data: DataId) {
        let buffer = self.places[data.0 as usize].buffer.take().expect("invariant free: it has a buffer");
        self.here.remove(&self.turn(data));
        self.written.step(Step::Free { buffer });
        self.live_bytes -= self.bytes(data);
    }

    fn bind(&self, span: Span) -> Binding {
        let buffer = self.places[span.data.0 as usize].buffer.expect("invariant bind: the group brought it");
        Binding { buffer, offset: span.offset, bytes: span.bytes }
    }

    fn node(&mut self, node: WaveId) {
        let graph = self.graph;
        let Some(wave) = graph.waves.get(node.0 as usize) else {
            return self.fetch(graph.fetched[node.0 as usize - graph.waves.len()]);
        };
        let args = graph.args(wave);
        let mut bindings = Vec::with_capacity(args.len());
        for arg in args {
            bindings.push(match arg {
                Arg::Data(span) => self.bind(*span),
                Arg::Value(value) => self.next_value(value.len() as u64),
            });
        }
        let kernel = self.written.kernel(&wave.kernel);
        let step = match wave.launch {
            Launch::Workgroups(grid) => Step::Dispatch { kernel, grid, bindings },
            Launch::Indirect { args, limit } => {
                Step::DispatchIndirect { kernel, args: self.bind(args), limit, bindings }
            }
        };
        self.placement.waves.push((self.written.schedule.steps.len(), node));
        self.written.step(step);
        for &data in self.needs.of(node).changes {
            self.changed(data);
        }
    }

    fn next_value(&mut self, bytes: u64) -> Binding {
        let next = self.values.as_mut().expect("invariant values: the group brought them");
        let value = Binding { bytes, ..*next };
        next.offset = (next.offset + bytes).next_multiple_of(BINDING_ALIGN_BYTES);
        value
    }

    /// Downloads a counted output, unless it stays on the device, and its count.
    fn fetch(&mut self, data: DataId) {
        let counted = self.graph.counted[data.0 as usize].expect("invariant fetched: it is counted");
        let name = self.graph.data[data.0 as usize].name.clone();
        let count = self.bind(counted.count);
        let from = self.bind(Span { data, offset: 0, bytes: self.bytes(data) });
        let length = Some(Length { count, element_bytes: counted.element_bytes });
        if let Some(host) = self.places[data.0 as usize].home {
            self.written.step(Step::Download { from, host, at: 0, length });
        }
        let slot = self.host(&format!("count of {name}"), count.bytes, Slot::Count(data), true);
        self.written.step(Step::Download { from: count, host: slot, at: 0, length: None });
    }

    /// What becomes of data after a group that needed it.
    fn used(&mut self, data: DataId) {
        let declared = &self.graph.data[data.0 as usize];
        let stays = self.here.remove(&self.turn(data));
        self.uses[data.0 as usize].1 += 1;
        if stays {
            self.here.insert(self.turn(data));
        }
        if declared.stays() || self.next_use(data).is_some() {
            return;
        }
        let fetched = self.graph.counted[data.0 as usize].is_some();
        if [Role::Output, Role::InOut].contains(&declared.role) && self.places[data.0 as usize].dirty && !fetched {
            self.done.insert(data);
        } else {
            self.free(data);
        }
    }

    fn end(self) -> (Schedule, Placement) {
        let (mut schedule, placement) = (self.written.schedule, self.placement);
        if let Some(host) = self.values_host {
            schedule.hosts[host.0 as usize].bytes = placement.values.len() as u64;
        }
        (schedule, placement)
    }
}
