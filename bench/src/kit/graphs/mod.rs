//! Algorithms on graphs of a million vertices, beside GAPBS, the crate `graph` and plain Rust on two threads: the device decides everything,
//! the host waits for the end.

mod gapbs;
mod rust;

use std::cell::RefCell;
use std::num::NonZeroUsize;

use bytemuck::{Pod, cast_slice};
use seawall::{Buffer, Runtime};
use seawall_kit::csr::Csr;
use seawall_kit::pagerank::How;
use seawall_kit::{Kit, Resident, betweenness, bfs, components, pagerank, sssp, triangles};

use self::gapbs::Gapbs;
use crate::error::{Error, Missing};
use crate::kernels::case::{Case, Same};
use crate::kernels::child::{self, Process};
use crate::kernels::peer::{GRAPH, Peer};
use crate::race::{Contender, Lap, race, timed};

const RUST: &str = "rust";
const GAPBS: &str = "GAPBS";

const NAMES: [&str; 6] = ["bfs", "sssp", "components", "pagerank", "triangles", "betweenness"];

/// As far as GAPBS's own answers are asked about; ours are compared with plain Rust's or its number.
#[derive(Clone, Copy, PartialEq)]
enum Answer<'a> {
    /// It checks itself.
    Own,
    /// It says so.
    Says(&'a str),
}

/// Widths of buckets: for each contender the best of 2, 4, 8 and so on, on these graphs.
const DELTA_RUST: u32 = 8;
const DELTA_GAPBS: &str = "16";

/// One graph, on the device and for the peers.
struct Bench<'a> {
    rounds: u32,
    size: &'static str,
    csr: &'a Csr,
    graph: Resident,
    kit: &'a Kit<'a>,
    gapbs: Option<&'a Gapbs>,
    /// The crate `graph`, which keeps what it was given last.
    crate_graph: Option<&'a RefCell<Process>>,
}

pub(super) fn run(rounds: u32, scale: u32, wanted: &dyn Fn(&str) -> bool) -> Result<(), Error> {
    if !NAMES.iter().any(|name| wanted(name)) {
        return Ok(());
    }
    let gapbs = match Gapbs::open() {
        Ok(gapbs) => Some(gapbs),
        Err(Missing { reason }) => {
            println!("no {GAPBS}: {reason}");
            None
        }
    };
    let crate_graph = match child::graphs() {
        Ok(process) => Some(RefCell::new(process)),
        Err(Missing { reason }) => {
            println!("no {GRAPH}: {reason}");
            None
        }
    };
    let two = NonZeroUsize::new(2).expect("two is not zero");
    let runtime = Runtime::builder().device("cpu").threads(two).open()?;
    let kit = Kit::new(&runtime);
    for size in ["kron", "urand"] {
        let csr = if size == "kron" { Csr::kronecker(scale, 16, 1)? } else { Csr::uniform(scale, 16, 2)? };
        let csr = &csr.weighed_by(1);
        if let Some(gapbs) = &gapbs {
            gapbs.write(csr)?;
        }
        let graph = Resident::new(&runtime, csr)?;
        let bench =
            Bench { rounds, size, csr, graph, kit: &kit, gapbs: gapbs.as_ref(), crate_graph: crate_graph.as_ref() };
        for name in NAMES.into_iter().filter(|name| wanted(name)) {
            bench.row(name)?;
        }
    }
    Ok(())
}

fn equal(a: &[u32], b: &[u32]) -> Result<(), String> {
    a.iter().zip(b).position(|(a, b)| a != b).map_or(Ok(()), |at| Err(format!("vertex {at}")))
}

