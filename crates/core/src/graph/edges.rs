//! Which nodes of a graph depend on which: waves, the fetching of outputs, and blocks as a whole.

use std::ops::Range;

use naga::FastHashMap;

use super::block::Tree;
use super::hazard::{Kind, Past};
use super::resolved::{Edge, Resolved, Span, Why};
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

/// A node, and which of all touches are its own.
type Placed = (WaveId, Range<usize>);

/// Who depends on whom, among the nodes that stand directly in the same block or in none.
pub(super) fn edges(graph: &Resolved) -> Vec<Edge> {
    let (levels, mut touches) = levels(graph);
    let after = after(graph);
    let mut edges = Vec::with_capacity(graph.waves.len());
    for (at, nodes) in levels.iter().enumerate() {
        if at == 0 {
            let bytes = |data: DataId| graph.data[data.0 as usize].bytes;
            let mut past = Past::new(graph.data.len(), graph.nodes() as usize, spans(nodes, &touches), bytes);
            for (node, own) in nodes {
                past.add(*node, &after[node.0 as usize], &touches[own.clone()], &mut edges);
            }
            continue;
        }
        // What a block has inside is numbered anew, so that it costs what it has, and not what the
        // whole graph does.
        let names = Names::new(nodes, &mut touches);
        let bytes = |data: DataId| graph.data[names.data[data.0 as usize].0 as usize].bytes;
        let (mut past, first) = (Past::new(names.data.len(), nodes.len(), spans(nodes, &touches), bytes), edges.len());
        for (node, own) in nodes {
            let before: Vec<WaveId> = after[node.0 as usize].iter().map(|before| names.places[before]).collect();
            past.add(names.places[node], &before, &touches[own.clone()], &mut edges);
        }
        edges[first..].iter_mut().for_each(|edge| names.restore(nodes, edge));
    }
    edges
}

fn spans<'a>(nodes: &'a [Placed], touches: &'a [(Span, Kind)]) -> impl Iterator<Item = Span> + 'a {
    nodes.iter().flat_map(|(_, own)| &touches[own.clone()]).map(|(span, _)| *span)
}

/// By level, in order: the nodes, and what each touches; a block all that is touched inside of it.
fn levels(graph: &Resolved) -> (Vec<Vec<Placed>>, Touches) {
    let level = |block: Option<BlockId>| block.map_or(0, |id| id.0 as usize + 1);
    let whole = |data: DataId| Span { data, offset: 0, bytes: graph.data[data.0 as usize].bytes };
    let mut levels: Vec<Vec<Placed>> = vec![Vec::new(); graph.blocks.len() + 1];
    let mut touches = Vec::with_capacity(graph.args.len());
    // By block: its place among its level's nodes, and what is touched inside, each data once.
    let mut blocks = vec![(0, Touches::new(), FastHashMap::default()); graph.blocks.len()];
    let mut inside: Vec<(DataId, Kind)> = Vec::new();
    for &id in &graph.order {
        let first = touches.len();
        let wave = graph.touches(&graph.waves[id.0 as usize]);
        touches.extend(wave.filter_map(|(span, effects)| Some((span, kind(effects)?))));
        let mut around = graph.within[id.0 as usize];
        inside.clear();
        if around.is_some() {
            inside.extend(touches[first..].iter().map(|(span, kind)| (span.data, *kind)));
        }
        while let Some(block) = around {
            let (node, parent) = (graph.block_node(block), graph.blocks[block.0 as usize].parent);
            let outer = &mut levels[level(parent)];
            let (place, all, places) = &mut blocks[block.0 as usize];
            if outer.last().is_none_or(|last| last.0 != node) {
                inside.extend(decides(graph, block));
                *place = outer.len();
                outer.push((node, 0..0));
            }
            for &(data, kind) in &inside {
                let at = *places.entry(data).or_insert(all.len());
                match all.get_mut(at) {
                    // It commutes with no more than both of them.
                    Some((_, other)) if *other != kind => *other = Kind::Write,
                    Some(_) => {}
                    None => all.push((whole(data), kind)),
                }
            }
            around = parent;
        }
        levels[level(graph.within[id.0 as usize])].push((id, first..touches.len()));
    }
    for (at, (place, mut all, _)) in blocks.into_iter().enumerate() {
        let first = touches.len();
        touches.append(&mut all);
        levels[level(graph.blocks[at].parent)][place].1 = first..touches.len();
    }
    for (at, &data) in graph.fetched.iter().enumerate() {
        let first = touches.len();
        let count = graph.counted[data.0 as usize].map(|counted| counted.count);
        touches.extend([Some(whole(data)), count].into_iter().flatten().map(|span| (span, Kind::Read)));
        levels[0].push((WaveId((graph.waves.len() + at) as u32), first..touches.len()));
    }
    (levels, touches)
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
    places: FastHashMap<WaveId, WaveId>,
    data: Vec<DataId>,
}

impl Names {
    /// Numbers them, in what they touch too.
    fn new(nodes: &[Placed], touches: &mut [(Span, Kind)]) -> Self {
        let (mut names, mut numbers) =
            (Self { places: FastHashMap::default(), data: Vec::new() }, FastHashMap::default());
        for (place, (node, touched)) in nodes.iter().enumerate() {
            names.places.insert(*node, WaveId(place as u32));
            for (span, _) in &mut touches[touched.clone()] {
                span.data = *numbers.entry(span.data).or_insert_with(|| {
                    names.data.push(span.data);
                    DataId(names.data.len() as u32 - 1)
                });
            }
        }
        names
    }

    fn restore(&self, nodes: &[Placed], edge: &mut Edge) {
        edge.before = nodes[edge.before.0 as usize].0;
        edge.after = nodes[edge.after.0 as usize].0;
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
