//! Which variables a segment finds, leaves and needs: liveness, forward and backward, over whole
//! variables.

use super::lift::Step;
use super::place::Places;
use super::uses::Uses;

/// What is known about the variables of each segment.
#[derive(Debug, Default, Clone)]
pub(super) struct Live {
    /// Something of it is needed from the segment's start on,
    pub(super) before: Places,
    /// and from its end on.
    pub(super) after: Places,
    /// Some segment before may have changed it.
    pub(super) dirty: Places,
}

/// What comes after each step.
fn next(steps: &[Step]) -> Vec<Vec<usize>> {
    let mut next: Vec<Vec<usize>> = (1..=steps.len()).map(|at| vec![at]).collect();
    let mut open = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        match step {
            Step::Run(_) => {}
            Step::Loop(_) | Step::When { .. } => open.push(at),
            Step::End => {
                let begin = open.pop().unwrap_or_else(|| unreachable!("invariant nested: each end has its beginning"));
                next[begin].push(at + 1);
                if let Step::Loop(_) = steps[begin] {
                    next[at] = vec![begin];
                }
            }
        }
    }
    next
}

/// By segment.
pub(super) fn live(steps: &[Step], uses: &[Uses]) -> Vec<Live> {
    let next = next(steps);
    let mut states = vec![Live::default(); steps.len() + 1];
    let mut changed = true;
    while changed {
        changed = false;
        for at in (0..steps.len()).rev() {
            let after: Places = next[at].iter().flat_map(|&to| &states[to].before).copied().collect();
            let mut before = after.clone();
            if let Step::Run(segment) = steps[at] {
                before.retain(|place| !uses[segment].kills.contains(place));
                before.extend(&uses[segment].reads);
            }
            changed |= before != states[at].before || after != states[at].after;
            (states[at].before, states[at].after) = (before, after);
        }
    }
    changed = true;
    while changed {
        changed = false;
        for at in 0..steps.len() {
            let mut dirty = states[at].dirty.clone();
            if let Step::Run(segment) = steps[at] {
                dirty.extend(&uses[segment].changes);
            }
            for &to in &next[at] {
                let count = states[to].dirty.len();
                states[to].dirty.extend(&dirty);
                changed |= states[to].dirty.len() > count;
            }
        }
    }
    let mut live = vec![Live::default(); uses.len()];
    for (at, step) in steps.iter().enumerate() {
        if let Step::Run(segment) = *step {
            live[segment] = std::mem::take(&mut states[at]);
        }
    }
    live
}
