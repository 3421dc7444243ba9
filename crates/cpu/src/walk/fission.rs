//! Cutting a workgroup's program at its barriers.
//!
//! What lies between barriers is a piece: a loop over lane groups. Nodes that contain a
//! barrier, or that take the whole workgroup away, run once for the workgroup, around the
//! pieces (their conditions are uniform, or `program` would have refused the kernel). A value
//! that one piece makes and another uses is kept in scratch, or made again where that is cheap.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::ir::{Binary, End, Function, Label, Node, Op, Region, Ty, Value};
use crate::shape::{Shape, Shapes};

/// What must be remembered between pieces.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Plan {
    /// Values used in another piece than the one that makes them.
    pub(crate) kept: BTreeSet<Value>,
    /// Values that are kept in the place of another: a loop's parameter for the next turn, what a
    /// block gives for what comes to it.
    pub(crate) homes: BTreeMap<Value, Value>,
    /// Labels of nodes that stand alone.
    pub(crate) outer: BTreeSet<Label>,
}

impl Plan {
    /// Whose place a value is kept in; that of a value which is kept in another's is the other's.
    pub(crate) fn home(&self, mut value: Value) -> Value {
        while let Some(&home) = self.homes.get(&value) {
            value = home;
        }
        value
    }
}

/// Nodes of a region, cut: each piece is a range without barriers, each other node stands alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
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
        Node::Let(_) | Node::Store { .. } | Node::Barrier | Node::Block { .. } | Node::Loop { .. } => false,
    };
    node.has_barrier() || jumps_to(node, &together()) || uniform && jumps_to(node, outer)
}

