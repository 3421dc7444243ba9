//! Seawall's figures, each beside its peers in one run. `bench/README.md` says how to read
//! them.

mod race;
mod plain;
mod error;
mod report;
mod inputs;
mod planners;
mod compile;
mod kernels;
mod results;
mod graph;
mod grid;
mod gpu;
mod loops;
mod instance;
mod sanitize;
mod subgroups;
mod images;
mod kit;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "seawall-bench", about = "Seawall's figures, each beside its peers in one run")]
struct Arguments {
    #[command(subcommand)]
    what: What,
    /// How often each contender has its turn; the best counts.
    #[arg(long, global = true, default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
}

#[derive(Subcommand)]
enum What {
    /// The planners at a million waves and a million slots.
    Planners,
    /// Kernels on the CPU device, lavapipe and `PoCL`, and in hand-written Rust.
    Kernels(kernels::Arguments),
    /// How long kernels take to compile on the CPU device, and how large they become.
    Compile,
    /// Ten thousand small waves in one graph on the CPU device, and one after the other.
    Graph(graph::Arguments),
    /// Waves over grids that the CPU device finds, and turns of loops that it decides.
    Loops(loops::Arguments),
    /// Barriers of the whole grid, beside waves, parallel loops and dispatches.
    Grid(grid::Arguments),
    /// The GPU device beside wgpu by hand.
    Gpu(gpu::Arguments),
    /// wgpu programs on Seawall's instance and on lavapipe.
    Wgpu(instance::Arguments),
    /// The reference device, by itself and with the sanitizer.
    Sanitize,
    /// Sums and scans by subgroups, and by workgroup memory.
    Subgroups,
    /// A picture that is blurred, and the same in Rust.
    Images,
    /// Pieces of the kit, beside the best Rust for each.
    Kit(kit::Arguments),
}

fn main() -> ExitCode {
    let Arguments { what, rounds } = Arguments::parse();
    let outcome = match what {
        What::Planners => {
            planners::run(rounds);
            Ok(())
        }
        What::Compile => compile::run(rounds),
        What::Kernels(arguments) => kernels::run(rounds, &arguments),
        What::Graph(arguments) => graph::run(rounds, &arguments),
        What::Loops(arguments) => loops::run(rounds, &arguments),
        What::Grid(arguments) => grid::run(rounds, &arguments),
        What::Gpu(arguments) => gpu::run(rounds, &arguments),
        What::Wgpu(arguments) => instance::run(rounds, &arguments),
        What::Sanitize => sanitize::run(rounds),
        What::Subgroups => subgroups::run(rounds),
        What::Images => images::run(rounds),
        What::Kit(arguments) => kit::run(rounds, &arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
