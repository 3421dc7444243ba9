//! What the absence of a check rests on, derived once more.
//!
//! A pass that drops the check of an index says for which lanes it has been shown to be below its bound
//! ([`Lanes`]). Memory safety does not rest on that word: here it is derived from the program alone, from the
//! comparisons that control has passed on its way and from what numbers are made of, without a look at any pass. What
//! cannot be derived loses its word, and is checked like any other index.
//!
//! The rules, for an index `i` and its bound `n`:
//! - `Scalar`: `i < e` and `e <= n`, by comparisons of scalars, which hold for the whole lane group. A parameter of a
//!   loop is below `e` if it is so at first and at every jump back; a strip of a loop ends within the loop; and what
//!   stays the same may be added, if there is room for it.
//! - `Ramp`: `i` is `a * l + r` in lane `l`, with `r` the same for all. The first lane's number is no greater than the
//!   last one's, which is below `n`, and the way between them is shorter than 2³²: none of them wraps around.
//! - `Even`: the same, counted with 64 bits.
//!
//! Numbers are compared by what they are, not by where they were computed ([`numbers`]).

mod numbers;

use std::cell::Cell;
use std::collections::{HashMap, HashSet};

use numbers::{Numbers, Sum};

use crate::affine;
use crate::divergence::Shapes;
use crate::ir::{
    Address, Binary, Bound, Each, End, Function, Group, Label, Lanes, Node, Op, Region, Shape, Term, Ty, Value,
};

const NAME: &str = "witness";

/// How far a chain of comparisons, or what a number is made of, is followed.
const DEPTH_MAX: u32 = 6;

/// Steps of that for a whole function, and goals of a loop: programs of a stranger may have thousands of comparisons.
const STEPS_MAX: u32 = 1 << 16;
const GOALS_MAX: usize = 8;

/// Lets only that stand of scalars and ramps which can be derived; in the SPMD form.
pub(crate) fn spmd(f: &mut Function, shapes: &Shapes) -> bool {
    settle(f, shapes, &|lanes| matches!(lanes, Lanes::Scalar | Lanes::Ramp(_)));
    false
}

/// The same of what was counted evenly; in the group form.
pub(crate) fn group(f: &mut Function, shapes: &Shapes) -> bool {
    settle(f, shapes, &|lanes| matches!(lanes, Lanes::Even(_)));
    false
}

fn settle(f: &mut Function, shapes: &Shapes, asked: &dyn Fn(Lanes) -> bool) {
    if !has_any(f, &f.body, asked) {
        return;
    }
    let mut derive = Derive {
        f,
        shapes,
        asked,
        numbers: Numbers::of(f),
        facts: Vec::new(),
        goals: HashMap::new(),
        failed: HashSet::new(),
        doubts: Vec::new(),
        steps: Cell::new(STEPS_MAX),
    };
    derive.region(&f.body);
    let steps_left = derive.steps.get();
    let mut doubts = derive.doubts;
    doubts.sort_by_key(|&(index, _)| index);
    doubts.dedup();
    if doubts.is_empty() {
        return;
    }
    // Our passes say nothing that cannot be derived, given time; tests of this one lie on purpose.
    if cfg!(debug_assertions) && !cfg!(test) && steps_left > 0 {
        unreachable!("invariant witness: {doubts:?} cannot be derived\n{}", f.text(&|_| String::new()));
    }
    for &(index, _) in &doubts {
        f.missed(NAME, index, "what a pass has shown cannot be derived: it is checked");
    }
    let unsay = |at: &mut Address| {
        let doubted = at.terms.iter_mut().filter(|term| doubts.contains(&(term.index, term.bound)));
        doubted.for_each(|term| term.shown = None);
    };
    for def in &mut f.values {
        if let Op::Load { at, .. } | Op::Atomic { at, .. } = &mut def.op {
            unsay(at);
        }
    }
    each_store(&mut f.body, &unsay);
}

fn each_store(region: &mut Region, change: &dyn Fn(&mut Address)) {
    for node in &mut region.nodes {
        if let Node::Store { at, .. } = node {
            change(at);
        }
        node.regions_mut().for_each(|region| each_store(region, change));
    }
}

