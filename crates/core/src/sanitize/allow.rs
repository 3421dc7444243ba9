//! What a source says about its own places: `// seawall: allow(race) because …`, at the end of a
//! line or on a line of its own before it, lets that line be. It must say why, and must let be
//! something that would be told otherwise.

use crate::diag::{Diagnostic, Span};

/// What can be allowed: a word stands for all codes that begin with it.
const WORDS: [&str; 8] =
    ["race", "out-of-bounds", "uninitialised", "division-by-zero", "shift-width", "conversion", "made-nan", "overflow"];

pub(super) const MARK: &str = "seawall: allow(";

/// One such comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Allow {
    word: String,
    /// The line that it is about, counted from 0.
    pub(super) line: usize,
    span: Span,
    has_reason: bool,
    /// Whether it has silenced something.
    pub(super) used: bool,
}

impl Allow {
    /// Whether it lets a finding with this code be, if that has a place on its line.
    pub(super) fn covers(&self, code: &str, lines: &[usize]) -> bool {
        let rest = code.strip_prefix(self.word.as_str());
        self.has_reason
            && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
            && lines.contains(&self.line)
    }

    /// What is wrong with it, if anything, after the run.
    pub(super) fn told(&self) -> Option<Diagnostic> {
        let word = &self.word;
        let (message, help) = if !WORDS.contains(&word.as_str()) {
            (format!("there is nothing called `{word}` to allow"), format!("it may be {}", WORDS.join(", ")))
        } else if !self.has_reason {
            let help = format!("write `// {MARK}{word}) because …`");
            (format!("`allow({word})` does not say why, and so allows nothing"), help)
        } else if !self.used {
            (format!("`allow({word})` silences nothing"), "remove it".to_owned())
        } else {
            return None;
        };
        Some(Diagnostic::warning("unused-allow", message).at(Some(self.span), "here").help(help))
    }
}

/// All of a text.
pub(super) fn read(text: &str) -> Vec<Allow> {
    let mut found = Vec::new();
    let mut start = 0;
    for (line, content) in text.split('\n').enumerate() {
        if let Some((comment, word, reason)) = parse(content) {
            let alone = content[..comment].trim().is_empty();
            let end = start + content.trim_end().len();
            found.push(Allow {
                word: word.to_owned(),
                line: line + usize::from(alone),
                span: Span { start: (start + comment) as u32, end: end as u32 },
                has_reason: reason,
                used: false,
            });
        }
        start += content.len() + 1;
    }
    found
}

/// Where the comment of a line starts, what it allows, and whether it says why.
fn parse(line: &str) -> Option<(usize, &str, bool)> {
    let comment = line.find("//")?;
    let rest = line[comment..].trim_start_matches('/').trim_start().strip_prefix(MARK)?;
    let (word, reason) = rest.split_once(')')?;
    let reason = reason.trim_start().strip_prefix("because").is_some_and(|why| !why.trim().is_empty());
    Some((comment, word.trim(), reason))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_is_about_its_line_or_the_next() {
        let text = "a[i] = 1; // seawall: allow(race) because all write one\n\n  // seawall: allow(out-of-bounds) because of the edge\nb[i] = 2;\n";
        let read = read(text);
        let lines: Vec<usize> = read.iter().map(|allow| allow.line).collect();
        assert_eq!(lines, [0, 3]);
        assert!(read[0].covers("race", &[0, 7]) && read[0].covers("race-same-value", &[0]));
        assert!(!read[0].covers("race", &[1]) && !read[0].covers("out-of-bounds", &[0]));
        assert!(read[1].covers("out-of-bounds", &[3]));
        let span = read[0].span;
        assert_eq!(&text[span.start as usize..span.end as usize], "// seawall: allow(race) because all write one");
    }

    #[test]
    fn what_is_wrong_with_one_is_told() {
        let told = |text: &str| read(text)[0].told().expect("it is told").message;
        assert_eq!(told("// seawall: allow(races) because"), "there is nothing called `races` to allow");
        assert_eq!(told("// seawall: allow(race)"), "`allow(race)` does not say why, and so allows nothing");
        assert_eq!(told("// seawall: allow(race) because"), "`allow(race)` does not say why, and so allows nothing");
        assert_eq!(told("// seawall: allow(race) because so"), "`allow(race)` silences nothing");
        assert!(read("// seawall: allows(race)").is_empty() && read("seawall: allow(race) because so").is_empty());
    }
}
