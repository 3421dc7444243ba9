//! Searches in graphs of 262,144 vertices, as the examples write them: the device decides everything,
//! the host waits for the end.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use bytemuck::Pod;
use seawall::{Buffer, Compiled, Graph, Runtime};

use super::gapbs::Gapbs;
use super::pagerank::How;
use super::{Csr, GAPBS, RUST, bfs, components, pagerank, rust, sssp};
use crate::error::Error;
use crate::kernels::peer::OURS;
use crate::race::{Lap, race, timed};
use crate::report::{Figures, Report, Row};

/// As fast as the peer, or nearly.
const NEARLY: f64 = 1.0 / 1.1;
const SLOWER: f64 = 1.0 / 1.2;
const HOW: How = How { damping: 0.85, tolerance: 1e-4 };

/// One graph, on the device and for the peers.
struct Bench<'a> {
    rounds: u32,
    size: &'static str,
    csr: &'a Csr,
    runtime: &'a Runtime,
    offsets: Buffer<u32>,
    edges: Buffer<u32>,
    gapbs: Option<(&'a Gapbs, PathBuf)>,
}

/// Widths of buckets: for each contender the best of 2, 4, 8 and so on, on these graphs.
const DELTA: u32 = 16;
const DELTA_RUST: u32 = 8;
const DELTA_GAPBS: &str = "16";

pub(super) fn rows(rounds: u32, report: &mut Report, gapbs: Option<&Gapbs>) -> Result<(), Error> {
    let threads = NonZeroUsize::new(2).expect("two is not zero");
    let runtime = Runtime::builder().device("cpu").threads(threads).open()?;
    for (size, csr) in [("kron18", Csr::kronecker(18, 16, 1)), ("urand18", Csr::uniform(18, 16, 2))] {
        let csr = &csr;
        let file = gapbs.map(|gapbs| Ok::<_, Error>((gapbs, gapbs.write(size, csr)?))).transpose()?;
        let (offsets, edges) = (runtime.buffer_from(&csr.offsets)?, runtime.buffer_from(&csr.edges)?);
        let bench = Bench { rounds, size, csr, runtime: &runtime, offsets, edges, gapbs: file };
        bench.bfs(report)?;
        bench.sssp(report)?;
        bench.components(report)?;
        bench.pagerank(report)?;
    }
    Ok(())
}

impl Bench<'_> {
    fn compile(&self, graph: fn(usize, usize) -> Result<Graph, seawall::Error>) -> Result<Compiled, Error> {
        Ok(self.runtime.compile(&graph(self.csr.vertices(), self.csr.edges.len())?)?)
    }

    /// Races ours against the peers; both must have given the same.
    fn race<T: Pod + PartialEq>(
        &self,
        report: &mut Report,
        (name, least): (&'static str, f64),
        ours: impl Fn(&Buffer<T>) -> Result<(), Error>,
        peer: impl Fn() -> Vec<T>,
        (program, more): (&str, &[&str]),
        same: impl Fn(T, T) -> bool,
    ) -> Result<(), Error> {
        let result = self.runtime.buffer::<T>(self.csr.vertices())?;
        ours(&result)?;
        let (got, expected) = (result.to_vec()?, peer());
        if let Some(at) = (0..got.len()).find(|&at| !same(got[at], expected[at])) {
            let difference = format!("vertex {at} of {}", self.size);
            return Err(Error::Differs { case: name, peer: RUST, buffer: "result", difference });
        }
        let contenders = vec![
            timed(OURS, 1, || ours(&result)),
            timed(RUST, 1, || {
                drop(peer());
                Ok(())
            }),
        ];
        let mut laps = race(self.rounds, contenders)?;
        if let Some((gapbs, file)) = &self.gapbs {
            let best = gapbs.best(program, Path::new(file), self.rounds, more)?;
            laps.push(Lap { name: GAPBS, best });
        }
        let ratios: &'static [(&'static str, f64)] = match (self.gapbs.is_some(), least == SLOWER) {
            (true, false) => &[(GAPBS, NEARLY)],
            (true, true) => &[(GAPBS, SLOWER)],
            (false, false) => &[(RUST, NEARLY)],
            (false, true) => &[(RUST, SLOWER)],
        };
        report.add(Row { name, size: self.size, figures: Figures { ratios, ms_max: None }, laps });
        Ok(())
    }

    fn bfs(&self, report: &mut Report) -> Result<(), Error> {
        let (compiled, source) = (self.compile(bfs::graph)?, self.csr.hub());
        let ours = |depth: &Buffer<u32>| {
            let call = compiled.call().bind("offsets", &self.offsets).bind("edges", &self.edges);
            Ok(call.bind("depth", depth).set("source", &source).run().map(drop)?)
        };
        let more = ["-r", &source.to_string()];
        self.race(report, ("bfs", NEARLY), ours, || rust::bfs(self.csr, source), ("bfs", &more), |a, b| a == b)
    }

    fn sssp(&self, report: &mut Report) -> Result<(), Error> {
        let (compiled, source) = (self.compile(sssp::graph)?, self.csr.hub());
        let weights = self.runtime.buffer_from(&self.csr.weights)?;
        let ours = |distance: &Buffer<u32>| {
            let call = compiled.call().bind("offsets", &self.offsets).bind("edges", &self.edges);
            let call = call.bind("weights", &weights).bind("distance", distance);
            Ok(call.set("how", &[source, DELTA]).run().map(drop)?)
        };
        let peer = || rust::sssp(self.csr, source, DELTA_RUST);
        let more = ["-r", &source.to_string(), "-d", DELTA_GAPBS];
        self.race(report, ("sssp", SLOWER), ours, peer, ("sssp", &more), |a, b| a == b)
    }

    fn components(&self, report: &mut Report) -> Result<(), Error> {
        let compiled = self.compile(components::graph)?;
        let ours = |component: &Buffer<u32>| {
            let call = compiled.call().bind("offsets", &self.offsets).bind("edges", &self.edges);
            Ok(call.bind("component", component).run().map(drop)?)
        };
        self.race(report, ("components", NEARLY), ours, || rust::components(self.csr), ("cc", &[]), |a, b| a == b)
    }

    fn pagerank(&self, report: &mut Report) -> Result<(), Error> {
        let compiled = self.compile(pagerank::graph)?;
        let ours = |rank: &Buffer<f32>| {
            let call = compiled.call().bind("offsets", &self.offsets).bind("edges", &self.edges);
            Ok(call.bind("rank", rank).set("how", &HOW).run().map(drop)?)
        };
        let peer = || rust::pagerank(self.csr, HOW.damping, HOW.tolerance);
        let more = ["-i", "1000", "-t", "0.0001"];
        // Sums go in another order.
        let close = |a: f32, b: f32| (a - b).abs() <= 1e-3 * b.abs();
        self.race(report, ("pagerank", NEARLY), ours, peer, ("pr_spmv", &more), close)
    }
}
