//! What took how long, in the format of Chrome's traces.
//!
//! The host's own phases are one process, the device another, with a thread for each worker and,
//! after those, one for each depth of loops and branches.

use std::collections::HashSet;

use seawall_core::check::Checked;
use seawall_core::device::{Clock, Readback, Stats, Timed};
use seawall_core::schedule::{Binding, BufferId, Step};
use serde_json::{Value, json};

use crate::error::Error;

/// The process of the trace that is the command.
const HOST: u32 = 1;
/// The one that is the device.
pub const DEVICE: u32 = 2;

/// What the host has done so far.
#[derive(Debug)]
pub struct Trace {
    clock: Clock,
    events: Vec<Value>,
}

impl Trace {
    /// One that begins now, by this clock.
    pub fn new(clock: Clock) -> Self {
        Self { clock, events: vec![named("process_name", HOST, 0, "seawall")] }
    }

    /// The time since it was made, for devices.
    pub fn clock(&self) -> Clock {
        self.clock.clone()
    }

    /// Does a part of the host's work.
    pub fn timed<T>(&mut self, name: &str, work: impl FnOnce() -> T) -> T {
        let begin = self.clock.nanos();
        let result = work();
        self.events.push(span(name, "host", HOST, 0, begin, self.clock.nanos() - begin, &json!({})));
        result
    }

    /// The text of the file: the phases, and what the device did. `names` are those of dispatches, by
    /// step, where they have better ones than their kernels'.
    pub fn text(
        mut self,
        device: &str,
        schedule: &Checked,
        names: impl Fn(usize) -> Option<String>,
        stats: &Stats,
    ) -> Result<String, Error> {
        if stats.times.is_empty() && schedule.steps.iter().any(|step| !matches!(step, Step::Free { .. })) {
            return Err(Error::NoTimes { device: device.to_owned() });
        }
        self.events.push(named("process_name", DEVICE, 0, &format!("device {device}")));
        for worker in 0..=stats.times.iter().map(|timed| timed.worker).max().unwrap_or(0) {
            self.events.push(named("thread_name", DEVICE, worker, &format!("worker {worker}")));
        }
        for timed in &stats.times {
            let Timed { step, worker, begin_nanos, nanos } = *timed;
            if matches!(schedule.steps[step], Step::Loop { .. } | Step::When { .. } | Step::End) {
                // What they take is that of their bodies, which is told below.
                continue;
            }
            let (kind, mut name, args) = describe(schedule, step);
            if let Some(better) = names(step) {
                name = better;
            }
            self.events.push(span(&name, kind, DEVICE, worker, begin_nanos, nanos, &args));
        }
        self.loops(schedule, names, stats);
        self.memory(schedule, stats);
        let Readback { copies, selected_bytes, avoided_bytes } = stats.readback;
        if let (1.., Some(last)) = (copies, stats.times.iter().map(|timed| timed.begin_nanos + timed.nanos).max()) {
            let args = json!({ "copies": copies, "selected_bytes": selected_bytes, "avoided_bytes": avoided_bytes });
            self.events.push(json!({
                "name": "readback", "ph": "i", "s": "p", "pid": DEVICE, "tid": 0, "ts": micros(last), "args": args
            }));
        }
        Ok(json!({ "traceEvents": self.events, "displayTimeUnit": "ns" }).to_string())
    }

    /// Each loop and branch, from the first that is done in it to the last, and its turns where they
    /// can be told apart.
    fn loops(&mut self, schedule: &Checked, names: impl Fn(usize) -> Option<String>, stats: &Stats) {
        let workers = stats.times.iter().map(|timed| timed.worker + 1).max().unwrap_or(1);
        let mut open: Vec<usize> = Vec::new();
        let mut depths = 0;
        for (&(begin, end), looped) in schedule.bodies().iter().zip(&stats.loops) {
            while open.last().is_some_and(|&around| around < begin) {
                open.pop();
            }
            let thread = workers + open.len();
            open.push(end);
            let body: Vec<&Timed> = stats.times.iter().filter(|timed| (begin..end).contains(&timed.step)).collect();
            let Some((from, to)) = extent(&body) else { continue };
            if thread == workers + depths {
                depths += 1;
                self.events.push(named("thread_name", DEVICE, thread, &format!("loops and branches {depths}")));
            }
            let (kind, mut name, mut args) = describe(schedule, begin);
            name = names(begin).unwrap_or(name);
            for (key, value) in [("entries", looped.entries), ("turns", looped.turns), ("limited", looped.limited)] {
                args[key] = value.into();
            }
            self.events.push(span(&name, kind, DEVICE, thread, from, to - from, &args));
            let turns = turns(schedule, begin, &body);
            if kind == "loop" && turns.len() as u64 == looped.turns {
                for (turn, (from, to)) in turns.into_iter().enumerate() {
                    let name = format!("{name}, turn {turn}");
                    self.events.push(span(&name, "turn", DEVICE, thread, from, to - from, &json!({ "turn": turn })));
                }
            }
        }
    }

