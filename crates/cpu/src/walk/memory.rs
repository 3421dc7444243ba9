//! Loads, stores and atomics: every access inside its memory, by construction.
//!
//! Addresses that step evenly along the lanes are checked once for the whole group
//! ([`super::strided`]); elsewhere each lane's pointer is ([`super::pointer`]).

use super::choice::Second;
use super::way::Way;
use super::{Rep, Walk};
use crate::divergence::Shape;
use crate::emit::{Emit, Lanes};
use crate::ir::{Address, Binary, Memory, Node, Ty, Value, is_gathered};

const UNEVEN: &str = "lane by lane, for the places do not lie evenly along the lanes";
const AT_ONCE: &str = "one instruction for all lanes, for their places do not lie evenly";

impl<E: Emit> Walk<'_, E> {
    /// Stores that fill all of an invocation's memory with zeros are done at once, line by line; how many
    /// nodes they are.
    pub(super) fn cleared(&mut self, nodes: &[Node]) -> usize {
        let Some(Node::Store { at, .. }) = nodes.first() else { return 0 };
        let memory = at.memory;
        let Memory::Private { slots, slot_bytes } = self.f.memories[memory.index()] else { return 0 };
        let clears = |(slot, node): (u32, &Node)| match node {
            Node::Store { at, value, when: None } => {
                at.memory == memory && at.offset == slot && at.terms.is_empty() && self.f.constant(*value) == Some(0)
            }
            Node::Store { when: Some(_), .. }
            | Node::Let(_)
            | Node::Barrier
            | Node::Group(_)
            | Node::If { .. }
            | Node::Block { .. }
            | Node::Loop { .. } => false,
        };
        if (0..slots).zip(nodes).take_while(|at| clears(*at)).count() != slots as usize {
            return 0;
        }
        let (start, width) = (self.start(memory), u64::from(self.e.width()));
        let bytes = u64::from(slots) * u64::from(slot_bytes) * width;
        self.zero_at(start, bytes);
        slots as usize
    }

    pub(super) fn load(&mut self, value: Value, at: &Address) -> Rep<E> {
        let ty = self.f.ty(value);
        match self.way(at) {
            Way::Same => Rep::Scalar(self.load_same(at, &[(0, ty)])[0]),
            Way::Slot => {
                let indices = self.first_indices(at);
                let pointer = self.source(at, &indices);
                match self.shapes.of(value) {
                    Shape::Varying => Rep::Each(self.e.load_lanes(ty, pointer)),
                    Shape::Uniform | Shape::Linear(_) => Rep::Scalar(self.e.load(ty, pointer)),
                }
            }
            Way::Strided(along) => Rep::Each(self.load_strided(at, along, &[(0, ty)]).remove(0)),
            Way::Scattered if self.e.gathers() && is_gathered(ty) => {
                self.f.done("gather", value, AT_ONCE);
                Rep::Each(self.gathered(at, ty))
            }
            Way::Scattered => {
                self.f.done("gather", value, UNEVEN);
                let mut indices = self.indices(at);
                let lanes: Vec<E::S> = (0..self.e.width())
                    .map(|lane| {
                        let indices = self.lane_indices(&mut indices, lane);
                        let pointer = self.source(at, &indices);
                        let pointer = self.beside(at, ty, pointer, lane);
                        self.e.load(ty, pointer)
                    })
                    .collect();
                Rep::Each(self.e.pack(ty, &lanes))
            }
        }
    }

    /// Scalars, each so many bytes further. A branch that is taken as foreseen costs less than a
    /// choice between pointers, for which the loads would have to wait.
    pub(super) fn load_same(&mut self, at: &Address, words: &[(u32, Ty)]) -> Vec<E::S> {
        let indices = self.first_indices(at);
        let Some(inside) = self.inside(at, &indices, |_| 0) else { return self.load_each(at, &indices, words) };
        if let (&[index], &[(0, ty @ Ty::F32)], [term]) = (&indices[..], words, &at.terms[..])
            && u64::from(term.stride) * self.unit(at) == u64::from(ty.bytes())
        {
            return vec![self.load_or_zero(at, index, inside, ty)];
        }
        let cells: Vec<E::Cell> = words.iter().map(|&(_, ty)| self.e.cell(ty, false)).collect();
        let fast = |this: &mut Self| {
            let scalars = this.load_each(at, &indices, words);
            for (cell, scalar) in cells.iter().zip(scalars) {
                this.e.set(cell, &Lanes::Same(scalar));
            }
        };
        self.either(inside, Second::Seldom, fast, |this| {
            for (cell, &(_, ty)) in cells.iter().zip(words) {
                let zero = this.e.constant(ty, 0);
                this.e.set(cell, &Lanes::Same(zero));
            }
        });
        cells.iter().map(|cell| self.get_same(cell)).collect()
    }

    /// An index that is outside becomes that of a zero, elsewhere: so one load serves both, and can be a part of
    /// whatever wants it.
    fn load_or_zero(&mut self, at: &Address, index: E::S, inside: E::S, ty: Ty) -> E::S {
        let (wide, cell) = (self.widen(index), self.e.cell(Ty::U64, false));
        let (start, offset) = (self.start(at.memory), self.u64(u64::from(at.offset) * self.unit(at)));
        let base = self.add64(start, offset);
        let size = self.u64(ty.bytes().into());
        self.e.set(&cell, &Lanes::Same(wide));
        self.unless(inside, |this| {
            // Rounded up, should the memory not begin at a multiple of a word: there are more zeros behind the first.
            let (zeros, up) = (this.zeros(), this.u64(u64::from(ty.bytes()) - 1));
            let last = this.add64(zeros, up);
            let distance = this.binary(Binary::Sub, Ty::I64, last, base);
            let by = this.u32(ty.bytes().trailing_zeros());
            let steps = this.binary(Binary::Shr, Ty::I64, distance, by);
            this.e.set(&cell, &Lanes::Same(steps));
        });
        let steps = self.get_same(&cell);
        let bytes = self.binary(Binary::Mul, Ty::U64, steps, size);
        let place = self.add64(base, bytes);
        self.e.load(ty, place)
    }

    fn load_each(&mut self, at: &Address, indices: &[E::S], words: &[(u32, Ty)]) -> Vec<E::S> {
        let pointer = self.first_pointer(at, indices);
        let load = |&(ahead, ty): &(u32, Ty)| {
            let place = self.ahead(pointer, ahead);
            self.e.load(ty, place)
        };
        words.iter().map(load).collect()
    }

    /// In the lanes of a mask, or in all.
    pub(super) fn store(&mut self, at: &Address, value: Value, when: Option<Value>) {
        let ty = self.f.ty(value);
        match self.way(at) {
            Way::Same if [value].into_iter().chain(when).all(|operand| self.shapes.of(operand).is_scalar()) => {
                self.store_same(at, value, when);
            }
            Way::Slot if self.e.width() > 1 => {
                let (indices, mut each) = (self.first_indices(at), self.each(value));
                let pointer = self.target(at, &indices, None);
                if let Some(mask) = self.mask(when) {
                    let old = self.e.load_lanes(ty, pointer);
                    each = self.over(ty, &mask, each, old);
                }
                self.e.store_lanes(ty, pointer, &each);
            }
            Way::Strided(along) => self.store_strided(at, along, &[(0, ty)], &[value], when),
            Way::Scattered if self.e.gathers() && is_gathered(ty) => {
                if let Some(term) = at.terms.iter().find(|term| self.shapes.of(term.index) == Shape::Varying) {
                    self.f.done("scatter", term.index, AT_ONCE);
                }
                self.scattered(at, value, when);
            }
            Way::Same | Way::Slot | Way::Scattered => {
                if let Some(term) = at.terms.iter().find(|term| self.shapes.of(term.index) == Shape::Varying) {
                    self.f.done("scatter", term.index, UNEVEN);
                }
                let mut indices = self.indices(at);
                let (value, mask) = (self.lanes(value), when.map(|when| self.lanes(when)));
                for lane in 0..self.e.width() {
                    let indices = self.lane_indices(&mut indices, lane);
                    let active = mask.as_ref().map(|mask| self.lane_of(Ty::Bool, mask, lane));
                    let pointer = self.target(at, &indices, active);
                    let pointer = self.beside(at, ty, pointer, lane);
                    let scalar = self.lane_of(ty, &value, lane);
                    self.e.store(ty, pointer, scalar);
                }
            }
        }
    }

    /// One number at one place. Where a condition does not hold, it goes to a place that nobody reads.
    fn store_same(&mut self, at: &Address, value: Value, when: Option<Value>) {
        let (ty, indices, scalar) = (self.f.ty(value), self.first_indices(at), self.same(value));
        if let Some(when) = when {
            let when = self.same(when);
            let pointer = self.target(at, &indices, Some(when));
            return self.e.store(ty, pointer, scalar);
        }
        let write = |this: &mut Self| {
            let pointer = this.first_pointer(at, &indices);
            this.e.store(ty, pointer, scalar);
        };
        match self.inside(at, &indices, |_| 0) {
            Some(inside) => self.only_if(inside, write),
            None => write(self),
        }
    }
}
