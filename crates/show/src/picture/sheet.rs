//! Where things are: stages stand beside each other in bands that are stacked like the lines of a
//! text, so that any number of them is readable.
//!
//! A band is a row of columns of boxes and of the sides of frames, the loops and branches around
//! them, with a gap between any two. Above the boxes there is a channel for each depth of frames,
//! inside of the frames of that depth and outside of those that are deeper. Edges run in gaps and
//! channels alone (see `route`), so none can be behind a box that it does not touch.

use seawall_core::graph::{BlockId, WaveId};

use super::stage::Stage;

/// What a band is filled up to.
const WIDTH: f64 = 1180.0;
/// Boxes on top of each other before there is a column beside them,
const ROWS: usize = 20;
/// unless there are this many.
const COLUMNS_MAX: usize = 8;
/// Waves of one stage beyond this are one box.
pub(super) const WAVES_MAX: usize = 2_000;

pub(super) const BOX: f64 = 24.0;
pub(super) const BOX_PITCH: f64 = 30.0;
/// Of a frame's title.
pub(super) const STRIP: f64 = 34.0;
const SIDE: f64 = 6.0;
const GAP: f64 = 20.0;

/// What stands beside what in a band.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Item {
    /// Room for edges, inside of so many frames.
    Gap { depth: usize },
    /// Boxes of a stage, from one of its waves on.
    Column { stage: usize, first: usize },
    /// The left side of a frame; whether it goes on from the band before.
    Left { block: BlockId, goes_on: bool },
    /// Its right side; whether it goes on in the next band.
    Right { block: BlockId, goes_on: bool },
}

/// One item, and where it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placed {
    pub(super) item: Item,
    pub(super) x: f64,
    pub(super) width: f64,
}

/// A line of the picture.
#[derive(Default)]
pub(super) struct Band {
    pub(super) stages: std::ops::Range<usize>,
    pub(super) items: Vec<Placed>,
    /// Boxes on top of each other.
    pub(super) rows: usize,
    /// Frames inside each other.
    pub(super) depth: usize,
}

/// How the boxes of a stage are laid out.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub(super) columns: usize,
    pub(super) rows: usize,
    pub(super) width: f64,
}

impl Shape {
    /// Of a stage whose longest name has so many letters.
    pub(super) fn new(stage: &Stage, letters: usize) -> Self {
        let waves = if stage.waves.len() > WAVES_MAX { 1 } else { stage.waves.len() };
        let columns = waves.div_ceil(ROWS).clamp(1, COLUMNS_MAX);
        let width = if waves == 0 { 44.0 } else { (7.6 * letters as f64 + 16.0).clamp(64.0, 164.0) };
        Self { columns, rows: waves.div_ceil(columns), width }
    }

    fn all(&self) -> f64 {
        self.columns as f64 * (self.width + GAP)
    }
}

/// Fills bands with stages.
pub(super) fn bands(stages: &[Stage], shapes: &[Shape]) -> Vec<Band> {
    let (mut bands, mut first) = (Vec::new(), 0);
    while first < stages.len() {
        let (mut end, mut width, mut around) = (first, 0.0, 0);
        while let (Some(shape), Some(stage)) = (shapes.get(end), stages.get(end)) {
            let depth = stage.within.len();
            width += shape.all() + (SIDE + GAP) * depth.abs_diff(around) as f64;
            if end > first && width > WIDTH {
                break;
            }
            (end, around) = (end + 1, depth);
        }
        bands.push(band(stages, shapes, first..end));
        first = end;
    }
    bands
}

fn band(stages: &[Stage], shapes: &[Shape], range: std::ops::Range<usize>) -> Band {
    let mut band = Band { stages: range.clone(), ..Band::default() };
    let (mut items, mut open): (Vec<Item>, Vec<BlockId>) = (vec![Item::Gap { depth: 0 }], Vec::new());
    let around = |stage: Option<usize>| stage.and_then(|at| stages.get(at)).map_or(&[][..], |stage| &stage.within);
    for at in range.clone() {
        let within = &stages[at].within;
        let same = open.iter().zip(within).take_while(|(a, b)| a == b).count();
        close(&mut items, &mut open, same, &[]);
        for &block in &within[same..] {
            let goes_on = at == range.start && around(at.checked_sub(1)).contains(&block);
            items.push(Item::Left { block, goes_on });
            open.push(block);
            items.push(Item::Gap { depth: open.len() });
        }
        let shape = shapes[at];
        for column in 0..shape.columns {
            items.push(Item::Column { stage: at, first: column * shape.rows });
            items.push(Item::Gap { depth: open.len() });
        }
        band.rows = band.rows.max(shape.rows);
        band.depth = band.depth.max(open.len());
    }
    close(&mut items, &mut open, 0, around(Some(range.end)));
    band.items = items.into_iter().map(|item| Placed { item, x: 0.0, width: 0.0 }).collect();
    band
}

/// Ends frames until so many are left; those of the next band go on there.
fn close(items: &mut Vec<Item>, open: &mut Vec<BlockId>, left: usize, next: &[BlockId]) {
    while open.len() > left {
        let Some(block) = open.pop() else { break };
        items.push(Item::Right { block, goes_on: next.contains(&block) });
        items.push(Item::Gap { depth: open.len() });
    }
}

impl Band {
    /// Gives everything its place, from `left` on; `lanes` are those of each item that is a gap, and
    /// `title` the width that a frame's title wants.
    pub(super) fn place(&mut self, left: f64, shapes: &[Shape], lanes: &[usize], title: impl Fn(BlockId) -> f64) {
        let (mut x, mut open) = (left, Vec::new());
        for (placed, &lanes) in self.items.iter_mut().zip(lanes) {
            let width = match placed.item {
                Item::Gap { .. } => lane_pitch(lanes) * lanes as f64 + GAP - 8.0,
                Item::Column { stage, .. } => shapes[stage].width,
                Item::Left { block, .. } => {
                    open.push(x + title(block));
                    SIDE
                }
                Item::Right { .. } => {
                    x = open.pop().map_or(x, |wanted| x.max(wanted));
                    SIDE
                }
            };
            (placed.x, placed.width) = (x, width);
            x += width;
        }
    }

    pub(super) fn right(&self) -> f64 {
        self.items.last().map_or(0.0, |last| last.x + last.width)
    }

    /// From the left of a stage's boxes to their right.
    pub(super) fn extent(&self, wanted: usize) -> Option<(f64, f64)> {
        let mine = |placed: &&Placed| matches!(placed.item, Item::Column { stage, .. } if stage == wanted);
        let first = self.items.iter().find(mine)?;
        let last = self.items.iter().rfind(mine)?;
        Some((first.x, last.x + last.width))
    }
}

/// From lane to lane: the more there are, the closer they are.
pub(super) fn lane_pitch(lanes: usize) -> f64 {
    (150.0 / lanes.max(1) as f64).min(5.0)
}

/// The waves of one column.
pub(super) fn column<'a>(stage: &'a Stage, shape: &Shape, first: usize) -> &'a [WaveId] {
    let end = (first + shape.rows).min(stage.waves.len());
    if stage.waves.len() > WAVES_MAX { &stage.waves[..1] } else { &stage.waves[first.min(end)..end] }
}
