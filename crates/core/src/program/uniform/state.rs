//! What holds at one point of a body.

use super::{Fact, Since};

/// Facts of what variables hold, at one point of a body.
#[derive(Debug, Clone, Default)]
pub(super) struct State {
    pub(super) locals: Vec<Fact>,
    /// The callers' variables that pointer arguments point into.
    pub(super) cells: Vec<Fact>,
    pub(super) since: Since,
}

impl State {
    fn facts(&self) -> impl Iterator<Item = &Fact> {
        self.locals.iter().chain(&self.cells)
    }

    /// What holds whichever of two ways was taken.
    pub(super) fn join(mut self, other: &Self) -> Self {
        let own = self.locals.iter_mut().chain(&mut self.cells);
        own.zip(other.facts()).for_each(|(fact, other)| *fact = fact.or(*other));
        self.since.extend(&other.since);
        self
    }

    /// Whether joining `other` would change nothing.
    pub(super) fn covers(&self, other: &Self) -> bool {
        self.facts().zip(other.facts()).all(|(own, other)| own.is_some() || other.is_none())
            && self.since.is_superset(&other.since)
    }
}
