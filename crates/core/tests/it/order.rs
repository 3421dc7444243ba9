//! Data flows one way: a room names only rooms that stand above it in `lib.rs`.

use std::fs;
use std::path::{Path, PathBuf};

fn rust_files(dir: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push(path);
        }
    }
}

/// Rooms in the order of their `mod` lines.
fn rooms(lib: &str) -> Vec<&str> {
    let room = |line: &'_ str| -> Option<(usize, usize)> {
        let start = line.find("mod ")? + 4;
        line.ends_with(';').then_some((start, line.len() - 1))
    };
    lib.lines().filter(|line| !line.starts_with("//")).filter_map(|line| room(line).map(|(a, b)| &line[a..b])).collect()
}

/// Every `crate::name` in a text.
fn named(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("crate::").map(|(at, prefix)| {
        let rest = &text[at + prefix.len()..];
        &rest[..rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())]
    })
}

fn backward_steps(src: &Path, rooms: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for (at, room) in rooms.iter().enumerate() {
        let mut files = Vec::new();
        let (file, dir) = (src.join(format!("{room}.rs")), src.join(room));
        if file.exists() {
            files.push(file);
        }
        if dir.exists() {
            rust_files(&dir, &mut files);
        }
        assert!(!files.is_empty(), "room `{room}` has no file");
        for path in files {
            let text = fs::read_to_string(&path).unwrap();
            let below = |name: &&str| rooms[at + 1..].contains(name);
            found.extend(named(&text).filter(below).map(|name| format!("{}: crate::{name}", path.display())));
        }
    }
    found
}

#[test]
fn rooms_name_only_rooms_above_them() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let lib = fs::read_to_string(src.join("lib.rs")).unwrap();
    let rooms = rooms(&lib);
    assert!(rooms.len() >= 8, "the `mod` lines of lib.rs were not found: {rooms:?}");
    assert_eq!(backward_steps(&src, &rooms), Vec::<String>::new());
}

/// The scan sees a step backwards: with the rooms in reverse there are many.
#[test]
fn the_scan_can_fail() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let lib = fs::read_to_string(src.join("lib.rs")).unwrap();
    let mut rooms = rooms(&lib);
    rooms.reverse();
    assert!(!backward_steps(&src, &rooms).is_empty());
}
