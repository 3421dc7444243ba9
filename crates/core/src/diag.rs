//! What the user is told about their own mistake: a code, a message, labelled
//! spans of the source and help, rendered like rustc. Data until it is rendered;
//! rendering is a pure function to text, and printing is the caller's business.

use std::fmt;
use std::sync::Arc;

use codespan_reporting::diagnostic as codespan;
use codespan_reporting::files::SimpleFile;
use codespan_reporting::term::{self, termcolor};

/// A named text that spans point into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// What to call it in messages: a file name, or `<wgsl>`.
    pub name: String,
    /// The text; empty for a binary source (SPIR-V), which has no spans.
    pub text: String,
}

/// A half-open byte range of a [`Source`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The naga span as ours; `None` where naga has lost track of the source.
    pub fn of(span: naga::Span) -> Option<Self> {
        let range = span.to_range()?;
        Some(Self { start: u32::try_from(range.start).ok()?, end: u32::try_from(range.end).ok()? })
    }
}

impl Span {
    /// The part of it before its first line break.
    #[must_use]
    pub fn first_line(self, text: &str) -> Self {
        let lines = text.get(self.start as usize..self.end as usize).unwrap_or_default();
        let first = lines.lines().next().unwrap_or_default().trim_end();
        Self { start: self.start, end: self.start + first.len() as u32 }
    }
}

/// A place in a text as people count, from 1 on. Lines end in `\n`, as in rendered reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// Which line.
    pub line: usize,
    /// Which character of it; a tab is one.
    pub column: usize,
}

impl Location {
    /// Where a byte of a text stands; past its end, the end.
    pub fn of(text: &str, byte: usize) -> Self {
        let before = &text[..text.floor_char_boundary(byte)];
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        Self { line: before.matches('\n').count() + 1, column: before[start..].chars().count() + 1 }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

impl Source {
    /// Where a span starts.
    pub fn location(&self, span: Span) -> Location {
        Location::of(&self.text, span.start as usize)
    }
}

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The program is refused.
    Error,
    /// The program runs, but probably not as meant.
    Warning,
    /// Worth knowing, and no harm by itself.
    Note,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        })
    }
}

/// A span with something to say about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What; may be empty.
    pub text: String,
    /// Underlined with `^` (the place of the mistake) rather than `-` (context).
    pub primary: bool,
}

/// One finding about a source text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// A stable kebab-case code, e.g. `barrier-divergence`; `docs/errors.md` lists them.
    pub code: &'static str,
    /// One sentence, lower case, no full stop.
    pub message: String,
    /// Where; the primary labels first.
    pub labels: Vec<Label>,
    /// What else there is to say.
    pub notes: Vec<String>,
    /// What to do about it.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// An error without labels or help yet.
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        let (labels, notes, help) = (Vec::new(), Vec::new(), Vec::new());
        Self { severity: Severity::Error, code, message: message.into(), labels, notes, help }
    }

    /// A warning without labels or help yet.
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, message) }
    }

    /// Marks where the mistake is; a lost span is left out.
    #[must_use]
    pub fn at(self, span: Option<Span>, text: impl Into<String>) -> Self {
        self.label(span, text, true)
    }

    /// Marks what else matters; a lost span is left out.
    #[must_use]
    pub fn context(self, span: Option<Span>, text: impl Into<String>) -> Self {
        self.label(span, text, false)
    }

    /// Adds a line about how it came to be.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Adds a line of advice.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }

    fn label(mut self, span: Option<Span>, text: impl Into<String>, primary: bool) -> Self {
        if let Some(span) = span {
            self.labels.push(Label { span, text: text.into(), primary });
        }
        self
    }
}

/// Everything found in one source: never empty, and an error value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// What the spans point into.
    pub source: Arc<Source>,
    /// In source order.
    pub diagnostics: Vec<Diagnostic>,
}

impl Report {
    /// The report as rustc would print it, with ANSI colours or plain.
    pub fn render(&self, colours: bool) -> String {
        let file = SimpleFile::new(&self.source.name, &self.source.text);
        let config = term::Config { tab_width: 4, ..term::Config::default() };
        let mut out = Vec::new();
        for diagnostic in &self.diagnostics {
            let diagnostic = diagnostic.to_codespan(self.source.text.len());
            let emitted = if colours {
                term::emit_to_write_style(&mut termcolor::Ansi::new(&mut out), &config, &file, &diagnostic)
            } else {
                term::emit_to_write_style(&mut termcolor::NoColor::new(&mut out), &config, &file, &diagnostic)
            };
            emitted.expect("invariant diag-spans: labels lie inside the source and writing to memory succeeds");
        }
        String::from_utf8(out).expect("invariant diag-utf8: spans fall on character boundaries")
    }
}

impl Diagnostic {
    /// Without a text there is nothing to point at: what the labels say is then told below.
    fn to_codespan(&self, text_bytes: usize) -> codespan::Diagnostic<()> {
        let severity = match self.severity {
            Severity::Error => codespan::Severity::Error,
            Severity::Warning => codespan::Severity::Warning,
            Severity::Note => codespan::Severity::Note,
        };
        let pointed: &[Label] = if text_bytes == 0 { &[] } else { &self.labels };
        let unpointed = if text_bytes == 0 { &self.labels[..] } else { &[] };
        let labels = pointed.iter().map(|label| {
            let style = if label.primary { codespan::LabelStyle::Primary } else { codespan::LabelStyle::Secondary };
            let end = (label.span.end as usize).min(text_bytes);
            let start = (label.span.start as usize).min(end);
            codespan::Label::new(style, (), start..end).with_message(&label.text)
        });
        let notes = unpointed.iter().map(|label| &label.text).chain(&self.notes).filter(|text| !text.is_empty());
        let notes = notes.map(|text| format!("note: {text}"));
        codespan::Diagnostic::new(severity)
            .with_code(self.code)
            .with_message(&self.message)
            .with_labels(labels.collect())
            .with_notes(notes.chain(self.help.iter().map(|help| format!("help: {help}"))).collect())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.render(false).trim_end())
    }
}

impl std::error::Error for Report {}

/// The candidate that `name` is most likely a slip of: at most half of it, and three letters, are wrong.
pub fn closest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.chars().count() / 2).min(3);
    let scored = candidates.into_iter().map(|candidate| (distance(name, candidate), candidate));
    scored.filter(|&(wrong, _)| wrong <= limit).min_by_key(|&(wrong, _)| wrong).map(|(_, candidate)| candidate)
}

/// Letters to insert, delete or change to get from one word to the other.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, &to) in b.iter().enumerate() {
            let changed = diagonal + usize::from(from != to);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
