//! Jobs whose data is shared out among ranks: read as all jobs are, and run by `seawall-mpi` (see docs/mpi.md).

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Parser;
use seawall::{Kernel, diag, program};
use seawall_core::graph::{self, Bind, Graph, Key};
use seawall_core::layout::{Scalar, Type};
use toml::Spanned;

use super::fault::Fault;
use super::schema::{self, Exchange as Kind, File, Output, Wave};
use super::{Said, block, data, lower};
use crate::args::{self, Assign, Cli, Command, Run};
use crate::error::{Error, run_status};
use crate::given::Given;
use crate::publish::{self, Files};
use crate::sink::Sink;
use crate::source::Source;
use crate::typed::{Extent, read};
use crate::{load, say};

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
            return Err(wrong(crate::source::Error::Elements { expected, got }).into());
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
        lower::values(&mut file, &fault)?;
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
            lower::to_the_end(&mut bind.1, &sizes);
        }
        for (wave, row, of) in &self.firsts {
            let first = (local(of).1 as u32).to_le_bytes().to_vec();
            if let Some(bind) = self.graph.waves[*wave].binds.iter_mut().find(|(bound, _)| bound == row) {
                bind.1 = Bind::Value(first);
            }
        }
    }
}

/// A file being looked up.
struct Lower<'a> {
    file: &'a File,
    directory: &'a Path,
    fault: &'a Fault,
}

impl<'a> Lower<'a> {
    fn all(&self, said: Said<'_>, values: &[Assign]) -> Result<Shared, Error> {
        let Self { file, directory, fault } = *self;
        self.refuse()?;
        let kernels = lower::kernels(file, directory, &load::overrides(said.sets)?, fault)?;
        let known: HashSet<&str> = lower::buffer_names(file).collect();
        let rows = self.rows(&kernels, &known)?;
        lower::names(file, &known, fault)?;
        let values = self.values(&rows, values)?;
        let mut described = Vec::new();
        for (wave, kernel) in file.waves.iter().zip(&kernels) {
            let mut binds = lower::binds(wave, kernel, file, &known, fault)?;
            for (_, bind) in &mut binds {
                if let Bind::Data { data: Key::Name(name), range: None } = bind
                    && let Some(bytes) = values.get(name.as_str())
                {
                    *bind = Bind::Value(bytes.clone());
                }
            }
            let size = if wave.exchange.is_some() { None } else { Some(lower::grid(wave, fault)?) };
            described.push((binds, size));
        }
        let mut graph = Graph::default();
        let mut waves = file.waves.iter().zip(&kernels).zip(described);
        block::add(file, &mut graph, fault, |graph| {
            let Some(((wave, kernel), (binds, size))) = waves.next() else { return };
            let node = graph.wave(wave.name.get_ref(), kernel);
            node.binds = binds;
            node.grid = match size {
                Some(lower::Size::Grid(grid)) => Some(grid),
                Some(lower::Size::Items(_)) | None => Some(graph::Grid::Workgroups([1; 3])),
            };
            node.after = wave.after.iter().map(|after| after.get_ref().clone()).collect();
        })?;
        let buffers = self.buffers(&rows)?;
        let exchanges = file.waves.iter().map(|wave| self.exchange(wave, &rows)).collect::<Result<_, _>>()?;
        let firsts = file.waves.iter().enumerate().flat_map(|(at, wave)| {
            wave.bind.iter().filter_map(move |(row, bind)| match bind.get_ref() {
                schema::Bind::First(of) => Some((at, Key::from(row.get_ref()), of.first.clone())),
                schema::Bind::Whole(_) | schema::Bind::Part(_) | schema::Bind::Value(_) => None,
            })
        });
        let budget_bytes = file.budget.as_ref().map(|budget| budget.get_ref().0);
        Ok(Shared { graph, exchanges, buffers, budget_bytes, firsts: firsts.collect() })
    }

    /// What ordinary jobs have, and those that are shared out do not.
    fn refuse(&self) -> Result<(), Error> {
        let both =
            self.file.waves.iter().find_map(|wave| wave.exchange.as_ref().and(Some((wave, wave.program.as_ref()?))));
        if let Some((wave, program)) = both {
            let message = format!("wave `{}` has a program and an exchange", wave.name.get_ref());
            return Err(self.fault.wave(message, program.span(), "one of them", None));
        }
        let File { branches, drains, queues, buffers, waves, .. } = self.file;
        let blocks = branches.keys().chain(drains.keys()).chain(queues.keys()).map(|name| (name.span(), "this"));
        let images = buffers.values().filter_map(|says| says.image.as_ref()).map(|image| (image.span(), "an image"));
        let counts = buffers.values().filter_map(|says| says.count.as_ref()).map(|count| (count.span(), "a count"));
        let waves = waves.iter().flat_map(|wave| {
            let items = wave.items.as_ref().map(|items| (items.span(), "items"));
            items.into_iter().chain(wave.sampler.keys().map(|name| (name.span(), "a sampler")))
        });
        let Some((span, label)) = blocks.chain(images).chain(counts).chain(waves).next() else { return Ok(()) };
        let message = "branches, queues, images and counts are not shared out among ranks".to_owned();
        let help = "a job that is not shared out has them; in Rust, so has `Graph::here` (docs/mpi.md)".to_owned();
        Err(self.fault.block(message, span, label, Some(help)))
    }

