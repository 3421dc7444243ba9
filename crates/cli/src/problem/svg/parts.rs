//! The parts of the picture, in the order in which they are painted.

use seawall_core::frontier::{SCRATCH_COPIES, Wave};
use seawall_core::ids::WaveId;

use super::super::Plans;
use super::super::schema::Problem;
use super::{BOXES_MAX, CHART_HEIGHT, CHART_TOP, EDGES_MAX, Layout, MARGIN_LEFT, MARGIN_RIGHT};
use seawall_show::paint::{Anchor, Paint, Type, bytes, colour, count, escape, fitted};

const TITLE: Type = Type { size: 24.0, weight: 700, colour: colour::INK, anchor: Anchor::Start };
const SUBTITLE: Type = Type { size: 13.5, weight: 400, colour: colour::SOFT, anchor: Anchor::Start };
const SMALL: Type = Type { size: 11.5, weight: 400, colour: colour::SOFT, anchor: Anchor::Start };
const TICK: Type = Type { anchor: Anchor::End, ..SMALL };
const FOOT: Type = Type { anchor: Anchor::Middle, ..SMALL };

/// A plan and where it goes.
pub(super) struct Drawing<'a> {
    pub(super) problem: &'a Problem,
    pub(super) plans: &'a Plans,
    pub(super) layout: &'a Layout,
}

/// The sides and the ends of a wave's box.
#[derive(Clone, Copy)]
struct Place {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Drawing<'_> {
    fn limited(&self) -> bool {
        self.problem.budget.limit_bytes < u64::MAX
    }

    fn resident_bytes(&self) -> f64 {
        self.problem.budget.resident_bytes as f64
    }

    fn name(&self, wave: WaveId) -> String {
        self.problem.names[wave.0 as usize].clone().unwrap_or_else(|| wave.to_string())
    }

    fn right(&self) -> f64 {
        self.layout.width - MARGIN_RIGHT
    }

    pub(super) fn head(&self, paint: &mut Paint) {
        let plan = &self.plans.frontier;
        let totals = format!(
            "{} in {}, {}",
            count(plan.order.len(), "wave"),
            count(plan.groups().len(), "group"),
            count(plan.global_barriers(), "barrier")
        );
        let title = self.problem.title.as_ref().map_or(totals.clone(), |title| format!("{title}: {totals}"));
        paint.add(format_args!("<title>{}</title>", escape(&title)));
        paint.text(28.0, 46.0, TITLE, &title);
        let splits = match plan.memory_splits {
            0 => "no memory splits".to_owned(),
            splits => format!("{} for memory", count(splits as usize, "split")),
        };
        let mut facts = vec![splits, format!("largest group {}", bytes(plan.peak_group_bytes as f64))];
        if self.limited() {
            facts.push(format!(
                "a group may take {}",
                bytes(self.problem.budget.limit_bytes as f64 - self.resident_bytes())
            ));
        }
        if let Some(live) = &self.plans.live {
            facts.push(format!("live peak {}", bytes(live.peak_bytes as f64)));
        }
        facts.push(format!("readback {}", bytes(plan.readback_bytes as f64)));
        if self.problem.edges.len() > EDGES_MAX {
            facts.push(format!("{} not drawn", count(self.problem.edges.len(), "edge")));
        }
        paint.text(28.0, 70.0, SUBTITLE, &facts.join("  ·  "));
    }

    /// Byte marks at multiples of a power of two, three to six of them.
    pub(super) fn axis(&self, paint: &mut Paint) {
        let step = (self.layout.scale_bytes / 6.0).log2().ceil().exp2().max(1.0);
        let mut at = 0.0;
        while at <= self.layout.scale_bytes {
            let y = self.layout.y(at);
            paint.line([MARGIN_LEFT, y], [self.right(), y], colour::RULE, 1.0, "none");
            paint.text(MARGIN_LEFT - 10.0, y + 4.0, TICK, &bytes(at));
            at += step;
        }
    }

