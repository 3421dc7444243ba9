//! In tests: what a group only reads cannot be written while it runs.

use std::collections::BTreeSet;
use std::sync::PoisonError;

use seawall_core::schedule::{Binding, Step};

use super::Run;

impl Run<'_> {
    /// Lets the last group's buffers be written again, and a group's be read only, where memory has
    /// edges.
    pub(super) fn shield(&self, group: Option<usize>) {
        if self.loaded.edge.is_none() {
            return;
        }
        let mut shielded = self.shielded.lock().unwrap_or_else(PoisonError::into_inner);
        shielded.drain(..).for_each(|buffer| self.protect(buffer, false));
        if let Some(group) = group {
            *shielded = self.only_read(group);
            shielded.iter().for_each(|&buffer| self.protect(buffer, true));
        }
    }

    fn protect(&self, buffer: usize, read_only: bool) {
        let resident = self.loaded.schedule.residents().position(|id| id.0 as usize == buffer);
        match resident {
            // What lies in the same memory may be written.
            Some(at) if self.residents.iter().filter(|other| std::ptr::eq(**other, self.residents[at])).count() > 1 => {
            }
            Some(at) => self.residents[at].protect(read_only),
            None => self.bank.lock().unwrap_or_else(PoisonError::into_inner).protect(buffer, read_only),
        }
    }

    /// The buffers that a group reads and does not write.
    fn only_read(&self, group: usize) -> Vec<usize> {
        let schedule = &self.loaded.schedule;
        let (mut read, mut written) = (BTreeSet::new(), BTreeSet::new());
        let mut touch = |range: &Binding, writes: bool| {
            if writes { &mut written } else { &mut read }.insert(range.buffer.0 as usize);
        };
        for step in &schedule.steps[self.loaded.recipe.groups[group].clone()] {
            match step {
                Step::Upload { to, .. } | Step::Clear { range: to } => touch(to, true),
                Step::Download { from, length, .. } => {
                    touch(from, false);
                    length.iter().for_each(|length| touch(&length.count, false));
                }
                Step::Copy { from, to } => {
                    touch(from, false);
                    touch(to, true);
                }
                Step::Dispatch { kernel, bindings, .. } | Step::DispatchIndirect { kernel, bindings, .. } => {
                    let rows = &schedule.kernels[kernel.0 as usize].buffers;
                    for (row, binding) in rows.iter().zip(bindings) {
                        touch(binding, row.effects.writes || row.effects.updates);
                    }
                    if let Step::DispatchIndirect { args, .. } = step {
                        touch(args, false);
                    }
                }
                Step::Barrier | Step::Free { .. } => {}
                Step::Loop { .. } | Step::When { .. } | Step::Swap { .. } | Step::End => {}
            }
        }
        read.difference(&written).copied().collect()
    }
}
