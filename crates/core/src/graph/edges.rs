//! Which nodes of a graph depend on which: waves, the fetching of outputs, and blocks as a whole.

use naga::FastHashMap;

use super::block::Tree;
use super::hazard::{Kind, Past};
use super::resolve::{Edge, Resolved, Span, Why};
use super::{BlockId, Data, DataId, Error, Role, WaveId};
use crate::program;

/// Whether every output is changed by some wave.
pub(super) fn written(graph: &Resolved) -> Result<(), Error> {
    let mut written = vec![false; graph.data.len()];
    for (span, effects) in graph.waves.iter().flat_map(|wave| graph.touches(wave)) {
        written[span.data.0 as usize] |= effects.writes || effects.updates;
    }
    let swapped = graph.blocks.iter().flat_map(|block| &block.swaps);
    swapped.flat_map(|&(first, second)| [first, second]).for_each(|data| written[data.0 as usize] = true);
    let unwritten = |(data, written): &(&Data, bool)| data.role == Role::Output && !written;
    match graph.data.iter().zip(written).find(unwritten) {
        Some((data, _)) => Err(Error::NeverWritten { data: data.name.clone() }),
        None => Ok(()),
    }
}

type Touches = Vec<(Span, Kind)>;

/// Who depends on whom, among the nodes that stand directly in the same block or in none.
pub(super) fn edges(graph: &Resolved) -> Vec<Edge> {
    let level = |block: Option<BlockId>| block.map_or(0, |id| id.0 as usize + 1);
    // By level, in order: nodes and what they touch, a block all that is touched inside of it.
    let mut levels: Vec<Vec<(WaveId, Touches)>> = vec![Vec::new(); graph.blocks.len() + 1];
    let whole = |data: DataId| Span { data, offset: 0, bytes: graph.data[data.0 as usize].bytes };
    // By block: where among its touches that of a data is.
    let mut places: Vec<FastHashMap<DataId, usize>> = vec![FastHashMap::default(); graph.blocks.len()];
    for &id in &graph.order {
        let wave = &graph.waves[id.0 as usize];
        let touches = graph.touches(wave).filter_map(|(span, effects)| Some((span, kind(effects)?)));
        let touches: Touches = touches.collect();
        let mut inside: Vec<(DataId, Kind)> = touches.iter().map(|(span, kind)| (span.data, *kind)).collect();
        let mut around = graph.within[id.0 as usize];
        while let Some(block) = around {
            let (node, parent) = (graph.block_node(block), graph.blocks[block.0 as usize].parent);
            let outer = &mut levels[level(parent)];
            if outer.last().is_none_or(|last| last.0 != node) {
                inside.extend(decides(graph, block));
                outer.push((node, Vec::new()));
            }
            let (_, all) = outer.last_mut().expect("invariant pushed: it is there");
            for &(data, kind) in &inside {
                let at = *places[block.0 as usize].entry(data).or_insert(all.len());
                match all.get_mut(at) {
                    // It commutes with no more than both of them.
                    Some((_, other)) if *other != kind => *other = Kind::Write,
                    Some(_) => {}
                    None => all.push((whole(data), kind)),
                }
            }
            around = parent;
        }
        levels[level(graph.within[id.0 as usize])].push((id, touches));
    }
    for (at, &data) in graph.fetched.iter().enumerate() {
        let count = graph.counted[data.0 as usize].map(|counted| counted.count);
        let read = [Some(whole(data)), count].into_iter().flatten().map(|span| (span, Kind::Read)).collect();
        levels[0].push((WaveId((graph.waves.len() + at) as u32), read));
    }
    let after = after(graph);
    let mut edges = Vec::with_capacity(graph.waves.len());
    for (at, nodes) in levels.iter_mut().enumerate() {
        // What a block has inside is numbered anew, so that it costs what it has, and not what the
        // whole graph does.
        let mut names = (at > 0).then(|| Names::new(nodes));
        let (data, count) = match &names {
            None => (graph.data.len(), graph.nodes() as usize),
            Some(names) => (names.data.len(), names.nodes.len()),
        };
        let bytes = |data: DataId| match &names {
            None => whole(data).bytes,
            Some(names) => whole(names.data[data.0 as usize]).bytes,
        };
        let touched = nodes.iter().flat_map(|(_, touches)| touches).map(|(span, _)| *span);
        let (mut past, first) = (Past::new(data, count, touched, bytes), edges.len());
        for (node, touches) in nodes.iter() {
            match &names {
                None => past.add(*node, &after[node.0 as usize], touches, &mut edges),
                Some(names) => {
                    let before: Vec<WaveId> =
                        after[names.nodes[node.0 as usize].0 as usize].iter().map(|it| names.places[it]).collect();
                    past.add(*node, &before, touches, &mut edges);
                }
            }
        }
        if let Some(names) = names.take() {
            edges[first..].iter_mut().for_each(|edge| names.restore(edge));
        }
    }
    edges
}

