//! Mistakes in a job file, shown where they are.

use std::ops::Range;
use std::sync::Arc;

use seawall::diag::{Diagnostic, Report, Source, Span, closest};

use crate::error::Error;
use crate::words::{Said, words};

/// Makes errors about one file.
#[derive(Debug, Clone)]
pub(super) struct Fault {
    pub(super) source: Arc<Source>,
}

impl Fault {
    /// The text is not a job.
    pub(super) fn syntax(&self, message: &str, span: Option<Range<usize>>) -> Error {
        let Said { message, help } = words(message, &self.source.text, span.as_ref());
        let mut diagnostic = Diagnostic::error("job-syntax", message).at(span.map(|range| self.span(range)), "here");
        diagnostic.help.extend(help);
        self.error(diagnostic)
    }

    /// `name` stands for nothing of this kind.
    pub(super) fn unknown(&self, what: &str, name: &str, known: &[&str], range: Range<usize>) -> Error {
        self.none(format!("there is no {what} `{name}`"), format!("no such {what}"), name, known, range)
    }

    /// `name` is no buffer of this kernel.
    pub(super) fn unused(&self, kernel: &str, name: &str, known: &[&str], range: Range<usize>) -> Error {
        let message = format!("`{kernel}` uses no buffer `{name}`");
        self.none(message, format!("not a buffer of `{kernel}`"), name, known, range)
    }

    fn none(&self, message: String, label: String, name: &str, known: &[&str], range: Range<usize>) -> Error {
        let diagnostic = Diagnostic::error("job-name", message).at(Some(self.span(range)), label);
        let listed = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        self.error(match closest(name, known.iter().copied()) {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
            None => diagnostic.help(format!("there is {listed}")),
        })
    }

    /// A buffer has no size, no content or no place.
    pub(super) fn buffer(&self, message: String, range: Range<usize>, label: &str, help: Option<String>) -> Error {
        self.one(Diagnostic::error("job-buffer", message), range, label, help)
    }

    /// A wave cannot run as written.
    pub(super) fn wave(&self, message: String, range: Range<usize>, label: &str, help: Option<String>) -> Error {
        self.one(Diagnostic::error("job-wave", message), range, label, help)
    }

    /// A loop or a branch cannot run as written.
    pub(super) fn block(&self, message: String, range: Range<usize>, label: &str, help: Option<String>) -> Error {
        self.one(Diagnostic::error("job-block", message), range, label, help)
    }

    /// The same, with another place that has to do with it.
    pub(super) fn block_and(&self, message: String, at: (Range<usize>, &str), other: (Range<usize>, &str)) -> Error {
        let diagnostic = Diagnostic::error("job-block", message).at(Some(self.span(at.0)), at.1);
        self.error(diagnostic.context(Some(self.span(other.0)), other.1))
    }

    fn one(&self, diagnostic: Diagnostic, at: Range<usize>, label: &str, help: Option<String>) -> Error {
        let mut diagnostic = diagnostic.at(Some(self.span(at)), label);
        diagnostic.help.extend(help);
        self.error(diagnostic)
    }

    fn error(&self, diagnostic: Diagnostic) -> Error {
        Report { source: self.source.clone(), diagnostics: vec![diagnostic] }.into()
    }

    fn span(&self, range: Range<usize>) -> Span {
        let whole = Span { start: range.start as u32, end: range.end as u32 };
        whole.first_line(&self.source.text)
    }
}
