//! `seawall run JOB.toml`.

use std::io::{self, Write};
use std::mem::ManuallyDrop;

use seawall::device::Control;
use seawall::queue::Drained;
use seawall::{Compiled, Finished, Graph, Loop};
use seawall_core::graph::{BlockId, Body, Launch, Node, Repeat, Role};
use seawall_core::plan::Plan;

use super::{Buffer, Job, Said, show};
use crate::args::{Run, Show};
use crate::error::Error;
use crate::format::is_pipe;
use crate::given::Given;
use crate::publish::Files;
use crate::racer::{self, Racer};
use crate::run::output::{self, Account, Value};
use crate::run::{one_reader, open};
use crate::sink::Sink;
use crate::table::{count, time};
use crate::trace::Trace;
use crate::{profile, progress, sanitize, say};

pub(crate) fn run(args: &Run, given: Given, mut trace: Trace, control: &Control) -> Result<(), Error> {
    refuse(args)?;
    one_reader(&args.file, &args.ins)?;
    let said = Said { ins: &args.ins, outs: &args.outs, sets: &args.sets, width: args.width, json: args.json };
    let mut job = trace.phase("read the job", || Job::read(given, &said))?;
    job.set(&args.values)?;
    let shown = shown(&job, &args.shows)?;
    let runtime = trace.phase("open the device", || open(args))?;
    let mut graph = Graph::from(job.graph.clone());
    if let Some(bytes) = args.budget.or(job.budget_bytes) {
        graph.budget_bytes(bytes);
    }
    let compiled = trace.stoppable("plan and compile", || runtime.compile_with(&graph, control))?;
    let compiled = ManuallyDrop::new(compiled);
    let finished = trace.stoppable("run", || execute(&compiled, &mut job, control));
    let finished = sanitize::tell(args, finished, |finished| finished.stats.findings.as_ref())?;
    let mut written = Files::default();
    trace.phase("write the outputs", || {
        kept(&job, &finished).try_for_each(|(buffer, bytes)| {
            let Some(sink) = &buffer.sink else { return Ok(()) };
            let saved = match buffer.shape {
                Some(shape) => sink.write_image(&mut written, shape, bytes),
                None => sink.write(&mut written, &buffer.row.ty, bytes, buffer.width),
            };
            saved.map_err(|error| Error::Save { name: buffer.name.clone(), error })
        })
    })?;
    if let Some(path) = &args.trace {
        let names = |step| named(&compiled, step);
        let text = trace.text(path, &finished.device, compiled.schedule(), names, &finished.stats)?;
        written.write(path, |out| out.write_all(text.as_bytes()))?;
    }
    written.publish()?;
    let files = || kept(&job, &finished).filter_map(|(buffer, bytes)| Some((buffer, bytes, buffer.sink.as_ref()?)));
    for (buffer, bytes, sink) in files() {
        say::wrote(&match buffer.shape {
            Some(shape) => sink.tell_image(&buffer.name, shape),
            None => sink.tell(&buffer.name, &buffer.row.ty, bytes.len() as u64, buffer.width),
        });
    }
    if args.json {
        return say::out(|out| json(out, &compiled, values(&job, &shown, &finished), &finished));
    }
    let profile = if args.profile {
        profile::table(&finished.device, compiled.schedule(), |step| named(&compiled, step), &finished.stats)?
    } else {
        String::new()
    };
    let text = |out: &mut dyn Write| {
        text(out, &compiled, values(&job, &shown, &finished), &finished)?;
        out.write_all(profile.as_bytes())
    };
    if files().any(|(.., sink)| is_pipe(&sink.path)) { say::aside(|out| text(out)) } else { say::out(|out| text(out)) }
}

