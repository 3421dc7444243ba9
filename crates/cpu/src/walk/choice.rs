//! Ways that part by a condition and meet again.

use super::Walk;
use crate::emit::Emit;

/// How often the second of two ways is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Second {
    Often,
    Seldom,
}

impl<E: Emit> Walk<'_, E> {
    /// One way where a condition holds, and another where it does not.
    pub(super) fn either(
        &mut self,
        condition: E::S,
        often: Second,
        first: impl FnOnce(&mut Self),
        second: impl FnOnce(&mut Self),
    ) {
        let fast = self.e.block();
        let slow = match often {
            Second::Often => self.e.block(),
            Second::Seldom => self.e.cold_block(),
        };
        let on = self.e.block();
        self.e.branch(condition, fast, slow);
        self.way_to(fast, on, first);
        self.way_to(slow, on, second);
        self.e.enter(on);
    }

    /// Something only where a condition holds.
    pub(super) fn only_if(&mut self, condition: E::S, code: impl FnOnce(&mut Self)) {
        let (here, on) = (self.e.block(), self.e.block());
        self.e.branch(condition, here, on);
        self.way_to(here, on, code);
        self.e.enter(on);
    }

    /// Something where a condition does not hold, which is seldom.
    pub(super) fn unless(&mut self, condition: E::S, code: impl FnOnce(&mut Self)) {
        let (here, on) = (self.e.cold_block(), self.e.block());
        self.e.branch(condition, on, here);
        self.way_to(here, on, code);
        self.e.enter(on);
    }

    fn way_to(&mut self, here: E::Block, on: E::Block, code: impl FnOnce(&mut Self)) {
        self.e.enter(here);
        code(self);
        self.e.jump(on);
    }
}
