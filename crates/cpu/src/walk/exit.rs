//! Early exits: lanes that leave for a label while the others go on.

use super::Walk;
use super::control::{Flow, Target, Waiting};
use crate::emit::{Emit, Lanes};
use crate::ir::{End, Exit, Label, Region, Value};

impl<E: Emit> Walk<'_, E> {
    /// Where a way leads that does nothing but go there with all lanes. Its values are left with the
    /// label before the branch: code that both ways want is then written once.
    fn straight(&mut self, arm: &Region) -> Option<E::Block> {
        if arm.nodes.is_empty() { self.goes_to(&arm.end) } else { None }
    }

    fn goes_to(&mut self, end: &End) -> Option<E::Block> {
        let End::Jump(label, args) = end else { return None };
        let Some(Target::Direct { block, params, mask }) = self.targets.get(label).cloned() else { return None };
        let values = self.params[label].clone();
        self.assign(&values, &params, args);
        if let Some(cell) = mask {
            let mask = self.mask_or_all();
            self.e.set(&cell, &mask);
        }
        Some(block)
    }

    /// An exit at the end of a loop's body, if both ways are nothing but jumps of all lanes: one
    /// branch for both. What they bring is then made before it, next to what it is made of.
    pub(super) fn parts_straight(&mut self, exit: &Exit<'_>, end: &End) -> bool {
        let (End::Jump(on, _), End::Jump(away, _)) = (end, &exit.arm.end) else { return false };
        let direct = |label: &Label| matches!(self.targets.get(label), Some(Target::Direct { .. }));
        let plain = exit.arm.nodes.is_empty() && self.shapes.of(exit.condition).is_scalar();
        if !plain || on == away || !direct(on) || !direct(away) {
            return false;
        }
        let condition = self.same(exit.condition);
        let (Some(on), Some(away)) = (self.goes_to(end), self.goes_to(&exit.arm.end)) else {
            unreachable!("invariant exits: direct targets are gone to")
        };
        let (accept, reject) = if exit.holds { (away, on) } else { (on, away) };
        self.e.branch(condition, accept, reject);
        true
    }

    /// Lanes that take the exit do not come back; the others go on with what is written next, and
    /// those that left wait at its end, if the code comes back from where they went. Nothing is
    /// done about masks while nobody takes it.
    pub(super) fn leave(&mut self, exit: &Exit<'_>, waiting: &mut Option<Waiting<E::Block, E::Cell>>) {
        if self.shapes.of(exit.condition).is_scalar() {
            return self.leave_together(exit, waiting);
        }
        let (before, awake) = (self.mask.clone(), self.awake);
        let done = self.waiting(waiting).done;
        let cells = self.e.cells();
        let [away, go] = [self.e.block(), self.e.block()];
        let mut side = Lanes::Each(self.each(exit.condition));
        if !exit.holds {
            side = self.not(side);
        }
        let (stay, all) = (self.mask_cell(), self.mask_or_all());
        self.e.set(&stay, &all);
        let going = self.and(before.as_ref(), side.clone());
        let any = self.any_lane(&going);
        self.e.branch(any, away, go);
        self.e.enter(away);
        (self.mask, self.awake) = (Some(going), true);
        if self.region(exit.arm, &mut never_falls) != Flow::Closed {
            let others = self.not(side);
            let staying = self.and(before.as_ref(), others);
            self.e.set(&stay, &staying);
            let any = self.any_lane(&staying);
            self.e.branch(any, go, done);
        }
        self.e.enter(go);
        (self.mask, self.awake) = (Some(self.e.get(&stay)), awake);
        self.e.give_up(cells);
    }

    /// An exit that all lanes of the group take, or none.
    fn leave_together(&mut self, exit: &Exit<'_>, waiting: &mut Option<Waiting<E::Block, E::Cell>>) {
        let (before, awake) = (self.mask.clone(), self.awake);
        let [away, go] = [self.e.block(), self.e.block()];
        let condition = self.same(exit.condition);
        let there = self.straight(exit.arm);
        // What it holds is known on both ways.
        let mut meeting = waiting.clone();
        if there.is_none() {
            self.waiting(&mut meeting);
        }
        let away = there.unwrap_or(away);
        let (accept, reject) = if exit.holds { (away, go) } else { (go, away) };
        self.e.branch(condition, accept, reject);
        if there.is_none() {
            self.e.enter(away);
            if self.region(exit.arm, &mut never_falls) != Flow::Closed {
                let done = self.waiting(&mut meeting).done;
                self.e.jump(done);
                *waiting = meeting;
            }
        }
        self.e.enter(go);
        (self.mask, self.awake) = (before, awake);
    }
}

fn never_falls<E: Emit>(_: &mut Walk<'_, E>, _: &[Value]) {
    unreachable!("invariant exits: who leaves does not fall")
}
