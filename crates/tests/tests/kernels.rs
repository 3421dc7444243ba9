//! Random kernels give the same bits on the CPU device as on the reference device.
//!
//! `SEAWALL_KERNELS=N` runs so many, `SEAWALL_KERNELS_SECONDS=S` as many as fit, and
//! `SEAWALL_SEED=X` starts at another seed: a failure says which one replays it.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use std::{env, thread};

use seawall_core::device::Device;
use seawall_core::reference;
use seawall_cpu::Lanes;
use seawall_tests::kernels::Kernel;
use seawall_tests::kernels::judge::{Verdict, judge};
use seawall_tests::kernels::shrink::shrink;

const KERNELS: u64 = 80;
const SEED: u64 = 1;
/// Kernels that may turn out invalid, of a hundred.
const REFUSED_MAX: u64 = 3;

fn number(name: &str) -> Option<u64> {
    env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is a number, not `{text}`")))
}

/// Small and large kernels in turn.
fn kernel(seed: u64) -> Kernel {
    Kernel::new(seed, 12 + (seed % 5) as usize * 15)
}

/// The devices to compare, and what came of it so far.
struct Hunt {
    reference: Arc<dyn Device>,
    /// One for each width, the device's own choice among them.
    cpus: [Arc<dyn Device>; 5],
    refused: Mutex<Vec<String>>,
    fault: Mutex<Option<String>>,
}

impl Hunt {
    fn new() -> Self {
        let widths = [None, Some(Lanes::One), Some(Lanes::Four), Some(Lanes::Eight), Some(Lanes::Sixteen)];
        let cpus = widths.map(|lanes| {
            let config = seawall_cpu::Config { threads: NonZeroUsize::new(2), lanes, contract: false };
            let device = seawall_cpu::Device::open(config).unwrap_or_else(|error| panic!("no CPU device: {error}"));
            Arc::new(device) as Arc<dyn Device>
        });
        let reference = Arc::new(reference::Device::new(reference::Config::default()));
        Self { reference, cpus, refused: Mutex::default(), fault: Mutex::default() }
    }

    fn try_seed(&self, seed: u64) {
        let kernel = kernel(seed);
        // One width for each kernel, so that all get their turn.
        let cpu = &self.cpus[(seed / 5 % 5) as usize];
        let judge = |kernel: &Kernel| judge(kernel, &self.reference, cpu);
        match judge(&kernel) {
            Verdict::Same => {}
            Verdict::Refused(report) => self.refused.lock().unwrap().push(format!("seed {seed}: {report}")),
            fault @ (Verdict::Differs(_) | Verdict::Failed(_)) => {
                let small = shrink(&kernel, |kernel| judge(kernel).is_like(&fault));
                let (now, grid, text) = (judge(&small), small.grid, small.text);
                let how = format!("SEAWALL_SEED={seed} SEAWALL_KERNELS=1");
                let text = format!("{how}: {fault:?}\nshrunk, grid {grid:?}: {now:?}\n{text}");
                self.fault.lock().unwrap().get_or_insert(text);
            }
        }
    }
}

#[test]
fn cpu_agrees_with_reference() {
    let first = number("SEAWALL_SEED").unwrap_or(SEED);
    let seconds = number("SEAWALL_KERNELS_SECONDS").map(Duration::from_secs);
    let count = number("SEAWALL_KERNELS").unwrap_or(if seconds.is_some() { u64::MAX } else { KERNELS });
    let start = Instant::now();
    let (hunt, begun) = (Hunt::new(), AtomicU64::new(0));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, NonZeroUsize::get) {
            scope.spawn(|| {
                while hunt.fault.lock().unwrap().is_none() && seconds.is_none_or(|seconds| start.elapsed() < seconds) {
                    let at = begun.fetch_add(1, Ordering::Relaxed);
                    if at >= count {
                        break;
                    }
                    hunt.try_seed(first + at);
                }
            });
        }
    });
    let ran = begun.into_inner().min(count);
    let refused = hunt.refused.into_inner().unwrap();
    println!("{ran} kernels from seed {first} on in {:?}, {} refused", start.elapsed(), refused.len());
    if let Some(fault) = hunt.fault.into_inner().unwrap() {
        panic!("{fault}");
    }
    let some: Vec<String> = refused.iter().take(3).cloned().collect();
    assert!(refused.len() as u64 * 100 <= ran * REFUSED_MAX, "{} refused\n{}", refused.len(), some.join("\n"));
}
