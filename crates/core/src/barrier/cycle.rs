//! One real cycle among the waves that never became ready.

use std::fmt;

use super::{Edge, WaveId};
use crate::bytes::{self, Allowance};

/// Waves of a cycle that a message shows.
const SHOWN_MAX: usize = 12;

const NONE: u32 = u32::MAX;

/// Each wave that is not in `ready` waits for another such wave, so going back from one to
/// the next must come round. The lowest one is always taken, so the cycle does not depend
/// on the order of the edges.
#[cold]
pub(super) fn find(
    allowance: &mut Allowance,
    ready: &[WaveId],
    waves: u32,
    edges: &[Edge],
) -> Result<Vec<WaveId>, bytes::Error> {
    let (mut stuck, mut back) = (Vec::new(), Vec::new());
    let stuck = allowance.zeros("stuck waves", &mut stuck, waves as usize)?;
    let back = allowance.zeros("edges back", &mut back, waves as usize)?;
    stuck.fill(true);
    for wave in ready {
        stuck[wave.0 as usize] = false;
    }
    back.fill(NONE);
    for &Edge { before, after } in edges {
        if stuck[before.0 as usize] {
            let lowest = &mut back[after.0 as usize];
            *lowest = before.0.min(*lowest);
        }
    }

    // Walk back far enough to be on the cycle, then once around it.
    let mut wave = stuck.iter().position(|&stuck| stuck).expect("cycle: called when a wave is stuck") as u32;
    while std::mem::replace(&mut stuck[wave as usize], false) {
        wave = back[wave as usize];
    }
    let mut cycle = Vec::new();
    let mut length = 0;
    let mut at = wave;
    loop {
        length += 1;
        at = back[at as usize];
        if at == wave {
            break;
        }
    }
    allowance.room("the cycle", &mut cycle, length)?;
    for _ in 0..length {
        cycle.push(WaveId(at));
        at = back[at as usize];
    }
    cycle.reverse();
    let lowest = cycle.iter().enumerate().min_by_key(|&(_, wave)| wave).map_or(0, |(at, _)| at);
    cycle.rotate_left(lowest);
    Ok(cycle)
}

/// A cycle as text, cut short when it is long.
pub(super) struct Shown<'a>(pub(super) &'a [WaveId]);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for wave in self.0.iter().take(SHOWN_MAX) {
            write!(f, "{wave} -> ")?;
        }
        if let Some(more) = self.0.len().checked_sub(SHOWN_MAX).filter(|&more| more > 0) {
            write!(f, "({more} more) -> ")?;
        }
        self.0.first().map_or(Ok(()), |first| write!(f, "{first}"))
    }
}
