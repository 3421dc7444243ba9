//! Non-temporal stores: what a kernel writes once and does not read goes past the caches, where a buffer is larger than
//! these.
//!
//! A store into a line that no cache has reads the line first, so that a third of what a copy moves is moved for
//! nothing. Whole lines that are written past the caches are not read. Nobody finds them in a cache afterwards, which
//! is no loss where they would have been driven out before anybody comes for them: how long the buffer is, code asks
//! when it runs.
//!
//! Such stores are not ordered with others, and nobody of the kernel reads what they write. The walk ends a call that has
//! made any with a fence, so that whoever comes after it sees them.
//!
//! A place that is written turn after turn would go to memory every time. So the index has to move with each loop around
//! the store: it is made of what changes there, and nothing else is known of it.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::cost;
use crate::divergence::{Shape, Shapes};
use crate::ir::{Access, Address, Function, Kind, Label, Mem, Memory, Node, Region, Term, Ty, Value};

const NAME: &str = "nontemporal";
const ONCE: &str = "whole lines go past the caches if it is larger than these: it is written and not read";

/// Finds the buffers that are written and not read.
pub(super) fn nontemporal(f: &mut Function, shapes: &Shapes) -> bool {
    // Rows of a workgroup fill whole lines; what is called may do other things with the buffer.
    let whole = f.workgroup_size[0].is_multiple_of(cost::STREAM_LANES);
    if !whole || shapes.width == 1 || !f.calls.is_empty() || f.is_callee {
        return false;
    }
    let mut find = Find { f, shapes, loops: Vec::new(), inits: HashMap::new(), found: BTreeMap::new() };
    find.region(&f.body);
    let found = find.found;
    for (&memory, written) in &found {
        match written {
            Written::Once => f.done(NAME, memory, ONCE),
            Written::Anyhow => {
                f.missed(NAME, memory, "lanes do not store side by side, or a loop comes back to a place");
            }
            Written::AndRead => {}
        }
    }
    f.nontemporal =
        found.into_iter().filter(|(_, written)| *written == Written::Once).map(|(memory, _)| memory).collect();
    false
}

struct Find<'a> {
    f: &'a Function,
    shapes: &'a Shapes,
    /// Those around the place.
    loops: Vec<Label>,
    /// What parameters of loops begin with, and which loop's they are.
    inits: HashMap<Value, (Label, Value)>,
    found: BTreeMap<Mem, Written>,
}

/// How a buffer is written, from best to worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Written {
    /// Each place once, as far as is known, by lanes side by side.
    Once,
    Anyhow,
    /// Or not written at all.
    AndRead,
}

impl Find<'_> {
    fn region(&mut self, region: &Region) {
        for node in &region.nodes {
            if let Some(Access { kind, at, ty, .. }) = node.access(self.f) {
                let once = || self.lies_along(at, ty) && self.moves(at.terms.iter().map(|term| term.index).collect());
                let new = match kind {
                    Kind::Store if once() => Written::Once,
                    Kind::Store | Kind::Compress => Written::Anyhow,
                    Kind::Load | Kind::Atomic => Written::AndRead,
                };
                let written = self.found.entry(at.memory).or_insert(new);
                *written = (*written).max(new);
            }
            match node {
                Node::Let(_) | Node::Store { .. } => {}
                Node::Loop { label, params, init, body } => {
                    self.inits.extend(params.iter().zip(init).map(|(&param, &first)| (param, (*label, first))));
                    self.loops.push(*label);
                    self.region(body);
                    self.loops.pop();
                }
                Node::Barrier | Node::If { .. } | Node::Block { .. } | Node::Group(_) => {
                    node.regions().for_each(|region| self.region(region));
                }
            }
        }
    }

    /// Whether lanes lie side by side in a buffer.
    fn lies_along(&self, at: &Address, ty: Ty) -> bool {
        let buffer = matches!(self.f.memories[at.memory.index()], Memory::Buffer { aliased: false, .. });
        let along = |term: &Term| self.shapes.of(term.index) == Shape::Linear(1) && term.stride == ty.bytes();
        buffer && at.terms.iter().any(along)
    }

    /// Whether indices are made of what changes in each loop around.
    fn moves(&self, mut work: Vec<Value>) -> bool {
        let (mut seen, mut by) = (HashSet::new(), HashSet::new());
        while let Some(value) = work.pop() {
            if self.loops.is_empty() || seen.len() > cost::STREAM_NODES || !seen.insert(value) {
                continue;
            }
            if let Some(&(label, first)) = self.inits.get(&value) {
                by.insert(label);
                work.push(first);
            }
            if self.f.op(value).is_arithmetic() {
                self.f.op(value).each(|operand| work.push(operand));
            }
        }
        self.loops.iter().all(|label| by.contains(label))
    }
}
