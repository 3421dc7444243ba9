//! What control costs that the device decides: waves over grids that it finds, turns of loops, and a search of many
//! levels, against hosts that decide.

mod path;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use bytemuck::cast_slice;
use seawall::device::{self, Control, Device as _, Io, Loaded};
use seawall::schedule::{Binding, Buffer, BufferId, KernelId, Life, Schedule, Step, Test};
use seawall_core::program::{Overrides, Program};
use seawall_cpu::{Config, Device};

use crate::error::{Error, Missing};
use crate::gpu;
use crate::kernels::peer::OURS;
use crate::race::{Lap, race, timed};
use crate::report::{Figures, Report, Row};

const HOST: &str = "host loop";

/// Waves or turns of one run.
const TIMES: u32 = 10_000;
const WIDTH: u32 = 64;
const LIMIT: u32 = 65_535;

/// A wave: it counts up the 64 words of its buffer.
const COUNT: &str = "@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) { x[id.x] += 1u; }";

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only these rows: turns, path, levels.
    #[arg(long, value_name = "ROW,...", value_delimiter = ',')]
    only: Vec<String>,
    /// Also writes the results to a file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// What is done again and again.
#[derive(Clone, Copy)]
enum Work {
    /// A group with a wave that finds so many workgroups.
    Wave(u32),
    /// A turn of a loop, which asks a word each time, with such a wave in its body.
    Turn(u32),
    /// A turn with nothing in it.
    Empty,
}

impl Work {
    fn workgroups(self) -> u32 {
        match self {
            Self::Wave(count) | Self::Turn(count) => count,
            Self::Empty => 0,
        }
    }

    fn steps(self) -> Vec<Step> {
        let wave =
            Step::DispatchIndirect { kernel: KernelId(0), args: DECIDES, limit: [LIMIT, 1, 1], bindings: vec![X] };
        // The second word of a grid, which is one.
        let test = Test { word: Binding { offset: 4, bytes: 4, ..DECIDES }, zero: false };
        let begin = Step::Loop { test: Some(test), limit: TIMES };
        match self {
            Self::Wave(_) => (0..TIMES).flat_map(|_| [wave.clone(), Step::Barrier]).collect(),
            Self::Turn(_) => vec![begin, wave, Step::End],
            Self::Empty => vec![begin, Step::End],
        }
    }
}

/// A row of the table.
struct Case {
    name: &'static str,
    size: &'static str,
    work: Work,
    threads: usize,
    ms_max: f64,
}

const fn case(name: &'static str, work: Work, threads: usize, us_max: f64) -> Case {
    let size = if threads == 1 { "1 thread" } else { "2 threads" };
    Case { name, size, work, threads, ms_max: us_max / 1e3 }
}

const CASES: [Case; 10] = [
    case("wave of 0", Work::Wave(0), 1, 0.5),
    case("wave of 0", Work::Wave(0), 2, 0.5),
    case("wave of 1", Work::Wave(1), 1, 0.5),
    case("wave of 1", Work::Wave(1), 2, 0.5),
    case("empty turn", Work::Empty, 1, 1.0),
    case("empty turn", Work::Empty, 2, 2.0),
    case("turn, wave of 0", Work::Turn(0), 1, 1.0),
    case("turn, wave of 0", Work::Turn(0), 2, 2.0),
    case("turn, wave of 1", Work::Turn(1), 1, 1.0),
    case("turn, wave of 1", Work::Turn(1), 2, 2.0),
];

pub(crate) fn run(rounds: u32, arguments: &Arguments) -> Result<(), Error> {
    let wants = |row: &str| arguments.only.is_empty() || arguments.only.iter().any(|only| only == row);
    let mut contenders = vec![
        (OURS, "one run, in which the device decides; of turns one of 10,000".to_owned()),
        (HOST, "the same device, asked by the host after each level".to_owned()),
    ];
    let mut missing = Vec::new();
    let sides =
        if wants("levels") { gpu::Sides::open() } else { Err(Missing { reason: "no row for it".to_owned() }.into()) };
    match &sides {
        Ok(sides) => contenders.push((gpu::PLAIN, sides.about())),
        Err(error) => missing.push((gpu::PLAIN, error.to_string())),
    }
    let mut report = Report::begin(rounds, contenders, missing);
    if wants("turns") {
        turns(rounds, &mut report)?;
    }
    if wants("path") {
        path::rows(rounds, &mut report)?;
    }
    if let Ok(sides) = &sides {
        gpu::levels(rounds, sides, |row| report.add(row))?;
    }
    arguments.json.as_deref().map_or(Ok(()), |path| report.write(path))
}

fn turns(rounds: u32, report: &mut Report) -> Result<(), Error> {
    for Case { name, size, work, threads, ms_max } in CASES {
        let bench = Bench::new(threads, work.steps())?;
        bench.write(1, &[work.workgroups(), 1, 1])?;
        bench.run()?;
        let (counted, expected) = (bench.read()?, TIMES * work.workgroups());
        if counted != [expected; WIDTH as usize] {
            let difference = format!("{counted:?} instead of {expected}");
            return Err(Error::Differs { case: name, peer: OURS, buffer: "x", difference });
        }
        let laps = race(rounds, vec![timed(OURS, 1, || bench.run())])?;
        let each = |lap: Lap| Lap { best: lap.best / TIMES, ..lap };
        let figures = Figures { ratios: &[], ms_max: Some(ms_max) };
        report.add(Row { name, size, figures, laps: laps.into_iter().map(each).collect() });
    }
    Ok(())
}

/// A schedule over a buffer of words that are counted up and one that holds what decides.
struct Bench {
    device: Device,
    buffers: [device::Buffer; 2],
    loaded: Box<dyn Loaded>,
}

impl Bench {
    fn new(threads: usize, steps: Vec<Step>) -> Result<Self, Error> {
        let config = Config { threads: NonZeroUsize::new(threads), ..Config::default() };
        let refused = |error: seawall_cpu::OpenError| Error::Refused { peer: OURS, reason: error.to_string() };
        let device = Device::open(config).map_err(refused)?;
        let buffers = [device.alloc(X.bytes)?, device.alloc(DECIDES.bytes)?];
        let buffer = |name: &str, bytes| Buffer { name: name.to_owned(), bytes, life: Life::Resident };
        let schedule = Schedule {
            kernels: vec![Program::wgsl(COUNT)?.kernel("main", &Overrides::new())?],
            buffers: vec![buffer("x", X.bytes), buffer("decides", DECIDES.bytes)],
            steps,
            ..Schedule::default()
        };
        let loaded = device.load(Arc::new(seawall::check::check(schedule)?))?;
        Ok(Self { device, buffers, loaded })
    }

    fn run(&self) -> Result<(), Error> {
        let io = Io { hosts: Vec::new(), residents: self.buffers.iter().collect() };
        self.loaded.run(io, &Control::default())?;
        Ok(())
    }

    fn write(&self, buffer: usize, words: &[u32]) -> Result<(), Error> {
        Ok(self.device.write(&self.buffers[buffer], 0, cast_slice(words))?)
    }

    /// The words that are counted up.
    fn read(&self) -> Result<[u32; WIDTH as usize], Error> {
        let mut bytes = [0; WIDTH as usize * 4];
        self.device.read(&self.buffers[0], 0, &mut bytes)?;
        Ok(bytemuck::pod_read_unaligned(&bytes))
    }
}

const X: Binding = Binding { buffer: BufferId(0), offset: 0, bytes: WIDTH as u64 * 4 };
const DECIDES: Binding = Binding { buffer: BufferId(1), offset: 0, bytes: 12 };
