//! Elision of zero-initialisation: workgroup memory need not be zeroed where all of it is written before it is read.
//!
//! What every invocation stores in one loop over lane groups has been stored when the next begins.

use std::collections::BTreeSet;

use crate::affine;
use crate::divergence::Shapes;
use crate::ir::remark::At;
use crate::ir::{Address, Bound, Each, Function, Group, Mem, Memory, Node, Region, Term};

const NAME: &str = "elide-zeroing";

/// Drops the zeroing of workgroup memory where nobody can tell.
pub(super) fn elide_zeroing(f: &mut Function, _: &Shapes) -> bool {
    let clear = Node::Group(Group::Clear);
    if !f.body.nodes.contains(&clear) {
        return false;
    }
    match needed(f) {
        Ok(()) => {
            f.done(NAME, At::Function, "all workgroup memory is written before it is read");
            f.body.nodes.retain(|node| *node != clear);
        }
        Err(because) => f.missed(NAME, At::Function, because),
    }
    false
}

/// Why it must be zeroed, if it must.
fn needed(f: &Function) -> Result<(), &'static str> {
    if !f.calls.is_empty() {
        return Err("functions that are called may read workgroup memory");
    }
    let mut written = BTreeSet::new();
    for node in &f.body.nodes {
        let Node::Group(Group::Each(Each { gone, span: None, body, .. })) = node else {
            plain(f, node, &written)?;
            continue;
        };
        let mut filled = BTreeSet::new();
        for node in &body.nodes {
            match node {
                Node::Store { at, value, when: None } if gone.is_empty() && fills(f, at, f.ty(*value).bytes()) => {
                    filled.insert(at.memory);
                }
                node => plain(f, node, &written)?,
            }
        }
        written.append(&mut filled);
    }
    Ok(())
}

/// Whether a node touches nothing that was not written, and whoever comes to it comes out of it.
fn plain(f: &Function, node: &Node, written: &BTreeSet<Mem>) -> Result<(), &'static str> {
    if touches(f, node, written) {
        return Err("workgroup memory may be read before all of it is written");
    }
    // Whoever leaves does not write what follows.
    if node.leaves() {
        return Err("invocations may leave before they write workgroup memory");
    }
    Ok(())
}

/// Whether a store by every invocation leaves no byte of a workgroup's memory as it was.
fn fills(f: &Function, at: &Address, bytes: u32) -> bool {
    let Memory::Workgroup { start } = f.memories[at.memory.index()] else { return false };
    let [Term { index, stride, bound: Bound::Const(length), .. }] = at.terms[..] else { return false };
    let counts = affine::is_local_index(f, index);
    let end = f.memories.iter().filter_map(|memory| match memory {
        Memory::Workgroup { start: other } if *other > start => Some(u64::from(*other)),
        _ => None,
    });
    let end = end.min().unwrap_or(f.workgroup_bytes);
    let invocations = f.invocations();
    let all = length <= invocations && u64::from(start) + u64::from(length) * u64::from(stride) >= end;
    counts && at.offset == 0 && stride == bytes && all
}

/// Whether a node touches workgroup memory beyond what has been written.
fn touches(f: &Function, node: &Node, written: &BTreeSet<Mem>) -> bool {
    let other = |at: &Address| {
        matches!(f.memories[at.memory.index()], Memory::Workgroup { .. }) && !written.contains(&at.memory)
    };
    let inside = |region: &Region| region.nodes.iter().any(|node| touches(f, node, written));
    node.access(f).is_some_and(|access| other(access.at)) || node.regions().any(inside)
}
