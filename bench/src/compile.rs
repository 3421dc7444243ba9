//! How long the CPU device takes to compile kernels of some shapes, and how large they become.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use seawall_core::program::{Overrides, Program};
use seawall_cpu::Config;

use crate::error::Error;

/// A kernel, and the milliseconds that it may take.
struct Case {
    name: &'static str,
    text: String,
    ms_max: f64,
}

const OUTPUT: &str = "@group(0) @binding(0) var<storage, read_write> o: array<u32>;\n";
const MAIN: &str = "@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u)";

fn cases() -> Vec<Case> {
    let file = |name, text: &str, ms_max| Case { name, text: text.to_owned(), ms_max };
    vec![
        file("reduce", include_str!("../kernels/reduce.wgsl"), 10.0),
        file("matmul", include_str!("../kernels/matmul.wgsl"), 10.0),
        file("scan", include_str!("../kernels/scan.wgsl"), 10.0),
        file("field arithmetic", include_str!("../kernels/field.wgsl"), 100.0),
        Case { name: "switch of 4000 cases", text: switch(4000), ms_max: 2000.0 },
        Case { name: "3000 early exits", text: exits(3000), ms_max: 2000.0 },
        Case { name: "tree of 2^20 calls", text: tree(20), ms_max: 100.0 },
        Case { name: "array of 100000", text: array(100_000), ms_max: 10.0 },
    ]
}

fn switch(cases: u32) -> String {
    let mut body = String::new();
    for i in 0..cases {
        let _ = writeln!(body, "case {i}u: {{ r = {}u; }}", i * 7 % 1000);
    }
    format!("{OUTPUT}{MAIN} {{ var r = 0u; switch o[id.x] {{ {body} default: {{}} }} o[id.x] = r; }}")
}

fn exits(count: u32) -> String {
    let exits =
        (0..count).map(|i| format!("if x == {i}u {{ o[id.x] = 1u; return; }}\n")).collect::<Vec<String>>().concat();
    format!("{OUTPUT}{MAIN} {{ let x = o[id.x]; {exits} o[id.x] = 2u; }}")
}

fn tree(depth: u32) -> String {
    let mut functions = String::new();
    for k in 0..depth {
        let next = k + 1;
        let _ = writeln!(functions, "fn f{k}(x: u32) -> u32 {{ return f{next}(x) + f{next}(x ^ {next}u); }}");
    }
    format!("{OUTPUT}{functions} fn f{depth}(x: u32) -> u32 {{ return x * x; }} {MAIN} {{ o[id.x] = f0(o[id.x]); }}")
}

fn array(len: u32) -> String {
    format!("{OUTPUT}{MAIN} {{ var a: array<u32, {len}>; a[id.x] = 3u; o[id.x] = a[o[id.x]]; }}")
}

/// Every kernel so many times; the best time counts.
pub(crate) fn run(rounds: u32) -> Result<(), Error> {
    println!("best of {rounds} rounds, from text to machine code, one thread");
    println!(
        "{:24} {:>8} {:>9} {:>10} {:>9} {:>12} {:>10} {:>9}",
        "kernel", "text", "ms", "functions", "nodes", "instructions", "code", "peak MiB"
    );
    for Case { name, text, ms_max } in cases() {
        let mut best = Duration::MAX;
        let mut count = seawall_cpu::Count::default();
        for _ in 0..rounds {
            let start = Instant::now();
            count = compile(&text)?;
            best = best.min(start.elapsed());
        }
        let peak_bytes = peak(|| compile(&text))?;
        let ms = best.as_secs_f64() * 1e3;
        let missed = if ms > ms_max { format!("  MISSED: {ms_max} ms") } else { String::new() };
        println!(
            "{name:24} {:>8} {ms:>9.2} {:>10} {:>9} {:>12} {:>10} {:>9}{missed}",
            text.len(),
            count.functions,
            count.nodes,
            count.instructions,
            count.bytes,
            peak_bytes.map_or("-".to_owned(), |bytes| format!("{:.1}", bytes as f64 / f64::from(1 << 20)))
        );
    }
    Ok(())
}

/// The most memory that something has besides what was there before, where the system tells: it is
/// compiled on a thread of its own.
fn peak<T>(code: impl FnOnce() -> Result<T, Error>) -> Result<Option<u64>, Error> {
    let status = |key: &str| -> Option<u64> {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let line = status.lines().find(|line| line.starts_with(key))?;
        Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? << 10)
    };
    let reset = std::fs::write("/proc/self/clear_refs", "5").is_ok();
    let before = status("VmRSS");
    code()?;
    let peak = before.zip(status("VmHWM")).map(|(before, peak)| peak.saturating_sub(before));
    Ok(peak.filter(|_| reset))
}

fn compile(text: &str) -> Result<seawall_cpu::Count, Error> {
    let kernel = Program::wgsl(text)?.kernel("main", &Overrides::new())?;
    Ok(seawall_cpu::count(&kernel, Config::default())?)
}
