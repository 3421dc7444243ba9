//! Seawall's figures, each beside its peers in one run. `bench/README.md` says how to read
//! them.

mod inputs;
mod peers;
mod planners;
mod race;

use std::process::ExitCode;

const USAGE: &str = "usage: cargo run --release -p seawall-bench -- planners [ROUNDS]";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let rounds = words.get(1).map_or(Some(7), |rounds| rounds.parse().ok().filter(|&rounds| rounds > 0));
    let (Some("planners"), Some(rounds), ..=2) = (words.first().map(String::as_str), rounds, words.len()) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    planners::run(rounds);
    ExitCode::SUCCESS
}
