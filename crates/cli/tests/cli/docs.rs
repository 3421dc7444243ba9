//! The tutorial, step by step, and the command at the top of each example.

use std::fs;
use std::path::Path;

use crate::readme::{moved, words};
use crate::support::{Dir, transcript};

const PROMPT: &str = "$ seawall ";

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Whether a line is what the page says, where `…` stands for anything.
fn matches(line: &str, pattern: &str) -> bool {
    // What is printed may have that sign itself.
    line == pattern
        || pattern.strip_suffix('…').is_some_and(|begin| line.starts_with(begin))
        || pattern.split_once('…').is_some_and(|(begin, end)| line.starts_with(begin) && line.ends_with(end))
}

/// One command of a console block, and the lines that it should print.
fn follow(dir: &Dir, command: &str, expected: &[&str]) {
    let words = words(command);
    let args: Vec<&str> = words.iter().map(String::as_str).collect();
    let output = dir.output(&args);
    let no_gpu = output.status.code() == Some(3) && args.contains(&"gpu");
    if no_gpu && String::from_utf8_lossy(&output.stderr).contains("cannot run here") {
        return;
    }
    let fails = expected.iter().any(|line| line.starts_with("error"));
    assert_eq!(output.status.code(), Some(i32::from(fails)), "{command}\n{}", transcript(&output));
    if expected.is_empty() {
        return;
    }
    let said = String::from_utf8_lossy(if fails { &output.stderr } else { &output.stdout });
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), expected.len(), "{command}\n{said}");
    for (line, pattern) in lines.iter().zip(expected) {
        assert!(matches(line, pattern), "{command}\n{line}\nis not\n{pattern}");
    }
}

/// Writes the files of a page and gives its commands, from top to bottom; says how many of each.
fn follow_page(name: &str) -> (usize, usize) {
    let page = fs::read_to_string(root().join("docs").join(name)).expect("a page");
    let dir = Dir::new();
    let (mut name, mut files, mut followed) = (None, 0, 0);
    let mut rest = page.lines();
    while let Some(line) = rest.next() {
        if let Some(named) = line.strip_prefix('`').and_then(|line| line.strip_suffix("`:")) {
            name = Some(named);
            continue;
        }
        let Some(language) = line.strip_prefix("```") else {
            name = name.filter(|_| line.is_empty());
            continue;
        };
        let block: Vec<&str> = rest.by_ref().take_while(|line| *line != "```").collect();
        match (name.take(), language) {
            (Some(name), _) => {
                let path = dir.path(name);
                fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
                fs::write(path, block.join("\n") + "\n").expect("a file");
                files += 1;
            }
            (None, "console") => {
                let begins = |line: &&str| line.starts_with(PROMPT);
                assert!(block.first().is_some_and(begins), "{block:?}");
                let commands = block.iter().enumerate().filter(|(_, line)| begins(line)).map(|(at, _)| at);
                for at in commands {
                    let command = block[at].strip_prefix(PROMPT).expect("it begins so");
                    let said: Vec<&str> = block[at + 1..].iter().take_while(|line| !begins(line)).copied().collect();
                    follow(&dir, command, &said);
                    followed += 1;
                }
            }
            (None, _) => {}
        }
    }
    (files, followed)
}

#[test]
fn the_tutorial_can_be_followed() {
    let (files, followed) = follow_page("tutorial.md");
    assert!(files >= 5 && followed >= 10, "{files} files and {followed} commands");
}

#[test]
fn the_page_on_tests_can_be_followed() {
    assert_eq!(follow_page("test.md"), (2, 2));
}

#[test]
fn the_page_on_the_sanitizer_can_be_followed() {
    assert_eq!(follow_page("sanitizer.md"), (6, 6));
}

#[test]
fn the_page_on_the_kit_can_be_followed() {
    assert_eq!(follow_page("kit.md"), (0, 12));
    assert_eq!(follow_page("kit-pieces.md"), (0, 21));
    assert_eq!(follow_page("graph-algorithms.md"), (0, 12));
}

/// The pictures of plans are those that the commands beside them draw; `SEAWALL_BLESS=1` draws them again.
#[test]
fn pictures_of_the_kit_are_true() {
    let mut seen = 0;
    for page in ["kit-pieces.md", "graph-algorithms.md"] {
        let page = fs::read_to_string(root().join("docs").join(page)).expect("a page");
        for command in page.lines().filter_map(|line| line.strip_prefix(PROMPT)).filter(|line| line.contains(" --svg "))
        {
            let (dir, name) = (Dir::new(), command.rsplit(' ').next().expect("a file"));
            assert!(page.contains(&format!("](kit/{name})")), "{name} is shown");
            follow(&dir, command, &[]);
            let (drawn, path) = (dir.read(name), root().join("docs/kit").join(name));
            if std::env::var_os("SEAWALL_BLESS").is_some() {
                fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
                fs::write(&path, &drawn).expect("a picture");
            }
            assert!(
                fs::read(&path).is_ok_and(|there| there == drawn),
                "docs/kit/{name}: SEAWALL_BLESS=1 draws it again"
            );
            seen += 1;
        }
    }
    assert_eq!(seen, 24);
}

/// A file among the examples that is given by its name there.
fn from_here(word: &mut String) {
    if let Some((name, file)) = word.split_once("=examples/") {
        *word = format!("{name}={}", root().join("examples").join(file).display());
    }
}