    /// Lines between groups; memory alone demands those inside a layer.
    pub(super) fn barriers(&self, paint: &mut Paint) {
        let plan = &self.plans.frontier;
        for group in 1..plan.groups().len() {
            let x = self.layout.between(group);
            let split = plan.layer_offsets.binary_search(&(group as u32)).is_err();
            let (top, bottom) = ([x, CHART_TOP], [x, CHART_TOP + CHART_HEIGHT + 8.0]);
            let thin = if self.layout.pitch < 12.0 { 0.5 } else { 1.5 };
            let (ink, dashes) = if split { (colour::SPLIT, "5 4") } else { (colour::BARRIER, "none") };
            paint.line(top, bottom, ink, thin, dashes);
        }
    }

    pub(super) fn resident(&self, paint: &mut Paint) {
        let resident = self.resident_bytes();
        if resident > 0.0 {
            let (top, bottom) = (self.layout.y(resident), self.layout.y(0.0));
            paint.rect(MARGIN_LEFT, top, self.right() - MARGIN_LEFT, bottom - top, colour::RESIDENT);
            if bottom - top >= 15.0 {
                let style = Type { anchor: Anchor::End, ..SMALL };
                let text = format!("resident {}", bytes(resident));
                paint.text(self.right() - 8.0, f64::midpoint(top, bottom) + 4.0, style, &text);
            }
        }
    }

    /// Every box from the bottom up, in id order: where it stands, its wave and its name.
    fn boxes(&self, mut each: impl FnMut(Place, &Wave, &str)) {
        let plan = &self.plans.frontier;
        for (group, (waves, sum)) in plan.groups().zip(&plan.sums).enumerate() {
            if plan.order.len() > BOXES_MAX {
                let base = self.layout.y(self.resident_bytes());
                each(self.place(group, base, fused(sum)), sum, &count(waves.len(), "wave"));
                continue;
            }
            for (wave, place) in self.stack(group, waves) {
                each(place, &self.problem.waves[wave.0 as usize], &self.name(wave));
            }
        }
    }

    pub(super) fn columns(&self, paint: &mut Paint) {
        self.boxes(|place, wave, name| wave_box(paint, place, wave, name));
    }

    pub(super) fn labels(&self, paint: &mut Paint) {
        self.boxes(|place, wave, name| label(paint, place, name, fused(wave)));
    }

    fn place(&self, group: usize, bottom: f64, cost: f64) -> Place {
        let left = self.layout.x(group);
        let height = CHART_HEIGHT * cost / self.layout.scale_bytes;
        Place { left, right: left + self.layout.column, top: bottom - height, bottom }
    }

    fn stack(&self, group: usize, waves: &[WaveId]) -> Vec<(WaveId, Place)> {
        let mut bottom = self.layout.y(self.resident_bytes());
        let mut places = Vec::with_capacity(waves.len());
        for &wave in waves {
            let place = self.place(group, bottom, fused(&self.problem.waves[wave.0 as usize]));
            bottom = place.top;
            places.push((wave, place));
        }
        places
    }

    /// Curves from the right of one box to the left of another.
    pub(super) fn edges(&self, paint: &mut Paint) {
        let (plan, edges) = (&self.plans.frontier, &self.problem.edges);
        if edges.is_empty() || edges.len() > EDGES_MAX || plan.order.len() > BOXES_MAX {
            return;
        }
        let mut places = vec![None; plan.order.len()];
        for (group, waves) in plan.groups().enumerate() {
            for (wave, place) in self.stack(group, waves) {
                places[wave.0 as usize] = Some(place);
            }
        }
        let place = |wave: WaveId| places[wave.0 as usize];
        let ends = edges.iter().filter_map(|edge| {
            let (from, to): (Place, Place) = (place(edge.before)?, place(edge.after)?);
            let start = [from.right, f64::midpoint(from.top, from.bottom)];
            Some([start, [to.left, f64::midpoint(to.top, to.bottom)]])
        });
        paint.curves(&ends.collect::<Vec<_>>());
    }