impl Bench<'_> {
    fn row(&self, name: &'static str) -> Result<(), Error> {
        let (Self { csr, graph, kit, .. }, source) = (self, self.csr.hub());
        let from = source.to_string();
        let from = ["-r", &from];
        match name {
            "bfs" => {
                let ours = |dist: &Buffer<u32>| Ok(bfs::search(kit, graph, source, dist).map(drop)?);
                self.race(name, ours, || rust::bfs(csr, source), ("bfs", &from), equal)
            }
            "sssp" => {
                let ours = |dist: &Buffer<u32>| Ok(sssp::search(kit, graph, source, None, dist)?);
                let more = [&from[..], &["-d", DELTA_GAPBS]].concat();
                self.race(name, ours, || rust::sssp(csr, source, DELTA_RUST), ("sssp", &more), equal)
            }
            "components" => {
                let ours = |component: &Buffer<u32>| Ok(components::find(kit, graph, component)?);
                self.race(name, ours, || rust::components(csr), ("cc", &[]), equal)
            }
            "pagerank" => {
                let how = How::default();
                let ours = |ranks: &Buffer<f32>| Ok(pagerank::rank(kit, graph, how, ranks).map(drop)?);
                let peer = || rust::pagerank(csr, how.damping, how.tolerance);
                // Both stop when ranks hardly move, but come there by other turns.
                let settled =
                    |a: &[f32], b: &[f32]| pagerank::verify(csr, how, a).and_then(|()| pagerank::verify(csr, how, b));
                self.race(name, ours, peer, ("pr", &["-i", "1000", "-t", "0.0001"]), settled)
            }
            "triangles" => {
                let count = triangles::count(kit, graph)?;
                let ours = || -> Result<(), Error> { Ok(triangles::count(kit, graph).map(drop)?) };
                let laps = race(self.rounds, vec![timed("seawall", 1, ours)])?;
                self.tell(name, laps, "tc", &[], Answer::Says(&format!("{count} triangles")))
            }
            _ => {
                let scores = kit.runtime().buffer::<f32>(csr.vertices())?;
                let ours = || -> Result<(), Error> { Ok(betweenness::score(kit, graph, &[source], &scores)?) };
                let laps = race(self.rounds, vec![timed("seawall", 1, ours)])?;
                let wrong = |difference| Error::Differs { case: name, peer: RUST, buffer: "scores", difference };
                betweenness::verify(csr, &[source], &scores.to_vec()?).map_err(wrong)?;
                self.tell(name, laps, "bc", &from, Answer::Own)
            }
        }
    }

    /// Races ours against plain Rust; what both gave is checked.
    fn race<T: Pod + PartialEq>(
        &self,
        name: &'static str,
        ours: impl Fn(&Buffer<T>) -> Result<(), Error>,
        peer: impl Fn() -> Vec<T>,
        (program, more): (&str, &[&str]),
        check: impl Fn(&[T], &[T]) -> Result<(), String>,
    ) -> Result<(), Error> {
        let result = self.kit.runtime().buffer::<T>(self.csr.vertices())?;
        ours(&result)?;
        let (got, expected) = (result.to_vec()?, peer());
        check(&got, &expected).map_err(|difference| {
            let difference = format!("{}: {difference}", self.size);
            Error::Differs { case: name, peer: RUST, buffer: "result", difference }
        })?;
        let rust = || {
            drop(peer());
            Ok(())
        };
        let laps = race(self.rounds, vec![timed("seawall", 1, || ours(&result)), timed(RUST, 1, rust)])?;
        self.tell(name, laps, program, more, Answer::Own)
    }

    /// Lets GAPBS race too, and prints a row for each peer.
    fn tell(
        &self,
        name: &'static str,
        mut laps: Vec<Lap>,
        program: &str,
        more: &[&str],
        answer: Answer<'_>,
    ) -> Result<(), Error> {
        if let Some(gapbs) = self.gapbs {
            laps.push(Lap { name: GAPBS, best: gapbs.best(program, self.rounds, more, answer)? });
        }
        laps.extend(self.by_crate(name)?);
        for peer in &laps[1..] {
            super::tell(name, self.size, (laps[0].ms(), peer.ms()), peer.name);
        }
        if laps.len() == 1 {
            println!("{name:<14} {:<26} {:>9.2} ms", self.size, laps[0].ms());
        }
        Ok(())
    }

    /// The crate's best time, if it has the algorithm, and its result is right.
    fn by_crate(&self, name: &'static str) -> Result<Option<Lap>, Error> {
        let Some(process) = self.crate_graph.filter(|_| !["bfs", "betweenness"].contains(&name)) else {
            return Ok(None);
        };
        let (csr, source, how) = (self.csr, self.csr.hub(), How::default());
        let params = match name {
            "sssp" => [source, DELTA_RUST],
            _ => [how.damping.to_bits(), how.tolerance.to_bits()],
        };
        let inputs = [csr.offsets(), csr.edges(), csr.weights(), &params].map(|words| cast_slice(words).to_vec());
        let mut peer = process.borrow_mut();
        peer.load(&Case::of_program(name, self.size, inputs.to_vec(), Same::Bits))?;
        let laps = race(self.rounds, vec![Contender { name: GRAPH, run: Box::new(|| peer.run(1)) }])?;
        let bytes = peer.read(4)?;
        let mut words: Vec<u32> = bytes.as_chunks().0.iter().map(|&word| u32::from_ne_bytes(word)).collect();
        // It knows of no vertices beyond the last that has an edge.
        let vertices = csr.vertices();
        match name {
            "sssp" => words.resize(vertices, u32::MAX),
            "components" => words.extend(words.len() as u32..vertices as u32),
            "pagerank" => words.resize(vertices, ((1.0 - how.damping) / vertices as f32).to_bits()),
            _ => {}
        }
        let right = match name {
            "sssp" => sssp::verify(csr, source, &words),
            "components" => components::verify(csr, &lowest(&words)),
            "pagerank" => pagerank::verify(csr, how, cast_slice(&words)),
            _ => {
                let (ours, theirs) =
                    (triangles::count(self.kit, &self.graph)?, u64::from(words[1]) << 32 | u64::from(words[0]));
                if ours == theirs { Ok(()) } else { Err(format!("{theirs} triangles, not {ours}")) }
            }
        };
        right.map_err(|difference| Error::Differs { case: name, peer: GRAPH, buffer: "result", difference })?;
        Ok(laps.into_iter().next())
    }
}

/// Components by their lowest vertex, whichever stands for them.
fn lowest(found: &[u32]) -> Vec<u32> {
    let mut first = vec![u32::MAX; found.len()];
    for (v, &of) in found.iter().enumerate() {
        first[of as usize] = first[of as usize].min(v as u32);
    }
    found.iter().map(|&of| first[of as usize]).collect()
}
