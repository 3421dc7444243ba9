//! `filetests/PASS/*.spmd`: what a pass makes of a function, both as text. `SEAWALL_BLESS=1` writes down
//! what comes out.

use std::fs;
use std::path::{Path, PathBuf};

use super::{GROUP, LANES, Pass, Pipeline, SCALAR};
use crate::divergence;
use crate::ir::{Function, parse, verify};

/// What stands between a function and what becomes of it.
const BECOMES: &str = "\n=>\n";

/// Lanes for passes that look at them, where a workgroup has more than one invocation.
const WIDTH: u32 = 8;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("filetests")
}

fn pass(name: &str) -> Option<&'static Pass> {
    SCALAR.iter().chain(&LANES).chain(&GROUP).find(|pass| pass.name == name)
}

fn read(text: &str) -> Function {
    let function = parse::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    verify::verify(&function).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let again = function.text(&|_| String::new());
    assert_eq!(again, text, "what is read is what was written");
    function
}

/// The comment at its top, the function, and what is to become of it.
fn parts(text: &str) -> (String, &str, &str) {
    let comments: String = text.split_inclusive('\n').take_while(|line| line.starts_with("//")).collect();
    let rest = &text[comments.len()..];
    let (before, after) = rest.split_once(BECOMES).unwrap_or((rest, ""));
    (comments, before, after)
}

fn files() -> Vec<(PathBuf, &'static Pass)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder()).unwrap() {
        let dir = entry.unwrap().path();
        let name = dir.file_name().unwrap().to_string_lossy().into_owned();
        let pass = pass(&name).unwrap_or_else(|| panic!("there is no pass `{name}`"));
        files.extend(fs::read_dir(&dir).unwrap().map(|file| (file.unwrap().path(), pass)));
    }
    files.sort_by(|(a, _), (b, _)| a.cmp(b));
    files
}

#[test]
fn passes_make_what_the_files_say() {
    let mut wrong = Vec::new();
    for (path, pass) in files() {
        let text = fs::read_to_string(&path).unwrap();
        let (comments, before, after) = parts(&text);
        let mut function = read(&format!("{}\n", before.trim_end()));
        let alone = function.workgroup_size == [1; 3];
        let mut shapes = divergence::analyse(&function, if alone { 1 } else { WIDTH });
        let mut pipeline = Pipeline { contract: true, ..Pipeline::default() };
        pipeline.run(pass, &mut function, Some(&mut shapes));
        let text = function.text(&|_| String::new());
        read(&text);
        let said = function.remarks.all();
        let remarks: Vec<String> = said.iter().map(|remark| format!("; {}: {remark}\n", remark.at)).collect();
        let made = format!("{}{text}", remarks.concat());
        if made == after {
            continue;
        }
        if std::env::var_os("SEAWALL_BLESS").is_some() {
            fs::write(&path, format!("{comments}{}\n{BECOMES}{made}", before.trim_end())).unwrap();
        } else {
            wrong.push(format!("{}\n{made}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn each_pass_has_a_file() {
    let files = files();
    let missing: Vec<&str> =
        super::names().into_iter().filter(|name| !files.iter().any(|(_, pass)| pass.name == *name)).collect();
    assert!(missing.is_empty(), "no files for {missing:?}");
}
