//! Early exits: lanes that leave for a label while the others go on.

use super::Walk;
use super::control::{Flow, Target, Waiting};
use super::unswitch::{NAME, UNEVEN};
use crate::cost;
use crate::emit::{Emit, Lanes};
use crate::ir::{Binary, End, Exit, Label, Node, Op, Region, Value};

impl<E: Emit> Walk<'_, E> {
    /// Whether it is known that no lane of the workgroup takes an exit.
    pub(super) fn nobody_takes(&self, exit: &Exit<'_>) -> bool {
        self.facts.holds(exit.condition) == Some(!exit.holds)
    }

    /// Whether no lane of the group takes an exit, if one comparison can tell and what follows may be written twice.
    pub(super) fn all_stay(&mut self, exit: &Exit<'_>, rest: &[Node]) -> Option<E::S> {
        if self.twice || self.shapes.of(exit.condition).is_scalar() {
            return None;
        }
        if !brief(rest) {
            self.f.missed(NAME, exit.condition, "what follows has a loop, or is too long to be written twice");
            return None;
        }
        let sides = match *self.f.op(exit.condition) {
            Op::Binary(Binary::Ge, index, bound) if exit.holds => Some((index, bound)),
            Op::Binary(Binary::Lt, index, bound) if !exit.holds => Some((index, bound)),
            _ => None,
        };
        let grows = sides.and_then(|(index, bound)| Some((index, self.grows_to(index, bound)?, bound)));
        let Some((index, stride, bound)) = grows else {
            self.f.missed(NAME, exit.condition, UNEVEN);
            return None;
        };
        self.f.done(NAME, exit.condition, "the last lane decides for its lane group: no masks where none leaves");
        Some(self.last_below(index, stride, bound))
    }

    /// The rest in two forms: for lanes that all stay, and behind the exit.
    pub(super) fn whole_or_not(
        &mut self,
        stay: E::S,
        exit: &Exit<'_>,
        rest: &mut dyn FnMut(&mut Self) -> Flow,
    ) -> Flow {
        let (before, awake) = (self.mask.clone(), self.awake);
        let [whole, some, done] = [self.e.block(), self.e.cold_block(), self.e.block()];
        let after = self.mask_cell();
        self.twice = true;
        let mut flows = Vec::new();
        self.e.branch(stay, whole, some);
        for (block, all) in [(whole, true), (some, false)] {
            self.e.enter(block);
            (self.mask, self.awake) = (before.clone(), awake);
            let mut waiting = None;
            if !all {
                self.leave(exit, &mut waiting);
            }
            let flow = rest(self);
            let flow = waiting.map_or(flow, |waiting| self.meet(flow, &waiting));
            if flow == Flow::On {
                let mask = self.mask_or_all();
                self.e.set(&after, &mask);
            }
            if flow != Flow::Closed {
                self.e.jump(done);
            }
            flows.push(flow);
        }
        self.twice = false;
        if flows.iter().all(|&flow| flow == Flow::Closed) {
            return Flow::Closed;
        }
        self.e.enter(done);
        (self.mask, self.awake) = (Some(self.e.get(&after)), false);
        if flows.contains(&Flow::On) { Flow::On } else { Flow::Idle }
    }

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
        let going = self.and(&before, side.clone());
        let any = self.any_lane(&going);
        self.e.branch(any, away, go);
        self.e.enter(away);
        (self.mask, self.awake) = (Some(going), true);
        if self.region(exit.arm, &mut never_falls) != Flow::Closed {
            let others = self.not(side);
            let staying = self.and(&before, others);
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

/// Whether nodes are so few that they may be written twice.
fn brief(nodes: &[Node]) -> bool {
    fn room(nodes: &[Node], left: usize) -> Option<usize> {
        nodes.iter().try_fold(left, |left, node| match node {
            Node::Loop { .. } => None,
            node => node.regions().try_fold(left.checked_sub(1)?, |left, region| room(&region.nodes, left)),
        })
    }
    room(nodes, cost::EXIT_NODES).is_some()
}
