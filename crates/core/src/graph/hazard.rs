//! Which waves depend on which, from the ranges that they touch and how.
//!
//! Each data is cut into pieces wherever a touch begins or ends, so that the bytes of a piece
//! have the same past. What matters of a past are its last two phases: a phase is a run of
//! touches that commute (reads, or atomic updates) or a single write. A touch that commutes with
//! the current phase depends on the phase before it, any other on the current one; and since the
//! members of a phase all depend on the phase before, of a phase only the wave that stands on the
//! highest level need be known. Of all the pieces that a touch meets, again only the one with the
//! highest past matters. So a wave gets one edge for each range that it touches, not one for each
//! wave that it meets, and still stands on the level that all of those together would put it on.
//!
//! The pieces of a data are the leaves of a segment tree, so that a touch costs the logarithm of
//! their number, however many it covers. A touch of all below a node stays there until somebody
//! looks deeper; of those that gather, again only the last two phases matter: whatever they reach
//! stands below the earlier of the two, or commutes with it.

use super::resolved::{Edge, Span, Why};
use super::{DataId, WaveId};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Read,
    Update,
    Write,
}

const KINDS: [Kind; 3] = [Kind::Read, Kind::Update, Kind::Write];

#[derive(Debug, Clone, Copy)]
struct Phase {
    kind: Kind,
    /// Of its waves the one on the highest level, the first of those.
    level: u32,
    wave: WaveId,
}

fn commute(a: Kind, b: Kind) -> bool {
    a == b && a != Kind::Write
}

/// The one on the higher level; on the same, that of the lower wave.
fn higher(a: Option<Phase>, b: Option<Phase>) -> Option<Phase> {
    let (Some(one), Some(other)) = (a, b) else { return a.or(b) };
    let second = (other.level, std::cmp::Reverse(other.wave)) > (one.level, std::cmp::Reverse(one.wave));
    Some(if second { other } else { one })
}

/// The last two phases.
#[derive(Debug, Clone, Copy, Default)]
struct Last {
    before: Option<Phase>,
    now: Option<Phase>,
}

impl Last {
    fn touch(&mut self, touch: Phase) {
        match &mut self.now {
            Some(now) if commute(now.kind, touch.kind) => {
                if touch.level > now.level {
                    *now = touch;
                }
            }
            now => (self.before, *now) = (*now, Some(touch)),
        }
    }
}

/// The pasts of the pieces below, the highest of each sort.
#[derive(Debug, Clone, Copy, Default)]
struct Node {
    /// By the kind of a piece's current phase.
    pasts: [Last; 3],
    /// Touches that the nodes below have yet to hear of.
    unheard: Last,
}

impl Node {
    /// The phase that a touch of this kind comes after.
    fn past(&self, kind: Kind) -> Option<Phase> {
        let of = |now: Kind| {
            let Last { before, now: current } = self.pasts[now as usize];
            if commute(now, kind) { before } else { current }
        };
        KINDS.into_iter().map(of).fold(None, higher)
    }

    /// All pieces are touched: what was their past for this kind is what is before it now.
    fn touch(&mut self, touch: Phase) {
        let before = self.past(touch.kind);
        let mut now = Last { before, now: None };
        if touch.kind != Kind::Write {
            now.now = self.pasts[touch.kind as usize].now;
        }
        now.now = match now.now {
            Some(first) if first.level >= touch.level => Some(first),
            _ => Some(touch),
        };
        self.pasts = [Last::default(); 3];
        self.pasts[touch.kind as usize] = now;
        self.unheard.touch(touch);
    }

    fn of_both(left: &Self, right: &Self) -> [Last; 3] {
        std::array::from_fn(|kind| {
            let (left, right) = (left.pasts[kind], right.pasts[kind]);
            Last { before: higher(left.before, right.before), now: higher(left.now, right.now) }
        })
    }
}

/// The segment tree of one data.
#[derive(Debug, Clone, Copy)]
struct Tree {
    /// Where its cuts begin in all of them,
    cuts: usize,
    /// and its nodes; the first is the root.
    nodes: usize,
    /// A power of two, at least the number of pieces.
    leaves: usize,
}

