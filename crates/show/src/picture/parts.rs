//! The parts of the picture.

use seawall_core::graph::Role;
use seawall_core::schedule::BufferId;

use super::sheet::{BOX, BOX_PITCH, Band, Item, STRIP, WAVES_MAX, column};
use super::{Drawing, EDGES_MAX, LEFT, Line, ROW, ROWS_MAX, labels};
use crate::paint::{Anchor, Paint, Type, bytes, colour, count, escape, fitted};

const TITLE: Type = Type { size: 24.0, weight: 700, colour: colour::INK, anchor: Anchor::Start };
const SUBTITLE: Type = Type { size: 13.5, weight: 400, colour: colour::SOFT, anchor: Anchor::Start };
const SMALL: Type = Type { size: 11.5, weight: 400, colour: colour::SOFT, anchor: Anchor::Start };
const NAME: Type = Type { size: 12.0, weight: 600, colour: colour::INK, anchor: Anchor::Start };

impl Drawing<'_> {
    pub(super) fn head(&self, paint: &mut Paint, title: &str, lines: &[Line<'_>]) {
        let graph = &self.plan.graph;
        let title =
            format!("{title}: {} in {}", count(graph.waves.len(), "wave"), count(self.plan.groups.len(), "group"));
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
        for (queue, taken) in graph.queues.iter().zip(&self.plan.queues) {
            let (full, size) = (taken.initial_occupancy_bp / 100, bytes(taken.queue_bytes as f64));
            facts.push(format!("queue {} of {} items in {size}, {full}% full at first", queue.name, queue.capacity));
        }
        if graph.edges.len() > EDGES_MAX {
            facts.push(format!("{} dependencies not drawn", graph.edges.len()));
        }
        if lines.iter().any(|line| line.rows.is_none()) {
            facts.push(format!("buffers not drawn where there are over {ROWS_MAX}"));
        }
        paint.text(28.0, 70.0, SUBTITLE, &facts.join("  ·  "));
    }

    /// Loops and branches, the outer ones first.
    pub(super) fn frames(&self, paint: &mut Paint, line: &Line<'_>) {
        let (band, heights) = (line.band, &line.heights);
        let mut open = 0;
        for (index, placed) in band.items.iter().enumerate() {
            let Item::Left { block, goes_on } = placed.item else {
                open -= usize::from(matches!(placed.item, Item::Right { .. }));
                continue;
            };
            open += 1;
            let mine = |item: Item| matches!(item, Item::Right { block: other, .. } if other == block);
            let Some(end) = band.items[index..].iter().find(|placed| mine(placed.item)) else { continue };
            let (top, foot) = (heights.strips[open], heights.foot + 6.0 * (band.depth - open) as f64);
            let (left, width) = (placed.x, end.x + end.width - placed.x);
            let [name, often] = labels(self.plan, block);
            let all = format!("{name}, {often}");
            paint.add(format_args!("<g class=\"block\"><title>{}</title>", escape(&all)));
            paint.frame([left, top], [width, foot - top], colour::BLOCK);
            paint.add(format_args!("</g>"));
            let name = if goes_on { format!("{name}, continued") } else { name };
            if let Some(name) = fitted(&name, width - 14.0, NAME.size) {
                paint.text(left + 8.0, top + 14.0, NAME, &name);
            }
            if let Some(often) = fitted(&often, width - 14.0, SMALL.size) {
                paint.text(left + 8.0, top + STRIP - 6.0, SMALL, &often);
            }
        }
    }

    /// The line before each stage but the first.
    pub(super) fn barriers(&self, paint: &mut Paint, line: &Line<'_>) {
        let (band, heights) = (line.band, &line.heights);
        for at in band.stages.clone().skip(1) {
            let (Some((_, before)), Some((after, _))) = (band.extent(at - 1), band.extent(at)) else { continue };
            let (x, split) = (f64::midpoint(before, after), self.stages[at].split);
            let (ink, dashes) = if split { (colour::SPLIT, "5 4") } else { (colour::RULE, "none") };
            let top = if split { heights.boxes - 2.0 } else { heights.end };
            let foot = line.chart_top + self.chart;
            paint.line([x, top], [x, foot], ink, if split { 1.5 } else { 1.0 }, dashes);
        }
    }

    pub(super) fn edges(&self, paint: &mut Paint) {
        let opacity = (12.0 / (self.lines.len() as f64).sqrt()).clamp(0.35, 0.75);
        let ink = colour::EDGE;
        paint.add(format_args!(
            "<g fill=\"none\" stroke=\"{ink}\" stroke-width=\"1.2\" stroke-opacity=\"{opacity:.2}\">"
        ));
        for (edge, corners) in &self.lines {
            let edge = &self.plan.graph.edges[*edge];
            let name = |node| escape(&self.plan.graph.node_name(node));
            paint.add(format_args!("<g class=\"edge\"><title>{} → {}</title>", name(edge.before), name(edge.after)));
            paint.round(corners);
            paint.add(format_args!("</g>"));
        }
        paint.add(format_args!("</g>"));
    }

    pub(super) fn waves(&self, paint: &mut Paint, line: &Line<'_>) {
        let (band, heights) = (line.band, &line.heights);
        for placed in &band.items {
            let Item::Column { stage, first } = placed.item else { continue };
            let (left, width, stage, shape) = (placed.x, placed.width, &self.stages[stage], &self.shapes[stage]);
            for (row, &wave) in column(stage, shape, first).iter().enumerate() {
                let all = stage.waves.len() <= WAVES_MAX;
                let name = if all { self.plan.graph.node_name(wave) } else { count(stage.waves.len(), "wave") };
                let top = heights.boxes + row as f64 * BOX_PITCH;
                paint.add(format_args!("<g><title>{}</title>", escape(&name)));
                paint.rect(left, top, width, BOX, colour::WAVE);
                paint.add(format_args!("</g>"));
                if let Some(name) = fitted(&name, width - 6.0, NAME.size) {
                    paint.text(left + 5.0, top + 16.0, NAME, &name);
                }
            }
        }
    }

    /// A row for each data: when it has memory on the device, comes from the host and goes there.
    pub(super) fn lives(&self, paint: &mut Paint, line: &Line<'_>) {
        let band = line.band;
        for (row, (data, buffers)) in line.rows.iter().flatten().enumerate() {
            let top = line.rows_top + row as f64 * ROW;
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
            for &id in buffers {
                let Some([first, last]) = self.alive(band, id) else { continue };
                let (Some((left, _)), Some((_, right))) = (band.extent(first), band.extent(last)) else { continue };
                paint.rect(left, top + 2.0, right - left, ROW - 5.0, ink);
                self.arrows(paint, band, id, top);
            }
        }
    }

    fn arrows(&self, paint: &mut Paint, band: &Band, buffer: BufferId, top: f64) {
        let (low, high) = (top + ROW - 6.0, top + 5.0);
        for at in band.stages.clone() {
            let Some((left, right)) = band.extent(at) else { continue };
            let (x, stage) = (f64::midpoint(left, right), &self.stages[at]);
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
    pub(super) fn live(&self, paint: &mut Paint, line: &Line<'_>) {
        let band = line.band;
        let (top, right) = (line.chart_top, self.right);
        let peak = self.checked.peak_bytes().max(1) as f64;
        let budget = self.plan.schedule.budget_bytes.map(|budget| budget as f64);
        let near = budget.filter(|budget| *budget <= 1.7 * peak);
        let scale = 1.12 * near.unwrap_or(peak).max(peak);
        let base = top + self.chart;
        let y = |bytes: f64| base - self.chart * bytes / scale;
        for part in [0.0, 0.5, 1.0] {
            let y = y(part * peak);
            paint.line([self.left, y], [right, y], colour::RULE, 1.0, "none");
            paint.text(LEFT - 14.0, y + 4.0, Type { anchor: Anchor::End, ..SMALL }, &bytes(part * peak));
        }
        for at in band.stages.clone() {
            let (Some((left, right)), stage) = (band.extent(at), &self.stages[at]) else { continue };
            let top = y(stage.live_bytes as f64);
            paint.add(format_args!("<g><title>stage {}: {} bytes</title>", stage.group, stage.live_bytes));
            paint.rect(left, top, right - left, base - top, colour::LIVE);
            paint.add(format_args!("</g>"));
        }
        paint.text(28.0, y(0.0), NAME, "live");
        let Some(budget) = budget else { return };
        let y = near.map_or(top, y);
        paint.line([self.left, y], [right, y], colour::LIMIT, 2.0, "8 5");
        let note = if near.is_some() { "" } else { ", above this scale" };
        let style = Type { size: 12.0, weight: 600, colour: colour::LIMIT, anchor: Anchor::End };
        paint.text(right, y - 7.0, style, &format!("budget {}{note}", bytes(budget)));
    }

    pub(super) fn legend(&self, paint: &mut Paint, y: f64) {
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
