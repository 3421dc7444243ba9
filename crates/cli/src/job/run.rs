//! `seawall run JOB.toml`.

use std::io::{self, Write};
use std::mem::ManuallyDrop;

use seawall::core::graph::{Launch, Node, Role};
use seawall::device::Control;
use seawall::{Compiled, Finished, Graph};

use super::{Buffer, Job};
use crate::args::Run;
use crate::error::Error;
use crate::publish::Files;
use crate::run::open;
use crate::run::output::{self, Account, Value};
use crate::table::count;
use crate::trace::Trace;
use crate::{progress, say};

pub(crate) fn run(args: &Run, mut trace: Trace, control: &Control) -> Result<(), Error> {
    refuse(args)?;
    let mut job = trace.phase("read the job", || Job::read(&args.file))?;
    job.set(&args.values)?;
    let runtime = trace.phase("open the device", || open(args))?;
    let mut graph = Graph::from(job.graph.clone());
    if let Some(bytes) = args.budget.or(job.budget_bytes) {
        graph.budget_bytes(bytes);
    }
    let compiled = trace.stoppable("plan and compile", || runtime.compile_with(&graph, control))?;
    let compiled = ManuallyDrop::new(compiled);
    let finished = trace.stoppable("run", || execute(&compiled, &mut job, control))?;
    let mut written = Files::default();
    trace.phase("write the outputs", || {
        kept(&job, &finished).try_for_each(|(buffer, bytes)| {
            let Some(sink) = &buffer.sink else { return Ok(()) };
            let saved = sink.write(&mut written, &buffer.row.ty, bytes, buffer.width);
            saved.map_err(|error| Error::Save { name: buffer.name.clone(), error })
        })
    })?;
    if let Some(path) = &args.trace {
        let names = |step| wave(&compiled, step);
        let text = trace.text(&finished.device, compiled.schedule(), names, &finished.stats)?;
        written.write(path, |out| out.write_all(text.as_bytes()))?;
    }
    written.publish()?;
    say::out(
        |out| if args.json { json(out, &compiled, &job, &finished) } else { text(out, &compiled, &job, &finished) },
    )
}

/// Options that a job file speaks for.
fn refuse(args: &Run) -> Result<(), Error> {
    let given = [
        ("--entry", args.entry.is_some()),
        ("--in", !args.ins.is_empty()),
        ("--out", !args.outs.is_empty()),
        ("--show", !args.shows.is_empty()),
        ("--set", !args.sets.is_empty()),
        ("--grid", args.grid.is_some()),
        ("--threads", args.threads.is_some()),
        ("--width", args.width.is_some()),
    ];
    match given.into_iter().find(|(_, given)| *given) {
        Some((option, _)) => Err(Error::InJob { option, why: "they say it themselves" }),
        None => Ok(()),
    }
}

/// The name of the wave that a step runs.
fn wave(compiled: &Compiled, step: usize) -> Option<String> {
    let plan = compiled.plan();
    let at = plan.placement.waves.binary_search_by_key(&step, |(at, _)| *at).ok()?;
    Some(plan.graph.node_name(plan.placement.waves[at].1))
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
    Ok(progress::watch(control, workgroups(compiled), || call.run_with(control))?)
}

/// All that are known before the run.
fn workgroups(compiled: &Compiled) -> u64 {
    let each = |wave: &Node| match wave.launch {
        Launch::Workgroups(grid) => grid.iter().map(|&n| u64::from(n)).fold(1, u64::saturating_mul),
        Launch::Indirect { .. } => 0,
    };
    compiled.plan().graph.waves.iter().map(each).fold(0, u64::saturating_add)
}

/// What comes back; of a counted output, what the device filled.
fn kept<'a>(job: &'a Job, finished: &'a Finished) -> impl Iterator<Item = (&'a Buffer, &'a [u8])> {
    job.buffers.iter().filter(|buffer| buffer.kept).map(|buffer| {
        let bytes = finished.count(&buffer.name).map(|n| u64::from(n).saturating_mul(buffer.row.ty.element().1));
        let all = buffer.memory.len() as u64;
        (buffer, &buffer.memory[..bytes.unwrap_or(all).min(all) as usize])
    })
}

fn values<'a>(job: &'a Job, finished: &'a Finished) -> impl Iterator<Item = Value<'a>> {
    kept(job, finished).map(|(buffer, bytes)| Value { name: &buffer.name, ty: &buffer.row.ty, bytes, most: None })
}

fn text(out: &mut impl Write, compiled: &Compiled, job: &Job, finished: &Finished) -> io::Result<()> {
    writeln!(out, "device {}: {}", finished.device, compiled.because())?;
    let plan = compiled.plan();
    writeln!(
        out,
        "{} in {}: {} in {:.1} ms",
        count(plan.graph.waves.len() as u64, "wave"),
        count(plan.groups.len() as u64, "group"),
        count(finished.stats.invocations, "invocation"),
        output::milliseconds(finished.elapsed),
    )?;
    values(job, finished).try_for_each(|value| output::line(out, &value))
}

fn json(out: &mut impl Write, compiled: &Compiled, job: &Job, finished: &Finished) -> io::Result<()> {
    let Finished { device, stats, elapsed, .. } = finished;
    let account = Account { device, because: compiled.because(), code: compiled.code(), stats, elapsed: *elapsed };
    output::object(out, &account, values(job, finished))
}
