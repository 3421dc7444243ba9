//! What was seen, in words.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use super::allow::{self, Allow};
use super::numbers::Slip;
use super::race::Kind;
use super::{Config, Example, Finding};
use crate::diag::{Diagnostic, Location, Severity, Source, Span};

/// A place in a source.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    pub(crate) source: Arc<Source>,
    pub(crate) span: Option<Span>,
}

/// What was seen; of races, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum What {
    Race,
    /// Both write the same value.
    SameValue,
    /// They touch different components of one vector, and one of them writes.
    Component,
    Outside,
    Unwritten,
    Slip(Slip),
}

/// Two accesses, and what orders neither before the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// In workgroup memory.
    Workgroup,
    /// In a buffer, by invocations of one workgroup.
    Storage,
    /// In a buffer, by different workgroups of a dispatch.
    Across,
    /// In a buffer, by different dispatches of a group.
    Waves,
}

/// One pair of places, as it was first seen.
#[derive(Debug, Clone)]
pub(crate) struct Record {
    pub(crate) what: What,
    /// What is accessed: a variable.
    pub(crate) name: String,
    /// How, and where.
    pub(crate) now: (Kind, Site),
    /// In a race, the access before; else where the wrong index, or the variable, is.
    pub(crate) before: Option<(Kind, Site)>,
    pub(crate) scope: Scope,
    /// An index, and what it should be below.
    pub(crate) index: Option<(i128, u64)>,
    /// Whether workgroups, and invocations in them, lie along x only.
    pub(crate) lines: (bool, bool),
    pub(crate) count: u64,
    pub(crate) example: Example,
}

/// All of them as findings, but for what the sources allow; with what is wrong with those words.
/// `lines` has the sources that were run, and of each the lines with something to look at.
pub(crate) fn all(records: Vec<Record>, sources: &[(Arc<Source>, Lines)], config: Config) -> Vec<Finding> {
    let mut allows: Vec<(&Arc<Source>, &Lines, Vec<Allow>)> =
        sources.iter().map(|(source, lines)| (source, lines, allow::read(&source.text))).collect();
    let mut found = Vec::new();
    for record in merged(records) {
        let diagnostic = record.told();
        let source = &record.now.1.source;
        let places: Vec<usize> = diagnostic.labels.iter().map(|label| line(&source.text, label.span)).collect();
        let mut silent = false;
        for (_, _, allows) in allows.iter_mut().filter(|(other, ..)| Arc::ptr_eq(other, source)) {
            for allow in allows.iter_mut().filter(|allow| allow.covers(diagnostic.code, &places)) {
                (allow.used, silent) = (true, true);
            }
        }
        if !silent {
            let (count, example) = (record.count, Some(record.example));
            found.push(Finding { source: source.clone(), diagnostic, count, example });
        }
    }
    for (source, lines, allows) in allows {
        let mine = allows.iter().filter(|allow| lines.all || lines.some.contains(&allow.line));
        found.extend(mine.filter_map(Allow::told).map(|diagnostic| Finding {
            source: source.clone(),
            diagnostic,
            count: 1,
            example: None,
        }));
    }
    if config.strict {
        for finding in &mut found {
            finding.diagnostic.severity = Severity::Error;
        }
    }
    // Sources in the order of their kernels, places in the order of the text.
    let order: BTreeMap<*const Source, usize> =
        sources.iter().enumerate().rev().map(|(at, (source, _))| (Arc::as_ptr(source), at)).collect();
    found.sort_by_key(|finding| {
        let mut places: Vec<Span> = finding.diagnostic.labels.iter().map(|label| label.span).collect();
        places.sort_unstable();
        (order.get(&Arc::as_ptr(&finding.source)).copied(), places, finding.diagnostic.code)
    });
    found
}

