//! When each buffer lives, and how much is live at once.

use super::Error;
use crate::schedule::{Buffer, BufferId, Life};

/// The groups in which a transient buffer has memory; groups are counted by the barriers
/// before them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alive {
    /// The first that touches it.
    pub first: u32,
    /// The one that frees it, or the schedule's last.
    pub last: u32,
}

/// What a group does to memory.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Turnover {
    /// Transients that live from its start on, ascending.
    pub come: Vec<BufferId>,
    /// Those that live to its end, ascending.
    pub go: Vec<BufferId>,
}

/// What is known about lives while the steps are gone through.
#[derive(Debug)]
pub(super) struct Lives<'a> {
    buffers: &'a [Buffer],
    first: Vec<Option<u32>>,
    /// Step and group.
    freed: Vec<Option<(usize, u32)>>,
}

impl<'a> Lives<'a> {
    pub(super) fn new(buffers: &'a [Buffer]) -> Self {
        Self { buffers, first: vec![None; buffers.len()], freed: vec![None; buffers.len()] }
    }

    /// A step that is not a free uses a buffer, which has to live since a group that is not later.
    pub(super) fn touch(&mut self, step: usize, group: u32, since: u32, buffer: BufferId) -> Result<(), Error> {
        let at = buffer.0 as usize;
        match self.freed[at] {
            Some((freed, before)) if before < group => return Err(Error::UsedAfterFree { step, buffer, freed }),
            _ => {}
        }
        self.first[at].get_or_insert(since);
        Ok(())
    }

    pub(super) fn free(&mut self, step: usize, group: u32, buffer: BufferId) -> Result<(), Error> {
        let at = buffer.0 as usize;
        let Some(Buffer { life, .. }) = self.buffers.get(at) else {
            return Err(Error::UnknownBuffer { step, buffer, count: self.buffers.len() });
        };
        if *life == Life::Resident {
            return Err(Error::FreedResident { step, buffer });
        }
        if self.first[at].is_none() {
            return Err(Error::FreedUntouched { step, buffer });
        }
        match self.freed[at].replace((step, group)) {
            Some((first, _)) => Err(Error::FreedTwice { first, second: step, buffer }),
            None => Ok(()),
        }
    }

    /// When each transient lives, and the most that is live at once; at most the budget.
    pub(super) fn end(self, groups: u32, budget_bytes: Option<u64>) -> Result<(Vec<Option<Alive>>, u64), Error> {
        let mut resident = 0u128;
        // By group: what comes, and what went with the group before.
        let mut come = vec![0u128; groups as usize];
        let mut gone = vec![0u128; groups as usize + 1];
        let mut alive = Vec::with_capacity(self.buffers.len());
        for ((buffer, first), freed) in self.buffers.iter().zip(self.first).zip(self.freed) {
            let life = first.filter(|_| buffer.life == Life::Transient).map(|first| {
                let last = freed.map_or(groups - 1, |(_, group)| group);
                come[first as usize] += u128::from(buffer.bytes);
                gone[last as usize + 1] += u128::from(buffer.bytes);
                Alive { first, last }
            });
            alive.push(life);
            if buffer.life == Life::Resident {
                resident += u128::from(buffer.bytes);
            }
        }
        let (mut live, mut peak_bytes) = (resident, 0);
        for (group, (come, gone)) in come.into_iter().zip(gone).enumerate() {
            live = live + come - gone;
            let live_bytes = u64::try_from(live).unwrap_or(u64::MAX);
            if let Some(budget_bytes) = budget_bytes.filter(|&budget| live > u128::from(budget)) {
                return Err(Error::OverBudget { group: group as u32, live_bytes, budget_bytes });
            }
            peak_bytes = live_bytes.max(peak_bytes);
        }
        Ok((alive, peak_bytes))
    }
}
