//! Random kernels with barriers of the whole grid give the same bits in every order of their
//! invocations, and on every device.
//!
//! `SEAWALL_GRIDS=N` runs so many, `SEAWALL_GRID_SECONDS=S` as many as fit, and `SEAWALL_SEED=X`
//! starts at another seed: a failure says which one replays it.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread;

use seawall_core::device::{Device, Kind};
use seawall_core::reference;
use seawall_cpu::{Backend, Case, Edge, Lanes};
use seawall_tests::kernels::Kernel;
use seawall_tests::kernels::dialect::Dialect;
use seawall_tests::kernels::hunt::{Hunt, Names, Range};
use seawall_tests::kernels::judge::{Verdict, judge, judge_cut};

const SECONDS: u64 = 4;
const NAMES: Names = Names { count: "SEAWALL_GRIDS", seconds: "SEAWALL_GRID_SECONDS" };

fn interpreter(seed: Option<u64>) -> Arc<dyn Device> {
    Arc::new(reference::Device::new(reference::Config { seed, ..reference::Config::default() }))
}

fn threads() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// Kernels of all sizes with all that host devices agree on.
fn kernel(seed: u64) -> Kernel {
    Kernel::new(seed, 10 + (seed % 5) as usize * 14, Dialect { grid: true, ..Dialect::HOST })
}

#[test]
fn every_order_gives_the_same() {
    let reference = interpreter(None);
    Hunt::default().run(threads(), &Range::new(NAMES, u64::MAX, Some(SECONDS)), |hunt, seed| {
        let orders = [interpreter(Some(seed))];
        hunt.look(NAMES, seed, &kernel(seed), |kernel| judge(kernel, &reference, &orders));
    });
}

/// The reference device runs the segments, so that only the cutting can be wrong.
#[test]
fn cut_kernels_do_the_same() {
    let reference = interpreter(None);
    Hunt::default().run(threads(), &Range::new(NAMES, u64::MAX, Some(SECONDS)), |hunt, seed| {
        let orders = [interpreter(None), interpreter(Some(seed))];
        hunt.look(NAMES, seed, &kernel(seed), |kernel| judge_cut(kernel, &reference, &orders));
    });
}

#[test]
fn the_cpu_does_the_same() {
    let reference = interpreter(None);
    let widths =
        [None, Some(Lanes::One), Some(Lanes::Four), Some(Lanes::Eight), Some(Lanes::Sixteen), Some(Lanes::ThirtyTwo)];
    let backends = Backend::ALL.into_iter().filter(|backend| backend.runs_here());
    let open = |(backend, lanes)| {
        let (threads, edge) = (NonZeroUsize::new(2), cfg!(target_os = "linux").then_some(Edge::End));
        let config = seawall_cpu::Config { threads, lanes, backend: Some(backend), edge, ..Default::default() };
        let device = seawall_cpu::Device::open(config).unwrap_or_else(|error| panic!("no CPU device: {error}"));
        [Arc::new(device) as Arc<dyn Device>]
    };
    let cpus: Vec<_> = backends.flat_map(|backend| widths.map(|lanes| (backend, lanes))).map(open).collect();
    Hunt::default().run(threads(), &Range::new(NAMES, u64::MAX, Some(SECONDS)), |hunt, seed| {
        let cpu = &cpus[(seed / 5) as usize % cpus.len()];
        let _case = Case::new(&format!("SEAWALL_SEED={seed} {}=1", NAMES.count));
        hunt.look(NAMES, seed, &kernel(seed), |kernel| judge(kernel, &reference, cpu));
    });
}

/// Kernels in a dialect that WGSL fixes to the last bit.
#[test]
fn every_device_does_the_same() {
    let reference = interpreter(None);
    let devices = seawall_tests::devices().into_iter().map(|(_, device)| device);
    let devices: Vec<_> = devices.filter(|device| device.caps().kind != Kind::Reference).collect();
    let dialect = Dialect { grid: true, ..Dialect::portable(&devices) };
    Hunt::default().run(threads(), &Range::new(NAMES, u64::MAX, Some(SECONDS)), |hunt, seed| {
        let kernel = Kernel::new(seed, 6 + (seed % 4) as usize * 5, dialect);
        hunt.look(NAMES, seed, &kernel, |kernel| judge(kernel, &reference, &devices));
    });
}

/// Nothing would be seen of a barrier that does nothing if no kernel needed one.
#[test]
fn barriers_are_needed() {
    let reference = interpreter(None);
    let dialect = Dialect { grid: true, ..Dialect::HOST };
    let kernels = 40;
    let needs = |seed: &u64| {
        let kernel = Kernel::new(*seed, 40, dialect);
        let text = kernel.text.replace("gridBarrier();", "");
        let orders: Vec<_> = (0..4).map(|seed| interpreter(Some(seed))).collect();
        matches!(judge(&Kernel { text, ..kernel }, &reference, &orders), Verdict::Differs(_))
    };
    let needed = (1..=kernels).filter(needs).count() as u64;
    assert!(needed * 3 > kernels, "{needed} of {kernels} kernels need their barriers");
}

/// Barriers stand in all kinds of places.
#[test]
fn barriers_stand_everywhere() {
    let dialect = Dialect { grid: true, ..Dialect::HOST };
    let places = ["if ", "} else {", "for (", "while ", "loop {", "continuing {", "case ", "default"];
    let mut found = places.map(|place| (place, 0));
    for seed in 1..400 {
        let text = Kernel::new(seed, 60, dialect).text;
        let main = text.find("fn main").expect("there is one");
        let mut around: Vec<&str> = Vec::new();
        for line in text[main..].lines().map(str::trim) {
            if line.starts_with('}') {
                around.pop();
            }
            if line.ends_with('{') {
                around.push(line);
            }
            if ["gridBarrier();", "meet();"].contains(&line) {
                for (place, times) in &mut found {
                    *times += u32::from(around.last().is_some_and(|block| block.starts_with(*place)));
                }
            }
        }
    }
    assert!(found.iter().all(|(_, times)| *times >= 5), "{found:?}");
}