/// Whether a region has an index without a check of this sort.
fn has_any(f: &Function, region: &Region, asked: &dyn Fn(Lanes) -> bool) -> bool {
    let place = |at: &Address| at.terms.iter().any(|term| term.shown.is_some_and(asked));
    let mut found = false;
    region.visit(&mut |region| {
        found = found
            || region.nodes.iter().any(|node| match node {
                Node::Let(value) => match f.op(*value) {
                    Op::Load { at, .. } | Op::Atomic { at, .. } => place(at),
                    _ => false,
                },
                Node::Store { at, .. } => place(at),
                Node::Barrier | Node::If { .. } | Node::Block { .. } | Node::Loop { .. } | Node::Group(_) => false,
            });
    });
    found
}

/// One number is below another, or no greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Fact {
    strict: bool,
    less: Value,
    more: Value,
}

struct Derive<'a> {
    f: &'a Function,
    shapes: &'a Shapes,
    asked: &'a dyn Fn(Lanes) -> bool,
    numbers: Numbers,
    /// What comparisons on the way to here tell.
    facts: Vec<Fact>,
    /// By loop: parameters that should be below a number at each jump back.
    goals: HashMap<Label, Vec<(usize, Value)>>,
    /// Those that are not, and will not be with fewer facts either.
    failed: HashSet<(Label, usize, Value)>,
    doubts: Vec<(Value, Bound)>,
    steps: Cell<u32>,
}

