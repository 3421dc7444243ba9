//! A workgroup: pieces between barriers, each a loop over lane groups.

use std::collections::BTreeSet;

use super::control::{Flow, Target};
use super::fission::{self, Part};
use super::guard::Span;
use super::value::kept;
use super::{Rep, Walk, count};
use crate::emit::{Emit, Lanes, Prim};
use crate::ir::{Binary, End, Label, Node, Op, Region, Ty, Value};
use crate::shape::Shape;

impl<E: Emit> Walk<'_, E> {
    pub(super) fn workgroup_body(&mut self) {
        self.poll(None);
        self.clean();
        let body = &self.f.body;
        if body.has_barrier() {
            let body = body.clone();
            self.outer_body(&body);
        } else {
            self.piece(&body.nodes, &End::Fall(Vec::new()));
        }
    }

    /// Scratch memory as a workgroup should find it.
    pub(super) fn clean(&mut self) {
        if self.frame.zeroed_bytes > 0 {
            self.zero(0, self.frame.zeroed_bytes);
        }
        for area in self.frame.gone.values().copied().collect::<Vec<_>>() {
            self.zero(area.start, area.group_stride * u64::from(self.frame.groups));
        }
    }

    /// The body, or a part of it that ends where the next begins.
    pub(super) fn outer_body(&mut self, body: &Region) {
        if self.outer(body, &[]) == Flow::Closed {
            let nowhere = self.e.block();
            self.e.enter(nowhere);
        }
    }

    /// A region that runs once for the workgroup; `results` are where it falls to.
    fn outer(&mut self, region: &Region, results: &[Value]) -> Flow {
        let parts = fission::parts(region, &self.frame.outer, self.shapes);
        for part in parts {
            match part {
                Part::Piece(range) => self.piece(&region.nodes[range], &End::Fall(Vec::new())),
                Part::Whole(i) => {
                    self.follow();
                    if self.whole(&region.nodes[i]) == Flow::Closed {
                        return Flow::Closed;
                    }
                }
            }
        }
        match &region.end {
            End::Fall(args) => {
                self.copy(results, args);
                Flow::On
            }
            End::Jump(label, args) => {
                let Some(Target::Direct { block, .. }) = self.targets.get(label).cloned() else {
                    unreachable!("invariant fission: {label} is a label of the workgroup")
                };
                let params = self.params[label].clone();
                self.copy(&params, args);
                self.e.jump(block);
                Flow::Closed
            }
            End::Unreachable => Flow::Idle,
        }
    }

    fn whole(&mut self, node: &Node) -> Flow {
        match node {
            Node::Let(_) | Node::Store { .. } => unreachable!("invariant fission: plain nodes are in pieces"),
            // One worker runs the whole workgroup, so that whoever comes later sees all.
            Node::Barrier => {
                self.fetch_next();
                Flow::On
            }
            Node::If { condition, accept, reject, results } => {
                let condition = self.uniform(*condition);
                let [a, b, on] = [self.e.block(), self.e.block(), self.e.block()];
                self.e.branch(condition, a, b);
                let mut flow = Flow::Closed;
                for (block, arm) in [(a, accept), (b, reject)] {
                    self.e.enter(block);
                    if self.outer(arm, results) != Flow::Closed {
                        self.e.jump(on);
                        flow = Flow::On;
                    }
                }
                if flow != Flow::Closed {
                    self.e.enter(on);
                }
                flow
            }
            Node::Block { label, body, results } => {
                let on = self.e.block();
                self.targets.insert(*label, Target::Direct { block: on, params: Vec::new(), mask: None });
                self.around.push(*label);
                if self.outer(body, results) != Flow::Closed {
                    self.e.jump(on);
                }
                self.around.pop();
                self.targets.remove(label);
                self.e.enter(on);
                self.welcome(*label);
                Flow::On
            }
            Node::Loop { label, params, init, body } => {
                self.copy(params, init);
                let (head, back) = (self.e.block(), self.e.block());
                self.e.jump(head);
                self.e.enter(head);
                self.targets.insert(*label, Target::Direct { block: back, params: Vec::new(), mask: None });
                // What comes later in the body has happened before in the next turn.
                let later = self.frame.gone.keys().filter(|&&to| fission::jumps_to(node, &BTreeSet::from([to])));
                self.left.extend(later);
                self.around.push(*label);
                let flow = self.outer(body, &[]);
                self.around.pop();
                self.targets.remove(label);
                debug_assert!(flow == Flow::Closed, "invariant loops: a body does not fall");
                self.e.enter(back);
                self.welcome(*label);
                self.poll(Some(*label));
                self.e.jump(head);
                Flow::Closed
            }
        }
    }

    /// Those who left for a label ahead of the others go on with them from here.
    fn welcome(&mut self, label: Label) {
        if let Some(&area) = self.frame.gone.get(&label) {
            self.zero(area.start, area.group_stride * u64::from(self.frame.groups));
        }
    }

    /// If no lane is left here, the workgroup goes where the nearest of them went. `program` knows
    /// more about what is uniform than the shapes do: what varies for them may have taken all away.
    fn follow(&mut self) {
        let labels: Vec<Label> = self.around.iter().rev().copied().filter(|label| self.left.contains(label)).collect();
        if labels.is_empty() {
            return;
        }
        let on = self.e.block();
        let away = self.e.cold_block();
        let here = self.any_group(|this| this.first_mask().unwrap_or_else(|| this.mask_or_all()));
        self.e.branch(here, on, away);
        self.e.enter(away);
        for label in labels {
            let Some(Target::Direct { block, .. }) = self.targets.get(&label).cloned() else {
                unreachable!("invariant fission: {label} is a label of the workgroup")
            };
            let next = self.e.block();
            let there = self.any_group(|this| this.gone(label));
            self.e.branch(there, block, next);
            self.e.enter(next);
        }
        self.e.jump(on);
        self.e.enter(on);
    }

    /// Whether a mask has a lane in any lane group.
    fn any_group(&mut self, mask: impl FnOnce(&mut Self) -> Lanes<E::S, E::V>) -> E::S {
        let found = self.e.cell(Ty::Bool, false);
        let none = self.e.constant(Ty::Bool, 0);
        self.e.set(&found, &Lanes::Same(none));
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

    /// Copies values to where a join keeps its parameters, for every lane group.
    pub(super) fn copy(&mut self, params: &[Value], args: &[Value]) {
        let pairs = || params.iter().copied().zip(args.iter().copied());
        let is_uniform = |this: &Self, param: Value| this.shapes.of(param) == Shape::Uniform;
        let mut once = Vec::new();
        for (param, arg) in pairs() {
            if is_uniform(self, param) {
                self.reps[arg.index()] = None;
                once.push((param, Rep::Scalar(self.same(arg))));
            }
        }
        let at = |this: &Self, value: Value| this.frame.values.get(&value).copied();
        let moves = |this: &Self, (param, arg): (Value, Value)| at(this, param) != at(this, arg);
        let each: Vec<_> = pairs().filter(|&pair| !is_uniform(self, pair.0) && moves(self, pair)).collect();
        if !each.is_empty() {
            self.each_group(|this| {
                let mask = this.first_mask().unwrap_or_else(|| this.mask_or_all());
                let whole = this.frame.gone.is_empty();
                let staged: Vec<Rep<E>> =
                    each.iter().map(|&(param, arg)| this.arrival(param, arg, &mask, whole)).collect();
                for ((param, _), rep) in each.iter().zip(&staged) {
                    this.keep(*param, rep);
                }
            });
        }
        for (param, rep) in once {
            self.keep(param, &rep);
        }
    }

    /// What a kept parameter becomes when lanes bring an argument; the others keep theirs.
    fn arrival(&mut self, param: Value, arg: Value, mask: &Lanes<E::S, E::V>, whole: bool) -> Rep<E> {
        let ty = self.f.ty(param);
        // All bring the same, whoever leaves first.
        if self.shapes.of(param) == Shape::Uniform {
            return Rep::Scalar(self.same(arg));
        }
        let at = self.in_area(self.frame.values[&param]);
        match (self.shapes.of(param), mask) {
            (Shape::Varying, _) if whole => Rep::Each(self.each(arg)),
            (Shape::Varying, _) => {
                let (new, old) = (self.each(arg), self.recall_lanes(ty, at));
                match self.blend(ty, mask, &Lanes::Each(new), &Lanes::Each(old)) {
                    Lanes::Each(each) => Rep::Each(each),
                    Lanes::Same(_) => unreachable!("invariant blends: of lanes are lanes"),
                }
            }
            // With one lane in a group its scalar is its own.
            (Shape::Linear(0), Lanes::Same(here)) if !whole => {
                let (new, old) = (self.same(arg), self.e.load(kept(ty), at));
                Rep::Scalar(self.e.scalar(Prim::Select, ty, Ty::Bool, &[*here, new, old]))
            }
            (Shape::Uniform | Shape::Linear(_), _) => Rep::Scalar(self.same(arg)),
        }
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
                Op::Atomic { .. } => false,
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

    fn piece_groups(&mut self, nodes: &[Node], end: &End, wanted: &BTreeSet<Value>) {
        let outer: Vec<Label> = self.frame.outer.iter().copied().collect();
        // A single group is not asked whether it is among those that the span is for.
        let span = if self.frame.groups > 1 { self.span(nodes) } else { None };
        self.sure = span.as_ref().map(|span| span.condition);
        self.whole = self.sure.filter(|_| span.as_ref().is_some_and(|span| span.whole));
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
        (self.sure, self.whole) = (None, None);
    }

    /// At a barrier, asks for what the next workgroup reads.
    pub(super) fn fetch_next(&mut self) {
        for row in self.next.remove(&self.barrier).unwrap_or_default() {
            let (group, step) = (self.widen(self.workgroup[0]), self.u64(row.step));
            let offset = self.binary(Binary::Mul, Ty::U64, group, step);
            let (start, ahead) = (self.start(row.memory), self.u64(row.step + row.start));
            let at = self.add64(start, offset);
            let at = self.add64(at, ahead);
            self.e.fetch(at, row.bytes);
        }
        self.barrier += 1;
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

    /// The lanes that exist and have not left for a label further on.
    fn first_mask(&mut self) -> super::Mask<E> {
        let size: u32 = self.f.workgroup_size.iter().product();
        let width = self.e.width();
        let first = self.first.expect("invariant groups: masks belong to a group");
        let mut mask = None;
        if !size.is_multiple_of(width) {
            let index = self.e.ramp(Ty::U32, first, 1);
            let size = self.u32(size);
            let exists =
                self.e.vector(Prim::Binary(Binary::Lt), Ty::Bool, Ty::U32, &[Lanes::Each(index), Lanes::Same(size)]);
            mask = Some(Lanes::Each(exists));
        }
        let waiting: Vec<Label> =
            self.frame.gone.keys().copied().filter(|label| self.targets.contains_key(label)).collect();
        for label in waiting {
            let gone = self.gone(label);
            let here = self.not(gone);
            mask = Some(match mask {
                None => here,
                Some(mask) => self.logic(Binary::And, &mask, &here),
            });
        }
        mask
    }

    fn gone(&mut self, label: Label) -> Lanes<E::S, E::V> {
        let at = self.in_area(self.frame.gone[&label]);
        if self.e.width() == 1 {
            Lanes::Same(self.e.load(Ty::Bool, at))
        } else {
            Lanes::Each(self.recall_lanes(Ty::Bool, at))
        }
    }

    /// The current lanes leave for a label of the workgroup, ahead of the others.
    pub(super) fn leave_piece(&mut self, label: Label, params: &[Value], args: &[Value]) {
        self.left.insert(label);
        let mask = self.mask_or_all();
        let staged: Vec<Rep<E>> =
            params.iter().zip(args).map(|(&param, &arg)| self.arrival(param, arg, &mask, false)).collect();
        for (&param, rep) in params.iter().zip(&staged) {
            self.keep(param, rep);
        }
        let before = self.gone(label);
        let all = self.or(&before, &mask);
        let at = self.in_area(self.frame.gone[&label]);
        match all {
            Lanes::Same(scalar) => self.e.store(Ty::Bool, at, scalar),
            Lanes::Each(each) => self.keep_lanes(Ty::Bool, at, &each),
        }
    }

    /// A loop over the lane groups of the workgroup.
    fn each_group(&mut self, body: impl FnOnce(&mut Self)) {
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
