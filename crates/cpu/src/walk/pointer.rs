//! Pointers that lie inside their memory, whatever the indices are: outside it is zeros that are read, and a sink that
//! is written. An index that cannot leave its bound ([`crate::range`]) is not checked at all.

use super::Walk;
use crate::emit::{Emit, Lanes, Prim};
use crate::ir::{Address, Binary, Bound, Memory, Op, Ty, Value};

impl<E: Emit> Walk<'_, E> {
    /// The pointer, for indices given one by one.
    pub(super) fn pointer(&mut self, at: &Address, indices: &[E::S]) -> E::S {
        let unit = self.unit(at);
        let mut pointer = self.start(at.memory);
        let mut offset = u64::from(at.offset) * unit;
        let mut terms = Vec::with_capacity(indices.len());
        for (term, &index) in at.terms.iter().zip(indices) {
            let stride = u64::from(term.stride) * unit;
            let (value, index, ahead) = self.without_step(term.index, index);
            offset += ahead * stride;
            terms.push((value, index, stride));
        }
        // What was made early stays the same for longer: added first, it leaves loops.
        terms.sort_by_key(|&(value, ..)| value);
        for (_, index, stride) in terms {
            let (index, stride) = (self.widen(index), self.u64(stride));
            let bytes = self.binary(Binary::Mul, Ty::U64, index, stride);
            pointer = self.add64(pointer, bytes);
        }
        let offset = self.u64(offset);
        self.add64(pointer, offset)
    }

    /// An index that is another plus a literal, which cannot wrap, as that other: neighbours then
    /// share a pointer.
    fn without_step(&mut self, value: Value, index: E::S) -> (Value, E::S, u64) {
        let whole = (value, index, 0);
        let Op::Binary(Binary::Add, a, b) = *self.f.op(value) else { return whole };
        let (true, Some(step)) = (self.shapes.of(value).is_scalar(), self.f.constant(b)) else { return whole };
        let fits = self.ranges.high(a).is_some_and(|high| high + step <= u32::MAX.into());
        let ready = match self.f.op(a) {
            Op::Builtin(_) => Some(self.same(a)),
            _ => self.ready(a),
        };
        match ready.filter(|_| fits) {
            Some(base) => (a, base, step),
            None => whole,
        }
    }

    /// Whether indices, and those `ahead` of them, are within their bounds; `None`: always.
    pub(super) fn inside(&mut self, at: &Address, indices: &[E::S], ahead: impl Fn(usize) -> u32) -> Option<E::S> {
        let mut inside = None;
        for (i, term) in at.terms.iter().enumerate() {
            let bound = match term.bound {
                _ if self.is_within(term) => continue,
                Bound::Const(n) => self.u64(n.into()),
                Bound::Length { buffer } => self.buffers[&buffer].1,
            };
            let mut index = self.widen(indices[i]);
            if ahead(i) > 0 {
                let ahead = self.u64(ahead(i).into());
                index = self.add64(index, ahead);
            }
            let within = self.binary(Binary::Lt, Ty::U64, index, bound);
            inside = Some(inside.map_or(within, |all| self.binary(Binary::And, Ty::Bool, all, within)));
        }
        inside
    }

    pub(super) fn or_else(&mut self, inside: Option<E::S>, pointer: E::S, other: E::S) -> E::S {
        inside.map_or(pointer, |inside| self.e.scalar(Prim::Select, Ty::U64, Ty::Bool, &[inside, pointer, other]))
    }

    /// Where to read one scalar, or lanes of private memory.
    pub(super) fn source(&mut self, at: &Address, indices: &[E::S]) -> E::S {
        let inside = self.inside(at, indices, |_| 0);
        let pointer = self.pointer(at, indices);
        let zeros = self.zeros();
        self.or_else(inside, pointer, zeros)
    }

    /// Where to write, if all of `also` holds.
    pub(super) fn target(&mut self, at: &Address, indices: &[E::S], also: Option<E::S>) -> E::S {
        let inside = self.inside(at, indices, |_| 0);
        let acts = self.both_of(inside, also);
        let pointer = self.pointer(at, indices);
        let sink = self.sink();
        self.or_else(acts, pointer, sink)
    }

    pub(super) fn both_of(&mut self, a: Option<E::S>, b: Option<E::S>) -> Option<E::S> {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.binary(Binary::And, Ty::Bool, a, b)),
            (one, other) => one.or(other),
        }
    }

    pub(super) fn zeros(&mut self) -> E::S {
        let offset = self.u64(self.frame.zeros);
        self.add64(self.constants, offset)
    }

    pub(super) fn sink(&mut self) -> E::S {
        self.in_scratch(self.frame.sink)
    }

    /// The scalars of an address's indices: the first lane's.
    pub(super) fn first_indices(&mut self, at: &Address) -> Vec<E::S> {
        at.terms.iter().map(|term| self.same(term.index)).collect()
    }

    pub(super) fn lane_of(&mut self, ty: Ty, value: &Lanes<E::S, E::V>, lane: u32) -> E::S {
        match value {
            Lanes::Same(scalar) => *scalar,
            Lanes::Each(each) => self.e.lane(ty, each, lane),
        }
    }

    /// Lanes of private memory lie side by side in a slot.
    pub(super) fn beside(&mut self, at: &Address, ty: Ty, pointer: E::S, lane: u32) -> E::S {
        if !matches!(self.f.memories[at.memory.index()], Memory::Private { .. }) {
            return pointer;
        }
        let offset = self.u64(u64::from(lane) * u64::from(ty.bytes()));
        self.add64(pointer, offset)
    }

    pub(super) fn ahead(&mut self, pointer: E::S, bytes: u32) -> E::S {
        if bytes == 0 {
            return pointer;
        }
        let bytes = self.u64(bytes.into());
        self.add64(pointer, bytes)
    }

    pub(super) fn nth(&mut self, start: E::S, lane: E::S, bytes: u32) -> E::S {
        let (lane, bytes) = (self.widen(lane), self.u64(bytes.into()));
        let offset = self.binary(Binary::Mul, Ty::U64, lane, bytes);
        self.add64(start, offset)
    }
}
