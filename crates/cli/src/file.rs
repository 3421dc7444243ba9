//! Reading files whole, with a limit.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::format::is_pipe;

/// The most that a program's text may take.
pub(crate) const PROGRAM_BYTES_MAX: u64 = 64 << 20;

/// What became of a file.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("cannot read {}: {error}", shown(path))]
    Read { path: PathBuf, error: io::Error },
    #[error("cannot write {}: {error}", written(path))]
    Write { path: PathBuf, error: io::Error },
    #[error("cannot write `{}`: there is no directory `{}`", path.display(), directory.display())]
    NoDirectory { path: PathBuf, directory: PathBuf },
    #[error("{} is too large: this command reads {limit_bytes} bytes at most", shown(path))]
    TooLarge { path: PathBuf, limit_bytes: u64 },
    #[error("{} is not UTF-8 at byte {offset}", shown(path))]
    NotUtf8 { path: PathBuf, offset: usize },
}

impl Error {
    /// Whether it is the world that failed rather than the input.
    pub(crate) fn is_world(&self) -> bool {
        !matches!(self, Self::NotUtf8 { .. })
    }
}

/// What to call what is read.
pub(crate) fn shown(path: &Path) -> String {
    if is_pipe(path) { "standard input".to_owned() } else { format!("`{}`", path.display()) }
}

/// What to call what is written.
pub(crate) fn written(path: &Path) -> String {
    if is_pipe(path) { "standard output".to_owned() } else { format!("`{}`", path.display()) }
}

/// Whether there is a place for a file, so that no long run is lost to a mistyped directory.
pub(crate) fn writable(path: &Path) -> Result<(), Error> {
    if is_pipe(path) {
        return Ok(());
    }
    let (parent, path) = (path.parent().filter(|parent| !parent.as_os_str().is_empty()), path.to_owned());
    match parent {
        _ if path.is_dir() => Err(Error::Write { path, error: io::ErrorKind::IsADirectory.into() }),
        Some(parent) if !parent.is_dir() => Err(Error::NoDirectory { path, directory: parent.to_owned() }),
        _ => Ok(()),
    }
}

/// All bytes of a file; `-` is the standard input.
pub(crate) fn read(path: &Path, limit_bytes: u64) -> Result<Vec<u8>, Error> {
    let open = || -> io::Result<Box<dyn Read>> {
        if is_pipe(path) { Ok(Box::new(io::stdin())) } else { Ok(Box::new(File::open(path)?)) }
    };
    let mut bytes = Vec::new();
    open()
        .and_then(|file| file.take(limit_bytes + 1).read_to_end(&mut bytes))
        .map_err(|error| Error::Read { path: path.to_owned(), error })?;
    if bytes.len() as u64 > limit_bytes {
        return Err(Error::TooLarge { path: path.to_owned(), limit_bytes });
    }
    Ok(bytes)
}

/// What editors on some systems put before a text.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Bytes without the mark that says that they are UTF-8.
pub(crate) fn without_mark(mut bytes: Vec<u8>) -> Vec<u8> {
    if bytes.starts_with(BYTE_ORDER_MARK) {
        bytes.drain(..BYTE_ORDER_MARK.len());
    }
    bytes
}

/// The text that these bytes of a file are.
pub(crate) fn text(path: &Path, bytes: Vec<u8>) -> Result<String, Error> {
    String::from_utf8(without_mark(bytes))
        .map_err(|error| Error::NotUtf8 { path: path.to_owned(), offset: error.utf8_error().valid_up_to() })
}
