//! Algorithms on graphs of a million vertices, beside GAPBS and plain Rust on two threads: the device decides everything,
//! the host waits for the end.

mod gapbs;
mod rust;

use std::num::NonZeroUsize;

use bytemuck::Pod;
use seawall::{Buffer, Runtime};
use seawall_kit::csr::Csr;
use seawall_kit::pagerank::How;
use seawall_kit::{Kit, Resident, betweenness, bfs, components, pagerank, sssp, triangles};

use self::gapbs::Gapbs;
use crate::error::{Error, Missing};
use crate::race::{Lap, race, timed};

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
        let bench = Bench { rounds, size, csr, graph, kit: &kit, gapbs: gapbs.as_ref() };
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
        for peer in &laps[1..] {
            super::tell(name, self.size, (laps[0].ms(), peer.ms()), peer.name);
        }
        if laps.len() == 1 {
            println!("{name:<14} {:<26} {:>9.2} ms", self.size, laps[0].ms());
        }
        Ok(())
    }
}
