//! The `seawall` command.

mod args;
mod memory;
mod file;
mod publish;
mod npy;
mod typed;
mod source;
mod sink;
mod error;
mod say;
mod table;
mod paint;
mod load;
mod progress;
mod deadline;
mod trace;
mod run;
mod job;
mod check;
mod devices;
mod dump;
mod plan;
mod extras;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};

fn main() -> ExitCode {
    let Cli { command, quiet, verbose } = Cli::parse();
    say::volume(quiet, verbose);
    let done = match command {
        Command::Run(args) if job::is_job(&args.file) => deadline::keep(*args, job::run),
        Command::Run(args) => deadline::keep(*args, run::run),
        Command::Check(args) => check::check(&args),
        Command::Devices(args) => devices::devices(&args),
        Command::Dump(args) => dump::dump(&args),
        Command::Plan(args) if job::is_job(&args.file) => job::plan(&args),
        Command::Plan(args) => plan::plan(&args),
        Command::Explain(args) => job::explain(&args),
        Command::Completions { shell } => extras::completions(shell),
        Command::Man => extras::man(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say::failure(&error);
            ExitCode::from(error.status() as u8)
        }
    }
}
