//! The table, the figures to reach, and the same as JSON.

use std::fmt::Write;
use std::path::Path;

use serde_json::{Value, json};

use crate::error::Error;
use crate::race::Lap;

/// What is wanted of ours in one case.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Figures {
    /// The least ratio of a peer's time to ours, for each peer to whom there is one.
    pub(crate) ratios: &'static [(&'static str, f64)],
    /// What ours must stay under, whatever the peers take.
    pub(crate) ms_max: Option<f64>,
}

/// What one case gave; ours is the first lap.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) size: &'static str,
    pub(crate) figures: Figures,
    pub(crate) laps: Vec<Lap>,
}

/// How one peer stands to ours.
struct Standing {
    peer: &'static str,
    ms: f64,
    /// Times as long as ours.
    ratio: f64,
}

impl Row {
    fn ours_ms(&self) -> f64 {
        self.laps.first().map_or(f64::NAN, Lap::ms)
    }

    fn standings(&self) -> impl Iterator<Item = Standing> {
        let ours = self.ours_ms();
        self.laps.iter().skip(1).map(move |lap| Standing { peer: lap.name, ms: lap.ms(), ratio: lap.ms() / ours })
    }

    fn standing(&self, peer: &str) -> Option<Standing> {
        self.standings().find(|standing| standing.peer == peer)
    }

    /// What was missed, each with how it stands.
    fn missed(&self) -> Vec<String> {
        let too_slow = |&(peer, least): &(&'static str, f64)| {
            let ratio = self.standing(peer)?.ratio;
            (ratio < least).then(|| format!("{peer} {ratio:.2} of {least:.2}"))
        };
        let mut missed: Vec<String> = self.figures.ratios.iter().filter_map(too_slow).collect();
        if let Some(most) = self.figures.ms_max.filter(|most| self.ours_ms() >= *most) {
            missed.push(format!("{}, under {} wanted", time(self.ours_ms()), time(most)));
        }
        missed
    }

    /// Peers to whom there is a figure, but who are not here.
    fn absent(&self) -> Vec<&'static str> {
        self.figures.ratios.iter().map(|(peer, _)| *peer).filter(|peer| self.standing(peer).is_none()).collect()
    }

    fn verdict(&self) -> String {
        let (missed, absent) = (self.missed(), self.absent());
        let compared = self.figures.ratios.len() - absent.len() + usize::from(self.figures.ms_max.is_some());
        let verdict = match missed.as_slice() {
            [] if compared == 0 => "no figure".to_owned(),
            [] => "reached".to_owned(),
            missed => format!("MISSED: {}", missed.join(", ")),
        };
        if absent.is_empty() { verdict } else { format!("{verdict} (without {})", absent.join(", ")) }
    }

    fn line(&self, peers: &[&'static str]) -> String {
        let mut line = format!("{:<15} {:<22} {:>11}", self.name, self.size, time(self.ours_ms()));
        for &peer in peers {
            let cell = self.standing(peer).map_or(String::new(), |standing| {
                format!("{} {:>6}", time(standing.ms), format!("{:.2}x", standing.ratio))
            });
            let _ = write!(line, " {cell:>19}");
        }
        format!("{line}  {}", self.verdict())
    }

    fn json(&self) -> Value {
        let peer = |Standing { peer, ms, ratio }: Standing| {
            let least = self.figures.ratios.iter().find(|(name, _)| *name == peer).map(|(_, least)| *least);
            let reached = least.map(|least| ratio >= least);
            json!({ "name": peer, "ms": ms, "ratio": ratio, "ratio_wanted": least, "reached": reached })
        };
        json!({
            "name": self.name,
            "size": self.size,
            "seawall_ms": self.ours_ms(),
            "seawall_ms_max": self.figures.ms_max,
            "peers": self.standings().map(peer).collect::<Vec<_>>(),
            "missed": self.missed(),
            "not_compared": self.absent(),
        })
    }
}

/// A time with its unit.
fn time(ms: f64) -> String {
    if ms < 0.1 { format!("{:.2} us", ms * 1e3) } else { format!("{ms:.2} ms") }
}

/// A contender's name, and what is to be said of it.
pub(crate) type Note = (&'static str, String);

/// A table that is printed as it grows.
pub(crate) struct Report {
    rounds: u32,
    /// Ours first.
    contenders: Vec<Note>,
    missing: Vec<Note>,
    rows: Vec<Row>,
}

impl Report {
    /// Prints who takes part, who does not and why, and the table's head.
    pub(crate) fn begin(rounds: u32, contenders: Vec<Note>, missing: Vec<Note>) -> Self {
        println!("best of {rounds} rounds, contenders in turn; x: times as long as seawall");
        for (name, what) in &contenders {
            println!("  {name:<9} {what}");
        }
        for (name, reason) in &missing {
            println!("  {name:<9} MISSING: {reason}");
        }
        let report = Self { rounds, contenders, missing, rows: Vec::new() };
        let mut line = format!("{:<15} {:<22} {:>11}", "", "", "seawall");
        for peer in report.peers() {
            let _ = write!(line, " {peer:>19}");
        }
        println!("\n{line}  figures");
        report
    }

    fn peers(&self) -> Vec<&'static str> {
        self.contenders.iter().skip(1).map(|(name, _)| *name).collect()
    }

    /// Prints a line of the table.
    pub(crate) fn add(&mut self, row: Row) {
        println!("{}", row.line(&self.peers()));
        self.rows.push(row);
    }

    /// Everything, as JSON.
    pub(crate) fn write(&self, path: &Path) -> Result<(), Error> {
        let named = |list: &[Note], what: &str| -> Vec<Value> {
            list.iter().map(|(name, text)| json!({ "name": name, what: text })).collect()
        };
        let all = json!({
            "rounds": self.rounds,
            "contenders": named(&self.contenders, "what"),
            "missing": named(&self.missing, "reason"),
            "rows": self.rows.iter().map(Row::json).collect::<Vec<_>>(),
        });
        std::fs::write(path, format!("{all:#}\n"))
            .map_err(|error| Error::File { path: path.display().to_string(), error })
    }
}
