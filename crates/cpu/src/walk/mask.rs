//! Masks: which lanes of a group do something.

use super::Walk;
use crate::emit::{Emit, Lanes, Prim};
use crate::ir::{Binary, Ty, Value};

impl<E: Emit> Walk<'_, E> {
    /// Lanes of a mask, if not all do it.
    pub(super) fn mask(&mut self, when: Option<Value>) -> Option<E::V> {
        when.map(|when| self.each(when))
    }

    pub(super) fn mask_or_all(&mut self, when: Option<Value>) -> E::V {
        self.mask(when).unwrap_or_else(|| {
            let all = self.e.constant(Ty::Bool, 1);
            self.e.splat(Ty::Bool, all)
        })
    }

    pub(super) fn and(&mut self, mask: Option<&E::V>, side: E::V) -> E::V {
        match mask {
            None => side,
            Some(mask) => {
                let sides = [Lanes::Each(mask.clone()), Lanes::Each(side)];
                self.e.vector(Prim::Binary(Binary::And), Ty::Bool, Ty::Bool, &sides)
            }
        }
    }
}
