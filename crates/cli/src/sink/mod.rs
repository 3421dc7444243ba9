//! Where a buffer's bytes go: the file that was typed after `--out NAME=`, written by its
//! extension. What cannot work is found by [`Sink::fits`] before the run.

mod table;
mod image;

use std::io::Write;
use std::path::{Path, PathBuf};

use seawall::core::layout::Type;
use seawall::core::program::Buffer;

use crate::file;
use crate::publish::Files;
use crate::typed::write;
pub(crate) use image::Picture;

/// Extensions of the files that can be written.
pub(crate) const EXTENSIONS: &str = ".npy, .bin, .csv, .json, .png";

/// A file to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sink {
    pub(crate) path: PathBuf,
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Npy,
    Bin,
    Csv,
    Json,
    Png,
}

/// Why a buffer does not go into a file.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("the extension of `{}` is unknown", path.display())]
    Extension { path: PathBuf },
    #[error("{ty} is not one kind of number throughout, as NPY needs")]
    Mixed { ty: String },
    #[error("{ty} has members before its runtime-sized array, which a table has no place for")]
    Head { ty: String },
    #[error("{ty} is no picture: its elements must be u32 (packed colours) or f32 (grey)")]
    NoPicture { ty: String },
    #[error("the picture's width is not known")]
    NoWidth,
    #[error("{pixels} pixels do not make rows of {width}")]
    Width { pixels: u64, width: u64 },
    #[error("a picture of {width} by {height} is too large for PNG")]
    TooLarge { width: u64, height: u64 },
    #[error(transparent)]
    File(#[from] file::Error),
}

impl Error {
    /// Whether it is the world that failed rather than the input.
    pub(crate) fn is_world(&self) -> bool {
        matches!(self, Self::File(_))
    }

    /// What to do about it.
    pub(crate) fn help(&self) -> Option<String> {
        Some(match self {
            Self::Extension { .. } => format!("what can be written: {EXTENSIONS}"),
            Self::Mixed { .. } => "write it as .json, .csv or .bin".to_owned(),
            Self::Head { .. } => "write it as .json or .bin".to_owned(),
            Self::NoWidth => "give it with --width W".to_owned(),
            _ => return None,
        })
    }
}

impl Sink {
    /// What `path` means; the buffer's type is not known yet.
    pub(crate) fn parse(path: &Path) -> Result<Self, Error> {
        let format = match path.extension().and_then(|extension| extension.to_str()) {
            Some("npy") => Format::Npy,
            Some("bin") => Format::Bin,
            Some("csv") => Format::Csv,
            Some("json") => Format::Json,
            Some("png") => Format::Png,
            _ => return Err(Error::Extension { path: path.to_owned() }),
        };
        Ok(Self { path: path.to_owned(), format })
    }

    /// Whether `bytes` bytes of `buffer` can go there, as far as that is known before the run.
    pub(crate) fn fits(&self, buffer: &Buffer, bytes: u64, width: Option<u64>) -> Result<(), Error> {
        match self.format {
            Format::Bin | Format::Json => {}
            Format::Npy => drop(table::npy_header(&buffer.ty, bytes)?),
            Format::Csv => table::csv_fits(&buffer.ty)?,
            Format::Png => drop(Picture::of(&buffer.ty, bytes, width)?),
        }
        Ok(file::writable(&self.path)?)
    }

    /// Writes the file, to be published with others.
    pub(crate) fn write(&self, files: &mut Files, ty: &Type, bytes: &[u8], width: Option<u64>) -> Result<(), Error> {
        let path = &self.path;
        match self.format {
            Format::Bin => files.write(path, |out| out.write_all(bytes)),
            Format::Json => {
                files.write(path, |out| write::json(out, ty, bytes, None).and_then(|()| out.write_all(b"\n")))
            }
            Format::Npy => {
                let header = table::npy_header(ty, bytes.len() as u64)?;
                files.write(path, |out| table::npy(out, &header, ty, bytes))
            }
            Format::Csv => files.write(path, |out| table::csv(out, ty, bytes)),
            Format::Png => {
                let picture = Picture::of(ty, bytes.len() as u64, width)?;
                files.write(path, |out| picture.write(out, bytes))
            }
        }?;
        Ok(())
    }
}
