//! The ranks of MPI. Jobs whose data is shared out among them are run by a command of its own, `seawall-mpi`, since
//! this one is to build and start where there is no MPI. It is found as git finds its commands: beside this one, or on
//! the path.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::args::Run;
use crate::error::Error;
use crate::format::is_pipe;

const NAME: &str = "seawall-mpi";

/// What launchers tell a process: how many were started.
const SIZES: [&str; 3] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE"];

/// Becomes the other command, with all that was typed; its streams and its exit status are this one's.
pub(crate) fn hand_over(job: &Path) -> Result<(), Error> {
    if is_pipe(job) {
        return Err(Error::SharedStdin);
    }
    let command = find().ok_or(Error::NoMpi)?;
    let mut there = Command::new(&command);
    there.args(env::args_os().skip(1));
    let error = become_it(&mut there);
    Err(Error::NotStarted { command, error })
}

#[cfg(unix)]
fn become_it(command: &mut Command) -> std::io::Error {
    std::os::unix::process::CommandExt::exec(command)
}

#[cfg(not(unix))]
fn become_it(command: &mut Command) -> std::io::Error {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(3)),
        Err(error) => error,
    }
}

fn find() -> Option<PathBuf> {
    let beside = env::current_exe().ok().and_then(|this| Some(this.parent()?.to_owned()));
    let path = env::var_os("PATH").unwrap_or_default();
    let file = format!("{NAME}{}", env::consts::EXE_SUFFIX);
    beside.into_iter().chain(env::split_paths(&path)).map(|dir| dir.join(&file)).find(|file| file.is_file())
}

/// An error if several ranks were started for something that is not shared out among them: each would do all of it,
/// and write the same files.
pub(crate) fn alone(args: &Run) -> Result<(), Error> {
    let given = [("--checkpoint", args.checkpoint.is_some()), ("--resume", args.resume)];
    if let Some((option, _)) = given.into_iter().find(|(_, given)| *given) {
        return Err(Error::SharedOnly { option });
    }
    for variable in SIZES {
        let said = env::var(variable).ok().and_then(|said| said.parse::<u64>().ok());
        if let Some(ranks) = said.filter(|&ranks| ranks > 1) {
            return Err(Error::Ranks { variable, ranks });
        }
    }
    Ok(())
}
