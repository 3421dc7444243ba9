//! Random kernels with operations of subgroups, in control flow of all kinds, give the same bits in
//! every order of their invocations, and on every device.
//!
//! `SEAWALL_SUBGROUPS=N` runs so many, `SEAWALL_SUBGROUP_SECONDS=S` as many as fit, and `SEAWALL_SEED=X`
//! starts at another seed: a failure says which one replays it.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread;

use seawall_core::device::{Device, SubgroupSize};
use seawall_core::reference;
use seawall_cpu::{Backend, Case, Edge};
use seawall_tests::kernels::Kernel;
use seawall_tests::kernels::dialect::Dialect;
use seawall_tests::kernels::hunt::{Hunt, Names, Range};
use seawall_tests::kernels::judge::{Verdict, judge};

const SECONDS: u64 = 4;
const NAMES: Names = Names { count: "SEAWALL_SUBGROUPS", seconds: "SEAWALL_SUBGROUP_SECONDS" };

fn interpreter(subgroup: SubgroupSize, seed: Option<u64>) -> Arc<dyn Device> {
    Arc::new(reference::Device::new(reference::Config { seed, subgroup, ..reference::Config::default() }))
}

/// The CPU device, by each back end that runs here.
fn cpus(subgroup: SubgroupSize) -> Vec<Arc<dyn Device>> {
    let edge = cfg!(target_os = "linux").then_some(Edge::End);
    let open = |backend: Backend| {
        let (threads, backend) = (NonZeroUsize::new(2), Some(backend));
        let config = seawall_cpu::Config { threads, subgroup, backend, edge, ..Default::default() };
        let device = seawall_cpu::Device::open(config).unwrap_or_else(|error| panic!("no CPU device: {error}"));
        Arc::new(device) as Arc<dyn Device>
    };
    Backend::ALL.into_iter().filter(|backend| backend.runs_here()).map(open).collect()
}

fn sizes() -> [SubgroupSize; 6] {
    SubgroupSize::ALL.map(|size| SubgroupSize::new(size).expect("it is one of them"))
}

fn threads() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

fn range() -> Range {
    Range::new(NAMES, u64::MAX, Some(SECONDS))
}

/// Kernels of all sizes with all that host devices agree on, some of them with grid barriers; and those that append.
fn kernel(seed: u64) -> Kernel {
    if seed.is_multiple_of(3) {
        return Kernel::append(seed);
    }
    let dialect = Dialect { subgroups: true, grid: seed.is_multiple_of(7), ..Dialect::HOST };
    Kernel::new(seed, 8 + (seed % 5) as usize * 10, dialect)
}

#[test]
fn every_order_gives_the_same() {
    Hunt::default().run(threads(), &range(), |hunt, seed| {
        let size = sizes()[seed as usize % 6];
        let (reference, orders) = (interpreter(size, None), [interpreter(size, Some(seed))]);
        hunt.look(NAMES, seed, &kernel(seed), |kernel| judge(kernel, &reference, &orders));
    });
}

#[test]
fn the_cpu_does_the_same() {
    let cpus = sizes().map(cpus);
    Hunt::default().run(threads(), &range(), |hunt, seed| {
        let at = (seed / 5) as usize % 6;
        let (reference, cpu) = (interpreter(sizes()[at], None), &cpus[at]);
        let _case = Case::new(&format!("SEAWALL_SEED={seed} {}=1", NAMES.count));
        hunt.look(NAMES, seed, &kernel(seed), |kernel| judge(kernel, &reference, cpu));
    });
}

/// Kernels in a dialect that WGSL fixes to the last bit, on GPUs whose subgroups have one size.
#[test]
fn every_device_does_the_same() {
    for (name, gpu) in seawall_tests::devices() {
        let sizes = gpu.caps().subgroup.clone().filter(|sizes| sizes.start() == sizes.end());
        let size = sizes.and_then(|sizes| SubgroupSize::new(*sizes.start()));
        let Some(size) = size.filter(|size| size.get() <= 16 && name.starts_with("gpu")) else { continue };
        let (reference, devices) = (interpreter(size, None), [vec![gpu], cpus(size)].concat());
        let dialect = Dialect { subgroups: true, ..Dialect::portable(&devices) };
        Hunt::default().run(threads(), &range(), |hunt, seed| {
            let kernel = Kernel::new(seed, 6 + (seed % 4) as usize * 5, dialect);
            hunt.look(NAMES, seed, &kernel, |kernel| judge(kernel, &reference, &devices));
        });
    }
}

/// Kernels that show who takes part.
#[test]
fn sizes_matter() {
    let [small, large] = [8, 32].map(|size| interpreter(SubgroupSize::new(size).expect("it is one of them"), None));
    let kernels = 40;
    let differs =
        |seed: &u64| matches!(judge(&kernel(*seed), &small, std::slice::from_ref(&large)), Verdict::Differs(_));
    let differing = (1..=kernels).filter(differs).count() as u64;
    assert!(differing * 3 > kernels, "{differing} of {kernels} kernels show the size of subgroups");
}
