//! Random kernels give the same bits on the CPU device as on the reference device, and those in
//! a dialect that WGSL fixes to the last bit give them on GPUs too.
//!
//! `SEAWALL_KERNELS=N` runs so many, `SEAWALL_KERNELS_SECONDS=S` as many as fit, and
//! `SEAWALL_SEED=X` starts at another seed: a failure says which one replays it.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread;

use seawall_core::device::{Device, Kind};
use seawall_core::program::{Overrides, Program};
use seawall_core::reference;
use seawall_cpu::{Backend, Case, Edge, Effort, Lanes, Stage};
use seawall_tests::kernels::Kernel;
use seawall_tests::kernels::dialect::Dialect;
use seawall_tests::kernels::hunt::{Hunt, Names, Range};
use seawall_tests::kernels::judge::judge;

const KERNELS: u64 = 80;
/// Drivers take a second or so to compile one.
const PORTABLE_SECONDS: u64 = 10;
const NAMES: Names = Names { count: "SEAWALL_KERNELS", seconds: "SEAWALL_KERNELS_SECONDS" };

fn interpreter() -> Arc<dyn Device> {
    Arc::new(reference::Device::new(reference::Config::default()))
}

fn threads() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

#[test]
fn cpu_agrees_with_reference() {
    let widths =
        [None, Some(Lanes::One), Some(Lanes::Four), Some(Lanes::Eight), Some(Lanes::Sixteen), Some(Lanes::ThirtyTwo)];
    let efforts = [Effort::Less, Effort::Least].map(|effort| (None, Some(effort)));
    let ways = widths.into_iter().map(|lanes| (lanes, None)).chain(efforts);
    // All memory ends at pages that cannot be touched, or begins there.
    let edge = |edge: Edge| cfg!(target_os = "linux").then_some(edge);
    let ways = ways.flat_map(|way| [Edge::End, Edge::Start].map(|at| (way, edge(at))));
    let backends: Vec<Backend> = Backend::ALL.into_iter().filter(|backend| backend.runs_here()).collect();
    let cpus: Vec<_> = ways
        .flat_map(|way| backends.iter().map(move |&backend| (way, backend)))
        .map(|(((lanes, effort), edge), backend)| {
            let (threads, backend) = (NonZeroUsize::new(2), Some(backend));
            let config = seawall_cpu::Config { threads, lanes, effort, backend, edge, ..Default::default() };
            let device = seawall_cpu::Device::open(config).unwrap_or_else(|error| panic!("no CPU device: {error}"));
            [Arc::new(device) as Arc<dyn Device>]
        })
        .collect();
    let reference = interpreter();
    Hunt::default().run(threads(), &Range::new(NAMES, KERNELS, None), |hunt, seed| {
        // Small and large kernels in turn, and one device for each, so that all get their turn.
        let kernel = match seed % 6 {
            0..4 => Kernel::new(seed, 12 + (seed % 5) as usize * 15, Dialect::HOST),
            _ => Kernel::habit(seed),
        };
        let cpu = &cpus[(seed / 5) as usize % cpus.len()];
        let _case = Case::new(&format!("SEAWALL_SEED={seed} SEAWALL_KERNELS=1"));
        hunt.look(NAMES, seed, &kernel, |kernel| judge(kernel, &reference, cpu));
    });
}

/// Each thing that the compiler looks for is found in some of them.
#[test]
fn random_kernels_have_what_the_compiler_looks_for() {
    let mut found =
        [("interchange", 0), ("coarsen", 0), ("tile", 0), ("prefetch", 0), ("version", 0), ("hoist-checks", 0)];
    for seed in 1..600 {
        let kernel = Kernel::habit(seed);
        let program = Program::wgsl(&kernel.text).unwrap_or_else(|report| panic!("seed {seed}: {report}"));
        let kernel = program.kernel("main", &Overrides::new()).unwrap();
        let remarks = seawall_cpu::dump(&kernel, Stage::Remarks, seawall_cpu::Config::default()).unwrap();
        for (pass, times) in &mut found {
            let said = format!(" {pass}: ");
            let done = |line: &str| line.contains(&said) && !line.contains(": not done");
            *times += u32::from(remarks.lines().any(done));
        }
    }
    assert!(found.iter().all(|(_, times)| *times >= 5), "{found:?}");
}

#[test]
fn every_device_agrees_with_reference() {
    let reference = interpreter();
    let devices = seawall_tests::devices().into_iter().map(|(_, device)| device);
    let devices: Vec<_> = devices.filter(|device| device.caps().kind != Kind::Reference).collect();
    let dialect = Dialect::portable(&devices);
    Hunt::default().run(threads(), &Range::new(NAMES, u64::MAX, Some(PORTABLE_SECONDS)), |hunt, seed| {
        let kernel = Kernel::new(seed, 6 + (seed % 4) as usize * 5, dialect);
        hunt.look(NAMES, seed, &kernel, |kernel| judge(kernel, &reference, &devices));
    });
}
