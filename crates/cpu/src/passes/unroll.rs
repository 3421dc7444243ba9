//! Loop unrolling: writes the turns of short loops one after the other, so that their counters become literals:
//! addresses get offsets, tests of counters and polls go, and what the turns share is seen. Loops
//! of more turns do two or four of them in one, with one test.
//! Says of the other loops which end for sure after little work: those need no poll.
//!
//! How often a loop turns is found by running its counter: the literals it starts from, and
//! what follows from them in its body. That is a bound; a turn may leave earlier in other ways.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::copy::Copy;
use super::dce::dce;
use super::fold::{self, Folded, Literals};
use super::simplify_cfg::simplify_cfg;
use super::thread::thread;
use crate::cost;
use crate::ir::remark::Because;
use crate::ir::{Back, End, Function, Label, LabelKind, Node, Op, Region, Ty, Value};

const UNROLL: &str = "unroll";
const BOUND: &str = "bound";

/// Writes out what is short enough, and then what has become so.
pub(super) fn unroll(f: &mut Function, body: &mut Region) {
    let mut left = Budget::default();
    while left.rounds > 0 && unroll_once(f, body, &mut left) {
        // Decided tests first: only then does the last turn end in a jump.
        simplify_cfg(f, body);
        thread(f, body);
        simplify_cfg(f, body);
        dce(f, body);
        left.rounds -= 1;
    }
}

/// Whether there was anything.
fn unroll_once(f: &mut Function, body: &mut Region, left: &mut Budget) -> bool {
    let mut unroll = Unroll { literals: Literals::of(f), f, left, changed: false };
    unroll.region(body);
    unroll.changed
}

/// What may still be written.
#[derive(Debug)]
struct Budget {
    rounds: u32,
    work: u64,
    /// Loops that do several turns in one already.
    stepped: HashSet<Label>,
}

impl Default for Budget {
    fn default() -> Self {
        Self { rounds: cost::UNROLL_ROUNDS, work: cost::UNROLL_ADDED, stepped: HashSet::new() }
    }
}

struct Unroll<'a> {
    f: &'a mut Function,
    literals: Literals,
    left: &'a mut Budget,
    changed: bool,
}

/// A loop that is over after so many turns.
struct Counted<'a> {
    label: Label,
    params: &'a [Value],
    init: &'a [Value],
    body: &'a Region,
    count: Count,
}

/// What is made of it.
enum Form {
    /// What it is.
    Same,
    /// All turns one after the other.
    Straight,
    /// A loop that does so many turns in one.
    Stepped(u32),
}

