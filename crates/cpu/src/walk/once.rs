//! Bounds that are asked about once for all lane groups of a piece.
//!
//! A number that grows by the same from invocation to invocation is below a bound in all of them if
//! it is in the last one, counted in 64 bits so that it cannot wrap. Where that is not known already,
//! the piece is written twice: for workgroups in which every such number is below its bounds, without
//! any further question; and for the others, with all of them. What a place is then made of does not
//! wrap either, so that each lane group finds it by one addition.

use std::collections::{BTreeMap, HashMap};

use super::Walk;
use super::control::Flow;
use super::unswitch::Span;
use crate::affine;
use crate::cost;
use crate::emit::Emit;
use crate::ir::{Address, Binary, Bound, Builtin, Node, Op, Region, Term, Ty, Value};
use crate::shape::Shape;

const NAME: &str = "once";

/// A number that grows evenly along the workgroup: `root` and `ahead` in its first invocation, and
/// `step` more in each that follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Even {
    root: Value,
    step: u32,
    ahead: u32,
}

/// What a number must be below.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Limit {
    Bound(Bound),
    Value(Value),
}

/// What holds in every lane of a piece.
#[derive(Debug, Clone)]
pub(super) struct Facts<S> {
    /// Conditions that all lanes agree on.
    conditions: HashMap<Value, bool>,
    /// Indices that do not leave these bounds.
    inside: Vec<(Value, Bound)>,
    /// Indices by what they are in the first invocation, in 64 bits.
    evens: HashMap<Value, (Even, S)>,
}

impl<S> Default for Facts<S> {
    fn default() -> Self {
        Self { conditions: HashMap::new(), inside: Vec::new(), evens: HashMap::new() }
    }
}

/// A question, and what the answer tells.
struct Question {
    index: Value,
    limit: Limit,
    /// A condition that asks it, and whether it holds then.
    condition: Option<(Value, bool)>,
    /// What asks it: what is loaded or stored, or the condition.
    at: Value,
}

