//! Store sinking: what variables of one invocation begin with is stored right before the first node that
//! touches them, so that who leaves before that stores nothing. What nobody touches is not stored at all.
//!
//! Only stores of literals to fixed places, at the start of the function: they depend on nothing. They go
//! into a block if it is the only node that touches their memory, for then nobody who leaves it early
//! misses them. Never into loops, nor into branches, where the two sides would need one each.

use std::collections::BTreeMap;

use crate::ir::{Address, Function, Mem, Memory, Node, Op, Region};

/// Sinks them.
pub(super) fn sink(f: &mut Function, body: &mut Region) {
    let count = body.nodes.iter().take_while(|node| initial(f, node).is_some()).count();
    let mut stores: BTreeMap<Mem, Vec<Node>> = BTreeMap::new();
    for node in body.nodes.drain(..count) {
        let Some(memory) = initial(f, &node) else { unreachable!("invariant sink: it was just counted") };
        stores.entry(memory).or_default().push(node);
    }
    // The last goes first, so that those of one place keep their order.
    for (memory, stores) in stores.into_iter().rev() {
        place(f, body, memory, stores);
    }
}

/// The memory of one invocation that a node stores a literal to.
fn initial(f: &Function, node: &Node) -> Option<Mem> {
    let Node::Store { at: Address { memory, terms, .. }, value, .. } = node else { return None };
    let own = matches!(f.memories[memory.index()], Memory::Private { .. });
    (own && terms.is_empty() && f.constant(*value).is_some()).then_some(*memory)
}

fn place(f: &Function, region: &mut Region, memory: Mem, stores: Vec<Node>) {
    let touching: Vec<usize> = (0..region.nodes.len()).filter(|&at| touches(f, &region.nodes[at], memory)).collect();
    let Some(&first) = touching.first() else { return };
    match &mut region.nodes[first] {
        Node::Block { body, .. } if touching.len() == 1 => place(f, body, memory, stores),
        _ => _ = region.nodes.splice(first..first, stores),
    }
}

/// Whether a node reads or writes a memory; functions that are called may do so with any.
fn touches(f: &Function, node: &Node, memory: Mem) -> bool {
    let runs = matches!(node, Node::Let(value) if matches!(f.op(*value), Op::Run(..)));
    let here = node.access(f).is_some_and(|access| access.at.memory == memory);
    runs || here || node.regions().any(|region| region.nodes.iter().any(|node| touches(f, node, memory)))
}
