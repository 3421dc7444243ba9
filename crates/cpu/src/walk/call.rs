//! Functions that are called, by the lanes of one group at a time.
//!
//! Arguments and results lie in memory of the lanes, as the form says. The mask of those that call
//! is left next to it. A function that is stopped gives a number other than zero, and so do those
//! that called it.

use super::control::Flow;
use super::frame::Frame;
use super::{Rep, Walk, begin};
use crate::divergence::Shapes;
use crate::emit::{Emit, Lanes, Prim};
use crate::ir::{End, Function, Ty};
use crate::range::Ranges;

/// Writes the code of a function that is called.
pub(crate) fn callee<E: Emit>(f: &Function, shapes: &Shapes, ranges: &Ranges, frame: &Frame, e: E) -> E {
    let mut walk = begin(f, shapes, ranges, frame, e);
    walk.scratch = walk.e.argument(1);
    walk.base = walk.scratch;
    let first = walk.e.argument(2);
    walk.first = Some(walk.e.scalar(Prim::Convert(Ty::U64), Ty::U32, Ty::U64, &[first]));
    // Nobody calls for no lane, so that a lane by itself is active.
    if walk.e.width() > 1 {
        let at = walk.in_scratch(frame.flags);
        walk.mask = Some(Lanes::Each(walk.recall_lanes(Ty::Bool, at)));
    }
    if walk.nodes(&f.body.nodes, &End::default(), &mut |_, _| ()) != Flow::Closed {
        let over = walk.u64(0);
        walk.e.give(over);
    }
    walk.e.enter(walk.exit);
    let stopped = walk.u64(1);
    walk.e.give(stopped);
    walk.e
}

impl<E: Emit> Walk<'_, E> {
    /// Calls a function for the lanes that are active, if there are any.
    pub(super) fn run(&mut self, callee: u32) -> Rep<E> {
        self.if_any(|this| {
            // A tree of calls need not have a loop to take long.
            this.poll(None);
            if this.e.width() > 1 {
                let (mask, at) = (this.mask_or_all(), this.in_scratch(this.frame.flags));
                let Lanes::Each(each) = mask else { unreachable!("invariant masks: one for each of several lanes") };
                this.keep_lanes(Ty::Bool, at, &each);
            }
            let first = this.first.expect("invariant groups: functions are called inside a group");
            let first = this.widen(first);
            let status = this.e.run(callee, [this.context, this.scratch, first]);
            let zero = this.u64(0);
            let stopped = this.binary(crate::ir::Binary::Ne, Ty::U64, status, zero);
            let on = this.e.block();
            this.e.branch(stopped, this.exit, on);
            this.e.enter(on);
        });
        Rep::Scalar(self.u32(0))
    }
}