impl<E: Emit> Walk<'_, E> {
    /// Writes a piece for its lane groups: `groups` writes it with what is known by then.
    pub(super) fn once_or_twice(
        &mut self,
        nodes: &[Node],
        span: Option<&Span<E::S>>,
        groups: &mut dyn FnMut(&mut Self),
    ) {
        let most = span.map_or(u64::MAX, |span| span.lanes);
        let lanes = self.ranges.lanes.min(most);
        if let Some(span) = span.filter(|span| span.whole) {
            self.facts.conditions.insert(span.condition, true);
        }
        let mut open = Vec::new();
        self.questions(nodes, &mut open);
        let (known, open): (Vec<_>, Vec<_>) = open.into_iter().partition(|question| self.is_known(question, lanes));
        known.iter().for_each(|question| self.facts.learn(question));
        let asked = self.asked(nodes, &open, (lanes, most));
        if asked.is_empty() {
            return self.written(groups);
        }
        let (slow, on) = (self.e.cold_block(), self.e.block());
        let before = self.facts.clone();
        for (even, questions) in asked {
            self.ask(even, &questions, lanes, slow);
        }
        groups(self);
        self.e.jump(on);
        self.e.enter(slow);
        self.facts = before;
        self.e.rare(true);
        self.written(groups);
        self.e.rare(false);
        self.e.jump(on);
        self.e.enter(on);
    }

    /// What is asked before nodes of so many lanes, or of no more than so many.
    fn asked<'q>(
        &self,
        nodes: &[Node],
        open: &'q [Question],
        (lanes, most): (u64, u64),
    ) -> BTreeMap<Even, Vec<&'q Question>> {
        let Some(first) = open.first().map(|question| question.at) else { return BTreeMap::new() };
        if let Err(because) = self.pays(nodes, most) {
            self.f.missed(NAME, first, because);
            return BTreeMap::new();
        }
        let asked = self.sorted(open, lanes);
        if asked.is_empty() {
            self.f.missed(NAME, first, "no index grows evenly along the workgroup");
        } else {
            self.f.done(NAME, first, "one check for a workgroup, from here on, where all its lanes are inside");
        }
        asked
    }

    /// Whether nodes may be written twice, and should be.
    fn pays(&self, nodes: &[Node], lanes_max: u64) -> Result<(), &'static str> {
        let width = self.e.width();
        let groups = u64::from(self.frame.groups).min(lanes_max / u64::from(width));
        if groups < cost::ONCE_GROUPS {
            return Err("there are so few lane groups that each may check for itself");
        }
        if width > 1 && nodes.iter().any(has_loop) {
            return Err("among the turns of a loop the checks are lost");
        }
        if size(nodes) > cost::ONCE_NODES {
            return Err("there is too much to write it twice");
        }
        Ok(())
    }

    /// Questions that can be asked before the piece, by their numbers.
    fn sorted<'q>(&self, open: &'q [Question], lanes: u64) -> BTreeMap<Even, Vec<&'q Question>> {
        let mut sorted: BTreeMap<Even, Vec<&Question>> = BTreeMap::new();
        for question in open {
            let stands = match question.limit {
                Limit::Bound(_) => true,
                Limit::Value(value) => self.step(value) == Some(0),
            };
            // What falls is below no bound in this way.
            let even = self.even(question.index).filter(|even| u64::from(even.step) * lanes < 1 << 31);
            if let Some(even) = even.filter(|_| stands) {
                sorted.entry(even).or_default().push(question);
            }
        }
        sorted
    }

    /// Goes on where a number is below all its limits in so many lanes.
    fn ask(&mut self, even: Even, questions: &[&Question], lanes: u64, slow: E::Block) {
        let start = self.at_first(even.root);
        let start = self.widen(start);
        let ahead = self.u64(u64::from(even.ahead) + u64::from(even.step) * (lanes - 1));
        let last = self.add64(start, ahead);
        let mut limits: Vec<Limit> = Vec::new();
        for question in questions {
            if !limits.contains(&question.limit) {
                limits.push(question.limit);
            }
            self.facts.learn(question);
            self.facts.evens.insert(question.index, (even, start));
        }
        let limits: Vec<E::S> = limits.into_iter().map(|limit| self.limit(limit)).collect();
        let least = limits.into_iter().reduce(|a, b| self.binary(Binary::Min, Ty::U64, a, b));
        let least = least.unwrap_or_else(|| unreachable!("invariant once: a number has a limit"));
        let below = self.binary(Binary::Lt, Ty::U64, last, least);
        let next = self.e.block();
        self.e.branch(below, next, slow);
        self.e.enter(next);
    }

    fn written(&mut self, groups: &mut dyn FnMut(&mut Self)) {
        groups(self);
        self.facts = Facts::default();
    }

    /// What nodes ask that all lanes come to, or those that were let through by another question.
    fn questions(&self, nodes: &[Node], into: &mut Vec<Question>) {
        let place = |at: &Address, value: Value, into: &mut Vec<Question>| {
            let open = at.terms.iter().filter(|term| !self.is_within(term));
            into.extend(open.map(|&Term { index, bound, .. }| Question {
                index,
                limit: Limit::Bound(bound),
                condition: None,
                at: value,
            }));
        };
        for node in nodes {
            match node {
                Node::Let(value) => {
                    if let Op::Load { at, .. } | Op::Atomic { at, .. } = self.f.op(*value) {
                        place(at, *value, into);
                    }
                }
                Node::Store { at, value } => place(at, *value, into),
                Node::Barrier => {}
                Node::If { condition, accept, reject, .. } => {
                    let Some((index, bound, holds)) = self.decides(*condition) else { continue };
                    let (at, condition) = (*condition, Some((*condition, holds)));
                    into.push(Question { index, limit: Limit::Value(bound), condition, at });
                    self.questions(if holds { &accept.nodes } else { &reject.nodes }, into);
                }
                Node::Block { body, .. } | Node::Loop { body, .. } => self.questions(&body.nodes, into),
            }
        }
    }

    /// The number that a condition compares with a bound, and whether it holds below.
    fn decides(&self, condition: Value) -> Option<(Value, Value, bool)> {
        let (index, bound, holds) = match *self.f.op(condition) {
            Op::Binary(Binary::Lt, index, bound) | Op::Binary(Binary::Gt, bound, index) => (index, bound, true),
            Op::Binary(Binary::Ge, index, bound) | Op::Binary(Binary::Le, bound, index) => (index, bound, false),
            _ => return None,
        };
        (self.f.ty(index) == Ty::U32).then_some((index, bound, holds))
    }

    /// Whether literals alone tell that a number is below its limit in so many lanes.
    fn is_known(&self, question: &Question, lanes: u64) -> bool {
        let limit = match question.limit {
            Limit::Bound(Bound::Const(n)) => Some(n.into()),
            Limit::Bound(Bound::Length { .. } | Bound::Shown { .. }) => None,
            Limit::Value(value) => self.f.constant(value),
        };
        let (Some(limit), Some([local, 0, rest])) = (limit, affine::sum(self.f, question.index)) else {
            return false;
        };
        local.checked_mul(lanes - 1).and_then(|last| last.checked_add(rest)).is_some_and(|last| last < limit)
    }

    fn even(&self, index: Value) -> Option<Even> {
        let (mut root, mut ahead) = (index, 0);
        while let Op::Binary(Binary::Add, a, b) = *self.f.op(root)
            && let Some(literal) = self.f.constant(b)
            && ahead + literal <= cost::ONCE_AHEAD
        {
            (root, ahead) = (a, ahead + literal);
        }
        Some(Even { root, step: self.step(root)?, ahead: ahead as u32 })
    }

    /// How much an integer of 32 bits grows from one invocation to the next, if it can be made before the piece.
    fn step(&self, value: Value) -> Option<u32> {
        affine::step(self.f, value, &|value| self.stands(value).then_some(0))
    }

    /// Whether a value is the same for the workgroup, and there before the piece.
    fn stands(&self, value: Value) -> bool {
        let there = match self.f.op(value) {
            Op::Const(_) | Op::Builtin(_) | Op::Length { .. } => true,
            _ => self.shared.contains(&value),
        };
        there && self.shapes.of(value) == Shape::Uniform
    }

    /// What a value is in the first invocation.
    fn at_first(&mut self, value: Value) -> E::S {
        if self.stands(value) {
            return self.same(value);
        }
        match *self.f.op(value) {
            Op::Builtin(Builtin::LocalIndex | Builtin::LocalId(_)) => self.u32(0),
            Op::Binary(op, a, b) => {
                let (a, b) = (self.at_first(a), self.at_first(b));
                self.binary(op, self.f.ty(value), a, b)
            }
            Op::Convert(a) | Op::Bitcast(a) => self.at_first(a),
            _ => unreachable!("invariant once: {value} can be made before the piece"),
        }
    }

    fn limit(&mut self, limit: Limit) -> E::S {
        match limit {
            Limit::Bound(Bound::Const(n)) => self.u64(n.into()),
            Limit::Bound(Bound::Length { row } | Bound::Shown { row, .. }) => self.buffers[&row].1,
            Limit::Value(value) => {
                let number = self.at_first(value);
                self.widen(number)
            }
        }
    }

    /// The pointer for the first lane of the group.
    pub(super) fn first_pointer(&mut self, at: &Address, indices: &[E::S]) -> E::S {
        let evens: Vec<_> = at.terms.iter().map(|term| self.facts.evens.get(&term.index).copied()).collect();
        if evens.is_empty() || evens.iter().any(Option::is_none) {
            return self.pointer(at, indices);
        }
        let (mut pointer, unit) = (self.start(at.memory), self.unit(at));
        let (mut steps, mut offset) = (0, u64::from(at.offset) * unit);
        for (term, (even, start)) in at.terms.iter().zip(evens.into_iter().flatten()) {
            let bytes = u64::from(term.stride) * unit;
            steps += u64::from(even.step) * bytes;
            offset += u64::from(even.ahead) * bytes;
            let bytes = self.u64(bytes);
            let ahead = self.binary(Binary::Mul, Ty::U64, start, bytes);
            pointer = self.add64(pointer, ahead);
        }
        let first = self.first.expect("invariant groups: pieces are written inside a group");
        let (first, steps, offset) = (self.widen(first), self.u64(steps), self.u64(offset));
        let bytes = self.binary(Binary::Mul, Ty::U64, first, steps);
        let pointer = self.add64(pointer, bytes);
        self.add64(pointer, offset)
    }

    /// Whether a place that the questions were about is in memory that nobody writes. Its pointer is
    /// another for each lane group, and so is not made before the questions.
    pub(super) fn is_fixed(&self, at: &Address) -> bool {
        let evens = at.terms.iter().map(|term| self.facts.evens.get(&term.index));
        let moves = evens.clone().flatten().any(|(even, _)| even.step > 0);
        moves && evens.into_iter().all(|even| even.is_some()) && !self.f.memories[at.memory.index()].is_written()
    }

    /// A branch whose condition all lanes agree on.
    pub(super) fn agreed(&mut self, arm: &Region, results: &[Value], partial: bool) -> Flow {
        let (before, awake) = (self.mask.clone(), self.awake);
        let cells = self.cells(results);
        let flow = self.region(arm, &mut |this, args| this.assign(results, &cells, args));
        if flow == Flow::Closed {
            return flow;
        }
        if !partial {
            (self.mask, self.awake) = (before, awake);
        }
        self.read(results, &cells);
        flow
    }
}

impl<S> Facts<S> {
    fn learn(&mut self, question: &Question) {
        match (question.condition, question.limit) {
            (Some((condition, holds)), _) => _ = self.conditions.insert(condition, holds),
            (None, Limit::Bound(bound)) => self.inside.push((question.index, bound)),
            (None, Limit::Value(_)) => unreachable!("invariant once: values are compared by conditions"),
        }
    }

    /// Whether a condition holds, if all lanes agree.
    pub(super) fn holds(&self, condition: Value) -> Option<bool> {
        self.conditions.get(&condition).copied()
    }

    /// Whether an index stays below its bound.
    pub(super) fn is_inside(&self, term: &Term) -> bool {
        self.inside.contains(&(term.index, term.bound))
    }
}

fn has_loop(node: &Node) -> bool {
    matches!(node, Node::Loop { .. }) || node.regions().any(|region| region.nodes.iter().any(has_loop))
}

fn size(nodes: &[Node]) -> usize {
    let inside = |node: &Node| node.regions().map(|region| size(&region.nodes)).sum::<usize>();
    nodes.iter().map(|node| 1 + inside(node)).sum()
}
