//! The loop over the workgroups of a call.

use super::Walk;
use super::control::Flow;
use crate::emit::{Emit, Lanes, Prim};
use crate::ir::{Binary, Ty};

impl<E: Emit> Walk<'_, E> {
    /// For every workgroup of the call: its ids, then its program.
    pub(super) fn grid_loop(&mut self) {
        let (first, count) = (self.e.argument(1), self.e.argument(2));
        let end = self.add64(first, count);
        let [x, y, _] = self.grid.map(|n| self.widen(n));
        let row = self.binary(Binary::Div, Ty::U64, first, x);
        let ids = [
            self.binary(Binary::Rem, Ty::U64, first, x),
            self.binary(Binary::Rem, Ty::U64, row, y),
            self.binary(Binary::Div, Ty::U64, row, y),
        ];
        let at = self.e.cell(Ty::U64, false);
        self.e.set(&at, &Lanes::Same(first));
        let cells = ids.map(|id| {
            let cell = self.e.cell(Ty::U32, false);
            let id = self.e.scalar(Prim::Convert(Ty::U64), Ty::U32, Ty::U64, &[id]);
            self.e.set(&cell, &Lanes::Same(id));
            cell
        });
        let (head, body) = (self.e.block(), self.e.block());
        self.e.jump(head);
        self.e.enter(head);
        let linear = self.get_same(&at);
        let more = self.binary(Binary::Lt, Ty::U64, linear, end);
        self.e.branch(more, body, self.exit);
        self.e.enter(body);
        self.here.workgroup = [0, 1, 2].map(|d| self.get_same(&cells[d]));
        self.poll(None);
        let done = self.batch(linear, end);
        self.workgroup_body();
        let (linear, wide) = (self.get_same(&at), self.widen(done));
        let next = self.add64(linear, wide);
        self.e.set(&at, &Lanes::Same(next));
        self.next_workgroup(&cells, done);
        self.e.jump(head);
    }

    /// How many workgroups are taken together from the current one on: no more than are left, or than its row has.
    fn batch(&mut self, linear: E::S, end: E::S) -> E::S {
        if self.f.tile <= 1 {
            return self.u32(1);
        }
        let left = self.binary(Binary::Sub, Ty::U64, end, linear);
        let here = self.binary(Binary::Sub, Ty::U32, self.grid[0], self.here.workgroup[0]);
        let (here, most) = (self.widen(here), self.u64(self.f.tile.into()));
        let count = self.binary(Binary::Min, Ty::U64, left, here);
        let count = self.binary(Binary::Min, Ty::U64, count, most);
        let count = self.e.scalar(Prim::Convert(Ty::U64), Ty::U32, Ty::U64, &[count]);
        self.together = Some(count);
        count
    }

    /// The program of a workgroup.
    fn workgroup_body(&mut self) {
        let f = self.f;
        if self.region(&f.body, &mut |_, _| ()) == Flow::Closed {
            let nowhere = self.e.block();
            self.e.enter(nowhere);
        }
    }

    /// Counts on, with a carry into the next dimension where one is full.
    fn next_workgroup(&mut self, ids: &[E::Cell; 3], by: E::S) {
        let (mut carry, zero) = (by, self.u32(0));
        for (cell, size) in ids.iter().zip(self.grid) {
            let id = self.get_same(cell);
            let next = self.binary(Binary::Add, Ty::U32, id, carry);
            let full = self.binary(Binary::Eq, Ty::U32, next, size);
            let id = self.e.scalar(Prim::Select, Ty::U32, Ty::Bool, &[full, zero, next]);
            self.e.set(cell, &Lanes::Same(id));
            carry = self.e.scalar(Prim::Convert(Ty::Bool), Ty::U32, Ty::Bool, &[full]);
        }
    }
}