impl Derive<'_> {
    fn region(&mut self, region: &Region) {
        let before = self.facts.len();
        for node in &region.nodes {
            self.node(node);
        }
        if let End::Jump(label, args) = &region.end {
            let goals = self.goals.get(label).cloned().unwrap_or_default();
            for (i, end) in goals {
                if !self.is_less(true, args[i], end, DEPTH_MAX) {
                    self.failed.insert((*label, i, end));
                }
            }
        }
        self.facts.truncate(before);
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Let(value) => {
                if let Op::Load { at, .. } | Op::Atomic { at, .. } = self.f.op(*value) {
                    self.place(at);
                }
                self.strip(*value);
            }
            Node::Store { at, .. } => self.place(at),
            Node::Barrier => {}
            Node::If { condition, accept, reject, .. } => {
                for (arm, holds) in [(accept, true), (reject, false)] {
                    let before = self.facts.len();
                    self.learn(*condition, holds);
                    self.region(arm);
                    self.facts.truncate(before);
                }
                // Whoever comes past an exit did not take it.
                if let Some(exit) = node.exit() {
                    self.learn(*condition, !exit.holds);
                }
            }
            Node::Block { body, .. } => self.region(body),
            Node::Loop { label, params, init, body } => self.turns(*label, params, init, body),
            Node::Group(Group::Each(Each { body, .. }) | Group::Workgroups(body)) => self.region(body),
            Node::Group(
                Group::Keep { .. } | Group::Zero(_) | Group::Clear | Group::Prefetch(_) | Group::Compress { .. },
            ) => {}
        }
    }

    /// A loop, with what holds for its parameters in every turn: it does at first, and at each jump back if it did
    /// before.
    fn turns(&mut self, label: Label, params: &[Value], init: &[Value], body: &Region) {
        let mut goals: Vec<(usize, Value)> = Vec::new();
        if has_any(self.f, body, self.asked) {
            for (i, &first) in init.iter().enumerate() {
                let ends = self.facts.iter().filter(|fact| fact.strict && self.is_same(fact.less, first));
                goals.extend(ends.map(|fact| (i, fact.more)));
            }
            goals.truncate(GOALS_MAX);
        }
        loop {
            goals.retain(|&(i, end)| !self.failed.contains(&(label, i, end)));
            let (facts, doubts) = (self.facts.len(), self.doubts.len());
            self.facts.extend(goals.iter().map(|&(i, more)| Fact { strict: true, less: params[i], more }));
            self.goals.insert(label, goals.clone());
            self.region(body);
            self.goals.remove(&label);
            self.facts.truncate(facts);
            if !goals.iter().any(|&(i, end)| self.failed.contains(&(label, i, end))) {
                return;
            }
            self.doubts.truncate(doubts);
        }
    }

    /// What a condition tells where it holds, or where it does not. Of lanes that part, the others are not told.
    fn learn(&mut self, condition: Value, holds: bool) {
        if !self.shapes.of(condition).is_scalar() {
            return;
        }
        match *self.f.op(condition) {
            Op::Binary(Binary::And, a, b) if holds => [a, b].into_iter().for_each(|side| self.learn(side, true)),
            Op::Binary(op, a, b) if matches!(self.f.ty(a), Ty::U32 | Ty::U64) => {
                let Some(op) = (if holds { Some(op) } else { op.opposite(self.f.ty(a)) }) else { return };
                let (strict, less, more) = match op {
                    Binary::Lt => (true, a, b),
                    Binary::Le => (false, a, b),
                    Binary::Gt => (true, b, a),
                    Binary::Ge => (false, b, a),
                    _ => return,
                };
                self.facts.push(Fact { strict, less, more });
            }
            _ => {}
        }
    }

    /// The end of a strip, `a + min(e - a, s)`: where `a` is below `e`, it is above `a` and no greater than `e`.
    fn strip(&mut self, value: Value) {
        let Op::Binary(Binary::Add, less, way) = *self.f.op(value) else { return };
        let Op::Binary(Binary::Min, left, strip) = *self.f.op(way) else { return };
        let Op::Binary(Binary::Sub, end, start) = *self.f.op(left) else { return };
        let some = self.f.constant(strip).is_some_and(|strip| strip > 0) && self.f.ty(value) == Ty::U32;
        if some && self.is_same(less, start) && self.is_less(true, less, end, DEPTH_MAX) {
            self.facts
                .extend([Fact { strict: true, less, more: value }, Fact { strict: false, less: value, more: end }]);
        }
    }

    fn place(&mut self, at: &Address) {
        for term in &at.terms {
            let Some(lanes) = term.shown.filter(|&lanes| (self.asked)(lanes)) else { continue };
            let derived = match lanes {
                Lanes::Scalar => self.is_below(term) || self.is_ahead_below(term),
                Lanes::Ramp(lanes) => self.is_ramp_below(term, lanes),
                Lanes::Even(lanes) => self.is_even_below(term, lanes),
            };
            if !derived {
                self.doubts.push((term.index, term.bound));
            }
        }
    }

    /// One step further, if there is one left.
    fn step(&self, depth: u32) -> Option<u32> {
        self.steps.set(self.steps.get().checked_sub(1)?);
        depth.checked_sub(1)
    }

    fn is_same(&self, a: Value, b: Value) -> bool {
        self.numbers.is_same(a, b)
    }

    /// Whether a number is below another, or no greater, by a chain of what is known.
    fn is_less(&self, strict: bool, a: Value, b: Value, depth: u32) -> bool {
        if !strict && self.is_same(a, b) {
            return true;
        }
        if let (Some(a), Some(b)) = (self.f.constant(a), self.f.constant(b)) {
            return if strict { a < b } else { a <= b };
        }
        let Some(depth) = self.step(depth) else { return false };
        if let Op::Binary(Binary::Min, x, y) = *self.f.op(b) {
            return self.is_less(strict, a, x, depth) && self.is_less(strict, a, y, depth);
        }
        let least = match *self.f.op(a) {
            Op::Binary(Binary::Min, x, y) => [x, y].into_iter().any(|side| self.is_less(strict, side, b, depth)),
            _ => false,
        };
        let widened = match (self.f.op(a), self.f.op(b)) {
            (Op::Convert(x), Op::Convert(y)) if [*x, *y].iter().all(|&side| self.f.ty(side) == Ty::U32) => {
                self.is_less(strict, *x, *y, depth)
            }
            _ => false,
        };
        least
            || widened
            || self
                .facts
                .iter()
                .any(|fact| self.is_same(fact.less, a) && self.is_less(strict && !fact.strict, fact.more, b, depth))
    }

    /// Whether a number is no greater than a bound, by a chain of what is known.
    fn is_within(&self, value: Value, bound: Bound, depth: u32) -> bool {
        if self.is_limit(value, bound) {
            return true;
        }
        let Some(depth) = self.step(depth) else { return false };
        let least = match *self.f.op(value) {
            Op::Binary(Binary::Min, a, b) => [a, b].into_iter().any(|side| self.is_within(side, bound, depth)),
            _ => false,
        };
        let more = |fact: &Fact| self.is_same(fact.less, value) && self.is_within(fact.more, bound, depth);
        least || self.facts.iter().any(more)
    }

    /// Whether a number is the bound itself, in 32 bits or in 64.
    fn is_limit(&self, value: Value, bound: Bound) -> bool {
        match (self.f.op(value), bound) {
            (Op::Length { row }, Bound::Length { row: other }) => *row == other,
            (Op::Const(n), Bound::Const(bound)) => *n <= bound.into(),
            (Op::Convert(inner), _) if self.f.ty(*inner) == Ty::U32 => self.is_limit(*inner, bound),
            _ => false,
        }
    }

    /// A scalar that is below something which is no greater than its bound.
    fn is_below(&self, term: &Term) -> bool {
        self.shapes.of(term.index).is_scalar()
            && self.facts.iter().any(|fact| {
                fact.strict && self.is_same(fact.less, term.index) && self.is_within(fact.more, term.bound, DEPTH_MAX)
            })
    }

    /// The sum of what stays the same and a counter, `b + c`: with `b <= m`, `c < m - b` and `m` no greater than the
    /// bound, neither the difference nor the sum wraps around.
    fn is_ahead_below(&self, term: &Term) -> bool {
        let Op::Binary(Binary::Add, x, y) = *self.f.op(term.index) else { return false };
        self.shapes.of(term.index).is_scalar()
            && self.facts.iter().any(|fact| {
                let Op::Binary(Binary::Sub, most, base) = *self.f.op(fact.more) else { return false };
                let counts = |counter: Value, other: Value| {
                    self.is_same(other, base) && self.is_less(true, counter, fact.more, DEPTH_MAX)
                };
                self.is_less(false, base, most, DEPTH_MAX)
                    && self.is_within(most, term.bound, DEPTH_MAX)
                    && (counts(x, y) || counts(y, x))
            })
    }

    /// What an index is in the first lane and in the last, if it is the same for all but for its local indices.
    fn ends(&self, index: Value, lanes: u32) -> Option<[Sum; 2]> {
        let sum = self.numbers.sum(index);
        let alike = sum.parts.keys().all(|&part| self.shapes.of(part) == Shape::Uniform);
        // The way from the first lane to the last is no more than what a number can hold.
        let way = u64::from(sum.local) * u64::from(lanes.saturating_sub(1));
        if !alike || way > u32::MAX.into() {
            return None;
        }
        let first = Sum { local: 0, ..sum };
        let last = Sum { literal: first.literal.wrapping_add(way as u32), ..first.clone() };
        Some([first, last])
    }

    fn is_ramp_below(&self, term: &Term, lanes: u32) -> bool {
        let Some([first, last]) = self.ends(term.index, lanes) else { return false };
        let is = |value: Value, sum: &Sum| self.f.ty(value) == Ty::U32 && self.numbers.sum(value) == *sum;
        let ordered = first == last || self.facts.iter().any(|fact| is(fact.less, &first) && is(fact.more, &last));
        let below = self
            .facts
            .iter()
            .any(|fact| fact.strict && is(fact.less, &last) && self.is_within(fact.more, term.bound, DEPTH_MAX));
        ordered && below
    }

    fn is_even_below(&self, term: &Term, lanes: u32) -> bool {
        let Some(even) = affine::even(self.f, term.index, &|value| self.shapes.of(value) == Shape::Uniform) else {
            return false;
        };
        let ahead = u64::from(even.ahead) + u64::from(even.step) * u64::from(lanes.saturating_sub(1));
        let Some([root, _]) = self.ends(even.root, 1) else { return false };
        let known = root.parts.is_empty()
            && matches!(term.bound, Bound::Const(n) if u64::from(root.literal) + ahead < n.into());
        known
            || self.facts.iter().any(|fact| {
                let asked = self
                    .counted(fact.less)
                    .is_some_and(|(start, more)| more >= ahead && self.numbers.sum(start) == root);
                fact.strict && asked && self.is_within(fact.more, term.bound, DEPTH_MAX)
            })
    }

    /// A number of 64 bits as one of 32 and a literal, whose sum does not wrap around.
    fn counted(&self, value: Value) -> Option<(Value, u64)> {
        let (number, literal) = match *self.f.op(value) {
            Op::Binary(Binary::Add, a, b) if self.f.ty(value) == Ty::U64 => (a, self.f.constant(b)?),
            _ => (value, 0),
        };
        match *self.f.op(number) {
            Op::Convert(start) if self.f.ty(start) == Ty::U32 && self.f.ty(number) == Ty::U64 => {
                (literal <= u64::MAX - u64::from(u32::MAX)).then_some((start, literal))
            }
            _ => None,
        }
    }
}
