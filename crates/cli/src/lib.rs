//! The `seawall` command, and how job files are read, which `seawall-mpi` does as well.

mod args;
mod memory;
mod format;
mod file;
mod publish;
mod npy;
mod image;
mod table;
mod typed;
mod source;
mod sink;
mod words;
mod kind;
mod problem;
mod error;
mod say;
mod given;
mod load;
mod driver;
mod progress;
mod phase;
mod gantt;
mod trace;
mod deadline;
mod profile;
mod sanitize;
mod racer;
mod run;
pub mod job;
mod ranks;
mod bench;
mod test;
mod plan;
mod check;
mod devices;
mod dump;
mod kit;
mod extras;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};
use error::Error;
use given::Given;
use kind::Kind;
use seawall::device::Control;
use trace::Trace;

/// The command: what was typed, to its end.
pub fn main() -> ExitCode {
    let Cli { command, quiet, verbose } = Cli::parse();
    say::volume(quiet, verbose);
    let done = match command {
        Command::Run(args) => deadline::keep(*args, any),
        Command::Bench(args) => bench::bench(&args),
        Command::Test(args) => test::test(&args),
        Command::Check(args) => check::check(&args),
        Command::Devices(args) => devices::devices(&args),
        Command::Dump(args) => dump::dump(&args),
        Command::Plan(args) => plan_any(&args),
        Command::Explain(args) => job::explain(&args),
        Command::Kit { piece } => kit::kit(&piece),
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

/// Runs a program or a job.
fn any(args: &args::Run, mut trace: Trace, control: &Control) -> Result<(), Error> {
    let given = trace.phase("read the file", || Given::read(&args.file))?;
    if given.kind == Kind::Job && job::is_shared(&given) {
        return ranks::hand_over(&args.file);
    }
    ranks::alone(args)?;
    match given.kind {
        Kind::Job => job::run(args, given, trace, control),
        Kind::Problem => Err(given.refused("a program or a job file", "`seawall plan` takes it")),
        Kind::Wgsl | Kind::Spirv | Kind::Glsl => run::run(args, given, trace, control),
    }
}

/// Plans a job, or what the planners take.
fn plan_any(args: &args::Plan) -> Result<(), Error> {
    let given = Given::read(&args.file)?;
    match given.kind {
        Kind::Job if job::is_shared(&given) => ranks::hand_over(&args.file),
        Kind::Job => job::plan(args, given),
        Kind::Problem => plan::plan(args, given),
        Kind::Wgsl | Kind::Spirv | Kind::Glsl => Err(given.refused(
            "a job file or waves to plan",
            "`seawall run` and `check` take it; docs/job.md says how to make a job of it",
        )),
    }
}
