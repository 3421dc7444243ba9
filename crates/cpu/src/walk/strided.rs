//! Strided and interleaved accesses: places that step evenly along the lanes, with one check for the lane group, and a
//! loop over its lanes as a cold path.
//!
//! What neighbouring nodes do with words of one element, such as the components of a vector, is
//! done at once: an element's words lie side by side in memory, where the lanes of one word do not.

use super::control::Flow;
use super::memory::Way;
use super::value::kept;
use super::{Rep, Walk, count};
use crate::cost;
use crate::emit::{Emit, Lanes, Prim};
use crate::ir::{Address, Binary, Memory, Node, Op, Ty, Value};

/// How an address moves along the lanes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Strided {
    /// The term that moves, and by how much.
    pub(super) moving: usize,
    pub(super) stride: u32,
    /// Bytes from lane to lane.
    pub(super) step: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Does {
    Load,
    /// In the lanes of a mask, or in all.
    Store {
        when: Option<Value>,
    },
}

/// Words of one element that neighbouring nodes read, or that they write.
pub(super) struct Element {
    /// The place of the first in memory.
    at: Address,
    /// Bytes from there, and types.
    words: Vec<(u32, Ty)>,
    values: Vec<Value>,
    does: Does,
}

impl Element {
    pub(super) fn nodes(&self) -> usize {
        self.values.len()
    }

    /// Takes one more, if it is of the same element, within reach of the others.
    fn take(&mut self, at: &Address, (value, ty): (Value, Ty), does: Does, reach: u32) -> bool {
        let first = self.at.offset.min(at.offset);
        let words = self.words.iter().map(|&(ahead, ty)| (self.at.offset + ahead - first, ty));
        let words: Vec<(u32, Ty)> = words.chain([(at.offset - first, ty)]).collect();
        let again = self.words.iter().any(|&(ahead, _)| self.at.offset + ahead == at.offset);
        let same = does == self.does && at.memory == self.at.memory && at.terms == self.at.terms;
        let reaches = words.iter().all(|&(ahead, ty)| u64::from(ahead) + u64::from(ty.bytes()) <= reach.into());
        let room = self.words.len() < (cost::CLUSTER_BYTES / Ty::U32.bytes()) as usize;
        // Of two writes to one word the later must come later.
        if !same || !reaches || !room || again && does != Does::Load {
            return false;
        }
        (self.at.offset, self.words) = (first, words);
        self.values.push(value);
        true
    }
}

