//! Indices that need no check in the lanes for which a question has shown that they lie within the
//! buffers they index.

use std::collections::BTreeSet;

use crate::ir::{Address, Bound, Function, Lanes, Node, Op, Region, Value};

/// The buffers that a region indexes by a value.
pub(crate) fn indexed(f: &Function, region: &Region, index: Value) -> BTreeSet<u32> {
    let mut buffers = BTreeSet::new();
    lengths(f, region, &mut |at, buffer| buffers.extend((at == index).then_some(buffer)));
    buffers
}

/// The sums of a value and another that a region indexes buffers by, with those others: `base`, the sum, the buffer.
pub(super) fn sums(f: &Function, region: &Region, value: Value) -> BTreeSet<(Value, Value, u32)> {
    let mut sums = BTreeSet::new();
    lengths(f, region, &mut |at, buffer| {
        sums.extend(f.added(value, at).map(|base| (base, at, buffer)));
    });
    sums
}

/// Calls `each` for every index that is checked against the length of a buffer, with the buffer.
fn lengths(f: &Function, region: &Region, each: &mut impl FnMut(Value, u32)) {
    region.accesses(f, &mut |access| {
        for term in access.at.terms.iter().filter(|term| term.shown.is_none()) {
            match term.bound {
                Bound::Length { buffer } => each(term.index, buffer),
                Bound::Const(_) => {}
            }
        }
    });
}

/// Notes that what is indexed by a value lies within its bound in these lanes.
pub(crate) fn shown(f: &mut Function, region: &mut Region, index: Value, bound: Bound, lanes: Lanes) {
    let place = |at: &mut Address| {
        for term in &mut at.terms {
            if term.index == index && term.bound == bound {
                term.shown = Some(lanes);
            }
        }
    };
    for node in &mut region.nodes {
        match node {
            Node::Let(value) => {
                if let Op::Load { at, .. } | Op::Atomic { at, .. } = &mut f.values[value.index()].op {
                    place(at);
                }
            }
            Node::Store { at, .. } => place(at),
            Node::Barrier => {}
            Node::Group(group) => {
                group.region_mut().into_iter().for_each(|body| shown(f, body, index, bound, lanes));
            }
            Node::If { accept, reject, .. } => {
                [accept, reject].into_iter().for_each(|arm| shown(f, arm, index, bound, lanes));
            }
            Node::Block { body, .. } | Node::Loop { body, .. } => shown(f, body, index, bound, lanes),
        }
    }
}
