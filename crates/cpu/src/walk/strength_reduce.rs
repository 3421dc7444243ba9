//! Strength reduction of addresses: where indices were counted without wrapping around, a pointer for the workgroup's
//! first lane, and for each lane group one addition.

use super::Walk;
use crate::affine::{self, Even};
use crate::emit::Emit;
use crate::ir::{Address, Binary, Builtin, Lanes, Op, Shape, Term, Ty, Value};

impl<E: Emit> Walk<'_, E> {
    /// An index as a number that grows along the workgroup, if it was shown not to wrap in any lane that runs.
    fn even(&self, term: &Term) -> Option<Even> {
        let Some(Lanes::Even(shown)) = term.shown else { return None };
        let even = affine::even(self.f, term.index, &|value| self.shapes.of(value) == Shape::Uniform);
        even.filter(|_| u64::from(shown) >= self.here.lanes)
    }

    /// What a value is in the workgroup's first invocation.
    fn at_first(&mut self, value: Value) -> E::S {
        if self.shapes.of(value) == Shape::Uniform {
            return self.same(value);
        }
        match *self.f.op(value) {
            Op::Builtin(Builtin::LocalIndex | Builtin::LocalId(_)) => self.u32(0),
            Op::Binary(op, a, b) => {
                let (a, b) = (self.at_first(a), self.at_first(b));
                self.binary(op, self.f.ty(value), a, b)
            }
            Op::Convert(a) | Op::Bitcast(a) => self.at_first(a),
            _ => unreachable!("invariant affine: {value} grows evenly"),
        }
    }

    /// The pointer for the first lane of the group.
    pub(super) fn first_pointer(&mut self, at: &Address, indices: &[E::S]) -> E::S {
        let evens: Vec<Option<Even>> = at.terms.iter().map(|term| self.even(term)).collect();
        if evens.is_empty() || evens.iter().any(Option::is_none) {
            return self.pointer(at, indices);
        }
        let (mut pointer, unit) = (self.start(at.memory), self.unit(at));
        let (mut steps, mut offset) = (0, u64::from(at.offset) * unit);
        for (term, even) in at.terms.iter().zip(evens.into_iter().flatten()) {
            let bytes = u64::from(term.stride) * unit;
            steps += u64::from(even.step) * bytes;
            offset += u64::from(even.ahead) * bytes;
            let (start, bytes) = (self.at_first(even.root), self.u64(bytes));
            let start = self.widen(start);
            let ahead = self.binary(Binary::Mul, Ty::U64, start, bytes);
            pointer = self.add64(pointer, ahead);
        }
        let first = self.first();
        let (first, steps, offset) = (self.widen(first), self.u64(steps), self.u64(offset));
        let bytes = self.binary(Binary::Mul, Ty::U64, first, steps);
        let pointer = self.add64(pointer, bytes);
        self.add64(pointer, offset)
    }

    /// Whether such a place is in memory that nobody writes. Its pointer is another for each lane group, and so is not
    /// made before the questions.
    pub(super) fn is_fixed(&self, at: &Address) -> bool {
        let evens: Vec<Option<Even>> = at.terms.iter().map(|term| self.even(term)).collect();
        let moves = evens.iter().flatten().any(|even| even.step > 0);
        moves && evens.iter().all(Option::is_some) && !self.f.memories[at.memory.index()].is_written()
    }
}