impl<E: Emit> Walk<'_, E> {
    /// The element that the next nodes have to do with, if they are several and can go together.
    pub(super) fn element(&self, nodes: &[Node]) -> Option<Element> {
        let (at, value, does) = self.access(nodes.first()?)?;
        let reach = match self.way(at) {
            Way::Strided(along) if along.step > Ty::U32.bytes() => cost::CLUSTER_BYTES.min(along.step),
            Way::Same if does == Does::Load => cost::CLUSTER_BYTES,
            Way::Strided(_) | Way::Same | Way::Slot | Way::Scattered => return None,
        };
        let words = vec![(0, self.f.ty(value))];
        let mut element = Element { at: at.clone(), words, values: vec![value], does };
        for (at, value, does) in nodes[1..].iter().map_while(|node| self.access(node)) {
            if !element.take(at, (value, self.f.ty(value)), does, reach) {
                break;
            }
        }
        let several = element.words.iter().any(|word| word.0 != element.words[0].0);
        several.then_some(element)
    }

    /// The place of a word of 32 bits that a node reads or writes.
    fn access<'n>(&'n self, node: &'n Node) -> Option<(&'n Address, Value, Does)> {
        let (at, value, does) = match node {
            Node::Let(value) => match self.f.op(*value) {
                Op::Load { at, uniform: false } => (at, *value, Does::Load),
                _ => return None,
            },
            Node::Store { at, value, when } => (at, *value, Does::Store { when: *when }),
            Node::Barrier | Node::Group(_) | Node::If { .. } | Node::Block { .. } | Node::Loop { .. } => return None,
        };
        let memory = &self.f.memories[at.memory.index()];
        let shared = matches!(memory, Memory::Buffer { .. } | Memory::Workgroup { .. });
        (shared && matches!(self.f.ty(value), Ty::F32 | Ty::I32 | Ty::U32)).then_some((at, value, does))
    }

    /// Reads or writes the words of an element.
    pub(super) fn at_once(&mut self, element: &Element) -> Flow {
        let Element { at, words, values, does } = element;
        let reps: Vec<Rep<E>> = match self.way(at) {
            Way::Strided(along) => match *does {
                Does::Store { when } => {
                    self.store_strided(at, along, words, values, when);
                    Vec::new()
                }
                Does::Load => self.load_strided(at, along, words).into_iter().map(Rep::Each).collect(),
            },
            _ => self.load_same(at, words).into_iter().map(Rep::Scalar).collect(),
        };
        for (&value, rep) in values.iter().zip(reps) {
            self.define(value, rep);
        }
        Flow::On
    }

    /// Whether all lanes are inside; `None`: always.
    fn all_inside(&mut self, at: &Address, indices: &[E::S], along: Strided) -> Option<E::S> {
        let last = along.stride * (self.e.width() - 1);
        self.inside(at, indices, |i| if i == along.moving { last } else { 0 })
    }

    pub(super) fn load_strided(&mut self, at: &Address, along: Strided, words: &[(u32, Ty)]) -> Vec<E::V> {
        let indices = self.first_indices(at);
        let inside = self.all_inside(at, &indices, along);
        let pointer = self.first_pointer(at, &indices);
        let Some(inside) = inside else {
            return match *words {
                [(_, ty)] if along.step == ty.bytes() && self.is_fixed(at) => vec![self.e.load_fixed(ty, pointer)],
                _ => self.load_steps(pointer, along.step, words),
            };
        };
        let cells: Vec<E::Cell> = words.iter().map(|&(_, ty)| self.e.cell(ty, true)).collect();
        let (fast, slow, on) = (self.e.block(), self.e.cold_block(), self.e.block());
        self.e.branch(inside, fast, slow);
        self.e.enter(fast);
        let each = self.load_steps(pointer, along.step, words);
        self.set_all(&cells, each);
        self.e.jump(on);
        self.e.enter(slow);
        let stages = self.stages(words);
        self.load_one_by_one((at, along, &indices), words, &stages);
        let each = words.iter().zip(stages).map(|(&(_, ty), stage)| self.e.load_lanes(kept(ty), stage)).collect();
        self.set_all(&cells, each);
        self.e.jump(on);
        self.e.enter(on);
        cells.iter().map(|cell| self.get_each(cell)).collect()
    }

    /// Puts words lane after lane, zeros for lanes that lie outside.
    fn load_one_by_one(
        &mut self,
        (at, along, indices): (&Address, Strided, &[E::S]),
        words: &[(u32, Ty)],
        stages: &[E::S],
    ) {
        self.each_lane(|this, lane| {
            let indices = this.indices_at(indices, along, lane);
            let pointer = this.source(at, &indices);
            for (&(ahead, ty), &stage) in words.iter().zip(stages) {
                let place = this.ahead(pointer, ahead);
                let scalar = this.e.load(ty, place);
                let place = this.nth(stage, lane, kept(ty).bytes());
                this.e.store(kept(ty), place, scalar);
            }
        });
    }

    /// Where the words of a row lie: in their memory, or in an area of scratch if some are outside.
    pub(super) fn place(&mut self, at: &Address, ty: Ty, area: u64) -> E::S {
        let Way::Strided(along) = self.way(at) else {
            unreachable!("invariant scalarized: a row lies along the lanes")
        };
        let indices = self.first_indices(at);
        let inside = self.all_inside(at, &indices, along);
        let pointer = self.first_pointer(at, &indices);
        let Some(inside) = inside else { return pointer };
        let cell = self.e.cell(Ty::U64, false);
        self.e.set(&cell, &Lanes::Same(pointer));
        let (slow, on) = (self.e.cold_block(), self.e.block());
        self.e.branch(inside, on, slow);
        self.e.enter(slow);
        let area = self.in_scratch(area);
        self.load_one_by_one((at, along, &indices), &[(0, ty)], &[area]);
        self.e.set(&cell, &Lanes::Same(area));
        self.e.jump(on);
        self.e.enter(on);
        self.get_same(&cell)
    }

    fn set_all(&mut self, cells: &[E::Cell], each: Vec<E::V>) {
        for (cell, each) in cells.iter().zip(each) {
            self.e.set(cell, &Lanes::Each(each));
        }
    }

    fn get_each(&mut self, cell: &E::Cell) -> E::V {
        match self.e.get(cell) {
            Lanes::Each(each) => each,
            Lanes::Same(_) => unreachable!("invariant cells: a lane cell holds lanes"),
        }
    }

    /// Room for each word, lane after lane.
    fn stages(&mut self, words: &[(u32, Ty)]) -> Vec<E::S> {
        let mut offset = self.frame.stage;
        let stage = |&(_, ty): &(u32, Ty)| {
            let at = self.in_scratch(offset);
            offset += u64::from(kept(ty).bytes()) * u64::from(self.e.width());
            at
        };
        words.iter().map(stage).collect()
    }

    /// Words of elements that lie `step` bytes apart.
    fn load_steps(&mut self, pointer: E::S, step: u32, words: &[(u32, Ty)]) -> Vec<E::V> {
        let &[(_, ty)] = words else { return self.e.load_words(pointer, step, words) };
        if step == ty.bytes() {
            return vec![self.e.load_lanes(ty, pointer)];
        }
        let lanes: Vec<E::S> = (0..self.e.width())
            .map(|lane| {
                let pointer = self.ahead(pointer, lane * step);
                self.e.load(ty, pointer)
            })
            .collect();
        vec![self.e.pack(ty, &lanes)]
    }

    fn store_steps(&mut self, pointer: E::S, step: u32, words: &[(u32, Ty)], each: &[E::V]) {
        let (&[(_, ty)], [alone]) = (words, each) else { return self.e.store_words(pointer, step, words, each) };
        if step == ty.bytes() {
            return self.e.store_lanes(ty, pointer, alone);
        }
        for lane in 0..self.e.width() {
            let pointer = self.ahead(pointer, lane * step);
            let scalar = self.e.lane(ty, alone, lane);
            self.e.store(ty, pointer, scalar);
        }
    }

    /// The same for lanes of a mask, in memory that nobody else touches.
    fn store_steps_over(&mut self, pointer: E::S, step: u32, words: &[(u32, Ty)], each: &[E::V], mask: &E::V) {
        if let (&[(_, ty @ (Ty::F32 | Ty::I32 | Ty::U32))], [alone]) = (words, each)
            && step == ty.bytes()
        {
            return self.e.store_over(ty, pointer, mask, alone);
        }
        let old = self.load_steps(pointer, step, words);
        let each = words.iter().zip(each).zip(old);
        let whole: Vec<E::V> = each.map(|((&(_, ty), each), old)| self.over(ty, mask, each.clone(), old)).collect();
        self.store_steps(pointer, step, words, &whole);
    }

    pub(super) fn store_strided(
        &mut self,
        at: &Address,
        along: Strided,
        words: &[(u32, Ty)],
        values: &[Value],
        when: Option<Value>,
    ) {
        let (indices, mask) = (self.first_indices(at), self.mask(when));
        let each: Vec<E::V> = values.iter().map(|&value| self.each(value)).collect();
        let mut inside = self.all_inside(at, &indices, along);
        // One thread has a workgroup to itself, so that its memory can be written back as it was.
        let own = matches!(self.f.memories[at.memory.index()], Memory::Workgroup { .. });
        if let (Some(mask), false) = (&mask, own) {
            let all = self.e.all(mask);
            inside = self.both_of(inside, Some(all));
        }
        let pointer = self.first_pointer(at, &indices);
        let blocks = inside.map(|inside| {
            let (fast, slow, on) = (self.e.block(), self.e.cold_block(), self.e.block());
            self.e.branch(inside, fast, slow);
            self.e.enter(fast);
            (slow, on)
        });
        match (&mask, own) {
            (Some(mask), true) => self.store_steps_over(pointer, along.step, words, &each, mask),
            (None, false) if words.len() == 1 && along.step == words[0].1.bytes() => {
                self.store_streamed(at.memory, words[0].1, pointer, &each[0]);
            }
            _ => self.store_steps(pointer, along.step, words, &each),
        }
        let Some((slow, on)) = blocks else { return };
        self.e.jump(on);
        self.e.enter(slow);
        self.store_one_by_one((at, along, &indices), words, &each, mask.as_ref());
        self.e.jump(on);
        self.e.enter(on);
    }

    fn store_one_by_one(
        &mut self,
        (at, along, indices): (&Address, Strided, &[E::S]),
        words: &[(u32, Ty)],
        each: &[E::V],
        mask: Option<&E::V>,
    ) {
        let (stages, flags) = (self.stages(words), self.in_scratch(self.frame.flags));
        for ((&(_, ty), &stage), each) in words.iter().zip(&stages).zip(each) {
            self.e.store_lanes(kept(ty), stage, each);
        }
        if let Some(mask) = mask {
            let flag = self.e.vector(Prim::Convert(Ty::Bool), Ty::U32, Ty::Bool, &[Lanes::Each(mask.clone())]);
            self.e.store_lanes(Ty::U32, flags, &flag);
        }
        self.each_lane(|this, lane| {
            let active = mask.is_some().then(|| {
                let place = this.nth(flags, lane, Ty::U32.bytes());
                let (flag, zero) = (this.e.load(Ty::U32, place), this.u32(0));
                this.binary(Binary::Ne, Ty::U32, flag, zero)
            });
            let indices = this.indices_at(indices, along, lane);
            let pointer = this.target(at, &indices, active);
            for (&(ahead, ty), &stage) in words.iter().zip(&stages) {
                let place = this.nth(stage, lane, kept(ty).bytes());
                let scalar = this.e.load(kept(ty), place);
                let place = this.ahead(pointer, ahead);
                this.e.store(ty, place, scalar);
            }
        });
    }

    /// Lanes of the mask over what lies in memory that nobody else touches.
    pub(super) fn over(&mut self, ty: Ty, mask: &E::V, each: E::V, old: E::V) -> E::V {
        self.e.vector(Prim::Select, ty, Ty::Bool, &[mask.clone(), each, old].map(Lanes::Each))
    }

    /// The indices of a lane that is known when the code runs.
    fn indices_at(&mut self, first: &[E::S], along: Strided, lane: E::S) -> Vec<E::S> {
        let mut indices = first.to_vec();
        let stride = self.u32(along.stride);
        let ahead = self.binary(Binary::Mul, Ty::U32, lane, stride);
        indices[along.moving] = self.binary(Binary::Add, Ty::U32, indices[along.moving], ahead);
        indices
    }

    pub(super) fn nth(&mut self, start: E::S, lane: E::S, bytes: u32) -> E::S {
        let (lane, bytes) = (self.widen(lane), self.u64(bytes.into()));
        let offset = self.binary(Binary::Mul, Ty::U64, lane, bytes);
        self.add64(start, offset)
    }

    /// A loop over the lanes of the group.
    fn each_lane(&mut self, body: impl FnOnce(&mut Self, E::S)) {
        let (zero, width) = (self.u32(0), self.u32(self.e.width()));
        self.count(Ty::U32, zero..width, count::Turns::Rare, |this, lane| {
            body(this, lane);
            this.u32(1)
        });
    }
}
