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

/// Every room that a text names: `crate::name`, and each of `crate::{name, other::part}`.
fn named(text: &str) -> Vec<&str> {
    let word = |text: &'_ str| text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let mut names = Vec::new();
    for (at, prefix) in text.match_indices("crate::") {
        let rest = &text[at + prefix.len()..];
        let Some(list) = rest.strip_prefix('{') else {
            names.push(&rest[..word(rest)]);
            continue;
        };
        let (mut depth, mut start) = (0_usize, true);
        for (at, c) in list.char_indices() {
            match c {
                '}' if depth == 0 => break,
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => start = true,
                _ if start && !c.is_whitespace() => {
                    names.push(&list[at..at + word(&list[at..])]);
                    start = false;
                }
                _ => {}
            }
        }
    }
    names
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
            // Tests of a room may use what is made of it.
            let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            if path.ends_with("tests.rs") || path.ends_with("filetests.rs") {
                continue;
            }
            let below = |name: &&str| rooms[at + 1..].contains(name);
            found
                .extend(named(text).into_iter().filter(below).map(|name| format!("{}: crate::{name}", path.display())));
        }
    }
    found
}

/// Crates whose rooms are in order.
const CRATES: [&str; 11] = ["core", "cpu", "gpu", "show", "suite", "python", "seawall", "cli", "kit", "wgpu", "mpi"];

fn source(name: &str) -> (PathBuf, String) {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src");
    let root = ["lib.rs", "main.rs"].map(|file| src.join(file)).into_iter().find(|file| file.exists());
    let lib = fs::read_to_string(root.expect("a crate has one of them")).unwrap();
    (src, lib)
}

#[test]
fn rooms_name_only_rooms_above_them() {
    for name in CRATES {
        let (src, lib) = source(name);
        let rooms = rooms(&lib);
        assert!(rooms.len() >= 4, "the `mod` lines of {name} were not found: {rooms:?}");
        assert_eq!(backward_steps(&src, &rooms), Vec::<String>::new(), "{name}");
    }
}

/// The scan sees a step backwards: with the rooms in reverse there are many.
#[test]
fn the_scan_can_fail() {
    for name in CRATES {
        let (src, lib) = source(name);
        let mut rooms = rooms(&lib);
        rooms.reverse();
        assert!(!backward_steps(&src, &rooms).is_empty(), "{name}");
    }
}
