//! wgpu programs on Seawall's instance and on lavapipe: the same calls of wgpu, on another instance.

mod libraries;

use std::path::PathBuf;

use wgpu::BufferUsages;

use crate::error::Error;
use crate::inputs::Random;
use crate::kernels::peer::{LAVAPIPE, OURS};
use crate::plain::{Gpu, Job};
use crate::race::{Contender, race, timed};
use crate::report::{Figures, Report, Row};

const CALLS: u32 = 200;
const DISPATCHES: usize = 1000;

/// One more for each dispatch, so that each depends on the one before it.
const COUNT: &str = "@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@compute @workgroup_size(1) fn main() { x[0] += 1u; }";

/// Sums of blocks, and sums of those before each block.
const SCAN: &str = include_str!("../kernels/scan.wgsl");
const BLOCK: usize = 512;
const ADD: &str = "@group(0) @binding(0) var<storage, read_write> o: array<u32>;
@group(0) @binding(1) var<storage, read> sums: array<u32>;
@compute @workgroup_size(512)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(workgroup_id) group: vec3u) {
    if id.x < arrayLength(&o) { o[id.x] += sums[group.x]; }
}";

/// One step of a sorting network (Batcher, 1968), as it is usually written.
const SWAP: &str = "struct Step { span: u32, apart: u32 }
@group(0) @binding(0) var<storage, read_write> o: array<u32>;
@group(0) @binding(1) var<uniform> step: Step;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let other = i ^ step.apart;
    if other > i {
        let a = o[i];
        let b = o[other];
        if (a > b) == ((i & step.span) == 0u) { o[i] = b; o[other] = a; }
    }
}";

const MATMUL: &str = include_str!("../kernels/matmul.wgsl");

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only these rows: dispatch, submission, scan, sort, matmul; with libraries, lampshade-scan, lampshade-sort,
    /// burn-matmul.
    #[arg(long, value_name = "ROW,...", value_delimiter = ',')]
    only: Vec<String>,
    /// Builds libraries that compute by wgpu, which takes minutes once, and races them as well.
    #[arg(long)]
    libraries: bool,
    /// Also writes the results to a file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// A wgpu program: its dispatches in order, so many times, and what it computes.
struct Program {
    jobs: Vec<Job>,
    times: usize,
    result: wgpu::Buffer,
}

impl Program {
    fn run(&self, gpu: &Gpu) -> Result<(), Error> {
        Ok(gpu.run_all((0..self.times).flat_map(|_| &self.jobs))?)
    }
}

struct Case {
    name: &'static str,
    size: &'static str,
    /// Times as fast as lavapipe, at least.
    figures: Figures,
    /// How often it runs for one time.
    times: u32,
    make: fn(&Gpu) -> Result<Program, Error>,
}

const CASES: [Case; 5] = [
    Case {
        name: "dispatch",
        size: "one, waited for",
        figures: wanted(&[(LAVAPIPE, 5.0)]),
        times: CALLS,
        make: dispatch,
    },
    Case {
        name: "submission",
        size: "1000 dispatches",
        figures: wanted(&[(LAVAPIPE, 20.0)]),
        times: 1,
        make: submission,
    },
    Case { name: "scan", size: "16 M words", figures: wanted(&[(LAVAPIPE, 3.0)]), times: 1, make: scan },
    Case { name: "sort", size: "1 M words, 210 steps", figures: wanted(&[(LAVAPIPE, 3.0)]), times: 1, make: sort },
    Case { name: "matmul", size: "1024 x 1024", figures: wanted(&[(LAVAPIPE, 3.0)]), times: 1, make: matmul },
];

const fn wanted(ratios: &'static [(&'static str, f64)]) -> Figures {
    Figures { ratios, ms_max: None }
}

pub(crate) fn run(rounds: u32, arguments: &Arguments) -> Result<(), Error> {
    let known: Vec<&str> = CASES.iter().map(|case| case.name).chain(libraries::ALL.map(|(name, _)| name)).collect();
    if let Some(name) = arguments.only.iter().find(|only| !known.contains(&only.as_str())) {
        return Err(Error::Unknown { name: name.clone(), known: known.join(", ") });
    }
    let wanted = |name: &str| arguments.only.is_empty() || arguments.only.iter().any(|only| only == name);
    let (ours, lavapipe) = (Gpu::seawall()?, Gpu::software()?);
    let contenders = vec![(OURS, ours.about.clone()), (LAVAPIPE, lavapipe.about.clone())];
    let mut report = Report::begin(rounds, contenders, Vec::new());
    for Case { name, size, figures, times, make } in CASES {
        if !wanted(name) {
            continue;
        }
        let (mine, other) = (make(&ours)?, make(&lavapipe)?);
        mine.run(&ours)?;
        other.run(&lavapipe)?;
        agree(name, &ours.read(&mine.result)?, &lavapipe.read(&other.result)?)?;
        let contenders: Vec<Contender<'_, Error>> =
            vec![timed(OURS, times, || mine.run(&ours)), timed(LAVAPIPE, times, || other.run(&lavapipe))];
        report.add(Row { name, size, figures, laps: race(rounds, contenders)? });
    }
    if arguments.libraries || libraries::ALL.iter().any(|(name, _)| arguments.only.iter().any(|only| only == name)) {
        libraries::run(rounds, wanted, &mut report)?;
    }
    arguments.json.as_deref().map_or(Ok(()), |path| report.write(path))
}

