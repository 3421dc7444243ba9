//! A plan as a picture: a column for each stage, waves above and exchanges below, in the frames of loops.

use std::iter;

use seawall_show::paint::{Anchor, Paint, Type, bytes, colour, fitted};

use super::{Op, Plan};

const LEFT: f64 = 96.0;
const TOP: f64 = 84.0;
const COLUMN: f64 = 188.0;
const BOX: f64 = 34.0;
const GAP: f64 = 12.0;
/// What a loop's frame takes at each side, and for its title.
const INSET: f64 = 8.0;
const TITLE: f64 = 20.0;

const LABEL: Type = Type { size: 12.0, weight: 500, colour: colour::INK, anchor: Anchor::Middle };
const SMALL: Type = Type { size: 10.0, weight: 400, colour: colour::SOFT, anchor: Anchor::Middle };
const HEAD: Type = Type { size: 16.0, weight: 600, colour: colour::INK, anchor: Anchor::Start };

impl Plan {
    /// The picture, as SVG text.
    pub fn svg(&self, title: &str) -> String {
        let (mut columns, mut depth, mut deepest) = (Vec::new(), 0usize, 0);
        for op in &self.ops {
            depth -= usize::from(matches!(op, Op::End { .. }));
            columns.push(depth);
            depth += usize::from(matches!(op, Op::Begin { .. }));
            deepest = deepest.max(depth);
        }
        // Where each step begins: a frame's edge is narrow.
        let wide = |op: &Op| if matches!(op, Op::Begin { .. } | Op::End { .. }) { 2.0 * INSET } else { COLUMN };
        let ends = self.ops.iter().scan(LEFT, |x, op| Some(std::mem::replace(x, *x + wide(op))));
        let xs: Vec<f64> = ends.collect();
        let end = xs.last().zip(self.ops.last()).map_or(LEFT, |(x, op)| x + wide(op));
        let most = |count: fn(&Op) -> usize| self.ops.iter().map(count).max().unwrap_or(0).max(1) as f64;
        let waves = most(|op| match op {
            Op::Run { units } | Op::Exchange { beside: units, .. } => units.len(),
            Op::Begin { .. } | Op::End { .. } => 0,
        });
        let exchanges = most(|op| if let Op::Exchange { exchanges, .. } = op { exchanges.len() } else { 0 });
        let first = TOP + deepest as f64 * TITLE;
        let second = first + waves * (BOX + GAP) + GAP;
        let foot = second + exchanges * (BOX + GAP) + deepest as f64 * INSET;
        let mut paint = Paint::new(end.max(640.0) + 24.0, foot + 40.0);
        paint.text(24.0, 36.0, HEAD, title);
        let said = format!(
            "{}; rank {} has {} of data, and {} for exchanges",
            self.summary(),
            self.rank,
            bytes(self.data_bytes as f64),
            bytes(self.staging_bytes as f64)
        );
        paint.text(24.0, 56.0, Type { anchor: Anchor::Start, size: 12.0, ..SMALL }, &said);
        let lane = Type { anchor: Anchor::End, ..SMALL };
        paint.text(LEFT - 14.0, first + BOX / 2.0 + 4.0, lane, "waves");
        paint.text(LEFT - 14.0, second + BOX / 2.0 + 4.0, lane, "exchanges");
        paint.line([LEFT, second - GAP], [end, second - GAP], colour::RULE, 1.0, "none");
        for (at, op) in self.ops.iter().enumerate() {
            match op {
                Op::Begin { at: looped, end } => {
                    let depth = columns[at] as f64;
                    let (x, y) = (xs[at] + INSET / 2.0, TOP + depth * TITLE - TITLE / 2.0);
                    let width = xs[*end] + 1.5 * INSET - x;
                    let height = foot - depth * INSET - y;
                    paint.frame([x, y], [width, height], colour::BLOCK);
                    let told = format!("{}: {}", self.loops[*looped].name, self.decides(*looped));
                    let style = Type { colour: colour::BLOCK, anchor: Anchor::Start, size: 11.0, ..LABEL };
                    paint.text(x + 6.0, y + 14.0, style, &fitted(&told, width - 12.0, 10.0).unwrap_or_default());
                }
                Op::Run { units } => self.boxes(&mut paint, [xs[at], first], units),
                Op::Exchange { exchanges, beside } => {
                    self.boxes(&mut paint, [xs[at], first], beside);
                    for (row, &exchange) in exchanges.iter().enumerate() {
                        let y = second + row as f64 * (BOX + GAP);
                        let of = &self.exchanges[exchange];
                        let what = of.kind.text(|data| self.data[data].clone());
                        block(&mut paint, [xs[at], y], colour::OUTPUT, &of.name, &what);
                    }
                }
                Op::End { .. } => {}
            }
        }
        let lines = self.reasons.iter().filter(|reason| matches!(self.ops[reason.op], Op::Exchange { .. }));
        let told: Vec<String> = lines.map(|reason| self.explain(reason)).collect();
        let told = iter::once(told.join("; ")).filter(|told| !told.is_empty());
        for told in told {
            let style = Type { anchor: Anchor::Start, ..SMALL };
            paint.text(24.0, foot + 24.0, style, &fitted(&told, end.max(640.0), 9.0).unwrap_or_default());
        }
        paint.finish()
    }

    fn boxes(&self, paint: &mut Paint, [x, y]: [f64; 2], units: &[usize]) {
        for (row, &unit) in units.iter().enumerate() {
            let names = &self.units[unit];
            let more = if names.len() > 1 { format!("{} waves", names.len()) } else { String::new() };
            let name = names.first().map_or("", String::as_str);
            block(paint, [x, y + row as f64 * (BOX + GAP)], colour::WAVE, name, &more);
        }
    }
}

fn block(paint: &mut Paint, [x, y]: [f64; 2], fill: &str, name: &str, what: &str) {
    let width = COLUMN - GAP;
    paint.rect(x + GAP / 2.0, y, width, BOX, fill);
    let middle = x + COLUMN / 2.0;
    let y = if what.is_empty() { y + 5.0 } else { y };
    paint.text(middle, y + 15.0, LABEL, &fitted(name, width, 12.0).unwrap_or_default());
    paint.text(middle, y + 28.0, SMALL, &fitted(what, width, 9.0).unwrap_or_default());
}
