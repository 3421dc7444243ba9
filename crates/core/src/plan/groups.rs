//! Which waves run together.

use super::{Error, Reason};
use crate::barrier;
use crate::bytes;
use crate::frontier;
use crate::graph::{Arg, DataId, Resolved, Role, WaveId};
use crate::schedule::BINDING_ALIGN_BYTES;

/// What each node must find on the device: a wave, or after all waves the fetching of a counted
/// output.
#[derive(Debug, Default)]
pub(super) struct Needs {
    /// Of one node after the other.
    data: Vec<DataId>,
    changes: Vec<DataId>,
    /// By node: where what is above ends, and room for its values.
    ends: Vec<(usize, usize, u64)>,
}

/// What one node needs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Need<'a> {
    /// Everything it is bound to, each once.
    pub(super) data: &'a [DataId],
    /// What it changes.
    pub(super) changes: &'a [DataId],
    /// Room for its values.
    pub(super) value_bytes: u64,
}

impl Needs {
    pub(super) fn new(graph: &Resolved) -> Result<Self, Error> {
        let mut needs = Self::default();
        needs.ends.reserve(graph.waves.len() + graph.fetched.len());
        // Whatever is live at once is a part of all data and all values, which can be counted.
        let mut all = 0;
        for data in &graph.data {
            all = bytes::add("bytes of the graph", all, data.bytes)?;
        }
        for node in &graph.waves {
            let (data, changes) = (needs.data.len(), needs.changes.len());
            for (span, effects) in graph.touches(node) {
                put(&mut needs.data, data, span.data);
                if effects.writes || effects.updates {
                    put(&mut needs.changes, changes, span.data);
                }
            }
            let mut value_bytes = 0;
            for arg in graph.args(node) {
                if let Arg::Value(value) = arg {
                    let room = bytes::align_up("value bytes", value.len() as u64, BINDING_ALIGN_BYTES)?;
                    value_bytes = bytes::add("value bytes", value_bytes, room)?;
                }
            }
            all = bytes::add("bytes of the graph", all, value_bytes)?;
            needs.ends.push((needs.data.len(), needs.changes.len(), value_bytes));
        }
        for &data in &graph.fetched {
            let count = graph.counted[data.0 as usize].expect("invariant fetched: it is counted").count.data;
            let first = needs.data.len();
            needs.data.push(data);
            put(&mut needs.data, first, count);
            needs.ends.push((needs.data.len(), needs.changes.len(), 0));
        }
        Ok(needs)
    }

    /// Nodes.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn of(&self, node: WaveId) -> Need<'_> {
        let at = node.0 as usize;
        let (data, changes, _) = at.checked_sub(1).map_or((0, 0, 0), |before| self.ends[before]);
        let (data_end, changes_end, value_bytes) = self.ends[at];
        Need { data: &self.data[data..data_end], changes: &self.changes[changes..changes_end], value_bytes }
    }
}

/// Adds to the list that begins at `first` what it does not have.
fn put(list: &mut Vec<DataId>, first: usize, data: DataId) {
    if !list[first..].contains(&data) {
        list.push(data);
    }
}

/// Groups of nodes, and why they are apart.
pub(super) fn groups(
    graph: &Resolved,
    needs: &Needs,
    budget_bytes: Option<u64>,
) -> Result<(Vec<Vec<WaveId>>, Vec<Reason>), Error> {
    let edges: Vec<barrier::Edge> =
        graph.edges.iter().map(|edge| barrier::Edge { before: edge.before, after: edge.after }).collect();
    let layers = match barrier::plan(needs.len() as u32, &edges) {
        Ok(layers) => layers,
        Err(barrier::Error::Bytes(error)) => return Err(error.into()),
        Err(error) => unreachable!("invariant resolved: edges go forward in one order: {error}"),
    };
    let resident_bytes = resident(graph)?;
    let limit_bytes = budget_bytes.unwrap_or(u64::MAX);
    let nodes = (0..needs.len() as u32).map(WaveId);
    let waves = nodes.map(|node| cost(graph, needs.of(node))).collect::<Result<Vec<_>, _>>()?;
    let budget = frontier::Budget { limit_bytes, resident_bytes };
    let input = frontier::Input { waves: &waves, layers: &layers, budget, measured_readback_bytes: 0 };
    let fitted = frontier::plan(&input).map_err(|error| refused(graph, &error, budget))?;
    let parts: Vec<&[WaveId]> = fitted.groups().collect();
    let (mut groups, mut reasons) = (Vec::<Vec<WaveId>>::new(), Vec::new());
    let mut union = Union::new(graph, needs);
    for ends in fitted.layer_offsets.windows(2) {
        let first = groups.len();
        let parts = &parts[ends[0] as usize..ends[1] as usize];
        if let [whole] = parts {
            groups.push(whole.to_vec());
            continue;
        }
        // The parts of a layer were cut as if they shared no data.
        for part in parts {
            let fits = resident_bytes.saturating_add(union.with(part)) <= limit_bytes;
            match groups[first..].last_mut() {
                Some(open) if fits => open.extend_from_slice(part),
                _ => {
                    groups.push(part.to_vec());
                    union.start();
                }
            }
            union.add(part);
        }
        union.start();
        let (before, layer) = groups.split_at_mut(first);
        if let Some(before) = before.last() {
            near_first(&mut union, before, layer);
        }
        for (at, pair) in layer.windows(2).enumerate() {
            union.add(&pair[0]);
            let required_bytes = resident_bytes.saturating_add(union.with(&pair[1]));
            reasons.push(Reason::Split { group: (first + at + 1) as u32, required_bytes, limit_bytes });
            union.start();
        }
    }
    for group in &mut groups {
        group.sort_unstable();
    }
    because(graph, &layers, &groups, &mut reasons);
    Ok((groups, reasons))
}

