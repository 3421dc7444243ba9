//! The GPU device beside wgpu by hand, on the same adapter: what our path adds to a dispatch,
//! to a schedule and to transfers, and what it saves where results are many and small.

mod levels;

use std::path::PathBuf;
use std::sync::Arc;

use seawall::Runtime;
use seawall::device::{Control, Device, Io};
use seawall::route::Asker;
use seawall::schedule::{Binding, Buffer, BufferId, KernelId, Life, Schedule, Step};
use wgpu::BufferUsages;

use crate::error::Error;
use crate::kernels::peer::OURS;
use crate::plain::Gpu;
use crate::race;
use crate::race::{Contender, Lap, timed};
use crate::report::{Figures, Report, Row};
use crate::results::{RESULTS, Results};

pub(crate) const PLAIN: &str = "wgpu";
/// As fast as by hand, or nearly.
const WITHIN: Figures = Figures { ratios: &[(PLAIN, 1.0 / 1.1)], ms_max: None };

const CALLS: u32 = 200;
const DISPATCHES: u32 = 1000;
const TRANSFER_BYTES: usize = 256 << 20;

/// One more for each dispatch, so that each depends on the one before it.
const COUNT: &str = "@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@compute @workgroup_size(1) fn main() { x[0] += 1u; }";

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only these rows: dispatch, schedule, transfers, results, apart, levels.
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

/// Both sides of each race.
pub(crate) struct Sides {
    runtime: Runtime,
    device: Arc<dyn Device>,
    gpu: Gpu,
}

impl Sides {
    pub(crate) fn open() -> Result<Self, Error> {
        let runtime = Runtime::builder().device("gpu").open()?;
        let gpu = Gpu::open(|info| info.name == runtime.caps().name)?;
        let device = runtime.registry().choose(Some(("gpu", Asker::Caller)))?.device;
        Ok(Self { runtime, device, gpu })
    }

    pub(crate) fn about(&self) -> String {
        format!("by hand, one map for each result: {}", self.gpu.about)
    }
}

/// Searches of few levels and of many.
pub(crate) fn levels(rounds: u32, sides: &Sides, mut add: impl FnMut(Row)) -> Result<(), Error> {
    let figures = Figures { ratios: &[(PLAIN, 1.0)], ms_max: None };
    for (levels, size) in [(10, "10, decided on the device"), (2000, "2,000, decided on the device")] {
        add(Row { name: "levels", size, figures, laps: levels::race(rounds, sides, levels)? });
    }
    Ok(())
}

pub(crate) fn run(rounds: u32, arguments: &Arguments) -> Result<(), Error> {
    let sides = Sides::open()?;
    let contenders = vec![(OURS, format!("gpu: {}", sides.runtime.caps().name)), (PLAIN, sides.about())];
    let mut report = Report::begin(rounds, contenders, Vec::new());
    let mut add = |name, size, figures, laps| report.add(Row { name, size, figures, laps });
    let saved = Figures { ratios: &[(PLAIN, 20.0)], ms_max: None };
    if arguments.wants("dispatch") {
        add("dispatch", "one, resident buffer", WITHIN, dispatch(rounds, &sides)?);
    }
    if arguments.wants("schedule") {
        add("schedule", "1000 dispatches", WITHIN, schedule(rounds, &sides)?);
    }
    if arguments.wants("transfers") {
        let (upload, download) = transfers(rounds, &sides)?;
        add("upload", "256 MiB", WITHIN, upload);
        add("download", "256 MiB", WITHIN, download);
    }
    if arguments.wants("results") {
        add("results", "10,000, 4 to 64 bytes", saved, results(rounds, &sides, 1)?);
    }
    if arguments.wants("apart") {
        add("apart", "10,000, each in a buffer", saved, results(rounds, &sides, RESULTS)?);
    }
    if arguments.wants("levels") {
        levels(rounds, &sides, |row| report.add(row))?;
    }
    arguments.json.as_deref().map_or(Ok(()), |path| report.write(path))
}

/// What both counted must be the same.
fn agree(case: &'static str, ours: &[u8], plain: &[u8]) -> Result<(), Error> {
    if ours == plain {
        return Ok(());
    }
    let difference = format!("{} and {} bytes that differ", ours.len(), plain.len());
    Err(Error::Differs { case, peer: PLAIN, buffer: "x", difference })
}

/// Rounds after one that is not counted: drivers make and map memory when it is first used.
fn race(rounds: u32, mut contenders: Vec<Contender<'_, Error>>) -> Result<Vec<Lap>, Error> {
    for contender in &mut contenders {
        (contender.run)()?;
    }
    race::race(rounds, contenders)
}

