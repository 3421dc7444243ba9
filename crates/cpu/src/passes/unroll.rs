//! Loop unrolling: writes the turns of short loops one after the other, so that their counters become literals:
//! addresses get offsets, tests of counters and polls go, and what the turns share is seen. Loops
//! of more turns do two or four of them in one, with one test.
//!
//! It rests on the loop's trip count, found by running its counters: after so many turns it has left, whatever else may
//! have made it leave before. A loop that does several turns in one turns a multiple of that many times, so that the tests
//! of its counters tell nothing in all but the last of them; other exits stay in each.

use std::collections::HashSet;

use super::copy::Copy;
use super::dce::dce;
use super::simplify_cfg::simplify_cfg;
use super::thread::thread;
use crate::cost;
use crate::fold::Literals;
use crate::ir::remark::Because;
use crate::ir::{End, Function, Label, Node, Region, Value};
use crate::trip_count::{self, TripCount};

const NAME: &str = "unroll";

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
    count: TripCount,
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
                    let Some(count) = TripCount::of(self.f, *label, (params, init), body) else {
                        self.f.missed(NAME, *label, trip_count::unknown());
                        nodes.push(node);
                        continue;
                    };
                    let counted = Counted { label: *label, params, init, body, count };
                    match self.form(&counted) {
                        Err(because) => self.f.missed(NAME, *label, because),
                        Ok(Form::Same) => {}
                        Ok(Form::Straight) => {
                            self.f.done(NAME, *label, format!("all {} turns are written out", counted.count.turns));
                            region.end = self.straight(&counted, &mut nodes);
                            continue;
                        }
                        Ok(Form::Stepped(by)) => {
                            let turns = counted.count.turns;
                            self.f.done(NAME, *label, format!("{by} of {turns} turns are done at a time"));
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
        let (once, loads) = (cost::work(self.f, of.body), cost::loads(self.f, of.body));
        let turns = of.count.turns;
        let all = once.saturating_mul(turns.into());
        let has_barrier = of.body.has_barrier();
        // Each turn with a barrier becomes loops over lane groups of its own.
        if has_barrier && cost::accesses(self.f, of.body).saturating_mul(turns.into()) > cost::UNROLL_ACCESSES {
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
        let by = cost::UNROLL_BY.into_iter().find(|&by| fits(by)).ok_or_else(much)?;
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
    let Some(TripCount { turns, .. }) = TripCount::of(f, label, (params, init), body) else { return false };
    let all = |once: u64| once.saturating_mul(turns.into());
    all(cost::work(f, body)) <= cost::UNROLL_WORK && all(cost::loads(f, body)) <= cost::UNROLL_LOADS
}
