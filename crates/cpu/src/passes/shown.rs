//! Indices that need no check in the lanes for which a question has shown that they lie within the
//! buffers they index.

use std::collections::BTreeSet;

use crate::ir::{Address, Bound, Function, Lanes, Node, Op, Region, Value};

/// The buffers that a region indexes by a value.
pub(crate) fn indexed(f: &Function, region: &Region, index: Value) -> BTreeSet<u32> {
    let mut rows = BTreeSet::new();
    let mut place = |at: &Address| {
        rows.extend(at.terms.iter().filter(|term| term.index == index).filter_map(|term| match term.bound {
            Bound::Length { row } => Some(row),
            Bound::Const(_) | Bound::Shown { .. } => None,
        }));
    };
    region.visit(&mut |region| {
        for node in &region.nodes {
            match node {
                Node::Let(value) => {
                    if let Op::Load { at, .. } | Op::Atomic { at, .. } = f.op(*value) {
                        place(at);
                    }
                }
                Node::Store { at, .. } => place(at),
                Node::Barrier | Node::If { .. } | Node::Block { .. } | Node::Loop { .. } => {}
            }
        }
    });
    rows
}

/// Notes that what is indexed by a value lies within a buffer in these lanes.
pub(crate) fn shown(f: &mut Function, region: &mut Region, index: Value, row: u32, lanes: Lanes) {
    let place = |at: &mut Address| {
        for term in &mut at.terms {
            if term.index == index && term.bound == (Bound::Length { row }) {
                term.bound = Bound::Shown { row, lanes };
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
            Node::If { accept, reject, .. } => {
                [accept, reject].into_iter().for_each(|arm| shown(f, arm, index, row, lanes));
            }
            Node::Block { body, .. } | Node::Loop { body, .. } => shown(f, body, index, row, lanes),
        }
    }
}
