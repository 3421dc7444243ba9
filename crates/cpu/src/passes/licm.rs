//! Loop-invariant code motion of loads: what a loop reads in each turn from one place, in memory that nobody writes,
//! is read before it, as in `e < offsets[v + 1]`. A bound that stays the same is what `version` looks for.
//!
//! It is right because a loop turns at least once, and because a load out of bounds gives zero: to load what nobody
//! would have asked for harms nobody. Operations without effect are left to the code generator, unless such a load
//! needs them. Loops with barriers are left alone: what is loaded before a barrier would have to be kept across it.

use std::collections::HashSet;

use crate::cost;
use crate::ir::{Function, Node, Op, Region, Turns, Value};

const NAME: &str = "licm";

/// Moves such loads out of all loops, from the inside out.
pub(super) fn licm(f: &mut Function, body: &mut Region) {
    region(f, body);
}

fn region(f: &Function, at: &mut Region) {
    let mut nodes = Vec::with_capacity(at.nodes.len());
    for mut node in std::mem::take(&mut at.nodes) {
        match &mut node {
            Node::Let(_) | Node::Store { .. } | Node::Barrier | Node::Group(_) => {}
            Node::If { accept, reject, .. } => [accept, reject].into_iter().for_each(|arm| region(f, arm)),
            Node::Block { body, .. } => region(f, body),
            Node::Loop { params, body, .. } => {
                region(f, body);
                nodes.extend(invariant(f, params, body));
            }
        }
        nodes.push(node);
    }
    at.nodes = nodes;
}

/// Takes loads that are the same in each turn out of a loop's body, with what they are made of.
fn invariant(f: &Function, params: &[Value], body: &mut Region) -> Vec<Node> {
    let mut turns = Turns::of(params, body);
    let mut fixed: Vec<Value> = Vec::new();
    for node in &body.nodes {
        if let Node::Let(value) = node
            && moves(f, f.op(*value))
            && turns.keep_operands(f, *value)
        {
            turns.take_out(*value);
            fixed.push(*value);
        }
    }
    let loads: Vec<Value> = fixed.iter().copied().filter(|value| matches!(f.op(*value), Op::Load { .. })).collect();
    if body.has_barrier() {
        loads.iter().for_each(|&load| f.missed(NAME, load, "its loop has barriers, across which it would be kept"));
        return Vec::new();
    }
    let (moved, left) = loads.split_at(loads.len().min(cost::LICM_LOADS));
    moved.iter().for_each(|&load| f.done(NAME, load, "the same in each turn, so it is read before the loop"));
    left.iter().for_each(|&load| f.missed(NAME, load, "enough values live through its loop"));
    let mut wanted: HashSet<Value> = moved.iter().copied().collect();
    let mut out: HashSet<Value> = HashSet::new();
    for value in fixed.iter().rev() {
        if wanted.contains(value) {
            out.insert(*value);
            f.op(*value).each(|operand| _ = wanted.insert(operand));
        }
    }
    let moved = |node: &Node| matches!(node, Node::Let(value) if out.contains(value));
    let (before, stay) = std::mem::take(&mut body.nodes).into_iter().partition(moved);
    body.nodes = stay;
    before
}

/// Whether it gives the same wherever it stands.
fn moves(f: &Function, op: &Op) -> bool {
    match op {
        Op::Load { at, uniform: false } => !f.memories[at.memory.index()].is_written(),
        op => op.is_arithmetic(),
    }
}
