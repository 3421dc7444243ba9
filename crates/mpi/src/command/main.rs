//! `mpirun -n 4 seawall run JOB.toml`, where the job is shared out among ranks (docs/mpi.md).
//!
//! A command of its own, since `seawall` is to build and start where there is no MPI; it hands such jobs over to this
//! one, which takes the same command line. The first rank speaks for all.

mod job;

use std::path::Path;
use std::process::ExitCode;

use seawall::Runtime;
use seawall_cli::job::shared::{self, Failure, Request, Task};
use seawall_mpi::{Checkpoint, Cluster};

use job::Job;

/// Why a job is not done.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// The job, or its files.
    #[error(transparent)]
    Job(#[from] Failure),
    /// Of this rank's device.
    #[error("error: {0}")]
    Here(#[from] seawall::Error),
    /// Of the ranks together.
    #[error("error: {0}")]
    Mpi(#[from] seawall_mpi::Error),
}

fn main() -> ExitCode {
    let request = match shared::typed(std::env::args_os()) {
        Ok(request) => request,
        Err(error) => {
            let status = error.status;
            return told(true, &error.into(), status);
        }
    };
    let cluster = match Cluster::world() {
        Ok(cluster) => cluster,
        Err(error) => return told(true, &error.into(), WORLD),
    };
    let first = cluster.rank() == 0;
    let done = match &request.task {
        Task::Run { .. } => run(&cluster, &request),
        Task::Plan { svg } => plan(&cluster, &request, svg.as_deref()),
    };
    let Err(error) = done else { return ExitCode::SUCCESS };
    // All have an error, one of them its own: that one's status is theirs, too.
    let status = status(&error).unwrap_or(0);
    let status = cluster.greatest(status.into()).map_or(status, |greatest| greatest as u8);
    told(first, &error, if status == 0 { WORLD } else { status })
}

/// The exit status for what is neither the job's fault nor the command line's.
const WORLD: u8 = 3;

/// The first rank tells the error that all have.
fn told(aloud: bool, error: &Error, status: u8) -> ExitCode {
    if aloud {
        eprintln!("{error}");
    }
    ExitCode::from(status)
}

/// 1 for the job's mistakes, 2 for the command line's, 3 for what happened to it; none for what another rank says.
fn status(error: &Error) -> Option<u8> {
    use seawall_mpi::Error as E;

    match error {
        Error::Job(failure) => Some(failure.status),
        Error::Here(error) | Error::Mpi(E::Here(error)) => Some(shared::status(error)),
        // What the file says, as the graph finds it.
        Error::Mpi(
            E::Offsets { .. }
            | E::Ranks { .. }
            | E::UnknownData { .. }
            | E::Twice { .. }
            | E::Exchange { .. }
            | E::Endless { .. }
            | E::LoopLimit { .. }
            | E::Swap { .. }
            | E::Budget { .. }
            | E::Counts { .. },
        ) => Some(1),
        Error::Mpi(E::There { .. } | E::Left { .. }) => None,
        Error::Mpi(_) => Some(WORLD),
    }
}

fn plan(cluster: &Cluster, request: &Request, svg: Option<&Path>) -> Result<(), Error> {
    let job = cluster.agree_as(Job::read(cluster, request))?;
    let plan = cluster.agree_as(cluster.plan(&job.graph).map_err(Error::from))?;
    let mut drawn = Ok(());
    if cluster.rank() == 0 {
        print!("{plan}");
        if let Some(file) = svg {
            drawn = shared::write(file, &plan.svg(&request.file.display().to_string())).map_err(Error::from);
        }
    }
    cluster.agree_as(drawn)
}

fn run(cluster: &Cluster, request: &Request) -> Result<(), Error> {
    let Task::Run { device, deadline, checkpoint, resume, .. } = &request.task else { return Ok(()) };
    let prepared = Job::read(cluster, request).and_then(|job| Ok((runtime(device.as_deref())?, job)));
    let (runtime, job) = cluster.agree_as(prepared)?;
    let compiled = cluster.compile(&runtime, &job.graph)?;
    cluster.agree_as(job.write(cluster, &compiled))?;
    let mut call = compiled.call();
    if let Some(time) = deadline {
        call = call.deadline(*time);
    }
    if let Some((dir, every)) = checkpoint {
        call = call.checkpoint(Checkpoint::new(dir, *every));
        if *resume {
            call = call.resume(dir);
        }
    }
    let finished = call.run()?;
    job.save(cluster, &compiled)?;
    if cluster.rank() == 0 {
        let (summary, exchanges) = (compiled.plan().summary(), finished.exchanges);
        println!("{summary}: {exchanges} stages of exchanges in {:.3} s", finished.elapsed.as_secs_f64());
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
