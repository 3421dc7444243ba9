//! Jump threading: a jump to where control would fall anyhow falls.
//!
//! That is a jump to the label of a block from the very end of its body, or from a side of the branch that ends it: both
//! ways give the block's results the same values. A block that nothing jumps to any more is dropped by `simplify-cfg`.

use crate::ir::{End, Function, Label, Node, Region};

/// Makes such jumps fall.
pub(super) fn thread(f: &mut Function, body: &mut Region) {
    tail_jumps(f, body, None);
}

/// A jump to the label of a block, at the very end of the block's body, falls out of it; also from
/// the sides of a branch at that end.
fn tail_jumps(f: &mut Function, region: &mut Region, tail: Option<Label>) {
    match &mut region.end {
        End::Jump(label, args) if Some(*label) == tail => region.end = End::Fall(std::mem::take(args)),
        End::Unreachable => branch_falls(f, region, tail),
        End::Jump(..) | End::Fall(_) => {}
    }
    for node in &mut region.nodes {
        match node {
            Node::Let(_) | Node::Store { .. } | Node::Barrier | Node::Group(_) => {}
            Node::If { accept, reject, .. } => [accept, reject].into_iter().for_each(|arm| tail_jumps(f, arm, None)),
            Node::Block { label, body, .. } => tail_jumps(f, body, Some(*label)),
            Node::Loop { body, .. } => tail_jumps(f, body, None),
        }
    }
}

/// If the last node of a region is a branch whose sides leave for `tail`, they fall instead.
fn branch_falls(f: &mut Function, region: &mut Region, tail: Option<Label>) {
    let Some(Node::If { accept, reject, results, .. }) = region.nodes.last_mut() else { return };
    for arm in [&mut *accept, &mut *reject] {
        match &mut arm.end {
            End::Jump(label, args) if Some(*label) == tail => arm.end = End::Fall(std::mem::take(args)),
            End::Unreachable => branch_falls(f, arm, tail),
            End::Jump(..) | End::Fall(_) => {}
        }
    }
    let falls = [accept, reject].into_iter().find_map(|arm| match &arm.end {
        End::Fall(args) => Some(args.clone()),
        End::Jump(..) | End::Unreachable => None,
    });
    let Some(args) = falls else { return };
    debug_assert!(results.is_empty(), "invariant build: a branch that never falls has no results");
    for arg in args {
        results.push(f.param_like(arg));
    }
    region.end = End::Fall(results.clone());
}
