//! Writes down what the reference device gave.

use std::fmt::Write;

use seawall_core::reference;

use crate::case::Case;
use crate::compare::{bits, compare};
use crate::number::{Kind, Want};
use crate::run::Job;
use crate::value::{Cell, Within};

/// Lines are wrapped near this column.
const WIDTH: usize = 110;

/// The source with every `out` that differs as the reference device gives it; `None` if none does.
pub fn blessed(name: &str, source: &str, case: &Case) -> Result<Option<String>, String> {
    let device = reference::Device::new(reference::Config {
        subgroup: case.subgroup.unwrap_or_default(),
        ..reference::Config::default()
    });
    let outputs = Job::new(name, source, case)?.outputs(&device).map_err(|error| error.to_string())?;
    let blessed = bless(source, case, &outputs);
    Ok((blessed != source).then_some(blessed))
}

/// The source with every `out` that differs replaced. Its other lines stay as they are, to their ends.
fn bless(source: &str, case: &Case, got: &[Vec<u8>]) -> String {
    let mut lines: Vec<String> = source.split_inclusive('\n').map(str::to_owned).collect();
    let end = if source.contains("\r\n") { "\r\n" } else { "\n" };
    let mut outputs: Vec<_> = case.outputs.iter().zip(got).collect();
    // From the bottom up, so that line numbers above stay what they are.
    outputs.sort_by_key(|(output, _)| std::cmp::Reverse(output.lines.start));
    for (output, got) in outputs {
        if compare(&output.cells, got).is_err() {
            let text = wrap(&format!("//! out {} = {}", output.name, render(&output.cells, got)));
            lines.splice(output.lines.clone(), text.into_iter().map(|line| line + end));
        }
    }
    lines.concat()
}

/// What the numbers of a run have in common; `None` for padding.
type Shape = Option<(Kind, Within)>;

/// The bytes in the shape of the cells.
fn render(cells: &[Cell], got: &[u8]) -> String {
    let mut runs: Vec<(Shape, Vec<String>)> = Vec::new();
    let mut at = 0;
    for cell in cells {
        let (shape, word) = match *cell {
            Cell::Pad => (None, String::new()),
            Cell::Number { kind, want: Want::Any, within } => (Some((kind, within)), "_".to_owned()),
            Cell::Number { kind, within, .. } => (Some((kind, within)), kind.show(bits(&got[at..at + kind.bytes()]))),
        };
        at += shape.map_or(1, |(kind, _)| kind.bytes());
        match runs.last_mut() {
            Some((last, words)) if *last == shape => words.push(word),
            _ => runs.push((shape, vec![word])),
        }
    }
    let mut text = String::new();
    for (shape, words) in runs {
        let _ = match shape {
            None => write!(text, " pad[{}]", words.len()),
            Some((kind, within)) => write!(text, " {}[{}]{}", kind.name(), list(&words), tolerance(within)),
        };
    }
    text.trim_start().to_owned()
}

/// Four or more of the same are written as a repeat.
fn list(words: &[String]) -> String {
    let runs = words.chunk_by(|a, b| a == b).map(|same| match same.len() {
        1..4 => same.join(", "),
        count => format!("{} x {count}", same[0]),
    });
    runs.collect::<Vec<_>>().join(", ")
}

fn tolerance(within: Within) -> String {
    let mut text = String::new();
    if within != Within::default() {
        text.push_str(" ~");
    }
    if within.ulp > 0 {
        let _ = write!(text, " {}ulp", within.ulp);
    }
    if within.abs > 0.0 {
        let _ = write!(text, " abs {:e}", within.abs);
    }
    text
}

fn wrap(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.last_mut().expect("there is a line");
        if last.is_empty() {
            last.push_str(word);
        } else if last.len() + 1 + word.len() > WIDTH {
            lines.push(format!("//!     {word}"));
        } else {
            let _ = write!(last, " {word}");
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{case, value};

    #[test]
    fn rewrites_what_differs_and_only_that() {
        let source = "//! out a = u32[1, ?]\n//! out b = u32[3]\n//! out c = f32[0 x 6, _] ~ 2ulp pad[4]\n//!     i32[9]\nfn f() {}\n";
        let case = case::parse(source).unwrap();
        let got = ["u32[1, 2]", "u32[3]", "f32[1.5 x 6, 7] u32[8] i32[-9]"];
        let got = got.map(|text| value::bytes(&value::parse(text).unwrap()).unwrap());
        let blessed = bless(source, &case, &got);
        assert_eq!(
            blessed,
            "//! out a = u32[1, 2]\n//! out b = u32[3]\n//! out c = f32[1.5 x 6, _] ~ 2ulp pad[4] i32[-9]\nfn f() {}\n"
        );
        let again = case::parse(&blessed).unwrap();
        for (output, got) in again.outputs.iter().zip(&got) {
            compare(&output.cells, got).unwrap();
        }
    }

    #[test]
    fn lines_end_as_they_did() {
        let source = "// a\r\n//! out a = u32[1]\r\nfn f() {}";
        let case = case::parse(source).unwrap();
        assert_eq!(bless(source, &case, &[vec![2, 0, 0, 0]]), "// a\r\n//! out a = u32[2]\r\nfn f() {}");
    }

    #[test]
    fn the_reference_device_is_asked() {
        let text = "@group(0) @binding(0) var<storage, read_write> a: u32;\n@compute @workgroup_size(1) fn main() { a = 7u; }\n";
        let blessed = |out: &str| {
            let source = format!("//! out a = u32[{out}]\n{text}");
            super::blessed("test", &source, &case::parse(&source).unwrap()).unwrap()
        };
        assert_eq!(blessed("?"), Some(format!("//! out a = u32[7]\n{text}")));
        assert_eq!(blessed("7"), None);
    }

    #[test]
    fn long_lines_read_back() {
        let source = "//! out a = u32[? x 200]\n";
        let case = case::parse(source).unwrap();
        let got = value::bytes(&value::parse("u32[0..200]").unwrap()).unwrap();
        let blessed = bless(source, &case, std::slice::from_ref(&got));
        assert!(blessed.lines().all(|line| line.len() <= WIDTH), "{blessed}");
        compare(&case::parse(&blessed).unwrap().outputs[0].cells, &got).unwrap();
    }
}
