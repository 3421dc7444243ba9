//! Values that are computed once, however many blocks want them.
//!
//! An emitter may compute what has no effect where it is wanted ([`crate::emit::Emit::recomputes`]): once for a store
//! that stands behind a check of its place, and once more for a sum after it. What takes long is therefore wanted where
//! it is made.

use std::collections::{HashMap, HashSet};

use crate::cost;
use crate::divergence::{Shape, Shapes};
use crate::ir::{Function, Node, Value};

/// Values that are stored and used again, and take long.
pub(super) fn pinned(f: &Function, shapes: &Shapes) -> HashSet<Value> {
    let uses = f.body.uses(f);
    let mut work: HashMap<Value, u32> = HashMap::new();
    let mut pinned = HashSet::new();
    f.body.visit(&mut |region| {
        for node in &region.nodes {
            match node {
                Node::Let(value) => {
                    let mut own = 1_u32;
                    f.op(*value).each(|operand| {
                        // What others use too is not computed for this one alone.
                        if uses.get(&operand) == Some(&1) {
                            own = own.saturating_add(work.get(&operand).copied().unwrap_or(0));
                        }
                    });
                    work.insert(*value, own);
                }
                Node::Store { value, .. } => {
                    let again = uses.get(value).is_some_and(|&uses| uses > 1);
                    let worth = work.get(value).is_some_and(|&work| work >= cost::PIN_WORK);
                    if again && worth && shapes.of(*value) == Shape::Varying {
                        pinned.insert(*value);
                    }
                }
                Node::Barrier | Node::Group(_) | Node::If { .. } | Node::Block { .. } | Node::Loop { .. } => {}
            }
        }
    });
    pinned
}
