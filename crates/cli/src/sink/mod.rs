//! Where a buffer's bytes go: the file that was typed after `--out NAME=`, written by its
//! extension. What cannot work is found by [`Sink::fits`] before the run.

mod table;
mod image;
mod texels;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use seawall_core::layout::Type;
use seawall_core::program::Buffer;

use crate::file;
use crate::format::{self, Format, is_pipe};
use crate::publish::Files;
use crate::table::count;
use crate::typed::{Extent, write};
pub(crate) use image::Picture;

/// Extensions of the files that can be written.
pub(crate) const EXTENSIONS: &str = ".npy, .bin, .csv, .json, .png";

/// A file to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sink {
    pub(crate) path: PathBuf,
    pub(crate) format: Format,
}

/// Why a buffer does not go into a file.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("the extension of `{}` is unknown", path.display())]
    Extension { path: PathBuf },
    #[error("standard output has no extension that says its format")]
    NoFormat,
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
    #[error("JPEG is read, and not written")]
    Jpeg,
    #[error("an image is no table")]
    NoImageFormat,
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
            Self::NoFormat => "name it, as in npy:-, csv:-, json:- or bin:-".to_owned(),
            Self::Mixed { .. } => "write it as .json, .csv or .bin".to_owned(),
            Self::Head { .. } => "write it as .json or .bin".to_owned(),
            Self::Jpeg => "write it as .png".to_owned(),
            Self::NoImageFormat => "write it as .png, .npy or .bin".to_owned(),
            Self::NoWidth => "give it with --width W".to_owned(),
            _ => return None,
        })
    }
}

impl Sink {
    /// What was typed; the buffer's type is not known yet.
    pub(crate) fn parse(typed: &OsStr) -> Result<Self, Error> {
        match format::of(typed) {
            (_, Some(Format::Jpeg)) => Err(Error::Jpeg),
            (path, Some(format)) => Ok(Self { path, format }),
            (path, None) if is_pipe(&path) => Err(Error::NoFormat),
            (path, None) => Err(Error::Extension { path }),
        }
    }

    /// The same, with a relative file taken from `directory`.
    pub(crate) fn beneath(self, directory: &Path) -> Self {
        let path = if is_pipe(&self.path) { self.path } else { directory.join(self.path) };
        Self { path, ..self }
    }

    /// Whether `bytes` bytes of `buffer` can go there, as far as that is known before the run.
    pub(crate) fn fits(&self, buffer: &Buffer, bytes: u64, width: Option<u64>) -> Result<(), Error> {
        match self.format {
            Format::Bin | Format::Json => {}
            Format::Npy => drop(table::npy_header(&buffer.ty, bytes)?),
            Format::Csv => table::csv_fits(&buffer.ty)?,
            Format::Png => drop(Picture::of(&buffer.ty, bytes, width)?),
            Format::Jpeg => return Err(Error::Jpeg),
        }
        Ok(file::writable(&self.path)?)
    }

    /// Whether it is a picture, which says more than its numbers.
    pub(crate) fn is_picture(&self) -> bool {
        self.format == Format::Png
    }

    /// What was written, for people: `y.npy: y, array<f32> of 1000 elements`.
    pub(crate) fn tell(&self, buffer: &str, ty: &Type, bytes: u64, width: Option<u64>) -> String {
        let what = if let (Format::Png, Ok(picture)) = (self.format, Picture::of(ty, bytes, width)) {
            picture.to_string()
        } else if matches!(ty, Type::Array { .. }) {
            format!("{ty} of {}", count(Extent::of(ty).count(bytes), "element"))
        } else {
            ty.to_string()
        };
        format!("{buffer} to {}: {what}", file::written(&self.path))
    }

    /// Writes the file, to be published with others.
    pub(crate) fn write(&self, files: &mut Files, ty: &Type, bytes: &[u8], width: Option<u64>) -> Result<(), Error> {
        let path = &self.path;
        match self.format {
            Format::Jpeg => return Err(Error::Jpeg),
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
