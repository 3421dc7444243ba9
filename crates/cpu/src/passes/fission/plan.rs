//! Where a workgroup's program is cut, and what must be kept for it.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::cost;
use crate::divergence::Shapes;
use crate::ir::{Back, End, Function, Label, Node, Op, Region, Shape, Ty, Value};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Plan {
    /// Values used in another piece than the one that makes them.
    pub(super) kept: BTreeSet<Value>,
    /// Values that are kept in the place of another: a loop's parameter for the next turn, what a
    /// block gives for what comes to it.
    pub(super) homes: BTreeMap<Value, Value>,
    /// Values that stand outside the pieces, where all that follows sees them: what is uniform and made before
    /// anything else in a piece, or where ways of the whole workgroup meet.
    pub(super) shared: HashSet<Value>,
    /// Labels of nodes that stand alone.
    pub(super) outer: BTreeSet<Label>,
}

impl Plan {
    /// Whose place a value is kept in; that of a value which is kept in another's is the other's.
    pub(super) fn home(&self, mut value: Value) -> Value {
        while let Some(&home) = self.homes.get(&value) {
            value = home;
        }
        value
    }
}

/// Nodes of a region, cut: each piece is a range without barriers, each other node stands alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    Piece(std::ops::Range<usize>),
    /// A node that stands alone.
    Whole(usize),
}

/// Whether a node runs once for the workgroup: it contains a barrier, or takes all of the workgroup
/// to one of the labels `outer` around it, whose nodes stand alone too.
fn stands_alone(node: &Node, outer: &BTreeSet<Label>, shapes: &Shapes) -> bool {
    let together = || outer.iter().copied().filter(|label| !shapes.parted.contains(label)).collect();
    let uniform = match node {
        Node::If { condition, .. } => shapes.of(*condition) == Shape::Uniform,
        Node::Group(_) => return true,
        Node::Let(_) | Node::Store { .. } | Node::Barrier | Node::Block { .. } | Node::Loop { .. } => false,
    };
    node.has_barrier() || node.jumps_to(&together()) || uniform && node.jumps_to(outer)
}

/// The parts of a region, in order. `outer` are the labels around it whose nodes stand alone.
pub(super) fn parts(region: &Region, outer: &BTreeSet<Label>, shapes: &Shapes) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (i, node) in region.nodes.iter().enumerate() {
        if stands_alone(node, outer, shapes) {
            if start < i {
                parts.push(Part::Piece(start..i));
            }
            parts.push(Part::Whole(i));
            start = i + 1;
        }
    }
    if start < region.nodes.len() {
        parts.push(Part::Piece(start..region.nodes.len()));
    }
    parts
}

struct Scan<'a> {
    f: &'a Function,
    shapes: &'a Shapes,
    plan: Plan,
    piece: u32,
    made: HashMap<Value, u32>,
    /// The last piece that uses a value.
    last: HashMap<Value, u32>,
}

/// Finds the cuts, and what crosses them.
pub(super) fn plan(f: &Function, shapes: &Shapes) -> Plan {
    let mut scan = Scan { f, shapes, plan: Plan::default(), piece: 0, made: HashMap::new(), last: HashMap::new() };
    scan.labels(&f.body);
    scan.outer(&f.body);
    scan.plan
}

