//! Where a buffer's bytes come from: what was typed after `--in NAME=`, and what it means
//! for a buffer of a given type.

mod generate;
mod table;

use std::path::{Path, PathBuf};

use seawall::core::program::Buffer;

use crate::table::count;
use crate::typed::{Extent, read};
use crate::{file, memory, npy};
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
    /// Made on the spot, with the number of elements where it was given.
    Made(Generator, Option<u64>),
}

/// How a file is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Npy,
    Bin,
    Csv,
    Json,
}

/// Why there are no bytes for a buffer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("`{text}` is no source")]
    Unknown { text: String },
    #[error("the extension of `{}` is unknown", path.display())]
    Extension { path: PathBuf },
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
    #[error("{}: {got_bytes} bytes are not {} {stride_bytes}{}", path.display(), if *fixed { "the" } else { "a multiple of" },
        if *head_bytes > 0 { format!(" after the first {head_bytes}") } else { String::new() })]
    Bytes { path: PathBuf, got_bytes: u64, head_bytes: u64, stride_bytes: u64, fixed: bool },
    #[error(transparent)]
    File(#[from] file::Error),
    #[error(transparent)]
    Value(#[from] read::Error),
    #[error("{}: {error}", path.display())]
    Npy { path: PathBuf, error: NpyError },
    #[error("{}: {error}", path.display())]
    Csv { path: PathBuf, error: CsvError },
    #[error("too large: {0}")]
    Memory(#[from] memory::Error),
}

impl Error {
    /// Whether it is the world that failed rather than the input.
    pub(crate) fn is_world(&self) -> bool {
        match self {
            Self::File(error) => error.is_world(),
            Self::Memory(_) | Self::Value(read::Error { wrong: read::Wrong::Memory(_), .. }) => true,
            Self::Csv { error, .. } => matches!(error, CsvError::Memory(_)),
            Self::Npy { error, .. } => matches!(error, NpyError::Memory(_)),
            _ => false,
        }
    }

    /// What to do about it.
    pub(crate) fn help(&self) -> Option<String> {
        match self {
            Self::Unknown { .. } | Self::Extension { .. } => Some(format!(
                "a source is a file ({EXTENSIONS}), a JSON value, or zeros:N, iota:N, fill:VALUE:N, random:N[:SEED]"
            )),
            Self::Npy { error: NpyError::Header(npy::Error::Fortran), .. } => {
                Some("save it with numpy.ascontiguousarray(a)".to_owned())
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
    /// What `text` means; the buffer's type is not known yet.
    pub(crate) fn parse(text: &str) -> Result<Self, Error> {
        if let Some(made) = generate::parse(text)? {
            return Ok(made);
        }
        if text.starts_with(['[', '{', '"']) {
            return Ok(Self::Json(text.to_owned()));
        }
        let path = Path::new(text);
        let extension = path.extension().and_then(|extension| extension.to_str());
        let format = match extension {
            Some("npy") => Format::Npy,
            Some("bin") => Format::Bin,
            Some("csv") => Format::Csv,
            Some("json") => Format::Json,
            _ if serde_json::from_str::<serde_json::Value>(text).is_ok() => return Ok(Self::Json(text.to_owned())),
            Some(_) => return Err(Error::Extension { path: path.to_owned() }),
            None => return Err(Error::Unknown { text: text.to_owned() }),
        };
        Ok(Self::File(path.to_owned(), format))
    }

    /// The same, with a relative file taken from `directory`.
    pub(crate) fn beneath(self, directory: &Path) -> Self {
        match self {
            Self::File(path, format) => Self::File(directory.join(path), format),
            Self::Json(_) | Self::Made(..) => self,
        }
    }

    /// The bytes for `buffer`: as many as it needs, laid out as its type says.
    pub(crate) fn load(&self, buffer: &Buffer) -> Result<Vec<u8>, Error> {
        let bytes = match self {
            Self::Json(text) => read::json(&buffer.name, &buffer.ty, text)?,
            Self::Made(generator, count) => generator.make(buffer, *count)?,
            Self::File(path, format) => load(path, *format, buffer)?,
        };
        enough(buffer, bytes.len() as u64)?;
        Ok(bytes)
    }
}

fn load(path: &Path, format: Format, buffer: &Buffer) -> Result<Vec<u8>, Error> {
    Ok(match format {
        Format::Json => read::json(&buffer.name, &buffer.ty, &file::read_text(path, memory::BUFFER_BYTES_MAX)?)?,
        Format::Bin => raw(path, buffer, file::read(path, memory::BUFFER_BYTES_MAX)?)?,
        Format::Npy => table::npy(&file::read(path, memory::BUFFER_BYTES_MAX)?, &buffer.ty)
            .map_err(|error| Error::Npy { path: path.to_owned(), error })?,
        Format::Csv => table::csv(&file::read(path, memory::BUFFER_BYTES_MAX)?, &buffer.ty)
            .map_err(|error| Error::Csv { path: path.to_owned(), error })?,
    })
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