/// By node: those that the caller wants over before it. What is in a block stands for it where the other
/// is not in the same.
fn after(graph: &Resolved) -> Vec<Vec<WaveId>> {
    let mut after = vec![Vec::new(); graph.nodes() as usize];
    let tree = Tree { blocks: &graph.blocks, within: &graph.within };
    let node = |node: usize| match node.checked_sub(graph.waves.len()) {
        None => WaveId(node as u32),
        Some(block) => graph.block_node(BlockId(block as u32)),
    };
    for (wave, befores) in graph.after.iter().enumerate() {
        for before in befores {
            let (later, earlier) = tree.beside(wave, before.0 as usize);
            let after: &mut Vec<WaveId> = &mut after[node(later).0 as usize];
            if !after.contains(&node(earlier)) {
                after.push(node(earlier));
            }
        }
    }
    after
}

/// The nodes and data of one block, by numbers of their own.
struct Names {
    nodes: Vec<WaveId>,
    places: FastHashMap<WaveId, WaveId>,
    data: Vec<DataId>,
}

impl Names {
    /// Numbers them.
    fn new(nodes: &mut [(WaveId, Touches)]) -> Self {
        let mut names = Self { nodes: Vec::new(), places: FastHashMap::default(), data: Vec::new() };
        let mut places = FastHashMap::default();
        for (node, touches) in nodes {
            let place = WaveId(names.nodes.len() as u32);
            names.nodes.push(*node);
            names.places.insert(*node, place);
            *node = place;
            for (span, _) in touches {
                span.data = *places.entry(span.data).or_insert_with(|| {
                    names.data.push(span.data);
                    DataId(names.data.len() as u32 - 1)
                });
            }
        }
        names
    }

    fn restore(&self, edge: &mut Edge) {
        edge.before = self.nodes[edge.before.0 as usize];
        edge.after = self.nodes[edge.after.0 as usize];
        match &mut edge.why {
            Why::After => {}
            Why::ReadAfterWrite { data } | Why::WriteAfterRead { data } | Why::WriteAfterWrite { data } => {
                *data = self.data[data.0 as usize];
            }
        }
    }
}

/// What a block touches besides its waves.
fn decides(graph: &Resolved, block: BlockId) -> impl Iterator<Item = (DataId, Kind)> {
    let block = &graph.blocks[block.0 as usize];
    let read = block.repeat.condition().map(|condition| (condition.word.data, Kind::Read));
    read.into_iter().chain(block.swaps.iter().flat_map(|&(a, b)| [(a, Kind::Write), (b, Kind::Write)]))
}

/// How effects as a whole stand to those of others; `None` if nothing is touched.
fn kind(effects: program::Effects) -> Option<Kind> {
    match effects {
        program::Effects { writes: true, .. } | program::Effects { reads: true, updates: true, .. } => {
            Some(Kind::Write)
        }
        program::Effects { updates: true, .. } => Some(Kind::Update),
        program::Effects { reads: true, .. } => Some(Kind::Read),
        program::Effects { .. } => None,
    }
}
