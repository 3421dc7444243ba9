//! Ten thousand small waves, a thousand layers of ten, as one graph on the CPU device: what
//! planning and running them costs, and what a boundary between two groups adds.

mod peers;

use std::fmt::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use bytemuck::cast_slice;
use peers::Peers;
use seawall::device::Device;
use seawall::route::Asker;
use seawall::{Compiled, Graph, Kernel, Runtime};

use crate::error::Error;
use crate::kernels::peer::OURS;
use crate::race::{Lap, race, timed};
use crate::report::{Figures, Report, Row};
use crate::results::Results;

const CALLS: &str = "calls";

const CHAINS: u32 = 10;
const LAYERS: u32 = 1000;
const WIDTH: u32 = 64;
const BOUNDARY_WORKGROUPS: u32 = 2;
/// The same waves in so many times fewer groups.
const BOUNDARY_FEWER: u32 = 4;
const CHAIN_BYTES: u64 = WIDTH as u64 * 4;

const NO_FIGURE: Figures = Figures { ratios: &[], ms_max: None };
const BOUNDARY: Figures = Figures { ratios: &[], ms_max: Some(0.002) };

/// A wave: one workgroup that counts up the 64 words of its chain.
const COUNT: &str = "@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) { x[id.x] += 1u; }";

/// The same, but it takes a while, so that a thread has more to do than to fetch its words.
const BUSY: &str = "@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    var v = x[id.x];
    for (var i = 0u; i < 600u; i++) { v = v * 1664525u + 1013904223u; }
    x[id.x] = v;
}";

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only these rows: run, plan, boundary, results.
    #[arg(long, value_name = "ROW,...", value_delimiter = ',')]
    only: Vec<String>,
    /// Also writes the results to a file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

impl Arguments {
    fn wants(&self, row: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == row)
    }
}

pub(crate) fn run(rounds: u32, arguments: &Arguments) -> Result<(), Error> {
    let runtime = Runtime::builder().device("cpu").open()?;
    let device = runtime.registry().choose(Some(("cpu", Asker::Caller)))?.device;
    let kernel = runtime.kernel(COUNT)?;
    let mut missing = Vec::new();
    let mut peers = Peers::open(&runtime, &mut missing)?;
    let mut contenders = vec![(OURS, format!("cpu: {}; one graph", runtime.caps().name))];
    contenders.extend(peers.notes());
    let mut report = Report::begin(rounds, contenders, missing);
    let mut add = |name, size, figures, laps| report.add(Row { name, size, figures, laps });

    let ready = runtime.compile(&layered(&kernel, CHAINS, 1))?;
    go(&ready)?;
    for chain in 0..CHAINS {
        counted(OURS, cast_slice(&ready.persistent::<u32>(&chain_name(chain))?.to_vec()?))?;
    }
    if arguments.wants("run") {
        let again = timed(OURS, 1, || go(&ready));
        add("run", "10,000 waves, compiled", NO_FIGURE, peers.race(rounds, again)?);
    }
    if arguments.wants("plan") {
        let first = timed(OURS, 1, || go(&runtime.compile(&layered(&kernel, CHAINS, 1))?));
        add("plan and run", "10,000 waves", NO_FIGURE, peers.race(rounds, first)?);
    }
    if arguments.wants("boundary") {
        add("boundary", "between two groups", BOUNDARY, boundary(rounds, &runtime)?);
    }
    if arguments.wants("results") {
        add("results", "10,000, 4 to 64 bytes", NO_FIGURE, results(rounds, &*device)?);
    }
    arguments.json.as_deref().map_or(Ok(()), |path| report.write(path))
}

fn go(graph: &Compiled) -> Result<(), Error> {
    graph.call().run()?;
    Ok(())
}

/// Every word must be the number of layers.
fn counted(peer: &'static str, words: &[u8]) -> Result<(), Error> {
    let words = words.chunks_exact(4).map(bytemuck::pod_read_unaligned::<u32>);
    match words.into_iter().find(|word| *word != LAYERS) {
        None => Ok(()),
        Some(word) => {
            let difference = format!("{word} instead of {LAYERS}");
            Err(Error::Differs { case: "run", peer, buffer: "x", difference })
        }
    }
}

/// What a group more costs where the work stays the same: ten thousand waves in a thousand groups and
/// in a quarter of them. One thread alone has to take longer, or else the others did nothing.
fn boundary(rounds: u32, runtime: &Runtime) -> Result<Vec<Lap>, Error> {
    let kernel = runtime.kernel(BUSY)?;
    let [many, few] = [CHAINS, CHAINS * BOUNDARY_FEWER].map(|chains| layered(&kernel, chains, BOUNDARY_WORKGROUPS));
    let alone = Runtime::builder().device("cpu").threads(NonZeroUsize::MIN).open()?.compile(&few)?;
    let (many, few) = (runtime.compile(&many)?, runtime.compile(&few)?);
    let contenders = vec![timed(OURS, 1, || go(&many)), timed("few", 1, || go(&few)), timed("alone", 1, || go(&alone))];
    let laps = race(rounds, contenders)?;
    let [many, few, alone] = [&laps[0], &laps[1], &laps[2]].map(|lap| lap.best);
    println!("  {LAYERS} groups take {many:.1?}, a quarter of them {few:.1?}; on one thread {alone:.1?}");
    Ok(vec![Lap { name: OURS, best: many.saturating_sub(few) / (LAYERS - LAYERS / BOUNDARY_FEWER) }])
}

/// One plan against one read for each.
fn results(rounds: u32, device: &dyn Device) -> Result<Vec<Lap>, Error> {
    let results = Results::new(device, 1)?;
    let bytes = results.plan.compact_bytes as usize;
    let (mut packed, mut each) = (vec![0; bytes], vec![0; bytes]);
    let contenders = vec![
        timed(OURS, 1, || results.read(&mut packed)),
        timed(CALLS, 1, || {
            results.each(&mut each, |at, offset, to| Ok(device.read(&results.buffers[at], offset, to)?))
        }),
    ];
    let laps = race(rounds, contenders)?;
    if packed != each {
        return Err(Error::Differs {
            case: "results",
            peer: CALLS,
            buffer: "slab",
            difference: "other bytes".to_owned(),
        });
    }
    Ok(laps)
}

fn chain_name(chain: u32) -> String {
    format!("chain {chain}")
}

/// Ten thousand waves. Each changes its chain, so that it has to come after the one before it there.
fn layered(kernel: &Arc<Kernel>, chains: u32, workgroups: u32) -> Graph {
    let names: Vec<String> = (0..chains).map(chain_name).collect();
    let mut graph = Graph::new();
    for name in &names {
        graph.persistent::<u32>(name, (WIDTH * workgroups) as usize);
    }
    let mut wave = String::new();
    for (at, name) in (0..CHAINS * LAYERS).zip(names.iter().cycle()) {
        wave.clear();
        let _ = write!(wave, "wave {at}");
        graph.wave(&wave, kernel).bind("x", name).workgroups(workgroups);
    }
    graph
}
