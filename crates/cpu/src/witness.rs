//! What the absence of a check rests on, derived once more.
//!
//! A pass that drops the check of an index says for which lanes it has been shown to be below its bound
//! ([`Lanes`]). Memory safety does not rest on that word: when all passes are done, and only code is still to be written,
//! it is derived from the program alone, from the comparisons that control has passed on its way and from what numbers
//! are made of, without a look at any pass. What cannot be derived loses its word, and is checked like any other index.
//!
//! The rules, for an index `i` and its bound `n`:
//! - `Scalar`: `i < e` and `e <= n`, by comparisons of scalars, which hold for the whole lane group. A parameter of a
//!   loop is below `e` if it is so at first and at every jump back; a strip of a loop ends within the loop; and what
//!   stays the same may be added, if there is room for it.
//! - `Ramp`: `i` is `a * l + r` in lane `l`, with `r` the same for all. The first lane's number is no greater than the
//!   last one's, which is below `n`, and the way between them is shorter than 2³²: none of them wraps around.
//! - `Even`: the same, counted with 64 bits.
//!
//! Numbers are compared by what they are, not by where they were computed ([`numbers`]). Where workgroups go together,
//! what was asked for one of them says nothing of another: only what all have answered counts for each.

mod numbers;
mod below;
mod order;

use std::cell::Cell;
use std::collections::{HashMap, HashSet};

use numbers::Numbers;

use crate::divergence::Shapes;
use crate::ir::{Address, Binary, Bound, Each, End, Function, Group, Label, Lanes, Node, Op, Region, Ty, Value};

const NAME: &str = "witness";

/// How far a chain of comparisons, or what a number is made of, is followed.
const DEPTH_MAX: u32 = 6;

/// Steps of that for a whole function, and goals of a loop: programs of a stranger may have thousands of comparisons.
const STEPS_MAX: u32 = 1 << 16;
const GOALS_MAX: usize = 8;

/// Lets only that stand which can be derived.
pub(crate) fn witness(f: &mut Function, shapes: &Shapes) -> bool {
    if has_any(f, &f.body) {
        settle(f, shapes);
    }
    // Marks say nothing of how values lie.
    false
}

fn settle(f: &mut Function, shapes: &Shapes) {
    let mut derive = Derive {
        f,
        shapes,
        numbers: Numbers::of(f),
        facts: Vec::new(),
        one: false,
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
    // Our passes say nothing that cannot be derived, given time and all numbers in sight: in slots they may be lost.
    // Tests of this one lie on purpose.
    if cfg!(debug_assertions) && !cfg!(test) && steps_left > 0 && f.slots.is_empty() {
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
        if let Node::Store { at, .. } | Node::Group(Group::Compress { at, .. }) = node {
            change(at);
        }
        node.regions_mut().for_each(|region| each_store(region, change));
    }
}

/// Whether a region has an index without a check.
fn has_any(f: &Function, region: &Region) -> bool {
    let place = |at: &Address| at.terms.iter().any(|term| term.shown.is_some());
    let mut found = false;
    region.visit(&mut |region| {
        found = found
            || region.nodes.iter().any(|node| match node {
                Node::Let(value) => match f.op(*value) {
                    Op::Load { at, .. } | Op::Atomic { at, .. } => place(at),
                    _ => false,
                },
                Node::Store { at, .. } | Node::Group(Group::Compress { at, .. }) => place(at),
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
    /// Whether it holds for each of the workgroups that go together, of its own numbers.
    each: bool,
}

struct Derive<'a> {
    f: &'a Function,
    shapes: &'a Shapes,
    numbers: Numbers,
    /// What comparisons on the way to here tell.
    facts: Vec<Fact>,
    /// Whether here is the code of one of the workgroups that go together.
    one: bool,
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
            Node::Group(Group::Each(Each { body, .. })) => self.region(body),
            Node::Group(Group::Workgroups(body)) => self.workgroups(body),
            Node::Group(Group::Compress { at, .. }) => self.place(at),
            Node::Group(Group::Keep { .. } | Group::Zero(_) | Group::Clear | Group::Prefetch(_)) => {}
        }
    }

    /// The code of one of the workgroups that go together. What was asked outside was asked for the first of them,
    /// unless all were.
    fn workgroups(&mut self, body: &Region) {
        let all = std::mem::take(&mut self.facts);
        self.facts = all.iter().copied().filter(|fact| fact.each).collect();
        self.one = true;
        self.region(body);
        self.one = false;
        self.facts = all;
    }

    /// Which parameters of a loop may stay below which numbers: those that they are below at first, by what is known or
    /// by what the loop compares the next turn's with.
    fn goals(&self, label: Label, init: &[Value], body: &Region) -> Vec<(usize, Value)> {
        let mut goals: Vec<(usize, Value)> = Vec::new();
        for (i, &first) in init.iter().enumerate() {
            let ends = self.facts.iter().filter(|fact| fact.strict && self.is_same(fact.less, first));
            goals.extend(ends.map(|fact| (i, fact.more)));
        }
        let (made, compared) = (body.made(), self.compared(body));
        body.visit(&mut |region| {
            let End::Jump(to, args) = &region.end else { return };
            for (i, arg) in args.iter().enumerate().filter(|_| *to == label) {
                let ends = compared.get(arg).into_iter().flatten().filter(|end| !made.contains(end));
                goals.extend(ends.filter(|&&end| self.is_less(true, init[i], end, DEPTH_MAX)).map(|&end| (i, end)));
            }
        });
        goals.sort();
        goals.dedup();
        goals.truncate(GOALS_MAX);
        goals
    }

    /// What numbers are compared with in a region.
    fn compared(&self, region: &Region) -> HashMap<Value, Vec<Value>> {
        let mut compared: HashMap<Value, Vec<Value>> = HashMap::new();
        region.visit(&mut |region| {
            for node in &region.nodes {
                if let Node::Let(value) = node
                    && let Op::Binary(op, a, b) = *self.f.op(*value)
                    && op.compares()
                    && self.f.ty(a) == Ty::U32
                {
                    compared.entry(a).or_default().push(b);
                    compared.entry(b).or_default().push(a);
                }
            }
        });
        compared
    }

    /// A loop, with what holds for its parameters in every turn: it does at first, and at each jump back if it did
    /// before.
    fn turns(&mut self, label: Label, params: &[Value], init: &[Value], body: &Region) {
        let mut goals = if has_any(self.f, body) { self.goals(label, init, body) } else { Vec::new() };
        loop {
            goals.retain(|&(i, end)| !self.failed.contains(&(label, i, end)));
            let (facts, doubts) = (self.facts.len(), self.doubts.len());
            let each = self.one;
            self.facts.extend(goals.iter().map(|&(i, more)| Fact { strict: true, less: params[i], more, each }));
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
        if let Some(condition) = self.numbers.for_each(condition).filter(|_| holds) {
            let one = std::mem::replace(&mut self.one, true);
            self.learn(condition, true);
            self.one = one;
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
                self.facts.push(Fact { strict, less, more, each: self.one });
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
            let each = self.one;
            let ends = [(true, less, value), (false, value, end)];
            self.facts.extend(ends.map(|(strict, less, more)| Fact { strict, less, more, each }));
        }
    }

    fn place(&mut self, at: &Address) {
        for term in &at.terms {
            let Some(lanes) = term.shown else { continue };
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
}
