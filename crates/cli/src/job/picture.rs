//! A job's plan as a picture: a column for each stage of the schedule, with its waves on top, the
//! lives of the data below them, and what is live at the foot, under the budget.

use std::collections::HashSet;

use seawall::core::check::{Alive, Checked};
use seawall::core::graph::{DataId, Role, WaveId};
use seawall::core::plan::{Plan, Reason};
use seawall::core::schedule::{BufferId, Step};

use crate::error::Error;
use crate::paint::{Anchor, Paint, Type, bytes, colour, count, escape, fitted};

/// More columns than this are no picture any more.
const STAGES_MAX: usize = 4_000;
/// Up to here each wave has a box of its own in its column; beyond, a column has one for all.
const WAVES_MAX: usize = 24;
/// Up to here data has a row each.
const ROWS_MAX: usize = 80;
/// Up to here dependencies are drawn.
const EDGES_MAX: usize = 800;

const LEFT: f64 = 190.0;
const RIGHT: f64 = 40.0;
const TOP: f64 = 104.0;
const BOX: f64 = 24.0;
const ROW: f64 = 19.0;
const CHART: f64 = 130.0;
const GAP: f64 = 34.0;

const TITLE: Type = Type { size: 24.0, weight: 700, colour: colour::INK, anchor: Anchor::Start };
const SUBTITLE: Type = Type { size: 13.5, weight: 400, colour: colour::SOFT, anchor: Anchor::Start };
const SMALL: Type = Type { size: 11.5, weight: 400, colour: colour::SOFT, anchor: Anchor::Start };
const NAME: Type = Type { size: 12.0, weight: 600, colour: colour::INK, anchor: Anchor::Start };

/// What happens between two barriers.
#[derive(Default)]
struct Stage {
    waves: Vec<WaveId>,
    /// Buffers that come from the host, and go to it.
    up: Vec<BufferId>,
    down: Vec<BufferId>,
    live_bytes: u64,
    /// Apart from the stage before only for want of room.
    split: bool,
}

/// The picture, as SVG text.
pub(super) fn draw(title: &str, plan: &Plan, checked: &Checked) -> Result<String, Error> {
    let stages = stages(plan, checked);
    if stages.len() > STAGES_MAX {
        return Err(Error::TooManyStages { stages: stages.len(), most: STAGES_MAX });
    }
    let shown: Vec<DataId> = (0..plan.graph.data.len() as u32).map(DataId).collect();
    let rows = if shown.len() > ROWS_MAX { Vec::new() } else { shown };
    let tallest = stages.iter().map(|stage| boxes(stage).len()).max().unwrap_or(0).max(1) as f64;
    let count = stages.len() as f64;
    let pitch = (1120.0 / count).clamp(3.0, 200.0);
    let rows_top = TOP + tallest * (BOX + 6.0) + GAP;
    let chart_top = rows_top + rows.len() as f64 * ROW + GAP;
    let width = (LEFT + count * pitch + RIGHT).max(780.0);
    let drawing = Drawing { plan, checked, stages, rows, pitch, rows_top, chart_top, width };
    let mut paint = Paint::new(width, chart_top + CHART + 62.0);
    drawing.head(&mut paint, title);
    drawing.barriers(&mut paint);
    drawing.edges(&mut paint);
    drawing.waves(&mut paint);
    drawing.lives(&mut paint);
    drawing.live(&mut paint);
    drawing.legend(&mut paint);
    Ok(paint.finish())
}

fn stages(plan: &Plan, checked: &Checked) -> Vec<Stage> {
    let split =
        |group: usize| plan.reasons_of(group as u32).iter().any(|reason| matches!(reason, Reason::Split { .. }));
    let apart: HashSet<WaveId> = plan
        .groups
        .iter()
        .enumerate()
        .filter(|(group, _)| split(*group))
        .flat_map(|(_, waves)| waves.clone())
        .collect();
    let mut placed = plan.placement.waves.iter().peekable();
    let mut stages = vec![Stage::default()];
    for (at, step) in checked.steps.iter().enumerate() {
        let last = stages.len() - 1;
        let stage = &mut stages[last];
        while let Some((_, wave)) = placed.next_if(|(step, _)| *step == at) {
            stage.waves.push(*wave);
            stage.split |= apart.contains(wave);
        }
        match step {
            Step::Barrier | Step::Loop { .. } | Step::When { .. } | Step::End => stages.push(Stage::default()),
            Step::Upload { to, .. } => stage.up.push(to.buffer),
            Step::Download { from, .. } => stage.down.push(from.buffer),
            Step::Clear { .. }
            | Step::Copy { .. }
            | Step::Free { .. }
            | Step::Swap { .. }
            | Step::Dispatch { .. }
            | Step::DispatchIndirect { .. } => {}
        }
    }
    for (stage, live_bytes) in stages.iter_mut().zip(checked.live_bytes()) {
        stage.live_bytes = live_bytes;
    }
    stages
}

