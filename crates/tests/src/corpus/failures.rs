//! The files that a device is known to fail: `folder/file: reason`.

use std::collections::BTreeMap;

/// Reasons by name.
pub type List = BTreeMap<String, String>;

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
        if list.insert(name.to_owned(), reason.trim().to_owned()).is_some() {
            return Err(format!("line {}: `{name}` is listed twice", index + 1));
        }
    }
    Ok(list)
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
pub fn judge(result: Result<(), String>, reason: Option<&String>) -> Result<(), String> {
    match (result, reason) {
        (result, None) => result,
        (Err(_), Some(_)) => Ok(()),
        (Ok(()), Some(reason)) => {
            Err(format!("listed as an expected failure ({reason}), but it passes: remove the entry"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_entries() {
        let list = parse("# comment\n\na/b: no f64\n").unwrap();
        assert_eq!(list, List::from([("a/b".to_owned(), "no f64".to_owned())]));
        for text in ["a/b", "a/b: ", "a/b: x\na/b: y"] {
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
        let reason = "x".to_owned();
        assert!(judge(Ok(()), None).is_ok());
        assert!(judge(Err(String::new()), None).is_err());
        assert!(judge(Err(String::new()), Some(&reason)).is_ok());
        assert!(judge(Ok(()), Some(&reason)).is_err());
    }
}
