//! Bounded loops: those that end for sure after little work need no poll.

use std::collections::HashSet;

use crate::cost;
use crate::ir::{Function, Label, LabelKind, Node, Region};
use crate::trip_count::{self, TripCount};

const NAME: &str = "bound";

/// Finds the loops that are over so soon that nobody need be asked in them whether to stop.
pub(super) fn bound(f: &mut Function, body: &mut Region) {
    let mut bounded = HashSet::new();
    unasked(f, body, &mut bounded);
    f.bounded = bounded;
}

/// The most work that a function does before it is over or asks.
pub(crate) fn unasked_work(f: &Function) -> u64 {
    unasked(f, &f.body, &mut HashSet::new())
}

/// The most work that a region does before it is over or asks.
fn unasked(f: &Function, region: &Region, bounded: &mut HashSet<Label>) -> u64 {
    let mut sum = cost::work(f, region);
    for node in &region.nodes {
        for inner in node.regions() {
            let once = unasked(f, inner, bounded);
            let mut all = once;
            if let Node::Loop { label, params, init, body } = node {
                let count = TripCount::of(f, *label, (params, init), body);
                let turns = count.as_ref().map(|count| u64::from(count.turns));
                match turns.map(|turns| once.saturating_mul(turns)) {
                    Some(work) if work <= cost::UNPOLLED_WORK => {
                        f.done(NAME, *label, "it is over so soon that no turn asks whether to stop");
                        bounded.insert(*label);
                        all = work;
                    }
                    Some(_) => f.missed(NAME, *label, "its turns take so long that each asks whether to stop"),
                    None => f.missed(NAME, *label, trip_count::unknown()),
                }
                debug_assert_eq!(f.labels[label.index()], LabelKind::Loop);
            }
            sum = sum.saturating_add(all);
        }
    }
    sum
}
