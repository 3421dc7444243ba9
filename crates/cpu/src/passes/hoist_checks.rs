//! Check hoisting: bounds that are asked about once for all lane groups of a loop, before it.
//!
//! A number that grows by the same from invocation to invocation is below a bound in all of them if
//! it is in the last one, counted in 64 bits so that it cannot wrap. Where that is not known already,
//! the loop gets two versions: for workgroups in which every such number is below its bounds, without
//! any further question; and for the others, with all of them. LLVM's loop predication asks about the first turn and
//! the last of a loop in the same way.

use std::collections::BTreeMap;

use super::copy::Copy;
use super::outside::{Outside, each_loop, settle};
use super::shown::shown;
use super::versions::Questions;
use crate::affine::{self, Even, Lane};
use crate::cost;
use crate::divergence::Shapes;
use crate::fold::Literals;
use crate::ir::{Access, Binary, Bound, Each, Function, Group, Lanes, Node, Op, Region, Term, Ty, Value};
use crate::range::{self, Ranges};

const NAME: &str = "hoist-checks";

/// What a number must be below.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Limit {
    Bound(Bound),
    Value(Value),
}

/// A question, and what the answer tells.
#[derive(Debug, Clone, Copy)]
struct Question {
    index: Value,
    limit: Limit,
    /// A condition that asks it, and whether it holds then.
    condition: Option<(Value, bool)>,
    /// What asks it: what is loaded or stored, or the condition.
    at: Value,
}

/// Asks before loops over lane groups what their bodies would ask.
pub(super) fn hoist_checks(f: &mut Function, shapes: &Shapes) -> bool {
    if f.is_callee {
        return false;
    }
    let (outside, ranges) = (Outside::of(f, shapes), range::analyse(f, shapes));
    let literals = Literals::of(f);
    let mut hoist = Hoist { shapes, outside, ranges, literals, changed: false };
    each_loop(f, &mut |f, each, nodes| hoist.each(f, each, nodes));
    let changed = hoist.changed;
    if changed {
        settle(f);
    }
    changed
}

struct Hoist<'a> {
    shapes: &'a Shapes,
    outside: Outside,
    ranges: Ranges,
    literals: Literals,
    changed: bool,
}

