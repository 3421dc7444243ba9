//! Which nodes of a graph depend on which: waves, the fetching of outputs, and blocks as a whole.

use naga::FastHashMap;

use super::hazard::{Kind, Past};
use super::resolve::{Edge, Resolved, Span};
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
    let mut edges = Vec::with_capacity(graph.waves.len());
    for nodes in &levels {
        let touched = nodes.iter().flat_map(|(_, touches)| touches).map(|(span, _)| *span);
        let mut past = Past::new(graph.data.len(), graph.nodes() as usize, touched, |data| whole(data).bytes);
        for (node, touches) in nodes {
            // Those that stand elsewhere are in another piece of the order.
            let after = graph.after.get(node.0 as usize).map_or(&[][..], Vec::as_slice);
            let beside = |before: &&WaveId| graph.parent(**before) == graph.parent(*node);
            let after: Vec<WaveId> = after.iter().filter(beside).copied().collect();
            past.add(*node, &after, touches, &mut edges);
        }
    }
    edges
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
