//! Job files: graphs of waves for people who write no Rust (see docs/job.md).

mod schema;
mod fault;
mod data;
mod queue;
mod block;
mod bind;
mod grid;
mod image;
mod lower;
pub mod shared;
mod show;
mod run;

use std::path::Path;
use std::sync::Arc;

use seawall::diag;
use seawall::program;
use seawall::texture::Shape;
use seawall_core::graph::Graph;

use crate::args::{Assign, Decide};
use crate::error::Error;
use crate::given::Given;
use crate::load;
use crate::run::output::sinks;
use crate::sink::Sink;
use crate::source::Source;
use crate::typed::read;
use fault::Fault;
pub(crate) use run::{racers, run};
pub(crate) use show::{check, explain, plan, tell};

/// Whether the data of a job is shared out among ranks. A text that is no job is told of where it is read.
pub(crate) fn is_shared(given: &Given) -> bool {
    let text = str::from_utf8(&given.bytes).ok();
    text.and_then(|text| schema::parse(text).ok()).is_some_and(|file| file.is_shared())
}

/// What the command line says about a job.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Said<'a> {
    pub(crate) ins: &'a [Assign],
    pub(crate) outs: &'a [Assign],
    pub(crate) sets: &'a [Decide],
    pub(crate) width: Option<u64>,
    pub(crate) json: bool,
}

impl Said<'_> {
    /// Puts sources and outputs in the place of the file's own.
    fn amend(&self, file: &mut schema::File) -> Result<(), Error> {
        let known = |file: &schema::File| -> Vec<String> {
            let buffers = file.buffers.iter().filter(|(_, says)| !says.is_value);
            buffers.map(|(name, _)| name.get_ref().clone()).collect()
        };
        for (i, Assign { name, value }) in self.ins.iter().enumerate() {
            if self.ins[..i].iter().any(|before| before.name == *name) {
                return Err(Error::Twice { option: "--in", name: name.clone() });
            }
            let source =
                Source::parse(value).map_err(|error| Error::In { name: name.clone(), error: Box::new(error) })?;
            let Some(says) = file.buffer_mut(name) else {
                return Err(Error::NoJobBuffer { name: name.clone(), known: known(file) });
            };
            (says.given, says.source, says.elements, says.bytes) = (Some(source), None, None, None);
        }
        for (name, sink) in sinks(self.outs, self.json)? {
            let Some(says) = file.buffer_mut(&name) else {
                return Err(Error::NoJobOutput { option: "--out", name, known: known(file) });
            };
            says.goes = Some((sink, self.width));
        }
        Ok(())
    }
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
    /// The image that it is the texels of.
    shape: Option<Shape>,
}

impl Job {
    /// Reads the file and all that it names; what the command line says goes before what it says.
    pub(crate) fn read(given: Given, said: &Said<'_>) -> Result<Self, Error> {
        let (name, directory) = (load::name(&given.path), given.path.parent().map(Path::to_owned).unwrap_or_default());
        let path = given.path.clone();
        let fault = Fault { source: Arc::new(diag::Source { name, text: given.text()? }) };
        let mut file = schema::parse(&fault.source.text).map_err(|(message, span)| fault.syntax(&message, span))?;
        if file.is_shared() {
            return Err(Error::IsShared { path });
        }
        lower::values(&mut file, &fault)?;
        said.amend(&mut file)?;
        lower::lower(&file, &directory, said.sets, &fault)
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
            let text =
                value.to_str().ok_or_else(|| Error::Value { name: name.clone(), error: "is no text".to_owned() })?;
            let read = read::json(name, &buffer.row.ty, text);
            buffer.memory = read.map_err(|error| Error::Value { name: name.clone(), error: error.to_string() })?;
        }
        Ok(())
    }
}
