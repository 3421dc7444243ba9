//! The table, the figures to reach, and the same as JSON.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::kernels::case::{Bound, Case};
use crate::kernels::peer::{LAVAPIPE, POCL, RAYON};
use crate::race::Lap;

/// A cold start may take no longer, whatever the peers do.
const COLD_MS_MAX: f64 = 5.0;

/// What one case gave.
pub(crate) struct Row {
    name: &'static str,
    size: &'static str,
    bound: Bound,
    laps: Vec<Lap>,
}

/// How one peer stands to ours.
struct Standing {
    peer: &'static str,
    ms: f64,
    /// Times as long as ours.
    ratio: f64,
}

/// The least ratio of each peer's time to ours.
fn figures(bound: Bound) -> &'static [(&'static str, f64)] {
    match bound {
        Bound::Memory => &[(LAVAPIPE, 2.0), (POCL, 1.0), (RAYON, 1.0 / 1.2)],
        Bound::Compute => &[(LAVAPIPE, 2.0), (POCL, 1.0), (RAYON, 1.0 / 3.0)],
        Bound::Call => &[(LAVAPIPE, 40.0)],
        Bound::Cold => &[(LAVAPIPE, 5.0)],
    }
}

impl Row {
    pub(crate) fn new(case: &Case, laps: Vec<Lap>) -> Self {
        Self { name: case.name, size: case.size, bound: case.bound, laps }
    }

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
        let mut missed: Vec<String> = figures(self.bound).iter().filter_map(too_slow).collect();
        if self.bound == Bound::Cold && self.ours_ms() >= COLD_MS_MAX {
            missed.push(format!("{:.2} ms of {COLD_MS_MAX} ms", self.ours_ms()));
        }
        missed
    }

    /// Peers to whom there is a figure, but who are not here.
    fn absent(&self) -> Vec<&'static str> {
        figures(self.bound).iter().map(|(peer, _)| *peer).filter(|peer| self.standing(peer).is_none()).collect()
    }

    fn verdict(&self) -> String {
        let (missed, absent) = (self.missed(), self.absent());
        let verdict = match missed.as_slice() {
            [] if absent.len() == figures(self.bound).len() => "not compared".to_owned(),
            [] => "reached".to_owned(),
            missed => format!("MISSED: {}", missed.join(", ")),
        };
        if absent.is_empty() { verdict } else { format!("{verdict} (without {})", absent.join(", ")) }
    }

    /// One line of the table.
    pub(crate) fn line(&self, peers: &[&'static str]) -> String {
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
            let least = figures(self.bound).iter().find(|(name, _)| *name == peer).map(|(_, least)| *least);
            let reached = least.map(|least| ratio >= least);
            json!({ "name": peer, "ms": ms, "ratio": ratio, "ratio_wanted": least, "reached": reached })
        };
        json!({
            "kernel": self.name,
            "size": self.size,
            "seawall_ms": self.ours_ms(),
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

/// The line above the table.
pub(crate) fn head(peers: &[&'static str]) -> String {
    let mut line = format!("{:<15} {:<22} {:>11}", "kernel", "", "seawall");
    for peer in peers {
        let _ = write!(line, " {peer:>19}");
    }
    format!("{line}  figures")
}

/// Everything as JSON.
pub(crate) fn json(
    rounds: u32,
    contenders: &[(&'static str, String)],
    missing: &[(&'static str, String)],
    rows: &[Row],
) -> Value {
    let named = |list: &[(&'static str, String)], what: &str| -> Vec<Value> {
        list.iter().map(|(name, text)| json!({ "name": name, what: text })).collect()
    };
    json!({
        "rounds": rounds,
        "contenders": named(contenders, "what"),
        "missing": named(missing, "reason"),
        "kernels": rows.iter().map(Row::json).collect::<Vec<_>>(),
    })
}