/// All data, as the waves so far left it.
#[derive(Debug)]
pub(super) struct Past {
    /// The first byte of each piece but the first of each data, ascending.
    cuts: Vec<(DataId, u64)>,
    /// By data, and at last where the next would begin.
    trees: Vec<Tree>,
    nodes: Vec<Node>,
    /// By wave.
    levels: Vec<u32>,
}

impl Past {
    /// Of so many data and waves, where nothing will be touched but these ranges.
    pub(super) fn new(
        data: usize,
        waves: usize,
        touched: impl Iterator<Item = Span>,
        bytes: impl Fn(DataId) -> u64,
    ) -> Self {
        let mut cuts = Vec::new();
        for span in touched {
            let whole = bytes(span.data);
            let ends = [span.offset, span.offset + span.bytes].into_iter().filter(|&at| at > 0 && at < whole);
            cuts.extend(ends.map(|at| (span.data, at)));
        }
        cuts.sort_unstable();
        cuts.dedup();
        let mut trees = Vec::with_capacity(data + 1);
        let (mut first, mut nodes) = (0, 0);
        for data in 0..data as u32 {
            let mine = cuts[first..].iter().take_while(|cut| cut.0 == DataId(data)).count();
            let leaves = (mine + 1).next_power_of_two();
            trees.push(Tree { cuts: first, nodes, leaves });
            (first, nodes) = (first + mine, nodes + 2 * leaves - 1);
        }
        trees.push(Tree { cuts: first, nodes, leaves: 0 });
        Self { cuts, trees, nodes: vec![Node::default(); nodes], levels: vec![0; waves] }
    }

    /// Adds a wave that comes after some others and touches ranges; its edges go to `edges`.
    pub(super) fn add(&mut self, wave: WaveId, after: &[WaveId], touches: &[(Span, Kind)], edges: &mut Vec<Edge>) {
        let first = edges.len();
        let mut level = 0;
        for &before in after {
            level = level.max(self.levels[before.0 as usize] + 1);
            edges.push(Edge { before, after: wave, why: Why::After });
        }
        for &(span, kind) in touches {
            let mut past = None;
            self.each(span, &mut |node| past = higher(past, node.past(kind)));
            if let Some(past) = past {
                level = level.max(past.level + 1);
                edges.push(Edge { before: past.wave, after: wave, why: why(span.data, past.kind, kind) });
            }
        }
        // Of the edges from one wave the first stays.
        edges[first..].sort_by_key(|edge| edge.before);
        let mut kept = first;
        for at in first..edges.len() {
            if kept == first || edges[kept - 1].before != edges[at].before {
                edges[kept] = edges[at];
                kept += 1;
            }
        }
        edges.truncate(kept);
        self.levels[wave.0 as usize] = level;
        for &(span, kind) in touches {
            self.each(span, &mut |node| node.touch(Phase { kind, level, wave }));
        }
    }

    /// Visits the nodes that make up a span.
    fn each(&mut self, span: Span, visit: &mut impl FnMut(&mut Node)) {
        let (tree, next) = (self.trees[span.data.0 as usize], self.trees[span.data.0 as usize + 1]);
        let nodes = &mut self.nodes[tree.nodes..next.nodes];
        if tree.leaves == 1 {
            return visit(&mut nodes[0]);
        }
        let (cuts, end) = (&self.cuts[tree.cuts..next.cuts], span.offset + span.bytes);
        let (first, last) = (cuts.partition_point(|cut| cut.1 <= span.offset), cuts.partition_point(|cut| cut.1 < end));
        // The leaves that stand for no piece go with the last one that does.
        let pieces = (first, if last == cuts.len() { tree.leaves } else { last + 1 });
        descend(nodes, 1, (0, tree.leaves), pieces, visit);
    }
}