/// Words are the same; sums of products within what rounding them once or twice makes of them.
fn agree(case: &'static str, ours: &[u8], other: &[u8]) -> Result<(), Error> {
    let differs = |difference| Err(Error::Differs { case, peer: LAVAPIPE, buffer: "the result", difference });
    if case != "matmul" {
        return if ours == other { Ok(()) } else { differs("other words".to_owned()) };
    }
    let number = |bytes: &[u8]| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    let numbers = ours.chunks_exact(4).map(number).zip(other.chunks_exact(4).map(number));
    match { numbers }.find(|(a, b)| (a - b).abs() > 1e-3 * a.abs().max(1.0)) {
        None => Ok(()),
        Some((a, b)) => differs(format!("{a} and {b}")),
    }
}

fn dispatch(gpu: &Gpu) -> Result<Program, Error> {
    let x = gpu.buffer(&[0; 4], BufferUsages::STORAGE);
    Ok(Program { jobs: vec![gpu.job(COUNT, std::slice::from_ref(&x), [1, 1, 1])?], times: 1, result: x })
}

fn submission(gpu: &Gpu) -> Result<Program, Error> {
    Ok(Program { times: DISPATCHES, ..dispatch(gpu)? })
}

/// Down over sums of sums, and up again.
fn scan(gpu: &Gpu) -> Result<Program, Error> {
    let mut random = Random::new(1);
    let words: Vec<u32> = (0..1 << 24).map(|_| random.below(16)).collect();
    let mut levels = vec![gpu.buffer(bytemuck::cast_slice(&words), BufferUsages::STORAGE)];
    let (mut down, mut up) = (Vec::new(), Vec::new());
    loop {
        let level = &levels[levels.len() - 1];
        let blocks = (level.size() as usize / 4).div_ceil(BLOCK);
        let sums = gpu.buffer(&vec![0; 4 * blocks], BufferUsages::STORAGE);
        let bound = [level.clone(), sums.clone()];
        let grid = [blocks as u32, 1, 1];
        down.push(gpu.job(SCAN, &bound, grid)?);
        if blocks == 1 {
            break;
        }
        up.push(gpu.job(ADD, &bound, grid)?);
        levels.push(sums);
    }
    down.extend(up.into_iter().rev());
    Ok(Program { jobs: down, times: 1, result: levels.swap_remove(0) })
}

fn sort(gpu: &Gpu) -> Result<Program, Error> {
    const WORDS: u32 = 1 << 20;
    let mut random = Random::new(2);
    let words: Vec<u32> = (0..WORDS).map(|_| random.word()).collect();
    let words = gpu.buffer(bytemuck::cast_slice(&words), BufferUsages::STORAGE);
    let mut jobs = Vec::new();
    for log in 1..=WORDS.ilog2() {
        for apart in (0..log).rev() {
            let step = gpu.buffer(bytemuck::cast_slice(&[1u32 << log, 1 << apart]), BufferUsages::UNIFORM);
            jobs.push(gpu.job(SWAP, &[words.clone(), step], [WORDS / 256, 1, 1])?);
        }
    }
    Ok(Program { jobs, times: 1, result: words })
}

fn matmul(gpu: &Gpu) -> Result<Program, Error> {
    const N: u32 = 1024;
    let mut random = Random::new(3);
    let mut matrix = || (0..N * N).map(|_| random.unit()).collect::<Vec<f32>>();
    let [a, b] = [matrix(), matrix()].map(|matrix| gpu.buffer(bytemuck::cast_slice(&matrix), BufferUsages::STORAGE));
    let n = gpu.buffer(bytemuck::bytes_of(&N), BufferUsages::UNIFORM);
    let c = gpu.buffer(&vec![0; 4 * (N * N) as usize], BufferUsages::STORAGE);
    Ok(Program { jobs: vec![gpu.job(MATMUL, &[n, a, b, c.clone()], [N / 16, N / 16, 1])?], times: 1, result: c })
}