    /// What is live on the device, from the first that each group does on.
    fn memory(&mut self, schedule: &Checked, stats: &Stats) {
        let mut begins = vec![u64::MAX; schedule.steps.len()];
        for timed in &stats.times {
            begins[timed.step] = begins[timed.step].min(timed.begin_nanos);
        }
        let groups = schedule.steps.iter().zip(begins).collect::<Vec<_>>();
        let groups = groups.split(|(step, _)| step.is_boundary());
        for (group, live) in groups.zip(schedule.live_bytes()) {
            let begin = group.iter().map(|(_, begin)| *begin).min().filter(|begin| *begin < u64::MAX);
            self.events.extend(begin.map(|begin| {
                let args = json!({ "bytes": live });
                json!({ "name": "live", "ph": "C", "pid": DEVICE, "ts": micros(begin), "args": args })
            }));
        }
    }
}

/// From the first beginning to the last end.
fn extent(times: &[&Timed]) -> Option<(u64, u64)> {
    let from = times.iter().map(|timed| timed.begin_nanos).min()?;
    let to = times.iter().map(|timed| timed.begin_nanos.saturating_add(timed.nanos)).max()?;
    Some((from, to))
}

/// When the turns of a loop were, as far as can be seen: one begins where the groups of the body do
/// again, or where a worker does a step again.
fn turns(schedule: &Checked, begin: usize, body: &[&Timed]) -> Vec<(u64, u64)> {
    let bodies = schedule.bodies();
    let inside = |step: usize| bodies.iter().any(|&(from, to)| from > begin && (from..=to).contains(&step));
    let mut group = 0;
    let group_of = |step: &Step| {
        group += u32::from(step.is_boundary());
        group
    };
    let groups: Vec<u32> = schedule.steps.iter().map(group_of).collect();
    let direct = body.iter().filter(|timed| timed.step != begin && !inside(timed.step));
    let mut direct: Vec<&Timed> = direct.copied().collect();
    direct.sort_by_key(|timed| (timed.begin_nanos, timed.step));
    let (mut turns, mut done) = (Vec::<Vec<&Timed>>::new(), HashSet::new());
    for timed in direct {
        let last = turns.last().and_then(|turn| turn.last());
        let again = last.is_none_or(|last| groups[timed.step] < groups[last.step]);
        if again || done.contains(&(timed.step, timed.worker)) {
            turns.push(Vec::new());
            done.clear();
        }
        done.insert((timed.step, timed.worker));
        turns.last_mut().expect("invariant pushed: it is there").push(timed);
    }
    turns.iter().filter_map(|turn| extent(turn)).collect()
}

/// A step's kind, its name, and what else there is to say.
pub fn describe(schedule: &Checked, at: usize) -> (&'static str, String, Value) {
    let buffer = |of: &Binding| &schedule.buffers[of.buffer.0 as usize].name;
    let bound = |bindings: &[Binding]| bindings.iter().map(|binding| binding.bytes).fold(0, u64::saturating_add);
    let step = &schedule.steps[at];
    let (kind, name, bytes) = match step {
        Step::Upload { to, .. } => ("upload", format!("upload {}", buffer(to)), to.bytes),
        Step::Clear { range } => ("clear", format!("clear {}", buffer(range)), range.bytes),
        Step::Copy { from, to } => ("copy", format!("copy {} to {}", buffer(from), buffer(to)), to.bytes),
        Step::Download { from, .. } => ("download", format!("download {}", buffer(from)), from.bytes),
        Step::Barrier => ("barrier", "barrier".to_owned(), 0),
        Step::Loop { .. } => ("loop", "loop".to_owned(), 0),
        Step::When { .. } => ("when", "when".to_owned(), 0),
        Step::End => ("end", "end".to_owned(), 0),
        Step::Swap { first, second } => {
            let name = |buffer: &BufferId| &schedule.buffers[buffer.0 as usize].name;
            ("swap", format!("swap {} and {}", name(first), name(second)), 0)
        }
        Step::Free { buffer } => ("free", format!("free {}", schedule.buffers[buffer.0 as usize].name), 0),
        Step::Dispatch { kernel, bindings, .. } | Step::DispatchIndirect { kernel, bindings, .. } => {
            ("dispatch", schedule.kernels[kernel.0 as usize].name.clone(), bound(bindings))
        }
    };
    (kind, name, json!({ "step": at, "bytes": bytes, "what": step.to_string() }))
}

fn span(name: &str, kind: &str, process: u32, thread: usize, begin: u64, nanos: u64, args: &Value) -> Value {
    let (ts, dur) = (micros(begin), micros(nanos));
    json!({ "name": name, "cat": kind, "ph": "X", "pid": process, "tid": thread, "ts": ts, "dur": dur, "args": args })
}

fn named(what: &str, process: u32, thread: usize, name: &str) -> Value {
    json!({ "name": what, "ph": "M", "pid": process, "tid": thread, "args": { "name": name } })
}

/// As the format counts time.
fn micros(nanos: u64) -> f64 {
    nanos as f64 / 1e3
}