impl Hoist<'_> {
    fn each(&mut self, f: &mut Function, each: Each, nodes: &mut Vec<Node>) {
        let lanes = f.lanes(&each, self.shapes.width);
        let mut open = Vec::new();
        self.questions(f, &each.body.nodes, lanes, &mut open);
        let (known, open): (Vec<_>, Vec<_>) = open.into_iter().partition(|question| is_known(f, question, lanes));
        let hoisted = self.hoisted(f, &each, &open, lanes);
        if hoisted.is_empty() {
            let each = self.knowing(f, each, &known, lanes);
            nodes.push(Node::Group(Group::Each(each)));
            return;
        }
        let mut questions = Questions::new(f);
        for (even, about) in &hoisted {
            self.ask(f, *even, about, lanes, &mut questions);
        }
        let told: Vec<Question> = hoisted.into_values().flatten().chain(known.iter().copied()).collect();
        let fast = self.knowing(f, each.clone(), &told, lanes);
        let slow = Each { rare: true, ..self.knowing(f, each, &known, lanes) };
        let [fast, slow] =
            [fast, slow].map(|each| Region { nodes: vec![Node::Group(Group::Each(each))], ..Region::default() });
        nodes.extend(questions.rarely(f).versions(f, fast, slow, Vec::new()));
        self.changed = true;
    }

    /// The same loop where the answers to questions are known.
    fn knowing(&mut self, f: &mut Function, each: Each, told: &[Question], lanes: u64) -> Each {
        if told.is_empty() {
            return each;
        }
        self.changed = true;
        let answers: Vec<(Value, Value)> = told
            .iter()
            .filter_map(|question| question.condition)
            .map(|(condition, holds)| (condition, self.literals.value(f, Ty::Bool, holds.into())))
            .collect();
        let mut copy = Copy::new(f, &mut self.literals, &[], &[]);
        answers.into_iter().for_each(|(condition, is)| copy.decide(condition, is));
        let Group::Each(mut each) = copy.group(&Group::Each(each)) else {
            unreachable!("invariant copies: the copy of a loop is a loop")
        };
        let names: Vec<Value> = told.iter().map(|question| copy.name(question.index)).collect();
        for (question, name) in told.iter().zip(names) {
            if let Limit::Bound(bound) = question.limit {
                shown(f, &mut each.body, name, bound, Lanes::Even(lanes as u32));
            }
        }
        each
    }

    /// What is asked before a loop of so many lanes, by its numbers.
    fn hoisted(&self, f: &Function, each: &Each, open: &[Question], lanes: u64) -> BTreeMap<Even, Vec<Question>> {
        let Some(first) = open.first().map(|question| question.at) else { return BTreeMap::new() };
        if let Err(because) = self.pays(&each.body, lanes) {
            f.missed(NAME, first, because);
            return BTreeMap::new();
        }
        let mut hoisted: BTreeMap<Even, Vec<Question>> = BTreeMap::new();
        for question in open {
            let stands = match question.limit {
                Limit::Bound(_) => true,
                Limit::Value(value) => self.step(f, value) == Some(0),
            };
            let even = affine::even(f, question.index, &|value| self.outside.has(f, value));
            // What falls is below no bound in this way.
            if let Some(even) = even.filter(|even| stands && u64::from(even.step) * lanes < 1 << 31) {
                hoisted.entry(even).or_default().push(*question);
            }
        }
        if hoisted.is_empty() {
            f.missed(NAME, first, "no index grows evenly along the workgroup");
        } else {
            f.done(NAME, first, "one check for a workgroup, from here on, where all its lanes are inside");
        }
        hoisted
    }

    /// Whether a loop may have two versions, and should.
    fn pays(&self, body: &Region, lanes: u64) -> Result<(), &'static str> {
        let width = self.shapes.width;
        if lanes / u64::from(width) < cost::HOIST_GROUPS {
            return Err("there are so few lane groups that each may check for itself");
        }
        if width > 1 && body.loops() > 0 {
            return Err("among the turns of a loop the checks are lost");
        }
        let mut size = 0;
        body.visit(&mut |region| size += region.nodes.len());
        if size > cost::HOIST_NODES {
            return Err("there is too much to write it twice");
        }
        Ok(())
    }

    /// Goes on where a number is below all its limits in so many lanes.
    fn ask(&mut self, f: &mut Function, even: Even, about: &[Question], lanes: u64, questions: &mut Questions) {
        let start = self.at_first(f, even.root, &mut questions.nodes);
        let start = f.emit(Ty::U64, Op::Convert(start), &mut questions.nodes);
        let ahead = u64::from(even.ahead) + u64::from(even.step) * (lanes - 1);
        let ahead = self.literals.value(f, Ty::U64, ahead);
        let last = f.binary(Binary::Add, start, ahead, &mut questions.nodes);
        let mut limits: Vec<Limit> = Vec::new();
        for question in about {
            if !limits.contains(&question.limit) {
                limits.push(question.limit);
            }
        }
        let limits: Vec<Value> = limits.into_iter().map(|limit| self.limit(f, limit, questions)).collect();
        let least = limits.into_iter().reduce(|a, b| f.binary(Binary::Min, a, b, &mut questions.nodes));
        let least = least.unwrap_or_else(|| unreachable!("invariant checks: a number has a limit"));
        questions.ask(f, Binary::Lt, last, least);
    }

    /// What nodes ask that all lanes come to, or those that were let through by another question.
    fn questions(&self, f: &Function, nodes: &[Node], lanes: u64, into: &mut Vec<Question>) {
        for node in nodes {
            if let Some(Access { at, value, .. }) = node.access(f) {
                let shape = |term: &Term| self.shapes.of(term.index);
                let open = at.terms.iter().filter(|term| !self.ranges.is_within(term, shape(term), lanes));
                into.extend(open.map(|&Term { index, bound, .. }| Question {
                    index,
                    limit: Limit::Bound(bound),
                    condition: None,
                    at: value,
                }));
            }
            match node {
                Node::Let(_) | Node::Store { .. } | Node::Barrier | Node::Group(_) => {}
                Node::If { condition, accept, reject, .. } => {
                    let Some((index, bound, holds)) = decides(f, *condition) else { continue };
                    let (at, condition) = (*condition, Some((*condition, holds)));
                    into.push(Question { index, limit: Limit::Value(bound), condition, at });
                    self.questions(f, if holds { &accept.nodes } else { &reject.nodes }, lanes, into);
                }
                Node::Block { body, .. } | Node::Loop { body, .. } => self.questions(f, &body.nodes, lanes, into),
            }
        }
    }

    /// How much a number grows from one invocation to the next, if it can be made before the loop.
    fn step(&self, f: &Function, value: Value) -> Option<u32> {
        affine::step(f, value, &|value| self.outside.has(f, value).then_some(0))
    }

    /// What a value is in the first invocation.
    fn at_first(&mut self, f: &mut Function, value: Value, nodes: &mut Vec<Node>) -> Value {
        let outside = &self.outside;
        let mut first = Lane { f, literals: &mut self.literals, nodes, index: 0 };
        first.make(value, &|first, value| outside.has(first.f, value).then_some(value))
    }

    fn limit(&mut self, f: &mut Function, limit: Limit, questions: &mut Questions) -> Value {
        let number = match limit {
            Limit::Bound(Bound::Const(n)) => return self.literals.value(f, Ty::U64, n.into()),
            Limit::Bound(Bound::Length { buffer }) => f.define(Ty::U32, Op::Length { buffer }),
            Limit::Value(value) => self.at_first(f, value, &mut questions.nodes),
        };
        f.emit(Ty::U64, Op::Convert(number), &mut questions.nodes)
    }
}

/// The number that a condition compares with a bound, and whether it holds below.
fn decides(f: &Function, condition: Value) -> Option<(Value, Value, bool)> {
    let below = |holds: bool| f.below(condition, holds).map(|(index, bound)| (index, bound, holds));
    below(true).or_else(|| below(false)).filter(|(index, ..)| f.ty(*index) == Ty::U32)
}

/// Whether literals alone tell that a number is below its limit in so many lanes.
fn is_known(f: &Function, question: &Question, lanes: u64) -> bool {
    let limit = match question.limit {
        Limit::Bound(Bound::Const(n)) => Some(n.into()),
        Limit::Bound(Bound::Length { .. }) => None,
        Limit::Value(value) => f.constant(value),
    };
    let (Some(limit), Some([local, 0, rest])) = (limit, affine::sum(f, question.index)) else {
        return false;
    };
    local.checked_mul(lanes - 1).and_then(|last| last.checked_add(rest)).is_some_and(|last| last < limit)
}
