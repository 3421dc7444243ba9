//! What the programs would take on more ranks than this machine has: a model, not a measurement.
//!
//! LogGP (Alexandrov, Ionescu, Schauser and Scheiman, 1995): a message of k bytes takes L + 2o + kG. A vote is a tree
//! of depth log2 P up and down, and so is an all-reduce of a word; an all-gather doubles what is sent in each of its log2 P rounds, and an all-reduce
//! scatters and gathers.

use std::fmt;

use seawall_show::paint::{Anchor, Paint, Type, colour};

use crate::cases::{JACOBI, SCALE, TURNS};

/// For how large a problem it is drawn: cells of a side, and the scale of Kronecker graphs.
const SIDE: f64 = 32768.0;
const MODEL_SCALE: u32 = 28;
/// Levels of a search.
const LEVELS: f64 = 8.0;
/// Stages of exchanges from one vote to the next, where they carry flags themselves.
const VOTE_EVERY: f64 = 64.0;
/// Edges of a vertex, both ways.
const EDGES: f64 = 32.0;

const RANKS: [u32; 10] = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];
const COLOURS: [&str; 3] = [colour::LIMIT, colour::LIVE, colour::BLOCK];

pub struct Model {
    latency: f64,
    overhead: f64,
    byte: f64,
    /// Seconds of one rank for a cell and a step, an edge and a turn, and an edge of a search.
    work: [f64; 3],
}

impl Model {
    /// From L, o and G, and what the programs took on two ranks.
    pub fn new(constants: &[f64], seconds: &[f64]) -> Self {
        let vertices = f64::from(1u32 << SCALE);
        let (side, steps) = JACOBI;
        let done = [(side * side) as f64 * f64::from(steps), vertices * EDGES * f64::from(TURNS), vertices * EDGES];
        let work = std::array::from_fn(|at| 2.0 * seconds[at] / done[at]);
        Self { latency: constants[0], overhead: constants[1], byte: constants[2], work }
    }

    fn message(&self, bytes: f64) -> f64 {
        self.latency + 2.0 * self.overhead + bytes * self.byte
    }

    /// Seconds of a step, a turn and a search.
    fn seconds(&self, ranks: f64) -> [f64; 3] {
        let rounds = ranks.log2().ceil();
        let others = (ranks - 1.0) / ranks;
        let vote = 2.0 * rounds * self.message(16.0);
        let vertices = f64::from(1u32 << MODEL_SCALE);
        let neighbours = if ranks > 1.0 { 2.0 * self.message(4.0 * SIDE) } else { 0.0 };
        let step = self.work[0] * SIDE * SIDE / ranks + vote / VOTE_EVERY + neighbours;
        let gathered = rounds * self.message(0.0) + others * 4.0 * vertices * self.byte;
        let turn = self.work[1] * vertices * EDGES / ranks + vote + gathered;
        let joined = 2.0 * (rounds * self.message(0.0) + others * vertices / 8.0 * self.byte);
        // One before the frontiers are joined, one for the loop, and the count of edges.
        let search = self.work[2] * vertices * EDGES / ranks + LEVELS * (3.0 * vote + joined);
        [step, turn, search]
    }

    fn speedups(&self, ranks: u32) -> [f64; 3] {
        let (one, many) = (self.seconds(1.0), self.seconds(f64::from(ranks)));
        std::array::from_fn(|at| one[at] / many[at])
    }

    fn assumptions(&self) -> [String; 4] {
        let Self { latency, overhead, byte, work } = self;
        [
            format!(
                "LogGP with what two ranks of this machine gave: L {:.2} µs, o {:.2} µs, G {:.3} ns a byte ({:.1} GB/s)",
                latency * 1e6,
                overhead * 1e6,
                byte * 1e9,
                1e-9 / byte
            ),
            format!(
                "one rank: {:.2} ns a cell and step, {:.2} ns an edge and turn, {:.2} ns an edge of a search",
                work[0] * 1e9,
                work[1] * 1e9,
                work[2] * 1e9
            ),
            format!(
                "Jacobi {SIDE}², PageRank and BFS on 2^{MODEL_SCALE} vertices with {EDGES} edges each, {LEVELS} levels"
            ),
            "assumed: even shares, no overlap, no contention, the same L, o and G between all ranks".to_owned(),
        ]
    }

    pub fn svg(&self) -> String {
        let text = Type { size: 11.0, weight: 400, colour: colour::SOFT, anchor: Anchor::Start };
        let (left, top, width, height) = (70.0, 66.0, 520.0, 380.0);
        let mut paint = Paint::new(700.0, 560.0);
        let head = Type { size: 16.0, weight: 600, colour: colour::INK, ..text };
        paint.text(24.0, 34.0, head, "Speed-up on 2 to 1,024 ranks: a model, not a measurement");
        let at = |ranks: f64, speedup: f64| {
            [left + width * ranks.log2() / 10.0, top + height * (1.0 - speedup.max(1.0).log2() / 10.0)]
        };
        for power in 0..=10 {
            let ranks = f64::from(1 << power);
            let ([x, _], [_, y]) = (at(ranks, 1.0), at(1.0, ranks));
            paint.line([x, top], [x, top + height], colour::RULE, 1.0, "none");
            paint.line([left, y], [left + width, y], colour::RULE, 1.0, "none");
            paint.text(x, top + height + 18.0, Type { anchor: Anchor::Middle, ..text }, &(1 << power).to_string());
            paint.text(left - 8.0, y + 4.0, Type { anchor: Anchor::End, ..text }, &(1 << power).to_string());
        }
        paint.line(at(1.0, 1.0), at(1024.0, 1024.0), colour::BARRIER, 1.2, "4 4");
        let mut ends: Vec<(f64, usize)> = Vec::new();
        for (which, colour) in COLOURS.iter().enumerate() {
            let mut from = at(1.0, 1.0);
            for ranks in RANKS {
                let to = at(f64::from(ranks), self.speedups(ranks)[which]);
                paint.line(from, to, colour, 2.0, "none");
                from = to;
            }
            ends.push((from[1], which));
        }
        // Names beside the ends, one below the other.
        ends.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut y = f64::NEG_INFINITY;
        for (end, which) in ends {
            y = (end + 4.0).max(y + 15.0);
            let style = Type { colour: COLOURS[which], weight: 600, ..text };
            paint.text(left + width + 10.0, y, style, ["Jacobi", "PageRank", "BFS"][which]);
        }
        for (line, said) in self.assumptions().iter().enumerate() {
            paint.text(24.0, top + height + 46.0 + 15.0 * line as f64, text, said);
        }
        paint.finish()
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "a model, not a measurement: speed-up by ranks")?;
        self.assumptions().iter().try_for_each(|line| writeln!(f, "{line}"))?;
        writeln!(f, "{:>8}{:>10}{:>10}{:>10}", "ranks", "Jacobi", "PageRank", "BFS")?;
        for ranks in RANKS {
            let [jacobi, pagerank, bfs] = self.speedups(ranks);
            writeln!(f, "{ranks:>8}{jacobi:>10.1}{pagerank:>10.1}{bfs:>10.1}")?;
        }
        Ok(())
    }
}
