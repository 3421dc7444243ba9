//! `seawall plan`: waves, a budget, result slots and a queue in; their plans out, as text,
//! as data and as a picture.

mod schema;
mod json;
mod svg;

use std::io::Write;

use seawall::core::{barrier, frontier, queue, readback};

use crate::args::{Check, Plan as Args};
use crate::given::Given;
use crate::table::count;
use crate::{publish, say, words};
use schema::Problem;

/// Why there is no plan.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("{}", words::of_json(.0))]
    Schema(serde_json::Error),
    #[error("two waves are called `{name}`, {first} and {second}")]
    SameName { name: String, first: usize, second: usize },
    #[error("{what} {index} names wave `{name}`, which is not there")]
    UnknownName { what: &'static str, index: usize, name: String },
    #[error("{waves} waves, but at most {} can be planned", u32::MAX)]
    TooManyWaves { waves: usize },
    #[error("{groups} groups are too many to draw; at most {} are", svg::GROUPS_MAX)]
    TooManyGroups { groups: usize },
    #[error(transparent)]
    Barrier(#[from] barrier::Error),
    #[error(transparent)]
    Frontier(#[from] frontier::Error),
    #[error("readback: {0}")]
    Readback(#[from] readback::Error),
    #[error(transparent)]
    Queue(#[from] queue::Error),
}

impl Error {
    /// Whether it is the world that failed rather than the input.
    pub(crate) fn is_world(&self) -> bool {
        use seawall::core::bytes::Error::Storage;
        matches!(
            self,
            Self::Barrier(barrier::Error::Bytes(Storage { .. }))
                | Self::Frontier(frontier::Error::Bytes(Storage { .. }))
                | Self::Readback(readback::Error::Bytes(Storage { .. }))
        )
    }
}

/// Everything that a file asks for.
pub(crate) struct Plans {
    layers: barrier::Plan,
    frontier: frontier::Plan,
    live: Option<frontier::Live>,
    readback: Option<readback::Plan>,
    queue: Option<queue::Plan>,
}

pub(crate) fn plan(args: &Args, given: Given) -> Result<(), crate::error::Error> {
    if args.budget.is_some() {
        return Err(crate::error::Error::JobOnly { option: "--budget" });
    }
    let fault = |error| crate::error::Error::Plan { path: args.file.clone(), error };
    let text = given.text()?;
    let problem = schema::parse(&text).map_err(fault)?;
    let plans = solve(&problem).map_err(fault)?;
    if let Some(path) = &args.svg {
        let picture = svg::draw(&problem, &plans).map_err(fault)?;
        publish::one(path, picture.as_bytes())?;
    }
    if args.json {
        return say::out(|out| writeln!(out, "{}", json::value(&problem, &plans)));
    }
    say::out(|out| out.write_all(as_text(&problem, &plans).as_bytes()))
}

/// Whether it can be planned, and how much of it there is.
pub(crate) fn check(args: &Check, given: Given) -> Result<(), crate::error::Error> {
    if !args.sets.is_empty() {
        return Err(crate::error::Error::NoOverrides);
    }
    let fault = |error| crate::error::Error::Plan { path: args.file.clone(), error };
    let problem = schema::parse(&given.text()?).map_err(fault)?;
    solve(&problem).map_err(fault)?;
    let (waves, edges) = (problem.waves.len() as u64, problem.edges.len() as u64);
    say::out(|out| writeln!(out, "waves to plan: {} and {}", count(waves, "wave"), count(edges, "edge")))
}

fn solve(problem: &Problem) -> Result<Plans, Error> {
    let count = problem.waves.len();
    let count = u32::try_from(count).map_err(|_| Error::TooManyWaves { waves: count })?;
    let layers = barrier::plan(count, &problem.edges)?;
    let Problem { waves, budget, measured_readback_bytes, .. } = problem;
    let (budget, measured_readback_bytes) = (*budget, *measured_readback_bytes);
    let frontier = frontier::plan(&frontier::Input { waves, layers: &layers, budget, measured_readback_bytes })?;
    let live = problem.reads.as_ref().map(|reads| frontier::live(waves, &frontier, reads)).transpose()?;
    if let Some(live) = live.as_ref().filter(|_| problem.refuse_live) {
        live.within(&budget)?;
    }
    let readback = problem.readback.as_ref();
    let readback = readback.map(|(slots, packing)| readback::plan(slots, *packing)).transpose()?;
    let queue = problem.queue.as_ref().map(queue::plan).transpose()?;
    Ok(Plans { layers, frontier, live, readback, queue })
}

fn as_text(problem: &Problem, plans: &Plans) -> String {
    let named = problem.names.iter().enumerate().filter_map(|(i, name)| Some((i, name.as_ref()?)));
    let mut parts: Vec<String> = named.map(|(i, name)| format!("w{i} = {name}\n")).collect();
    if !problem.waves.is_empty() {
        parts.push(plans.frontier.to_string());
    }
    parts.extend(plans.live.as_ref().map(ToString::to_string));
    parts.extend(plans.readback.as_ref().map(ToString::to_string));
    parts.extend(plans.queue.as_ref().map(ToString::to_string));
    parts.concat()
}
