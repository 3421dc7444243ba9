//! Contenders on one input: the best of several rounds each, in turn, and peak memory.

use std::hint::black_box;
use std::time::Instant;

/// What one contender took.
pub(crate) struct Lap {
    pub(crate) name: &'static str,
    pub(crate) best_ms: f64,
    /// The most that was allocated at once, input not counted.
    pub(crate) peak_bytes: u64,
}

/// A name, and what to do.
pub(crate) type Contender<'a> = (&'static str, Box<dyn FnMut() + 'a>);

/// What a contender returns is freed before its clock stops.
pub(crate) fn contender<'a, T: 'a>(name: &'static str, mut run: impl FnMut() -> T + 'a) -> Contender<'a> {
    (name, Box::new(move || drop(black_box(run()))))
}

/// Rounds go from contender to contender, so that a noisy moment does not hit only one.
pub(crate) fn race(rounds: u32, mut contenders: Vec<Contender<'_>>) -> Vec<Lap> {
    let lap = |(name, run): &mut Contender<'_>| {
        let peak_bytes = allocation_counter::measure(run).bytes_max;
        Lap { name, best_ms: f64::INFINITY, peak_bytes }
    };
    let mut laps: Vec<Lap> = contenders.iter_mut().map(lap).collect();
    for _ in 0..rounds {
        for ((_, run), lap) in contenders.iter_mut().zip(&mut laps) {
            let start = Instant::now();
            run();
            lap.best_ms = lap.best_ms.min(start.elapsed().as_secs_f64() * 1e3);
        }
    }
    laps
}

/// Prints the laps, how many times as long as ours each took and, where a figure is to be
/// reached, whether it was.
pub(crate) fn print(case: &str, unit: &str, units: usize, ours: &str, laps: &[Lap], wanted: &[(&str, f64)]) {
    println!("\n{case}");
    println!("  {:<34} {:>9} {:>10} {:>9} {:>10}", "", "ms", format!("ns/{unit}"), "peak MiB", "ours is");
    let base = laps.iter().find(|lap| lap.name == ours).map_or(f64::NAN, |lap| lap.best_ms);
    for Lap { name, best_ms, peak_bytes } in laps {
        let each = best_ms * 1e6 / units.max(1) as f64;
        let memory = *peak_bytes as f64 / f64::from(1 << 20);
        let ratio = best_ms / base;
        let verdict = wanted.iter().find(|(who, _)| who == name).map_or(String::new(), |(_, least)| {
            if ratio >= *least {
                format!("  at least {least} wanted: reached")
            } else {
                format!("  at least {least} wanted: MISSED")
            }
        });
        println!("  {name:<34} {best_ms:>9.2} {each:>10.2} {memory:>9.1} {ratio:>8.2} x{verdict}");
    }
}
