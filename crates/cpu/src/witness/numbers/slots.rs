//! What slots hold, along the code: those of the workgroup, and of each lane group its part.
//!
//! Where ways meet, and in code that may run more than once, nothing is known of a slot that is kept on one of the ways.
//! A slot that all workgroups share, which is true before a loop over them and to which each adds a condition by `And`,
//! says behind the loop whether the condition held for each.

use std::collections::{HashMap, HashSet};

use super::Numbers;
use crate::ir::{Binary, Each, Function, Group, Node, Op, Region, Shape, Slot, Ty, Value};

/// What is known of a slot.
#[derive(Debug, Clone, Copy)]
pub(super) enum Held {
    Number(Value),
    /// Whether this held for each workgroup.
    Each(Value),
}

pub(super) type Slots = HashMap<Slot, Held>;

impl Numbers {
    pub(super) fn region(&mut self, f: &Function, region: &Region) {
        for node in &region.nodes {
            node.gives().iter().for_each(|&value| self.add(f, value));
            match node {
                Node::Let(_) | Node::Store { .. } | Node::Barrier => {}
                Node::If { accept, reject, .. } => {
                    for arm in [accept, reject] {
                        let before = self.slots.clone();
                        self.region(f, arm);
                        self.slots = before;
                    }
                    self.forget(&[accept, reject]);
                }
                // Jumps may come from anywhere inside.
                Node::Block { body, .. } => {
                    self.region(f, body);
                    self.forget(&[body]);
                }
                Node::Loop { body, .. } => {
                    self.forget(&[body]);
                    self.region(f, body);
                    self.forget(&[body]);
                }
                Node::Group(Group::Each(each)) => self.lane_groups(f, each),
                Node::Group(Group::Workgroups(body)) => self.workgroups(f, body),
                Node::Group(Group::Keep { slot, value, .. }) => {
                    let kept = &f.slots[slot.index()];
                    if self.one || kept.every {
                        self.slots.insert(*slot, Held::Number(self.first(*value)));
                    } else {
                        self.slots.remove(slot);
                    }
                }
                Node::Group(Group::Zero(slot)) => _ = self.slots.remove(slot),
                Node::Group(Group::Clear | Group::Prefetch(_) | Group::Compress { .. }) => {}
            }
        }
    }

    /// A value that is found in a slot: the same number as the last, if nobody has left another there.
    pub(super) fn recall(&mut self, f: &Function, slot: Slot, value: Value) {
        match self.slots.get(&slot) {
            Some(Held::Number(held)) => self.first[value.index()] = *held,
            Some(Held::Each(condition)) => _ = self.each.insert(value, *condition),
            None if self.one || f.slots[slot.index()].every => _ = self.slots.insert(slot, Held::Number(value)),
            None => {}
        }
    }

    /// Each lane group has its part of a slot, but for those of the workgroup.
    fn lane_groups(&mut self, f: &Function, Each { span, body, .. }: &Each) {
        let shared: Vec<Slot> =
            kept(&[body]).into_iter().filter(|slot| f.slots[slot.index()].shape == Shape::Uniform).collect();
        self.slots.retain(|slot, _| !shared.contains(slot));
        self.region(f, body);
        self.slots.retain(|slot, _| !shared.contains(slot));
        // The other lane groups have what they had.
        if span.is_some() {
            self.forget(&[body]);
        }
    }

    /// Each workgroup has slots of its own, but for those that all of them share.
    fn workgroups(&mut self, f: &Function, body: &Region) {
        let is_true = |held: &Held| matches!(held, Held::Number(value) if f.constant(*value) == Some(1));
        let shared: Vec<Slot> = kept(&[body]).into_iter().filter(|slot| f.slots[slot.index()].every).collect();
        let begun: Vec<Slot> =
            shared.iter().copied().filter(|slot| self.slots.get(slot).is_some_and(is_true)).collect();
        self.slots.retain(|slot, _| !shared.contains(slot));
        let one = std::mem::replace(&mut self.one, true);
        self.region(f, body);
        self.one = one;
        self.slots.retain(|slot, _| !shared.contains(slot));
        for slot in begun {
            if let Some(condition) = conjunct(f, body, slot) {
                self.slots.insert(slot, Held::Each(condition));
            }
        }
    }

    fn forget(&mut self, regions: &[&Region]) {
        for slot in kept(regions) {
            self.slots.remove(&slot);
        }
    }
}

/// Whether a value is found in a slot that all workgroups share.
pub(super) fn is_shared(f: &Function, value: Value) -> bool {
    matches!(f.op(value), Op::Recall(slot) if f.slots[slot.index()].every)
}

/// The slots that something is left in.
fn kept(regions: &[&Region]) -> HashSet<Slot> {
    let mut slots = HashSet::new();
    for region in regions {
        region.visit(&mut |region| {
            slots.extend(region.nodes.iter().filter_map(|node| match node {
                Node::Group(Group::Keep { slot, .. } | Group::Zero(slot)) => Some(*slot),
                _ => None,
            }));
        });
    }
    slots
}

/// What every workgroup adds to a slot by `And`, and nothing else happens to it.
fn conjunct(f: &Function, body: &Region, slot: Slot) -> Option<Value> {
    let mut keeps = 0;
    body.visit(&mut |region| {
        let here = |node: &&Node| matches!(node, Node::Group(Group::Keep { slot: at, .. }) if *at == slot);
        keeps += region.nodes.iter().filter(here).count();
    });
    // In the body itself, so that none goes around it.
    let value = body.nodes.iter().find_map(|node| match node {
        Node::Group(Group::Keep { slot: at, value, .. }) if *at == slot => Some(*value),
        _ => None,
    })?;
    let Op::Binary(Binary::And, a, b) = *f.op(value) else { return None };
    let is_before = |side: Value| *f.op(side) == Op::Recall(slot);
    let one = keeps == 1 && f.ty(value) == Ty::Bool;
    match (is_before(a), is_before(b)) {
        (true, _) if one => Some(b),
        (_, true) if one => Some(a),
        _ => None,
    }
}
