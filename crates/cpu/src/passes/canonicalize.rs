//! Canonical branches: one on a negation turns around, so that other passes see one form.

use crate::ir::{Function, Node, Op, Region, Unary};

/// Turns branches on negations around.
pub(super) fn canonicalize(f: &Function, region: &mut Region) {
    for node in &mut region.nodes {
        match node {
            Node::Let(_) | Node::Store { .. } | Node::Barrier | Node::Group(_) => {}
            Node::If { condition, accept, reject, .. } => {
                while let Op::Unary(Unary::Not, positive) = f.op(*condition) {
                    *condition = *positive;
                    std::mem::swap(accept, reject);
                }
                [accept, reject].into_iter().for_each(|arm| canonicalize(f, arm));
            }
            Node::Block { body, .. } | Node::Loop { body, .. } => canonicalize(f, body),
        }
    }
}
