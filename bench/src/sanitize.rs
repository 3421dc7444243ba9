//! What an invocation costs on the reference device, by itself and with the sanitizer looking on.

use seawall::sanitize::Config;
use seawall::{Outcome, Runtime};

use crate::error::Error;
use crate::race::{race, timed};

/// Times as long as without it, at the most.
const RATIO_MAX: f64 = 4.0;

/// Bytes of shadow memory for each word, at the most.
const BYTES_MAX: f64 = 64.0;

/// A kernel, what it is bound to by name (words of zeros), and how many invocations it takes.
struct Case {
    name: &'static str,
    text: &'static str,
    buffers: &'static [(&'static str, usize)],
    threads: [u32; 3],
}

const CASES: [Case; 4] = [
    Case {
        name: "saxpy",
        text: include_str!("../../examples/saxpy.wgsl"),
        buffers: &[("x", 1 << 16), ("y", 1 << 16), ("p", 2)],
        threads: [1 << 16, 1, 1],
    },
    Case {
        name: "reduce",
        text: include_str!("../../examples/reduce.wgsl"),
        buffers: &[("x", 1 << 15), ("total", 1)],
        threads: [1 << 15, 1, 1],
    },
    Case {
        name: "histogram",
        text: include_str!("../../examples/histogram.wgsl"),
        buffers: &[("x", 1 << 15), ("counts", 16)],
        threads: [1 << 15, 1, 1],
    },
    Case {
        name: "matmul",
        text: include_str!("../../examples/matmul.wgsl"),
        buffers: &[("a", 1 << 16), ("b", 1 << 16), ("c", 1 << 16)],
        threads: [16, 16, 1],
    },
];

/// Every kernel so many times each way; the best counts.
pub(crate) fn run(rounds: u32) -> Result<(), Error> {
    println!("best of {rounds} rounds each on the reference device");
    println!(
        "{:<10} {:>12} {:>14} {:>14} {:>7} {:>10}",
        "kernel", "invocations", "plain", "sanitized", "ratio", "bytes/word"
    );
    let plain = Runtime::builder().device("reference").open()?;
    let watched = Runtime::builder().sanitize(Config::default()).open()?;
    for case in &CASES {
        let kernel = plain.kernel(case.text)?;
        let call = |runtime: &Runtime| -> Result<Outcome, Error> {
            let mut memory: Vec<Vec<u8>> = case.buffers.iter().map(|(_, words)| vec![0; 4 * words]).collect();
            if let Some(words) = case.buffers.iter().position(|(name, _)| *name == "p") {
                memory[words] = bytemuck::cast_slice(&[2f32.to_bits(), case.threads[0]]).to_vec();
            }
            let call = runtime.call(&kernel).threads(case.threads);
            let rows = case.buffers.iter().zip(&mut memory);
            let call = rows.fold(call, |call, ((name, _), words)| call.bind(name, words));
            Ok(call.run()?)
        };
        let (alone, seen) = (call(&plain)?.stats, call(&watched)?.stats);
        let laps = race(
            rounds,
            vec![timed("plain", 1, || call(&plain).map(drop)), timed("sanitized", 1, || call(&watched).map(drop))],
        )?;
        let each = |ms: f64| ms * 1e6 / alone.invocations as f64;
        let ratio = laps[1].ms() / laps[0].ms();
        let words = (alone.peak_bytes + kernel.workgroup_bytes) as f64 / 4.0;
        let bytes = (seen.peak_bytes - alone.peak_bytes) as f64 / words;
        let missed = if ratio > RATIO_MAX || bytes > BYTES_MAX { "  MISSED" } else { "" };
        println!(
            "{:<10} {:>12} {:>11.0} ns {:>11.0} ns {:>6.2}x {:>10.1}{missed}",
            case.name,
            alone.invocations,
            each(laps[0].ms()),
            each(laps[1].ms()),
            ratio,
            bytes
        );
    }
    Ok(())
}
