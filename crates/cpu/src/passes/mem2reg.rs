//! Promotion of memory to registers: an invocation's own memory whose every access is at a literal place becomes
//! values, one for each slot.
//!
//! Locals that are indexed by counters are memory until their loops are unrolled; the sums of a product of matrices
//! that each invocation keeps are such. Control flow is a tree, so that no dominance is looked for: what a loop or a
//! block writes becomes a parameter of it, and every jump there gives what the slot holds by then. Parameters that
//! nobody reads go with dead code. Memory that is never written before it is read holds zero.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::join::{Renames, rename, resolve};
use crate::cost;
use crate::fold::Literals;
use crate::ir::{Access, Address, End, Function, Label, Mem, Memory, Node, Op, Region, Ty, Value};

const NAME: &str = "mem2reg";

/// A scalar in memory.
type Slot = (Mem, u32);

/// Makes values of such memory.
pub(super) fn mem2reg(f: &mut Function, body: &mut Region) {
    let slots = promotable(f, body);
    if slots.is_empty() {
        return;
    }
    let mut literals = Literals::of(f);
    let held = slots.iter().map(|(&slot, &ty)| (slot, literals.value(f, ty, 0))).collect();
    let mut promote = Promote { f, slots, carried: HashMap::new(), renames: Renames::new() };
    promote.region(body, held, &[]);
    let renames = promote.renames;
    rename(f, body, &renames);
}

/// Slots with the types of what they hold, of memories that nobody indexes.
fn promotable(f: &Function, body: &Region) -> BTreeMap<Slot, Ty> {
    // What is called finds its arguments in memory.
    if !f.calls.is_empty() || f.is_callee {
        return BTreeMap::new();
    }
    let (mut slots, mut out) = (BTreeMap::new(), BTreeMap::new());
    body.accesses(f, &mut |Access { at, ty, .. }| {
        if !matches!(f.memories[at.memory.index()], Memory::Private { .. }) {
            return;
        }
        let known = *slots.entry((at.memory, at.offset)).or_insert(ty);
        if !at.terms.is_empty() {
            out.insert(at.memory, "its index is not known");
        } else if known != ty {
            out.insert(at.memory, "one place of it holds two types");
        }
    });
    let mut regions = 0;
    body.visit(&mut |_| regions += 1);
    let mut counts: BTreeMap<Mem, usize> = BTreeMap::new();
    slots.keys().for_each(|(memory, _)| *counts.entry(*memory).or_default() += 1);
    for (memory, count) in &counts {
        if *count > cost::PROMOTED_SLOTS || slots.len() * regions > cost::PROMOTED_WORK {
            out.entry(*memory).or_insert("it has so many places that they would go to the stack one by one");
        }
    }
    for (memory, count) in counts {
        match out.get(&memory) {
            Some(because) => f.missed(NAME, memory, *because),
            None => f.done(NAME, memory, format!("its {count} scalars are kept in registers")),
        }
    }
    slots.retain(|(memory, _), _| !out.contains_key(memory));
    slots
}

/// What each slot holds.
type Held = HashMap<Slot, Value>;

struct Promote<'a> {
    f: &'a mut Function,
    slots: BTreeMap<Slot, Ty>,
    /// The slots that jumps to a label bring along.
    carried: HashMap<Label, Vec<Slot>>,
    renames: Renames,
}

impl Promote<'_> {
    fn slot(&self, at: &Address) -> Option<Slot> {
        let slot = (at.memory, at.offset);
        self.slots.contains_key(&slot).then_some(slot)
    }

    /// The slots that a region writes.
    fn written(&self, region: &Region) -> Vec<Slot> {
        let mut written = BTreeSet::new();
        region.visit(&mut |region| {
            for node in &region.nodes {
                if let Node::Store { at, .. } = node {
                    written.extend(self.slot(at));
                }
            }
        });
        written.into_iter().collect()
    }

    /// New parameters for slots, which hold them from then on.
    fn params(&mut self, slots: &[Slot], held: &mut Held) -> Vec<Value> {
        let mut params = Vec::with_capacity(slots.len());
        for slot in slots {
            let param = self.f.define(self.slots[slot], Op::Param);
            held.insert(*slot, param);
            params.push(param);
        }
        params
    }

    /// A region that gives what some slots hold if it falls.
    fn region(&mut self, region: &mut Region, mut held: Held, gives: &[Slot]) {
        let mut nodes = Vec::with_capacity(region.nodes.len());
        for mut node in std::mem::take(&mut region.nodes) {
            match &mut node {
                Node::Let(value) => {
                    if let Op::Load { at, .. } = self.f.op(*value)
                        && let Some(slot) = self.slot(at)
                    {
                        self.renames.insert(*value, held[&slot]);
                        continue;
                    }
                }
                Node::Store { at, value, .. } => {
                    if let Some(slot) = self.slot(at) {
                        held.insert(slot, resolve(&self.renames, *value));
                        continue;
                    }
                }
                Node::Barrier | Node::Group(_) => {}
                Node::If { accept, reject, results, .. } => {
                    let written: BTreeSet<Slot> =
                        self.written(accept).into_iter().chain(self.written(reject)).collect();
                    let written: Vec<Slot> = written.into_iter().collect();
                    self.region(accept, held.clone(), &written);
                    self.region(reject, held.clone(), &written);
                    results.extend(self.params(&written, &mut held));
                }
                Node::Block { label, body, results } => {
                    let written = self.written(body);
                    self.carried.insert(*label, written.clone());
                    self.region(body, held.clone(), &written);
                    results.extend(self.params(&written, &mut held));
                }
                Node::Loop { label, params, init, body } => {
                    let written = self.written(body);
                    self.carried.insert(*label, written.clone());
                    init.extend(written.iter().map(|slot| held[slot]));
                    let mut inside = held.clone();
                    params.extend(self.params(&written, &mut inside));
                    // Nothing falls out of it.
                    self.region(body, inside, &[]);
                }
            }
            nodes.push(node);
        }
        region.nodes = nodes;
        match &mut region.end {
            End::Fall(args) => args.extend(gives.iter().map(|slot| held[slot])),
            End::Jump(label, args) => {
                args.extend(self.carried.get(label).into_iter().flatten().map(|slot| held[slot]));
            }
            End::Unreachable => {}
        }
    }
}
