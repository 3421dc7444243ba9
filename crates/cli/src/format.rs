//! How numbers lie in a file: by its extension, or by a name before it (`npy:-`).

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::args;

/// See [`crate::args`]'s help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Npy,
    Bin,
    Csv,
    Json,
    Png,
    Jpeg,
}

impl Format {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "npy" => Self::Npy,
            "bin" => Self::Bin,
            "csv" => Self::Csv,
            "json" => Self::Json,
            "png" => Self::Png,
            "jpg" | "jpeg" => Self::Jpeg,
            _ => return None,
        })
    }
}

/// The file that was typed and its format: `FORMAT:FILE`, or a file whose extension says it.
pub(crate) fn of(text: &OsStr) -> (PathBuf, Option<Format>) {
    if let Some((name, file)) = args::split(text, b':')
        && let Some(format) = Format::named(&name)
        && !file.is_empty()
    {
        return (file.into(), Some(format));
    }
    let path = Path::new(text);
    (path.to_owned(), path.extension().and_then(OsStr::to_str).and_then(Format::named))
}

/// Whether it stands for standard input or output.
pub(crate) fn is_pipe(path: &Path) -> bool {
    path.as_os_str() == "-"
}