/// Visits the nodes at or below `at`, which stands for the leaves `(first, end)`, that make up
/// `pieces`, both without their ends. Nodes are counted from 1: those below `at` are twice it, and one more.
fn descend(
    nodes: &mut [Node],
    at: usize,
    (first, end): (usize, usize),
    pieces: (usize, usize),
    visit: &mut impl FnMut(&mut Node),
) {
    if end <= pieces.0 || pieces.1 <= first {
        return;
    }
    if pieces.0 <= first && end <= pieces.1 {
        return visit(&mut nodes[at - 1]);
    }
    let Last { before, now } = std::mem::take(&mut nodes[at - 1].unheard);
    for touch in [before, now].into_iter().flatten() {
        nodes[2 * at - 1].touch(touch);
        nodes[2 * at].touch(touch);
    }
    let middle = first.midpoint(end);
    descend(nodes, 2 * at, (first, middle), pieces, visit);
    descend(nodes, 2 * at + 1, (middle, end), pieces, visit);
    nodes[at - 1].pasts = Node::of_both(&nodes[2 * at - 1], &nodes[2 * at]);
}

fn why(data: DataId, before: Kind, after: Kind) -> Why {
    match (before, after) {
        (_, Kind::Read) => Why::ReadAfterWrite { data },
        (Kind::Read, Kind::Update | Kind::Write) => Why::WriteAfterRead { data },
        (Kind::Update | Kind::Write, Kind::Update | Kind::Write) => Why::WriteAfterWrite { data },
    }
}

#[cfg(test)]
mod tests {
    use arbtest::arbtest;

    use super::*;

    /// The level of each wave, from every pair, as the rule says it.
    fn levels(waves: &[Vec<(Span, Kind)>]) -> Vec<u32> {
        let mut levels = Vec::new();
        for (at, touches) in waves.iter().enumerate() {
            let meets = |other: &[(Span, Kind)]| {
                other.iter().any(|(a, before)| {
                    touches.iter().any(|(b, after)| {
                        let overlap = a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
                        a.data == b.data && overlap && !commute(*before, *after)
                    })
                })
            };
            let above = (0..at).filter(|&other| meets(&waves[other])).map(|other| levels[other] + 1);
            levels.push(above.max().unwrap_or(0));
        }
        levels
    }

    #[test]
    fn waves_stand_on_the_levels_that_all_pairs_give() {
        arbtest(|u| {
            let bytes = u.int_in_range(1..=24)?;
            let mut waves = Vec::new();
            for _ in 0..u.int_in_range(0..=40)? {
                let mut touches: Vec<(Span, Kind)> = Vec::new();
                for _ in 0..u.int_in_range(0..=2)? {
                    let offset = u.int_in_range(0..=bytes - 1)?;
                    let whole = u.ratio(1, 4)?;
                    let span = Span {
                        data: DataId(u.int_in_range(0..=1)?),
                        offset,
                        bytes: u.int_in_range(1..=bytes - offset)?,
                    };
                    let span = if whole { Span { offset: 0, bytes, ..span } } else { span };
                    // A wave's own touches do not meet.
                    if touches.iter().all(|(other, _)| other.data != span.data) {
                        touches.push((span, *u.choose(&KINDS)?));
                    }
                }
                waves.push(touches);
            }
            let touched = waves.iter().flatten().map(|(span, _)| *span);
            let mut past = Past::new(2, waves.len(), touched, |_| bytes);
            let mut edges = Vec::new();
            for (wave, touches) in waves.iter().enumerate() {
                let first = edges.len();
                past.add(WaveId(wave as u32), &[], touches, &mut edges);
                assert!(edges.len() - first <= touches.len(), "an edge for each touch at the most");
            }
            assert_eq!(past.levels, levels(&waves), "{waves:?}");
            for edge in &edges {
                assert!(past.levels[edge.before.0 as usize] < past.levels[edge.after.0 as usize], "{edge:?}");
            }
            // Whoever keeps the edges keeps the levels.
            let mut kept = vec![0; waves.len()];
            for edge in &edges {
                let after = &mut kept[edge.after.0 as usize];
                *after = (past.levels[edge.before.0 as usize] + 1).max(*after);
            }
            assert_eq!(kept, past.levels, "{waves:?}");
            Ok(())
        })
        .budget_ms(1_000);
    }
}