/// The job on each of the devices.
pub(crate) fn racers(args: &Run, given: &Given, devices: &[Option<String>]) -> Result<Vec<Racer>, Error> {
    refuse(args)?;
    let racer = |device: &Option<String>| {
        let given = Given { path: given.path.clone(), bytes: given.bytes.clone(), kind: given.kind };
        let mut job = Job::read(given, &Said { ins: &args.ins, sets: &args.sets, ..Said::default() })?;
        job.set(&args.values)?;
        let runtime = racer::open(args, device.as_deref())?;
        let mut graph = Graph::from(job.graph.clone());
        if let Some(bytes) = args.budget.or(job.budget_bytes) {
            graph.budget_bytes(bytes);
        }
        let compiled = runtime.compile(&graph)?;
        let start: Vec<Vec<u8>> = job.buffers.iter().map(|buffer| buffer.memory.clone()).collect();
        let first = execute(&compiled, &mut job, &Control::default())?;
        let bytes = first.stats.uploaded_bytes + first.stats.downloaded_bytes;
        let (device, invocations) = (first.device, first.stats.invocations);
        let once = move || {
            // The runtime is open for as long as this is.
            let _open = &runtime;
            for (buffer, start) in job.buffers.iter_mut().zip(&start) {
                buffer.memory.copy_from_slice(start);
            }
            Ok(execute(&compiled, &mut job, &Control::default())?.elapsed)
        };
        Ok(Racer { device, bytes, invocations, once: Box::new(once) })
    };
    devices.iter().map(racer).collect()
}

/// The outputs to print, each with how many of its elements: those asked for, or all but pictures.
fn shown(job: &Job, shows: &[Show]) -> Result<Vec<(String, Option<u64>)>, Error> {
    let kept = || job.buffers.iter().filter(|buffer| buffer.kept);
    if shows.is_empty() {
        let printed = kept().filter(|buffer| !buffer.sink.as_ref().is_some_and(Sink::is_picture));
        return Ok(printed.map(|buffer| (buffer.name.clone(), None)).collect());
    }
    for (i, show) in shows.iter().enumerate() {
        let (option, name) = ("--show", show.name.clone());
        if !kept().any(|buffer| buffer.name == name) {
            return Err(Error::NoJobOutput { option, name, known: kept().map(|buffer| buffer.name.clone()).collect() });
        }
        if shows[..i].iter().any(|before| before.name == name) {
            return Err(Error::Twice { option, name });
        }
    }
    Ok(shows.iter().map(|show| (show.name.clone(), show.most)).collect())
}

/// Options that a job file speaks for.
fn refuse(args: &Run) -> Result<(), Error> {
    let given =
        [("--entry", args.entry.is_some()), ("--grid", args.grid.is_some()), ("--threads", args.threads.is_some())];
    match given.into_iter().find(|(_, given)| *given) {
        Some((option, _)) => Err(Error::InJob { option, why: "they say it themselves" }),
        None => Ok(()),
    }
}

/// The name of the wave that a step runs, or of the loop or branch that it begins.
fn named(compiled: &Compiled, step: usize) -> Option<String> {
    let Plan { graph, placement, .. } = compiled.plan();
    if let Ok(at) = placement.blocks.binary_search_by_key(&step, |(at, _)| *at) {
        return Some(graph.blocks[placement.blocks[at].1.0 as usize].name.clone());
    }
    let at = placement.waves.binary_search_by_key(&step, |(at, _)| *at).ok()?;
    Some(graph.node_name(placement.waves[at].1))
}

fn execute(compiled: &Compiled, job: &mut Job, control: &Control) -> Result<Finished, Error> {
    let mut call = compiled.call();
    for (data, buffer) in job.graph.data.iter().zip(&mut job.buffers) {
        call = match data.role {
            Role::Input => call.bind(&buffer.name, &buffer.memory),
            Role::Output | Role::InOut => call.bind(&buffer.name, &mut buffer.memory),
            Role::Persistent | Role::Transient => call,
        };
    }
    for items in &job.items {
        call = call.bind(&items.name, &items.memory);
    }
    Ok(progress::watch(control, workgroups(compiled), || call.run_with(control))?)
}

/// All that are known before the run: none, if a word on the device decides about any.
fn workgroups(compiled: &Compiled) -> Option<u64> {
    let Plan { graph, .. } = compiled.plan();
    let turns = |block: BlockId| match graph.blocks[block.0 as usize].repeat {
        Repeat::Loop { condition: None, limit } => Some(u64::from(limit)),
        Repeat::Loop { .. } | Repeat::When { .. } => None,
    };
    let each = |(wave, within): (&Node, &Option<BlockId>)| {
        let Launch::Workgroups(grid) = wave.launch else { return Some(0) };
        let once = grid.iter().map(|&n| u64::from(n)).fold(1, u64::saturating_mul);
        let mut around = std::iter::successors(*within, |block| graph.blocks[block.0 as usize].parent);
        around.try_fold(once, |times, block| Some(times.saturating_mul(turns(block)?)))
    };
    let mut waves = graph.waves.iter().zip(&graph.within).map(each);
    waves.try_fold(0u64, |sum, wave| Some(sum.saturating_add(wave?)))
}

