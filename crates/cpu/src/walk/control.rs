//! Control flow: in the vector form every branch and jump is that of a whole lane group.

use super::element::Element;
use super::{Rep, Walk};
use crate::emit::{Emit, Lanes};
use crate::ir::{End, Exit, Label, Node, Region, Value};

/// Where jumps to a label go, and what holds its parameters until they do.
#[derive(Clone)]
pub(super) struct Target<Block, Cell> {
    block: Block,
    values: Vec<Value>,
    cells: Vec<Cell>,
}

/// What is known after some code.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    /// It goes on.
    On,
    /// It does not.
    Closed,
}

impl<E: Emit> Walk<'_, E> {
    /// Runs a region; `fall` takes the values with which it falls.
    pub(super) fn region(&mut self, region: &Region, fall: &mut dyn FnMut(&mut Self, &[Value])) -> Flow {
        let mut next = &region.nodes[..];
        while let [node, ..] = next {
            let cleared = self.cleared(next);
            if cleared > 0 {
                next = &next[cleared..];
                continue;
            }
            let element = self.element(next);
            next = &next[element.as_ref().map_or(1, Element::nodes)..];
            if let Some(exit) = node.exit() {
                if next.is_empty() && self.parts_straight(&exit, &region.end) {
                    return Flow::Closed;
                }
                self.leave(&exit);
                continue;
            }
            let flow = self.with_cells(|this| match element {
                Some(element) => {
                    this.at_once(&element);
                    Flow::On
                }
                None => this.node(node),
            });
            if flow == Flow::Closed {
                return flow;
            }
        }
        match &region.end {
            End::Fall(args) => fall(self, args),
            End::Jump(label, args) => {
                let block = self.bring(*label, args);
                self.e.jump(block);
                return Flow::Closed;
            }
            // Nobody comes here.
            End::Unreachable => {}
        }
        Flow::On
    }

    fn node(&mut self, node: &Node) -> Flow {
        match node {
            Node::Let(value) => self.evaluate(*value),
            Node::Store { at, value, when } => self.store(at, *value, *when),
            Node::Group(group) => self.group(group),
            Node::Barrier => unreachable!("invariant fission: there are no barriers in the group form"),
            Node::If { condition, accept, reject, results } => {
                return self.branch(*condition, [accept, reject], results);
            }
            Node::Block { label, body, results } => return self.labelled(*label, body, results),
            Node::Loop { label, params, init, body } => return self.repeat(*label, params, init, body),
        }
        Flow::On
    }

    fn branch(&mut self, condition: Value, arms: [&Region; 2], results: &[Value]) -> Flow {
        let condition = self.same(condition);
        let (cells, on) = (self.cells(results), self.e.block());
        let mut flow = Flow::Closed;
        // A way that does nothing brings its values before the branch, which then goes on for it.
        let idle = arms.iter().position(|arm| arm.is_idle());
        if let Some(End::Fall(args)) = idle.map(|idle| &arms[idle].end) {
            self.assign(results, &cells, args);
            flow = Flow::On;
        }
        let blocks = [0, 1].map(|arm| if idle == Some(arm) { on } else { self.e.block() });
        self.e.branch(condition, blocks[0], blocks[1]);
        for i in (0..2).filter(|&i| idle != Some(i)) {
            self.e.enter(blocks[i]);
            if self.region(arms[i], &mut |this, args| this.assign(results, &cells, args)) == Flow::On {
                self.e.jump(on);
                flow = Flow::On;
            }
        }
        if flow == Flow::On {
            self.e.enter(on);
            self.read(results, &cells);
        }
        flow
    }

    /// A block that can be left early.
    fn labelled(&mut self, label: Label, body: &Region, results: &[Value]) -> Flow {
        let cells = self.cells(results);
        let block = if self.f.cold.contains(&label) { self.e.cold_block() } else { self.e.block() };
        self.targets.insert(label, Target { block, values: results.to_vec(), cells: cells.clone() });
        let flow = self.region(body, &mut |this, args| this.assign(results, &cells, args));
        self.targets.remove(&label);
        if flow == Flow::On {
            self.e.jump(block);
        }
        self.e.enter(block);
        self.read(results, &cells);
        Flow::On
    }

    /// A loop, which is left by jumps only.
    fn repeat(&mut self, label: Label, params: &[Value], init: &[Value], body: &Region) -> Flow {
        let cells = self.cells(params);
        self.assign(params, &cells, init);
        let head = self.e.block();
        // A loop that nobody need stop goes back without a detour.
        let polls = !self.f.bounded.contains(&label);
        let block = if polls { self.e.block() } else { head };
        self.e.jump(head);
        self.e.enter(head);
        self.read(params, &cells);
        self.targets.insert(label, Target { block, values: params.to_vec(), cells });
        let flow = self.region(body, &mut |_, _| unreachable!("invariant loops: a body does not fall"));
        self.targets.remove(&label);
        let on = (flow == Flow::On).then(|| self.e.block());
        if let Some(on) = on {
            self.e.jump(on);
        }
        if polls {
            self.e.enter(block);
            self.poll(Some(label));
            self.e.jump(head);
        }
        let Some(on) = on else { return Flow::Closed };
        self.e.enter(on);
        Flow::On
    }

    /// Leaves values with a label, and tells where it is.
    fn bring(&mut self, label: Label, args: &[Value]) -> E::Block {
        let Target { block, values, cells } = self.targets[&label].clone();
        self.assign(&values, &cells, args);
        block
    }

    /// An exit at the end of a region that goes elsewhere, if neither way does anything before: one branch for both.
    /// What they bring is then made before it, next to what it is made of.
    fn parts_straight(&mut self, exit: &Exit<'_>, end: &End) -> bool {
        let (End::Jump(on, args), End::Jump(away, others)) = (end, &exit.arm.end) else { return false };
        if !exit.arm.nodes.is_empty() || on == away {
            return false;
        }
        let condition = self.same(exit.condition);
        let (on, away) = (self.bring(*on, args), self.bring(*away, others));
        let (accept, reject) = if exit.holds { (away, on) } else { (on, away) };
        self.e.branch(condition, accept, reject);
        true
    }

    /// Leaves for a label, or goes on with what is written next. Where the way does nothing, its values are left with
    /// the label before the branch: code that both ways want is then written once.
    fn leave(&mut self, exit: &Exit<'_>) {
        let condition = self.same(exit.condition);
        let straight = match &exit.arm.end {
            End::Jump(label, args) if exit.arm.nodes.is_empty() => Some(self.bring(*label, args)),
            _ => None,
        };
        let (away, go) = (straight.unwrap_or_else(|| self.e.block()), self.e.block());
        let (accept, reject) = if exit.holds { (away, go) } else { (go, away) };
        self.e.branch(condition, accept, reject);
        if straight.is_none() {
            self.e.enter(away);
            let flow = self.with_cells(|this| {
                this.region(exit.arm, &mut |_, _| unreachable!("invariant exits: who leaves does not fall"))
            });
            if flow == Flow::On {
                self.e.jump(go);
            }
        }
        self.e.enter(go);
    }

    fn cells(&mut self, values: &[Value]) -> Vec<E::Cell> {
        let cell = |value: &Value| self.e.cell(self.f.ty(*value), !self.is_scalar(*value));
        values.iter().map(cell).collect()
    }

    /// Runs code, and gives up its cells: values stand for what they held.
    fn with_cells<T>(&mut self, code: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.e.cells();
        let result = code(self);
        self.e.give_up(before);
        result
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
}
