//! Loop versioning: loops that count up to a bound which one question before the loop shows to lie within the
//! buffers that they index: a second form of the loop, without checks of those indices, and,
//! where the counter goes one by one through a short way, without polls.
//!
//! The question is asked of machine registers, and so are the loop's own tests: `first < end`
//! before it and `next < end` at each jump back. So `counter < end` in every turn, whatever the
//! lanes are, and `end <= length` then bounds the counter as an index. Only counters that are one
//! scalar for the lane group are looked at: elsewhere a register holds more than a test has seen.
//!
//! Loops of a few turns are as much question as loop. So each part of the question is a branch of
//! its own, of all lengths only the least is asked about, and what the test right before the loop
//! has shown is not asked again.

use std::collections::BTreeSet;

use super::copy::Copy;
use super::fold::Literals;
use super::shown::{indexed, shown};
use crate::cost;
use crate::ir::{Back, Binary, End, Function, Label, LabelKind, Lanes, Mem, Memory, Node, Op, Region, Ty, Value};
use crate::shape::Shapes;

const NAME: &str = "version";

/// Gives loops their second form; whether any got one.
pub(crate) fn version(f: &mut Function, shapes: &Shapes) -> bool {
    let mut body = std::mem::take(&mut f.body);
    // Elsewhere lanes may have gone while the code goes on.
    let together = shapes.width == 1 && !body.has_barrier();
    let mut version =
        Version { literals: Literals::of(f), f, shapes, together, around: Vec::new(), left: cost::VERSION_LOOPS };
    version.region(&mut body);
    let changed = version.left < cost::VERSION_LOOPS;
    f.body = body;
    changed
}

struct Version<'a> {
    f: &'a mut Function,
    shapes: &'a Shapes,
    literals: Literals,
    /// Whether code behind a test runs only where the test has let somebody through.
    together: bool,
    /// The loops around the current place.
    around: Vec<Label>,
    left: u32,
}

/// A loop that counts up to a bound.
struct Counting {
    counter: Value,
    first: Value,
    end: Value,
    /// One more in each turn.
    by_one: bool,
    /// The buffers that it indexes by its counter.
    rows: BTreeSet<u32>,
}

