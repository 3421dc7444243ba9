//! `mpirun -n 4 seawall-mpi run JOB.toml`: job files with exchanges in them (docs/mpi.md).
//!
//! A command of its own, since `seawall` is to build and start where there is no MPI. The first rank speaks for all.

mod data;
mod error;
mod job;
mod schema;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use seawall::Runtime;
use seawall_mpi::{Checkpoint, Cluster};

use error::Error;
use job::Job;

/// Runs job files on the ranks of MPI.
#[derive(Parser)]
#[command(name = "seawall-mpi", version)]
struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Runs a job on all ranks.
    Run(Run),
    /// Shows what would run, on as many ranks as there are.
    Plan {
        /// The job.
        job: PathBuf,
        /// Draws it, too.
        #[arg(long, value_name = "FILE")]
        svg: Option<PathBuf>,
    },
}

#[derive(Args)]
struct Run {
    /// The job.
    job: PathBuf,
    /// The device of each rank; what `SEAWALL_DEVICE` says, or the CPU device, if not said.
    #[arg(long, value_name = "ID")]
    device: Option<String>,
    /// Ends the run on all ranks if it is not done in this time.
    #[arg(long, value_name = "SECONDS")]
    deadline: Option<f64>,
    /// Writes checkpoints into this directory, which all ranks see.
    #[arg(long, value_name = "DIR", requires = "every")]
    checkpoint: Option<PathBuf>,
    /// Before each N-th exchange.
    #[arg(long, value_name = "N", requires = "checkpoint", value_parser = clap::value_parser!(u64).range(1..))]
    every: Option<u64>,
    /// Goes on from the latest checkpoint in the directory of --checkpoint.
    #[arg(long, requires = "checkpoint")]
    resume: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let cluster = match Cluster::world() {
        Ok(cluster) => cluster,
        Err(error) => return told(true, &Error::Mpi(error)),
    };
    let first = cluster.rank() == 0;
    let done = match &arguments.what {
        What::Run(run) => job(&cluster, run),
        What::Plan { job, svg } => plan(&cluster, job, svg.as_deref()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => told(first, &error),
    }
}

/// The first rank tells the error that all have.
fn told(aloud: bool, error: &Error) -> ExitCode {
    if aloud {
        eprintln!("{error}");
    }
    ExitCode::from(error.status())
}

fn plan(cluster: &Cluster, path: &std::path::Path, svg: Option<&std::path::Path>) -> Result<(), Error> {
    let job = cluster.agree_as(Job::read(cluster, path))?;
    let plan = cluster.agree_as(cluster.plan(&job.graph).map_err(Error::from))?;
    let mut drawn = Ok(());
    if cluster.rank() == 0 {
        print!("{plan}");
        if let Some(file) = svg {
            drawn = std::fs::write(file, plan.svg(&path.display().to_string()))
                .map_err(|error| Error::file("write", file, &error));
        }
    }
    cluster.agree_as(drawn)
}

fn job(cluster: &Cluster, run: &Run) -> Result<(), Error> {
    let prepared = Job::read(cluster, &run.job).and_then(|job| Ok((runtime(run.device.as_deref())?, job)));
    let (runtime, job) = cluster.agree_as(prepared)?;
    let compiled = cluster.compile(&runtime, &job.graph)?;
    cluster.agree_as(job.write(cluster, &compiled))?;
    let mut call = compiled.call();
    if let Some(seconds) = run.deadline {
        let time = Duration::try_from_secs_f64(seconds);
        call = call.deadline(time.map_err(|error| Error::Deadline { seconds, error: error.to_string() })?);
    }
    if let (Some(dir), Some(every)) = (&run.checkpoint, run.every) {
        call = call.checkpoint(Checkpoint::new(dir, every));
        if run.resume {
            call = call.resume(dir);
        }
    }
    let finished = call.run()?;
    job.save(cluster, &compiled)?;
    if cluster.rank() == 0 {
        println!(
            "{}: {} stages of exchanges in {:.3} s",
            compiled.plan().summary(),
            finished.exchanges,
            finished.elapsed.as_secs_f64()
        );
        for (name, turns) in &finished.loops {
            println!("loop {name}: {turns} turns");
        }
    }
    Ok(())
}

fn runtime(device: Option<&str>) -> Result<Runtime, Error> {
    let builder = Runtime::builder();
    let builder = if let Some(device) = device { builder.device(device) } else { builder };
    Ok(builder.open()?)
}
