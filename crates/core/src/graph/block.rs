//! Loops and branches: which waves are in which, what decides about them, and in which order
//! everything is to look as if it ran.

use std::collections::HashSet;

use super::names::Names;
use super::order::order;
use super::resolved::{Block, Condition, Repeat, Span};
use super::{BlockId, Control, DataId, Error, Graph, Key, Role, WaveId, Word};
use crate::schedule::{COPY_ALIGN_BYTES, NESTING_MAX};

/// The blocks, and by wave the innermost that it is in.
pub(super) fn blocks(graph: &Graph, names: &Names<'_>) -> Result<(Vec<Block>, Vec<Option<BlockId>>), Error> {
    let mut seen = HashSet::new();
    let (mut blocks, mut open) = (Vec::<Block>::with_capacity(graph.blocks.len()), Vec::<BlockId>::new());
    let mut within = vec![None; graph.waves.len()];
    for (at, block) in graph.blocks.iter().enumerate() {
        let (name, waves) = (|| block.name.clone(), &block.waves);
        if !seen.insert(&block.name) {
            return Err(Error::BlockTwice { block: name() });
        }
        if waves.is_empty() {
            return Err(Error::NoWaves { block: name() });
        }
        let end = |id: &BlockId| blocks[id.0 as usize].waves.end as usize;
        while open.last().is_some_and(|id| end(id) <= waves.start) {
            open.pop();
        }
        let before = at.checked_sub(1).map_or(0, |before| graph.blocks[before].waves.start);
        let inside = open.last().map_or(graph.waves.len(), end);
        if waves.start < before || waves.end > inside {
            return Err(Error::Unnested { block: name() });
        }
        if open.len() == NESTING_MAX {
            return Err(Error::TooDeep { block: name(), most: NESTING_MAX });
        }
        let (repeat, swaps) = decided(&block.name, &block.control, names)?;
        let must_end = matches!(block.control, Control::Repeat { must_end: true, .. });
        let parent = open.last().copied();
        open.push(BlockId(at as u32));
        within[waves.clone()].fill(Some(BlockId(at as u32)));
        blocks.push(Block {
            name: name(),
            parent,
            waves: waves.start as u32..waves.end as u32,
            repeat,
            must_end,
            swaps,
        });
    }
    Ok((blocks, within))
}

/// How often a block runs, and what it swaps.
fn decided(block: &str, control: &Control, names: &Names<'_>) -> Result<(Repeat, Vec<(DataId, DataId)>), Error> {
    let undecided = |needs| Error::Undecided { block: block.to_owned(), needs };
    match control {
        Control::When { word } => {
            let word = word.as_ref().ok_or_else(|| undecided("name the word that does"))?;
            Ok((Repeat::When { condition: condition(block, word, names)? }, Vec::new()))
        }
        Control::Repeat { word, limit, must_end: _, swaps } => {
            let condition = word.as_ref().map(|word| condition(block, word, names)).transpose()?;
            let limit = limit.or(condition.map(|_| u32::MAX));
            let limit = limit.ok_or_else(|| undecided("say how often it runs, or name a word that does"))?;
            let swaps = swaps.iter().map(|pair| swap(block, pair, names)).collect::<Result<_, _>>()?;
            Ok((Repeat::Loop { condition, limit }, swaps))
        }
    }
}

fn condition(block: &str, word: &Word, names: &Names<'_>) -> Result<Condition, Error> {
    let &Word { ref data, offset, zero } = word;
    let wrong = |why| Error::Word { block: block.to_owned(), data: names.shown(data), offset, why };
    let (id, data) = names.find(data).ok_or_else(|| wrong("there is no such data"))?;
    if !offset.is_multiple_of(COPY_ALIGN_BYTES) {
        return Err(wrong("words start at multiples of 4"));
    }
    if offset.checked_add(4).is_none_or(|end| end > data.bytes) {
        return Err(wrong("it lies outside"));
    }
    Ok(Condition { word: Span { data: id, offset, bytes: 4 }, zero })
}

