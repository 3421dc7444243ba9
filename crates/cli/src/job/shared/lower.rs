//! From what the file says to a job that is shared out.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use seawall::{Kernel, program};
use seawall_core::graph::{self, Bind, Graph, Key};
use seawall_core::layout::{Scalar, Type};
use toml::Spanned;

use super::super::fault::Fault;
use super::super::schema::{self, Exchange as Kind, File, Output, Wave};
use super::super::{Said, bind, block, data, grid, lower};
use super::{Buffer, Exchange, Reduce, Share, Shared};
use crate::args::Assign;
use crate::error::Error;
use crate::load;
use crate::sink::Sink;
use crate::source::Source;
use crate::typed::{Extent, read};

/// A file being looked up.
pub(super) struct Lower<'a> {
    pub(super) file: &'a File,
    pub(super) directory: &'a Path,
    pub(super) fault: &'a Fault,
}

impl<'a> Lower<'a> {
    /// The job, with what was typed.
    pub(super) fn all(&self, said: Said<'_>, values: &[Assign]) -> Result<Shared, Error> {
        let Self { file, directory, fault } = *self;
        self.refuse()?;
        let kernels = lower::kernels(file, directory, &load::overrides(said.sets)?, fault)?;
        let known: HashSet<&str> = bind::buffer_names(file).collect();
        let rows = self.rows(&kernels, &known)?;
        lower::names(file, &known, fault)?;
        let values = self.values(&rows, values)?;
        let mut described = Vec::new();
        for (wave, kernel) in file.waves.iter().zip(&kernels) {
            let mut binds = bind::binds(wave, kernel, file, &known, fault)?;
            for (_, bind) in &mut binds {
                if let Bind::Data { data: Key::Name(name), range: None } = bind
                    && let Some(bytes) = values.get(name.as_str())
                {
                    *bind = Bind::Value(bytes.clone());
                }
            }
            let size = if wave.exchange.is_some() { None } else { Some(grid::grid(wave, fault)?) };
            described.push((binds, size));
        }
        let mut graph = Graph::default();
        let mut waves = file.waves.iter().zip(&kernels).zip(described);
        block::add(file, &mut graph, fault, |graph| {
            let Some(((wave, kernel), (binds, size))) = waves.next() else { return };
            let node = graph.wave(wave.name.get_ref(), kernel);
            node.binds = binds;
            node.grid = match size {
                Some(grid::Size::Grid(grid)) => Some(grid),
                Some(grid::Size::Items(_)) | None => Some(graph::Grid::Workgroups([1; 3])),
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
            bind::first_rows(wave, kernel, known, &mut rows);
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
            if is_known { Ok(()) } else { Err(bind::unknown_buffer(file, said.get_ref(), said.span(), fault)) }
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
