//! SVG text, a shape at a time.

use std::fmt::{self, Write};

/// Colours, by what they stand for.
pub mod colour {
    /// What is behind everything.
    pub const PAPER: &str = "#fcfcfa";
    /// Text.
    pub const INK: &str = "#1f2937";
    /// Less of it.
    pub const SOFT: &str = "#6b7280";
    /// Lines that part things.
    pub const RULE: &str = "#e7e7e2";
    /// Loops and branches.
    pub const BLOCK: &str = "#7c6bb0";
    /// Waves.
    pub const WAVE: &str = "#d7cdee";
    /// Data that waves need.
    pub const FRONTIER: &str = "#8ab6e8";
    /// Data within a wave.
    pub const SCRATCH: &str = "#c9dff5";
    /// Results.
    pub const OUTPUT: &str = "#f4c579";
    /// Data that stays.
    pub const RESIDENT: &str = "#dcdcd6";
    /// Barriers.
    pub const BARRIER: &str = "#b8bcc4";
    /// Cuts for a budget.
    pub const SPLIT: &str = "#e0592a";
    /// The budget.
    pub const LIMIT: &str = "#c81e4a";
    /// What is live.
    pub const LIVE: &str = "#0f766e";
    /// Dependencies.
    pub const EDGE: &str = "#475569";
}

/// Where a text is pinned.
#[derive(Debug, Clone, Copy)]
pub enum Anchor {
    /// At its beginning.
    Start,
    /// In its middle.
    Middle,
    /// At its end.
    End,
}

/// How a text looks.
#[derive(Debug, Clone, Copy)]
pub struct Type {
    /// Of a letter.
    pub size: f64,
    /// As fonts count it.
    pub weight: u32,
    /// As SVG has it.
    pub colour: &'static str,
    /// Where it is pinned.
    pub anchor: Anchor,
}

/// A picture in the making.
#[derive(Debug)]
pub struct Paint(String);

impl Paint {
    /// An empty one.
    pub fn new(width: f64, height: f64) -> Self {
        let mut paint = Self(String::new());
        paint.add(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             font-family=\"Inter, 'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', sans-serif\">"
        ));
        paint.add(format_args!("<rect width=\"100%\" height=\"100%\" fill=\"{}\"/>", colour::PAPER));
        paint
    }

    /// Its text.
    pub fn finish(mut self) -> String {
        self.add(format_args!("</svg>"));
        self.0
    }

    /// A line of SVG.
    pub fn add(&mut self, line: fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _never = writeln!(self.0, "{line}");
    }

    /// A line of text.
    pub fn text(&mut self, x: f64, y: f64, style: Type, text: &str) {
        let anchor = match style.anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let Type { size, weight, colour, .. } = style;
        let text = escape(text);
        self.add(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" font-weight=\"{weight}\" fill=\"{colour}\" text-anchor=\"{anchor}\">{text}</text>"
        ));
    }

    /// A box.
    pub fn rect(&mut self, x: f64, y: f64, width: f64, height: f64, colour: &str) {
        self.add(format_args!(
            "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" fill=\"{colour}\"/>"
        ));
    }

    /// Curves from the right of one thing to the left of another, the fainter the more there are.
    pub fn curves(&mut self, ends: &[[[f64; 2]; 2]]) {
        let opacity = (6.0 / (ends.len() as f64).sqrt()).clamp(0.14, 0.6);
        self.add(format_args!(
            "<g fill=\"none\" stroke=\"{}\" stroke-width=\"1.3\" stroke-opacity=\"{opacity:.2}\">",
            colour::EDGE
        ));
        for [[x1, y1], [x2, y2]] in ends {
            let bend = 0.45 * (x2 - x1);
            let (c1, c2) = (x1 + bend, x2 - bend);
            self.add(format_args!("<path d=\"M{x1:.1} {y1:.1}C{c1:.1} {y1:.1} {c2:.1} {y2:.1} {x2:.1} {y2:.1}\"/>"));
        }
        self.add(format_args!("</g>"));
    }

    /// A frame with round corners around other things.
    pub fn frame(&mut self, [x, y]: [f64; 2], [width, height]: [f64; 2], colour: &str) {
        self.add(format_args!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"6\" fill=\"{colour}\" fill-opacity=\"0.07\" stroke=\"{colour}\" stroke-width=\"1.2\"/>"
        ));
    }

    /// A line through these corners, which it rounds.
    pub fn round(&mut self, corners: &[[f64; 2]]) {
        let mut path = String::new();
        let toward = |[x, y]: [f64; 2], [to_x, to_y]: [f64; 2], most: f64| {
            let (dx, dy) = (to_x - x, to_y - y);
            let length = dx.hypot(dy).max(1e-9);
            let part = most.min(length / 2.0) / length;
            [x + dx * part, y + dy * part]
        };
        let mut corners = corners.to_vec();
        corners.dedup_by(|b, a| (a[0] - b[0]).hypot(a[1] - b[1]) < 0.05);
        for (at, &corner) in corners.iter().enumerate() {
            let [x, y] = corner;
            // Writing to a string cannot fail.
            let _never = match (at, corners.get(at + 1)) {
                (0, _) => write!(path, "M{x:.1} {y:.1}"),
                (_, None) => write!(path, "L{x:.1} {y:.1}"),
                (_, Some(&next)) => {
                    let ([x1, y1], [x2, y2]) = (toward(corner, corners[at - 1], 5.0), toward(corner, next, 5.0));
                    write!(path, "L{x1:.1} {y1:.1}Q{x:.1} {y:.1} {x2:.1} {y2:.1}")
                }
            };
        }
        self.add(format_args!("<path d=\"{path}\"/>"));
    }

    /// A straight line.
    pub fn line(&mut self, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2], colour: &str, width: f64, dashes: &str) {
        self.add(format_args!(
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-dasharray=\"{dashes}\"/>"
        ));
    }
}

/// Text that XML takes as text.
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '&' => safe += "&amp;",
            '"' => safe += "&quot;",
            // XML has no way to say these.
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}

/// As much of a text as fits into a width, if that is worth showing; a letter is about 0.6 of
/// its size wide.
pub fn fitted(text: &str, width: f64, size: f64) -> Option<String> {
    let letters = (width / (0.6 * size)).max(0.0) as usize;
    if text.chars().count() <= letters {
        return Some(text.to_owned());
    }
    let short = || text.chars().take(letters - 1).chain(['…']).collect();
    (letters >= 4).then(short)
}

/// Bytes as people say them.
pub fn bytes(bytes: f64) -> String {
    const UNITS: [&str; 7] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let (mut value, mut unit) = (bytes, 0);
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    let digits = usize::from(unit > 0 && value < 100.0 && (value - value.round()).abs() >= 0.05);
    format!("{value:.digits$} {}", UNITS[unit])
}

/// `one thing`, `2 things`, `1,000 things`.
pub fn count(number: usize, thing: &str) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    format!("{text} {thing}{}", if number == 1 { "" } else { "s" })
}
