//! Which waves run together.

use std::ops::Range;

use super::{Error, Reason};
use crate::barrier;
use crate::bytes;
use crate::frontier;
use crate::graph::{Arg, BlockId, DataId, Resolved, WaveId, What};
use crate::schedule::BINDING_ALIGN_BYTES;

/// What each node must find on the device: a wave, after all waves the fetching of a counted
/// output, and then a block, which must find all that its waves do: nothing is brought inside.
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
        for block in 0..graph.blocks.len() {
            needs.block(graph, BlockId(block as u32));
        }
        Ok(needs)
    }

    fn block(&mut self, graph: &Resolved, id: BlockId) {
        let block = &graph.blocks[id.0 as usize];
        let (mut data, mut changes, mut value_bytes) = (Vec::new(), Vec::new(), 0);
        data.extend(block.repeat.condition().map(|condition| condition.word.data));
        changes.extend(block.swaps.iter().flat_map(|&(first, second)| [first, second]));
        let later = graph.blocks[id.0 as usize + 1..].iter();
        for inner in later.take_while(|inner| inner.waves.start < block.waves.end) {
            data.extend(inner.repeat.condition().map(|condition| condition.word.data));
            changes.extend(inner.swaps.iter().flat_map(|&(first, second)| [first, second]));
        }
        for wave in block.waves.clone() {
            let need = self.of(WaveId(wave));
            data.extend_from_slice(need.data);
            changes.extend_from_slice(need.changes);
            value_bytes += need.value_bytes;
        }
        data.extend_from_slice(&changes);
        for list in [&mut data, &mut changes] {
            list.sort_unstable();
            list.dedup();
        }
        self.data.append(&mut data);
        self.changes.append(&mut changes);
        self.ends.push((self.data.len(), self.changes.len(), value_bytes));
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

/// Groups of waves, and why they are apart.
#[derive(Debug, Default)]
pub(super) struct Groups {
    /// The nodes of each: waves, or fetching.
    pub(super) nodes: Vec<Vec<WaveId>>,
    /// For each, the innermost block that it is in.
    pub(super) within: Vec<Option<BlockId>>,
    /// Those that what they need is brought for at once: one, or all of a block that is in none.
    pub(super) units: Vec<Range<usize>>,
    pub(super) reasons: Vec<Reason>,
}

/// The nodes that stand directly in one block, or in none, and their layers.
struct Level {
    nodes: Vec<WaveId>,
    /// By place among the nodes.
    layers: barrier::Plan,
}

impl Level {
    fn named<'a>(&'a self, layer: &'a [WaveId]) -> impl Iterator<Item = WaveId> + 'a {
        layer.iter().map(|place| self.nodes[place.0 as usize])
    }
}

/// By block, and before all for what is in none.
fn levels(graph: &Resolved) -> Result<Vec<Level>, Error> {
    let level = |node: WaveId| graph.parent(node).map_or(0, |block| block.0 as usize + 1);
    let count = graph.blocks.len() + 1;
    let (mut nodes, mut edges) = (vec![Vec::new(); count], vec![Vec::new(); count]);
    let mut places = vec![WaveId(0); graph.nodes() as usize];
    for node in (0..graph.nodes()).map(WaveId) {
        let nodes: &mut Vec<WaveId> = &mut nodes[level(node)];
        places[node.0 as usize] = WaveId(nodes.len() as u32);
        nodes.push(node);
    }
    for edge in &graph.edges {
        let (before, after) = (places[edge.before.0 as usize], places[edge.after.0 as usize]);
        edges[level(edge.after)].push(barrier::Edge { before, after });
    }
    let level = |(nodes, edges): (Vec<WaveId>, Vec<barrier::Edge>)| match barrier::plan(nodes.len() as u32, &edges) {
        Ok(layers) => Ok(Level { nodes, layers }),
        Err(barrier::Error::Bytes(error)) => Err(error.into()),
        Err(error) => unreachable!("invariant resolved: edges go forward in one order: {error}"),
    };
    nodes.into_iter().zip(edges).map(level).collect()
}

/// The same layers, but that each block has one to itself.
fn blocks_apart(graph: &Resolved, level: &Level) -> barrier::Plan {
    let mut apart = barrier::Plan { order: Vec::new(), offsets: vec![0] };
    let is_block = |place: &&WaveId| matches!(graph.node(level.nodes[place.0 as usize]), What::Block(_));
    for layer in level.layers.groups() {
        let (blocks, others): (Vec<&WaveId>, Vec<&WaveId>) = layer.iter().partition(is_block);
        if !others.is_empty() {
            apart.order.extend(others);
            apart.offsets.push(apart.order.len() as u32);
        }
        for block in blocks {
            apart.order.push(*block);
            apart.offsets.push(apart.order.len() as u32);
        }
    }
    apart
}

pub(super) fn groups(graph: &Resolved, needs: &Needs, budget_bytes: Option<u64>) -> Result<Groups, Error> {
    let levels = levels(graph)?;
    let (top, resident_bytes) = (&levels[0], resident(graph)?);
    let layers = blocks_apart(graph, top);
    let limit_bytes = budget_bytes.unwrap_or(u64::MAX);
    let waves = top.nodes.iter().map(|&node| cost(graph, needs.of(node))).collect::<Result<Vec<_>, _>>()?;
    let budget = frontier::Budget { limit_bytes, resident_bytes };
    let input = frontier::Input { waves: &waves, layers: &layers, budget, measured_readback_bytes: 0 };
    let fitted = frontier::plan(&input).map_err(|error| refused(graph, top, &error, budget))?;
    let parts: Vec<Vec<WaveId>> = fitted.groups().map(|part| top.named(part).collect()).collect();
    let mut all = Groups::default();
    let mut union = Union::new(graph, needs);
    for ends in fitted.layer_offsets.windows(2) {
        let parts = &parts[ends[0] as usize..ends[1] as usize];
        let mut layer: Vec<Vec<WaveId>> = Vec::new();
        if let [whole] = parts {
            layer.push(whole.clone());
        } else {
            // The parts of a layer were cut as if they shared no data.
            for part in parts {
                let fits = resident_bytes.saturating_add(union.with(part)) <= limit_bytes;
                match layer.last_mut() {
                    Some(open) if fits => open.extend_from_slice(part),
                    _ => {
                        layer.push(part.clone());
                        union.start();
                    }
                }
                union.add(part);
            }
            union.start();
            if let Some(before) = all.units.last() {
                near_first(&mut union, &all.nodes[before.clone()].concat(), &mut layer);
            }
        }
        for (at, pair) in layer.windows(2).enumerate() {
            union.add(&pair[0]);
            let required_bytes = resident_bytes.saturating_add(union.with(&pair[1]));
            let group = (all.nodes.len() + at + 1) as u32;
            all.reasons.push(Reason::Split { group, required_bytes, limit_bytes });
            union.start();
        }
        for group in layer {
            all.unit(graph, &levels, group);
        }
    }
    because(graph, &levels, &mut all);
    Ok(all)
}

impl Groups {
    /// A group of nodes that are in no block, or a block with all that is in it.
    fn unit(&mut self, graph: &Resolved, levels: &[Level], group: Vec<WaveId>) {
        let first = self.nodes.len();
        match group[..] {
            [node] if let What::Block(block) = graph.node(node) => self.body(graph, levels, block),
            _ => self.push(None, group),
        }
        self.units.push(first..self.nodes.len());
    }

    fn push(&mut self, within: Option<BlockId>, mut nodes: Vec<WaveId>) {
        nodes.sort_unstable();
        self.nodes.push(nodes);
        self.within.push(within);
    }

    /// As deep as blocks are inside each other, which has a limit.
    fn body(&mut self, graph: &Resolved, levels: &[Level], block: BlockId) {
        let level = &levels[block.0 as usize + 1];
        for layer in blocks_apart(graph, level).groups() {
            let nodes: Vec<WaveId> = level.named(layer).collect();
            match graph.node(nodes[0]) {
                What::Block(inner) => self.body(graph, levels, inner),
                What::Wave(_) | What::Fetch(_) => self.push(Some(block), nodes),
            }
        }
    }
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
    if data.stays() { 0 } else { data.bytes }
}

/// What is on the device all the time.
pub(super) fn resident(graph: &Resolved) -> Result<u64, Error> {
    let staying = graph.data.iter().filter(|data| data.stays());
    Ok(staying.map(|data| data.bytes).try_fold(0, |sum, bytes| bytes::add("resident bytes", sum, bytes))?)
}

fn refused(graph: &Resolved, top: &Level, error: &frontier::Error, budget: frontier::Budget) -> Error {
    let frontier::Budget { limit_bytes, resident_bytes } = budget;
    match *error {
        frontier::Error::OverBudget { wave: None, required_bytes, .. } => {
            let staying = graph.data.iter().filter(|data| data.stays());
            let data = staying.map(|data| data.name.clone()).collect();
            Error::ResidentOverBudget { data, required_bytes, limit_bytes }
        }
        frontier::Error::OverBudget { wave: Some(wave), required_bytes, .. } => {
            let node = top.nodes[wave.0 as usize];
            let (name, required_bytes) = (graph.node_name(node), required_bytes.saturating_add(resident_bytes));
            match graph.node(node) {
                What::Block(_) => Error::BlockOverBudget { block: name, required_bytes, limit_bytes },
                What::Wave(_) | What::Fetch(_) => Error::WaveOverBudget { wave: name, required_bytes, limit_bytes },
            }
        }
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

/// For each group that memory does not account for, two nodes that do.
fn because(graph: &Resolved, levels: &[Level], all: &mut Groups) {
    let mut layer = vec![0u32; graph.nodes() as usize];
    for level in levels {
        for (at, nodes) in level.layers.groups().enumerate() {
            level.named(nodes).for_each(|node| layer[node.0 as usize] = at as u32);
        }
    }
    let mut tight = vec![None; layer.len()];
    for edge in &graph.edges {
        if layer[edge.before.0 as usize] + 1 == layer[edge.after.0 as usize] {
            tight[edge.after.0 as usize].get_or_insert(*edge);
        }
    }
    let split: Vec<u32> = all.reasons.iter().map(Reason::group).collect();
    let mut begun = vec![false; graph.blocks.len()];
    for (group, (nodes, within)) in all.nodes.iter().zip(&all.within).enumerate() {
        // A block waits where its first group does.
        let around = |block: &BlockId| graph.blocks[block.0 as usize].parent;
        let begins: Vec<BlockId> =
            std::iter::successors(*within, around).take_while(|block| !begun[block.0 as usize]).collect();
        for block in &begins {
            begun[block.0 as usize] = true;
        }
        let blocks = begins.into_iter().map(|block| graph.block_node(block));
        let edge = nodes.iter().copied().chain(blocks).find_map(|node| tight[node.0 as usize]);
        if let Some(edge) = edge.filter(|_| split.binary_search(&(group as u32)).is_err()) {
            let (before, after, why) = (edge.before, edge.after, edge.why);
            all.reasons.push(Reason::Barrier { group: group as u32, before, after, why });
        }
    }
}
