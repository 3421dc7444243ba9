//! Ten thousand small waves, a thousand layers of ten, as one schedule on the CPU device: what
//! planning and running them costs, and what a boundary between two groups adds.

mod peers;

use std::path::PathBuf;
use std::sync::Arc;

use bytemuck::cast_slice;
use peers::Peers;
use seawall::check::{Checked, check};
use seawall::core::barrier::{self, Edge};
use seawall::device::{self, Control, Device, Io, Loaded};
use seawall::route::Asker;
use seawall::schedule::{Binding, Buffer, BufferId, KernelId, Life, Schedule, Step};
use seawall::{Kernel, Runtime};

use crate::error::Error;
use crate::kernels::peer::OURS;
use crate::race::{Lap, race, timed};
use crate::report::{Figures, Report, Row};
use crate::results::Results;

const CALLS: &str = "calls";

const CHAINS: u32 = 10;
const LAYERS: u32 = 1000;
const WIDTH: u32 = 64;
const CHAIN_BYTES: u64 = WIDTH as u64 * 4;

const NO_FIGURE: Figures = Figures { ratios: &[], ms_max: None };
const BOUNDARY: Figures = Figures { ratios: &[], ms_max: Some(0.002) };

/// A wave: one workgroup that counts up the 64 words of its chain.
const COUNT: &str = "@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) { x[id.x] += 1u; }";

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Also writes the results to a file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

pub(crate) fn run(rounds: u32, arguments: &Arguments) -> Result<(), Error> {
    let runtime = Runtime::builder().device("cpu").open()?;
    let device = runtime.registry().choose(Some(("cpu", Asker::Caller)), None)?.device;
    let kernel = runtime.kernel(COUNT)?;
    let mut missing = Vec::new();
    let mut peers = Peers::open(&runtime, &mut missing)?;
    let mut contenders = vec![(OURS, format!("cpu: {}; one schedule", runtime.caps().name))];
    contenders.extend(peers.notes());
    let mut report = Report::begin(rounds, contenders, missing);
    let mut add = |name, size, figures, laps| report.add(Row { name, size, figures, laps });

    let chains: Vec<device::Buffer> = (0..CHAINS).map(|_| device.alloc(CHAIN_BYTES)).collect::<Result<_, _>>()?;
    let ready = device.load(Arc::new(layered(&kernel)?))?;
    go(&*ready, &chains)?;
    for chain in &chains {
        let mut words = [0_u32; WIDTH as usize];
        device.read(chain, 0, bytemuck::cast_slice_mut(&mut words))?;
        counted(OURS, cast_slice(&words))?;
    }
    let again = timed(OURS, 1, || go(&*ready, &chains));
    add("run", "10,000 waves, planned", NO_FIGURE, peers.race(rounds, again)?);
    let first = timed(OURS, 1, || go(&*device.load(Arc::new(layered(&kernel)?))?, &chains));
    add("plan and run", "10,000 waves", NO_FIGURE, peers.race(rounds, first)?);
    add("boundary", "between two groups", BOUNDARY, boundary(rounds, &*device, &kernel, &*ready, &chains)?);
    add("results", "10,000, 4 to 64 bytes", NO_FIGURE, results(rounds, &*device)?);
    arguments.json.as_deref().map_or(Ok(()), |path| report.write(path))
}

fn go(loaded: &dyn Loaded, residents: &[device::Buffer]) -> Result<(), Error> {
    let io = Io { residents: residents.iter().collect(), ..Io::default() };
    loaded.run(io, &Control::default())?;
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

/// What a thousand layers take beyond as many waves in one group, for each boundary.
fn boundary(
    rounds: u32,
    device: &dyn Device,
    kernel: &Arc<Kernel>,
    layered: &dyn Loaded,
    chains: &[device::Buffer],
) -> Result<Vec<Lap>, Error> {
    let flat = device.load(Arc::new(flat(kernel)?))?;
    let whole = [device.alloc(u64::from(CHAINS * LAYERS) * CHAIN_BYTES)?];
    go(&*flat, &whole)?;
    let contenders = vec![timed(OURS, 1, || go(layered, chains)), timed("flat", 1, || go(&*flat, &whole))];
    let laps = race(rounds, contenders)?;
    let [layered, flat] = [&laps[0], &laps[1]].map(|lap| lap.best);
    Ok(vec![Lap { name: OURS, best: layered.saturating_sub(flat) / (LAYERS - 1) }])
}

/// One plan against one read for each.
fn results(rounds: u32, device: &dyn Device) -> Result<Vec<Lap>, Error> {
    let results = Results::new(device)?;
    let bytes = results.plan.compact_bytes as usize;
    let (mut packed, mut each) = (vec![0; bytes], vec![0; bytes]);
    let contenders = vec![
        timed(OURS, 1, || results.read(&mut packed)),
        timed(CALLS, 1, || results.each(&mut each, |offset, to| Ok(device.read(&results.buffer, offset, to)?))),
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

/// The waves in their groups, by way of the planner.
fn layered(kernel: &Arc<Kernel>) -> Result<Checked, Error> {
    let waves = CHAINS * LAYERS;
    let edges: Vec<Edge> = (CHAINS..waves).map(|wave| Edge::new(wave - CHAINS, wave)).collect();
    let plan = barrier::plan(waves, &edges).expect("the layers have no cycle");
    let mut steps = Vec::with_capacity(2 * waves as usize);
    for (at, group) in plan.groups().enumerate() {
        let chain =
            |wave: &barrier::WaveId| Binding { buffer: BufferId(wave.0 % CHAINS), offset: 0, bytes: CHAIN_BYTES };
        steps.extend((at > 0).then_some(Step::Barrier));
        steps.extend(group.iter().map(|wave| dispatch(chain(wave))));
    }
    let buffer = |chain| Buffer { name: format!("chain {chain}"), bytes: CHAIN_BYTES, life: Life::Resident };
    let buffers = (0..CHAINS).map(buffer).collect();
    Ok(check(Schedule { kernels: vec![kernel.clone()], buffers, steps, ..Schedule::default() })?)
}

/// As many waves that need nothing of each other, in one group.
fn flat(kernel: &Arc<Kernel>) -> Result<Checked, Error> {
    let waves = u64::from(CHAINS * LAYERS);
    let part = |wave| Binding { buffer: BufferId(0), offset: wave * CHAIN_BYTES, bytes: CHAIN_BYTES };
    let steps = (0..waves).map(|wave| dispatch(part(wave))).collect();
    let buffers = vec![Buffer { name: "chains".to_owned(), bytes: waves * CHAIN_BYTES, life: Life::Resident }];
    Ok(check(Schedule { kernels: vec![kernel.clone()], buffers, steps, ..Schedule::default() })?)
}

fn dispatch(chain: Binding) -> Step {
    Step::Dispatch { kernel: KernelId(0), grid: [1, 1, 1], bindings: vec![chain] }
}
