//! Tries one random kernel after another until one shows a fault, and makes that one small.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{env, thread};

use super::Kernel;
use super::judge::Verdict;
use super::shrink::shrink;

const SEED: u64 = 1;
/// Kernels that may turn out invalid, of a hundred.
const REFUSED_MAX: u64 = 3;

/// The variables that say how far to go; `SEAWALL_SEED` says where to begin.
#[derive(Debug, Clone, Copy)]
pub struct Names {
    /// How many.
    pub count: &'static str,
    /// As many as fit.
    pub seconds: &'static str,
}

fn number(name: &str) -> Option<u64> {
    env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is a number, not `{text}`")))
}

/// How far to go: from which seed on, how many, and for how long.
#[derive(Debug)]
pub struct Range {
    first: u64,
    count: u64,
    seconds: Option<Duration>,
}

impl Range {
    /// As the environment says, or else so many and for so long.
    pub fn new(names: Names, count: u64, seconds: Option<u64>) -> Self {
        let told = [number(names.count), number(names.seconds)];
        let (count, seconds) = match told {
            [None, None] => (count, seconds),
            [count, seconds] => (count.unwrap_or(u64::MAX), seconds),
        };
        let first = number("SEAWALL_SEED").unwrap_or(SEED);
        Self { first, count, seconds: seconds.map(Duration::from_secs) }
    }
}

/// What came of it so far.
#[derive(Debug, Default)]
pub struct Hunt {
    refused: Mutex<Vec<String>>,
    fault: Mutex<Option<String>>,
}

impl Hunt {
    /// Judges a kernel, and shrinks it if there is a fault.
    pub fn look(&self, names: Names, seed: u64, kernel: &Kernel, judge: impl Fn(&Kernel) -> Verdict) {
        match judge(kernel) {
            Verdict::Same => {}
            Verdict::Refused(report) => self.refused.lock().unwrap().push(format!("seed {seed}: {report}")),
            fault @ (Verdict::Differs(_) | Verdict::Failed(_)) => {
                let small = shrink(kernel, |kernel| judge(kernel).is_like(&fault));
                let (now, grid, text) = (judge(&small), small.grid, small.text);
                let how = format!("SEAWALL_SEED={seed} {}=1", names.count);
                let text = format!("{how}: {fault:?}\nshrunk, grid {grid:?}: {now:?}\n{text}");
                self.fault.lock().unwrap().get_or_insert(text);
            }
        }
    }

    /// Tries seeds on so many threads until one finds a fault.
    pub fn run(self, threads: usize, range: &Range, seed: impl Fn(&Self, u64) + Sync) {
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