#[test]
fn commands_of_the_other_pages_work() {
    let mut followed = 0;
    for entry in fs::read_dir(root().join("docs")).expect("the docs") {
        let path = entry.expect("a page").path();
        let followed_elsewhere =
            ["tutorial.md", "test.md", "sanitizer.md", "kit.md", "kit-pieces.md", "graph-algorithms.md"]
                .iter()
                .any(|page| path.ends_with(page));
        if path.extension().is_none_or(|extension| extension != "md") || followed_elsewhere {
            continue;
        }
        let page = fs::read_to_string(&path).expect("a page is text");
        for command in page.lines().filter_map(|line| line.strip_prefix(PROMPT)) {
            let (dir, mut words) = (Dir::new(), words(command));
            for word in words.iter_mut().filter(|word| word.starts_with("examples/")) {
                *word = moved(&root().join(&*word), &dir).display().to_string();
            }
            words.iter_mut().for_each(from_here);
            let line: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
            follow(&dir, &line.join(" "), &[]);
            followed += 1;
        }
    }
    assert!(followed >= 2, "{followed}");
}

#[test]
fn programs_in_the_docs_are_programs() {
    let pages = fs::read_dir(root().join("docs")).expect("the docs").map(|entry| entry.expect("a page").path());
    let pages = pages.chain([root().join("README.md"), root().join("corpus/README.md")]);
    let mut checked = 0;
    for path in pages.filter(|path| path.extension().is_some_and(|extension| extension == "md")) {
        // Those of the page on errors are wrong, and those of the page on tests are run.
        if path.ends_with("errors.md") || path.ends_with("test.md") {
            continue;
        }
        let page = fs::read_to_string(&path).expect("a page is text");
        let blocks = page.split("\n```wgsl\n").skip(1).filter_map(|rest| rest.split("\n```").next());
        for block in blocks.filter(|block| block.contains("@compute")) {
            let dir = Dir::new().with("block.wgsl", block);
            let output = dir.output(&["check", "block.wgsl"]);
            assert_eq!(output.status.code(), Some(0), "{}\n{block}\n{}", path.display(), transcript(&output));
            checked += 1;
        }
    }
    assert!(checked >= 8, "{checked}");
}

#[test]
fn every_example_does_what_its_first_line_says() {
    let mut ran = 0;
    for entry in fs::read_dir(root().join("examples")).expect("the examples") {
        let path = entry.expect("an example").path();
        let Some(comment) = path.extension().and_then(|extension| match extension.to_str()? {
            "wgsl" => Some("// "),
            "toml" => Some("# "),
            _ => None,
        }) else {
            continue;
        };
        let text = fs::read_to_string(&path).expect("an example is text");
        let first = text.lines().next().unwrap_or_default();
        let Some(command) = first.strip_prefix(comment).and_then(|line| line.strip_prefix("seawall ")) else {
            panic!("{}: its first line is no command", path.display());
        };
        let (dir, mut words) = (Dir::new(), words(command));
        words[1] = moved(&root().join(&words[1]), &dir).display().to_string();
        words.iter_mut().for_each(from_here);
        let args: Vec<&str> = words.iter().map(String::as_str).collect();
        let output = dir.output(&args);
        assert_eq!(output.status.code(), Some(0), "{command}\n{}", transcript(&output));
        ran += 1;
    }
    assert!(ran >= 10, "{ran}");
}

#[test]
fn examples_of_known_things_give_known_results() {
    let example = |name: &str| root().join("examples").join(name).display().to_string();
    let dir = Dir::new();
    let collatz = dir.outputs(&["run", &example("collatz.wgsl"), "--in", "n=[1,2,3,7,27,97]"]);
    assert_eq!(collatz, "{\"n\":[0,1,7,16,111,118]}");
    let histogram = dir.outputs(&["run", &example("histogram.wgsl"), "--in", "x=fill:0.5:1000", "--threads", "1000"]);
    assert_eq!(histogram, "{\"counts\":[0,0,0,0,0,0,0,0,1000,0,0,0,0,0,0,0]}");
    // The product with the identity is the other matrix.
    let one: Vec<String> = (0..256).map(|i| u8::from(i % 17 == 0).to_string()).collect();
    let args = ["--set", "n=16", "--in", "a=iota:256", "--in", "c=zeros:256", "--threads", "16,16"];
    let identity = format!("b=[{}]", one.join(","));
    let product = dir.outputs(&[&["run", &example("matmul.wgsl"), "--in", &identity], &args[..]].concat());
    let counted: Vec<String> = (0..256).map(|i| format!("{i}.0")).collect();
    assert_eq!(product, format!("{{\"c\":[{}]}}", counted.join(",")));
    // A glider is itself again after four steps, one place further.
    let job = "[buffers]
now = { source = SOURCE, output = true }
next.elements = 64
[[wave]]
name = \"step\"
program = \"life.wgsl\"
entry = \"step\"
set = { width = 8 }
over = \"next\"
in = \"generations\"
[loops.generations]
times = 4
swap = [[\"now\", \"next\"]]
";
    let board = |places: [usize; 5]| {
        let cells: Vec<&str> = (0..64).map(|at| if places.contains(&at) { "1" } else { "0" }).collect();
        format!("[{}]", cells.join(","))
    };
    let glider = [1, 10, 16, 17, 18];
    let dir = Dir::new()
        .with("life.wgsl", fs::read_to_string(example("life.wgsl")).expect("an example"))
        .with("job.toml", job.replace("SOURCE", &board(glider)));
    assert_eq!(dir.outputs(&["run", "job.toml"]), format!("{{\"now\":{}}}", board(glider.map(|at| at + 9))));
}