/// The parts of a region, in order. `outer` are the labels around it whose nodes stand alone.
pub(crate) fn parts(region: &Region, outer: &BTreeSet<Label>, shapes: &Shapes) -> Vec<Part> {
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

/// Whether a node jumps to one of these labels.
pub(crate) fn jumps_to(node: &Node, labels: &BTreeSet<Label>) -> bool {
    let mut found = false;
    for region in node.regions() {
        region.visit(&mut |region| {
            found |= matches!(&region.end, End::Jump(label, _) if labels.contains(label));
        });
    }
    found
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

/// Finds what must be remembered.
pub(crate) fn plan(f: &Function, shapes: &Shapes) -> Plan {
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
                Part::Piece(range) => region.nodes[range].iter().for_each(|node| self.inner(node)),
                Part::Whole(i) => self.whole(&region.nodes[i]),
            }
        }
        self.piece += 1;
        if let End::Fall(args) | End::Jump(_, args) = &region.end {
            args.iter().for_each(|&arg| self.keep(arg));
        }
    }

    fn whole(&mut self, node: &Node) {
        match node {
            Node::Let(_) | Node::Store { .. } => unreachable!("invariant fission: plain nodes are in pieces"),
            Node::Barrier => {}
            Node::If { condition, accept, reject, results } => {
                self.keep(*condition);
                results.iter().for_each(|&result| self.keep(result));
                self.outer(accept);
                self.outer(reject);
            }
            Node::Block { label, body, results } => {
                results.iter().for_each(|&result| self.keep(result));
                self.outer(body);
                self.stay(*label, results, body);
            }
            Node::Loop { label, params, init, body } => {
                init.iter().chain(params).for_each(|&value| self.keep(value));
                self.outer(body);
                self.settle(*label, params, body);
            }
        }
    }

    /// Finds the parameters that nobody wants any more when the next turn's values are made, which
    /// can then take their places. Not if lanes may go on to the next turn ahead of the others.
    fn settle(&mut self, label: Label, params: &[Value], body: &Region) {
        let End::Jump(to, args) = &body.end else { return };
        if *to != label || self.shapes.parted.contains(&label) {
            return;
        }
        for (&param, &arg) in params.iter().zip(args) {
            let own = body.nodes.iter().any(|node| match node {
                Node::Let(value) => *value == arg,
                Node::If { results, .. } | Node::Block { results, .. } => results.contains(&arg),
                Node::Store { .. } | Node::Barrier | Node::Loop { .. } => false,
            });
            let over = self.last.get(&param) <= self.made.get(&arg);
            let alike = self.shapes.of(param) == self.shapes.of(arg) && self.f.ty(param) == self.f.ty(arg);
            if own && over && alike && self.plan.kept.contains(&arg) && !self.plan.homes.contains_key(&arg) {
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
        let mut inside = BTreeSet::new();
        made_in(body, &mut inside);
        let mut taken = BTreeSet::new();
        for (&result, &arg) in results.iter().zip(*args) {
            let home = self.plan.home(arg);
            let alike = self.shapes.of(result) == self.shapes.of(arg) && self.f.ty(result) == self.f.ty(arg);
            let own = inside.contains(&home) && self.plan.kept.contains(&home) && taken.insert(home);
            if own && alike {
                self.plan.homes.insert(result, home);
            }
        }
    }

    /// A node inside a piece.
    fn inner(&mut self, node: &Node) {
        match node {
            Node::Let(value) => {
                self.f.op(*value).each(|operand| self.used(operand));
                self.make(*value);
            }
            Node::Store { at, value } => {
                at.each(|index| self.used(index));
                self.used(*value);
            }
            Node::Barrier => unreachable!("invariant fission: pieces have no barriers"),
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
            match &region.end {
                End::Fall(args) => args.iter().for_each(|&arg| self.used(arg)),
                End::Jump(label, args) => {
                    let outer = self.plan.outer.contains(label);
                    args.iter().for_each(|&arg| if outer { self.keep(arg) } else { self.used(arg) });
                }
                End::Unreachable => {}
            }
        }
    }

    fn make(&mut self, value: Value) {
        self.made.insert(value, self.piece);
    }

    fn used(&mut self, value: Value) {
        self.last.insert(value, self.piece);
        if self.made.get(&value).is_some_and(|&piece| piece != self.piece) {
            self.keep(value);
        }
    }

    fn keep(&mut self, value: Value) {
        self.last.insert(value, self.piece);
        if remade(self.f, self.shapes, value) {
            let f = self.f;
            f.op(value).each(|operand| self.keep(operand));
        } else if !is_input(self.f, value) {
            self.plan.kept.insert(value);
        }
    }
}

/// What a region makes, its loops' parameters included.
fn made_in(region: &Region, into: &mut BTreeSet<Value>) {
    region.visit(&mut |region| {
        for node in &region.nodes {
            match node {
                Node::Let(value) => _ = into.insert(*value),
                Node::If { results: values, .. }
                | Node::Block { results: values, .. }
                | Node::Loop { params: values, .. } => into.extend(values),
                Node::Store { .. } | Node::Barrier => {}
            }
        }
    });
}

/// Whether a value is there without being made.
pub(crate) fn is_input(f: &Function, value: Value) -> bool {
    matches!(f.op(value), Op::Const(_) | Op::Builtin(_) | Op::Length { .. })
}

/// Whether a value is made again where another piece wants it, which costs less than keeping it:
/// a step or two of integer arithmetic on inputs and on what is uniform.
pub(crate) fn remade(f: &Function, shapes: &Shapes, value: Value) -> bool {
    fn within(f: &Function, shapes: &Shapes, value: Value, steps: u32) -> bool {
        let cheap = match f.op(value) {
            Op::Binary(op, ..) => matches!(op, Binary::Add | Binary::Sub | Binary::Mul | Binary::Shl | Binary::And),
            Op::Convert(_) | Op::Bitcast(_) => true,
            _ => false,
        };
        let integer = |ty: Ty| matches!(ty, Ty::I32 | Ty::U32);
        let mut all = steps > 0 && cheap && integer(f.ty(value)) && shapes.of(value) != Shape::Uniform;
        f.op(value).each(|operand| {
            let there = is_input(f, operand) || shapes.of(operand) == Shape::Uniform;
            // In this order: what is made of much would be looked through again and again.
            all = all && integer(f.ty(operand)) && (there || within(f, shapes, operand, steps - 1));
        });
        all
    }
    within(f, shapes, value, 2)
}

/// What nodes use but do not make.
pub(crate) fn wanted(f: &Function, nodes: &[Node]) -> BTreeSet<Value> {
    let (mut used, mut made) = (BTreeSet::new(), HashSet::new());
    uses(f, nodes, &mut used, &mut made);
    used.retain(|value| !made.contains(value) && !is_input(f, *value));
    used
}

/// What a function uses.
pub(crate) fn used(f: &Function) -> BTreeSet<Value> {
    let mut used = BTreeSet::new();
    uses(f, &f.body.nodes, &mut used, &mut HashSet::new());
    used
}

fn uses(f: &Function, nodes: &[Node], used: &mut BTreeSet<Value>, made: &mut HashSet<Value>) {
    for node in nodes {
        match node {
            Node::Let(value) => {
                f.op(*value).each(|operand| {
                    used.insert(operand);
                });
                made.insert(*value);
            }
            Node::Store { at, value } => {
                at.each(|index| {
                    used.insert(index);
                });
                used.insert(*value);
            }
            Node::Barrier => {}
            Node::If { condition, results, .. } => {
                used.insert(*condition);
                made.extend(results);
            }
            Node::Block { results, .. } => made.extend(results),
            Node::Loop { params, init, .. } => {
                used.extend(init);
                made.extend(params);
            }
        }
        for region in node.regions() {
            uses(f, &region.nodes, used, made);
            if let End::Fall(args) | End::Jump(_, args) = &region.end {
                used.extend(args);
            }
        }
    }
}

/// Every label that a node declares.
pub(crate) fn declared(node: &Node, into: &mut HashSet<Label>) {
    if let Node::Block { label, .. } | Node::Loop { label, .. } = node {
        into.insert(*label);
    }
    for region in node.regions() {
        region.nodes.iter().for_each(|node| declared(node, into));
    }
}
