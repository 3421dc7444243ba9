//! Sums and scans of workgroups on the CPU device, by subgroups and by workgroup memory.

use bytemuck::Pod;
use seawall::Runtime;

use crate::error::Error;
use crate::race::{race, timed};

/// Of the time by workgroup memory, at the most.
const RATIO_MAX: f64 = 1.0;

const WORDS: usize = 1 << 24;

struct Case {
    name: &'static str,
    subgroups: &'static str,
    memory: &'static str,
    groups: u32,
}

const CASES: [Case; 2] = [
    Case {
        name: "sum",
        subgroups: include_str!("subgroups/sum.wgsl"),
        memory: include_str!("subgroups/sum_by_memory.wgsl"),
        groups: WORDS as u32 / 1024,
    },
    Case {
        name: "scan",
        subgroups: include_str!("subgroups/scan.wgsl"),
        memory: include_str!("subgroups/scan_by_memory.wgsl"),
        groups: WORDS as u32 / 256,
    },
];

/// Each way so many times; the best counts. Both ways must give the same.
pub(crate) fn run(rounds: u32) -> Result<(), Error> {
    println!("best of {rounds} rounds each on the CPU device, {WORDS} words, workgroups of 256, subgroups of 32");
    println!("{:<6} {:>12} {:>12} {:>7}", "kernel", "subgroups", "memory", "ratio");
    let runtime = Runtime::builder().device("cpu").open()?;
    // Small whole numbers, whose sums are exact in either type and in any order.
    let numbers = (0..WORDS as u32).map(|i| i.wrapping_mul(2_654_435_761) >> 29);
    one(rounds, &runtime, &CASES[0], &numbers.clone().map(|n| n as f32).collect::<Vec<_>>())?;
    one(rounds, &runtime, &CASES[1], &numbers.collect::<Vec<_>>())
}

fn one<T: Pod + Default + PartialEq>(rounds: u32, runtime: &Runtime, case: &Case, numbers: &[T]) -> Result<(), Error> {
    let kernels = [runtime.kernel(case.subgroups)?, runtime.kernel(case.memory)?];
    let x = runtime.buffer_from(numbers)?;
    let ys = [runtime.buffer::<T>(WORDS)?, runtime.buffer::<T>(WORDS)?];
    let call = |at: usize| -> Result<(), Error> {
        let call = runtime.call(&kernels[at]).bind("x", &x).bind("y", &ys[at]);
        Ok(call.workgroups(case.groups).run().map(drop)?)
    };
    let laps = race(rounds, vec![timed("subgroups", 1, || call(0)), timed("memory", 1, || call(1))])?;
    let mut found = [(); 2].map(|()| vec![T::default(); WORDS]);
    for (y, found) in ys.iter().zip(&mut found) {
        y.read(0, found)?;
    }
    assert!(found[0] == found[1], "{}: both ways give the same", case.name);
    let ratio = laps[0].ms() / laps[1].ms();
    let missed = if ratio > RATIO_MAX { "  MISSED" } else { "" };
    println!("{:<6} {:>9.2} ms {:>9.2} ms {ratio:>6.2}x{missed}", case.name, laps[0].ms(), laps[1].ms());
    Ok(())
}