    /// A bar over each column where the live bytes end.
    pub(super) fn live(&self, paint: &mut Paint) {
        let Some(live) = &self.plans.live else { return };
        for (group, &bytes) in live.group_bytes.iter().enumerate() {
            let y = self.layout.y(self.resident_bytes() + bytes as f64);
            let x = self.layout.x(group);
            let reach = self.layout.pitch.min(4.0);
            let over = self.problem.budget.group_limit_bytes().is_ok_and(|limit| bytes > limit);
            let ink = if over { colour::LIMIT } else { colour::LIVE };
            paint.line([x - reach, y], [x + self.layout.column + reach, y], ink, 2.5, "none");
        }
    }

    pub(super) fn limit(&self, paint: &mut Paint) {
        if !self.limited() {
            return;
        }
        let limit = self.problem.budget.limit_bytes as f64;
        let above = self.layout.limit_above;
        let y = if above { CHART_TOP - 2.0 } else { self.layout.y(limit) };
        paint.line([MARGIN_LEFT, y], [self.right(), y], colour::LIMIT, 2.0, "8 5");
        if above {
            // A break in the axis: the line is farther away than it looks.
            let (x, y) = (MARGIN_LEFT, y + 12.0);
            paint.add(format_args!(
                "<path d=\"M{:.1} {:.1}l5 -4l6 6l6 -6l5 4\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"/>",
                x - 11.0,
                y,
                colour::LIMIT
            ));
        }
        let style = Type { size: 12.0, weight: 600, colour: colour::LIMIT, anchor: Anchor::End };
        let note = if above { ", above this scale" } else { "" };
        paint.text(self.right(), y - 7.0, style, &format!("limit {}{note}", bytes(limit)));
    }

    /// Below the columns: groups with their bytes, and brackets for layers.
    pub(super) fn feet(&self, paint: &mut Paint) {
        let (plan, layout) = (&self.plans.frontier, self.layout);
        let base = CHART_TOP + CHART_HEIGHT;
        let every = (44.0 / layout.pitch).ceil().max(1.0) as usize;
        for (group, sum) in plan.sums.iter().enumerate().step_by(every) {
            let x = layout.x(group) + layout.column / 2.0;
            let bold = Type { weight: 600, colour: colour::INK, ..FOOT };
            paint.text(
                x,
                base + 20.0,
                bold,
                &if layout.pitch > 70.0 { format!("group {group}") } else { group.to_string() },
            );
            if every == 1 && layout.pitch > 52.0 {
                paint.text(x, base + 35.0, FOOT, &bytes(fused(sum)));
            }
        }
        for (layer, ends) in plan.layer_offsets.windows(2).enumerate() {
            let (first, last) = (ends[0] as usize, ends[1] as usize);
            let (left, right) = (layout.x(first), layout.x(last - 1) + layout.column);
            let split = last - first > 1;
            let ink = if split { colour::SPLIT } else { colour::BARRIER };
            let y = base + 46.0;
            paint.add(format_args!(
                "<path d=\"M{left:.1} {y:.1}v5H{right:.1}v-5\" fill=\"none\" stroke=\"{ink}\" stroke-width=\"{}\"/>",
                if split { 2.0 } else { 1.2 }
            ));
            let text = match (split, right - left) {
                (true, 110.0..) => format!("layer {layer}, split into {}", last - first),
                (_, 44.0..) => format!("layer {layer}"),
                (_, 12.0..) => layer.to_string(),
                _ => continue,
            };
            let style = Type { colour: if split { colour::SPLIT } else { colour::SOFT }, ..FOOT };
            paint.text(f64::midpoint(left, right), y + 20.0, style, &text);
        }
    }

