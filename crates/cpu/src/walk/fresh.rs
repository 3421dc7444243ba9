//! Whether workgroup memory must be zeroed: not where all of it is written before it is read.

use std::collections::BTreeSet;

use crate::affine;
use crate::ir::remark::At;
use crate::ir::{Address, Bound, Function, Mem, Memory, Node, Op, Region, Term};

const NAME: &str = "elide-zeroing";

/// Whether some workgroup memory may be read, or written in part, before all of it is written.
pub(crate) fn is_wanted(f: &Function) -> bool {
    let needed = needed(f);
    match needed {
        _ if f.workgroup_bytes == 0 => {}
        Ok(()) => f.done(NAME, At::Function, "all workgroup memory is written before it is read"),
        Err(because) => f.missed(NAME, At::Function, because),
    }
    needed.is_err()
}

/// Why it must be zeroed, if it must.
fn needed(f: &Function) -> Result<(), &'static str> {
    if !f.calls.is_empty() {
        return Err("functions that are called may read workgroup memory");
    }
    let (mut filled, mut written) = (BTreeSet::new(), BTreeSet::new());
    for node in &f.body.nodes {
        match node {
            Node::Store { at, value } if fills(f, at, f.ty(*value).bytes()) => _ = filled.insert(at.memory),
            // Who reads earlier may come before those who write.
            Node::Barrier => written.append(&mut filled),
            // Whoever leaves does not write what follows.
            node if touches(f, node, &written) => {
                return Err("workgroup memory may be read before all of it is written");
            }
            node if node.leaves() => return Err("invocations may leave before they write workgroup memory"),
            _ => {}
        }
    }
    Ok(())
}

/// Whether a store by every invocation leaves no byte of a workgroup's memory as it was.
fn fills(f: &Function, at: &Address, bytes: u32) -> bool {
    let Memory::Workgroup { start } = f.memories[at.memory.index()] else { return false };
    let [Term { index, stride, bound: Bound::Const(length) }] = at.terms[..] else { return false };
    let counts = affine::is_local_index(f, index);
    let end = f.memories.iter().filter_map(|memory| match memory {
        Memory::Workgroup { start: other } if *other > start => Some(u64::from(*other)),
        _ => None,
    });
    let end = end.min().unwrap_or(f.workgroup_bytes);
    let invocations: u32 = f.workgroup_size.iter().product();
    let all = length <= invocations && u64::from(start) + u64::from(length) * u64::from(stride) >= end;
    counts && at.offset == 0 && stride == bytes && all
}

/// Whether a node touches workgroup memory beyond what has been written.
fn touches(f: &Function, node: &Node, written: &BTreeSet<Mem>) -> bool {
    let other = |at: &Address| {
        matches!(f.memories[at.memory.index()], Memory::Workgroup { .. }) && !written.contains(&at.memory)
    };
    match node {
        Node::Let(value) => match f.op(*value) {
            Op::Load { at, .. } | Op::Atomic { at, .. } => other(at),
            _ => false,
        },
        Node::Store { at, .. } => other(at),
        Node::Barrier => false,
        Node::If { .. } | Node::Block { .. } | Node::Loop { .. } => {
            let inside = |region: &Region| region.nodes.iter().any(|node| touches(f, node, written));
            node.regions().any(inside)
        }
    }
}
