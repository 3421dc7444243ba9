//! Job files: graphs of waves for people who write no Rust (see docs/job.md).

mod schema;
mod fault;
mod data;
mod queue;
mod block;
mod lower;
mod picture;
mod show;
mod run;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use seawall::core::graph::Graph;
use seawall::diag::Source;
use seawall::program;

use crate::args::Assign;
use crate::error::Error;
use crate::file::{self, PROGRAM_BYTES_MAX};
use crate::sink::Sink;
use crate::typed::read;
use fault::Fault;
pub(crate) use run::run;
pub(crate) use show::{explain, plan};

/// Whether a file is a job.
pub(crate) fn is_job(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "toml")
}

/// A job file, read and looked up.
pub(crate) struct Job {
    graph: Graph,
    budget_bytes: Option<u64>,
    /// What each buffer is, in the order of the graph's data.
    buffers: Vec<Buffer>,
    /// What queues begin with.
    items: Vec<Buffer>,
}

/// A buffer of the job.
struct Buffer {
    name: String,
    /// As the first wave binds it.
    row: program::Buffer,
    /// What it holds at the start, or zeros.
    memory: Vec<u8>,
    /// Whether it comes back.
    kept: bool,
    /// Whether a run may set it.
    is_value: bool,
    sink: Option<Sink>,
    width: Option<u64>,
}

impl Job {
    /// Reads the file and all that it names.
    pub(crate) fn read(path: &Path) -> Result<Self, Error> {
        let text = file::read_text(path, PROGRAM_BYTES_MAX)?;
        let fault = Fault { source: Arc::new(Source { name: path.display().to_string(), text }) };
        let mut file = schema::parse(&fault.source.text).map_err(|(message, span)| fault.syntax(&message, span))?;
        lower::values(&mut file, &fault)?;
        let directory: PathBuf = path.parent().map(Path::to_owned).unwrap_or_default();
        lower::lower(&file, &directory, &fault)
    }

    /// Sets values for this run.
    pub(crate) fn set(&mut self, values: &[Assign]) -> Result<(), Error> {
        for (i, Assign { name, value }) in values.iter().enumerate() {
            if values[..i].iter().any(|before| before.name == *name) {
                return Err(Error::Twice { option: "--value", name: name.clone() });
            }
            let Some(buffer) = self.buffers.iter_mut().find(|buffer| buffer.is_value && buffer.name == *name) else {
                let known = self.buffers.iter().filter(|buffer| buffer.is_value);
                let known = known.map(|buffer| buffer.name.clone()).collect();
                return Err(Error::UnknownValue { name: name.clone(), known });
            };
            let read = read::json(name, &buffer.row.ty, value);
            buffer.memory = read.map_err(|error| Error::Value { name: name.clone(), error: error.to_string() })?;
        }
        Ok(())
    }
}
