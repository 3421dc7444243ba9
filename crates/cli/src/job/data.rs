//! The buffers of a job: their types from the waves that use them, then sizes and contents.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

use seawall::program;
use seawall::program::texture::Texture;
use seawall::texture::Shape;
use seawall_core::graph::Role;
use toml::Spanned;

use super::Buffer;
use super::fault::Fault;
use super::schema::{self, Output};
use crate::error::Error;
use crate::image::Texels;
use crate::memory;
use crate::sink::{self, Sink};
use crate::source::Source;
use crate::typed::Extent;

/// Everything about one buffer before it has bytes.
pub(super) struct Entry<'a> {
    pub(super) name: &'a Spanned<String>,
    pub(super) says: &'a schema::Buffer,
    /// As the first wave binds it.
    pub(super) row: program::Buffer,
    /// What it is bound to, if that is a texture.
    pub(super) texture: Option<Texture>,
}

/// Where a buffer comes from and goes to.
pub(super) fn role(says: &schema::Buffer) -> Role {
    match (says.source.is_some() || says.given.is_some(), kept(says)) {
        (true, false) => Role::Input,
        (true, true) => Role::InOut,
        (false, true) => Role::Output,
        (false, false) => Role::Transient,
    }
}

fn kept(says: &schema::Buffer) -> bool {
    says.goes.is_some() || says.output.as_ref().is_some_and(|output| !matches!(output.get_ref(), Output::Print(false)))
}

/// The types of all buffers, by the first wave that binds each.
pub(super) fn entries<'a>(
    file: &'a schema::File,
    rows: &HashMap<&str, program::Buffer>,
    textures: &HashMap<&str, Texture>,
    fault: &Fault,
) -> Result<Vec<Entry<'a>>, Error> {
    let mut entries = Vec::new();
    for (name, says) in &file.buffers {
        let Some(row) = rows.get(name.get_ref().as_str()) else {
            let what = if says.is_value { "value" } else { "buffer" };
            let message = format!("no wave binds {what} `{}`", name.get_ref());
            return Err(fault.buffer(message, name.span(), "not used", Some("bind it or leave it out".to_owned())));
        };
        let texture = textures.get(name.get_ref().as_str()).cloned();
        entries.push(Entry { name, says, row: row.clone(), texture });
    }
    entries.sort_by_key(|entry| entry.name.span().start);
    files_differ(&entries, fault)?;
    Ok(entries)
}

