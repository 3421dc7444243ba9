//! What the reference device finds when it watches a program run: races, accesses outside of
//! their memory, reads of what nobody wrote, and, if asked, arithmetic that is defined but hardly
//! meant. Each with its places in the source, how often, and who did it first.
//!
//! `race` has the rule, `shadow` the memory it needs, `numbers` the arithmetic, `allow` what the
//! source says about its own places, and `tell` the words. Who sees the accesses is the device.

pub(crate) mod race;
pub(crate) mod shadow;
pub(crate) mod numbers;
mod allow;
pub(crate) mod tell;

use std::fmt;
use std::sync::Arc;

use crate::diag::{Diagnostic, Report, Severity, Source};

pub use numbers::Arithmetic;

/// What to look for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Config {
    /// Besides memory.
    pub arithmetic: Arithmetic,
    /// Everything is an error.
    pub strict: bool,
    /// Only these workgroups of each dispatch are watched.
    pub workgroups: Option<Workgroups>,
}

/// Workgroups of a dispatch, counted along x, then y, then z.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Workgroups {
    /// The first.
    pub first: u64,
    /// One past the last.
    pub end: u64,
}

/// Who did it, the first time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// The entry point.
    pub kernel: String,
    /// Its workgroup.
    pub workgroup: [u32; 3],
    /// The invocation in it.
    pub invocation: [u32; 3],
    /// In a race, the workgroup and invocation that came before.
    pub other: Option<([u32; 3], [u32; 3])>,
    /// What it touched, as in `y[17]`; empty where that is no memory.
    pub element: String,
}

/// Something that was found, as often as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What the labels point into.
    pub source: Arc<Source>,
    /// What, and where.
    pub diagnostic: Diagnostic,
    /// How many accesses.
    pub count: u64,
    /// None of what is about the source alone.
    pub example: Option<Example>,
}

/// All that a run has shown, in the order of the sources and of the places in them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Findings {
    /// One for each pair of places.
    pub list: Vec<Finding>,
    /// Workgroups that were watched,
    pub watched: u64,
    /// of so many.
    pub workgroups: u64,
}

impl Findings {
    /// Those of a severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.list.iter().filter(|finding| finding.diagnostic.severity == severity).count()
    }

    /// Whether anything is wrong.
    pub fn has_errors(&self) -> bool {
        self.count(Severity::Error) > 0
    }

    /// All of them as rustc would print them, with ANSI colours or plain; nothing if there are none.
    pub fn render(&self, colours: bool) -> String {
        let one = |finding: &Finding| {
            let (source, diagnostics) = (finding.source.clone(), vec![finding.diagnostic.clone()]);
            Report { source, diagnostics }.render(colours)
        };
        self.list.iter().map(one).collect()
    }

    /// What was not looked at, if anything.
    pub fn left_out(&self) -> Option<String> {
        let Self { watched, workgroups, .. } = *self;
        (watched < workgroups)
            .then(|| format!("{watched} of {workgroups} workgroups were watched: what the others did is not known"))
    }
}

impl fmt::Display for Findings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.render(false).trim_end())
    }
}