impl Scan<'_> {
    fn labels(&mut self, region: &Region) {
        for node in &region.nodes {
            if stands_alone(node, &self.plan.outer, self.shapes) {
                if let Node::Block { label, .. } | Node::Loop { label, .. } = node {
                    self.plan.outer.insert(*label);
                }
                node.regions().for_each(|region| self.labels(region));
            }
        }
    }

    /// A region that runs once for the workgroup.
    fn outer(&mut self, region: &Region) {
        let outer = self.plan.outer.clone();
        for part in parts(region, &outer, self.shapes) {
            self.piece += 1;
            match part {
                Part::Piece(range) => {
                    let nodes = &region.nodes[range];
                    self.share(nodes);
                    nodes.iter().for_each(|node| self.inner(node));
                }
                Part::Whole(i) => self.whole(&region.nodes[i]),
            }
        }
        self.piece += 1;
        if let End::Fall(args) | End::Jump(_, args) = &region.end {
            args.iter().for_each(|&arg| self.keep(arg));
        }
    }

    /// What is uniform and comes before anything else in a piece is made once for the workgroup.
    fn share(&mut self, nodes: &[Node]) {
        let (mut here, mut wrote) = (HashSet::new(), false);
        for node in nodes {
            let value = match node {
                Node::Let(value) => *value,
                Node::Store { .. } => {
                    wrote = true;
                    continue;
                }
                Node::Barrier | Node::If { .. } | Node::Block { .. } | Node::Loop { .. } | Node::Group(_) => return,
            };
            let fixed = match self.f.op(value) {
                // By contract all lanes get the same; it must not come before what the piece itself stores.
                Op::Load { uniform: true, .. } => !wrote,
                Op::Load { at, .. } => !self.f.memories[at.memory.index()].is_written(),
                op => {
                    wrote |= op.has_effect();
                    !op.has_effect()
                }
            };
            let mut there = true;
            self.f.op(value).each(|operand| there &= !here.contains(&operand));
            if fixed && there && self.shapes.of(value) == Shape::Uniform {
                self.f.op(value).each(|operand| self.keep(operand));
                self.plan.shared.insert(value);
            } else {
                here.insert(value);
            }
        }
    }

    /// Where ways of the whole workgroup meet, what is uniform stands outside the pieces, unless lanes may come
    /// ahead of the others.
    fn join(&mut self, label: Option<Label>, values: &[Value]) {
        let parted = label.is_some_and(|label| self.shapes.parted.contains(&label));
        for &value in values {
            if !parted && self.shapes.of(value) == Shape::Uniform {
                self.plan.shared.insert(value);
            } else {
                self.keep(value);
            }
        }
    }

    fn whole(&mut self, node: &Node) {
        match node {
            Node::Let(_) | Node::Store { .. } => unreachable!("invariant fission: plain nodes are in pieces"),
            Node::Barrier | Node::Group(_) => {}
            Node::If { condition, accept, reject, results } => {
                self.keep(*condition);
                self.join(None, results);
                self.outer(accept);
                self.outer(reject);
            }
            Node::Block { label, body, results } => {
                self.join(Some(*label), results);
                self.outer(body);
                self.stay(*label, results, body);
            }
            Node::Loop { label, params, init, body } => {
                init.iter().for_each(|&value| self.keep(value));
                self.join(Some(*label), params);
                self.outer(body);
                self.settle(*label, params, body);
            }
        }
    }

    /// Finds the parameters that nobody wants any more when the next turn's values are made, which
    /// can then take their places. Not if lanes may go on to the next turn ahead of the others.
    fn settle(&mut self, label: Label, params: &[Value], body: &Region) {
        let Back::End(args) = body.back(label) else { return };
        if self.shapes.parted.contains(&label) {
            return;
        }
        for (&param, &arg) in params.iter().zip(args) {
            let own = body.nodes.iter().any(|node| match node {
                Node::Let(value) => *value == arg,
                Node::If { results, .. } | Node::Block { results, .. } => results.contains(&arg),
                Node::Store { .. } | Node::Barrier | Node::Loop { .. } | Node::Group(_) => false,
            });
            let over = self.last.get(&param) <= self.made.get(&arg);
            let kept = [param, arg].iter().all(|value| self.plan.kept.contains(value));
            if own && over && kept && self.is_alike(param, arg) && !self.plan.homes.contains_key(&arg) {
                self.plan.homes.insert(arg, param);
            }
        }
    }

    /// Finds the results of a block to which one way leads: they can stay where they come from, for
    /// nobody wants that after the block.
    fn stay(&mut self, label: Label, results: &[Value], body: &Region) {
        let mut ways = Vec::new();
        body.visit(&mut |region| match &region.end {
            End::Jump(to, args) if *to == label => ways.push(args),
            End::Fall(_) | End::Jump(..) | End::Unreachable => {}
        });
        let ([args], false, false) = (&ways[..], self.shapes.parted.contains(&label), matches!(body.end, End::Fall(_)))
        else {
            return;
        };
        let inside = body.made();
        let mut taken = BTreeSet::new();
        for (&result, &arg) in results.iter().zip(*args) {
            let home = self.plan.home(arg);
            let kept = [result, home].iter().all(|value| self.plan.kept.contains(value));
            let own = inside.contains(&home) && kept && taken.insert(home);
            if own && self.is_alike(result, arg) {
                self.plan.homes.insert(result, home);
            }
        }
    }

    fn is_alike(&self, a: Value, b: Value) -> bool {
        self.shapes.of(a) == self.shapes.of(b) && self.f.ty(a) == self.f.ty(b)
    }

    /// A node inside a piece.
    fn inner(&mut self, node: &Node) {
        match node {
            Node::Let(value) if self.plan.shared.contains(value) => {}
            Node::Let(value) => {
                self.f.op(*value).each(|operand| self.used(operand));
                self.make(*value);
            }
            Node::Store { at, value, .. } => {
                at.each(|index| self.used(index));
                self.used(*value);
            }
            Node::Barrier | Node::Group(_) => unreachable!("invariant fission: pieces have no barriers"),
            Node::If { condition, results, .. } => {
                self.used(*condition);
                results.iter().for_each(|&value| self.make(value));
            }
            Node::Block { results, .. } => {
                results.iter().for_each(|&value| self.make(value));
            }
            Node::Loop { params, init, .. } => {
                init.iter().for_each(|&value| self.used(value));
                params.iter().for_each(|&value| self.make(value));
            }
        }
        for region in node.regions() {
            region.nodes.iter().for_each(|node| self.inner(node));
            if let End::Fall(args) | End::Jump(_, args) = &region.end {
                args.iter().for_each(|&arg| self.used(arg));
            }
        }
    }

    fn make(&mut self, value: Value) {
        self.made.insert(value, self.piece);
    }

    fn used(&mut self, value: Value) {
        self.last.insert(value, self.piece);
        if self.made.get(&value) != Some(&self.piece) {
            self.keep(value);
        }
    }

    /// A value is wanted elsewhere than where it is made.
    fn keep(&mut self, value: Value) {
        self.last.insert(value, self.piece);
        if self.plan.shared.contains(&value) || self.f.is_input(value) {
            return;
        }
        if remade(self.f, self.shapes, value) {
            let f = self.f;
            f.op(value).each(|operand| self.keep(operand));
        } else {
            self.plan.kept.insert(value);
        }
    }
}

/// Whether a value is made again where another piece wants it, which costs less than keeping it:
/// a step or two of integer arithmetic on inputs and on what is uniform, and comparisons of those. Of a comparison that is
/// made again, later passes see what it compares.
pub(super) fn remade(f: &Function, shapes: &Shapes, value: Value) -> bool {
    fn within(f: &Function, shapes: &Shapes, value: Value, steps: u32) -> bool {
        let integer = |ty: Ty| matches!(ty, Ty::I32 | Ty::U32);
        let fits = integer(f.ty(value)) || f.ty(value) == Ty::Bool;
        let mut all = steps > 0 && cost::is_plain(f, value) && fits && shapes.of(value) != Shape::Uniform;
        f.op(value).each(|operand| {
            let there = f.is_input(operand) || shapes.of(operand) == Shape::Uniform;
            // In this order: what is made of much would be looked through again and again.
            all = all && integer(f.ty(operand)) && (there || within(f, shapes, operand, steps - 1));
        });
        all
    }
    within(f, shapes, value, cost::REMADE_STEPS)
}
