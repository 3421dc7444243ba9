//! Where a buffer's bytes come from: what was typed after `--in NAME=`, and what it means
//! for a buffer of a given type.

mod generate;
mod table;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use seawall_core::program::Buffer;
use seawall_core::program::texture::Texture;

use crate::format::{self, Format, is_pipe};
use crate::table::count;
use crate::typed::{Extent, read};
use crate::{file, image, memory, npy};
pub(crate) use generate::Generator;
pub(crate) use table::{CsvError, NpyError};

/// Extensions of the files that can be read.
pub(crate) const EXTENSIONS: &str = ".npy, .bin, .csv, .json";

/// What was typed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Source {
    /// A value, inline.
    Json(String),
    /// A file, and how to read it.
    File(PathBuf, Format),
    /// An image of zeros, of this size.
    Blank(String),
    /// Made on the spot, with the number of elements where it was given.
    Made(Generator, Option<u64>),
}

/// Why there are no bytes for a buffer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("`{text}` is no source")]
    Unknown { text: String },
    #[error("the extension of `{}` is unknown", path.display())]
    Extension { path: PathBuf },
    #[error("{} is a picture, which a texture can be and a buffer cannot", file::shown(path))]
    Picture { path: PathBuf },
    #[error("standard input has no extension that says its format")]
    NoFormat,
    #[error("`{text}` is not a number of elements")]
    Count { text: String },
    #[error("`{text}` is not a seed")]
    Seed { text: String },
    #[error("`{what}` needs a value, as in fill:1.5:1000")]
    NoValue { what: &'static str },
    #[error("the number of elements is missing")]
    NoCount,
    #[error("it has {}, not {got}", count(*expected, "element"))]
    Elements { expected: u64, got: u64 },
    #[error("it needs at least {} ({min_bytes} bytes), not {got}", count(*least, "element"))]
    TooFew { got: u64, least: u64, min_bytes: u64 },
    #[error("{}: {got_bytes} bytes are not {} {stride_bytes}{}", file::shown(path), if *fixed { "the" } else { "a multiple of" },
        if *head_bytes > 0 { format!(" after the first {head_bytes}") } else { String::new() })]
    Bytes { path: PathBuf, got_bytes: u64, head_bytes: u64, stride_bytes: u64, fixed: bool },
    #[error(transparent)]
    File(#[from] file::Error),
    #[error(transparent)]
    Value(#[from] read::Error),
    #[error("{}{}: {error}", file::shown(path), place.map_or(String::new(), |(line, column)| format!(", line {line}, column {column}")))]
    Json { path: PathBuf, place: Option<(usize, usize)>, error: Box<read::Error> },
    #[error("{}: {error}", file::shown(path))]
    Npy { path: PathBuf, error: NpyError },
    #[error("{}: {error}", file::shown(path))]
    Csv { path: PathBuf, error: CsvError },
    #[error("too large: {0}")]
    Memory(#[from] memory::Error),
    #[error(transparent)]
    Image(#[from] image::Error),
    #[error("{0}")]
    Sampler(String),
}

impl Error {
    /// Whether it is the world that failed rather than the input.
    pub(crate) fn is_world(&self) -> bool {
        match self {
            Self::File(error) => error.is_world(),
            Self::Image(error) => error.is_world(),
            Self::Memory(_) | Self::Value(read::Error { wrong: read::Wrong::Memory(_), .. }) => true,
            Self::Json { error, .. } => matches!(error.wrong, read::Wrong::Memory(_)),
            Self::Csv { error, .. } => matches!(error, CsvError::Memory(_)),
            Self::Npy { error, .. } => matches!(error, NpyError::Memory(_)),
            _ => false,
        }
    }

    /// What to do about it.
    pub(crate) fn help(&self) -> Option<String> {
        match self {
            Self::NoFormat => Some("name it, as in npy:-, csv:-, json:- or bin:-".to_owned()),
            Self::Picture { .. } => {
                Some("declare it as a texture, as in `@group(0) @binding(0) var photo: texture_2d<f32>;`".to_owned())
            }
            Self::Image(error) => error.help(),
            Self::Unknown { .. } | Self::Extension { .. } => Some(format!(
                "a source is a file ({EXTENSIONS}), a JSON value, or zeros:N, iota:N, fill:VALUE:N, random:N[:SEED]"
            )),
            Self::Npy { error: NpyError::Header(npy::Error::Fortran), .. } => {
                Some("save it with numpy.ascontiguousarray(a)".to_owned())
            }
            Self::Npy { error: NpyError::Header(npy::Error::BigEndian { descr }), .. } => {
                Some(format!("convert it with a.astype('<{}')", &descr[1..]))
            }
            Self::Npy { error: NpyError::Header(npy::Error::Structured), .. } => {
                Some("save an array for each of its fields, as in numpy.save('x.npy', a['x'])".to_owned())
            }
            Self::Npy { error: NpyError::Dtype { expected, .. }, .. } => {
                Some(format!("convert it with a.astype('<{}')", npy::dtype(*expected)))
            }
            Self::Count { .. } => Some("write a whole number, as in zeros:1000".to_owned()),
            Self::NoCount => Some("write it after a colon, as in zeros:1000".to_owned()),
            _ => None,
        }
    }
}

impl Source {
    /// What was typed; the buffer's type is not known yet.
    pub(crate) fn parse(typed: &OsStr) -> Result<Self, Error> {
        let text = typed.to_str();
        if let Some(made) = text.map_or(Ok(None), generate::parse)? {
            return Ok(made);
        }
        if let Some(text) = text.filter(|text| text.starts_with(['[', '{', '"'])) {
            return Ok(Self::Json(text.to_owned()));
        }
        match (format::of(typed), text) {
            ((path, Some(format)), _) => Ok(Self::File(path, format)),
            (_, Some(text)) if serde_json::from_str::<serde_json::Value>(text).is_ok() => {
                Ok(Self::Json(text.to_owned()))
            }
            ((path, None), _) if is_pipe(&path) => Err(Error::NoFormat),
            ((path, None), _) if path.extension().is_some() => Err(Error::Extension { path }),
            ((path, None), _) => Err(Error::Unknown { text: path.display().to_string() }),
        }
    }

    /// The same, with a relative file taken from `directory`.
    pub(crate) fn beneath(self, directory: &Path) -> Self {
        match self {
            Self::File(path, format) if !is_pipe(&path) => Self::File(directory.join(path), format),
            Self::File(..) | Self::Json(_) | Self::Blank(_) | Self::Made(..) => self,
        }
    }

    /// The image for a texture, and its texels.
    pub(crate) fn image(&self, texture: &Texture) -> Result<image::Texels, Error> {
        Ok(match self {
            Self::Blank(size) => image::blank(texture, size)?,
            Self::Made(Generator::Zeros, Some(width)) => image::blank(texture, &width.to_string())?,
            Self::File(path, Format::Png | Format::Jpeg) => image::picture(path, texture)?,
            Self::File(path, Format::Npy) => image::array(path, texture)?,
            Self::File(_, Format::Bin | Format::Csv | Format::Json) | Self::Json(_) | Self::Made(..) => {
                return Err(image::Error::NoImage.into());
            }
        })
    }

    /// The bytes for `buffer`: as many as it needs, laid out as its type says.
    pub(crate) fn load(&self, buffer: &Buffer) -> Result<Vec<u8>, Error> {
        let bytes = match self {
            Self::Json(text) => read::json(&buffer.name, &buffer.ty, text)?,
            Self::Made(generator, count) => generator.make(buffer, *count)?,
            Self::File(path, format) => load(path, *format, buffer)?,
            Self::Blank(size) => return Err(Error::Count { text: size.clone() }),
        };
        enough(buffer, bytes.len() as u64)?;
        Ok(bytes)
    }
}

fn load(path: &Path, format: Format, buffer: &Buffer) -> Result<Vec<u8>, Error> {
    if matches!(format, Format::Png | Format::Jpeg) {
        return Err(Error::Picture { path: path.to_owned() });
    }
    let bytes = file::read(path, memory::BUFFER_BYTES_MAX.min(memory::room()))?;
    match format {
        Format::Json => {
            let text = file::text(path, bytes)?;
            read::json(&buffer.name, &buffer.ty, &text).map_err(|error| {
                let place = error.at.map(|at| line_and_column(&text, at));
                Error::Json { path: path.to_owned(), place, error: Box::new(error) }
            })
        }
        Format::Bin => raw(path, buffer, bytes),
        Format::Npy => table::npy(&bytes, &buffer.ty).map_err(|error| Error::Npy { path: path.to_owned(), error }),
        Format::Csv => table::csv(&file::without_mark(bytes), &buffer.ty)
            .map_err(|error| Error::Csv { path: path.to_owned(), error }),
        Format::Png | Format::Jpeg => Err(Error::Picture { path: path.to_owned() }),
    }
}

/// Where a byte of a text is, both counted from 1.
fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let lines = before.matches('\n').count();
    (lines + 1, before.rsplit('\n').next().unwrap_or_default().len() + 1)
}

fn raw(path: &Path, buffer: &Buffer, bytes: Vec<u8>) -> Result<Vec<u8>, Error> {
    let extent = Extent::of(&buffer.ty);
    let got_bytes = bytes.len() as u64;
    let fits = match extent.fixed {
        Some(count) => extent.bytes(count) == Some(got_bytes),
        None => got_bytes.checked_sub(extent.head).is_some_and(|tail| tail.is_multiple_of(extent.stride)),
    };
    let stride_bytes = if extent.fixed.is_some() { buffer.ty.bytes() } else { extent.stride };
    if fits {
        return Ok(bytes);
    }
    let fixed = extent.fixed.is_some();
    Err(Error::Bytes { path: path.to_owned(), got_bytes, head_bytes: extent.head, stride_bytes, fixed })
}

/// A binding has at least one element of a runtime-sized array, and a struct's whole padding:
/// rounding up silently would change what `arrayLength` says.
fn enough(buffer: &Buffer, bytes: u64) -> Result<(), Error> {
    if bytes >= buffer.min_bytes {
        return Ok(());
    }
    let extent = Extent::of(&buffer.ty);
    let least = (buffer.min_bytes - extent.head).div_ceil(extent.stride);
    Err(Error::TooFew { got: extent.count(bytes), least, min_bytes: buffer.min_bytes })
}
