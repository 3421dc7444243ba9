//! `run --profile`: where the time of a run went, by wave or kernel.

use std::collections::BTreeMap;
use std::time::Duration;

use seawall::check::Checked;
use seawall::device::{Stats, Timed};
use seawall_core::schedule::Step;

use crate::error::Error;
use crate::table::{lines, time};
use seawall_show::trace::describe;

/// What one wave, or one kind of copying, took.
#[derive(Default)]
struct Row {
    times: u64,
    /// Of all workers together.
    busy_nanos: u64,
    bytes: u64,
}

/// A line for each wave, upload and download, the longest first. `names` are those of dispatches, by
/// step, where they have better ones than their kernels'.
pub(crate) fn table(
    device: &str,
    schedule: &Checked,
    names: impl Fn(usize) -> Option<String>,
    stats: &Stats,
) -> Result<String, Error> {
    if stats.times.is_empty() {
        return Err(seawall_show::Error::NoTimes { device: device.to_owned() }.into());
    }
    // A step that several workers share was done once.
    let mut done: BTreeMap<(usize, usize), u64> = BTreeMap::new();
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    let counted = |step: usize| {
        let of_bodies = matches!(schedule.steps[step], Step::Loop { .. } | Step::When { .. } | Step::End);
        !of_bodies && !matches!(schedule.steps[step], Step::Barrier | Step::Free { .. })
    };
    for &Timed { step, worker, nanos, .. } in stats.times.iter().filter(|timed| counted(timed.step)) {
        let (kind, name, _) = describe(schedule, step);
        let name = if kind == "dispatch" { names(step).unwrap_or(name) } else { name };
        rows.entry(name).or_default().busy_nanos += nanos;
        *done.entry((step, worker)).or_default() += 1;
    }
    let mut often: BTreeMap<usize, u64> = BTreeMap::new();
    for ((step, _), times) in done {
        let most = often.entry(step).or_default();
        *most = times.max(*most);
    }
    for (step, times) in often {
        let (kind, name, about) = describe(schedule, step);
        let name = if kind == "dispatch" { names(step).unwrap_or(name) } else { name };
        let row = rows.entry(name).or_default();
        row.times += times;
        row.bytes = row.bytes.saturating_add(times.saturating_mul(about["bytes"].as_u64().unwrap_or(0)));
    }
    let all = rows.values().map(|row| row.busy_nanos).sum::<u64>().max(1);
    let mut rows: Vec<(String, Row)> = rows.into_iter().collect();
    rows.sort_by_key(|(_, row)| std::cmp::Reverse(row.busy_nanos));
    let mut cells = vec![["what", "times", "busy", "share", "bytes bound or copied"].map(str::to_owned).to_vec()];
    cells.extend(rows.into_iter().map(|(name, row)| {
        let share = format!("{:.1}%", 100.0 * row.busy_nanos as f64 / all as f64);
        vec![name, row.times.to_string(), time(Duration::from_nanos(row.busy_nanos)), share, row.bytes.to_string()]
    }));
    Ok(lines(&cells))
}
