//! Random kernels give the same bits on the CPU device as on the reference device, and those in
//! a dialect that WGSL fixes to the last bit give them on GPUs too.
//!
//! `SEAWALL_KERNELS=N` runs so many, `SEAWALL_KERNELS_SECONDS=S` as many as fit, and
//! `SEAWALL_SEED=X` starts at another seed: a failure says which one replays it.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use std::{env, thread};

use seawall_core::device::{Device, Kind};
use seawall_core::program::{Overrides, Program};
use seawall_core::reference;
use seawall_cpu::{Case, Edge, Effort, Lanes, Stage};
use seawall_tests::kernels::Kernel;
use seawall_tests::kernels::dialect::Dialect;
use seawall_tests::kernels::judge::{Verdict, judge};
use seawall_tests::kernels::shrink::shrink;

const KERNELS: u64 = 80;
/// Drivers take a second or so to compile one.
const PORTABLE_SECONDS: u64 = 10;
const SEED: u64 = 1;
/// Kernels that may turn out invalid, of a hundred.
const REFUSED_MAX: u64 = 3;

fn number(name: &str) -> Option<u64> {
    env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is a number, not `{text}`")))
}

/// How far to go: from which seed on, how many, and for how long.
struct Range {
    first: u64,
    count: u64,
    seconds: Option<Duration>,
}

impl Range {
    /// As the environment says, or else so many and for so long.
    fn new(count: u64, seconds: Option<u64>) -> Self {
        let told = [number("SEAWALL_KERNELS"), number("SEAWALL_KERNELS_SECONDS")];
        let (count, seconds) = match told {
            [None, None] => (count, seconds),
            [count, seconds] => (count.unwrap_or(u64::MAX), seconds),
        };
        let first = number("SEAWALL_SEED").unwrap_or(SEED);
        Self { first, count, seconds: seconds.map(Duration::from_secs) }
    }
}

/// What came of it so far.
#[derive(Default)]
struct Hunt {
    refused: Mutex<Vec<String>>,
    fault: Mutex<Option<String>>,
}

impl Hunt {
    fn look(&self, seed: u64, kernel: &Kernel, judge: impl Fn(&Kernel) -> Verdict) {
        match judge(kernel) {
            Verdict::Same => {}
            Verdict::Refused(report) => self.refused.lock().unwrap().push(format!("seed {seed}: {report}")),
            fault @ (Verdict::Differs(_) | Verdict::Failed(_)) => {
                let small = shrink(kernel, |kernel| judge(kernel).is_like(&fault));
                let (now, grid, text) = (judge(&small), small.grid, small.text);
                let how = format!("SEAWALL_SEED={seed} SEAWALL_KERNELS=1");
                let text = format!("{how}: {fault:?}\nshrunk, grid {grid:?}: {now:?}\n{text}");
                self.fault.lock().unwrap().get_or_insert(text);
            }
        }
    }

    /// Tries seeds on so many threads until one finds a fault.
    fn run(self, threads: usize, range: &Range, seed: impl Fn(&Self, u64) + Sync) {
        let (start, begun) = (Instant::now(), AtomicU64::new(0));
        let timely = || range.seconds.is_none_or(|seconds| start.elapsed() < seconds);
        thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    while self.fault.lock().unwrap().is_none() && timely() {
                        let at = begun.fetch_add(1, Ordering::Relaxed);
                        if at >= range.count {
                            break;
                        }
                        seed(&self, range.first + at);
                    }
                });
            }
        });
        let (ran, refused) = (begun.into_inner().min(range.count), self.refused.into_inner().unwrap());
        println!("{ran} kernels from seed {} on in {:?}, {} refused", range.first, start.elapsed(), refused.len());
        if let Some(fault) = self.fault.into_inner().unwrap() {
            panic!("{fault}");
        }
        let some: Vec<String> = refused.iter().take(3).cloned().collect();
        assert!(refused.len() as u64 * 100 <= ran * REFUSED_MAX, "{} refused\n{}", refused.len(), some.join("\n"));
    }
}

fn interpreter() -> Arc<dyn Device> {
    Arc::new(reference::Device::new(reference::Config::default()))
}

fn threads() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

#[test]
fn cpu_agrees_with_reference() {
    let widths = [None, Some(Lanes::One), Some(Lanes::Four), Some(Lanes::Eight), Some(Lanes::Sixteen)];
    let efforts = [Effort::Less, Effort::Least].map(|effort| (None, Some(effort)));
    let ways = widths.into_iter().map(|lanes| (lanes, None)).chain(efforts);
    // All memory ends at pages that cannot be touched, or begins there.
    let edge = |edge: Edge| cfg!(target_os = "linux").then_some(edge);
    let ways = ways.flat_map(|way| [Edge::End, Edge::Start].map(|at| (way, edge(at))));
    let cpus: Vec<_> = ways
        .map(|((lanes, effort), edge)| {
            let threads = NonZeroUsize::new(2);
            let config = seawall_cpu::Config { threads, lanes, effort, contract: false, edge };
            let device = seawall_cpu::Device::open(config).unwrap_or_else(|error| panic!("no CPU device: {error}"));
            [Arc::new(device) as Arc<dyn Device>]
        })
        .collect();
    let reference = interpreter();
    Hunt::default().run(threads(), &Range::new(KERNELS, None), |hunt, seed| {
        // Small and large kernels in turn, and one device for each, so that all get their turn.
        let kernel = match seed % 6 {
            0..4 => Kernel::new(seed, 12 + (seed % 5) as usize * 15, Dialect::HOST),
            _ => Kernel::habit(seed),
        };
        let cpu = &cpus[(seed / 5) as usize % cpus.len()];
        let _case = Case::new(&format!("SEAWALL_SEED={seed} SEAWALL_KERNELS=1"));
        hunt.look(seed, &kernel, |kernel| judge(kernel, &reference, cpu));
    });
}

/// Each thing that the compiler looks for is found in some of them.
#[test]
fn random_kernels_have_what_the_compiler_looks_for() {
    let mut found = vec![("abreast", 0), ("as one", 0), ("go together", 0), ("fetched ahead", 0)];
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        found.push(("256 bits", 0));
    }
    for seed in 1..600 {
        let kernel = Kernel::habit(seed);
        let program = Program::wgsl(&kernel.text).unwrap_or_else(|report| panic!("seed {seed}: {report}"));
        let kernel = Arc::new(program.kernel("main", &Overrides::new()).unwrap());
        let text = seawall_cpu::dump(&kernel, Stage::Spmd, seawall_cpu::Config::default()).unwrap();
        let said: Vec<&str> = text.lines().take_while(|line| line.starts_with(';')).collect();
        for (what, times) in &mut found {
            *times += u32::from(said.iter().any(|line| line.contains(*what)));
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
    Hunt::default().run(threads(), &Range::new(u64::MAX, Some(PORTABLE_SECONDS)), |hunt, seed| {
        let kernel = Kernel::new(seed, 6 + (seed % 4) as usize * 5, dialect);
        hunt.look(seed, &kernel, |kernel| judge(kernel, &reference, &devices));
    });
}
