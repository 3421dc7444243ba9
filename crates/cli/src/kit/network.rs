//! Algorithms on graphs from files and generators.

use std::path::Path;

use seawall_kit::csr::{Csr, Kind, Weights};
use seawall_kit::{Resident, betweenness, bfs, components, pagerank, sssp};

use super::desk::Desk;
use crate::args::{Data, Network};
use crate::error::Error;
use crate::file;

/// Of a file with a graph: room for as many edges as can be counted.
const FILE_BYTES_MAX: u64 = 1 << 37;

/// A graph, and where what is found about it goes.
struct Asked {
    data: Data,
    csr: Csr,
}

impl Asked {
    fn new(network: &Network, weights: Weights) -> Result<Self, Error> {
        let wrong = |error| Error::Graph { graph: network.graph.to_string_lossy().into_owned(), error };
        let kind = if network.directed { Kind::Directed } else { Kind::Undirected };
        let is_generator = |text: &&str| ["kron:", "urand:", "grid:"].iter().any(|name| text.starts_with(name));
        let csr = match network.graph.to_str().filter(is_generator) {
            Some(_) if network.directed => return Err(Error::GeneratedDirected),
            Some(text) => Csr::generated(text).map_err(wrong)?,
            None => {
                let path = Path::new(&network.graph);
                let text = file::text(path, file::read(path, FILE_BYTES_MAX)?)?;
                Csr::read(&text, kind, weights).map_err(wrong)?.simple()
            }
        };
        let data = Data {
            ins: Vec::new(),
            outs: network.outs.clone(),
            number: None,
            device: network.device.clone(),
            told: network.told.clone(),
        };
        Ok(Self { data, csr })
    }

    fn desk(&self, piece: &'static str, gives: &[&'static str]) -> Result<(Desk<'_>, Resident), Error> {
        let desk = Desk::new(&self.data, piece, &[], gives)?;
        let resident = Resident::new(desk.kit().runtime(), &self.csr)?;
        Ok((desk, resident))
    }
}

pub(super) fn reached(network: &Network, from: u32) -> Result<(), Error> {
    let asked = Asked::new(network, Weights::Left)?;
    let (mut desk, graph) = asked.desk("bfs", &["dist"])?;
    let dist = desk.empty(graph.vertices())?;
    bfs::search(&desk.kit(), &graph, from, &dist)?;
    desk.put("dist", &dist, dist.len())?;
    desk.end()
}

pub(super) fn shortest(network: &Network, from: u32, delta: Option<u32>) -> Result<(), Error> {
    let asked = Asked::new(network, Weights::Read)?;
    let (mut desk, graph) = asked.desk("sssp", &["dist"])?;
    let dist = desk.empty(graph.vertices())?;
    sssp::search(&desk.kit(), &graph, from, delta, &dist)?;
    desk.put("dist", &dist, dist.len())?;
    desk.end()
}

pub(super) fn parts(network: &Network) -> Result<(), Error> {
    let asked = Asked::new(network, Weights::Left)?;
    let (mut desk, graph) = asked.desk("components", &["component"])?;
    let component = desk.empty(graph.vertices())?;
    components::find(&desk.kit(), &graph, &component)?;
    desk.put("component", &component, component.len())?;
    desk.end()
}

pub(super) fn ranked(network: &Network, how: pagerank::How) -> Result<(), Error> {
    let asked = Asked::new(network, Weights::Left)?;
    let (mut desk, graph) = asked.desk("pagerank", &["ranks"])?;
    let ranks = desk.empty(graph.vertices())?;
    pagerank::rank(&desk.kit(), &graph, how, &ranks)?;
    desk.put("ranks", &ranks, ranks.len())?;
    desk.end()
}

pub(super) fn triangles(network: &Network) -> Result<(), Error> {
    let asked = Asked::new(network, Weights::Left)?;
    let (mut desk, graph) = asked.desk("triangles", &["count"])?;
    let count = seawall_kit::triangles::count(&desk.kit(), &graph)?;
    desk.put_one("count", count)?;
    desk.end()
}

pub(super) fn between(network: &Network, from: &[u32]) -> Result<(), Error> {
    let asked = Asked::new(network, Weights::Left)?;
    let (mut desk, graph) = asked.desk("betweenness", &["scores"])?;
    let scores = desk.empty(graph.vertices())?;
    let all: Vec<u32> = if from.is_empty() { (0..graph.vertices() as u32).collect() } else { from.to_vec() };
    betweenness::score(&desk.kit(), &graph, &all, &scores)?;
    desk.put("scores", &scores, scores.len())?;
    desk.end()
}

pub(super) fn rows(network: &Network, weights: bool) -> Result<(), Error> {
    let asked = Asked::new(network, if weights { Weights::Read } else { Weights::Left })?;
    let (csr, mut desk) = (&asked.csr, Desk::new(&asked.data, "graph", &[], &["offsets", "edges", "weights"])?);
    let mut all = vec![("offsets", csr.offsets()), ("edges", csr.edges())];
    if csr.weights().len() == csr.edges().len() {
        all.push(("weights", csr.weights()));
    }
    for (name, numbers) in all {
        let buffer = desk.kit().runtime().buffer_from(numbers)?;
        desk.put(name, &buffer, numbers.len())?;
    }
    desk.end()
}
