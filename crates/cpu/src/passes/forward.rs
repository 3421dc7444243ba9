//! Load forwarding: loads of what this invocation has read or written before, with nothing in between that may have
//! changed it: the value is at hand. Where what was written may have been outside, it was dropped,
//! and the load gives zero as it would have.
//!
//! What others write without a barrier in between is a race, and what they do with atomics may as
//! well have come before or after.

use super::join::{Renames, rename, resolve};
use crate::cost;
use crate::fold::Literals;
use crate::ir::{Address, Binary, Bound, Function, Mem, Memory, Node, Op, Region, Subgroup, Term, Ty, Value};

/// Takes what is known for such loads.
pub(super) fn forward(f: &mut Function, body: &mut Region) {
    let mut forward = Forward { literals: Literals::of(f), f, known: Vec::new(), renames: Renames::new() };
    forward.region(body);
    let renames = forward.renames;
    rename(f, body, &renames);
}

/// What a place holds.
#[derive(Clone)]
struct Known {
    at: Address,
    value: Value,
    /// Which index and bound decide whether it does; it holds nothing outside.
    unless: Option<(Value, u32)>,
}

struct Forward<'a> {
    f: &'a mut Function,
    literals: Literals,
    known: Vec<Known>,
    renames: Renames,
}

impl Forward<'_> {
    fn region(&mut self, region: &mut Region) {
        let mut nodes = Vec::with_capacity(region.nodes.len());
        for mut node in std::mem::take(&mut region.nodes) {
            match &mut node {
                Node::Let(value) => {
                    if self.load(*value, &mut nodes) {
                        continue;
                    }
                }
                Node::Store { at, value, .. } => self.write(at, *value),
                Node::Barrier | Node::Group(_) => self.known.clear(),
                Node::If { accept, reject, .. } => {
                    for arm in [accept, reject] {
                        let before = self.known.clone();
                        self.region(arm);
                        self.known = before;
                    }
                }
                Node::Block { body, .. } => {
                    let before = self.known.clone();
                    self.region(body);
                    self.known = before;
                }
                Node::Loop { body, .. } => {
                    // Later turns have written before what comes first.
                    let before = std::mem::take(&mut self.known);
                    self.region(body);
                    self.known = before;
                }
            }
            node.regions().for_each(|region| self.forget(region));
            nodes.push(node);
        }
        region.nodes = nodes;
    }

    fn is_private(&self, memory: Mem) -> bool {
        matches!(self.f.memories[memory.index()], Memory::Private { .. })
    }

    /// Whether the value of a load is known already; if only inside its bound, it becomes a choice.
    fn load(&mut self, value: Value, nodes: &mut Vec<Node>) -> bool {
        let at = match self.f.op(value) {
            // What a workgroup loads together from shared memory need not be what this invocation has stored.
            Op::Load { at, uniform: true } if !self.is_private(at.memory) => return false,
            Op::Load { at, .. } => self.resolved(at),
            Op::Atomic { at, .. } => {
                let memory = at.memory;
                self.known.retain(|known| !self.f.may_meet(known.at.memory, memory));
                return false;
            }
            Op::Run(..) | Op::Subgroup(Subgroup::Fence, _) => {
                self.known.clear();
                return false;
            }
            _ => return false,
        };
        let ty = self.f.ty(value);
        let found = self.known.iter().position(|known| known.at == at && self.f.ty(known.value) == ty);
        let Some(found) = found else {
            self.learn(Known { at, value, unless: None });
            return false;
        };
        let Known { value: held, unless, .. } = self.known[found];
        let Some((index, buffer)) = unless else {
            self.renames.insert(value, held);
            return true;
        };
        let inside = self.inside(index, buffer, nodes);
        let zero = self.literals.value(self.f, ty, 0);
        self.f.values[value.index()].op = Op::Select(inside, held, zero);
        self.known[found] = Known { at, value, unless: None };
        false
    }

    /// Whether an index is within its bound, asked once in a region.
    fn inside(&mut self, index: Value, buffer: u32, nodes: &mut Vec<Node>) -> Value {
        let asks = |value: Value| {
            let below = self.f.below(value, true);
            below.is_some_and(|(a, b)| a == index && *self.f.op(b) == Op::Length { buffer })
        };
        let asked = nodes.iter().find_map(|node| match node {
            Node::Let(value) if asks(*value) => Some(*value),
            _ => None,
        });
        asked.unwrap_or_else(|| {
            let length = self.f.define(Ty::U32, Op::Length { buffer });
            self.f.binary(Binary::Lt, index, length, nodes)
        })
    }

    fn write(&mut self, at: &Address, value: Value) {
        let (at, value) = (self.resolved(at), resolve(&self.renames, value));
        let ty = self.f.ty(value);
        let f = &*self.f;
        self.known.retain(|known| !f.may_alias((&known.at, f.ty(known.value)), (&at, ty)));
        let unsure = |term: &&Term| match term.bound {
            Bound::Const(n) => f.constant(term.index).is_none_or(|index| index >= u64::from(n)),
            Bound::Length { .. } => term.shown.is_none(),
        };
        let open: Vec<&Term> = at.terms.iter().filter(unsure).collect();
        let unless = match open[..] {
            [] => None,
            [&Term { index, bound: Bound::Length { buffer }, .. }] => Some((index, buffer)),
            _ => return,
        };
        // Half floats are other bits in memory.
        if matches!(ty, Ty::F32 | Ty::I32 | Ty::U32) {
            self.learn(Known { at, value, unless });
        }
    }

    fn learn(&mut self, known: Known) {
        if self.known.len() == cost::FORWARD_KNOWN {
            self.known.remove(0);
        }
        self.known.push(known);
    }

    fn resolved(&self, at: &Address) -> Address {
        let mut at = at.clone();
        at.terms.iter_mut().for_each(|term| term.index = resolve(&self.renames, term.index));
        at
    }

    /// Drops what a region may have changed.
    fn forget(&mut self, region: &Region) {
        region.visit(&mut |region| {
            for node in &region.nodes {
                let all = match node {
                    Node::Let(value) => matches!(self.f.op(*value), Op::Run(..) | Op::Subgroup(Subgroup::Fence, _)),
                    Node::Barrier | Node::Group(_) => true,
                    Node::Store { .. } | Node::If { .. } | Node::Block { .. } | Node::Loop { .. } => false,
                };
                if all {
                    self.known.clear();
                } else if let Some(access) = node.access(self.f).filter(|access| access.kind.writes()) {
                    self.known.retain(|known| !self.f.may_meet(known.at.memory, access.at.memory));
                }
            }
        });
    }
}
