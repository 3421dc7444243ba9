//! A trace as a picture: a row for each worker, a box for each step, time from left to right.

use serde_json::Value;

use seawall_show::paint::{Anchor, Paint, Type, colour, fitted};

const WIDTH: f64 = 960.0;
const MARGIN: f64 = 16.0;
/// For the names of rows.
const NAMES: f64 = 110.0;
const HEAD: f64 = 52.0;
const ROW: f64 = 26.0;
const AXIS: f64 = 34.0;
/// Parts of the axis.
const TICKS: u32 = 8;

const LABEL: Type = Type { size: 11.0, weight: 400, colour: colour::INK, anchor: Anchor::Start };

/// A step that was done.
struct Span<'a> {
    name: &'a str,
    kind: &'a str,
    row: u64,
    from: f64,
    micros: f64,
}

/// Draws what one process of a trace did; `events` are as the format has them.
pub(crate) fn draw(title: &str, process: u32, events: &[Value]) -> String {
    let of_process = || events.iter().filter(|event| event["pid"] == process);
    // What a barrier takes is the space between its neighbours.
    let shown = |event: &&Value| event["ph"] == "X" && event["cat"] != "barrier";
    let spans: Vec<Span<'_>> = of_process().filter(shown).map(span).collect();
    let rows: Vec<(u64, &str)> = of_process()
        .filter(|event| event["ph"] == "M" && event["name"] == "thread_name")
        .map(|event| (event["tid"].as_u64().unwrap_or(0), event["args"]["name"].as_str().unwrap_or_default()))
        .collect();
    let begin = spans.iter().map(|span| span.from).fold(f64::INFINITY, f64::min);
    let end = spans.iter().map(|span| span.from + span.micros).fold(begin, f64::max);
    let scale = (WIDTH - 2.0 * MARGIN - NAMES) / (end - begin).max(1e-3);
    let height = HEAD + ROW * rows.len() as f64 + AXIS;
    let mut paint = Paint::new(WIDTH, height);
    paint.text(MARGIN, 26.0, Type { size: 15.0, weight: 600, ..LABEL }, title);
    legend(&mut paint, &spans);
    let x = |micros: f64| MARGIN + NAMES + (micros - begin) * scale;
    let bottom = HEAD + ROW * rows.len() as f64;
    for tick in 0..=TICKS {
        let at = begin + (end - begin) * f64::from(tick) / f64::from(TICKS);
        paint.line([x(at), HEAD - 4.0], [x(at), bottom + 4.0], colour::RULE, 1.0, "none");
        let anchor = match tick {
            0 => Anchor::Start,
            TICKS => Anchor::End,
            _ => Anchor::Middle,
        };
        let style = Type { size: 10.0, colour: colour::SOFT, anchor, ..LABEL };
        paint.text(x(at), bottom + 18.0, style, &format!("{:.2} ms", (at - begin) / 1e3));
    }
    for (at, (row, name)) in rows.iter().enumerate() {
        let top = HEAD + ROW * at as f64;
        paint.text(MARGIN, top + 16.0, Type { colour: colour::SOFT, ..LABEL }, name);
        for span in spans.iter().filter(|span| span.row == *row) {
            // A line of paper between neighbours.
            let width = (span.micros * scale - 1.0).max(0.6);
            paint.rect(x(span.from), top + 2.0, width, ROW - 5.0, fill(span.kind));
            if let Some(text) = fitted(span.name, width - 6.0, LABEL.size) {
                paint.text(x(span.from) + 3.0, top + 16.0, LABEL, &text);
            }
        }
    }
    paint.finish()
}

fn span(event: &Value) -> Span<'_> {
    Span {
        name: event["name"].as_str().unwrap_or_default(),
        kind: event["cat"].as_str().unwrap_or_default(),
        row: event["tid"].as_u64().unwrap_or(0),
        from: event["ts"].as_f64().unwrap_or(0.0),
        micros: event["dur"].as_f64().unwrap_or(0.0),
    }
}

fn fill(kind: &str) -> &'static str {
    match kind {
        "dispatch" => colour::WAVE,
        "upload" => colour::FRONTIER,
        "download" => colour::OUTPUT,
        "loop" | "when" => colour::RESIDENT,
        "turn" => colour::RULE,
        _ => colour::SCRATCH,
    }
}

/// The kinds that there are, from the right.
fn legend(paint: &mut Paint, spans: &[Span<'_>]) {
    let mut kinds: Vec<&str> = spans.iter().map(|span| span.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let mut right = WIDTH - MARGIN;
    for kind in kinds.into_iter().rev() {
        let style = Type { colour: colour::SOFT, anchor: Anchor::End, ..LABEL };
        paint.text(right, 26.0, style, kind);
        right -= 7.0 * kind.len() as f64 + 16.0;
        paint.rect(right, 17.0, 11.0, 11.0, fill(kind));
        right -= 14.0;
    }
}
