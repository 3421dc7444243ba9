//! What ranks cost, in one run on this machine: two ranks of one thread beside one rank of two threads, exchanges
//! beside a plain MPI program, and what a model makes of the constants for up to 1,024 ranks.
//!
//! ```console
//! $ cargo run --release --manifest-path bench/mpi/Cargo.toml -- [--rounds N] [--svg FILE]
//! ```
//!
//! It starts itself by `mpirun`. Contenders take turns, and the best of each counts.

mod exchange;
mod cases;
mod model;

use std::error::Error;
use std::process::{Command, Stdio};

/// Says to a rank what it is to measure.
const CASE: &str = "SEAWALL_BENCH_MPI";

fn main() -> Result<(), Box<dyn Error>> {
    if let Ok(case) = std::env::var(CASE) {
        return cases::run(&case);
    }
    let (mut rounds, mut svg) = (3, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match (argument.as_str(), arguments.next()) {
            ("--rounds", Some(value)) => rounds = value.parse()?,
            ("--svg", Some(value)) => svg = Some(value),
            _ => return Err("usage: seawall-bench-mpi [--rounds N] [--svg FILE]".into()),
        }
    }
    println!("2 ranks of 1 thread beside 1 rank of 2 threads, best of {rounds} rounds");
    let mut seconds = Vec::new();
    for case in cases::NAMES {
        let (mut two, mut one) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..rounds {
            two = two.min(launch(case, 2, 1)?[0]);
            one = one.min(launch(case, 1, 2)?[0]);
        }
        let ratio = two / one;
        let missed = if ratio <= 1.3 { "" } else { "  MISSED 1.3" };
        println!("{case:>10}  {:>9.3} ms  {:>9.3} ms  {ratio:.2} x as long{missed}", two * 1e3, one * 1e3);
        seconds.push(two);
    }
    println!("\nan exchange on 2 ranks beside a plain MPI program, best of {rounds} rounds");
    let mut best: Vec<f64> = Vec::new();
    for _ in 0..rounds {
        let measured = launch("exchange", 2, 1)?;
        best.resize(measured.len(), f64::INFINITY);
        best.iter_mut().zip(measured).for_each(|(best, now)| *best = best.min(now));
    }
    for (name, pair) in exchange::NAMES.iter().zip(best.chunks_exact(2)) {
        let ratio = pair[0] / pair[1];
        let missed = if ratio <= 1.5 { "" } else { "  MISSED 1.5" };
        println!("{name:>22}  {:>9.2} µs  {:>9.2} µs  {ratio:.2} x as long{missed}", pair[0] * 1e6, pair[1] * 1e6);
    }
    let mut constants = vec![f64::INFINITY; 3];
    for _ in 0..rounds {
        let measured = launch("constants", 2, 1)?;
        constants.iter_mut().zip(measured).for_each(|(best, now)| *best = best.min(now));
    }
    let model = model::Model::new(&constants, &seconds);
    println!("\n{model}");
    if let Some(file) = svg {
        std::fs::write(&file, model.svg())?;
    }
    Ok(())
}

/// The numbers that the first rank prints.
fn launch(case: &str, ranks: usize, threads: usize) -> Result<Vec<f64>, Box<dyn Error>> {
    let mut mpirun = Command::new("mpirun");
    mpirun.args(["--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", &ranks.to_string()]);
    mpirun.arg(std::env::current_exe()?).env(CASE, case).env("SEAWALL_THREADS", threads.to_string());
    // On a machine that others use, too, a rank that waits lets them go first; the plain program does the same.
    mpirun.env("OMPI_MCA_mpi_yield_when_idle", "1");
    let output = mpirun.stdin(Stdio::null()).stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("{case} with {ranks} ranks: {}", output.status).into());
    }
    let text = String::from_utf8(output.stdout)?;
    Ok(text.split_whitespace().map(str::parse).collect::<Result<_, _>>()?)
}
