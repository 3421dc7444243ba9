//! What is really live while each group runs: its own cost, and every earlier output that
//! it or a later group still reads.

use std::fmt;

use super::{Budget, Error, Plan, Wave, WaveId, What, fused_bytes, holds_all};
use crate::bytes::{self, Allowance};

/// `reader` reads what `output` leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Read {
    /// Whose output.
    pub output: WaveId,
    /// Who reads it.
    pub reader: WaveId,
}

/// Live bytes, group by group. An output is live from its own group to the end of the
/// group of its last reader.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Live {
    /// While each group runs.
    pub group_bytes: Vec<u64>,
    /// The most of these.
    pub peak_bytes: u64,
    /// The first group that has it; 0 if there is none.
    pub peak_group: u32,
}

impl Live {
    /// Refuses a peak over what a group may take.
    pub fn within(&self, budget: &Budget) -> Result<(), Error> {
        let limit_bytes = budget.group_limit_bytes()?;
        if self.peak_bytes > limit_bytes {
            let what = What::Live { group: self.peak_group };
            return Err(Error::OverBudget { what, required_bytes: self.peak_bytes, limit_bytes, wave: None });
        }
        Ok(())
    }

    fn clear(&mut self) {
        self.group_bytes.clear();
        (self.peak_bytes, self.peak_group) = (0, 0);
    }
}

impl fmt::Display for Live {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "live: at most {} bytes, first in group {}", self.peak_bytes, self.peak_group)?;
        let mut groups = self.group_bytes.iter().enumerate();
        groups.try_for_each(|(i, bytes)| writeln!(f, "group {i}: {bytes} bytes"))
    }
}

#[derive(Debug, Default)]
pub(super) struct Scratch {
    seen: Vec<bool>,
    /// Of each wave.
    group: Vec<u32>,
    /// Of each wave, the group of its last reader, or its own.
    last: Vec<u32>,
    /// Of each group, the carried outputs that no group after it reads.
    ends: Vec<u64>,
}

/// The live bytes of a plan of these waves.
pub fn live(waves: &[Wave], plan: &Plan, reads: &[Read]) -> Result<Live, Error> {
    let mut live = Live::default();
    live_with(&mut super::Scratch::default(), &mut live, waves, plan, reads)?;
    Ok(live)
}

/// As [`live`], into a result and with a scratch that may have served before. An error
/// leaves the result empty.
pub fn live_with(
    scratch: &mut super::Scratch,
    live: &mut Live,
    waves: &[Wave],
    plan: &Plan,
    reads: &[Read],
) -> Result<(), Error> {
    live.clear();
    let mut allowance = Allowance::new(scratch.limit_bytes);
    let done = sweep(&mut allowance, &mut scratch.live, live, waves, plan, reads);
    if done.is_err() {
        live.clear();
    }
    done
}

fn sweep(
    allowance: &mut Allowance,
    scratch: &mut Scratch,
    live: &mut Live,
    waves: &[Wave],
    plan: &Plan,
    reads: &[Read],
) -> Result<(), Error> {
    if !holds_all(allowance, &mut scratch.seen, waves.len(), (&plan.order, &plan.offsets))? {
        return Err(Error::Groups { waves: waves.len() });
    }
    let group = allowance.stale("groups of waves", &mut scratch.group, waves.len())?;
    let last = allowance.stale("last groups", &mut scratch.last, waves.len())?;
    for (i, members) in plan.groups().enumerate() {
        for wave in members {
            group[wave.0 as usize] = i as u32;
        }
    }
    last.copy_from_slice(group);
    for (read, &Read { output, reader }) in reads.iter().enumerate() {
        match (group.get(output.0 as usize), group.get(reader.0 as usize)) {
            (Some(from), Some(to)) if from < to => {
                let last = &mut last[output.0 as usize];
                *last = (*last).max(*to);
            }
            _ => return Err(Error::Read { read, output, reader }),
        }
    }

    let ends = allowance.zeros("outputs that end", &mut scratch.ends, plan.groups().len())?;
    allowance.room("live bytes", &mut live.group_bytes, plan.groups().len())?;
    let sum = |a, b| bytes::add("live bytes", a, b);
    let mut carried = 0;
    for (i, members) in plan.groups().enumerate() {
        let (mut bytes, mut kept) = (carried, 0);
        for wave in members {
            let needs = &waves[wave.0 as usize];
            let cost = fused_bytes(needs).map_err(|source| Error::Wave { wave: *wave, source })?;
            bytes = sum(bytes, cost)?;
            let end = last[wave.0 as usize] as usize;
            if end > i {
                kept = sum(kept, needs.output_bytes)?;
                ends[end] = sum(ends[end], needs.output_bytes)?;
            }
        }
        live.group_bytes.push(bytes);
        if bytes > live.peak_bytes {
            (live.peak_bytes, live.peak_group) = (bytes, i as u32);
        }
        carried = sum(carried - ends[i], kept)?;
    }
    Ok(())
}
