//! A frontier plan as a picture: groups are columns, waves are boxes as high as their fused
//! bytes, stacked on the resident bytes under the budget line. Barriers stand between
//! columns, and those that only memory demands are marked.

mod parts;

use super::schema::Problem;
use super::{Error, Plans};
use seawall_show::paint::Paint;

/// More columns than this are no picture any more.
pub(super) const GROUPS_MAX: usize = 4_000;
/// Up to here each wave has a box of its own; beyond, each group has one.
const BOXES_MAX: usize = 4_000;
/// Up to here edges are drawn.
const EDGES_MAX: usize = 800;
/// Up to here they are drawn above the boxes.
const EDGES_ABOVE_MAX: usize = 60;

const CHART_HEIGHT: f64 = 420.0;
const CHART_TOP: f64 = 118.0;
const MARGIN_LEFT: f64 = 86.0;
const MARGIN_RIGHT: f64 = 48.0;
const FOOT: f64 = 128.0;
const WIDTH_MIN: f64 = 780.0;

/// Where things are on the page.
struct Layout {
    /// From column to column.
    pitch: f64,
    /// Of a column.
    column: f64,
    /// Of the page.
    width: f64,
    /// Bytes that the height of the chart stands for.
    scale_bytes: f64,
    /// The budget line stands above the scale.
    limit_above: bool,
}

impl Layout {
    fn new(problem: &Problem, plans: &Plans) -> Self {
        let groups = plans.frontier.groups().len().max(1) as f64;
        let width = (MARGIN_LEFT + groups * (1180.0 / groups).clamp(3.0, 190.0) + MARGIN_RIGHT).max(WIDTH_MIN);
        let pitch = (width - MARGIN_LEFT - MARGIN_RIGHT) / groups;
        let column = if pitch < 12.0 { pitch * 0.8 } else { (pitch * 0.62).max(pitch - 64.0).min(150.0) };
        let resident = problem.budget.resident_bytes as f64;
        let live = plans.live.as_ref().map_or(0, |live| live.peak_bytes);
        let peak = resident + plans.frontier.peak_group_bytes.max(live) as f64;
        let limit = problem.budget.limit_bytes as f64;
        let limit_above = limit > 1.7 * peak;
        let scale_bytes = if limit_above { 1.16 * peak } else { 1.08 * peak.max(limit) };
        Self { pitch, column, width, scale_bytes: scale_bytes.max(1.0), limit_above }
    }

    /// The left side of a column.
    fn x(&self, group: usize) -> f64 {
        MARGIN_LEFT + (group as f64 + 0.5) * self.pitch - self.column / 2.0
    }

    /// The line between a column and the one before it.
    fn between(&self, group: usize) -> f64 {
        MARGIN_LEFT + group as f64 * self.pitch
    }

    /// The height at which so many bytes end.
    fn y(&self, bytes: f64) -> f64 {
        CHART_TOP + CHART_HEIGHT * (1.0 - bytes / self.scale_bytes)
    }
}

/// The picture, as SVG text.
pub(crate) fn draw(problem: &Problem, plans: &Plans) -> Result<String, Error> {
    let groups = plans.frontier.groups().len();
    if groups > GROUPS_MAX {
        return Err(Error::TooManyGroups { groups });
    }
    let layout = Layout::new(problem, plans);
    let mut paint = Paint::new(layout.width, CHART_TOP + CHART_HEIGHT + FOOT);
    let drawing = parts::Drawing { problem, plans, layout: &layout };
    drawing.head(&mut paint);
    drawing.axis(&mut paint);
    drawing.barriers(&mut paint);
    drawing.resident(&mut paint);
    // A few edges can be followed across boxes; many would hide them.
    if problem.edges.len() <= EDGES_ABOVE_MAX {
        drawing.columns(&mut paint);
        drawing.edges(&mut paint);
    } else {
        drawing.edges(&mut paint);
        drawing.columns(&mut paint);
    }
    drawing.labels(&mut paint);
    drawing.live(&mut paint);
    drawing.limit(&mut paint);
    drawing.feet(&mut paint);
    drawing.legend(&mut paint);
    Ok(paint.finish())
}