/// One for each pair of places: `a[i] += 1` reads and writes at the same one, and of what is found
/// there only the worst is told.
fn merged(records: Vec<Record>) -> Vec<Record> {
    let mut places: BTreeMap<_, Record> = BTreeMap::new();
    for record in records {
        let place = |site: &Site| (Arc::as_ptr(&site.source), site.span);
        let (now, before) = (place(&record.now.1), record.before.as_ref().map(|(_, site)| place(site)));
        let kind = match record.what {
            What::Race | What::SameValue | What::Component => What::Race,
            What::Outside | What::Unwritten | What::Slip(_) => record.what,
        };
        let key = (kind, Some(now).min(before.or(Some(now))), Some(now).max(before));
        match places.entry(key) {
            Entry::Vacant(free) => {
                free.insert(record);
            }
            Entry::Occupied(mut there) => {
                let there = there.get_mut();
                let same_kinds =
                    |record: &Record| record.before.as_ref().is_some_and(|(kind, _)| *kind == record.now.0);
                let count = if there.what == record.what { there.count + record.count } else { record.count };
                if record.what < there.what || (record.what == there.what && same_kinds(there)) {
                    *there = record;
                }
                there.count = there.count.max(count);
            }
        }
    }
    places.into_values().collect()
}

/// Lines of a source, counted from 0, that a run can have something to say about.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lines {
    /// Every line: there is no kernel in it that was not run.
    pub(crate) all: bool,
    /// Those that the kernels which were run stand on.
    pub(crate) some: Vec<usize>,
}

/// The line on which a span starts, counted from 0.
pub(crate) fn line(text: &str, span: Span) -> usize {
    Location::of(text, span.start as usize).line - 1
}

impl Record {
    fn told(&self) -> Diagnostic {
        let told = match self.what {
            What::Race | What::SameValue | What::Component => self.race(),
            What::Outside => self.outside(),
            What::Unwritten => self.unwritten(),
            What::Slip(slip) => self.slip(slip),
        };
        let times = if self.count == 1 { "once".to_owned() } else { format!("{} times", self.count) };
        let element = &self.example.element;
        let first = match (element.is_empty(), self.count) {
            (true, _) => String::new(),
            (false, 1) => format!(", at `{element}`"),
            (false, _) => format!(", first at `{element}`"),
        };
        told.note(format!("seen {times}{first}"))
    }

    fn race(&self) -> Diagnostic {
        let (name, (now, site)) = (&self.name, &self.now);
        let (before, other) = self.before.as_ref().expect("invariant pairs: a race has two accesses");
        let apart = matches!(self.scope, Scope::Across | Scope::Waves);
        let verbs = match (verb(*before), verb(*now)) {
            (one, two) if one == two => one.to_owned(),
            (one, two) => format!("{one} and {two}"),
        };
        let unordered = match self.scope {
            Scope::Workgroup | Scope::Storage => "by invocations that no barrier orders",
            Scope::Across => "by different workgroups, which nothing orders",
            Scope::Waves => "by waves that run at once",
        };
        let told = match self.what {
            What::SameValue => {
                let message = format!("`{name}` is {verbs} {unordered}, always with the same value");
                Diagnostic { severity: Severity::Note, ..Diagnostic::error("race-same-value", message) }
            }
            What::Component => {
                let message = format!("components of one vector in `{name}` are {verbs} {unordered}");
                let note = Diagnostic { severity: Severity::Note, ..Diagnostic::error("race-component", message) };
                note.note("WGSL lets a write to one component touch the whole vector")
            }
            What::Race | What::Outside | What::Unwritten | What::Slip(_) => {
                Diagnostic::error("race", format!("`{name}` is {verbs} {unordered}"))
            }
        };
        let (group, invocation) = (self.example.workgroup, self.example.invocation);
        let (other_group, other_invocation) = self.example.other.unwrap_or_default();
        let whole = |verb: &str, invocation, group| {
            format!("{verb} by invocation {} of workgroup {}", self.local(invocation), self.group(group))
        };
        let told = if site.span == other.span {
            let (one, two) = (self.local(other_invocation), self.local(invocation));
            let text = if apart {
                let (home, away) = (self.group(other_group), self.group(group));
                format!("{verbs} by invocation {one} of workgroup {home} and invocation {two} of workgroup {away}")
            } else {
                format!("{verbs} by invocations {one} and {two} of workgroup {}", self.group(group))
            };
            told.at(site.span, text)
        } else {
            let here = whole(verb(*now), invocation, group);
            let there = if apart {
                whole(verb(*before), other_invocation, other_group)
            } else {
                format!("{} by invocation {} of the same workgroup", verb(*before), self.local(other_invocation))
            };
            if Arc::ptr_eq(&site.source, &other.source) {
                told.at(site.span, here).context(other.span, there)
            } else {
                told.at(site.span, here).note(format!("{there}, in `{}`", other.source.name))
            }
        };
        told.help(match self.scope {
            Scope::Workgroup => "put `workgroupBarrier();` between the two, or use atomics",
            Scope::Storage => {
                "put `storageBarrier();` between the two: `workgroupBarrier` orders workgroup memory only"
            }
            Scope::Across => {
                "no barrier of a workgroup orders others: use atomics, `gridBarrier();`, or a dispatch for each"
            }
            Scope::Waves => "this is a fault of Seawall's, not of the program: such waves must not be in one group",
        })
    }

