//! Proves that waves which do not commute run one after the other.

use std::ops::Range;

use super::Error;
use crate::graph::{BlockId, DataId, Resolved, Span, WaveId};
use crate::program::Effects;

/// For a range of bytes, the last group that touches it in each way, and who does.
#[derive(Debug, Clone, Copy, Default)]
struct Last {
    read: Option<(u32, WaveId)>,
    update: Option<(u32, WaveId)>,
    write: Option<(u32, WaveId)>,
}

impl Last {
    /// A wave that is not in an earlier group than this one, though it should be.
    fn late(&self, wave: WaveId, group: u32, effects: Effects) -> Option<WaveId> {
        let changes = effects.writes || effects.updates;
        let against = [
            (self.write, effects.reads || changes),
            (self.read, changes),
            (self.update, effects.reads || effects.writes),
        ];
        let late = |&(past, matters): &(Option<(u32, WaveId)>, bool)| {
            past.filter(|&(at, other)| matters && other != wave && at >= group)
        };
        against.iter().find_map(late).map(|(_, before)| before)
    }

    fn add(&mut self, wave: WaveId, group: u32, effects: Effects) {
        let now = Some((group, wave));
        for (done, of) in
            [(effects.reads, &mut self.read), (effects.updates, &mut self.update), (effects.writes, &mut self.write)]
        {
            if done {
                *of = (*of).max(now);
            }
        }
    }
}

/// All data, cut into pieces wherever a wave's range begins or ends. The pieces of each are the leaves
/// of a tree: what touches all below a node is noted there, and so a range costs the logarithm of
/// the pieces that it covers.
struct Pieces {
    /// The first byte of each piece but the first of each data, ascending.
    cuts: Vec<(DataId, u64)>,
    /// By data, and once more at the end: how many cuts are before it, and how many nodes.
    first: Vec<(usize, usize)>,
    nodes: Vec<Node>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Node {
    /// By whom all of its pieces are touched.
    all: Last,
    /// By whom any of them is.
    any: Last,
}

impl Pieces {
    fn new(graph: &Resolved) -> Self {
        let mut cuts = Vec::new();
        let blocks = (0..graph.blocks.len() as u32).map(BlockId);
        let decide = blocks.flat_map(|block| decides(graph, block));
        for (span, _) in graph.waves.iter().flat_map(|wave| graph.touches(wave)).chain(decide) {
            let whole = graph.data[span.data.0 as usize].bytes;
            let ends = [span.offset, span.offset + span.bytes].into_iter().filter(|&at| at > 0 && at < whole);
            cuts.extend(ends.map(|at| (span.data, at)));
        }
        cuts.sort_unstable();
        cuts.dedup();
        let (mut first, mut nodes) = (Vec::with_capacity(graph.data.len() + 1), 0);
        for data in 0..graph.data.len() as u32 {
            let before = |data| cuts.partition_point(|cut: &(DataId, u64)| cut.0 < DataId(data));
            let start = before(data);
            first.push((start, nodes));
            nodes += 2 * (before(data + 1) - start + 1);
        }
        first.push((cuts.len(), nodes));
        Self { cuts, first, nodes: vec![Node::default(); nodes] }
    }

    /// The nodes of a data, and which of its pieces a span is.
    fn of(&mut self, span: Span) -> (&mut [Node], Range<usize>) {
        let ((cut, node), (cuts, nodes)) = (self.first[span.data.0 as usize], self.first[span.data.0 as usize + 1]);
        let (cuts, end) = (&self.cuts[cut..cuts], span.offset + span.bytes);
        let pieces = cuts.partition_point(|cut| cut.1 <= span.offset)..cuts.partition_point(|cut| cut.1 < end) + 1;
        (&mut self.nodes[node..nodes], pieces)
    }

    /// A wave that should have been in an earlier group than this one, and touched a part of the span.
    fn late(&mut self, span: Span, wave: WaveId, group: u32, effects: Effects) -> Option<WaveId> {
        let (nodes, pieces) = self.of(span);
        let leaves = nodes.len() / 2;
        let mut covers = covers(leaves, pieces.clone()).map(|node| &nodes[node].any);
        let above = [pieces.start, pieces.end - 1].into_iter().flat_map(|piece| above(leaves + piece));
        let late = |last: &Last| last.late(wave, group, effects);
        covers.find_map(late).or_else(|| above.map(|node| &nodes[node].all).find_map(late))
    }

