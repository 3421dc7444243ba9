//! Loops inside a lane group.

use super::Walk;
use super::control::{Flow, Target};
use crate::emit::Emit;
use crate::ir::{End, Label, Region, Value};

impl<E: Emit> Walk<'_, E> {
    pub(super) fn repeat(&mut self, label: Label, params: &[Value], init: &[Value], body: &Region) -> Flow {
        let cells = self.cells(params);
        self.assign(params, &cells, init);
        if self.shapes.ragged.contains(&label) || self.loses_lanes(body) {
            return self.repeat_ragged(label, params, &cells, body);
        }
        let head = self.e.block();
        // A loop that nobody need stop goes back without a detour.
        let back = if self.f.bounded.contains(&label) { head } else { self.e.block() };
        self.e.jump(head);
        self.e.enter(head);
        let before = self.mask.clone();
        self.read(params, &cells);
        self.targets.insert(label, Target::Direct { block: back, params: cells, mask: None });
        let flow = self.region(body, &mut |_, _| unreachable!("invariant loops: a body does not fall"));
        self.targets.remove(&label);
        let on = (flow != Flow::Closed).then(|| self.e.block());
        if let Some(on) = on {
            self.e.jump(on);
        }
        if !self.f.bounded.contains(&label) {
            self.e.enter(back);
            self.poll(Some(label));
            self.e.jump(head);
        }
        self.mask = before;
        let Some(on) = on else { return Flow::Closed };
        self.e.enter(on);
        self.mask = Some(self.nobody());
        Flow::Idle
    }

    /// A loop that lanes leave at different times.
    fn repeat_ragged(&mut self, label: Label, params: &[Value], cells: &[E::Cell], body: &Region) -> Flow {
        if self.e.width() > 1 {
            self.f.done("mask", label, "lanes leave it in different turns, and wait for each other");
        }
        let (head, live) = (self.e.block(), self.mask_cell());
        let mask = self.mask_or_all();
        self.e.set(&live, &mask);
        self.e.jump(head);
        self.e.enter(head);
        self.mask = Some(self.e.get(&live));
        self.read(params, cells);
        let only = body.jumps(label) == 1;
        let together = only && matches!(&body.end, End::Jump(to, _) if *to == label);
        let mut arrived = None;
        let params = cells.to_vec();
        let target = if together {
            Target::Back { head, live: live.clone(), params }
        } else {
            arrived = Some(self.mask_cell());
            Target::Gather { params, arrived: arrived.clone(), only }
        };
        self.targets.insert(label, target);
        let mut flow = self.region(body, &mut |_, _| unreachable!("invariant loops: a body does not fall"));
        self.targets.remove(&label);
        if let Some(arrived) = arrived
            && flow != Flow::Closed
        {
            let next = self.e.get(&arrived);
            (self.mask, self.awake) = (Some(next), false);
            flow = self.go_back(label, head, &live);
        }
        if flow != Flow::Closed {
            self.mask = Some(self.nobody());
        }
        flow
    }

    /// Whoever is left goes back to the head of a loop.
    pub(super) fn go_back(&mut self, label: Label, head: E::Block, live: &E::Cell) -> Flow {
        let mask = self.mask_or_all();
        self.e.set(live, &mask);
        let on = (!self.awake).then(|| {
            let (again, on) = (self.e.block(), self.e.block());
            let any = self.any_lane(&mask);
            self.e.branch(any, again, on);
            self.e.enter(again);
            on
        });
        self.poll(Some(label));
        self.e.jump(head);
        let Some(on) = on else { return Flow::Closed };
        self.e.enter(on);
        Flow::Idle
    }

    /// Whether lanes may drop out of a loop for a label around it while others stay.
    fn loses_lanes(&self, body: &Region) -> bool {
        body.nodes.iter().any(|node| self.is_partial(node))
    }
}
