//! Bounded loops: those that end for certain after little work need no poll.
//!
//! A poll is there to stop a loop that nobody knows the end of. Where counters tell how often a loop turns at most
//! ([`TripCount`]), and all its turns together do no more than so much work, it is over sooner than anybody could wish
//! to stop it. Loops one after another, and the invocations of a workgroup, add up: where all of them together would go on
//! for too long, less work is too much for each loop. What a turn does includes all of its loops: those that are bounded with all their turns, the others with
//! one, for they poll before the next.

use std::collections::{BTreeMap, HashSet};

use crate::cost;
use crate::ir::remark::Because;
use crate::ir::{Function, Label, Node, Region};
use crate::trip_count::{self, TripCount};

const NAME: &str = "bound";

/// Finds the loops that are over so soon that they need no poll.
pub(super) fn bound(f: &mut Function, body: &mut Region) {
    let most = cost::UNPOLLED_WORKGROUP / u64::from(f.invocations()).max(1);
    let mut limit = cost::UNPOLLED_WORK;
    loop {
        let mut verdicts = BTreeMap::new();
        let work = unpolled(f, body, limit, &mut verdicts);
        let bounded: HashSet<Label> =
            verdicts.iter().filter(|(_, verdict)| verdict.is_ok()).map(|(at, _)| *at).collect();
        if work <= most || bounded.is_empty() {
            for (label, verdict) in verdicts {
                match verdict {
                    Ok(()) => f.done(NAME, label, "it is over so soon that no turn asks whether to stop"),
                    Err(because) => f.missed(NAME, label, because),
                }
            }
            f.bounded = bounded;
            return;
        }
        limit /= 2;
    }
}

/// The most work that a function does before it is over or polls.
pub(crate) fn unpolled_work(f: &Function) -> u64 {
    cost::weigh(f, &f.body, &mut |node, once| match node {
        Node::Loop { label, params, init, body } if f.bounded.contains(label) => {
            let turns = TripCount::of(f, *label, (params, init), body).map_or(1, |count| count.turns);
            once.saturating_mul(turns.into())
        }
        _ => once,
    })
}

/// Whether loops need no poll, or why they do.
type Verdicts = BTreeMap<Label, Result<(), Because>>;

/// The most work that a region does before it is over or polls, if a loop without polls does no more than `limit`.
fn unpolled(f: &Function, region: &Region, limit: u64, verdicts: &mut Verdicts) -> u64 {
    cost::weigh(f, region, &mut |node, once| {
        let Node::Loop { label, params, init, body } = node else { return once };
        let (verdict, work) = match TripCount::of(f, *label, (params, init), body) {
            None => (Err(trip_count::unknown()), once),
            Some(count) => match once.saturating_mul(count.turns.into()) {
                all if all > limit => (Err("its turns take so long that each asks whether to stop".into()), once),
                all => (Ok(()), all),
            },
        };
        verdicts.insert(*label, verdict);
        work
    })
}
