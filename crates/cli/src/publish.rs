//! Files that are there whole or not at all. Each is written beside its place first; when all of
//! them are written, they are renamed into their places. Whatever goes wrong before that, be it a
//! full disk, a signal or a kill, leaves the older files as they were.
//!
//! A link stays one: what it leads to is replaced. What is no regular file (a pipe, a terminal,
//! `/dev/null`, standard output) cannot be replaced and is written to as it is.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::file::Error;
use crate::format::is_pipe;

/// Links that may lead to one another.
const LINKS_MAX: usize = 40;

/// Names to try for a file beside another, where some are taken.
const NAMES_MAX: u32 = 100;

/// Files that are written, but not in their places yet.
#[derive(Debug, Default)]
pub(crate) struct Files {
    beside: Vec<Beside>,
}

/// A file beside its place; gone when dropped.
#[derive(Debug)]
struct Beside {
    /// As the user calls it.
    shown: PathBuf,
    place: PathBuf,
    temporary: PathBuf,
}

impl Drop for Beside {
    fn drop(&mut self) {
        // After it was renamed there is none, and nobody can be told of another failure.
        _ = fs::remove_file(&self.temporary);
    }
}

impl Files {
    /// Writes a file beside its place.
    pub(crate) fn write(
        &mut self,
        path: &Path,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Error> {
        let failed = |error| Error::Write { path: path.to_owned(), error };
        if is_pipe(path) {
            // A pipe is not there whole or not at all; a reader that has seen enough is no failure.
            let mut out = BufWriter::new(io::stdout().lock());
            return match write(&mut out).and_then(|()| out.flush()) {
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(failed(error)),
                _ => Ok(()),
            };
        }
        let Some((place, older)) = place(path).map_err(failed)? else {
            let mut out = BufWriter::new(File::create(path).map_err(failed)?);
            return write(&mut out).and_then(|()| out.flush()).map_err(failed);
        };
        let (temporary, file) = beside(&place).map_err(failed)?;
        self.beside.push(Beside { shown: path.to_owned(), place, temporary });
        let written = older.map_or(Ok(()), |older| become_like(&file, &older)).and_then(|()| {
            let mut out = BufWriter::new(file);
            write(&mut out)?;
            // A disk may say only now that it is full.
            out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
        });
        written.map_err(|error| {
            self.beside.pop();
            failed(error)
        })
    }

    /// Puts all of them into their places.
    pub(crate) fn publish(self) -> Result<(), Error> {
        for Beside { shown, place, temporary } in &self.beside {
            fs::rename(temporary, place).map_err(|error| Error::Write { path: shown.clone(), error })?;
        }
        Ok(())
    }
}

/// Writes one file.
pub(crate) fn one(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let mut files = Files::default();
    files.write(path, |out| out.write_all(bytes))?;
    files.publish()
}

/// Where the file is to be, with what is there now; `None` if that cannot be replaced.
fn place(path: &Path) -> io::Result<Option<(PathBuf, Option<Metadata>)>> {
    let mut place = path.to_owned();
    for _ in 0..LINKS_MAX {
        // Links such as `/dev/stdout` lead to what the process has open, by whatever name.
        if ["/dev", "/proc"].iter().any(|system| place.starts_with(system)) {
            return Ok(None);
        }
        match fs::symlink_metadata(&place) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Some((place, None))),
            Err(error) => return Err(error),
            Ok(there) if there.is_symlink() => {
                let to = fs::read_link(&place)?;
                place = place.parent().unwrap_or(Path::new("")).join(to);
            }
            Ok(there) if there.is_file() => {
                // What must not be written must not be replaced either.
                OpenOptions::new().write(true).open(&place)?;
                return Ok(Some((place, Some(there))));
            }
            Ok(_) => return Ok(None),
        }
    }
    Err(io::Error::other("too many links lead to one another"))
}

/// A new file beside a place.
fn beside(place: &Path) -> io::Result<(PathBuf, File)> {
    let name = place.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let mut taken = io::Error::from(io::ErrorKind::AlreadyExists);
    for number in 0..NAMES_MAX {
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}-{number}.tmp", std::process::id()));
        let temporary = place.with_file_name(hidden);
        match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            Ok(file) => return Ok((temporary, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => taken = error,
            Err(error) => return Err(error),
        }
    }
    Err(taken)
}

/// Gives a new file the permissions of the one that it stands for, and its owner as far as we may.
fn become_like(file: &File, older: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let own = file.metadata()?;
        if (own.uid(), own.gid()) != (older.uid(), older.gid()) {
            // Most users may not; then the file is theirs, as if they had removed the older one.
            _ = fchown(file, Some(older.uid()), Some(older.gid()));
        }
    }
    file.set_permissions(older.permissions())
}