impl Version<'_> {
    fn region(&mut self, region: &mut Region) {
        let mut nodes = Vec::with_capacity(region.nodes.len());
        for mut node in std::mem::take(&mut region.nodes) {
            match &mut node {
                Node::Let(_) | Node::Store { .. } | Node::Barrier => {}
                Node::If { accept, reject, .. } => [accept, reject].into_iter().for_each(|arm| self.region(arm)),
                Node::Block { body, .. } => self.region(body),
                Node::Loop { label, body, .. } => {
                    self.around.push(*label);
                    self.region(body);
                    self.around.pop();
                }
            }
            let Node::Loop { label, .. } = node else {
                nodes.push(node);
                continue;
            };
            match self.counting(&node) {
                Ok(counting) => {
                    self.f.done(NAME, label, self.told(&counting));
                    self.twice(node, &counting, &mut nodes);
                }
                Err(because) => {
                    self.f.missed(NAME, label, because);
                    nodes.push(node);
                }
            }
        }
        region.nodes = nodes;
    }

    /// What the second form rests on.
    fn told(&self, counting: &Counting) -> String {
        let rows = counting.rows.iter().map(|row| {
            let is = |memory: &Memory| matches!(memory, Memory::Buffer { row: other, .. } if other == row);
            let memory = self.f.memories.iter().position(is);
            memory.map_or_else(|| format!("buffer {row}"), |at| self.f.called(Mem(at as u32)))
        });
        let rows: Vec<String> = rows.collect();
        format!("a form without checks of {}, for bounds that lie within", rows.join(" and "))
    }

    /// A loop as one that counts, or why it is none.
    fn counting(&self, node: &Node) -> Result<Counting, &'static str> {
        const OTHER: &str = "it does not end in a test of a counter against a bound";
        let Node::Loop { label, params, init, body } = node else { return Err(OTHER) };
        if self.left == 0 {
            return Err("enough loops have two forms");
        }
        if self.f.interchanged.iter().any(|at| at.rest == Some(*label)) {
            return Err("it does what an interchanged loop leaves");
        }
        if node.has_barrier() {
            return Err("there are barriers in it");
        }
        if cost::work(self.f, body) > cost::VERSION_WORK {
            return Err("a turn does so much that checks are lost in it");
        }
        let Back::End(args) = body.back(*label) else { return Err("it goes back from several places") };
        let (next, end) = body.nodes.last().and_then(|node| self.last_test(node)).ok_or(OTHER)?;
        let at = args.iter().position(|&arg| arg == next).ok_or(OTHER)?;
        let (counter, first) = (params[at], init[at]);
        let made = body.made();
        let scalar = |value: Value| self.shapes.of(value).is_scalar();
        if self.f.ty(counter) != Ty::U32 {
            return Err("its counter is not unsigned");
        }
        if params.contains(&end) || made.contains(&end) {
            return Err("its bound may change from turn to turn");
        }
        if ![counter, first, end].into_iter().all(scalar) {
            return Err("its counter or its bound differs between lanes");
        }
        let one = |value: Value| self.f.constant(value) == Some(1);
        let by_one = match *self.f.op(next) {
            Op::Binary(Binary::Add, a, b) => (a == counter && one(b)) || (b == counter && one(a)),
            _ => false,
        };
        let rows = indexed(self.f, body, counter);
        if rows.is_empty() {
            return Err("no check in it is about its counter");
        }
        Ok(Counting { counter, first, end, by_one, rows })
    }

    /// Which number is below which where the loop goes on after its last test.
    fn last_test(&self, node: &Node) -> Option<(Value, Value)> {
        let exit = node.exit()?;
        match *self.f.op(exit.condition) {
            Op::Binary(Binary::Ge, next, end) if exit.holds => Some((next, end)),
            Op::Binary(Binary::Lt, next, end) if !exit.holds => Some((next, end)),
            _ => None,
        }
    }

    /// The loop in both forms, and the question between them.
    fn twice(&mut self, node: Node, counting: &Counting, nodes: &mut Vec<Node>) {
        self.left -= 1;
        let mut fast = Copy::new(self.f, &mut self.literals, &[], &[])
            .region(&Region { nodes: vec![node.clone()], end: End::Unreachable });
        let [Node::Loop { label, params, body, .. }] = &mut fast.nodes[..] else {
            unreachable!("invariant copies: the copy of a loop is a loop")
        };
        let Node::Loop { params: before, .. } = &node else { unreachable!("invariant asked: of a loop") };
        let at = before.iter().position(|&param| param == counting.counter);
        let counter = params[at.unwrap_or_else(|| unreachable!("invariant asked: a counter is a parameter"))];
        let (label, work) = (*label, cost::work(self.f, body).max(1));
        // One scalar, which both tests have seen.
        counting.rows.iter().for_each(|&row| shown(self.f, body, counter, row, Lanes::Scalar));
        let mut questions = Vec::new();
        let tested = nodes.last().and_then(|node| self.last_test(node));
        let mut asked = Vec::new();
        if !self.together || tested != Some((counting.first, counting.end)) {
            asked.push((Binary::Lt, counting.first, counting.end));
        }
        let lengths: Vec<Value> = counting.rows.iter().map(|&row| self.f.define(Ty::U32, Op::Length { row })).collect();
        let least =
            lengths.into_iter().reduce(|a, b| self.f.emit(Ty::U32, Op::Binary(Binary::Min, a, b), &mut questions));
        asked.extend(least.map(|least| (Binary::Le, counting.end, least)));
        if counting.by_one {
            let way = self.f.emit(Ty::U32, Op::Binary(Binary::Sub, counting.end, counting.first), &mut questions);
            let short = self.literals.value(self.f, Ty::U32, cost::UNPOLLED_WORK / work);
            asked.push((Binary::Le, way, short));
            self.f.bounded.insert(label);
            // What is around it may take its time now.
            self.around.iter().for_each(|label| _ = self.f.bounded.remove(label));
        }
        let slow = self.f.label(LabelKind::Block);
        for (op, a, b) in asked {
            let condition = self.f.emit(Ty::Bool, Op::Binary(op, a, b), &mut questions);
            let no = Region { nodes: Vec::new(), end: End::Jump(slow, Vec::new()) };
            questions.push(Node::If { condition, accept: Region::default(), reject: no, results: Vec::new() });
        }
        questions.append(&mut fast.nodes);
        let body = Region { nodes: questions, end: End::Unreachable };
        nodes.extend([Node::Block { label: slow, body, results: Vec::new() }, node]);
    }
}
