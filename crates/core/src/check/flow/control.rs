//! Loops, branches and swaps of a schedule, beside those of its graph.

use super::{Error, Flow};
use crate::graph::{BlockId, Condition, DataId, Repeat, Span};
use crate::schedule::{Binding, BufferId, Step, Test};

/// What is known of a loop or a branch that has begun.
#[derive(Debug, Clone, Copy)]
pub(super) struct Begun {
    /// Its first group,
    pub(super) first: u32,
    /// and its last, once it has ended.
    pub(super) last: u32,
    /// Swaps so far.
    swaps: usize,
}

impl Flow<'_> {
    /// Begins a block of the graph, where that has it.
    pub(super) fn begin(&mut self, step: usize, what: &Step) -> Result<(), Error> {
        let Ok(at) = self.placement.blocks.binary_search_by_key(&step, |(at, _)| *at) else {
            return Err(Error::Control { step });
        };
        let id = self.placement.blocks[at].1;
        let block = self.graph.blocks.get(id.0 as usize).ok_or(Error::Control { step })?;
        self.stands(step, block.parent)?;
        self.group_ends();
        if self.open.is_empty() {
            self.change_inside(step)?;
        }
        let asks = |test: &Option<Test>, condition: Option<Condition>| match (test, condition) {
            (None, None) => true,
            (Some(Test { word, zero }), Some(condition)) => {
                let Binding { buffer, offset, bytes } = *word;
                let span = self.data(buffer).map(|data| Span { data, offset, bytes });
                span == Some(condition.word) && *zero == condition.zero
            }
            (None, Some(_)) | (Some(_), None) => false,
        };
        let (same, test) = match (what, block.repeat) {
            (Step::Loop { test, limit }, Repeat::Loop { condition, limit: most }) => {
                (*limit == most && asks(test, condition), *test)
            }
            (Step::When { test }, Repeat::When { condition }) => (asks(&Some(*test), Some(condition)), Some(*test)),
            _ => (false, None),
        };
        let begun = Begun { first: self.group, last: self.group, swaps: 0 };
        if !same || self.blocks[id.0 as usize].replace(begun).is_some() {
            return Err(Error::Control { step });
        }
        self.open.push(id);
        test.map_or(Ok(()), |test| self.fresh(step, test.word.buffer).map(drop))
    }

    /// Whether something that stands in this block may come now: all but swaps is over by then.
    pub(super) fn stands(&self, step: usize, block: Option<BlockId>) -> Result<(), Error> {
        let swaps = |id: BlockId| self.blocks[id.0 as usize].map_or(0, |begun| begun.swaps);
        if self.open.last().copied() != block || block.is_some_and(|id| swaps(id) > 0) {
            return Err(Error::Control { step });
        }
        Ok(())
    }

    /// What is changed inside of what a step begins is that from now on.
    fn change_inside(&mut self, step: usize) -> Result<(), Error> {
        let bodies = self.schedule.bodies();
        let body = bodies.binary_search_by_key(&step, |&(begin, _)| begin);
        let (_, end) = bodies[body.expect("invariant bodies: a loop or a branch begins one")];
        let mut changed: Vec<(DataId, BufferId)> = Vec::new();
        for what in &self.schedule.steps[step..end] {
            match what {
                Step::Dispatch { kernel, bindings, .. } | Step::DispatchIndirect { kernel, bindings, .. } => {
                    let rows = self.schedule.kernels[kernel.0 as usize].buffers.iter().zip(bindings);
                    let rows = rows.filter(|(row, _)| row.effects.writes || row.effects.updates);
                    changed.extend(rows.filter_map(|(_, to)| Some((self.data(to.buffer)?, to.buffer))));
                }
                Step::Swap { first, second } => {
                    let both = [*first, *second].into_iter();
                    changed.extend(both.filter_map(|buffer| Some((self.data(buffer)?, buffer))));
                }
                Step::Upload { .. }
                | Step::Clear { .. }
                | Step::Copy { .. }
                | Step::Barrier
                | Step::Download { .. }
                | Step::Free { .. }
                | Step::Loop { .. }
                | Step::When { .. }
                | Step::End => {}
            }
        }
        changed.sort_unstable();
        changed.dedup();
        if let Some(pair) = changed.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(self.stale(step, pair[0].0));
        }
        self.version += 1;
        for (data, buffer) in changed {
            let fresh = self.holds[buffer.0 as usize] == Some(self.current[data.0 as usize]);
            self.current[data.0 as usize] = self.version;
            if fresh {
                self.holds[buffer.0 as usize] = Some(self.version);
            }
        }
        Ok(())
    }

    pub(super) fn swap(&mut self, step: usize, first: BufferId, second: BufferId) -> Result<(), Error> {
        let id = *self.open.last().ok_or(Error::Control { step })?;
        let (one, other) = (self.fresh(step, first)?, self.fresh(step, second)?);
        let begun = self.blocks[id.0 as usize].as_mut().expect("invariant open: it has begun");
        let expected = self.graph.blocks[id.0 as usize].swaps.get(begun.swaps);
        begun.swaps += 1;
        if expected != Some(&(one, other)) {
            return Err(Error::Control { step });
        }
        self.change(step, one, first)?;
        self.change(step, other, second)
    }

    pub(super) fn end(&mut self, step: usize) -> Result<(), Error> {
        let id = self.open.pop().ok_or(Error::Control { step })?;
        let group = self.group;
        let begun = self.blocks[id.0 as usize].as_mut().expect("invariant open: it has begun");
        begun.last = group;
        if begun.swaps != self.graph.blocks[id.0 as usize].swaps.len() {
            return Err(Error::Control { step });
        }
        self.group_ends();
        Ok(())
    }
}