impl Unroll<'_> {
    fn region(&mut self, region: &mut Region) {
        let mut nodes = Vec::with_capacity(region.nodes.len());
        for mut node in std::mem::take(&mut region.nodes) {
            match &mut node {
                Node::Let(_) | Node::Store { .. } | Node::Barrier | Node::Group(_) => {}
                Node::If { accept, reject, .. } => [accept, reject].into_iter().for_each(|arm| self.region(arm)),
                Node::Block { body, .. } => self.region(body),
                Node::Loop { label, params, init, body } => {
                    self.region(body);
                    let Some(count) = count(self.f, *label, params, init, body) else {
                        self.f.missed(UNROLL, *label, unknown());
                        nodes.push(node);
                        continue;
                    };
                    let counted = Counted { label: *label, params, init, body, count };
                    match self.form(&counted) {
                        Err(because) => self.f.missed(UNROLL, *label, because),
                        Ok(Form::Same) => {}
                        Ok(Form::Straight) => {
                            self.f.done(UNROLL, *label, format!("all {} turns are written out", counted.count.turns));
                            region.end = self.straight(&counted, &mut nodes);
                            continue;
                        }
                        Ok(Form::Stepped(by)) => {
                            let turns = counted.count.turns;
                            self.f.done(UNROLL, *label, format!("{by} of {turns} turns are done at a time"));
                            *body = self.stepped(&counted, by);
                        }
                    }
                }
            }
            nodes.push(node);
        }
        region.nodes = nodes;
    }

    /// In which form a loop is written, if another than it has. Code generators do what they can
    /// put off, such as arithmetic, only after all loads: what is loaded must find room until then,
    /// unless a store or a barrier in each turn wants it at once.
    fn form(&mut self, of: &Counted<'_>) -> Result<Form, Because> {
        if self.left.stepped.contains(&of.label) {
            return Ok(Form::Same);
        }
        let (once, loads) = (cost::work(self.f, of.body), loads(self.f, of.body));
        let turns = of.count.turns;
        let all = once.saturating_mul(turns.into());
        let has_barrier = of.body.has_barrier();
        // Each turn with a barrier becomes loops over lane groups of its own.
        if has_barrier && accesses(self.f, of.body).saturating_mul(turns.into()) > cost::UNROLL_ACCESSES {
            return Err(format!("{turns} turns with barriers access memory too often").into());
        }
        let most = cost::UNROLL_WORK.min(self.left.work);
        if all <= most && loads.saturating_mul(turns.into()) <= cost::UNROLL_LOADS {
            self.left.work -= all;
            return Ok(Form::Straight);
        }
        let much = || format!("{turns} turns are {all} operations with {loads} loads in each").into();
        if has_barrier {
            return Err(much());
        }
        let fits = |by: u32| {
            let (turns, by) = (u64::from(turns), u64::from(by));
            turns.is_multiple_of(by)
                && turns > by
                && loads * by <= cost::UNROLL_LOADS_AT_ONCE
                && once.saturating_mul(by) <= most
        };
        let by = [4, 2].into_iter().find(|&by| fits(by)).ok_or_else(much)?;
        self.left.work -= once * u64::from(by);
        self.left.stepped.insert(of.label);
        Ok(Form::Stepped(by))
    }

    /// One turn after the other; gives how the last one ends.
    fn straight(&mut self, of: &Counted<'_>, nodes: &mut Vec<Node>) -> End {
        self.changed = true;
        let mut args = of.init.to_vec();
        for _ in 0..of.count.turns {
            let turn = Copy::new(self.f, &mut self.literals, of.params, &args).region(of.body);
            nodes.extend(turn.nodes);
            match turn.end {
                End::Jump(to, next) if to == of.label => args = next,
                // A loop that never repeats.
                end => return end,
            }
        }
        // The last turn has left.
        End::Unreachable
    }

    /// The body of a loop that does several turns in one. It is over after a multiple of them, so
    /// that only the last of each needs the test that ends it.
    fn stepped(&mut self, of: &Counted<'_>, by: u32) -> Region {
        self.changed = true;
        let mut inner = of.body.clone();
        let tests = &of.count.tests;
        inner.nodes = (0..).zip(inner.nodes).filter(|(i, _)| !tests.contains(i)).map(|(_, node)| node).collect();
        let mut args = of.params.to_vec();
        let mut nodes = Vec::new();
        for turn in 1..=by {
            let body = if turn < by { &inner } else { of.body };
            let copied = Copy::new(self.f, &mut self.literals, of.params, &args).region(body);
            nodes.extend(copied.nodes);
            let End::Jump(_, next) = copied.end else { unreachable!("invariant copies: a jump stays one") };
            args = next;
        }
        Region { nodes, end: End::Jump(of.label, args) }
    }
}

/// Whether a loop is short enough to be written turn by turn, as long as there is room.
pub(super) fn is_short(f: &Function, label: Label, (params, init): (&[Value], &[Value]), body: &Region) -> bool {
    let Some(Count { turns, .. }) = count(f, label, params, init, body) else { return false };
    let all = |once: u64| once.saturating_mul(turns.into());
    all(cost::work(f, body)) <= cost::UNROLL_WORK && all(loads(f, body)) <= cost::UNROLL_LOADS
}

/// How a loop ends by its counters.
struct Count {
    /// After so many turns it is over for sure.
    turns: u32,
    /// The tests among the body's nodes that do nothing in any turn before that.
    tests: BTreeSet<usize>,
    /// What 32-bit parameters are in all turns: the least and the greatest.
    spans: Vec<(Value, (i64, i64))>,
}

/// The bits of a few values.
type Known = Vec<(Value, u64)>;

