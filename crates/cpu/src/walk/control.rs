//! Control flow inside a lane group.

use std::collections::{BTreeSet, HashSet};

use super::{Mask, Rep, Walk, fission};
use crate::emit::{Emit, Lanes, Prim};
use crate::ir::{Binary, End, Label, Node, Region, Ty, Unary, Value};

/// Where jumps to a label go while a lane group runs.
#[derive(Clone)]
pub(super) enum Target<Block, Cell> {
    /// All active lanes go together: a branch.
    Direct { block: Block, params: Vec<Cell>, mask: Option<Cell> },
    /// Lanes go at different times: they leave their values and wait.
    Gather { params: Vec<Cell>, arrived: Cell, only: bool },
    /// A label around the barriers: lanes leave their values in scratch.
    Outer { params: Vec<Value> },
}

/// What is known after some code.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    /// Lanes may go on.
    On,
    /// The code goes on, but no lane does.
    Idle,
    /// The code does not go on.
    Closed,
}

impl<E: Emit> Walk<'_, E> {
    /// Runs a region; `fall` takes the values with which it falls.
    pub(super) fn region(&mut self, region: &Region, fall: &mut dyn FnMut(&mut Self, &[Value])) -> Flow {
        self.nodes(&region.nodes, &region.end, fall)
    }

    pub(super) fn nodes(&mut self, nodes: &[Node], end: &End, fall: &mut dyn FnMut(&mut Self, &[Value])) -> Flow {
        let mut flow = Flow::On;
        for (i, node) in nodes.iter().enumerate() {
            flow = self.node(node);
            if flow != Flow::On {
                break;
            }
            // Code that no lane wants may not even terminate.
            let rest = &nodes[i + 1..];
            if self.is_partial(node) && costly(rest) {
                return self.unless_empty(|this| this.nodes(rest, end, fall));
            }
        }
        match (flow, end) {
            (Flow::On, End::Fall(args)) => {
                fall(self, args);
                Flow::On
            }
            (Flow::On, End::Jump(label, args)) => self.jump(*label, args),
            (Flow::On, End::Unreachable) => Flow::Idle,
            (flow, _) => flow,
        }
    }

    /// Runs code only if some lane is active; afterwards the mask is what the code left.
    fn unless_empty(&mut self, code: impl FnOnce(&mut Self) -> Flow) -> Flow {
        let Some(mask) = self.mask.clone() else { return code(self) };
        let cell = self.mask_cell();
        let nobody = self.nobody();
        self.e.set(&cell, &nobody);
        let (go, done) = (self.e.block(), self.e.block());
        let any = self.any_lane(&mask);
        self.e.branch(any, go, done);
        self.e.enter(go);
        let flow = code(self);
        if flow == Flow::On {
            let mask = self.mask_or_all();
            self.e.set(&cell, &mask);
        }
        if flow != Flow::Closed {
            self.e.jump(done);
        }
        self.e.enter(done);
        self.mask = Some(self.e.get(&cell));
        if flow == Flow::On { Flow::On } else { Flow::Idle }
    }

    fn node(&mut self, node: &Node) -> Flow {
        match node {
            Node::Let(value) => self.evaluate(*value),
            Node::Store { at, value } => self.store(at, *value),
            Node::Barrier => unreachable!("invariant fission: pieces have no barriers"),
            Node::If { condition, accept, reject, results } => {
                if self.shapes.of(*condition).is_scalar() {
                    return self.branch(*condition, accept, reject, results, self.is_partial(node));
                }
                return self.both(*condition, accept, reject, results);
            }
            Node::Block { label, body, results } => return self.labelled(*label, body, results, node),
            Node::Loop { label, params, init, body } => return self.repeat(*label, params, init, body),
        }
        Flow::On
    }

    /// Whether some lanes may leave the node for a label outside it while others stay.
    fn is_partial(&self, node: &Node) -> bool {
        let leaves = |label: &Label| match self.targets.get(label) {
            Some(Target::Gather { .. }) => true,
            Some(Target::Outer { .. }) => self.shapes.parted.contains(label),
            Some(Target::Direct { .. }) | None => false,
        };
        let labels: BTreeSet<Label> = self.targets.keys().copied().filter(leaves).collect();
        let mut own = HashSet::new();
        fission::declared(node, &mut own);
        let outside = labels.into_iter().filter(|label| !own.contains(label)).collect();
        fission::jumps_to(node, &outside)
    }

    /// One of two ways for the whole lane group.
    fn branch(&mut self, condition: Value, accept: &Region, reject: &Region, results: &[Value], partial: bool) -> Flow {
        let condition = self.same(condition);
        let cells = self.cells(results);
        let mask_cell = partial.then(|| self.mask_cell());
        let [a, b, on] = [self.e.block(), self.e.block(), self.e.block()];
        self.e.branch(condition, a, b);
        let before = self.mask.clone();
        let mut flow = Flow::Closed;
        for (block, arm) in [(a, accept), (b, reject)] {
            self.e.enter(block);
            self.mask = before.clone();
            let arm_flow = self.region(arm, &mut |this, args| this.assign(results, &cells, args));
            if arm_flow == Flow::Closed {
                continue;
            }
            if arm_flow == Flow::Idle {
                self.init(results, &cells);
            }
            if let Some(cell) = &mask_cell {
                let mask = if arm_flow == Flow::On { self.mask_or_all() } else { self.nobody() };
                self.e.set(cell, &mask);
            }
            self.e.jump(on);
            flow = match (flow, arm_flow) {
                (Flow::On, _) | (_, Flow::On) => Flow::On,
                _ => Flow::Idle,
            };
        }
        if flow == Flow::Closed {
            return flow;
        }
        self.e.enter(on);
        self.mask = match &mask_cell {
            Some(cell) => Some(self.e.get(cell)),
            None => before,
        };
        self.read(results, &cells);
        flow
    }

    /// Both ways, each for its lanes.
    fn both(&mut self, condition: Value, accept: &Region, reject: &Region, results: &[Value]) -> Flow {
        let condition = self.each(condition);
        let inverse = self.e.vector(Prim::Unary(Unary::Not), Ty::Bool, Ty::Bool, &[Lanes::Each(condition.clone())]);
        let before = self.mask.clone();
        let cells = self.cells(results);
        self.init(results, &cells);
        let here = Lanes::Each(condition.clone());
        let mut after: Option<Mask<E>> = None;
        let mut accepted = false;
        for (side, arm) in [(condition, accept), (inverse, reject)] {
            self.mask = Some(self.and(&before, Lanes::Each(side)));
            let run = |this: &mut Self| {
                this.region(arm, &mut |this, args| {
                    for ((&result, cell), &arg) in results.iter().zip(&cells).zip(args) {
                        let mut value = this.lanes_for(result, arg);
                        if accepted {
                            let other = this.e.get(cell);
                            value = this.blend(this.f.ty(result), &here, &other, &value);
                            value = this.fit(result, value);
                        }
                        this.e.set(cell, &value);
                    }
                })
            };
            let skip = costly(&arm.nodes);
            let whole = self.mask.clone();
            let flow = if skip { self.unless_empty(run) } else { run(self) };
            if flow == Flow::On {
                accepted = true;
                let partial = arm.nodes.iter().any(|node| self.is_partial(node));
                let mask = if partial { self.mask.clone() } else { whole };
                after = Some(match after {
                    None => mask,
                    Some(None) => None,
                    Some(Some(other)) => match mask {
                        None => None,
                        Some(mask) => Some(self.or(&other, &mask)),
                    },
                });
            }
        }
        self.read(results, &cells);
        let stays =
            |arm: &Region| matches!(arm.end, End::Fall(_)) && !arm.nodes.iter().any(|node| self.is_partial(node));
        let all_stay = stays(accept) && stays(reject);
        match after {
            Some(mask) => {
                self.mask = if all_stay { before } else { mask };
                Flow::On
            }
            None => {
                self.mask = Some(self.nobody());
                Flow::Idle
            }
        }
    }

    /// A block that can be left early.
    fn labelled(&mut self, label: Label, body: &Region, results: &[Value], node: &Node) -> Flow {
        let partial = self.is_partial(node);
        let before = self.mask.clone();
        let cells = self.cells(results);
        if self.shapes.split.contains(&label) {
            self.init(results, &cells);
            let arrived = self.mask_cell();
            let nobody = self.nobody();
            self.e.set(&arrived, &nobody);
            let only = jumps(body, label) == 1 && !matches!(body.end, End::Fall(_)) && !in_loop(body, label);
            let target = Target::Gather { params: cells.clone(), arrived: arrived.clone(), only };
            self.targets.insert(label, target);
            let flow = self.region(body, &mut |this, args| this.wait(label, results, args));
            self.targets.remove(&label);
            debug_assert!(flow != Flow::Closed || partial, "invariant blocks: lanes wait at the end of a split block");
            self.read(results, &cells);
            self.mask = if partial { Some(self.e.get(&arrived)) } else { before };
            return Flow::On;
        }
        let on = self.e.block();
        let mask_cell = partial.then(|| self.mask_cell());
        let target = Target::Direct { block: on, params: cells.clone(), mask: mask_cell.clone() };
        self.targets.insert(label, target);
        let flow = self.region(body, &mut |this, args| this.assign(results, &cells, args));
        self.targets.remove(&label);
        if flow != Flow::Closed {
            if flow == Flow::Idle {
                self.init(results, &cells);
            }
            if let Some(cell) = &mask_cell {
                let mask = if flow == Flow::On { self.mask_or_all() } else { self.nobody() };
                self.e.set(cell, &mask);
            }
            self.e.jump(on);
        }
        self.e.enter(on);
        self.mask = match &mask_cell {
            Some(cell) => Some(self.e.get(cell)),
            None => before,
        };
        self.read(results, &cells);
        Flow::On
    }

    fn repeat(&mut self, label: Label, params: &[Value], init: &[Value], body: &Region) -> Flow {
        let cells = self.cells(params);
        self.assign(params, &cells, init);
        let head = self.e.block();
        if self.shapes.ragged.contains(&label) || self.loses_lanes(body) {
            let (live, arrived) = (self.mask_cell(), self.mask_cell());
            let mask = self.mask_or_all();
            self.e.set(&live, &mask);
            self.e.jump(head);
            self.e.enter(head);
            let nobody = self.nobody();
            self.e.set(&arrived, &nobody);
            self.mask = Some(self.e.get(&live));
            self.read(params, &cells);
            let only = jumps(body, label) == 1;
            let target = Target::Gather { params: cells, arrived: arrived.clone(), only };
            self.targets.insert(label, target);
            let flow = self.region(body, &mut |_, _| unreachable!("invariant loops: a body does not fall"));
            self.targets.remove(&label);
            if flow == Flow::Closed {
                return flow;
            }
            let next = self.e.get(&arrived);
            self.e.set(&live, &next);
            let (again, on) = (self.e.block(), self.e.block());
            let any = self.any_lane(&next);
            self.e.branch(any, again, on);
            self.e.enter(again);
            self.poll(Some(label));
            self.e.jump(head);
            self.e.enter(on);
            self.mask = Some(self.nobody());
            return Flow::Idle;
        }
        let back = self.e.block();
        self.e.jump(head);
        self.e.enter(head);
        let before = self.mask.clone();
        self.read(params, &cells);
        self.targets.insert(label, Target::Direct { block: back, params: cells, mask: None });
        let flow = self.region(body, &mut |_, _| unreachable!("invariant loops: a body does not fall"));
        self.targets.remove(&label);
        let on = (flow != Flow::Closed).then(|| self.e.block());
        if let Some(on) = on {
            self.e.jump(on);
        }
        self.e.enter(back);
        self.poll(Some(label));
        self.e.jump(head);
        self.mask = before;
        let Some(on) = on else { return Flow::Closed };
        self.e.enter(on);
        self.mask = Some(self.nobody());
        Flow::Idle
    }

    /// Whether lanes may drop out of a loop for a label around it while others stay.
    fn loses_lanes(&self, body: &Region) -> bool {
        body.nodes.iter().any(|node| self.is_partial(node))
    }

    fn jump(&mut self, label: Label, args: &[Value]) -> Flow {
        match self.targets[&label].clone() {
            Target::Direct { block, params, mask } => {
                let values = self.f.params(label);
                self.assign(&values, &params, args);
                if let Some(cell) = mask {
                    let mask = self.mask_or_all();
                    self.e.set(&cell, &mask);
                }
                self.e.jump(block);
                Flow::Closed
            }
            Target::Gather { .. } => {
                let values = self.f.params(label);
                self.wait(label, &values, args);
                Flow::Idle
            }
            Target::Outer { params } => {
                self.leave_piece(label, &params, args);
                Flow::Idle
            }
        }
    }

    /// Lanes leave their values with a label and wait there.
    fn wait(&mut self, label: Label, values: &[Value], args: &[Value]) {
        let Target::Gather { params, arrived, only } = self.targets[&label].clone() else {
            unreachable!("invariant targets: {label} gathers")
        };
        let mask = self.mask_or_all();
        let staged: Vec<_> = values.iter().zip(args).map(|(&value, &arg)| self.lanes_for(value, arg)).collect();
        for ((&value, cell), new) in values.iter().zip(&params).zip(staged) {
            // Whoever comes later brings the same where the parameter does not vary.
            let new = if only || self.is_scalar(value) {
                new
            } else {
                let old = self.e.get(cell);
                let blended = self.blend(self.f.ty(value), &mask, &new, &old);
                self.fit(value, blended)
            };
            self.e.set(cell, &new);
        }
        let before = self.e.get(&arrived);
        let all = self.or(&before, &mask);
        self.e.set(&arrived, &all);
    }

    fn cells(&mut self, values: &[Value]) -> Vec<E::Cell> {
        let cell = |value: &Value| self.e.cell(self.f.ty(*value), !self.is_scalar(*value));
        values.iter().map(cell).collect::<Vec<_>>()
    }

    fn is_scalar(&self, value: Value) -> bool {
        self.shapes.of(value) != crate::shape::Shape::Varying
    }

    /// Zeros, so that a skipped side leaves something.
    fn init(&mut self, values: &[Value], cells: &[E::Cell]) {
        for (&value, cell) in values.iter().zip(cells) {
            let ty = self.f.ty(value);
            let zero = self.e.constant(ty, 0);
            let zero = if self.is_scalar(value) { Lanes::Same(zero) } else { Lanes::Each(self.e.splat(ty, zero)) };
            self.e.set(cell, &zero);
        }
    }

    /// All at once: an argument may be one of the parameters.
    fn assign(&mut self, params: &[Value], cells: &[E::Cell], args: &[Value]) {
        let staged: Vec<_> = params.iter().zip(args).map(|(&param, &arg)| self.lanes_for(param, arg)).collect();
        for (cell, value) in cells.iter().zip(&staged) {
            self.e.set(cell, value);
        }
    }

    fn read(&mut self, values: &[Value], cells: &[E::Cell]) {
        for (&value, cell) in values.iter().zip(cells) {
            let rep = match self.e.get(cell) {
                Lanes::Same(scalar) => Rep::Scalar(scalar),
                Lanes::Each(each) => Rep::Each(each),
            };
            self.define(value, rep);
        }
    }

    /// An argument in the form that its parameter has: a base, a scalar, or lanes.
    fn lanes_for(&mut self, param: Value, arg: Value) -> Lanes<E::S, E::V> {
        if self.is_scalar(param) { Lanes::Same(self.same(arg)) } else { Lanes::Each(self.each(arg)) }
    }

    fn fit(&mut self, param: Value, value: Lanes<E::S, E::V>) -> Lanes<E::S, E::V> {
        match value {
            Lanes::Same(scalar) if !self.is_scalar(param) => Lanes::Each(self.e.splat(self.f.ty(param), scalar)),
            Lanes::Each(_) if self.is_scalar(param) => {
                unreachable!("invariant shapes: lanes meet at {param}, which does not vary")
            }
            value => value,
        }
    }

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

    fn and(&mut self, mask: &Mask<E>, side: Lanes<E::S, E::V>) -> Lanes<E::S, E::V> {
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
}

/// Whether nodes are worth a branch around them, or must not run for nobody.
fn costly(nodes: &[Node]) -> bool {
    /// Plain operations that cost no more than a branch.
    const CHEAP: usize = 8;
    nodes.len() > CHEAP || nodes.iter().any(|node| !matches!(node, Node::Let(_)))
}

/// How many jumps to a label a region has.
fn jumps(region: &Region, label: Label) -> usize {
    let mut count = 0;
    region.visit(&mut |region| count += usize::from(matches!(&region.end, End::Jump(to, _) if *to == label)));
    count
}

/// Whether a jump to the label stands inside a loop, so that lanes may arrive more than once.
fn in_loop(region: &Region, label: Label) -> bool {
    region.nodes.iter().any(|node| match node {
        Node::Loop { body, .. } => jumps(body, label) > 0,
        Node::Let(_) | Node::Store { .. } | Node::Barrier => false,
        Node::If { .. } | Node::Block { .. } => node.regions().any(|region| in_loop(region, label)),
    })
}
