//! What the planners are asked: waves, a budget, result slots and a queue in; their plans out, as
//! text, as data and as a picture.

mod schema;
mod json;
mod svg;

use seawall_core::{barrier, frontier, queue, readback};

use crate::words;

pub(crate) use json::value as as_json;
pub(crate) use schema::{Problem, parse};
pub(crate) use svg::draw;

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
        use seawall_core::bytes::Error::Storage;
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

pub(crate) fn solve(problem: &Problem) -> Result<Plans, Error> {
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

pub(crate) fn as_text(problem: &Problem, plans: &Plans) -> String {
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
