//! Jobs whose data is shared out among ranks: read as all jobs are, and run by `seawall-mpi` (see docs/mpi.md).

mod lower;

use std::collections::HashMap;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Parser;
use seawall::{diag, program};
use seawall_core::graph::{Bind, Graph, Key};
use seawall_core::layout::Scalar;

use super::fault::Fault;
use super::{Said, bind, lower as ordinary, schema};
use crate::args::{self, Cli, Command, Run};
use crate::error::{Error, run_status};
use crate::given::Given;
use crate::publish::{self, Files};
use crate::sink::Sink;
use crate::source::{self, Source};
use crate::{load, say};
use lower::Lower;

/// What is to be done with a job.
#[derive(Debug)]
pub struct Request {
    /// The job.
    pub file: PathBuf,
    /// What.
    pub task: Task,
    typed: Option<Box<Run>>,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq)]
pub enum Task {
    /// To run it.
    Run {
        /// On this device and no other.
        device: Option<String>,
        /// The most bytes on each rank's device, where the job's own does not count.
        budget_bytes: Option<u64>,
        /// The time that it has.
        deadline: Option<Duration>,
        /// Where checkpoints go, and before each how many stages of exchanges.
        checkpoint: Option<(PathBuf, u64)>,
        /// Whether it goes on from the latest of them.
        resume: bool,
    },
    /// To show what would run.
    Plan {
        /// As a picture too.
        svg: Option<PathBuf>,
    },
}

/// Why it is not done, as people are told, and the exit status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    text: String,
    /// 1 for a job that is wrong, 2 for the command line, 3 for the world.
    pub status: u8,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Failure {}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self { text: say::told(&error).trim_end().to_owned(), status: error.status() as u8 }
    }
}

/// The exit status for what went wrong on a device.
pub fn status(error: &seawall::Error) -> u8 {
    run_status(error) as u8
}

/// What was typed, where it is `run` or `plan` of a job; a command line that is wrong ends the process, as it does
/// that of `seawall`.
pub fn typed(arguments: impl IntoIterator<Item = OsString>) -> Result<Request, Failure> {
    let Cli { command, .. } = Cli::parse_from(arguments);
    match command {
        Command::Run(run) => {
            refuse(&run)?;
            let Run { device, budget, seconds, checkpoint, every, resume, .. } = &*run;
            let (device, deadline) = (device.clone(), *seconds);
            let checkpoint = checkpoint.clone().zip(*every);
            let task = Task::Run { device, budget_bytes: *budget, deadline, checkpoint, resume: *resume };
            Ok(Request { file: run.file.clone(), task, typed: Some(run) })
        }
        Command::Plan(args::Plan { file, svg, json: false, budget: None, .. }) => {
            Ok(Request { file, task: Task::Plan { svg }, typed: None })
        }
        Command::Plan(_) => Err(Error::NotShared { option: "--json or --budget" }.into()),
        _ => Err(Error::NotShared { option: "this command" }.into()),
    }
}

/// Options that mean nothing to several ranks, or that nobody has written for them.
fn refuse(run: &Run) -> Result<(), Error> {
    let given = [
        ("--entry", run.entry.is_some()),
        ("--grid", run.grid.is_some()),
        ("--threads", run.threads.is_some()),
        ("--show", !run.shows.is_empty()),
        ("--seed", run.seed.is_some()),
        ("--sanitize", run.sanitize),
        ("--steps", run.steps.is_some()),
        ("--subgroup-size", run.subgroup_size.is_some()),
        ("--contract", run.contract),
        ("--trace", run.trace.is_some()),
        ("--profile", run.profile),
        ("--json", run.json),
    ];
    match given.into_iter().find(|(_, given)| *given) {
        Some((option, _)) => Err(Error::NotShared { option }),
        None => Ok(()),
    }
}

/// A job that is shared out, read and looked up.
#[derive(Debug)]
pub struct Shared {
    /// Waves and loops. Where a wave is an exchange, an empty one stands in its place.
    pub graph: Graph,
    /// By wave.
    pub exchanges: Vec<Option<Exchange>>,
    /// All data, in the order of the file.
    pub buffers: Vec<Buffer>,
    /// The most bytes on each rank's device.
    pub budget_bytes: Option<u64>,
    /// Waves, and which of their buffers is the number of the first row of what.
    firsts: Vec<(usize, Key, String)>,
}

/// How data is shared out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Share {
    /// Rows in blocks.
    Rows {
        /// All of them.
        rows: u64,
        /// Elements of each.
        width: u64,
        /// Rows of the neighbours, on either side.
        halo: u64,
    },
    /// Rows between these, rank after rank.
    At {
        /// From 0 on.
        offsets: Vec<u64>,
        /// Elements of each.
        width: u64,
        /// Rows of the neighbours, on either side.
        halo: u64,
    },
    /// All of it on each rank.
    Replicated {
        /// Elements.
        len: u64,
    },
    /// Each rank's own.
    Local {
        /// Elements.
        len: u64,
    },
}

