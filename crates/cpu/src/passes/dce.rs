//! Dead code elimination: values and parameters of joins that nothing depends on are dropped, and branches that then do
//! nothing.
//!
//! Alive is what a store, an update or a condition wants, and whatever that is made of: all else is taken to be dead until
//! it is wanted, so that what loops only hand on to themselves goes too. Nothing that is dropped changes memory, leaves, or
//! waits. Loops stay: whether they end is not looked at.

use std::collections::HashSet;

use super::join::{Arrivals, prune};
use crate::ir::{Function, Node, Region, Value};

/// Drops values and parameters that nothing depends on.
pub(super) fn dce(f: &Function, body: &mut Region) {
    let arrivals = Arrivals::of(body);
    let mut live: HashSet<Value> = HashSet::new();
    let mut work: Vec<Value> = Vec::new();
    body.visit(&mut |region| {
        for node in &region.nodes {
            match node {
                Node::Let(value) if f.op(*value).acts() => work.push(*value),
                Node::Let(_) | Node::Barrier | Node::Block { .. } | Node::Loop { .. } => {}
                Node::Group(group) => group.each(|value| work.push(value)),
                Node::Store { at, value, when } => {
                    at.each(|index| work.push(index));
                    work.extend([*value].into_iter().chain(*when));
                }
                Node::If { condition, .. } => work.push(*condition),
            }
        }
    });
    while let Some(value) = work.pop() {
        if live.insert(value) {
            f.op(value).each(|operand| work.push(operand));
            work.extend(arrivals.args.get(&value).into_iter().flatten());
        }
    }
    prune(body, &|param| live.contains(&param));
    sweep(body, &live);
}

fn sweep(region: &mut Region, live: &HashSet<Value>) {
    region.nodes.retain_mut(|node| match node {
        Node::Let(value) => live.contains(value),
        Node::Store { .. } | Node::Barrier => true,
        Node::Group(group) => {
            group.region_mut().into_iter().for_each(|body| sweep(body, live));
            true
        }
        Node::If { accept, reject, results, .. } => {
            sweep(accept, live);
            sweep(reject, live);
            !(results.is_empty() && accept.is_idle() && reject.is_idle())
        }
        Node::Block { body, .. } | Node::Loop { body, .. } => {
            sweep(body, live);
            true
        }
    });
}