/// No two buffers go to one file.
fn files_differ(entries: &[Entry<'_>], fault: &Fault) -> Result<(), Error> {
    let mut files: HashMap<&str, &str> = HashMap::new();
    for entry in entries {
        let Some(output) = &entry.says.output else { continue };
        let Output::File(path) = output.get_ref() else { continue };
        let name = entry.name.get_ref();
        if let Some(first) = files.insert(path, name) {
            let message = format!("`{first}` and `{name}` both go to `{path}`");
            return Err(fault.buffer(message, output.span(), "the second", None));
        }
    }
    Ok(())
}

impl Entry<'_> {
    /// Its size and contents.
    pub(super) fn load(&self, directory: &Path, image: Option<Texels>, fault: &Fault) -> Result<Buffer, Error> {
        let (shape, texels) = image.unzip();
        let memory = match (&self.says.given, &self.says.source) {
            _ if let Some(texels) = texels => texels,
            (Some(given), _) => {
                let named = program::Buffer { name: self.name.get_ref().clone(), ..self.row.clone() };
                given
                    .load(&named)
                    .map_err(|error| Error::In { name: self.name.get_ref().clone(), error: Box::new(error) })?
            }
            (None, Some(source)) => self.content(source, directory, fault)?,
            (None, None) => memory::zeroed(Some(self.bytes(fault)?))
                .map_err(|error| Error::Load { name: self.name.get_ref().clone(), error: Box::new(error.into()) })?,
        };
        let said = self.says.goes.clone().map(|(sink, width)| self.said(sink, width, (shape, &memory))).transpose()?;
        let sink = match self.says.output.as_ref().map(|output| (output.get_ref(), output.span())) {
            _ if said.is_some() => said,
            Some((Output::File(path), span)) => Some(self.sink(path, directory, (shape, &memory), span, fault)?),
            Some((Output::Print(_), _)) | None => None,
        };
        Ok(Buffer {
            name: self.name.get_ref().clone(),
            row: self.row.clone(),
            memory,
            kept: kept(self.says),
            is_value: self.says.is_value,
            sink,
            width: self.width(),
            shape,
        })
    }

    /// The file that the command line names, where the buffer goes there.
    fn said(&self, sink: Sink, width: Option<u64>, (shape, memory): (Option<Shape>, &[u8])) -> Result<Sink, Error> {
        let fits = match shape {
            Some(shape) => sink.fits_image(shape),
            None => sink.fits(&self.row, memory.len() as u64, width.or(self.width())),
        };
        fits.map_err(|error| Error::Out { name: self.name.get_ref().clone(), error })?;
        Ok(sink)
    }

    fn width(&self) -> Option<u64> {
        let said = self.says.goes.as_ref().and_then(|(_, width)| *width);
        said.or(self.says.width.as_ref().map(|width| *width.get_ref()))
    }

    /// Bytes from the job's own words, or from the type where that fixes them.
    fn bytes(&self, fault: &Fault) -> Result<u64, Error> {
        let extent = Extent::of(&self.row.ty);
        match (&self.says.elements, &self.says.bytes) {
            (Some(elements), Some(_)) => {
                let message = format!("buffer `{}` has both elements and bytes", self.name.get_ref());
                Err(fault.buffer(message, elements.span(), "either this", Some("leave one of them out".to_owned())))
            }
            (Some(elements), None) => extent.bytes(*elements.get_ref()).ok_or_else(|| {
                fault.buffer("the size is over 2^64 bytes".to_owned(), elements.span(), "too many", None)
            }),
            (None, Some(bytes)) => Ok(bytes.get_ref().0),
            (None, None) if extent.fixed.is_some() => Ok(self.row.min_bytes),
            (None, None) => {
                let message = format!("buffer `{}: {}` has no size", self.name.get_ref(), self.row.ty);
                let help = "say how many elements = N it has, or what source = … it starts from".to_owned();
                Err(fault.buffer(message, self.name.span(), "how large?", Some(help)))
            }
        }
    }

    fn content(&self, source: &Spanned<toml::Value>, directory: &Path, fault: &Fault) -> Result<Vec<u8>, Error> {
        let refuse = |message: String, help: Option<String>| fault.buffer(message, source.span(), "from here", help);
        let clash = self.says.elements.as_ref().map(Spanned::span).or(self.says.bytes.as_ref().map(Spanned::span));
        if let Some(span) = clash {
            let message = format!("the source of buffer `{}` decides its size", self.name.get_ref());
            return Err(fault.buffer(message, span, "not beside a source", Some("leave it out".to_owned())));
        }
        if self.says.is_value && self.row.ty.tail().is_some() {
            let message = format!("value `{}` is bound as `{}`, which has no size", self.name.get_ref(), self.row.ty);
            return Err(refuse(message, Some("make it a buffer with a source".to_owned())));
        }
        let source = match source.get_ref() {
            toml::Value::String(_) if self.says.is_value => {
                let message = format!("value `{}: {}` cannot be a string", self.name.get_ref(), self.row.ty);
                return Err(refuse(message, Some("files and generators are for buffers".to_owned())));
            }
            toml::Value::String(text) => Source::parse(text.as_ref()).map(|source| source.beneath(directory)),
            value => Ok(Source::Json(json(value).map_err(|message| refuse(message, None))?)),
        };
        let named = program::Buffer { name: self.name.get_ref().clone(), ..self.row.clone() };
        let loaded = source.and_then(|source| source.load(&named));
        loaded.map_err(|error| {
            if error.is_world() {
                Error::Load { name: self.name.get_ref().clone(), error: Box::new(error) }
            } else {
                let what = if self.says.is_value { "value" } else { "buffer" };
                refuse(format!("{what} `{}`: {error}", self.name.get_ref()), error.help())
            }
        })
    }

    fn sink(
        &self,
        path: &str,
        directory: &Path,
        (shape, memory): (Option<Shape>, &[u8]),
        span: Range<usize>,
        fault: &Fault,
    ) -> Result<Sink, Error> {
        let refuse = |error: sink::Error| {
            if error.is_world() {
                return Error::Save { name: self.name.get_ref().clone(), error };
            }
            let message = format!("buffer `{}`: {error}", self.name.get_ref());
            let help = match error {
                sink::Error::NoWidth => Some("say it with width = W".to_owned()),
                _ => error.help(),
            };
            fault.buffer(message, span.clone(), "to here", help)
        };
        let sink = Sink::parse(path.as_ref()).map_err(refuse)?.beneath(directory);
        let fits = match shape {
            Some(shape) => sink.fits_image(shape),
            None => sink.fits(&self.row, memory.len() as u64, self.width()),
        };
        fits.map_err(refuse)?;
        Ok(sink)
    }
}

/// A TOML value as the JSON that sources are written in.
pub(super) fn json(value: &toml::Value) -> Result<String, String> {
    serde_json::to_string(value).map_err(|error| error.to_string())
}
