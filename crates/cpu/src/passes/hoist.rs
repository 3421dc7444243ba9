//! Hoisting of invariant loads: what has a fixed place in memory that nobody writes is loaded once, first.

use super::join::{Renames, rename};
use crate::ir::{Function, Node, Op, Region, Value};

/// Loads what has a fixed place in memory that nobody writes, such as the members of a uniform
/// buffer, once and before everything else: it is the same for all invocations and at all times.
pub(super) fn hoist(f: &mut Function, body: &mut Region) {
    let mut first: Vec<Value> = Vec::new();
    let mut renames = Renames::new();
    take_settings(f, body, &mut first, &mut renames);
    rename(f, body, &renames);
    let rest = std::mem::take(&mut body.nodes);
    body.nodes = first.into_iter().map(Node::Let).chain(rest).collect();
}

fn take_settings(f: &Function, region: &mut Region, first: &mut Vec<Value>, renames: &mut Renames) {
    let fixed = |value: Value| match f.op(value) {
        Op::Load { at, uniform: false } => at.terms.is_empty() && !f.memories[at.memory.index()].is_written(),
        _ => false,
    };
    region.nodes.retain_mut(|node| {
        match node {
            Node::Let(value) if fixed(*value) => {
                let same = |&&other: &&Value| f.op(other) == f.op(*value) && f.ty(other) == f.ty(*value);
                if let Some(&other) = first.iter().find(same) {
                    renames.insert(*value, other);
                } else {
                    first.push(*value);
                }
                return false;
            }
            Node::Let(_) | Node::Store { .. } | Node::Barrier | Node::Group(_) => {}
            Node::If { accept, reject, .. } => {
                [accept, reject].into_iter().for_each(|arm| take_settings(f, arm, first, renames));
            }
            Node::Block { body, .. } | Node::Loop { body, .. } => take_settings(f, body, first, renames),
        }
        true
    });
}
