//! Control flow inside a lane group.

use std::collections::{BTreeSet, HashSet};

use super::along::Element;
use super::{Mask, Walk};
use crate::cost;
use crate::emit::{Emit, Lanes, Prim};
use crate::ir::{Binary, End, Function, Helper, Label, Node, Op, Region, Shape, Ty, Unary, Value};

/// Where jumps to a label go while a lane group runs.
#[derive(Clone)]
pub(super) enum Target<Block, Cell> {
    /// All active lanes go together: a branch.
    Direct { block: Block, params: Vec<Cell>, mask: Option<Cell> },
    /// Lanes go at different times: they leave their values and wait. Who has arrived is known
    /// where it matters, and `only` says that all come by one jump.
    Gather { params: Vec<Cell>, arrived: Option<Cell>, only: bool },
    /// The one jump back of a loop that lanes leave at different times, at the end of its body:
    /// whoever is still in the loop takes it together.
    Back { head: Block, live: Cell, params: Vec<Cell> },
}

/// Some ways go around code, and wait at its end.
#[derive(Clone)]
pub(super) struct Waiting<Block, Cell> {
    /// Who comes out of the code.
    pub(super) left: Cell,
    pub(super) done: Block,
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
        let mut waiting = None;
        let flow = self.until_end(nodes, end, fall, &mut waiting);
        waiting.map_or(flow, |waiting| self.meet(flow, &waiting))
    }

    /// Writes nodes one after the other. A program may leave in thousands of places: those that go
    /// on are not written inside those that wait, but after them, and all meet in the end.
    fn until_end(
        &mut self,
        nodes: &[Node],
        end: &End,
        fall: &mut dyn FnMut(&mut Self, &[Value]),
        waiting: &mut Option<Waiting<E::Block, E::Cell>>,
    ) -> Flow {
        let mut flow = Flow::On;
        let mut next = nodes;
        while let [node, ..] = next {
            let cleared = self.cleared(next);
            if cleared > 0 {
                next = &next[cleared..];
                continue;
            }
            let element = self.element(next);
            let rest = &next[element.as_ref().map_or(1, Element::nodes)..];
            next = rest;
            if let Some(exit) = node.exit() {
                if rest.is_empty() && self.parts_straight(&exit, end) {
                    return Flow::Closed;
                }
                self.leave(&exit, waiting);
                continue;
            }
            flow = self.with_cells(|this| match element {
                Some(element) => this.at_once(&element),
                None => this.node(node),
            });
            if flow != Flow::On {
                break;
            }
            if self.is_partial(node) {
                self.awake = false;
            }
            // Code that no lane wants may not even terminate.
            if !self.awake && costly(self.f, rest) {
                self.go_if_any(waiting);
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
        let mut waiting = None;
        self.go_if_any(&mut waiting);
        let flow = code(self);
        waiting.map_or(flow, |waiting| self.meet(flow, &waiting))
    }

    /// Goes on only if some lane is active.
    fn go_if_any(&mut self, waiting: &mut Option<Waiting<E::Block, E::Cell>>) {
        let Some(mask) = self.mask.clone() else { return };
        let done = self.waiting(waiting).done;
        let go = self.e.block();
        let any = self.any_lane(&mask);
        self.e.branch(any, go, done);
        self.e.enter(go);
        self.awake = true;
    }

    /// Where some wait for others, which are nobody so far.
    pub(super) fn waiting<'w>(
        &mut self,
        waiting: &'w mut Option<Waiting<E::Block, E::Cell>>,
    ) -> &'w Waiting<E::Block, E::Cell> {
        waiting.get_or_insert_with(|| Waiting { left: self.mask_cell(), done: self.e.block() })
    }

    /// Ends code that some ways go around: its lanes come to `done`, the cell says which.
    pub(super) fn meet(&mut self, flow: Flow, Waiting { left, done }: &Waiting<E::Block, E::Cell>) -> Flow {
        if flow == Flow::On {
            let mask = self.mask_or_all();
            self.e.set(left, &mask);
        }
        if flow != Flow::Closed {
            self.e.jump(*done);
        }
        self.e.enter(*done);
        self.mask = Some(self.e.get(left));
        self.awake = false;
        if flow == Flow::On { Flow::On } else { Flow::Idle }
    }

    fn node(&mut self, node: &Node) -> Flow {
        match node {
            Node::Let(value) => self.evaluate(*value),
            Node::Store { at, value } => self.store(at, *value),
            Node::Group(group) => self.group(group),
            Node::Barrier => unreachable!("invariant fission: there are no barriers in the group form"),
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
    pub(super) fn is_partial(&self, node: &Node) -> bool {
        let leaves = |label: &Label| match self.targets.get(label) {
            Some(Target::Gather { .. }) => true,
            Some(Target::Direct { .. } | Target::Back { .. }) | None => false,
        };
        let labels: BTreeSet<Label> = self.targets.keys().copied().filter(leaves).collect();
        let mut own = HashSet::new();
        declared(node, &mut own);
        let outside = labels.into_iter().filter(|label| !own.contains(label)).collect();
        node.jumps_to(&outside)
    }

    /// One of two ways for the whole lane group.
    fn branch(&mut self, condition: Value, accept: &Region, reject: &Region, results: &[Value], partial: bool) -> Flow {
        let condition = self.same(condition);
        let cells = self.cells(results);
        let mask_cell = partial.then(|| self.mask_cell());
        let [a, b, on] = [self.e.block(), self.e.block(), self.e.block()];
        self.e.branch(condition, a, b);
        let (before, awake) = (self.mask.clone(), self.awake);
        let mut flow = Flow::Closed;
        for (block, arm) in [(a, accept), (b, reject)] {
            self.e.enter(block);
            (self.mask, self.awake) = (before.clone(), awake);
            let arm_flow = self.region(arm, &mut |this, args| this.assign(results, &cells, args));
            if arm_flow == Flow::Closed {
                continue;
            }
            if let (Some(cell), Flow::On) = (&mask_cell, arm_flow) {
                let mask = self.mask_or_all();
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
        self.awake = awake;
        self.read(results, &cells);
        flow
    }

    /// Both ways, each for its lanes.
    pub(super) fn both(&mut self, condition: Value, accept: &Region, reject: &Region, results: &[Value]) -> Flow {
        let (one, sure) = (self.picks_one(condition), self.sure == Some(condition) && self.mask.is_none());
        let condition = self.each(condition);
        let inverse = self.e.vector(Prim::Unary(Unary::Not), Ty::Bool, Ty::Bool, &[Lanes::Each(condition.clone())]);
        let (before, awake) = (self.mask.clone(), self.awake);
        let cells = self.cells(results);
        let here = Lanes::Each(condition.clone());
        let mut after: Option<Mask<E>> = None;
        let mut accepted = false;
        for (side, arm) in [(condition, accept), (inverse, reject)] {
            (self.mask, self.awake) = (Some(self.and(before.as_ref(), Lanes::Each(side))), false);
            let run = |this: &mut Self| {
                this.region(arm, &mut |this, args| {
                    for ((&result, cell), &arg) in results.iter().zip(&cells).zip(args) {
                        let mut value = this.lanes_for(result, arg);
                        // One scalar means that both arms bring the same.
                        if accepted && matches!(value, Lanes::Each(_)) {
                            let other = this.e.get(cell);
                            value = this.blend(this.f.ty(result), &here, &other, &value);
                        }
                        this.e.set(cell, &value);
                    }
                })
            };
            let sure = sure && std::ptr::eq(arm, accept);
            self.awake = sure;
            let skip = costly(self.f, &arm.nodes) && !sure;
            let whole = self.mask.clone();
            let alone = self.alone;
            self.alone |= one && std::ptr::eq(arm, accept);
            let flow = if skip { self.unless_empty(run) } else { run(self) };
            self.alone = alone;
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
        self.awake = awake;
        if let Some(mask) = after {
            self.mask = if all_stay { before } else { mask };
            Flow::On
        } else {
            self.mask = Some(self.nobody());
            Flow::Idle
        }
    }

    /// Whether a condition holds in one lane at most.
    pub(super) fn picks_one(&self, condition: Value) -> bool {
        let Op::Binary(Binary::Eq, a, b) = *self.f.op(condition) else { return false };
        let distinct = |value: Value| matches!(self.shapes.of(value), Shape::Linear(stride) if stride % 2 != 0);
        let scalar = |value: Value| self.shapes.of(value).is_scalar();
        distinct(a) && scalar(b) || scalar(a) && distinct(b)
    }

    /// Runs code that needs no mask, if any lane is active.
    pub(super) fn if_any(&mut self, code: impl FnOnce(&mut Self)) {
        let Some(mask) = self.mask.clone().filter(|_| !self.awake) else { return code(self) };
        let (go, on) = (self.e.block(), self.e.block());
        let any = self.any_lane(&mask);
        self.e.branch(any, go, on);
        self.e.enter(go);
        code(self);
        self.e.jump(on);
        self.e.enter(on);
    }

    /// A block that can be left early.
    fn labelled(&mut self, label: Label, body: &Region, results: &[Value], node: &Node) -> Flow {
        let partial = self.is_partial(node);
        let (before, awake) = (self.mask.clone(), self.awake);
        let cells = self.cells(results);
        if self.shapes.split.contains(&label) {
            let arrived = partial.then(|| self.mask_cell());
            let only = body.jumps(label) == 1 && !matches!(body.end, End::Fall(_)) && !in_loop(body, label);
            let target = Target::Gather { params: cells.clone(), arrived: arrived.clone(), only };
            self.targets.insert(label, target);
            let flow = self.region(body, &mut |this, args| this.wait(label, results, args));
            self.targets.remove(&label);
            debug_assert!(flow != Flow::Closed || partial, "invariant blocks: lanes wait at the end of a split block");
            self.read(results, &cells);
            self.mask = arrived.map_or(before, |arrived| Some(self.e.get(&arrived)));
            self.awake = awake;
            return Flow::On;
        }
        let on = if self.f.cold.contains(&label) { self.e.cold_block() } else { self.e.block() };
        let mask_cell = partial.then(|| self.mask_cell());
        let target = Target::Direct { block: on, params: cells.clone(), mask: mask_cell.clone() };
        self.targets.insert(label, target);
        let flow = self.region(body, &mut |this, args| this.assign(results, &cells, args));
        self.targets.remove(&label);
        if flow != Flow::Closed {
            // A jump to here that was not taken may have set it before its branch.
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
        self.awake = awake;
        self.read(results, &cells);
        Flow::On
    }

    pub(super) fn jump(&mut self, label: Label, args: &[Value]) -> Flow {
        match self.targets[&label].clone() {
            Target::Direct { block, params, mask } => {
                let values = self.params[&label].clone();
                self.assign(&values, &params, args);
                if let Some(cell) = mask {
                    let mask = self.mask_or_all();
                    self.e.set(&cell, &mask);
                }
                self.e.jump(block);
                Flow::Closed
            }
            Target::Gather { .. } => {
                let values = self.params[&label].clone();
                self.wait(label, &values, args);
                Flow::Idle
            }
            Target::Back { head, live, params } => {
                let values = self.params[&label].clone();
                self.assign(&values, &params, args);
                self.go_back(label, head, &live)
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
        let Some(arrived) = arrived else { return };
        let all = if only {
            mask
        } else {
            let before = self.e.get(&arrived);
            self.or(&before, &mask)
        };
        self.e.set(&arrived, &all);
    }
}

/// Whether nodes are worth a branch around them, or must not run for nobody.
fn costly(f: &Function, nodes: &[Node]) -> bool {
    let plain = |node: &Node| matches!(node, Node::Let(value) if !is_call(f, *value));
    nodes.len() > cost::BRANCH_NODES || !nodes.iter().all(plain)
}

/// Whether a value is made lane by lane, by a function.
fn is_call(f: &Function, value: Value) -> bool {
    matches!(f.op(value), Op::Call(helper, _) if !matches!(helper, Helper::Fma | Helper::FmaD))
}

/// Whether a jump to the label stands inside a loop, so that lanes may arrive more than once.
fn in_loop(region: &Region, label: Label) -> bool {
    region.nodes.iter().any(|node| match node {
        Node::Loop { body, .. } => body.jumps(label) > 0,
        Node::Let(_) | Node::Store { .. } | Node::Barrier | Node::Group(_) => false,
        Node::If { .. } | Node::Block { .. } => node.regions().any(|region| in_loop(region, label)),
    })
}

/// Every label that a node declares.
fn declared(node: &Node, into: &mut HashSet<Label>) {
    if let Node::Block { label, .. } | Node::Loop { label, .. } = node {
        into.insert(*label);
    }
    for region in node.regions() {
        region.nodes.iter().for_each(|node| declared(node, into));
    }
}
