//! A job's plan as a picture: a column for each stage of the schedule, with its waves on top in the
//! frames of the loops and branches that they are in, the lives of the data below them, and what is
//! live at the foot, under the budget; in as many bands as it takes.

mod stage;
mod sheet;
mod route;
mod parts;

use std::collections::BTreeMap;

use seawall_core::check::Checked;
use seawall_core::graph::{BlockId, DataId, Repeat};
use seawall_core::plan::Plan;
use seawall_core::schedule::BufferId;

use self::route::{Heights, Routes};
use self::sheet::{Band, Shape};
use self::stage::Stage;
use crate::error::Error;
use crate::paint::Paint;

/// More columns than this are no picture any more.
const STAGES_MAX: usize = 4_000;
/// Up to here data has a row each, in each band.
const ROWS_MAX: usize = 80;
/// Up to here dependencies are drawn.
const EDGES_MAX: usize = 4_000;

/// Names and scales stand left of this.
const LEFT: f64 = 236.0;
const RIGHT: f64 = 40.0;
const TOP: f64 = 96.0;
const ROW: f64 = 19.0;
const SPACE: f64 = 18.0;

/// The picture, as SVG text.
pub fn draw(title: &str, plan: &Plan, checked: &Checked) -> Result<String, Error> {
    let stages = stage::stages(plan, checked);
    if stages.len() > STAGES_MAX {
        return Err(Error::TooManyStages { stages: stages.len(), most: STAGES_MAX });
    }
    let letters = |stage: &Stage| stage.waves.iter().map(|&wave| plan.graph.node_name(wave).chars().count()).max();
    let shapes: Vec<Shape> = stages.iter().map(|stage| Shape::new(stage, letters(stage).unwrap_or(0))).collect();
    let mut bands = sheet::bands(&stages, &shapes);
    let routes = Routes::new(plan, &stages, &shapes, &bands, EDGES_MAX);
    let left = LEFT + routes.margin() + if routes.margin() > 0.0 { 8.0 } else { 0.0 };
    let titled = |block: BlockId| (7.0 * labels(plan, block)[1].chars().count() as f64 + 20.0).clamp(90.0, 360.0);
    for (at, band) in bands.iter_mut().enumerate() {
        band.place(left, &shapes, &routes.gap_lanes(at), titled);
    }
    let widest = bands.iter().map(Band::right).fold(0.0, f64::max);
    let right = widest + routes.right_margin();
    let chart = if bands.len() > 1 { 64.0 } else { 130.0 };
    let mut drawing = Drawing { plan, checked, stages, shapes, lines: Vec::new(), left, right, chart };
    let (mut lines, mut y) = (Vec::<Line>::with_capacity(bands.len()), TOP);
    for (at, band) in bands.iter().enumerate() {
        let heights = routes.heights(at, band, y);
        let rows = drawing.rows(band);
        let rows_top = heights.end + SPACE;
        let chart_top = rows_top + rows.as_ref().map_or(0, Vec::len) as f64 * ROW + SPACE;
        y = chart_top + chart + 30.0;
        lines.push(Line { band, heights, rows, rows_top, chart_top });
    }
    drawing.lines = routes.lines(&lines, left - 8.0, widest);
    let mut paint = Paint::new((right + RIGHT).max(780.0), y + 32.0);
    drawing.head(&mut paint, title, &lines);
    for line in &lines {
        drawing.frames(&mut paint, line);
        drawing.barriers(&mut paint, line);
    }
    drawing.edges(&mut paint);
    for line in &lines {
        drawing.waves(&mut paint, line);
        drawing.lives(&mut paint, line);
        drawing.live(&mut paint, line);
    }
    drawing.legend(&mut paint, y + 8.0);
    Ok(paint.finish())
}

/// A band with everything in its place.
struct Line<'a> {
    band: &'a Band,
    heights: Heights,
    /// The data that has memory in it, and its buffers; `None` if they are too many to draw.
    rows: Option<Vec<(DataId, Vec<BufferId>)>>,
    rows_top: f64,
    chart_top: f64,
}

/// What stands above a frame: what it is called, and how often it runs.
fn labels(plan: &Plan, block: BlockId) -> [String; 2] {
    let body = &plan.graph.blocks[block.0 as usize];
    let kind = match body.repeat {
        Repeat::Loop { .. } => "loop",
        Repeat::When { .. } => "branch",
    };
    let name = |data: DataId| &plan.graph.data[data.0 as usize].name;
    let swaps = body.swaps.iter().map(|&(one, other)| format!("; swaps {} and {}", name(one), name(other)));
    [format!("{kind} {}", body.name), plan.decides(block).replace('`', "") + &swaps.collect::<String>()]
}

/// What is drawn, and where it is.
struct Drawing<'a> {
    plan: &'a Plan,
    checked: &'a Checked,
    stages: Vec<Stage>,
    shapes: Vec<Shape>,
    /// Edges, by their places among the graph's, and their corners.
    lines: Vec<(usize, Vec<[f64; 2]>)>,
    /// Where columns begin,
    left: f64,
    /// and where everything ends.
    right: f64,
    /// The height of the scale of what is live.
    chart: f64,
}

impl Drawing<'_> {
    /// The data that has memory in a band, and its buffers.
    fn rows(&self, band: &Band) -> Option<Vec<(DataId, Vec<BufferId>)>> {
        let mut rows: BTreeMap<DataId, Vec<BufferId>> = BTreeMap::new();
        for (id, data) in (0..).map(BufferId).zip(&self.plan.placement.lives) {
            if let (Some(data), Some(_)) = (data, self.alive(band, id)) {
                rows.entry(*data).or_default().push(id);
            }
        }
        (rows.len() <= ROWS_MAX).then(|| rows.into_iter().collect())
    }

    /// The stages of a band in which a buffer has memory, from the first to the last.
    fn alive(&self, band: &Band, buffer: BufferId) -> Option<[usize; 2]> {
        let alive = self.checked.alive(buffer);
        let lives = |at: &usize| alive.is_none_or(|it| (it.first..=it.last).contains(&self.stages[*at].group));
        let mut here = band.stages.clone().filter(lives);
        let first = here.next()?;
        Some([first, here.next_back().unwrap_or(first)])
    }
}