    pub(super) fn legend(&self, paint: &mut Paint) {
        let y = CHART_TOP + CHART_HEIGHT + 102.0;
        let mut x = 28.0;
        let copies = format!("scratch, {SCRATCH_COPIES} copies");
        let boxes = [(colour::FRONTIER, "frontier"), (colour::SCRATCH, &copies), (colour::OUTPUT, "output")];
        for (colour, text) in boxes {
            paint.rect(x, y - 10.0, 14.0, 12.0, colour);
            paint.text(x + 20.0, y, SMALL, text);
            x += 40.0 + 6.2 * text.len() as f64;
        }
        let plan = &self.plans.frontier;
        let splits = (plan.memory_splits > 0).then_some((colour::SPLIT, "4 3", "barrier for memory"));
        let live =
            self.plans.live.is_some().then_some((colour::LIVE, "none", "with live outputs, red if over the limit"));
        let barrier =
            (plan.global_barriers() > plan.memory_splits as usize).then_some((colour::BARRIER, "none", "barrier"));
        for (colour, dashes, text) in [barrier, splits, live].into_iter().flatten() {
            paint.line([x, y - 4.0], [x + 18.0, y - 4.0], colour, 2.5, dashes);
            paint.text(x + 24.0, y, SMALL, text);
            x += 44.0 + 6.2 * text.len() as f64;
        }
    }
}

/// What a wave or a sum of waves costs; the planner has seen that it fits 64 bits.
fn fused(wave: &Wave) -> f64 {
    let Wave { frontier_bytes, scratch_bytes, output_bytes } = *wave;
    frontier_bytes as f64 + SCRATCH_COPIES as f64 * scratch_bytes as f64 + output_bytes as f64
}

/// A box split by width into frontier, scratch and output, so that areas are bytes too.
fn wave_box(paint: &mut Paint, place: Place, wave: &Wave, name: &str) {
    let Wave { frontier_bytes, scratch_bytes, output_bytes } = *wave;
    let Place { left, right, top, bottom } = place;
    let (width, height) = (right - left, (bottom - top).max(1.0));
    paint.add(format_args!(
        "<g><title>{}: {frontier_bytes} frontier + {SCRATCH_COPIES} x {scratch_bytes} scratch + {output_bytes} output = {:.0} bytes</title>",
        escape(name),
        fused(wave)
    ));
    let scratch = scratch_bytes as f64 * SCRATCH_COPIES as f64;
    let parts =
        [(frontier_bytes as f64, colour::FRONTIER), (scratch, colour::SCRATCH), (output_bytes as f64, colour::OUTPUT)];
    let whole = fused(wave);
    let mut x = left;
    for (part, colour) in parts.into_iter().filter(|_| whole > 0.0) {
        let part = width * part / whole;
        paint.rect(x, top, part, height, colour);
        x += part;
    }
    let edge = if height < 5.0 { 0.4 } else { 1.0 };
    paint.add(format_args!(
        "<rect x=\"{left:.2}\" y=\"{top:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" fill=\"none\" stroke=\"#ffffff\" stroke-width=\"{edge}\"/>"
    ));
    paint.add(format_args!("</g>"));
}

/// The name, and the bytes if there is room.
fn label(paint: &mut Paint, place: Place, name: &str, whole: f64) {
    let Place { left, right, top, bottom } = place;
    let size = (bottom - top - 3.0).min(13.0);
    if size < 7.5 {
        return;
    }
    let width = right - left - 10.0;
    let baseline = f64::midpoint(top, bottom) + 0.36 * size;
    let style = Type { size, weight: 600, colour: colour::INK, anchor: Anchor::Start };
    if let Some(name) = fitted(name, width, size) {
        paint.text(left + 6.0, baseline, style, &name);
    }
    let cost = bytes(whole);
    let both = format!("{name}  {cost}");
    if fitted(&both, width, size) == Some(both) {
        paint.text(right - 6.0, baseline, Type { weight: 400, anchor: Anchor::End, ..style }, &cost);
    }
}
