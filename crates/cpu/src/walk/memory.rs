//! Loads, stores and atomics: every access inside its memory, by construction.
//!
//! Addresses that step evenly along the lanes are checked once for the whole group
//! ([`super::strided`]). Elsewhere each lane's pointer is replaced where it would lie
//! outside: by zeros for reads, by a sink for writes. An index that cannot leave its bound
//! ([`crate::range`]) is not checked at all.

use super::gather::is_gathered;
use super::strided::Strided;
use super::{Rep, Walk};
use crate::cost;
use crate::divergence::Shape;
use crate::emit::{Emit, Lanes, Prim};
use crate::ir::{Address, Binary, Bound, Memory, Node, Op, Term, Ty, Value};

const UNEVEN: &str = "lane by lane, for the places do not lie evenly along the lanes";
const AT_ONCE: &str = "one instruction for all lanes, for their places do not lie evenly";

/// How an address lies across the lanes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Way {
    /// One place for all lanes.
    Same,
    /// Lane after lane, evenly apart.
    Strided(Strided),
    /// Private memory at one slot: lane after lane.
    Slot,
    Scattered,
}

impl<E: Emit> Walk<'_, E> {
    pub(super) fn way(&self, at: &Address) -> Way {
        let memory = &self.f.memories[at.memory.index()];
        let shape = |value: Value| self.shapes.of(value);
        let moving: Vec<usize> = (0..at.terms.len()).filter(|&i| !shape(at.terms[i].index).is_scalar()).collect();
        match (moving.as_slice(), memory) {
            ([], Memory::Private { .. }) => Way::Slot,
            ([], _) => Way::Same,
            (_, Memory::Private { .. }) => Way::Scattered,
            (&[moving], _) => {
                let term = at.terms[moving];
                let Shape::Linear(stride @ 1..) = shape(term.index) else { return Way::Scattered };
                let step = stride.saturating_mul(i64::from(term.stride)).saturating_mul(self.unit(at) as i64);
                match (u32::try_from(stride), u32::try_from(step)) {
                    (Ok(stride), Ok(step)) if step < cost::ELEMENT_BYTES => {
                        Way::Strided(Strided { moving, stride, step })
                    }
                    _ => Way::Scattered,
                }
            }
            _ => Way::Scattered,
        }
    }

    /// Whether lanes lie side by side, so many bytes each, and never leave their bounds.
    pub(super) fn is_row(&self, at: &Address, bytes: u32) -> bool {
        let lies = matches!(self.way(at), Way::Strided(along) if along.step == bytes);
        lies && self.e.width() > 1 && at.terms.iter().all(|term| self.is_within(term))
    }

    /// Whether an index cannot leave its bound.
    pub(super) fn is_within(&self, term: &Term) -> bool {
        self.ranges.is_within(term, self.shapes.of(term.index), self.lanes)
    }

    /// Bytes that one of an address's offset counts.
    pub(super) fn unit(&self, at: &Address) -> u64 {
        match self.f.memories[at.memory.index()] {
            Memory::Buffer { .. } | Memory::Workgroup { .. } => 1,
            Memory::Private { slot_bytes, .. } => u64::from(slot_bytes) * u64::from(self.e.width()),
            Memory::Constants { ty, .. } => ty.bytes().into(),
        }
    }

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

    fn zeros(&mut self) -> E::S {
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
    fn beside(&mut self, at: &Address, ty: Ty, pointer: E::S, lane: u32) -> E::S {
        if !matches!(self.f.memories[at.memory.index()], Memory::Private { .. }) {
            return pointer;
        }
        let offset = self.u64(u64::from(lane) * u64::from(ty.bytes()));
        self.add64(pointer, offset)
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
        let (fast, slow, on) = (self.e.block(), self.e.cold_block(), self.e.block());
        self.e.branch(inside, fast, slow);
        self.e.enter(fast);
        let scalars = self.load_each(at, &indices, words);
        for (cell, scalar) in cells.iter().zip(scalars) {
            self.e.set(cell, &Lanes::Same(scalar));
        }
        self.e.jump(on);
        self.e.enter(slow);
        for (cell, &(_, ty)) in cells.iter().zip(words) {
            let zero = self.e.constant(ty, 0);
            self.e.set(cell, &Lanes::Same(zero));
        }
        self.e.jump(on);
        self.e.enter(on);
        cells.iter().map(|cell| self.get_same(cell)).collect()
    }

    /// An index that is outside becomes that of a zero, elsewhere: so one load serves both, and can be a part of
    /// whatever wants it.
    fn load_or_zero(&mut self, at: &Address, index: E::S, inside: E::S, ty: Ty) -> E::S {
        let (slow, on) = (self.e.cold_block(), self.e.block());
        let (wide, cell) = (self.widen(index), self.e.cell(Ty::U64, false));
        let (start, offset) = (self.start(at.memory), self.u64(u64::from(at.offset) * self.unit(at)));
        let base = self.add64(start, offset);
        let size = self.u64(ty.bytes().into());
        self.e.set(&cell, &Lanes::Same(wide));
        self.e.branch(inside, on, slow);
        self.e.enter(slow);
        // Rounded up, should the memory not begin at a multiple of a word: there are more zeros behind the first.
        let (zeros, up) = (self.zeros(), self.u64(u64::from(ty.bytes()) - 1));
        let last = self.add64(zeros, up);
        let distance = self.binary(Binary::Sub, Ty::I64, last, base);
        let by = self.u32(ty.bytes().trailing_zeros());
        let steps = self.binary(Binary::Shr, Ty::I64, distance, by);
        self.e.set(&cell, &Lanes::Same(steps));
        self.e.jump(on);
        self.e.enter(on);
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

    pub(super) fn ahead(&mut self, pointer: E::S, bytes: u32) -> E::S {
        if bytes == 0 {
            return pointer;
        }
        let bytes = self.u64(bytes.into());
        self.add64(pointer, bytes)
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
        let on = self.inside(at, &indices, |_| 0).map(|inside| {
            let (here, on) = (self.e.block(), self.e.block());
            self.e.branch(inside, here, on);
            self.e.enter(here);
            on
        });
        let pointer = self.first_pointer(at, &indices);
        self.e.store(ty, pointer, scalar);
        if let Some(on) = on {
            self.e.jump(on);
            self.e.enter(on);
        }
    }
}