fn bits(f: &Function, known: &Known, value: Value) -> Option<u64> {
    f.constant(value).or_else(|| known.iter().find(|(at, _)| *at == value).map(|&(_, bits)| bits))
}

impl Count {
    fn see(&mut self, f: &Function, known: &Known) {
        for &(param, bits) in known {
            let number = match f.ty(param) {
                Ty::U32 => i64::from(bits as u32),
                Ty::I32 => i64::from(bits as i32),
                Ty::Bool | Ty::F16 | Ty::F32 | Ty::F64 | Ty::I64 | Ty::U64 => continue,
            };
            match self.spans.iter_mut().find(|(at, _)| *at == param) {
                Some((_, (low, high))) => (*low, *high) = ((*low).min(number), (*high).max(number)),
                None => self.spans.push((param, (number, number))),
            }
        }
    }
}

fn unknown() -> Because {
    format!("its trip count is not known, or above {}", cost::UNROLL_TURNS).into()
}

/// `None` if it cannot be told.
fn count(f: &Function, label: Label, params: &[Value], init: &[Value], body: &Region) -> Option<Count> {
    let args = match body.back(label) {
        Back::End(args) => args,
        Back::Never => return Some(Count { turns: 1, tests: BTreeSet::new(), spans: Vec::new() }),
        Back::Elsewhere => return None,
    };
    let counters = counters(f, params, init, body, args);
    let pairs = |to: &[Value]| -> Vec<(Value, Value)> {
        params.iter().copied().zip(to.iter().copied()).filter(|(param, _)| counters.contains(param)).collect()
    };
    let wanted = |node: &Node| match node {
        Node::Let(value) => counters.contains(value),
        node => matches!(node, Node::If { .. }),
    };
    let nodes: Vec<(usize, &Node)> = body.nodes.iter().enumerate().filter(|(_, node)| wanted(node)).collect();
    let told = |pairs: &[(Value, Value)], known: &Known| -> Known {
        pairs.iter().filter_map(|&(param, arg)| Some((param, bits(f, known, arg)?))).collect()
    };
    let mut known = told(&pairs(init), &Known::new());
    let mut next = pairs(args);
    let tests = (0..body.nodes.len()).filter(|&i| body.nodes[i].exit().is_some()).collect();
    let mut count = Count { turns: 0, tests, spans: Vec::new() };
    while count.turns < cost::UNROLL_TURNS {
        count.turns += 1;
        count.see(f, &known);
        if leaves(f, &nodes, &mut known, &mut count.tests) {
            return Some(count);
        }
        known = told(&next, &known);
        if known.len() < next.len() {
            // What cannot be told now does not count from here on, whatever it is later.
            let lost = |param: Value| known.iter().all(|(at, _)| *at != param);
            next.retain(|&(param, _)| !lost(param));
            count.spans.retain(|&(param, _)| !lost(param));
        }
    }
    None
}

/// What follows from literals alone: parameters that start from one and go on with such, and
/// values of the body's own region.
fn counters(f: &Function, params: &[Value], init: &[Value], body: &Region, args: &[Value]) -> HashSet<Value> {
    let starts = params.iter().zip(init).filter(|&(_, &first)| f.constant(first).is_some());
    let mut counters: HashSet<Value> = starts.map(|(&param, _)| param).collect();
    loop {
        for node in &body.nodes {
            let Node::Let(value) = node else { continue };
            let mut all = follows(f.op(*value));
            f.op(*value).each(|operand| all &= counters.contains(&operand) || f.constant(operand).is_some());
            if all {
                counters.insert(*value);
            }
        }
        let stays = |arg: &Value| counters.contains(arg) || f.constant(*arg).is_some();
        let lost = params.iter().zip(args).find(|(param, arg)| counters.contains(param) && !stays(arg));
        let Some((&lost, _)) = lost else { return counters };
        counters.retain(|value| params.contains(value) && *value != lost);
    }
}

/// Operations that may be told from literals.
fn follows(op: &Op) -> bool {
    matches!(op, Op::Unary(..) | Op::Binary(..) | Op::Select(..) | Op::Convert(_) | Op::Bitcast(_))
}

