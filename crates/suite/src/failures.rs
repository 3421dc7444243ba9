//! The files that a device is known to fail: `folder/file: reason`; or `folder/file?: reason`, if it
//! does on some machines.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The folder that has the lists.
pub const FOLDER: &str = "expected-failures";

/// Reasons by name.
pub type List = BTreeMap<String, Reason>;

/// Why a file fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// As it is written.
    pub text: String,
    /// It may pass, too.
    pub sometimes: bool,
}

/// Reads a list.
pub fn parse(text: &str) -> Result<List, String> {
    let mut list = List::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let entry = line.split_once(": ").filter(|(_, reason)| !reason.trim().is_empty());
        let (name, reason) = entry.ok_or_else(|| format!("line {}: expected `folder/file: reason`", index + 1))?;
        let (name, sometimes) = name.strip_suffix('?').map_or((name, false), |name| (name, true));
        let reason = Reason { text: reason.trim().to_owned(), sometimes };
        if list.insert(name.to_owned(), reason).is_some() {
            return Err(format!("line {}: `{name}` is listed twice", index + 1));
        }
    }
    Ok(list)
}

/// The lists below `root` for the device of this id and name: `gpu.txt`, and `gpu-NAME.txt` if its
/// name begins with NAME. There need not be any.
pub fn of(root: &Path, id: &str, device: &str) -> Result<List, String> {
    let id = id.split_once(':').map_or(id, |(id, _)| id);
    let device = device.to_lowercase();
    let mut list = List::new();
    for path in files(root).map_err(|error| format!("{FOLDER}: {error}"))? {
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let driver = name.strip_prefix(&format!("{id}-"));
        if name == id || driver.is_some_and(|driver| device.starts_with(driver)) {
            let said = |error: &dyn std::fmt::Display| format!("{FOLDER}/{name}.txt: {error}");
            let text = fs::read_to_string(&path).map_err(|error| said(&error))?;
            list.extend(parse(&text).map_err(|error| said(&error))?);
        }
    }
    Ok(list)
}

/// The lists below `root`, by name.
pub fn files(root: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(root.join(FOLDER)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    paths.sort();
    Ok(paths)
}

/// Every entry must name a file that the device is asked to run.
pub fn known(list: &List, names: &[&str]) -> Result<(), String> {
    let strangers: Vec<&str> = list.keys().map(String::as_str).filter(|name| !names.contains(name)).collect();
    if strangers.is_empty() { Ok(()) } else { Err(format!("no such case: {}", strangers.join(", "))) }
}

/// Every file of lists must be that of a device of this build: `DEVICE.txt` or `DEVICE-NAME.txt`.
pub fn owned(files: &[String], devices: &[&str]) -> Result<(), String> {
    let device = |name: &str| devices.contains(&name.split_once('-').map_or(name, |(device, _)| device));
    let owned = |file: &&String| file.strip_suffix(".txt").is_some_and(device);
    let strays: Vec<&str> = files.iter().filter(|file| !owned(file)).map(String::as_str).collect();
    if strays.is_empty() { Ok(()) } else { Err(format!("no such device: {}", strays.join(", "))) }
}

/// The result of a case, given the reason why it should fail, if any.
pub fn judge(result: Result<(), String>, reason: Option<&Reason>) -> Result<(), String> {
    match (result, reason) {
        (result, None) => result,
        (Ok(()), Some(Reason { text, sometimes: false })) => {
            Err(format!("listed as an expected failure ({text}), but it passes: remove the entry"))
        }
        (_, Some(_)) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_entries() {
        let list = parse("# comment\n\na/b: no f64\na/c?: old\n").unwrap();
        let reason = |text: &str, sometimes| Reason { text: text.to_owned(), sometimes };
        let expected = [("a/b".to_owned(), reason("no f64", false)), ("a/c".to_owned(), reason("old", true))];
        assert_eq!(list, List::from(expected));
        for text in ["a/b", "a/b: ", "a/b: x\na/b: y", "a/b: x\na/b?: y"] {
            assert!(parse(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn strangers_and_passes_are_failures() {
        let list = parse("a/b: x").unwrap();
        assert!(known(&list, &["a/b"]).is_ok());
        assert!(known(&list, &["a/c"]).is_err());
        assert!(owned(&["cpu.txt".to_owned(), "gpu-llvmpipe.txt".to_owned()], &["cpu", "gpu"]).is_ok());
        for stray in ["warp.txt", "cpu", "cpu.txt.orig"] {
            assert!(owned(&["cpu.txt".to_owned(), stray.to_owned()], &["cpu", "gpu"]).is_err(), "{stray}");
        }
        let reason = Reason { text: "x".to_owned(), sometimes: false };
        assert!(judge(Ok(()), None).is_ok());
        assert!(judge(Err(String::new()), None).is_err());
        assert!(judge(Err(String::new()), Some(&reason)).is_ok());
        assert!(judge(Ok(()), Some(&reason)).is_err());
        let sometimes = Reason { sometimes: true, ..reason };
        assert!(judge(Ok(()), Some(&sometimes)).is_ok() && judge(Err(String::new()), Some(&sometimes)).is_ok());
    }
}