fn swap(block: &str, (first, second): &(Key, Key), names: &Names<'_>) -> Result<(DataId, DataId), Error> {
    let wrong = |why| {
        let (first, second) = (names.shown(first), names.shown(second));
        Error::Swap { block: block.to_owned(), first, second, why }
    };
    let find = |key| names.find(key).ok_or_else(|| wrong("there is no such data"));
    let ((one, first), (other, second)) = (find(first)?, find(second)?);
    if one == other {
        return Err(wrong("they are the same"));
    }
    if first.bytes != second.bytes {
        return Err(wrong("they are not of one size"));
    }
    if first.role == Role::Input || second.role == Role::Input {
        return Err(wrong("an input cannot be changed; make it in-out"));
    }
    if first.stays() != second.stays() {
        return Err(wrong("one of them stays on the device from run to run, the other does not"));
    }
    Ok((one, other))
}

/// All waves in the order in which they are to look as if they ran, those of a block next to each
/// other; or a real cycle in which each comes after the next.
pub(super) fn ordered(
    after: &[Vec<WaveId>],
    blocks: &[Block],
    within: &[Option<BlockId>],
) -> Result<Vec<WaveId>, Vec<WaveId>> {
    let forward = |(wave, after): (usize, &Vec<WaveId>)| after.iter().all(|before| (before.0 as usize) < wave);
    if blocks.is_empty() || after.iter().enumerate().all(forward) {
        return order(after);
    }
    let tree = Tree { blocks, within };
    // What stands directly in each block, and before all in none, as written.
    let mut levels: Vec<Vec<usize>> = vec![Vec::new(); blocks.len() + 1];
    let mut nodes: Vec<usize> = (0..within.len() + blocks.len()).collect();
    nodes.sort_by_key(|&node| tree.first(node));
    let mut place = vec![0; nodes.len()];
    for node in nodes {
        let level = &mut levels[tree.level(node)];
        place[node] = level.len();
        level.push(node);
    }
    let mut waits: Vec<Vec<Vec<WaveId>>> = levels.iter().map(|level| vec![Vec::new(); level.len()]).collect();
    for (wave, befores) in after.iter().enumerate() {
        for before in befores {
            let (node, other) = tree.beside(wave, before.0 as usize);
            let waits = &mut waits[tree.level(node)][place[node]];
            if !waits.contains(&WaveId(place[other] as u32)) {
                waits.push(WaveId(place[other] as u32));
            }
        }
    }
    let mut orders = Vec::with_capacity(levels.len());
    for (level, waits) in levels.iter().zip(&waits) {
        let waves = |cycle: Vec<WaveId>| cycle.iter().map(|at| tree.first(level[at.0 as usize])).collect::<Vec<_>>();
        orders.push(order(waits).map_err(waves)?.into_iter());
    }
    let (mut waves, mut open) = (Vec::with_capacity(within.len()), vec![0]);
    while let Some(&level) = open.last() {
        match orders[level].next().map(|at| levels[level][at.0 as usize]) {
            Some(node) if node < within.len() => waves.push(WaveId(node as u32)),
            Some(node) => open.push(node - within.len() + 1),
            None => drop(open.pop()),
        }
    }
    Ok(waves)
}

/// Waves and, by numbers after theirs, blocks.
pub(super) struct Tree<'a> {
    pub(super) blocks: &'a [Block],
    pub(super) within: &'a [Option<BlockId>],
}

impl Tree<'_> {
    fn parent(&self, node: usize) -> Option<BlockId> {
        self.within.get(node).copied().unwrap_or_else(|| self.blocks[node - self.within.len()].parent)
    }

    /// Of what it stands in: zero for no block.
    fn level(&self, node: usize) -> usize {
        self.parent(node).map_or(0, |block| block.0 as usize + 1)
    }

    fn first(&self, node: usize) -> WaveId {
        WaveId(node.checked_sub(self.within.len()).map_or(node as u32, |block| self.blocks[block].waves.start))
    }

    fn depth(&self, node: usize) -> usize {
        std::iter::successors(self.parent(node), |block| self.blocks[block.0 as usize].parent).count()
    }

    /// The two, or what they are in, where those stand in the same block.
    pub(super) fn beside(&self, mut a: usize, mut b: usize) -> (usize, usize) {
        let up = |node: &mut usize| {
            let parent = self.parent(*node).expect("invariant tree: what is deeper is in a block");
            *node = self.within.len() + parent.0 as usize;
        };
        while self.parent(a) != self.parent(b) {
            let (above, below) = (self.depth(a), self.depth(b));
            if above >= below {
                up(&mut a);
            }
            if below >= above {
                up(&mut b);
            }
        }
        (a, b)
    }
}
