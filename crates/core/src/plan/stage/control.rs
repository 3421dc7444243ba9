//! Writes loops and branches down.

use std::ops::Range;

use super::Writer;
use crate::graph::{BlockId, Condition, DataId, Repeat, Span};
use crate::plan::groups::Groups;
use crate::schedule::{Step, Test};

impl Writer<'_> {
    /// The groups of a block, with the loops and branches that they are in.
    pub(super) fn control(&mut self, groups: &Groups, unit: Range<usize>) {
        let mut open: Vec<BlockId> = Vec::new();
        for (nodes, within) in groups.nodes[unit.clone()].iter().zip(&groups.within[unit]) {
            let parent = |block: &BlockId| self.graph.blocks[block.0 as usize].parent;
            let mut around: Vec<BlockId> = std::iter::successors(*within, parent).collect();
            around.reverse();
            let shared = open.iter().zip(&around).take_while(|(a, b)| a == b).count();
            self.close(&mut open, shared);
            for &block in &around[shared..] {
                self.open(block);
                open.push(block);
            }
            self.written.barrier();
            for &node in nodes {
                self.node(node);
            }
        }
        self.close(&mut open, 0);
        // What is freed now is there until the next stage.
        self.stage += 1;
        self.stage_bytes = self.live_bytes;
    }

    fn open(&mut self, block: BlockId) {
        let test = |condition: Condition| Test { word: self.bind(condition.word), zero: condition.zero };
        let step = match self.graph.blocks[block.0 as usize].repeat {
            Repeat::Loop { condition, limit } => Step::Loop { test: condition.map(test), limit },
            Repeat::When { condition } => Step::When { test: test(condition) },
        };
        self.placement.blocks.push((self.written.schedule.steps.len(), block));
        self.written.step(step);
    }

    /// Ends all blocks but so many.
    fn close(&mut self, open: &mut Vec<BlockId>, but: usize) {
        for block in open.drain(but..).rev() {
            let swaps = &self.graph.blocks[block.0 as usize].swaps;
            for &(first, second) in swaps {
                self.written.step(Step::Barrier);
                let of = |data: DataId| self.bind(Span { data, offset: 0, bytes: 0 }).buffer;
                self.written.step(Step::Swap { first: of(first), second: of(second) });
                self.changed(first);
                self.changed(second);
            }
            self.written.step(Step::End);
        }
    }
}