    fn add(&mut self, span: Span, wave: WaveId, group: u32, effects: Effects) {
        let (nodes, pieces) = self.of(span);
        let leaves = nodes.len() / 2;
        for node in covers(leaves, pieces.clone()) {
            nodes[node].all.add(wave, group, effects);
            nodes[node].any.add(wave, group, effects);
        }
        for node in [pieces.start, pieces.end - 1].into_iter().flat_map(|piece| above(leaves + piece)) {
            nodes[node].any.add(wave, group, effects);
        }
    }
}

/// The fewest nodes that have these pieces below them, and no others. The node of a piece is so many
/// leaves after it, and above two nodes is the one at half their place.
fn covers(leaves: usize, pieces: Range<usize>) -> impl Iterator<Item = usize> {
    let (mut start, mut end) = (leaves + pieces.start, leaves + pieces.end);
    std::iter::from_fn(move || {
        (start < end).then(|| {
            let left = (start % 2 == 1).then_some(start);
            let right = (end % 2 == 1).then_some(end - 1);
            (start, end) = (start.div_ceil(2), end / 2);
            [left, right]
        })
    })
    .flatten()
    .flatten()
}

/// The nodes above one.
fn above(node: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(node / 2), |node| Some(node / 2)).take_while(|&node| node > 0)
}

/// Every wave must run in a later group than each one before it that it does not commute with. A
/// block is given by its first and last groups.
pub(super) fn in_order(graph: &Resolved, ran: &[Option<u32>], blocks: &[(u32, u32)]) -> Result<(), Error> {
    let name = |wave: WaveId| graph.waves[wave.0 as usize].name.to_string();
    let group = |wave: WaveId| ran[wave.0 as usize].expect("invariant returned: every wave ran");
    for (after, befores) in graph.after.iter().enumerate() {
        let after = WaveId(after as u32);
        if let Some(&before) = befores.iter().find(|&&before| group(before) >= group(after)) {
            return Err(Error::Order { before: name(before), after: name(after), data: None });
        }
    }
    let mut pieces = Pieces::new(graph);
    let mut open: Vec<BlockId> = Vec::new();
    let ends = graph.order.iter().skip(1).map(|&wave| Some(wave)).chain([None]);
    for (&wave, next) in graph.order.iter().zip(ends) {
        let holds = |wave: WaveId, block: &BlockId| graph.blocks[block.0 as usize].waves.contains(&wave.0);
        let around = |block: &BlockId| graph.blocks[block.0 as usize].parent;
        let fresh =
            std::iter::successors(graph.within[wave.0 as usize], around).take_while(|block| !open.contains(block));
        let mut fresh: Vec<BlockId> = fresh.collect();
        fresh.reverse();
        for block in fresh {
            for (span, effects) in decides(graph, block) {
                if let Some(before) = pieces.late(span, wave, blocks[block.0 as usize].0, effects) {
                    let data = Some(graph.data[span.data.0 as usize].name.clone());
                    return Err(Error::Order { before: name(before), after: name(wave), data });
                }
            }
            open.push(block);
        }
        for (span, effects) in graph.touches(&graph.waves[wave.0 as usize]) {
            if let Some(before) = pieces.late(span, wave, group(wave), effects) {
                let data = Some(graph.data[span.data.0 as usize].name.clone());
                return Err(Error::Order { before: name(before), after: name(wave), data });
            }
            pieces.add(span, wave, group(wave), effects);
        }
        while let Some(block) = open.pop_if(|block| next.is_none_or(|next| !holds(next, block))) {
            for (span, effects) in decides(graph, block) {
                pieces.add(span, wave, blocks[block.0 as usize].1, effects);
            }
        }
    }
    Ok(())
}

/// What a block touches besides its waves.
fn decides(graph: &Resolved, block: BlockId) -> impl Iterator<Item = (Span, Effects)> {
    let block = &graph.blocks[block.0 as usize];
    let read = Effects { reads: true, ..Effects::default() };
    let changed = Effects { reads: true, writes: true, ..Effects::default() };
    let whole = |data: DataId| Span { data, offset: 0, bytes: graph.data[data.0 as usize].bytes };
    let swaps = block.swaps.iter().flat_map(|&(first, second)| [first, second]);
    let word = block.repeat.condition().map(|condition| (condition.word, read));
    word.into_iter().chain(swaps.map(move |data| (whole(data), changed)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn covers_are_few_and_exact() {
        for leaves in 1..70 {
            let mut below: Vec<Vec<usize>> = (0..2 * leaves).map(|_| Vec::new()).collect();
            for piece in 0..leaves {
                for node in std::iter::once(leaves + piece).chain(above(leaves + piece)) {
                    below[node].push(piece);
                }
            }
            for start in 0..leaves {
                for end in start + 1..=leaves {
                    let nodes: Vec<usize> = covers(leaves, start..end).collect();
                    let mut pieces: Vec<usize> = nodes.iter().flat_map(|&node| below[node].clone()).collect();
                    pieces.sort_unstable();
                    assert!(pieces.iter().copied().eq(start..end), "{start}..{end} of {leaves}: {nodes:?}");
                    assert!(nodes.len() <= 2 * leaves.ilog2() as usize + 1, "{start}..{end} of {leaves}: {nodes:?}");
                    // What is noted above any of them is noted above its ends.
                    let ends: Vec<usize> = [start, end - 1].iter().flat_map(|piece| above(leaves + piece)).collect();
                    assert!(nodes.iter().flat_map(|&node| above(node)).all(|node| ends.contains(&node)));
                }
            }
        }
    }
}