fn dispatch(rounds: u32, sides: &Sides) -> Result<Vec<Lap>, Error> {
    let Sides { runtime, gpu, .. } = sides;
    let kernel = runtime.kernel(COUNT)?;
    let ours = runtime.buffer_from(&[0_u32])?;
    let plain = gpu.buffer(&[0; 4], BufferUsages::STORAGE);
    let job = gpu.job(COUNT, std::slice::from_ref(&plain), [1, 1, 1])?;
    let contenders: Vec<Contender<'_, Error>> = vec![
        timed(OURS, CALLS, || Ok(runtime.call(&kernel).bind("x", &ours).workgroups(1).run().map(drop)?)),
        timed(PLAIN, CALLS, || Ok(gpu.run(&job)?)),
    ];
    let laps = race(rounds, contenders)?;
    agree("dispatch", bytemuck::cast_slice(&ours.to_vec()?), &gpu.read(&plain)?)?;
    Ok(laps)
}

fn schedule(rounds: u32, sides: &Sides) -> Result<Vec<Lap>, Error> {
    let Sides { runtime, device, gpu } = sides;
    let x = Binding { buffer: BufferId(0), offset: 0, bytes: 4 };
    let dispatch = || Step::Dispatch { kernel: KernelId(0), grid: [1, 1, 1], bindings: vec![x] };
    let steps = (0..DISPATCHES).flat_map(|_| [dispatch(), Step::Barrier]).collect();
    let schedule = Schedule {
        kernels: vec![runtime.kernel(COUNT)?],
        buffers: vec![Buffer { name: "x".to_owned(), bytes: 4, life: Life::Resident }],
        steps,
        ..Schedule::default()
    };
    let checked = seawall::check::check(schedule)?;
    let loaded = device.load(Arc::new(checked))?;
    let ours = device.alloc(4)?;
    let plain = gpu.buffer(&[0; 4], BufferUsages::STORAGE);
    let job = gpu.job(COUNT, std::slice::from_ref(&plain), [1, 1, 1])?;
    let contenders: Vec<Contender<'_, Error>> = vec![
        timed(OURS, 1, || {
            let io = Io { residents: vec![&ours], ..Io::default() };
            Ok(loaded.run(io, &Control::default()).map(drop)?)
        }),
        timed(PLAIN, 1, || Ok(gpu.run_all(std::iter::repeat_n(&job, DISPATCHES as usize))?)),
    ];
    let laps = race(rounds, contenders)?;
    let mut counted = [0; 4];
    device.read(&ours, 0, &mut counted)?;
    agree("schedule", &counted, &gpu.read(&plain)?)?;
    Ok(laps)
}

/// Up and down again; the host's memory is there already.
fn transfers(rounds: u32, sides: &Sides) -> Result<(Vec<Lap>, Vec<Lap>), Error> {
    let Sides { runtime, gpu, .. } = sides;
    let from: Vec<u8> = (0..TRANSFER_BYTES).map(|i| (i / 3) as u8).collect();
    let ours = runtime.buffer::<u8>(TRANSFER_BYTES)?;
    let plain = gpu.empty(TRANSFER_BYTES as u64, BufferUsages::COPY_SRC | BufferUsages::COPY_DST);
    let up: Vec<Contender<'_, Error>> =
        vec![timed(OURS, 1, || Ok(ours.write(0, &from)?)), timed(PLAIN, 1, || Ok(gpu.write(&plain, &from)?))];
    let up = race(rounds, up)?;
    let (mut to_ours, mut to_plain) = (vec![0; TRANSFER_BYTES], vec![0; TRANSFER_BYTES]);
    let down: Vec<Contender<'_, Error>> = vec![
        timed(OURS, 1, || Ok(ours.read(0, &mut to_ours)?)),
        timed(PLAIN, 1, || Ok(gpu.read_into(&plain, 0, &mut to_plain)?)),
    ];
    let down = race(rounds, down)?;
    agree("download", &to_ours, &to_plain)?;
    Ok((up, down))
}

/// One plan against a copy, a map and a wait for each.
fn results(rounds: u32, sides: &Sides, buffers: u32) -> Result<Vec<Lap>, Error> {
    let Sides { device, gpu, .. } = sides;
    let results = Results::new(&**device, buffers)?;
    let plain: Vec<_> = results.contents.iter().map(|bytes| gpu.buffer(bytes, BufferUsages::STORAGE)).collect();
    let bytes = results.plan.compact_bytes as usize;
    let (mut packed, mut each) = (vec![0; bytes], vec![0; bytes]);
    let contenders: Vec<Contender<'_, Error>> = vec![
        timed(OURS, 1, || results.read(&mut packed)),
        timed(PLAIN, 1, || results.each(&mut each, |at, offset, to| Ok(gpu.read_into(&plain[at], offset, to)?))),
    ];
    let laps = race(rounds, contenders)?;
    agree("results", &packed, &each)?;
    Ok(laps)
}
