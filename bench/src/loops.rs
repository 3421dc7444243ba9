//! What control costs that the CPU device decides: waves over grids that it finds.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use bytemuck::cast_slice;
use seawall::device::{self, Control, Device as _, Io, Loaded};
use seawall::schedule::{Binding, Buffer, BufferId, KernelId, Life, Schedule, Step};
use seawall_core::program::{Overrides, Program};
use seawall_cpu::{Config, Device};

use crate::error::Error;
use crate::kernels::peer::OURS;
use crate::race::{Lap, race, timed};
use crate::report::{Figures, Report, Row};

/// In one run.
const WAVES: u32 = 10_000;
const WIDTH: u32 = 64;
const LIMIT: u32 = 65_535;

/// A wave: it counts up the 64 words of its buffer.
const COUNT: &str = "@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) { x[id.x] += 1u; }";

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Also writes the results to a file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// A row of the table.
struct Case {
    name: &'static str,
    size: &'static str,
    threads: usize,
    /// Workgroups that each wave finds.
    grid: u32,
    ms_max: f64,
}

const CASES: [Case; 4] = [
    Case { name: "wave of 0", size: "limit 65535, 1 thread", threads: 1, grid: 0, ms_max: 5e-4 },
    Case { name: "wave of 0", size: "limit 65535, 2 threads", threads: 2, grid: 0, ms_max: 5e-4 },
    Case { name: "wave of 1", size: "limit 65535, 1 thread", threads: 1, grid: 1, ms_max: 5e-4 },
    Case { name: "wave of 1", size: "limit 65535, 2 threads", threads: 2, grid: 1, ms_max: 5e-4 },
];

pub(crate) fn run(rounds: u32, arguments: &Arguments) -> Result<(), Error> {
    let mut report = Report::begin(rounds, vec![(OURS, "cpu: one schedule, a wave in each group".to_owned())], vec![]);
    for Case { name, size, threads, grid, ms_max } in CASES {
        let bench = Bench::new(threads, waves())?;
        bench.write(1, &[grid, 1, 1])?;
        bench.run()?;
        let counted = bench.read()?;
        if counted != [WAVES * grid; WIDTH as usize] {
            let difference = format!("{counted:?} instead of {}", WAVES * grid);
            return Err(Error::Differs { case: name, peer: OURS, buffer: "x", difference });
        }
        let laps = race(rounds, vec![timed(OURS, 1, || bench.run())])?;
        let each = |lap: Lap| Lap { best: lap.best / WAVES, ..lap };
        let figures = Figures { ratios: &[], ms_max: Some(ms_max) };
        report.add(Row { name, size, figures, laps: laps.into_iter().map(each).collect() });
    }
    arguments.json.as_deref().map_or(Ok(()), |path| report.write(path))
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
            kernels: vec![Arc::new(Program::wgsl(COUNT)?.kernel("main", &Overrides::new())?)],
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

fn indirect() -> Step {
    Step::DispatchIndirect { kernel: KernelId(0), args: DECIDES, limit: [LIMIT, 1, 1], bindings: vec![X] }
}

/// Each after the one before.
fn waves() -> Vec<Step> {
    (0..WAVES).flat_map(|_| [indirect(), Step::Barrier]).collect()
}
