//! Functions that are called, by the lanes of one group at a time.
//!
//! Arguments and results lie in memory of the lanes, as the form says. The mask of those that call
//! is left next to it. A function that is stopped gives a number other than zero, and so do those
//! that called it.

use super::control::Flow;
use super::frame::Frame;
use super::{Rep, Walk, begin};
use crate::divergence::Shapes;
use crate::emit::{Emit, Prim};
use crate::ir::{Function, Ty, Value};
use crate::range::Ranges;

/// Writes the code of a function that is called.
pub(crate) fn callee<E: Emit>(f: &Function, shapes: &Shapes, ranges: &Ranges, frame: &Frame, e: E) -> E {
    let mut walk = begin(f, shapes, ranges, frame, e);
    walk.base = walk.e.argument(1);
    walk.here.scratch = walk.base;
    let first = walk.e.argument(2);
    walk.here.first = Some(walk.e.scalar(Prim::Convert(Ty::U64), Ty::U32, Ty::U64, &[first]));
    if walk.region(&f.body, &mut |_, _| ()) == Flow::On {
        let over = walk.u64(0);
        walk.e.give(over);
    }
    walk.e.enter(walk.exit);
    let stopped = walk.u64(1);
    walk.e.give(stopped);
    walk.e
}

impl<E: Emit> Walk<'_, E> {
    /// Calls a function for the lanes of a mask, of which there are some.
    pub(super) fn run(&mut self, callee: u32, when: Option<Value>) -> Rep<E> {
        // A tree of calls need not have a loop to take long.
        self.poll(None);
        if self.e.width() > 1 {
            let (mask, at) = (self.mask_or_all(when), self.in_scratch(self.frame.flags));
            self.keep_lanes(Ty::Bool, at, &mask);
        }
        let first = self.widen(self.first());
        let status = self.e.run(callee, [self.context, self.here.scratch, first]);
        let zero = self.u64(0);
        let stopped = self.binary(crate::ir::Binary::Ne, Ty::U64, status, zero);
        let on = self.e.block();
        self.e.branch(stopped, self.exit, on);
        self.e.enter(on);
        Rep::Scalar(self.u32(0))
    }

    /// The lanes that call this function, as it finds them when it begins.
    pub(super) fn callers(&mut self) -> Rep<E> {
        let at = self.in_scratch(self.frame.flags);
        Rep::Each(self.recall_lanes(Ty::Bool, at))
    }
}
