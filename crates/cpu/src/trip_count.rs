//! Trip counts: how often a loop turns.
//!
//! Found by running its counters, the literals that they start from and what follows from them in its body. That is a
//! bound: a turn may leave earlier in other ways.

use std::collections::{BTreeSet, HashSet};

use crate::cost;
use crate::fold::{self, Folded};
use crate::ir::remark::Because;
use crate::ir::{Back, End, Function, Label, Node, Region, Ty, Value};

/// How a loop ends by its counters.
pub(crate) struct TripCount {
    /// After so many turns it is over for sure.
    pub(crate) turns: u32,
    /// The tests among the body's nodes that do nothing in any turn before that.
    pub(crate) tests: BTreeSet<usize>,
    /// What 32-bit parameters are in all turns: the least and the greatest.
    pub(crate) spans: Vec<(Value, (i64, i64))>,
}

/// The bits of a few values.
type Known = Vec<(Value, u64)>;

fn bits(f: &Function, known: &Known, value: Value) -> Option<u64> {
    f.constant(value).or_else(|| known.iter().find(|(at, _)| *at == value).map(|&(_, bits)| bits))
}

impl TripCount {
    /// Of a loop; `None` if it cannot be told.
    pub(crate) fn of(f: &Function, label: Label, (params, init): (&[Value], &[Value]), body: &Region) -> Option<Self> {
        let args = match body.back(label) {
            Back::End(args) => args,
            Back::Never => return Some(Self { turns: 1, tests: BTreeSet::new(), spans: Vec::new() }),
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
        let mut count = Self { turns: 0, tests, spans: Vec::new() };
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

/// Why there is none.
pub(crate) fn unknown() -> Because {
    format!("its trip count is not known, or above {}", cost::UNROLL_TURNS).into()
}

/// What follows from literals alone: parameters that start from one and go on with such, and
/// values of the body's own region.
fn counters(f: &Function, params: &[Value], init: &[Value], body: &Region, args: &[Value]) -> HashSet<Value> {
    let starts = params.iter().zip(init).filter(|&(_, &first)| f.constant(first).is_some());
    let mut counters: HashSet<Value> = starts.map(|(&param, _)| param).collect();
    loop {
        for node in &body.nodes {
            let Node::Let(value) = node else { continue };
            let mut all = f.op(*value).is_arithmetic();
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