/// What comes back; of a counted output, what the device filled.
fn kept<'a>(job: &'a Job, finished: &'a Finished) -> impl Iterator<Item = (&'a Buffer, &'a [u8])> {
    job.buffers.iter().filter(|buffer| buffer.kept).map(|buffer| {
        let bytes = finished.count(&buffer.name).map(|n| u64::from(n).saturating_mul(buffer.row.ty.element().1));
        let all = buffer.memory.len() as u64;
        (buffer, &buffer.memory[..bytes.unwrap_or(all).min(all) as usize])
    })
}

fn values<'a>(
    job: &'a Job,
    shown: &'a [(String, Option<u64>)],
    finished: &'a Finished,
) -> impl Iterator<Item = Value<'a>> {
    shown.iter().filter_map(move |(name, most)| {
        let mut kept = kept(job, finished);
        let found = kept.find(|(buffer, _)| buffer.name == *name);
        found.map(|(buffer, bytes)| Value { name: &buffer.name, ty: &buffer.row.ty, bytes, most: *most })
    })
}

fn text<'a>(
    out: &mut dyn Write,
    compiled: &Compiled,
    mut values: impl Iterator<Item = Value<'a>>,
    finished: &Finished,
) -> io::Result<()> {
    writeln!(out, "device {}: {}", finished.device, compiled.because())?;
    let (invocations, time) = (count(finished.stats.invocations, "invocation"), time(finished.elapsed));
    writeln!(out, "{}: {invocations} in {time}", compiled.plan().summary())?;
    for (body, became) in became(compiled, finished) {
        writeln!(out, "{} {}: {}", show::kind(body), body.name, told(body, became))?;
    }
    for (name, Drained { items, windows, idle, peak }) in &finished.queues {
        let (items, windows) = (count(*items, "item"), count(u64::from(*windows), "window"));
        writeln!(out, "queue {name}: {items} in {windows}, at most {peak} at once, {idle} turns without any")?;
    }
    values.try_for_each(|value| output::line(out, &value))
}

/// Each loop and branch, and what became of it.
fn became<'a>(compiled: &'a Compiled, finished: &'a Finished) -> impl Iterator<Item = (&'a Body, &'a Loop)> {
    let Plan { graph, placement, .. } = compiled.plan();
    let bodies = placement.blocks.iter().map(|(_, block)| &graph.blocks[block.0 as usize]);
    bodies.zip(&finished.loops)
}

/// What became of a loop or a branch, for people.
fn told(body: &Body, &Loop { entries, turns, limited, .. }: &Loop) -> String {
    let often = |times: u64| if times == 1 { "once".to_owned() } else { format!("{times} times") };
    match body.repeat {
        _ if entries == 0 => "never come to".to_owned(),
        Repeat::When { .. } if entries == 1 => if turns == 1 { "taken" } else { "not taken" }.to_owned(),
        Repeat::When { .. } => format!("taken {}, come to {}", often(turns), often(entries)),
        Repeat::Loop { condition, .. } => {
            let ended = match (condition, entries, limited) {
                (None, ..) => "",
                (Some(_), _, 0) => ", ended by its condition",
                (Some(_), 1, _) => ", ended by its limit",
                (Some(_), ..) => &format!(", ended {} by its limit", often(limited)),
            };
            let come = if entries == 1 { String::new() } else { format!(", come to {}", often(entries)) };
            format!("{}{come}{ended}", count(turns, "turn"))
        }
    }
}

fn json<'a>(
    out: &mut dyn Write,
    compiled: &Compiled,
    values: impl Iterator<Item = Value<'a>>,
    finished: &Finished,
) -> io::Result<()> {
    let Finished { device, stats, elapsed, .. } = finished;
    let loops = became(compiled, finished).map(|(body, &Loop { ref name, entries, turns, limited })| {
        let kind = show::kind(body);
        serde_json::json!({ "name": name, "kind": kind, "entries": entries, "turns": turns, "limited": limited })
    });
    let queues = finished.queues.iter().map(|(name, Drained { items, windows, idle, peak })| {
        serde_json::json!({ "name": name, "items": items, "windows": windows, "idle": idle, "peak": peak })
    });
    let blocks = Some([("loops", loops.collect()), ("queues", queues.collect())]);
    let account =
        Account { device, because: compiled.because(), code: compiled.code(), stats, elapsed: *elapsed, blocks };
    output::object(out, &account, values)
}
