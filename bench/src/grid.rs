//! What barriers of the whole grid cost: against the same work as waves of a graph, as parallel loops
//! by hand, and as dispatches by hand on a GPU.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use bytemuck::cast_slice;
use seawall::{Compiled, Graph, Kernel, Overrides, Program, Runtime};
use wgpu::BufferUsages;

use crate::error::{Error, Missing};
use crate::inputs::Random;
use crate::kernels::case::{self, Bound, Case, Role, Same};
use crate::kernels::child;
use crate::kernels::peer::{OURS, Peer, RAYON};
use crate::plain::Gpu;
use crate::race::{Contender, Lap, race, timed};
use crate::report::{Figures, Report, Row};

/// The same device, a wave for each stretch between two barriers.
const WAVES: &str = "waves";
/// By hand on the same adapter, a dispatch for each.
const PLAIN: &str = "wgpu";

const INVOCATIONS: u32 = 1 << 20;
const TURNS: u32 = 1000;
const SMALL_TURNS: u32 = 10_000;
const SIZE: u32 = 256;
/// What a rayon task takes at a time.
const CHUNK: u32 = 1 << 14;
const GPU_INVOCATIONS: u32 = 1 << 16;
const SCANNED: u32 = 64 << 20;
/// Words of a workgroup of the scan.
const TILE: u32 = 4096;

/// A stretch between two barriers.
const STEP: &str = "@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) { x[id.x] += 1u; }";

const SCAN: &str = include_str!("../kernels/scan_whole.wgsl");

const fn within(ratios: &'static [(&'static str, f64)]) -> Figures {
    Figures { ratios, ms_max: None }
}

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only these rows: large, small, scan, gpu.
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
    let contenders = vec![
        (OURS, format!("cpu: {}; one kernel", runtime.caps().name)),
        (WAVES, "the same device, a wave for each stretch between two barriers, in one graph".to_owned()),
        (RAYON, "a parallel loop for each".to_owned()),
        (PLAIN, "by hand on the GPU device's adapter, a dispatch for each; ours is the GPU device".to_owned()),
    ];
    let mut missing = Vec::new();
    let mut rayon = child::rayon().map_err(|Missing { reason }| missing.push((RAYON, reason))).ok();
    let mut report = Report::begin(rounds, contenders, missing);
    let mut add = |name, size, figures, laps| report.add(Row { name, size, figures, laps });
    if arguments.wants("large") {
        let figures = within(&[(WAVES, 1.0), (RAYON, 1.0 / 1.2)]);
        add("1,000 barriers", "1 M invocations", figures, large(rounds, &runtime, rayon.as_mut())?);
    }
    if arguments.wants("small") {
        for (size, threads, groups, us_max) in
            [("1 workgroup, 1 thread", 1, 1, 1.0), ("1 workgroup, 2 threads", 2, 1, 2.0), ("8 workgroups", 2, 8, 2.0)]
        {
            let figures = Figures { ratios: &[], ms_max: Some(us_max / 1e3) };
            add("barrier", size, figures, small(rounds, threads, groups)?);
        }
    }
    if arguments.wants("scan") {
        add("scan", "64 M words", within(&[(WAVES, 1.0 / 1.1)]), scan(rounds, &runtime)?);
    }
    if arguments.wants("gpu") {
        let figures = || within(&[(PLAIN, 1.0 / 1.2)]);
        add("gpu", "1,000 barriers, 64 K", figures(), gpu(rounds, &stretches(TURNS))?);
        add("gpu", "the same, decided there", figures(), gpu(rounds, &decided(TURNS))?);
    }
    arguments.json.as_deref().map_or(Ok(()), |path| report.write(path))
}

/// So many stretches in one kernel.
fn stretches(turns: u32) -> String {
    STEP.replace("x[id.x] += 1u;", &format!("for (var i = 0u; i < {turns}u; i++) {{ x[id.x] += 1u; gridBarrier(); }}"))
}

/// The same, but nobody can tell beforehand how many they are.
fn decided(turns: u32) -> String {
    stretches(turns).replace(&format!("i < {turns}u"), &format!("i < arrayLength(&x) - {}u", GPU_INVOCATIONS - turns))
}

/// Every word must have been counted up so often.
fn counted(case: &'static str, peer: &'static str, words: &[u32], times: u32) -> Result<(), Error> {
    match words.iter().find(|word| **word != times) {
        None => Ok(()),
        Some(word) => Err(Error::Differs { case, peer, buffer: "x", difference: format!("{word} instead of {times}") }),
    }
}

fn go(graph: &Compiled) -> Result<(), Error> {
    graph.call().run()?;
    Ok(())
}

/// One wave after the other over the same words.
fn waves(kernel: &Arc<Kernel>, words: u32, count: u32) -> Graph {
    let mut graph = Graph::new();
    graph.persistent::<u32>("x", words as usize);
    for wave in 0..count {
        graph.wave(&format!("wave {wave}"), kernel).bind("x", "x").workgroups(words / SIZE);
    }
    graph
}

