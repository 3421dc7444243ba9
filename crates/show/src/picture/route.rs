//! Which way edges run: from the side of a box through the gap beside it into the channel above, and
//! down again through the gap before the other box; from one band to another by way of the margins.
//!
//! Edges of one bundle share their lanes: those that leave one node, or those that come to one,
//! whichever are more. So lines that meet belong together, and others only cross.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use seawall_core::graph::{BlockId, WaveId};
use seawall_core::plan::Plan;

use super::Line;
use super::sheet::{BOX, BOX_PITCH, Band, Item, STRIP, Shape, WAVES_MAX, column, lane_pitch};
use super::stage::Stage;

/// Edges that share lanes: whether they leave a node or come to it, and which.
type Bundle = (bool, WaveId);

/// How high an end is.
#[derive(Debug, Clone, Copy)]
enum Height {
    /// In the middle of a box, by row.
    Row(usize),
    /// Beside the title of a frame, by depth.
    Title(usize),
}

/// One end of an edge: a band, one of its gaps, and how high.
#[derive(Debug, Clone, Copy)]
struct End {
    band: usize,
    gap: usize,
    height: Height,
}

/// An edge, by its place among the graph's.
struct Wire {
    edge: usize,
    from: End,
    to: End,
    /// The channel that it may use.
    depth: usize,
    bundle: Bundle,
}

/// Lanes that are shared by who does not meet, and how many there are.
#[derive(Default)]
struct Lanes {
    of: HashMap<Bundle, usize>,
    count: usize,
}

impl Lanes {
    /// Those that overlap are in different ones: each gets the first that is free where it begins.
    fn new(ranges: &BTreeMap<Bundle, Range<usize>>) -> Self {
        let mut sorted: Vec<(&Bundle, &Range<usize>)> = ranges.iter().collect();
        sorted.sort_by_key(|(_, range)| (range.start, range.end));
        let (mut ends, mut of) = (Vec::<usize>::new(), HashMap::new());
        for (bundle, range) in sorted {
            let free = ends.iter().position(|end| *end <= range.start);
            let lane = free.unwrap_or(ends.len());
            ends.resize(ends.len().max(lane + 1), 0);
            ends[lane] = range.end;
            of.insert(*bundle, lane);
        }
        Self { of, count: ends.len() }
    }

    /// How far the lane of a bundle is from the first side.
    fn at(&self, bundle: Bundle) -> f64 {
        lane_pitch(self.count) * (self.of.get(&bundle).copied().unwrap_or_default() as f64 + 0.5)
    }

    fn width(&self) -> f64 {
        lane_pitch(self.count) * self.count as f64
    }
}

/// Where the parts of a band are, from the top.
#[derive(Default)]
pub(super) struct Heights {
    /// By depth.
    pub(super) channels: Vec<f64>,
    /// By depth, of the frames' titles; none for zero.
    pub(super) strips: Vec<f64>,
    pub(super) boxes: f64,
    /// Below the boxes.
    pub(super) foot: f64,
    /// Below the frames, where edges go back to the left.
    pub(super) back: f64,
    pub(super) end: f64,
}

/// All edges, and room for them.
pub(super) struct Routes {
    wires: Vec<Wire>,
    /// By band, by item.
    gaps: Vec<Vec<Lanes>>,
    /// By band, by depth.
    channels: Vec<Vec<Lanes>>,
    /// By band: those that leave it.
    exits: Vec<Lanes>,
    margin: Lanes,
}

impl Routes {
    /// Finds a way for the edges of a plan, if there are at most so many.
    pub(super) fn new(plan: &Plan, stages: &[Stage], shapes: &[Shape], bands: &[Band], most: usize) -> Self {
        let mut wires = Vec::new();
        if plan.graph.edges.len() <= most {
            let (leave, come) = ends(plan, stages, shapes, bands);
            let (mut out, mut into) = (HashMap::<WaveId, usize>::new(), HashMap::<WaveId, usize>::new());
            for edge in &plan.graph.edges {
                *out.entry(edge.before).or_default() += 1;
                *into.entry(edge.after).or_default() += 1;
            }
            for (at, edge) in plan.graph.edges.iter().enumerate() {
                let (Some(&from), Some(&to)) = (leave.get(&edge.before), come.get(&edge.after)) else { continue };
                let leaves = out[&edge.before] >= into[&edge.after];
                let bundle = (leaves, if leaves { edge.before } else { edge.after });
                let depth = around(plan, plan.graph.parent(edge.after)).len();
                wires.push(Wire { edge: at, from, to, depth, bundle });
            }
        }
        lanes(wires, bands)
    }

    /// Lanes of each item of a band, where it is a gap.
    pub(super) fn gap_lanes(&self, band: usize) -> Vec<usize> {
        self.gaps[band].iter().map(|lanes| lanes.count).collect()
    }

    /// What the margin at the left takes.
    pub(super) fn margin(&self) -> f64 {
        self.margin.width()
    }

    /// What the margin at the right takes.
    pub(super) fn right_margin(&self) -> f64 {
        self.exits.iter().map(Lanes::width).fold(0.0, f64::max)
    }

    /// From the top of a band to where its boxes and lanes end.
    pub(super) fn heights(&self, band: usize, of: &Band, top: f64) -> Heights {
        let (mut heights, mut y) = (Heights::default(), top);
        for depth in 0..=of.depth {
            heights.strips.push(y);
            y += if depth > 0 { STRIP } else { 0.0 };
            heights.channels.push(y);
            let lanes = &self.channels[band][depth];
            y += lanes.width() + if lanes.count > 0 { 6.0 } else { 0.0 };
        }
        heights.boxes = y + 4.0;
        heights.foot = heights.boxes + of.rows as f64 * BOX_PITCH;
        heights.back = heights.foot + of.depth as f64 * 6.0 + 4.0;
        heights.end = heights.back + self.exits[band].width();
        heights
    }