/// One turn of the counters; whether it ends in leaving the loop. Tests that cannot be told are
/// taken out.
fn leaves(f: &Function, nodes: &[(usize, &Node)], known: &mut Known, tests: &mut BTreeSet<usize>) -> bool {
    for (i, node) in nodes {
        match node {
            Node::Let(value) => {
                let told = match fold::fold(f, f.ty(*value), f.op(*value), &|value| bits(f, known, value)) {
                    Some(Folded::Bits(bits)) => Some(bits),
                    Some(Folded::Is(value)) => bits(f, known, value),
                    None => None,
                };
                known.extend(told.map(|bits| (*value, bits)));
            }
            Node::If { condition, accept, reject, .. } => {
                let holds = bits(f, known, *condition);
                let taken = holds.map(|holds| if holds == 0 { reject } else { accept });
                match taken {
                    None => _ = tests.remove(i),
                    Some(arm) if matches!(arm.end, End::Jump(..)) => return true,
                    Some(_) => {}
                }
            }
            Node::Store { .. } | Node::Barrier | Node::Group(_) | Node::Block { .. } | Node::Loop { .. } => {}
        }
    }
    false
}

/// How often a body reads or writes memory, each loop once.
fn accesses(f: &Function, body: &Region) -> u64 {
    let mut accesses = 0;
    body.visit(&mut |region| {
        accesses += region.nodes.iter().fold(0, |sum, node| match node {
            Node::Let(value) => sum + u64::from(matches!(f.op(*value), Op::Load { .. } | Op::Atomic { .. })),
            Node::Store { .. } => sum + 1,
            Node::Barrier | Node::Group(_) | Node::If { .. } | Node::Block { .. } | Node::Loop { .. } => sum,
        });
    });
    accesses
}

/// Loads of a body whose values wait for the end of it.
fn loads(f: &Function, body: &Region) -> u64 {
    let (mut loads, mut wanted) = (0, false);
    body.visit(&mut |region| {
        for node in &region.nodes {
            match node {
                Node::Let(value) => match f.op(*value) {
                    Op::Load { .. } => loads += 1,
                    op => wanted |= op.has_effect(),
                },
                Node::Store { .. } | Node::Barrier | Node::Group(_) => wanted = true,
                Node::If { .. } | Node::Block { .. } | Node::Loop { .. } => {}
            }
        }
    });
    if wanted { 0 } else { loads }
}

/// Finds the loops that are over so soon that nobody need be asked in them whether to stop, and
/// where their counters lie.
pub(super) fn bound(f: &mut Function, body: &mut Region) {
    let mut found = Found::default();
    unasked(f, body, &mut found);
    (f.bounded, f.counters) = (found.bounded, found.counters);
}

/// The most work that a function does before it is over or asks.
pub(crate) fn unasked_work(f: &Function) -> u64 {
    unasked(f, &f.body, &mut Found::default())
}

#[derive(Default)]
struct Found {
    bounded: HashSet<Label>,
    counters: HashMap<Value, (i64, i64)>,
}

/// The most work that a region does before it is over or asks.
fn unasked(f: &Function, region: &Region, found: &mut Found) -> u64 {
    let mut sum = cost::work(f, region);
    for node in &region.nodes {
        for inner in node.regions() {
            let once = unasked(f, inner, found);
            let mut all = once;
            if let Node::Loop { label, params, init, body } = node {
                let count = count(f, *label, params, init, body);
                let turns = count.as_ref().map(|count| u64::from(count.turns));
                found.counters.extend(count.into_iter().flat_map(|count| count.spans));
                match turns.map(|turns| once.saturating_mul(turns)) {
                    Some(work) if work <= cost::UNPOLLED_WORK => {
                        f.done(BOUND, *label, "it is over so soon that no turn asks whether to stop");
                        found.bounded.insert(*label);
                        all = work;
                    }
                    Some(_) => f.missed(BOUND, *label, "its turns take so long that each asks whether to stop"),
                    None => f.missed(BOUND, *label, unknown()),
                }
                debug_assert_eq!(f.labels[label.index()], LabelKind::Loop);
            }
            sum = sum.saturating_add(all);
        }
    }
    sum
}
