//! Data flows one way: a room names only rooms that stand above it in `lib.rs`. And what naga adds to its enums is
//! decided about wherever they are matched.

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

/// The enums of naga's IR that a text has under a name of its own. Errors fall back on naga's words, and most
/// functions need nothing special.
fn naga_enums(text: &str) -> Vec<String> {
    let mut enums = Vec::new();
    for (at, _) in text.match_indices("use naga::{") {
        let list = text[at..].split(['{', '}']).nth(1).unwrap_or_default();
        for item in list.split(',').map(str::trim) {
            let (name, alias) = item.split_once(" as ").unwrap_or((item, item));
            let is_type = name.starts_with(char::is_uppercase) && !name.ends_with("Error") && name != "MathFunction";
            enums.extend(is_type.then(|| format!("{alias}::")));
        }
    }
    enums.extend(["Expression", "Statement", "TypeInner", "AddressSpace"].map(|name| format!("naga::{name}::")));
    enums
}

/// Lines with an arm for whatever is left, beside arms of naga's enums. rustfmt puts arms of a match side by side.
fn catch_alls(text: &str) -> Vec<usize> {
    let enums = naga_enums(text);
    let lines: Vec<&str> = text.lines().collect();
    let depth = |line: &str| line.len() - line.trim_start().len();
    let is_naga = |line: &&str| enums.iter().any(|name| line.trim_start().trim_start_matches("| ").starts_with(name));
    let is_caught = |&at: &usize| {
        let own = depth(lines[at]);
        let before = lines[..at].iter().rev().take_while(|line| line.trim().is_empty() || depth(line) >= own);
        lines[at].trim_start().starts_with("_ =>") && before.filter(|line| depth(line) == own).any(is_naga)
    };
    (0..lines.len()).filter(is_caught).map(|at| at + 1).collect()
}

#[test]
fn matches_on_naga_list_their_arms() {
    let sample =
        "use naga::{Expression, BinaryOperator as Binary};\nmatch op {\n    Binary::Add => 1,\n    _ => 0,\n}\n";
    assert_eq!(catch_alls(sample), [4]);
    assert_eq!(catch_alls(&sample.replace("Binary::Add", "Other::Add")), [] as [usize; 0]);
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for name in ["core", "cpu", "gpu", "seawall", "suite", "wgpu"] {
        rust_files(&crates.join(name).join("src"), &mut files);
    }
    files.sort();
    let mut found = Vec::new();
    for file in files {
        let lines = catch_alls(&fs::read_to_string(&file).unwrap());
        found.extend(lines.into_iter().map(|line| format!("{}:{line}", file.display())));
    }
    assert!(found.is_empty(), "these have `_` for what naga may add:\n{}", found.join("\n"));
}
