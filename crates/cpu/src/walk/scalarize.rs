//! Scalarized loads ([`crate::passes`] says which): rows of memory whose words lanes want one by one, as indices, stay
//! where they are, and each is fetched when its lane has its turn.

use super::Walk;
use crate::emit::{Emit, Lanes};
use crate::ir::{Address, Binary, Op, Ty, Value};

/// An index of an address that is looked up lane by lane.
pub(super) enum Index<E: Emit> {
    Lanes(Lanes<E::S, E::V>),
    Row {
        pointer: E::S,
        /// The second of the two words that were fetched last.
        second: Option<E::S>,
        /// What is made of a word: from the first operation to the last, with these literals.
        steps: Vec<(Binary, Ty, u64)>,
    },
}

impl<E: Emit> Walk<'_, E> {
    /// Whether a value is left in memory, or made when a lane wants it.
    pub(super) fn set_apart(&mut self, value: Value) -> bool {
        if !self.f.scalarized.contains(&value) {
            return false;
        }
        if let Op::Load { at, .. } = self.f.op(value) {
            let pointer = self.place(at, self.f.ty(value), self.frame.rows[&value]);
            self.rows.insert(value, pointer);
        }
        true
    }

    /// The indices of an address, to be taken lane by lane.
    pub(super) fn indices(&mut self, at: &Address) -> Vec<Index<E>> {
        at.terms.iter().map(|term| self.index(term.index)).collect()
    }

    fn index(&mut self, value: Value) -> Index<E> {
        let (mut from, mut steps) = (value, Vec::new());
        while let (true, Op::Binary(op, a, b)) = (self.f.scalarized.contains(&from), self.f.op(from)) {
            let literal =
                self.f.constant(*b).unwrap_or_else(|| unreachable!("invariant scalarized: steps have a literal"));
            steps.push((*op, self.f.ty(from), literal));
            from = *a;
        }
        steps.reverse();
        match self.rows.get(&from) {
            Some(&pointer) => Index::Row { pointer, second: None, steps },
            _ => Index::Lanes(self.lanes(value)),
        }
    }

    /// The indices of one lane, from the first lane to the last.
    pub(super) fn lane_indices(&mut self, indices: &mut [Index<E>], lane: u32) -> Vec<E::S> {
        indices.iter_mut().map(|index| self.lane_index(index, lane)).collect()
    }

    fn lane_index(&mut self, index: &mut Index<E>, lane: u32) -> E::S {
        match index {
            Index::Lanes(lanes) => self.lane_of(Ty::U32, lanes, lane),
            Index::Row { pointer, second, steps } => {
                let word = second.take().unwrap_or_else(|| {
                    let offset = self.u64(u64::from(lane) * u64::from(Ty::U32.bytes()));
                    let at = self.add64(*pointer, offset);
                    let [word, other] = self.e.pair(at);
                    *second = Some(other);
                    word
                });
                steps.iter().fold(word, |word, &(op, ty, literal)| {
                    let literal = self.e.constant(ty, literal);
                    self.binary(op, ty, word, literal)
                })
            }
        }
    }
}