fn large(rounds: u32, runtime: &Runtime, rayon: Option<&mut child::Process>) -> Result<Vec<Lap>, Error> {
    const CASE: &str = "1,000 barriers";
    let whole = runtime.compile(&waves(&runtime.kernel(&stretches(TURNS))?, INVOCATIONS, 1))?;
    let apart = runtime.compile(&waves(&runtime.kernel(STEP)?, INVOCATIONS, TURNS))?;
    for (peer, graph) in [(OURS, &whole), (WAVES, &apart)] {
        go(graph)?;
        counted(CASE, peer, &graph.persistent::<u32>("x")?.to_vec()?, TURNS)?;
    }
    let mut contenders = vec![timed(OURS, 1, || go(&whole)), timed(WAVES, 1, || go(&apart))];
    if let Some(rayon) = rayon {
        rayon.load(&loops())?;
        rayon.run(1)?;
        let words: Vec<u32> = bytemuck::pod_collect_to_vec(&rayon.read(1)?);
        counted(CASE, RAYON, &words, TURNS)?;
        contenders.push(Contender { name: RAYON, run: Box::new(|| rayon.run(1)) });
    }
    race(rounds, contenders)
}

/// What the peer in hand-written Rust is given.
fn loops() -> Case {
    let params = case::Buffer { name: "params", role: Role::Uniform, bytes: cast_slice(&[CHUNK, TURNS]).to_vec() };
    let words = vec![0; INVOCATIONS as usize * 4];
    Case {
        name: "layers",
        size: "",
        bound: Bound::Call,
        wgsl: STEP,
        opencl: "",
        buffers: vec![params, case::Buffer { name: "x", role: Role::Output, bytes: words }],
        workgroup: [SIZE, 1, 1],
        grid: [INVOCATIONS / SIZE, 1, 1],
        same: Same::Bits,
        repeat: 1,
    }
}

/// What one barrier takes where there is next to nothing between two of them.
fn small(rounds: u32, threads: usize, groups: u32) -> Result<Vec<Lap>, Error> {
    let threads = NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN);
    let runtime = Runtime::builder().device("cpu").threads(threads).open()?;
    let graph = runtime.compile(&waves(&runtime.kernel(&stretches(SMALL_TURNS))?, groups * SIZE, 1))?;
    go(&graph)?;
    counted("barrier", OURS, &graph.persistent::<u32>("x")?.to_vec()?, SMALL_TURNS)?;
    let laps = race(rounds, vec![timed(OURS, 1, || go(&graph))])?;
    Ok(laps.into_iter().map(|lap| Lap { best: lap.best / SMALL_TURNS, ..lap }).collect())
}

fn scan(rounds: u32, runtime: &Runtime) -> Result<Vec<Lap>, Error> {
    let program = Program::wgsl(SCAN)?;
    let groups = SCANNED / TILE;
    let random = &mut Random::new(15);
    let x: Vec<u32> = (0..SCANNED).map(|_| random.word()).collect();
    let [whole, apart] = [&["whole"] as &[&str], &["sum", "base", "add"]].map(|entries| {
        let mut graph = Graph::new();
        graph.persistent::<u32>("x", x.len()).persistent::<u32>("y", x.len());
        graph.persistent::<u32>("sums", groups as usize);
        for entry in entries {
            let kernel = program.kernel(entry, &Overrides::new())?;
            let mut wave = graph.wave(entry, &kernel);
            wave.workgroups(if *entry == "base" { 1 } else { groups });
            for row in &kernel.buffers {
                wave.bind(&row.name, row.name.as_str());
            }
        }
        let compiled = runtime.compile(&graph)?;
        compiled.persistent::<u32>("x")?.write(0, &x)?;
        Ok::<_, Error>(compiled)
    });
    let (whole, apart) = (whole?, apart?);
    let mut sum = 0_u32;
    let mut expected = x;
    for word in &mut expected {
        sum = sum.wrapping_add(*word);
        *word = sum;
    }
    for (peer, graph) in [(OURS, &whole), (WAVES, &apart)] {
        go(graph)?;
        if graph.persistent::<u32>("y")?.to_vec()? != expected {
            let difference = "other sums than one after the other".to_owned();
            return Err(Error::Differs { case: "scan", peer, buffer: "y", difference });
        }
    }
    race(rounds, vec![timed(OURS, 1, || go(&whole)), timed(WAVES, 1, || go(&apart))])
}

fn gpu(rounds: u32, text: &str) -> Result<Vec<Lap>, Error> {
    let runtime = Runtime::builder().device("gpu").open()?;
    let name = runtime.caps().name.clone();
    let gpu = Gpu::open(|info| info.name == name)?;
    let graph = runtime.compile(&waves(&runtime.kernel(text)?, GPU_INVOCATIONS, 1))?;
    let plain = gpu.buffer(&vec![0; GPU_INVOCATIONS as usize * 4], BufferUsages::STORAGE);
    let job = gpu.job(STEP, std::slice::from_ref(&plain), [GPU_INVOCATIONS / SIZE, 1, 1])?;
    let by_hand = || Ok(gpu.run_all(std::iter::repeat_n(&job, TURNS as usize))?);
    go(&graph)?;
    by_hand()?;
    counted("gpu", OURS, &graph.persistent::<u32>("x")?.to_vec()?, TURNS)?;
    counted("gpu", PLAIN, &bytemuck::pod_collect_to_vec::<u8, u32>(&gpu.read(&plain)?), TURNS)?;
    race(rounds, vec![timed(OURS, 1, || go(&graph)), timed(PLAIN, 1, by_hand)])
}
