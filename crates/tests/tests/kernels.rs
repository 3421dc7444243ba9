//! Random kernels give the same bits on the CPU device as on the reference device.
//!
//! `SEAWALL_KERNELS=N` runs so many, `SEAWALL_KERNELS_SECONDS=S` as many as fit, and
//! `SEAWALL_SEED=X` starts at another seed: a failure says which one replays it.

use std::env;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::{Duration, Instant};

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

#[test]
fn cpu_agrees_with_reference() {
    let reference: Arc<dyn Device> = Arc::new(reference::Device::new(reference::Config::default()));
    let cpus = [None, Some(Lanes::One), Some(Lanes::Four), Some(Lanes::Eight), Some(Lanes::Sixteen)].map(|lanes| {
        let config = seawall_cpu::Config { threads: NonZeroUsize::new(2), lanes, contract: false };
        let device = seawall_cpu::Device::open(config).unwrap_or_else(|error| panic!("no CPU device: {error}"));
        Arc::new(device) as Arc<dyn Device>
    });
    let first = number("SEAWALL_SEED").unwrap_or(SEED);
    let seconds = number("SEAWALL_KERNELS_SECONDS").map(Duration::from_secs);
    let count = number("SEAWALL_KERNELS").unwrap_or(if seconds.is_some() { u64::MAX } else { KERNELS });
    let start = Instant::now();
    let (mut ran, mut refused) = (0, Vec::new());
    for seed in (first..).take_while(|seed| seed - first < count) {
        if seconds.is_some_and(|seconds| start.elapsed() > seconds) {
            break;
        }
        ran += 1;
        let kernel = kernel(seed);
        // One width for each kernel, the device's own choice among them, so that all get their turn.
        let cpu = &cpus[(seed / 5 % 4) as usize];
        match judge(&kernel, &reference, cpu) {
            Verdict::Same => {}
            Verdict::Refused(report) => refused.push((seed, report)),
            fault @ (Verdict::Differs(_) | Verdict::Failed(_)) => {
                let small = shrink(&kernel, |kernel| judge(kernel, &reference, cpu).is_like(&fault));
                let now = judge(&small, &reference, cpu);
                let (grid, text) = (small.grid, small.text);
                panic!("SEAWALL_SEED={seed} SEAWALL_KERNELS=1: {fault:?}\nshrunk, grid {grid:?}: {now:?}\n{text}");
            }
        }
    }
    println!("{ran} kernels in {:?}, {} refused", start.elapsed(), refused.len());
    let text = |(seed, report): &(u64, String)| format!("seed {seed}: {report}");
    let list: Vec<String> = refused.iter().take(3).map(text).collect();
    assert!(refused.len() as u64 * 100 <= ran * REFUSED_MAX, "{} refused\n{}", refused.len(), list.join("\n"));
}
