//! Which waves run together.

use super::{Error, Reason};
use crate::barrier;
use crate::bytes;
use crate::frontier;
use crate::graph::{Arg, DataId, Resolved, Role, WaveId};
use crate::schedule::BINDING_ALIGN_BYTES;

/// What a node must find on the device: a wave, or after all waves the fetching of a counted
/// output.
#[derive(Debug, Clone, Default)]
pub(super) struct Need {
    /// Everything it is bound to, ascending.
    pub(super) data: Vec<DataId>,
    /// What it changes, ascending.
    pub(super) changes: Vec<DataId>,
    /// Room for its values.
    pub(super) value_bytes: u64,
}

/// By node. Whatever is live at once is a part of all data and all values, which can be counted.
pub(super) fn needs(graph: &Resolved) -> Result<Vec<Need>, Error> {
    let mut needs = Vec::with_capacity(graph.waves.len());
    for node in &graph.waves {
        let mut need = Need::default();
        for (span, effects) in node.touches() {
            need.data.push(span.data);
            if effects.writes || effects.updates {
                need.changes.push(span.data);
            }
        }
        for arg in &node.args {
            if let Arg::Value(value) = arg {
                let room = bytes::align_up("value bytes", value.len() as u64, BINDING_ALIGN_BYTES)?;
                need.value_bytes = bytes::add("value bytes", need.value_bytes, room)?;
            }
        }
        needs.push(need);
    }
    let all = graph.data.iter().map(|data| data.bytes).chain(needs.iter().map(|need| need.value_bytes));
    { all }.try_fold(0, |sum, bytes| bytes::add("bytes of the graph", sum, bytes))?;
    for &data in &graph.fetched {
        let count = graph.counted[data.0 as usize].expect("invariant fetched: it is counted").count.data;
        needs.push(Need { data: vec![data, count], ..Need::default() });
    }
    for need in &mut needs {
        for data in [&mut need.data, &mut need.changes] {
            data.sort_unstable();
            data.dedup();
        }
    }
    Ok(needs)
}

/// Groups of nodes, and why they are apart.
pub(super) fn groups(
    graph: &Resolved,
    needs: &[Need],
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
    let waves = needs.iter().map(|need| cost(graph, need)).collect::<Result<Vec<_>, _>>()?;
    let budget = frontier::Budget { limit_bytes, resident_bytes };
    let input = frontier::Input { waves: &waves, layers: &layers, budget, measured_readback_bytes: 0 };
    let fitted = frontier::plan(&input).map_err(|error| refused(graph, &error, budget))?;
    let parts: Vec<&[WaveId]> = fitted.groups().collect();
    let (mut groups, mut reasons) = (Vec::<Vec<WaveId>>::new(), Vec::new());
    let mut union = Union::new(graph, needs);
    for ends in fitted.layer_offsets.windows(2) {
        let first = groups.len();
        for part in &parts[ends[0] as usize..ends[1] as usize] {
            // The parts of a layer were cut as if they shared no data.
            let required_bytes = resident_bytes.saturating_add(union.with(part));
            match groups[first..].last_mut() {
                Some(open) if required_bytes <= limit_bytes => open.extend_from_slice(part),
                open => {
                    if open.is_some() {
                        reasons.push(Reason::Split { group: groups.len() as u32, required_bytes, limit_bytes });
                    }
                    groups.push(part.to_vec());
                    union.start();
                }
            }
            union.add(part);
        }
        union.start();
    }
    for group in &mut groups {
        group.sort_unstable();
    }
    because(graph, &layers, &groups, &mut reasons);
    Ok((groups, reasons))
}

/// What a node takes alone, in the terms of the frontier: what it only reads, and what it leaves.
fn cost(graph: &Resolved, need: &Need) -> Result<frontier::Wave, Error> {
    let mut wave = frontier::Wave { frontier_bytes: need.value_bytes, ..frontier::Wave::default() };
    for &data in &need.data {
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
    needs: &'a [Need],
    /// By data: the last group that has it.
    seen: Vec<u32>,
    group: u32,
    bytes: u64,
}

impl<'a> Union<'a> {
    fn new(graph: &'a Resolved, needs: &'a [Need]) -> Self {
        Self { graph, needs, seen: vec![0; graph.data.len()], group: 1, bytes: 0 }
    }

    /// Forgets the group.
    fn start(&mut self) {
        (self.group, self.bytes) = (self.group + 1, 0);
    }

    /// What the group would take with these nodes.
    fn with(&self, nodes: &[WaveId]) -> u64 {
        let needs = || nodes.iter().map(|node| &self.needs[node.0 as usize]);
        let mut new: Vec<DataId> = needs().flat_map(|need| need.data.iter().copied()).collect();
        new.retain(|data| self.seen[data.0 as usize] != self.group);
        new.sort_unstable();
        new.dedup();
        let data = new.into_iter().map(|data| transient_bytes(self.graph, data));
        data.chain(needs().map(|need| need.value_bytes)).fold(self.bytes, u64::saturating_add)
    }

    fn add(&mut self, nodes: &[WaveId]) {
        self.bytes = self.with(nodes);
        for data in nodes.iter().flat_map(|node| &self.needs[node.0 as usize].data) {
            self.seen[data.0 as usize] = self.group;
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
