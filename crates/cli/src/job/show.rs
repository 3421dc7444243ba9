//! `seawall plan` and `seawall explain` of a job: what would run, and why.

use std::io::{self, Write};
use std::sync::Arc;

use seawall::Runtime;
use seawall_core::check::Checked;
use seawall_core::graph;
use seawall_core::graph::{BlockId, Body, Repeat};
use seawall_core::plan::{self, Part, Plan};

use super::{Job, Said};
use crate::args::{Check, Explain, Plan as PlanArgs};
use crate::error::Error;
use crate::given::Given;
use crate::kind::Kind;
use crate::table::{count, lines};
use crate::{driver, publish, say};

/// What a job becomes within a budget.
fn planned(job: &Job, budget_bytes: Option<u64>) -> Result<(Plan, Arc<Checked>), Error> {
    let resolved = graph::resolve_cut(&job.graph, budget_bytes).map_err(seawall::Error::from)?;
    let plan = plan::plan(&Arc::new(resolved), budget_bytes).map_err(seawall::Error::from)?;
    let checked = match plan.check() {
        Ok(checked) => Arc::new(checked),
        Err(error) => unreachable!("invariant plan: it is sound and computes its graph: {error}"),
    };
    Ok((plan, checked))
}

pub(crate) fn check(args: &Check, given: Given) -> Result<(), Error> {
    let job = Job::read(given, &Said { sets: &args.sets, ..Said::default() })?;
    let mut rows = vec![["buffer", "type", "bytes", "role"].map(str::to_owned).to_vec()];
    rows.extend(job.buffers.iter().zip(&job.graph.data).map(|(buffer, data)| {
        let ty = buffer.row.ty.to_string();
        vec![buffer.name.clone(), ty, buffer.memory.len().to_string(), format!("{:?}", data.role).to_lowercase()]
    }));
    let waves = job.graph.waves.len() as u64;
    say::out(|out| write!(out, "job: {}\n{}", count(waves, "wave"), lines(&rows)))
}

pub(crate) fn plan(args: &PlanArgs, given: Given) -> Result<(), Error> {
    let job = Job::read(given, &Said::default())?;
    let (plan, checked) = planned(&job, args.budget.or(job.budget_bytes))?;
    if let Some(path) = &args.svg {
        let title = args.file.file_stem().unwrap_or_default().to_string_lossy();
        let drawn = seawall_show::picture::draw(&title, &plan, &checked)?;
        publish::one(path, drawn.as_bytes())?;
    }
    if args.json {
        return say::out(|out| writeln!(out, "{}", json(&plan, &checked)));
    }
    say::out(|out| {
        write!(out, "{plan}")?;
        writeln!(out, "at most {} on the device", count(checked.peak_bytes(), "byte"))
    })
}

pub(crate) fn explain(args: &Explain) -> Result<(), Error> {
    let given = Given::read(&args.file)?;
    if given.kind != Kind::Job {
        return Err(given.refused("a job file", "`seawall check` says what it is"));
    }
    let job = Job::read(given, &Said::default())?;
    let mut builder = Runtime::builder();
    if let Some(id) = &args.device {
        builder = builder.device(id);
    }
    let runtime = driver::heard(|| builder.open())?;
    let budget = args.budget.or(job.budget_bytes).or(runtime.caps().memory_bytes);
    let (plan, checked) = planned(&job, budget)?;
    let (choice, _) = runtime.choose(&checked)?;
    say::out(|out| {
        writeln!(out, "device {}: {}", choice.device.caps().id, choice.because)?;
        tell(out, &plan)?;
        let limit = budget.map_or_else(|| "no budget".to_owned(), |bytes| format!("a budget of {bytes}"));
        writeln!(out, "memory: at most {} on the device, {limit}", count(checked.peak_bytes(), "byte"))
    })
}

/// What runs together and why, and what was chosen for it.
pub(crate) fn tell(out: &mut dyn Write, plan: &Plan) -> io::Result<()> {
    writeln!(out, "{}", plan.summary())?;
    for line in plan.outline() {
        writeln!(out, "{}", plan.line(&line))?;
        let Part::Group(group) = line.what else { continue };
        for reason in plan.reasons_of(group) {
            writeln!(out, "{:1$}{2}", "", 2 * line.depth + 2, plan.explain(reason))?;
        }
    }
    for choice in &plan.graph.choices {
        writeln!(out, "{choice}")?;
    }
    for (queue, taken) in plan.graph.queues.iter().zip(&plan.queues) {
        write!(out, "`{}`, a {taken}", queue.name)?;
    }
    Ok(())
}

fn json(plan: &Plan, checked: &Checked) -> serde_json::Value {
    let name = |&wave| plan.graph.node_name(wave);
    let groups: Vec<Vec<String>> = plan.groups.iter().map(|group| group.iter().map(name).collect()).collect();
    let reason = |reason: &plan::Reason| serde_json::json!({ "group": reason.group(), "why": plan.explain(reason) });
    let blocks: Vec<_> = plan.graph.blocks.iter().enumerate().map(|(at, body)| block(plan, at, body)).collect();
    let queues = plan.graph.queues.iter().zip(&plan.queues).map(|(queue, taken)| {
        let (bytes, resident) = (taken.queue_bytes, taken.resident_bytes);
        serde_json::json!({
            "name": queue.name, "capacity": queue.capacity, "window": queue.window, "initial": queue.initial,
            "queue_bytes": bytes, "resident_bytes": resident, "occupancy_bp": taken.initial_occupancy_bp,
        })
    });
    let queues: Vec<_> = queues.collect();
    serde_json::json!({
        "groups": groups,
        "blocks": blocks,
        "queues": queues,
        "reasons": plan.reasons.iter().map(reason).collect::<Vec<_>>(),
        "budget_bytes": plan.schedule.budget_bytes,
        "peak_bytes": checked.peak_bytes(),
        "evicted_bytes": plan.evicted_bytes(),
        "steps": plan.schedule.steps.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

/// What a loop or a branch is, and which groups are in it.
fn block(plan: &Plan, at: usize, body: &Body) -> serde_json::Value {
    let (id, blocks) = (BlockId(at as u32), &plan.graph.blocks);
    let inside = |within: &Option<BlockId>| {
        std::iter::successors(*within, |block| blocks[block.0 as usize].parent).any(|block| block == id)
    };
    let groups: Vec<usize> = plan.within.iter().enumerate().filter(|(_, at)| inside(at)).map(|(at, _)| at).collect();
    let limit = match body.repeat {
        Repeat::Loop { limit, .. } => Some(limit),
        Repeat::When { .. } => None,
    };
    serde_json::json!({
        "name": body.name,
        "kind": kind(body),
        "decides": plan.decides(id),
        "limit": limit,
        "in": body.parent.map(|parent| &blocks[parent.0 as usize].name),
        "groups": groups,
    })
}

/// What the file calls it.
pub(super) fn kind(body: &Body) -> &'static str {
    match body.repeat {
        Repeat::Loop { .. } => "loop",
        Repeat::When { .. } => "branch",
    }
}