/// The groups of a layer may run in any order. Of both ends, that one comes first which has more of
/// its data on the device already.
fn near_first(union: &mut Union<'_>, before: &[WaveId], layer: &mut [Vec<WaveId>]) {
    let mut shared = |group: &[WaveId]| {
        union.add(before);
        let new = union.with(group) - union.bytes;
        union.start();
        union.with(group) - new
    };
    if let [first, .., last] = &*layer
        && shared(last) > shared(first)
    {
        layer.reverse();
    }
}

/// What a node takes alone, in the terms of the frontier: what it only reads, and what it leaves.
fn cost(graph: &Resolved, need: Need<'_>) -> Result<frontier::Wave, Error> {
    let mut wave = frontier::Wave { frontier_bytes: need.value_bytes, ..frontier::Wave::default() };
    for &data in need.data {
        let bytes = transient_bytes(graph, data);
        let sum = if need.changes.contains(&data) { &mut wave.output_bytes } else { &mut wave.frontier_bytes };
        *sum = bytes::add("bytes of a wave", *sum, bytes)?;
    }
    Ok(wave)
}

fn transient_bytes(graph: &Resolved, data: DataId) -> u64 {
    let data = &graph.data[data.0 as usize];
    if data.role == Role::Persistent { 0 } else { data.bytes }
}

/// What is on the device all the time.
pub(super) fn resident(graph: &Resolved) -> Result<u64, Error> {
    let persistent = graph.data.iter().filter(|data| data.role == Role::Persistent);
    Ok(persistent.map(|data| data.bytes).try_fold(0, |sum, bytes| bytes::add("persistent bytes", sum, bytes))?)
}

fn refused(graph: &Resolved, error: &frontier::Error, budget: frontier::Budget) -> Error {
    let frontier::Budget { limit_bytes, resident_bytes } = budget;
    match *error {
        frontier::Error::OverBudget { wave: None, required_bytes, .. } => {
            Error::PersistentOverBudget { required_bytes, limit_bytes }
        }
        frontier::Error::OverBudget { wave: Some(wave), required_bytes, .. } => Error::WaveOverBudget {
            wave: graph.node_name(wave),
            required_bytes: required_bytes.saturating_add(resident_bytes),
            limit_bytes,
        },
        frontier::Error::Bytes(source) | frontier::Error::Wave { source, .. } => Error::Bytes(source),
        frontier::Error::Groups { .. } | frontier::Error::Read { .. } => {
            unreachable!("invariant layers: they are of the same waves")
        }
    }
}

/// The data of a group, each counted once.
struct Union<'a> {
    graph: &'a Resolved,
    needs: &'a Needs,
    /// By data: the last group that has it, and the last sum that it is in.
    seen: Vec<(u32, u32)>,
    group: u32,
    sum: u32,
    bytes: u64,
}

impl<'a> Union<'a> {
    fn new(graph: &'a Resolved, needs: &'a Needs) -> Self {
        Self { graph, needs, seen: vec![(0, 0); graph.data.len()], group: 1, sum: 0, bytes: 0 }
    }

    /// Forgets the group.
    fn start(&mut self) {
        (self.group, self.bytes) = (self.group + 1, 0);
    }

    /// What the group would take with these nodes.
    fn with(&mut self, nodes: &[WaveId]) -> u64 {
        self.sum += 1;
        let mut bytes = self.bytes;
        for need in nodes.iter().map(|&node| self.needs.of(node)) {
            bytes = bytes.saturating_add(need.value_bytes);
            for &data in need.data {
                let (group, sum) = &mut self.seen[data.0 as usize];
                if *group != self.group && *sum != self.sum {
                    *sum = self.sum;
                    bytes = bytes.saturating_add(transient_bytes(self.graph, data));
                }
            }
        }
        bytes
    }

    fn add(&mut self, nodes: &[WaveId]) {
        self.bytes = self.with(nodes);
        for data in nodes.iter().flat_map(|&node| self.needs.of(node).data) {
            self.seen[data.0 as usize].0 = self.group;
        }
    }
}

/// For each group that memory does not account for, two waves that do.
fn because(graph: &Resolved, layers: &barrier::Plan, groups: &[Vec<WaveId>], reasons: &mut Vec<Reason>) {
    let mut level = vec![0u32; layers.order.len()];
    for (layer, waves) in layers.groups().enumerate() {
        for wave in waves {
            level[wave.0 as usize] = layer as u32;
        }
    }
    let mut tight = vec![None; level.len()];
    for edge in &graph.edges {
        if level[edge.before.0 as usize] + 1 == level[edge.after.0 as usize] {
            tight[edge.after.0 as usize].get_or_insert(*edge);
        }
    }
    let split: Vec<u32> = reasons.iter().map(Reason::group).collect();
    for (group, waves) in groups.iter().enumerate() {
        let edge = waves.iter().find_map(|wave| tight[wave.0 as usize]);
        if let Some(edge) = edge.filter(|_| split.binary_search(&(group as u32)).is_err()) {
            reasons.push(Reason::Barrier {
                group: group as u32,
                before: edge.before,
                after: edge.after,
                why: edge.why,
            });
        }
    }
}