impl Share {
    /// Elements of the whole; of what is local, on each rank.
    pub fn len(&self) -> u64 {
        match self {
            Self::Rows { rows, width, .. } => rows.saturating_mul(*width),
            Self::At { offsets, width, .. } => offsets.last().copied().unwrap_or(0).saturating_mul(*width),
            Self::Replicated { len } | Self::Local { len } => *len,
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What ranks exchange, by the names of buffers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exchange {
    /// The rows beside those of each rank.
    Halo {
        /// Whose.
        of: String,
        /// Where they go.
        into: String,
    },
    /// Rows become a whole.
    AllGather {
        /// The rows.
        of: String,
        /// The whole.
        into: String,
    },
    /// Numbers become one.
    AllReduce {
        /// Which.
        of: String,
        /// How.
        how: Reduce,
        /// What they are.
        scalar: Scalar,
        /// Whether rank after rank.
        ordered: bool,
    },
    /// Elements go to the ranks, as many as are counted.
    AllToAll {
        /// Those.
        of: String,
        /// How many to each.
        counts: String,
        /// What came.
        into: String,
        /// How many from each.
        received: String,
    },
}

/// How numbers become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reduce {
    /// Added.
    Sum,
    /// The least.
    Min,
    /// The greatest.
    Max,
    /// Bit by bit.
    Or,
}

/// Data that is shared out.
#[derive(Debug)]
pub struct Buffer {
    /// What waves and exchanges call it.
    pub name: String,
    /// How.
    pub share: Share,
    /// Bytes from one element to the next.
    pub element_bytes: u64,
    row: program::Buffer,
    source: Option<Source>,
    sink: Option<Sink>,
    width: Option<u64>,
}

impl Buffer {
    /// What the whole of it holds at the start; nothing if it is zeros.
    pub fn load(&self) -> Result<Option<Vec<u8>>, Failure> {
        let Some(source) = &self.source else { return Ok(None) };
        let wrong = |error| Error::Load { name: self.name.clone(), error: Box::new(error) };
        let bytes = source.load(&self.row).map_err(wrong)?;
        let (expected, got) = (self.share.len(), bytes.len() as u64 / self.element_bytes.max(1));
        if expected != got {
            return Err(wrong(source::Error::Elements { expected, got }).into());
        }
        Ok(Some(bytes))
    }

    /// Whether it goes to a file at the end.
    pub fn is_saved(&self) -> bool {
        self.sink.is_some()
    }
}

/// Writes the outputs of a job: all of them or none.
pub fn save(outputs: &[(&Buffer, Vec<u8>)]) -> Result<(), Failure> {
    let mut files = Files::default();
    for (buffer, bytes) in outputs {
        let Some(sink) = &buffer.sink else { continue };
        let saved = sink.write(&mut files, &buffer.row.ty, bytes, buffer.width);
        saved.map_err(|error| Error::Save { name: buffer.name.clone(), error })?;
    }
    files.publish().map_err(Error::from)?;
    Ok(())
}

/// Writes a file that is there whole or not at all.
pub fn write(path: &Path, text: &str) -> Result<(), Failure> {
    Ok(publish::one(path, text.as_bytes()).map_err(Error::from)?)
}

impl Shared {
    /// Reads what was asked for, and all that it names.
    pub fn read(request: &Request) -> Result<Self, Failure> {
        let given = Given::read(&request.file)?;
        let name = load::name(&given.path);
        let directory = given.path.parent().map(Path::to_owned).unwrap_or_default();
        let fault = Fault { source: Arc::new(diag::Source { name, text: given.text()? }) };
        let mut file = schema::parse(&fault.source.text).map_err(|(message, span)| fault.syntax(&message, span))?;
        ordinary::values(&mut file, &fault)?;
        let none = Said::default();
        let (said, values) = match request.typed.as_deref() {
            Some(run) => {
                let Run { ins, outs, sets, width, values, .. } = run;
                (Said { ins, outs, sets, width: *width, json: false }, &values[..])
            }
            None => (none, &[][..]),
        };
        said.amend(&mut file)?;
        Ok(Lower { file: &file, directory: &directory, fault: &fault }.all(said, values)?)
    }

    /// Binds what differs from rank to rank: how many bytes a rank has of each buffer, and its first row.
    pub fn bind(&mut self, local: impl Fn(&str) -> (u64, u64)) {
        let sizes: HashMap<String, u64> =
            self.buffers.iter().map(|buffer| (buffer.name.clone(), local(&buffer.name).0)).collect();
        let sizes: HashMap<&str, u64> = sizes.iter().map(|(name, bytes)| (name.as_str(), *bytes)).collect();
        for bind in self.graph.waves.iter_mut().flat_map(|wave| &mut wave.binds) {
            bind::to_the_end(&mut bind.1, &sizes);
        }
        for (wave, row, of) in &self.firsts {
            let first = (local(of).1 as u32).to_le_bytes().to_vec();
            if let Some(bind) = self.graph.waves[*wave].binds.iter_mut().find(|(bound, _)| bound == row) {
                bind.1 = Bind::Value(first);
            }
        }
    }
}
