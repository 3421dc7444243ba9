//! Loops that count.

use std::ops::Range;

use super::Walk;
use crate::cost;
use crate::emit::{Emit, Lanes};
use crate::helpers::LINE;
use crate::ir::{Binary, Ty};

/// What is known of a loop that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turns {
    /// It turns at least once.
    Some,
    /// The same, where code seldom comes.
    Rare,
    /// It may not turn at all.
    Any,
}

impl<E: Emit> Walk<'_, E> {
    /// Runs code with a number, and goes on with a greater one as long as it is inside the range.
    /// The code says how far on the next is.
    pub(super) fn count(
        &mut self,
        ty: Ty,
        range: Range<E::S>,
        turns: Turns,
        code: impl FnOnce(&mut Self, E::S) -> E::S,
    ) {
        let cell = self.e.cell(ty, false);
        let [head, on] = [(); 2].map(|()| if turns == Turns::Rare { self.e.cold_block() } else { self.e.block() });
        self.e.set(&cell, &Lanes::Same(range.start));
        if turns == Turns::Any {
            let any = self.binary(Binary::Lt, ty, range.start, range.end);
            self.e.branch(any, head, on);
        } else {
            self.e.jump(head);
        }
        self.e.enter(head);
        let here = self.get_same(&cell);
        let by = code(self, here);
        let here = self.get_same(&cell);
        let next = self.binary(Binary::Add, ty, here, by);
        self.e.set(&cell, &Lanes::Same(next));
        let more = self.binary(Binary::Lt, ty, next, range.end);
        self.e.branch(more, head, on);
        self.e.enter(on);
    }

    /// Fills an area of scratch memory with zeros, to the end of its last line.
    pub(super) fn zero(&mut self, start: u64, bytes: u64) {
        let start = self.in_scratch(start);
        self.zero_at(start, bytes);
    }

    /// The same from a pointer on, which is the start of a line.
    pub(super) fn zero_at(&mut self, start: E::S, bytes: u64) {
        if bytes <= cost::ZERO_LINES * LINE {
            for line in (0..bytes).step_by(LINE as usize) {
                let offset = self.u64(line);
                let at = self.add64(start, offset);
                self.e.zero(at);
            }
            return;
        }
        let bytes = self.u64(bytes.next_multiple_of(LINE));
        let end = self.add64(start, bytes);
        self.count(Ty::U64, start..end, Turns::Some, |this, at| {
            this.e.zero(at);
            this.u64(LINE)
        });
    }
}