    /// The corners of each edge, by its place among the graph's. `left` and `right` are where columns
    /// begin and where the widest band ends.
    pub(super) fn lines(&self, lines: &[Line<'_>], left: f64, right: f64) -> Vec<(usize, Vec<[f64; 2]>)> {
        self.wires.iter().map(|wire| (wire.edge, self.corners(wire, lines, left, right))).collect()
    }

    fn corners(&self, wire: &Wire, lines: &[Line<'_>], left: f64, right: f64) -> Vec<[f64; 2]> {
        let Wire { from, to, depth, bundle, .. } = *wire;
        let gap = |end: End| lines[end.band].band.items[end.gap];
        let heights = |band: usize| &lines[band].heights;
        let height = |end: End| match end.height {
            Height::Row(row) => heights(end.band).boxes + row as f64 * BOX_PITCH + BOX / 2.0,
            Height::Title(depth) => heights(end.band).strips[depth] + STRIP / 2.0,
        };
        let lane = |end: End| gap(end).x + 6.0 + self.gaps[end.band][end.gap].at(bundle);
        let channel = |band: usize| heights(band).channels[depth] + 2.0 + self.channels[band][depth].at(bundle);
        let (y1, y2) = (height(from), height(to));
        let mut points = vec![[gap(from).x, y1], [lane(from), y1]];
        if from.band != to.band {
            let exit = self.exits[from.band].at(bundle);
            let (out, back) = (right + exit, heights(from.band).back + exit);
            let margin = left - self.margin.at(bundle);
            let above = channel(from.band);
            points.extend([[lane(from), above], [out, above], [out, back], [margin, back]]);
            points.extend([[margin, channel(to.band)], [lane(to), channel(to.band)]]);
        } else if from.gap != to.gap {
            points.extend([[lane(from), channel(to.band)], [lane(to), channel(to.band)]]);
        }
        points.extend([[lane(to), y2], [gap(to).x + gap(to).width, y2]]);
        points
    }
}

/// The blocks around what stands in this one, from the innermost on.
fn around(plan: &Plan, block: Option<BlockId>) -> Vec<BlockId> {
    std::iter::successors(block, |block| plan.graph.blocks[block.0 as usize].parent).collect()
}

/// By node, where edges leave it and where they come to it.
fn ends(
    plan: &Plan,
    stages: &[Stage],
    shapes: &[Shape],
    bands: &[Band],
) -> (HashMap<WaveId, End>, HashMap<WaveId, End>) {
    let (mut leave, mut come) = (HashMap::new(), HashMap::new());
    for (at, band) in bands.iter().enumerate() {
        for (index, placed) in band.items.iter().enumerate() {
            let end = |gap: usize, height| End { band: at, gap, height };
            match placed.item {
                Item::Gap { .. } => {}
                Item::Column { stage, .. } if stages[stage].waves.len() > WAVES_MAX => {}
                Item::Column { stage, first } => {
                    for (row, &wave) in column(&stages[stage], &shapes[stage], first).iter().enumerate() {
                        come.insert(wave, end(index - 1, Height::Row(row)));
                        leave.insert(wave, end(index + 1, Height::Row(row)));
                    }
                }
                Item::Left { block, goes_on } => {
                    let depth = around(plan, Some(block)).len();
                    if !goes_on {
                        come.insert(plan.graph.block_node(block), end(index - 1, Height::Title(depth)));
                    }
                }
                Item::Right { block, goes_on } => {
                    let depth = around(plan, Some(block)).len();
                    if !goes_on {
                        leave.insert(plan.graph.block_node(block), end(index + 1, Height::Title(depth)));
                    }
                }
            }
        }
    }
    (leave, come)
}

fn lanes(wires: Vec<Wire>, bands: &[Band]) -> Routes {
    type Ranges = BTreeMap<Bundle, Range<usize>>;
    let grow = |ranges: &mut Ranges, bundle: Bundle, range: Range<usize>| {
        let old = ranges.entry(bundle).or_insert(range.clone());
        *old = old.start.min(range.start)..old.end.max(range.end);
    };
    let mut gaps: Vec<Vec<Ranges>> = bands.iter().map(|band| vec![Ranges::new(); band.items.len()]).collect();
    let mut channels: Vec<Vec<Ranges>> = bands.iter().map(|band| vec![Ranges::new(); band.depth + 1]).collect();
    let (mut exits, mut margin) = (vec![Ranges::new(); bands.len()], Ranges::new());
    for &Wire { from, to, depth, bundle, .. } in &wires {
        // Each bundle has a lane of its own in a gap.
        grow(&mut gaps[from.band][from.gap], bundle, 0..1);
        grow(&mut gaps[to.band][to.gap], bundle, 0..1);
        if from.band != to.band {
            grow(&mut channels[from.band][depth], bundle, from.gap + 1..bands[from.band].items.len() + 2);
            grow(&mut channels[to.band][depth], bundle, 0..to.gap + 2);
            grow(&mut exits[from.band], bundle, 0..1);
            grow(&mut margin, bundle, from.band..to.band);
        } else if from.gap != to.gap {
            grow(&mut channels[from.band][depth], bundle, from.gap + 1..to.gap + 2);
        }
    }
    let all = |many: &Vec<Ranges>| many.iter().map(Lanes::new).collect::<Vec<_>>();
    let (gaps, channels) = (gaps.iter().map(all).collect(), channels.iter().map(all).collect());
    Routes { wires, gaps, channels, exits: all(&exits), margin: Lanes::new(&margin) }
}
