//! Data flows one way: a room names only rooms that stand above it in their `mod` lines, at every level. And what naga
//! adds to its enums is decided about wherever they are matched.

mod tree;
mod steps;
mod arms;
mod samples;

use std::fs;
use std::path::{Path, PathBuf};

use tree::Tree;

/// Constants know functions by the names that WGSL has for them. What naga adds is not among those, and of eighty
/// few have a rule of their own.
const KNOWN_BY_NAME: (&str, &str) = ("core/src/program/consts", "MathFunction");

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join("..").canonicalize().unwrap()
}

fn folders(dir: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(top().join(dir)).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.is_dir()).collect()
}

fn rust_files(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// Every `lib.rs` and `main.rs` in the sources of a crate, with the name of the crate's folder.
fn roots() -> Vec<(String, PathBuf)> {
    let crates = ["crates", "bench", "bench/peers", "."].into_iter().flat_map(folders);
    let sources = crates.filter(|dir| dir.join("Cargo.toml").exists() && dir.join("src").exists());
    let roots = sources.flat_map(|dir| {
        let name = dir.file_name().unwrap().to_string_lossy().into_owned();
        let files = rust_files(&dir.join("src")).into_iter();
        files.filter(|file| file.ends_with("lib.rs") || file.ends_with("main.rs")).map(move |file| (name.clone(), file))
    });
    roots.collect()
}

#[test]
fn rooms_name_only_rooms_above_them() {
    let (mut found, mut seen) = (Vec::new(), Vec::new());
    for (name, root) in roots() {
        let tree = Tree::read(&root);
        let (all, backward) = (steps::steps(&tree).len(), steps::backward(&tree));
        // The scan sees rooms wherever they name each other: with them in reverse, the rest steps backwards.
        assert_eq!(steps::backward(&tree.reversed()).len(), all - backward.len(), "{name}");
        found.extend(backward.into_iter().map(|step| step.at));
        seen.extend((all > 3).then_some(name));
    }
    assert!(found.is_empty(), "these name rooms below them:\n{}", found.join("\n"));
    for name in
        ["core", "cpu", "gpu", "seawall", "kit", "wgpu", "show", "suite", "cli", "python", "mpi", "tests", "bench"]
    {
        assert!(seen.iter().any(|seen| seen == name), "the rooms of {name} were not found");
    }
}

#[test]
fn matches_on_naga_list_their_arms() {
    let crates = top().join("crates");
    let mut found = Vec::new();
    for name in ["core", "cpu", "gpu", "seawall", "suite", "wgpu"] {
        for file in rust_files(&crates.join(name).join("src")) {
            let known = file.starts_with(crates.join(KNOWN_BY_NAME.0)).then_some(KNOWN_BY_NAME.1);
            let parsed = syn::parse_file(&fs::read_to_string(&file).unwrap()).unwrap();
            let lines = arms::catch_alls(&parsed, known);
            found.extend(lines.into_iter().map(|line| format!("{}:{line}", file.display())));
        }
    }
    assert!(found.is_empty(), "these take what naga may add:\n{}", found.join("\n"));
}