/// What is written into a stage's boxes, from the top.
fn boxes(stage: &Stage) -> &[WaveId] {
    if stage.waves.len() > WAVES_MAX { &stage.waves[..1] } else { &stage.waves }
}

struct Drawing<'a> {
    plan: &'a Plan,
    checked: &'a Checked,
    stages: Vec<Stage>,
    rows: Vec<DataId>,
    pitch: f64,
    rows_top: f64,
    chart_top: f64,
    width: f64,
}

impl Drawing<'_> {
    /// The left side of a column, and its width.
    fn column(&self, stage: usize) -> (f64, f64) {
        let width = self.pitch * if self.pitch < 24.0 { 0.8 } else { 0.84 };
        (LEFT + stage as f64 * self.pitch + (self.pitch - width) / 2.0, width)
    }

    fn middle(&self, stage: usize) -> f64 {
        LEFT + (stage as f64 + 0.5) * self.pitch
    }

    fn head(&self, paint: &mut Paint, title: &str) {
        let (waves, groups) = (self.plan.graph.waves.len(), self.plan.groups.len());
        let title = format!("{title}: {} in {}", count(waves, "wave"), count(groups, "group"));
        paint.add(format_args!("<title>{}</title>", escape(&title)));
        paint.text(28.0, 46.0, TITLE, &title);
        let mut facts = vec![format!("at most {} on the device", bytes(self.checked.peak_bytes() as f64))];
        match self.plan.schedule.budget_bytes {
            Some(budget) => facts.push(format!("budget {}", bytes(budget as f64))),
            None => facts.push("no budget".to_owned()),
        }
        if self.plan.evicted_bytes() > 0 {
            facts.push(format!("{} put aside on the host", bytes(self.plan.evicted_bytes() as f64)));
        }
        if self.rows.is_empty() {
            facts.push(format!("{} not drawn", count(self.plan.graph.data.len(), "buffer")));
        }
        paint.text(28.0, 70.0, SUBTITLE, &facts.join("  ·  "));
    }

    fn barriers(&self, paint: &mut Paint) {
        for (at, stage) in self.stages.iter().enumerate().skip(1) {
            let x = LEFT + at as f64 * self.pitch;
            let (ink, dashes) = if stage.split { (colour::SPLIT, "5 4") } else { (colour::RULE, "none") };
            paint.line([x, TOP - 8.0], [x, self.chart_top + CHART], ink, if stage.split { 1.5 } else { 1.0 }, dashes);
        }
    }

    fn waves(&self, paint: &mut Paint) {
        for (at, stage) in self.stages.iter().enumerate() {
            let (left, width) = self.column(at);
            for (place, &wave) in boxes(stage).iter().enumerate() {
                let all = boxes(stage).len() == stage.waves.len();
                let name = if all { self.plan.graph.node_name(wave) } else { count(stage.waves.len(), "wave") };
                let top = TOP + place as f64 * (BOX + 6.0);
                paint.add(format_args!("<g><title>{}</title>", escape(&name)));
                paint.rect(left, top, width, BOX, colour::WAVE);
                paint.add(format_args!("</g>"));
                if let Some(name) = fitted(&name, width - 10.0, NAME.size) {
                    paint.text(left + 6.0, top + 16.0, NAME, &name);
                }
            }
        }
    }

    /// Dependencies, from box to box.
    fn edges(&self, paint: &mut Paint) {
        let (graph, mut places) =
            (&self.plan.graph, vec![None; self.plan.graph.waves.len() + self.plan.graph.fetched.len()]);
        for (at, stage) in self.stages.iter().enumerate().filter(|(_, stage)| stage.waves.len() <= WAVES_MAX) {
            for (place, wave) in stage.waves.iter().enumerate() {
                places[wave.0 as usize] = Some((at, TOP + place as f64 * (BOX + 6.0) + BOX / 2.0));
            }
        }
        let ends = graph.edges.iter().filter_map(|edge| {
            let (from, to) = (places[edge.before.0 as usize]?, places[edge.after.0 as usize]?);
            let (left, width) = self.column(from.0);
            Some([[left + width, from.1], [self.column(to.0).0, to.1]])
        });
        let ends: Vec<_> = ends.collect();
        if ends.len() <= EDGES_MAX {
            paint.curves(&ends);
        }
    }

    /// A row for each data: when it has memory on the device, comes from the host and goes there.
    fn lives(&self, paint: &mut Paint) {
        for (row, &data) in self.rows.iter().enumerate() {
            let top = self.rows_top + row as f64 * ROW;
            let about = &self.plan.graph.data[data.0 as usize];
            let size = bytes(about.bytes as f64);
            let name = fitted(&about.name, LEFT - 110.0, NAME.size).unwrap_or_default();
            paint.text(28.0, top + 12.0, NAME, &name);
            paint.text(LEFT - 14.0, top + 12.0, Type { anchor: Anchor::End, ..SMALL }, &size);
            let ink = match about.role {
                Role::Input => colour::FRONTIER,
                Role::Output | Role::InOut => colour::OUTPUT,
                Role::Persistent => colour::RESIDENT,
                Role::Transient => colour::SCRATCH,
            };
            let mine = |id: &usize| self.plan.placement.lives[*id] == Some(data);
            for id in (0..self.checked.buffers.len()).filter(mine) {
                let whole = Alive { first: 0, last: self.stages.len() as u32 - 1 };
                let Alive { first, last } = self.checked.alive(BufferId(id as u32)).unwrap_or(whole);
                let (left, _) = self.column(first as usize);
                let (end, width) = self.column(last as usize);
                paint.rect(left, top + 2.0, end + width - left, ROW - 5.0, ink);
                self.arrows(paint, BufferId(id as u32), top);
            }
        }
    }

    fn arrows(&self, paint: &mut Paint, buffer: BufferId, top: f64) {
        let (low, high) = (top + ROW - 6.0, top + 5.0);
        for (at, stage) in self.stages.iter().enumerate() {
            let x = self.middle(at);
            for (moved, from, to) in [(&stage.up, high, low), (&stage.down, low, high)] {
                if moved.contains(&buffer) {
                    // Down into the device, up out of it.
                    let (x1, x2) = (x - 4.0, x + 4.0);
                    let ink = colour::INK;
                    paint.add(format_args!("<path d=\"M{x1:.1} {from:.1}H{x2:.1}L{x:.1} {to:.1}Z\" fill=\"{ink}\"/>"));
                }
            }
        }
    }

    /// What is live in each stage, and the line that it stays under.
    fn live(&self, paint: &mut Paint) {
        let peak = self.checked.peak_bytes().max(1) as f64;
        let budget = self.plan.schedule.budget_bytes.map(|budget| budget as f64);
        let near = budget.filter(|budget| *budget <= 1.7 * peak);
        let scale = 1.12 * near.unwrap_or(peak).max(peak);
        let base = self.chart_top + CHART;
        let y = |bytes: f64| base - CHART * bytes / scale;
        for part in [0.0, 0.5, 1.0] {
            let y = y(part * peak);
            paint.line([LEFT, y], [self.width - RIGHT, y], colour::RULE, 1.0, "none");
            paint.text(LEFT - 14.0, y + 4.0, Type { anchor: Anchor::End, ..SMALL }, &bytes(part * peak));
        }
        for (at, stage) in self.stages.iter().enumerate() {
            let ((left, width), top) = (self.column(at), y(stage.live_bytes as f64));
            paint.add(format_args!("<g><title>stage {at}: {} bytes</title>", stage.live_bytes));
            paint.rect(left, top, width, base - top, colour::LIVE);
            paint.add(format_args!("</g>"));
        }
        paint.text(28.0, y(0.0), NAME, "live");
        let Some(budget) = budget else { return };
        let y = near.map_or(self.chart_top, y);
        paint.line([LEFT, y], [self.width - RIGHT, y], colour::LIMIT, 2.0, "8 5");
        let note = if near.is_some() { "" } else { ", above this scale" };
        let style = Type { size: 12.0, weight: 600, colour: colour::LIMIT, anchor: Anchor::End };
        paint.text(self.width - RIGHT, y - 7.0, style, &format!("budget {}{note}", bytes(budget)));
    }

    fn legend(&self, paint: &mut Paint) {
        let y = self.chart_top + CHART + 38.0;
        let mut x = 28.0;
        let has = |wanted: &[Role]| self.plan.graph.data.iter().any(|data| wanted.contains(&data.role));
        let boxes = [
            (has(&[Role::Input]), colour::FRONTIER, "input"),
            (has(&[Role::Transient]), colour::SCRATCH, "between waves"),
            (has(&[Role::Output, Role::InOut]), colour::OUTPUT, "output"),
            (has(&[Role::Persistent]), colour::RESIDENT, "persistent"),
            (self.stages.iter().any(|stage| stage.split), colour::SPLIT, "apart for want of room"),
        ];
        for (_, colour, text) in boxes.into_iter().filter(|(there, ..)| *there) {
            paint.rect(x, y - 10.0, 14.0, 12.0, colour);
            paint.text(x + 20.0, y, SMALL, text);
            x += 40.0 + 6.2 * text.len() as f64;
        }
        paint.text(x, y, SMALL, "triangles: down from the host, up to it");
    }
}
