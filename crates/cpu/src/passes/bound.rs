//! Bounded loops: those that end for certain after little work need no poll.
//!
//! A poll is there to stop a loop that nobody knows the end of. Where counters tell how often a loop turns at most
//! ([`TripCount`]), and all its turns together do no more than so much work, it is over sooner than anybody could wish
//! to stop it. What a turn does includes all of its loops: those that are bounded with all their turns, the others with
//! one, for they poll before the next.

use std::collections::HashSet;

use crate::cost;
use crate::ir::{Function, Label, LabelKind, Node, Region};
use crate::trip_count::{self, TripCount};

const NAME: &str = "bound";

/// Finds the loops that are over so soon that they need no poll.
pub(super) fn bound(f: &mut Function, body: &mut Region) {
    let mut bounded = HashSet::new();
    unpolled(f, body, &mut bounded);
    f.bounded = bounded;
}

/// The most work that a function does before it is over or polls.
pub(crate) fn unpolled_work(f: &Function) -> u64 {
    unpolled(f, &f.body, &mut HashSet::new())
}

/// The most work that a region does before it is over or polls; adds the loops that need no poll.
fn unpolled(f: &Function, region: &Region, bounded: &mut HashSet<Label>) -> u64 {
    cost::weigh(f, region, &mut |node, once| {
        let Node::Loop { label, params, init, body } = node else { return once };
        debug_assert_eq!(f.labels[label.index()], LabelKind::Loop);
        let Some(count) = TripCount::of(f, *label, (params, init), body) else {
            f.missed(NAME, *label, trip_count::unknown());
            return once;
        };
        let all = once.saturating_mul(count.turns.into());
        if all > cost::UNPOLLED_WORK {
            f.missed(NAME, *label, "its turns take so long that each asks whether to stop");
            return once;
        }
        f.done(NAME, *label, "it is over so soon that no turn asks whether to stop");
        bounded.insert(*label);
        all
    })
}
