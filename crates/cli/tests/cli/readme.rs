//! The README's commands work as they stand there.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{Dir, transcript};

const PROMPT: &str = "$ cargo run --release -- ";

#[test]
fn every_command_of_the_readme_succeeds() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = fs::read_to_string(root.join("README.md")).expect("README.md");
    let commands: Vec<Vec<String>> = commands(&readme);
    assert!(!commands.is_empty(), "README.md has no ```console line that begins with `{PROMPT}`");
    for mut words in commands {
        let dir = Dir::new();
        // Files go to the scratch directory, everything else is as it stands.
        for at in 1..words.len() {
            if Path::new(&words[at]).extension().is_some_and(|extension| extension == "toml") {
                words[at] = moved(&root.join(&words[at]), &dir).display().to_string();
            }
            if ["--svg", "--trace"].contains(&words[at - 1].as_str()) {
                words[at] = dir.path(&words[at]).display().to_string();
            }
            if let (true, Some((name, file))) = (words[at - 1] == "--out", words[at].split_once('=')) {
                words[at] = format!("{name}={}", dir.path(file).display());
            }
        }
        let args: Vec<&str> = words.iter().map(String::as_str).collect();
        let output = dir.command(&args).current_dir(&root).output().expect("the command starts");
        assert_eq!(output.status.code(), Some(0), "{words:?}\n{}", transcript(&output));
    }
}

/// A job file in the scratch directory, with all that lies beside it.
pub(crate) fn moved(job: &Path, dir: &Dir) -> PathBuf {
    for entry in fs::read_dir(job.parent().expect("a directory")).expect("the job's directory") {
        let path = entry.expect("an entry").path();
        if path.is_file() {
            fs::copy(&path, dir.path(&path.file_name().expect("a name").to_string_lossy())).expect("a copy");
        }
    }
    dir.path(&job.file_name().expect("a name").to_string_lossy())
}

/// The words after the prompt, for each such line of a console block.
fn commands(readme: &str) -> Vec<Vec<String>> {
    let readme = readme.replace("\\\n", " ");
    let blocks = readme.split("```console\n").skip(1).map(|rest| rest.split("```").next().unwrap_or(rest));
    blocks.flat_map(str::lines).filter_map(|line| line.strip_prefix(PROMPT)).map(words).collect()
}

/// Words as a shell splits them: spaces between, quotes around.
pub(crate) fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in line.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            (None, '|' | '>' | '<' | '&' | ';' | '$' | '`') => panic!("`{c}` needs a shell: {line}"),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    assert_eq!(quote, None, "an open quote: {line}");
    words.extend(word);
    words
}
