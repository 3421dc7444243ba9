//! In tests: what a group only reads cannot be written while it runs.

use std::collections::BTreeSet;

use seawall_core::schedule::{Binding, Step};

use super::lead::Leader;

impl Leader<'_> {
    /// Lets the last group's buffers be written again, and a group's be read only, where memory has
    /// edges.
    pub(super) fn shield(&mut self, group: Option<usize>) {
        if self.common.loaded.edge.is_none() {
            return;
        }
        std::mem::take(&mut self.shielded).into_iter().for_each(|buffer| self.protect(buffer, false));
        if let Some(group) = group {
            self.shielded = self.only_read(group);
            self.shielded.iter().for_each(|&buffer| self.protect(buffer, true));
        }
    }

    fn protect(&self, buffer: usize, read_only: bool) {
        match self.common.loaded.recipe.resident[buffer] {
            // What lies in the same memory may be written.
            Some(at) if self.residents.iter().filter(|other| std::ptr::eq(**other, self.residents[at])).count() > 1 => {
            }
            Some(at) => self.residents[at].protect(read_only),
            None => self.bank.protect(buffer, read_only),
        }
    }

    /// The buffers that a group reads and does not write.
    fn only_read(&self, group: usize) -> Vec<usize> {
        let schedule = &self.common.loaded.schedule;
        let (mut read, mut written) = (BTreeSet::new(), BTreeSet::new());
        let mut touch = |range: &Binding, writes: bool| {
            if writes { &mut written } else { &mut read }.insert(range.buffer.0 as usize);
        };
        for step in &schedule.steps[self.common.loaded.recipe.groups[group].clone()] {
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
                // Whatever else binds them: their memories change places.
                Step::Swap { first, second } => {
                    let whole =
                        |buffer| Binding { buffer, offset: 0, bytes: schedule.buffers[buffer.0 as usize].bytes };
                    [first, second].into_iter().for_each(|&buffer| touch(&whole(buffer), true));
                }
                Step::Barrier | Step::Free { .. } | Step::Loop { .. } | Step::When { .. } | Step::End => {}
            }
        }
        read.difference(&written).copied().collect()
    }
}
