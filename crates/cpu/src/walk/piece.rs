//! A piece: nodes without barriers, as a loop over lane groups.

use std::collections::BTreeSet;

use super::control::{Flow, Target};
use super::unswitch::Span;
use super::{Walk, count, fission};
use crate::emit::{Emit, Lanes};
use crate::ir::{Binary, End, Label, Node, Op, Ty, Value};
use crate::shape::Shape;

impl<E: Emit> Walk<'_, E> {
    /// Nodes without barriers, for every lane group.
    pub(super) fn piece(&mut self, nodes: &[Node], end: &End) {
        let wanted = fission::wanted(self.f, nodes);
        self.forget();
        if !self.share(nodes, &wanted) {
            self.piece_groups(nodes, end, &wanted);
        }
        self.shared.clear();
        self.forget();
    }

    /// What is uniform and comes before anything else is made once for the workgroup; whether
    /// that was all.
    fn share(&mut self, nodes: &[Node], wanted: &BTreeSet<Value>) -> bool {
        for &value in wanted {
            if self.shapes.of(value) == Shape::Uniform {
                let rep = self.recall(value);
                self.reps[value.index()] = Some(rep);
                self.shared.insert(value);
            }
        }
        let alike = |this: &Self, value: Value| {
            let fixed = match this.f.op(value) {
                Op::Load { at, uniform } => !uniform && !this.f.memories[at.memory.index()].is_written(),
                Op::Atomic { .. } | Op::Run(_) => false,
                _ => true,
            };
            fixed && this.shapes.of(value) == Shape::Uniform
        };
        let first = nodes.iter().take_while(|node| matches!(node, Node::Let(_) | Node::Store { .. }));
        for node in first {
            if let Node::Let(value) = node
                && alike(self, *value)
            {
                self.evaluate(*value);
                self.shared.insert(*value);
            }
        }
        let done =
            |value: Value| self.shared.contains(&value) || !self.f.op(value).has_effect() && !self.is_kept(value);
        // What is made and not kept is made again by whoever wants it.
        nodes.iter().all(|node| matches!(node, Node::Let(value) if done(*value)))
    }

    fn piece_groups(&mut self, nodes: &[Node], end: &End, wanted: &BTreeSet<Value>) {
        // A single group is not asked whether it is among those that the span is for.
        let span = if self.frame.groups > 1 { self.span(nodes) } else { None };
        self.sure = span.map(|span| span.condition);
        self.once_or_twice(nodes, span.as_ref(), &mut |this| this.groups_of(span, nodes, end, wanted));
        self.sure = None;
    }

    fn groups_of(&mut self, span: Option<Span<E::S>>, nodes: &[Node], end: &End, wanted: &BTreeSet<Value>) {
        let outer: Vec<Label> = self.frame.outer.iter().copied().collect();
        self.each_group_of(span, |this| {
            let saved: Vec<_> = outer
                .iter()
                .filter_map(|label| {
                    let target = this.targets.remove(label)?;
                    let params = this.params[label].clone();
                    this.targets.insert(*label, Target::Outer { params });
                    Some((*label, target))
                })
                .collect();
            this.mask = this.first_mask();
            this.awake = true;
            if this.mask.is_some() {
                let mask = this.mask_or_all();
                let (go, done) = (this.e.block(), this.e.block());
                let any = this.any_lane(&mask);
                this.e.branch(any, go, done);
                this.e.enter(go);
                this.fetch(wanted);
                if this.nodes(nodes, end, &mut |_, _| ()) != Flow::Closed {
                    this.e.jump(done);
                }
                this.e.enter(done);
            } else {
                this.fetch(wanted);
                if this.nodes(nodes, end, &mut |_, _| ()) == Flow::Closed {
                    let nowhere = this.e.block();
                    this.e.enter(nowhere);
                }
            }
            this.mask = None;
            this.targets.extend(saved);
        });
    }

    /// Brings what other pieces have made, once for all uses.
    fn fetch(&mut self, wanted: &BTreeSet<Value>) {
        for &value in wanted {
            if self.reps[value.index()].is_none() {
                let rep = self.recall(value);
                self.reps[value.index()] = Some(rep);
            }
        }
    }

    /// Drops what stands for values, except for what the lane groups share.
    pub(super) fn forget(&mut self) {
        for (i, rep) in self.reps.iter_mut().enumerate() {
            if !self.shared.contains(&Value(i as u32)) {
                *rep = None;
            }
        }
    }

    /// Whether a mask has a lane in any lane group.
    pub(super) fn any_group(&mut self, mask: impl FnOnce(&mut Self) -> Lanes<E::S, E::V>) -> E::S {
        let found = self.e.cell(Ty::Bool, false);
        self.each_group(|this| {
            let mask = mask(this);
            let (any, before) = (this.any_lane(&mask), this.get_same(&found));
            let all = this.binary(Binary::Or, Ty::Bool, any, before);
            this.e.set(&found, &Lanes::Same(all));
        });
        self.get_same(&found)
    }

    /// A condition on which all lanes that are here agree, outside the lane groups.
    pub(super) fn uniform(&mut self, value: Value) -> E::S {
        self.reps[value.index()] = None;
        if self.shapes.of(value) == Shape::Uniform {
            return self.same(value);
        }
        self.any_group(|this| {
            let (mask, condition) = (this.first_mask(), this.lanes(value));
            match mask {
                None if this.e.width() > 1 => Lanes::Each(this.each(value)),
                None => condition,
                Some(mask) => this.logic(Binary::And, &mask, &condition),
            }
        })
    }

    /// A loop over the lane groups of the workgroup.
    pub(super) fn each_group(&mut self, body: impl FnOnce(&mut Self)) {
        self.each_group_of(None, body);
    }

    /// A loop over some of the lane groups.
    fn each_group_of(&mut self, span: Option<Span<E::S>>, body: impl FnOnce(&mut Self)) {
        self.forget();
        let group = |this: &mut Self, first: E::S| {
            this.first = Some(first);
            body(this);
            this.u32(this.e.width())
        };
        let (zero, all) = (self.u32(0), self.u32(self.frame.groups * self.e.width()));
        match span {
            Some(Span { single: false, from, to, .. }) if self.frame.groups > 1 => {
                self.count(Ty::U32, from..to, count::Turns::Any, group);
            }
            None if self.frame.groups > 1 => self.count(Ty::U32, zero..all, count::Turns::Some, group),
            Some(_) | None => _ = group(self, zero),
        }
        self.first = None;
        self.forget();
    }
}