    /// The type of each buffer: as the first wave binds it, as what it is exchanged with, or as the file says.
    fn rows(
        &self,
        kernels: &[Arc<Kernel>],
        known: &HashSet<&'a str>,
    ) -> Result<HashMap<&'a str, program::Buffer>, Error> {
        let file = self.file;
        let mut rows = HashMap::new();
        for (wave, kernel) in file.waves.iter().zip(kernels) {
            lower::first_rows(wave, kernel, known, &mut rows);
        }
        for (name, says) in &file.buffers {
            let Some(said) = &says.ty else { continue };
            let ty = self.number(said)?;
            let row = rows.entry(name.get_ref().as_str()).or_insert_with(|| array(name.get_ref(), ty));
            let (Type::Scalar(bound) | Type::Atomic(bound)) = Extent::of(&row.ty).element else {
                let message = format!("buffer `{}` is bound as `{}`", name.get_ref(), row.ty);
                return Err(self.fault.buffer(message, said.span(), "not this", Some("leave it out".to_owned())));
            };
            if *bound != ty {
                let message = format!("buffer `{}` is bound as `{}`", name.get_ref(), row.ty);
                return Err(self.fault.buffer(message, said.span(), "not this", Some("leave it out".to_owned())));
            }
        }
        block::rows(file, known, &mut rows);
        for _ in 0..2 {
            for wave in &file.waves {
                let name = |said: &'a Option<Spanned<String>>| {
                    said.as_ref().and_then(|name| known.get(name.get_ref().as_str()))
                };
                for words in [&wave.counts, &wave.received] {
                    if let Some(name) = name(words) {
                        rows.entry(name).or_insert_with(|| array(name, Scalar::U32));
                    }
                }
                let indirect = wave.indirect.as_ref().and_then(|said| known.get(said.get_ref().buffer()));
                if let Some(name) = indirect {
                    rows.entry(name).or_insert_with(|| array(name, Scalar::U32));
                }
                if let (Some(of), Some(into)) = (name(&wave.of), name(&wave.into)) {
                    for (one, other) in [(of, into), (into, of)] {
                        if let Some(row) = rows.get(other).cloned() {
                            rows.entry(one).or_insert(row);
                        }
                    }
                }
            }
        }
        Ok(rows)
    }

    fn number(&self, said: &Spanned<String>) -> Result<Scalar, Error> {
        Ok(match said.get_ref().as_str() {
            "u32" => Scalar::U32,
            "i32" => Scalar::I32,
            "f32" => Scalar::F32,
            "f16" => Scalar::F16,
            "u64" => Scalar::U64,
            "i64" => Scalar::I64,
            "f64" => Scalar::F64,
            other => {
                let message = format!("`{other}` is no type of numbers");
                let help = "u32, i32, f32, f16, u64, i64 and f64 are; other types are those of waves that bind it";
                return Err(self.fault.buffer(message, said.span(), "this", Some(help.to_owned())));
            }
        })
    }

    /// The values of the file, or those that were typed.
    fn values(
        &self,
        rows: &HashMap<&'a str, program::Buffer>,
        typed: &[Assign],
    ) -> Result<HashMap<&'a str, Vec<u8>>, Error> {
        let mut values = HashMap::new();
        for (name, value) in &self.file.values {
            let name = name.get_ref().as_str();
            let Some(row) = rows.get(name) else { continue };
            let said = typed.iter().find(|said| said.name == name);
            let text = match said {
                Some(said) => said.value.to_str().map(str::to_owned).ok_or_else(|| "is no text".to_owned()),
                None => data::json(value.get_ref()),
            };
            let bytes = text.and_then(|text| read::json(name, &row.ty, &text).map_err(|error| error.to_string()));
            let bytes = bytes.map_err(|error| match said {
                Some(_) => Error::Value { name: name.to_owned(), error },
                None => self.fault.buffer(error, value.span(), "this value", None),
            })?;
            values.insert(name, bytes);
        }
        for Assign { name, .. } in typed {
            if !values.contains_key(name.as_str()) {
                let known = values.keys().map(|&name| name.to_owned()).collect();
                return Err(Error::UnknownValue { name: name.clone(), known });
            }
        }
        Ok(values)
    }

    fn buffers(&self, rows: &HashMap<&'a str, program::Buffer>) -> Result<Vec<Buffer>, Error> {
        let named = self.file.buffers.iter().filter(|(_, says)| !says.is_value);
        let mut buffers: Vec<_> = named.collect();
        buffers.sort_by_key(|(name, _)| name.span().start);
        let mut made = Vec::new();
        for (name, says) in buffers {
            let text = name.get_ref();
            let Some(row) = rows.get(text.as_str()) else {
                let message = format!("no wave binds buffer `{text}`, and nothing says what is in it");
                let help = "say its numbers, as in type = \"f32\", or leave it out".to_owned();
                return Err(self.fault.buffer(message, name.span(), "of what?", Some(help)));
            };
            made.push(self.buffer(name, says, program::Buffer { name: text.clone(), ..row.clone() })?);
        }
        Ok(made)
    }

    fn buffer(&self, name: &Spanned<String>, says: &schema::Buffer, row: program::Buffer) -> Result<Buffer, Error> {
        let (fault, text) = (self.fault, name.get_ref());
        let share = self.share(name, says)?;
        let extent = Extent::of(&row.ty);
        if extent.head > 0 {
            let message = format!("buffer `{text}: {}` has members before its elements", row.ty);
            return Err(fault.buffer(message, name.span(), "cannot be shared out", None));
        }
        if let Some(fixed) = extent.fixed.filter(|fixed| *fixed != share.len()) {
            let message = format!("buffer `{text}: {}` has {fixed} elements, not {}", row.ty, share.len());
            return Err(fault.buffer(message, says.shared().unwrap_or(name.span()), "here", None));
        }
        let element_bytes = extent.stride;
        // Rows that are shared out are bound in parts, and come and go as a whole.
        let (source, sink) = (self.source(text, says, &share)?, self.sink(name, says, &row, &share, element_bytes)?);
        let width =
            says.goes.as_ref().and_then(|(_, width)| *width).or(says.width.as_ref().map(|width| *width.get_ref()));
        Ok(Buffer { name: text.clone(), share, element_bytes, row, source, sink, width })
    }

    fn share(&self, name: &Spanned<String>, says: &schema::Buffer) -> Result<Share, Error> {
        let of = |said: &Option<Spanned<u64>>| said.as_ref().map(|said| *said.get_ref());
        let (width, halo) = (of(&says.width).unwrap_or(1), of(&says.halo).unwrap_or(0));
        let shaped = says.halo.is_some();
        match (of(&says.rows), &says.offsets, of(&says.replicated), of(&says.local)) {
            (Some(rows), None, None, None) => Ok(Share::Rows { rows, width, halo }),
            (None, Some(offsets), None, None) => Ok(Share::At { offsets: offsets.get_ref().clone(), width, halo }),
            (None, None, Some(len), None) if !shaped => Ok(Share::Replicated { len }),
            (None, None, None, Some(len)) if !shaped => Ok(Share::Local { len }),
            _ => {
                let message = format!("buffer `{}` is not shared out in one way", name.get_ref());
                let help = "say rows, offsets, replicated or local; a halo goes with rows and offsets".to_owned();
                Err(self.fault.buffer(message, says.shared().unwrap_or(name.span()), "how?", Some(help)))
            }
        }
        .and_then(|share| match (&says.elements, &says.bytes) {
            (None, None) => Ok(share),
            (elements, bytes) => {
                let span = elements.as_ref().map(Spanned::span).or(bytes.as_ref().map(Spanned::span));
                let message = format!("how `{}` is shared out decides its size", name.get_ref());
                let help = Some("leave it out".to_owned());
                Err(self.fault.buffer(message, span.unwrap_or(name.span()), "not beside that", help))
            }
        })
    }

    fn source(&self, name: &str, says: &schema::Buffer, share: &Share) -> Result<Option<Source>, Error> {
        let source = match (&says.given, &says.source) {
            (Some(given), _) => given.clone(),
            (None, None) => return Ok(None),
            (None, Some(said)) => {
                let refuse = |message: String, help| self.fault.buffer(message, said.span(), "from here", help);
                match said.get_ref() {
                    toml::Value::String(text) => Source::parse(text.as_ref())
                        .map_err(|error| refuse(format!("buffer `{name}`: {error}"), error.help()))?
                        .beneath(self.directory),
                    value => Source::Json(data::json(value).map_err(|message| refuse(message, None))?),
                }
            }
        };
        Ok(Some(match source {
            // The share says how many.
            Source::Made(generator, None) => Source::Made(generator, Some(share.len())),
            other => other,
        }))
    }

    fn sink(
        &self,
        name: &Spanned<String>,
        says: &schema::Buffer,
        row: &program::Buffer,
        share: &Share,
        element_bytes: u64,
    ) -> Result<Option<Sink>, Error> {
        let bytes = share.len().saturating_mul(element_bytes);
        let width = says.width.as_ref().map(|width| *width.get_ref());
        if let Some((sink, said)) = &says.goes {
            let fits = sink.fits(row, bytes, said.or(width));
            return match fits {
                Ok(()) => Ok(Some(sink.clone())),
                Err(error) => Err(Error::Out { name: name.get_ref().clone(), error }),
            };
        }
        let Some(output) = &says.output else { return Ok(None) };
        let Output::File(path) = output.get_ref() else {
            let message = format!("buffer `{}` is shared out, and cannot be printed", name.get_ref());
            let help = "name a file".to_owned();
            return Err(self.fault.buffer(message, output.span(), "where to?", Some(help)));
        };
        let refuse = |error: crate::sink::Error| {
            if error.is_world() {
                return Error::Save { name: name.get_ref().clone(), error };
            }
            let message = format!("buffer `{}`: {error}", name.get_ref());
            self.fault.buffer(message, output.span(), "to here", error.help())
        };
        let sink = Sink::parse(path.as_ref()).map_err(refuse)?.beneath(self.directory);
        sink.fits(row, bytes, width).map_err(refuse)?;
        Ok(Some(sink))
    }

    fn exchange(&self, wave: &Wave, rows: &HashMap<&'a str, program::Buffer>) -> Result<Option<Exchange>, Error> {
        let (fault, file) = (self.fault, self.file);
        let keys = [("of", &wave.of), ("into", &wave.into), ("counts", &wave.counts), ("received", &wave.received)];
        let Some(kind) = &wave.exchange else {
            let stray = keys.iter().find_map(|(key, said)| Some((key, said.as_ref()?.span())));
            return match stray {
                Some((key, span)) => {
                    let message = format!("wave `{}` says `{key}` and is no exchange", wave.name.get_ref());
                    Err(fault.wave(message, span, "of an exchange", None))
                }
                None => Ok(None),
            };
        };
        let known = |said: &Spanned<String>| {
            let is_known = file.buffers.iter().any(|(name, says)| name.get_ref() == said.get_ref() && !says.is_value);
            if is_known { Ok(()) } else { Err(lower::unknown_buffer(file, said.get_ref(), said.span(), fault)) }
        };
        keys.iter().filter_map(|(_, said)| said.as_ref()).try_for_each(known)?;
        let need = |key: &str| {
            let said = keys.iter().find(|(of, _)| *of == key).and_then(|(_, said)| said.as_ref());
            said.map(|said| said.get_ref().clone()).ok_or_else(|| {
                let message = format!("exchange `{}` does not say `{key}`", wave.name.get_ref());
                fault.wave(message, wave.name.span(), "this wave", None)
            })
        };
        let of = need("of")?;
        let how = match kind.get_ref() {
            Kind::Halo => {
                let into = wave.into.as_ref().map_or_else(|| of.clone(), |into| into.get_ref().clone());
                return Ok(Some(Exchange::Halo { of, into }));
            }
            Kind::AllGather => return Ok(Some(Exchange::AllGather { of, into: need("into")? })),
            Kind::AllToAll => {
                let (counts, into, received) = (need("counts")?, need("into")?, need("received")?);
                return Ok(Some(Exchange::AllToAll { of, counts, into, received }));
            }
            Kind::Sum => Reduce::Sum,
            Kind::Min => Reduce::Min,
            Kind::Max => Reduce::Max,
            Kind::Or => Reduce::Or,
        };
        let element = rows.get(of.as_str()).map(|row| Extent::of(&row.ty).element);
        let scalar = match element {
            Some(Type::Scalar(scalar) | Type::Atomic(scalar)) if *scalar != Scalar::F16 => Some(*scalar),
            _ => None,
        };
        let Some(scalar) = scalar else {
            let message = format!("`{of}` has no numbers that MPI can reduce");
            return Err(fault.wave(message, wave.of.as_ref().map_or(wave.name.span(), Spanned::span), "these", None));
        };
        let ordered = wave.ordered.as_ref().is_some_and(|ordered| *ordered.get_ref());
        Ok(Some(Exchange::AllReduce { of, how, scalar, ordered }))
    }
}

/// Numbers, as many as there are.
fn array(name: &str, scalar: Scalar) -> program::Buffer {
    let element = Type::Scalar(scalar);
    let bytes = element.bytes();
    block::plain(name, Type::Array { element: Box::new(element), len: None, stride: bytes as u32 }, bytes)
}
