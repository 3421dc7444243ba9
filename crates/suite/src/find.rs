//! The tests in files and folders.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::case::{self, Case};
use crate::failures;

/// What editors on some systems put before a text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// A file with directives.
#[derive(Debug, Clone)]
pub struct Test {
    /// Where it lies below its root, without the extension: `folder/file`.
    pub name: String,
    /// Its file.
    pub path: PathBuf,
    /// All of its text.
    pub source: String,
    /// What it asks for, or what is wrong with its directives.
    pub case: Result<Case, String>,
}

/// What a path has in it.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// The folder that names are relative to: the path, or the nearest folder above it that lists
    /// expected failures.
    pub root: PathBuf,
    /// In the order of their names.
    pub tests: Vec<Test>,
    /// Files below the path that have no directives.
    pub others: usize,
}

/// Why a path could not be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read `{}`: {error}", path.display())]
pub struct Error {
    /// The file or folder.
    pub path: PathBuf,
    /// What the system says.
    pub error: io::Error,
}

/// A file, or all `.wgsl` files below a folder that have directives. A file that is named is a test,
/// whether it has directives or not.
pub fn find(path: &Path) -> Result<Found, Error> {
    let failed = |error| Error { path: path.to_owned(), error };
    let is_folder = fs::metadata(path).map_err(failed)?.is_dir();
    let mut paths = Vec::new();
    if is_folder {
        below(path, &mut paths)?;
    } else {
        paths.push(path.to_owned());
    }
    let root = root(path, is_folder).map_err(failed)?;
    let mut found = Found { root, ..Found::default() };
    for path in paths {
        let failed = |error| Error { path: path.clone(), error };
        let bytes = fs::read(&path).map_err(failed)?;
        let (source, case) = match String::from_utf8(bytes) {
            Ok(source) if is_folder && !Case::is_in(&source) => {
                found.others += 1;
                continue;
            }
            Ok(mut source) => {
                if source.starts_with(BYTE_ORDER_MARK) {
                    source.drain(..BYTE_ORDER_MARK.len_utf8());
                }
                let case = case::parse(&source);
                (source, case)
            }
            Err(error) => {
                let wrong = format!("not UTF-8 at byte {}", error.utf8_error().valid_up_to());
                (String::new(), Err(wrong))
            }
        };
        let absolute = std::path::absolute(&path).map_err(failed)?;
        let name = absolute.strip_prefix(&found.root).unwrap_or(&absolute).with_extension("");
        let name = name.to_string_lossy().replace('\\', "/");
        found.tests.push(Test { name, path, source, case });
    }
    Ok(found)
}

fn root(path: &Path, is_folder: bool) -> io::Result<PathBuf> {
    let path = std::path::absolute(path)?;
    let folder = if is_folder { path.as_path() } else { path.parent().unwrap_or(&path) };
    let listed = folder.ancestors().find(|folder| folder.join(failures::FOLDER).is_dir());
    Ok(listed.unwrap_or(folder).to_owned())
}

/// Links to folders are not followed, so that none leads back to where it began.
fn below(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<(), Error> {
    let failed = |error| Error { path: folder.to_owned(), error };
    let entries: Result<Vec<_>, _> = fs::read_dir(folder).map_err(failed)?.collect();
    let mut entries = entries.map_err(failed)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        if entry.file_type().map_err(failed)?.is_dir() {
            if !hidden {
                below(&path, paths)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "wgsl") {
            paths.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_searched_and_files_are_taken_as_they_are() {
        let scratch = tempfile::tempdir().unwrap();
        let at = |name: &str| scratch.path().join(name);
        for folder in ["a/b", "a/.hidden", "a/expected-failures"] {
            fs::create_dir_all(at(folder)).unwrap();
        }
        let test = "//! out a = u32[1]\n";
        for (name, text) in [
            ("a/b/two.wgsl", test),
            ("a/b/plain.wgsl", "fn f() {}\n"),
            ("a/one.wgsl", "\u{feff}//! out a = u32[1]\n"),
            ("a/.hidden/no.wgsl", test),
            ("a/no.txt", test),
        ] {
            fs::write(at(name), text).unwrap();
        }
        fs::write(at("a/b/three.wgsl"), [0xff, b'/', b'/', b'!']).unwrap();
        let names = |path: &str| {
            let found = find(&at(path)).unwrap();
            (found.tests.iter().map(|test| test.name.clone()).collect::<Vec<_>>(), found.others)
        };
        assert_eq!(names("a"), (vec!["b/three".to_owned(), "b/two".to_owned(), "one".to_owned()], 1));
        // Names are those of the lists above.
        assert_eq!(names("a/b/two.wgsl"), (vec!["b/two".to_owned()], 0));
        assert_eq!(names("a/b/plain.wgsl"), (vec!["b/plain".to_owned()], 0));
        let found = find(&at("a")).unwrap();
        assert_eq!(found.tests[0].case, Err("not UTF-8 at byte 0".to_owned()));
        assert!(found.tests[2].case.is_ok());
        assert!(find(&at("b")).unwrap_err().to_string().starts_with("cannot read `"));
    }
}
