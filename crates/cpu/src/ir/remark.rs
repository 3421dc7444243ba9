//! Optimization remarks: what a pass did or could not do, where, and why.
//!
//! Passes push them as they decide. No pass reads them: they are for people (`seawall dump --stage remarks`) and
//! for tests. They hang on the function, in a cell, since code is written from functions that no longer change.

use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt::{self, Display};

use seawall_core::diag::Span;

use super::{Function, Label, Mem, Value};

/// The words of a pass.
pub(crate) type Because = Cow<'static, str>;

/// What a pass says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Remark {
    pub(crate) pass: &'static str,
    pub(crate) at: At,
    /// Whether it did what it is for.
    pub(crate) done: bool,
    pub(crate) because: Because,
}

/// What it says it of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum At {
    Function,
    Loop(Label),
    Value(Value),
    Memory(Mem),
}

impl From<Label> for At {
    fn from(label: Label) -> Self {
        Self::Loop(label)
    }
}

impl From<Value> for At {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

impl From<Mem> for At {
    fn from(memory: Mem) -> Self {
        Self::Memory(memory)
    }
}

impl Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Function => f.write_str("kernel"),
            Self::Loop(label) => label.fmt(f),
            Self::Value(value) => value.fmt(f),
            Self::Memory(memory) => memory.fmt(f),
        }
    }
}

impl Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let not = if self.done { "" } else { "not done, because " };
        write!(f, "{}: {not}{}", self.pass, self.because)
    }
}

/// What has been said of a function.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Remarks(RefCell<Vec<Remark>>);

impl Remarks {
    /// In the order in which it was said, each once.
    pub(crate) fn all(&self) -> Vec<Remark> {
        let mut all: Vec<Remark> = Vec::new();
        for remark in self.0.borrow().iter() {
            if !all.contains(remark) {
                all.push(remark.clone());
            }
        }
        all
    }
}

/// Where things stand in the source, for what is said of them. Nothing else depends on it, and the text of a
/// function leaves it out.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Origins {
    /// By value; those that passes made may have none.
    pub(crate) values: Vec<Option<Span>>,
    /// Variables that are memories, by name.
    pub(crate) memories: Vec<(Mem, String, Option<Span>)>,
}

impl Function {
    /// A pass did something.
    pub(crate) fn done(&self, pass: &'static str, at: impl Into<At>, because: impl Into<Because>) {
        self.remark(pass, at.into(), true, because.into());
    }

    /// A pass could not, or would not.
    pub(crate) fn missed(&self, pass: &'static str, at: impl Into<At>, because: impl Into<Because>) {
        self.remark(pass, at.into(), false, because.into());
    }

    fn remark(&self, pass: &'static str, at: At, done: bool, because: Because) {
        self.remarks.0.borrow_mut().push(Remark { pass, at, done, because });
    }

    /// Where something stands in the source, if that is known.
    pub(crate) fn span(&self, at: At) -> Option<Span> {
        match at {
            At::Function => None,
            At::Loop(label) => self.loops.iter().find(|(at, _)| *at == label).and_then(|(_, span)| *span),
            At::Value(value) => self.origins.values.get(value.index()).copied().flatten(),
            At::Memory(memory) => self.variable(memory).and_then(|(_, span)| span),
        }
    }

    /// What a memory is called in the source, or else in the form.
    pub(crate) fn called(&self, memory: Mem) -> String {
        self.variable(memory).map_or_else(|| memory.to_string(), |(name, _)| format!("`{name}`"))
    }

    fn variable(&self, memory: Mem) -> Option<(&str, Option<Span>)> {
        let found = self.origins.memories.iter().find(|(at, ..)| *at == memory);
        found.map(|(_, name, span)| (name.as_str(), *span))
    }
}
