//! The file that `seawall plan` reads, and what it means. `docs/plan.md` describes it.

use std::collections::HashMap;

use seawall_core::barrier::Edge;
use seawall_core::frontier::{Budget, Read, Wave};
use seawall_core::ids::{BufferId, SlotId, WaveId};
use seawall_core::{queue, readback};
use serde::Deserialize;

use super::Error;

/// What a file asks to be planned.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(super) title: Option<String>,
    pub(super) names: Vec<Option<String>>,
    pub(crate) waves: Vec<Wave>,
    pub(crate) edges: Vec<Edge>,
    /// All there is, if the file says nothing.
    pub(super) budget: Budget,
    pub(super) measured_readback_bytes: u64,
    pub(super) reads: Option<Vec<Read>>,
    pub(super) refuse_live: bool,
    pub(super) readback: Option<(Vec<readback::Slot>, readback::Packing)>,
    pub(super) queue: Option<queue::Profile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object, as docs/plan.md describes it")]
struct File {
    title: Option<String>,
    #[serde(default)]
    waves: Vec<FileWave>,
    #[serde(default)]
    edges: Vec<[Ref; 2]>,
    budget: Option<FileBudget>,
    #[serde(default)]
    measured_readback_bytes: u64,
    reads: Option<Reads>,
    readback: Option<FileReadback>,
    queue: Option<FileQueue>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a wave, such as {\"frontier_bytes\": 1024}")]
struct FileWave {
    name: Option<String>,
    #[serde(default)]
    frontier_bytes: u64,
    #[serde(default)]
    scratch_bytes: u64,
    #[serde(default)]
    output_bytes: u64,
}

/// A wave by its place in the list or by its name.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a wave, by number or by name")]
enum Ref {
    Id(u32),
    Name(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a budget, such as {\"limit_bytes\": 65536}")]
struct FileBudget {
    limit_bytes: u64,
    #[serde(default)]
    resident_bytes: u64,
    #[serde(default)]
    refuse_live: bool,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected \"edges\" or pairs of waves")]
enum Reads {
    All(AllEdges),
    List(Vec<[Ref; 2]>),
}

#[derive(Deserialize)]
enum AllEdges {
    #[serde(rename = "edges")]
    Edges,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a readback, with record_limit_bytes and slots")]
struct FileReadback {
    record_limit_bytes: u64,
    #[serde(default = "one")]
    align_bytes: u64,
    slots: Vec<FileSlot>,
}

fn one() -> u64 {
    1
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a slot, with id, meaningful_bytes and capacity_bytes")]
struct FileSlot {
    id: u32,
    #[serde(default)]
    buffer: u32,
    /// Behind the slot before it, if not given.
    offset: Option<u64>,
    meaningful_bytes: u64,
    capacity_bytes: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a queue, with its items, bytes and budget")]
struct FileQueue {
    #[serde(default)]
    initial_items: u64,
    capacity_items: u64,
    entry_bytes: u64,
    #[serde(default)]
    control_bytes: u64,
    budget_bytes: u64,
    #[serde(default)]
    host: Host,
    drain_limit_items: Option<u64>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "snake_case")]
enum Host {
    #[default]
    FinalOnly,
    WhileDraining,
}

pub(crate) fn parse(text: &str) -> Result<Problem, Error> {
    let file: File = serde_json::from_str(text).map_err(Error::Schema)?;
    let names: Vec<Option<String>> = file.waves.iter().map(|wave| wave.name.clone()).collect();
    let lookup = index(&names)?;
    let pairs = |what, pairs: &[[Ref; 2]]| -> Result<Vec<[WaveId; 2]>, Error> {
        let mut ids = Vec::with_capacity(pairs.len());
        for (index, [a, b]) in pairs.iter().enumerate() {
            ids.push([find(&lookup, what, index, a)?, find(&lookup, what, index, b)?]);
        }
        Ok(ids)
    };
    let edges = pairs("edge", &file.edges)?;
    let reads = match &file.reads {
        None => None,
        Some(Reads::All(AllEdges::Edges)) => Some(edges.clone()),
        Some(Reads::List(list)) => Some(pairs("read", list)?),
    };
    let wave = |wave: &FileWave| {
        let FileWave { name: _, frontier_bytes, scratch_bytes, output_bytes } = *wave;
        Wave { frontier_bytes, scratch_bytes, output_bytes }
    };
    let waves = file.waves.iter().map(wave).collect();
    let unlimited = FileBudget { limit_bytes: u64::MAX, resident_bytes: 0, refuse_live: false };
    let FileBudget { limit_bytes, resident_bytes, refuse_live } = file.budget.unwrap_or(unlimited);
    Ok(Problem {
        title: file.title,
        names,
        waves,
        edges: edges.into_iter().map(|[before, after]| Edge { before, after }).collect(),
        budget: Budget { limit_bytes, resident_bytes },
        measured_readback_bytes: file.measured_readback_bytes,
        reads: reads.map(|reads| reads.into_iter().map(|[output, reader]| Read { output, reader }).collect()),
        refuse_live,
        readback: file.readback.map(slots),
        queue: file.queue.as_ref().map(profile),
    })
}

/// Where each name stands.
fn index(names: &[Option<String>]) -> Result<HashMap<&str, WaveId>, Error> {
    let mut places = HashMap::new();
    for (second, name) in names.iter().enumerate().filter_map(|(i, name)| Some((i, name.as_deref()?))) {
        if let Some(WaveId(first)) = places.insert(name, WaveId(second as u32)) {
            return Err(Error::SameName { name: name.to_owned(), first: first as usize, second });
        }
    }
    Ok(places)
}

fn find(places: &HashMap<&str, WaveId>, what: &'static str, index: usize, wave: &Ref) -> Result<WaveId, Error> {
    match wave {
        // A number that is not there is for the planner to refuse.
        Ref::Id(id) => Ok(WaveId(*id)),
        Ref::Name(name) => {
            let unknown = || Error::UnknownName { what, index, name: name.clone() };
            places.get(name.as_str()).copied().ok_or_else(unknown)
        }
    }
}

fn slots(file: FileReadback) -> (Vec<readback::Slot>, readback::Packing) {
    let mut ends: HashMap<u32, u64> = HashMap::new();
    let slot = |slot: FileSlot| {
        let FileSlot { id, buffer, offset, meaningful_bytes, capacity_bytes } = slot;
        let end = ends.entry(buffer).or_default();
        let offset = offset.unwrap_or(*end);
        *end = offset.saturating_add(capacity_bytes);
        readback::Slot { id: SlotId(id), buffer: BufferId(buffer), offset, meaningful_bytes, capacity_bytes }
    };
    let packing = readback::Packing { record_limit_bytes: file.record_limit_bytes, align_bytes: file.align_bytes };
    (file.slots.into_iter().map(slot).collect(), packing)
}

fn profile(file: &FileQueue) -> queue::Profile {
    let host = match file.host {
        Host::FinalOnly => queue::Host::FinalOnly,
        Host::WhileDraining => queue::Host::WhileDraining,
    };
    queue::Profile {
        initial_items: file.initial_items,
        capacity_items: file.capacity_items,
        entry_bytes: file.entry_bytes,
        control_bytes: file.control_bytes,
        budget_bytes: file.budget_bytes,
        host,
        drain_limit_items: file.drain_limit_items,
    }
}
