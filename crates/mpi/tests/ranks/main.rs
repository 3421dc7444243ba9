//! Each case with 1, 2, 3 and 4 ranks: this program starts itself by `mpirun`, and a rank that finds a case in its
//! environment does it. What fails on a rank fails the case, with that rank's words.

#![allow(clippy::duplicate_mod, reason = "two examples have the module that makes graphs")]

mod command;
mod examples;
mod exchanges;
mod failures;
mod kernels;
mod large;
mod loops;
mod random;
mod restart;

use std::io::Read;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Failed, Trial};
use seawall_mpi::Cluster;

/// Says to a rank which case it is to do.
const CASE: &str = "SEAWALL_MPI_CASE";

/// Asks for cases that need more memory than most machines have to spare.
const LARGE: &str = "SEAWALL_MPI_LARGE";

/// A case that takes longer hangs.
const PATIENCE: Duration = Duration::from_mins(2);

/// How a case is to end.
#[derive(Clone, Copy)]
enum End {
    /// All ranks come to the end.
    Well,
    /// The launcher ends it.
    Killed,
}

struct Case {
    name: &'static str,
    /// The fewest ranks for which it means something.
    ranks_min: usize,
    end: End,
    run: fn(&Cluster),
}

const fn well(name: &'static str, run: fn(&Cluster)) -> Case {
    Case { name, ranks_min: 1, end: End::Well, run }
}

fn cases() -> Vec<Case> {
    [examples::CASES, exchanges::CASES, loops::CASES, failures::CASES, random::CASES, restart::CASES]
        .into_iter()
        .flat_map(|cases| cases.iter().map(|case| Case { ..*case }))
        .collect()
}

fn main() -> ExitCode {
    if std::env::var_os(command::AS_SEAWALL).is_some() {
        return seawall_cli::main();
    }
    if let Ok(wanted) = std::env::var(CASE) {
        let all = cases().into_iter().chain(large::CASES.iter().map(|case| Case { ..*case }));
        let case = all.into_iter().find(|case| case.name == wanted).expect("a case of this name");
        let cluster = Cluster::world().expect("MPI starts");
        (case.run)(&cluster);
        return ExitCode::SUCCESS;
    }
    let mut arguments = Arguments::from_args();
    // The ranks of one case are as many as the machine has cores, or more.
    arguments.test_threads = Some(1);
    let large = if std::env::var_os(LARGE).is_some() { large::CASES } else { &[] };
    let large = large.iter().map(|case| {
        let (name, end) = (case.name, case.end);
        Trial::test(format!("{name}/2"), move || launch(name, 2, end))
    });
    let trials = cases().into_iter().flat_map(|case| {
        (case.ranks_min..=4).map(move |ranks| {
            let (name, end) = (case.name, case.end);
            Trial::test(format!("{name}/{ranks}"), move || launch(name, ranks, end))
        })
    });
    libtest_mimic::run(&arguments, trials.chain(large).chain(command::trials()).collect()).exit_code()
}

fn launch(case: &str, ranks: usize, end: End) -> Result<(), Failed> {
    let mut mpirun = Command::new("mpirun");
    mpirun.args(["--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", &ranks.to_string()]);
    mpirun.arg(std::env::current_exe()?).env(CASE, case).env("SEAWALL_THREADS", "1").env("RUST_BACKTRACE", "0");
    // Ranks that wait leave the processor to those that do not.
    mpirun.env("OMPI_MCA_mpi_yield_when_idle", "1");
    let mut child = mpirun.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let (mut out, mut err) = (child.stdout.take().expect("piped"), child.stderr.take().expect("piped"));
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        out.read_to_string(&mut text).map(|_| text)
    });
    let errors = std::thread::spawn(move || {
        let mut text = String::new();
        err.read_to_string(&mut text).map(|_| text)
    });
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if start.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            break None;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let text = reader.join().expect("a reader")? + &errors.join().expect("a reader")?;
    match (status, end) {
        (None, _) => Err(format!("it hangs:\n{text}").into()),
        (Some(status), End::Well) if status.success() => Ok(()),
        (Some(status), End::Killed) if !status.success() => Ok(()),
        (Some(status), _) => Err(format!("{status}:\n{text}").into()),
    }
}
