//! Values that are too large to be taken apart into scalars: each lies in memory of the invocation
//! that is written once, where the value is made, and is copied from there element by element in
//! loops.

use naga::TypeInner;
use seawall_core::program::size;

use super::place::{Place, Root};
use super::{Builder, Expr, types};
use crate::cost;
use crate::ir::{self, End, LabelKind, Mem, Memory, Node, Op, Region, Ty, Value};

// Variables that hold such values are in memory, too.
const _: () = assert!(cost::STORES_IN_A_ROW as u64 <= size::LARGE);

impl Builder<'_> {
    /// Whether values of a type lie in memory.
    pub(super) fn is_large(&self, inner: &TypeInner) -> bool {
        size::is_large(self.module, inner)
    }

    /// Memory for a value.
    pub(super) fn room(&mut self, inner: &TypeInner) -> Place {
        let slots = types::count(self.module, inner) as u32;
        let slot_bytes = if types::is_wide(self.module, inner) { 8 } else { 4 };
        let memory = self.memory(Memory::Private { slots, slot_bytes });
        Place::new(Root::Memory(memory), inner.clone())
    }

    /// What a place holds now.
    pub(super) fn read(&mut self, place: &Place, uniform: bool) -> Expr {
        if !self.is_large(&place.inner) {
            return Expr::Values(self.load(place, uniform));
        }
        let kept = self.room(&place.inner);
        self.copy(place, &kept, uniform);
        Expr::Kept(kept)
    }

    /// Puts a value into a place.
    pub(super) fn write(&mut self, place: &Place, value: &Expr) {
        match value {
            Expr::Values(values) if !self.is_large(&place.inner) => self.store(place, values),
            Expr::Values(values) => {
                let kept = self.keep(&place.inner, values);
                self.copy(&kept, place, false);
            }
            Expr::Kept(kept) => self.copy(kept, place, false),
            Expr::Place(pointer) => unreachable!("invariant values: {pointer:?} is a pointer"),
        }
    }

    /// A large value that is there as scalars, in memory.
    pub(super) fn keep(&mut self, inner: &TypeInner, values: &[Value]) -> Place {
        let memory = self.table(values);
        Place::new(Root::Memory(memory), inner.clone())
    }

    /// A large value that is zero.
    pub(super) fn keep_zero(&mut self, inner: &TypeInner) -> Place {
        Place::new(self.declare_zero(inner, true), inner.clone())
    }

    /// A variable that starts as a large value.
    pub(super) fn declare_kept(&mut self, kept: &Place) -> Root {
        let variable = self.room(&kept.inner);
        self.copy(kept, &variable, false);
        variable.root
    }

    /// A large value that is made of others.
    pub(super) fn compose(&mut self, inner: &TypeInner, parts: &[Expr]) -> Place {
        let whole = self.room(inner);
        for (i, part) in (0..).zip(parts) {
            let place = self.place_member(&whole, i);
            self.write(&place, part);
        }
        whole
    }

    /// An element of a large value.
    pub(super) fn kept_element(&mut self, kept: &Place, index: Value) -> Expr {
        let element = self.place_element(kept, index);
        self.read(&element, false)
    }

    /// A member of a large value, or an element by a constant index.
    pub(super) fn kept_member(&mut self, kept: &Place, index: u32) -> Expr {
        let member = self.place_member(kept, index);
        if self.is_large(&member.inner) { Expr::Kept(member) } else { Expr::Values(self.load(&member, false)) }
    }

    /// Copies what is at one place to another that it does not overlap.
    fn copy(&mut self, from: &Place, to: &Place, uniform: bool) {
        match &from.inner {
            TypeInner::Array { size, .. } if size::is_looped(self.module, &from.inner) => {
                let len = types::array_len(*size).unwrap_or(0);
                self.turns(len, |this, index| {
                    let (from, to) = (this.place_element(from, index), this.place_element(to, index));
                    this.copy(&from, &to, uniform);
                });
            }
            TypeInner::Struct { members, .. } => {
                for i in 0..members.len() as u32 {
                    let (from, to) = (self.place_member(from, i), self.place_member(to, i));
                    self.copy(&from, &to, uniform);
                }
            }
            TypeInner::Array { .. }
            | TypeInner::Scalar(_)
            | TypeInner::Vector { .. }
            | TypeInner::Matrix { .. }
            | TypeInner::CooperativeMatrix { .. }
            | TypeInner::Atomic(_)
            | TypeInner::Pointer { .. }
            | TypeInner::ValuePointer { .. }
            | TypeInner::Image { .. }
            | TypeInner::Sampler { .. }
            | TypeInner::AccelerationStructure { .. }
            | TypeInner::RayQuery { .. }
            | TypeInner::BindingArray { .. } => {
                let values = self.load(from, uniform);
                self.store(to, &values);
            }
        }
    }

    /// Fills memory of an invocation slot by slot, with zeros or from another memory.
    pub(super) fn fill(&mut self, memory: Mem, slots: u32, ty: Ty, from: Option<Mem>) {
        self.turns(slots, |this, slot| {
            let term = ir::Term { index: slot, stride: 1, bound: ir::Bound::Const(slots), shown: None };
            let at = |memory: Mem| ir::Address { memory, offset: 0, terms: vec![term] };
            let value = match from {
                Some(table) => this.emit(ty, Op::Load { at: at(table), uniform: false }),
                None => this.zero(ty),
            };
            this.push(Node::Store { at: at(memory), value, when: None });
        });
    }

    /// A loop over the numbers below one that is not zero, whose body changes no variable in registers.
    fn turns(&mut self, count: u32, body: impl FnOnce(&mut Self, Value)) {
        let [exit, head] = [LabelKind::Block, LabelKind::Loop].map(|kind| self.label(kind));
        self.f.loops.push((head, None));
        let index = self.define(Ty::U32, Op::Param);
        let (first, one, last) = (self.u32(0), self.u32(1), self.u32(count));
        self.open.push(Vec::new());
        body(self, index);
        let next = self.binary(ir::Binary::Add, index, one);
        let done = self.binary(ir::Binary::Ge, next, last);
        let accept = Region { nodes: Vec::new(), end: End::Jump(exit, Vec::new()) };
        self.push(Node::If { condition: done, accept, reject: Region::default(), results: Vec::new() });
        let nodes = self.open.pop().expect("invariant build-open: the loop is open");
        let body = Region { nodes, end: End::Jump(head, vec![next]) };
        let turns = Node::Loop { label: head, params: vec![index], init: vec![first], body };
        let body = Region { nodes: vec![turns], end: End::Unreachable };
        self.push(Node::Block { label: exit, body, results: Vec::new() });
    }
}
