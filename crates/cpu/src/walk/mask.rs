//! Masks: which lanes of a group are active.

use super::Walk;
use crate::emit::{Emit, Lanes, Prim};
use crate::ir::{Binary, Ty, Unary};

impl<E: Emit> Walk<'_, E> {
    pub(super) fn not(&mut self, mask: Lanes<E::S, E::V>) -> Lanes<E::S, E::V> {
        let not = Prim::Unary(Unary::Not);
        match mask {
            Lanes::Same(scalar) => Lanes::Same(self.e.scalar(not, Ty::Bool, Ty::Bool, &[scalar])),
            each @ Lanes::Each(_) => Lanes::Each(self.e.vector(not, Ty::Bool, Ty::Bool, &[each])),
        }
    }

    /// Nobody, until it is set.
    pub(super) fn mask_cell(&mut self) -> E::Cell {
        let lanes = self.e.width() > 1;
        self.e.cell(Ty::Bool, lanes)
    }

    pub(super) fn nobody(&mut self) -> Lanes<E::S, E::V> {
        self.every(0)
    }

    fn every(&mut self, bits: u64) -> Lanes<E::S, E::V> {
        let scalar = self.e.constant(Ty::Bool, bits);
        if self.e.width() == 1 { Lanes::Same(scalar) } else { Lanes::Each(self.e.splat(Ty::Bool, scalar)) }
    }

    pub(super) fn mask_or_all(&mut self) -> Lanes<E::S, E::V> {
        match self.mask.clone() {
            Some(mask) => mask,
            None => self.every(1),
        }
    }

    pub(super) fn any_lane(&mut self, mask: &Lanes<E::S, E::V>) -> E::S {
        match mask {
            Lanes::Same(scalar) => *scalar,
            Lanes::Each(each) => self.e.any(each),
        }
    }

    pub(super) fn and(&mut self, mask: Option<&Lanes<E::S, E::V>>, side: Lanes<E::S, E::V>) -> Lanes<E::S, E::V> {
        match mask {
            None => side,
            Some(mask) => self.logic(Binary::And, mask, &side),
        }
    }

    pub(super) fn or(&mut self, a: &Lanes<E::S, E::V>, b: &Lanes<E::S, E::V>) -> Lanes<E::S, E::V> {
        self.logic(Binary::Or, a, b)
    }

    pub(super) fn logic(&mut self, op: Binary, a: &Lanes<E::S, E::V>, b: &Lanes<E::S, E::V>) -> Lanes<E::S, E::V> {
        match (a, b) {
            (Lanes::Same(a), Lanes::Same(b)) => Lanes::Same(self.binary(op, Ty::Bool, *a, *b)),
            _ => Lanes::Each(self.e.vector(Prim::Binary(op), Ty::Bool, Ty::Bool, &[a.clone(), b.clone()])),
        }
    }

    pub(super) fn all_lanes(&mut self, mask: &Lanes<E::S, E::V>) -> E::S {
        match mask {
            Lanes::Same(scalar) => *scalar,
            Lanes::Each(each) => self.e.all(each),
        }
    }
}