    fn outside(&self) -> Diagnostic {
        let (name, (kind, site)) = (&self.name, &self.now);
        let (index, bound) = self.index.expect("invariant indexed: what lies outside has an index");
        let told = Diagnostic::error("out-of-bounds", format!("`{name}` is {} outside of its bounds", verb(*kind)));
        let place = self.before.as_ref().map_or(site.span, |(_, site)| site.span.or(self.now.1.span));
        let elements = if bound == 1 { "element" } else { "elements" };
        let told = told.at(place, format!("index {index}, but there are {bound} {elements}"));
        let same_line = match (place, site.span) {
            (Some(place), Some(span)) => line(&site.source.text, place) == line(&site.source.text, span),
            _ => true,
        };
        let told = if same_line { told } else { told.context(site.span, format!("{} here", verb(*kind))) };
        told.note(format!("{}, {}", self.who(), fate(*kind)))
    }

    fn unwritten(&self) -> Diagnostic {
        let (name, (_, site)) = (&self.name, &self.now);
        let told = Diagnostic::warning("uninitialised", format!("`{name}` is read before anything is written there"));
        let told = told.at(site.span, format!("read by {}", self.who()));
        let declared = self.before.as_ref().filter(|(_, other)| Arc::ptr_eq(&other.source, &site.source));
        let told = told.context(declared.and_then(|(_, other)| other.span), "declared here");
        told.note("it is zero, by the rules of WGSL").help("write it first, or clear it to show that zeros are meant")
    }

    fn slip(&self, slip: Slip) -> Diagnostic {
        let (code, message, note) = match slip {
            Slip::Division => {
                ("division-by-zero", "an integer is divided by zero", "the dividend, or a remainder of 0")
            }
            Slip::Shift => ("shift-width", "a shift goes beyond the width of its number", "a shift by the lowest bits"),
            Slip::Conversion => ("conversion", "a float is no integer of this type", "the nearest one, or 0 for NaN"),
            Slip::Nan => ("made-nan", "NaN is made from numbers", "NaN"),
            Slip::Overflow => ("overflow", "an integer wraps around", "the lowest bits of the result"),
        };
        Diagnostic::warning(code, message)
            .at(self.now.1.span, format!("by {}", self.who()))
            .note(format!("it gives {note}"))
    }

    fn who(&self) -> String {
        let Example { invocation, workgroup, .. } = &self.example;
        format!("invocation {} of workgroup {}", self.local(*invocation), self.group(*workgroup))
    }

    fn group(&self, id: [u32; 3]) -> String {
        shown(id, self.lines.0)
    }

    fn local(&self, id: [u32; 3]) -> String {
        shown(id, self.lines.1)
    }
}

fn shown([x, y, z]: [u32; 3], line: bool) -> String {
    if line { x.to_string() } else { format!("({x}, {y}, {z})") }
}

/// What becomes of an access outside of its bounds.
fn fate(kind: Kind) -> &'static str {
    match kind {
        Kind::Read | Kind::AtomicRead => "which reads zero",
        Kind::Write => "whose write is dropped",
        Kind::AtomicWrite => "whose change is dropped",
    }
}

fn verb(kind: Kind) -> &'static str {
    match kind {
        Kind::Write => "written",
        Kind::Read => "read",
        Kind::AtomicWrite => "changed atomically",
        Kind::AtomicRead => "read atomically",
    }
}

/// Whether a text may allow anything.
pub(crate) fn may_allow(text: &str) -> bool {
    text.contains(allow::MARK)
}
