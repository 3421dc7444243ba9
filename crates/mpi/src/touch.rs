//! What waves and exchanges do to data, and which of them must not change places.
//!
//! Data counts as a whole: which bytes a rank has of it differs from rank to rank, and the plan must not.

use std::collections::BTreeSet;

use seawall::description::{self, Bind, Control, Grid, Key};
use seawall::program::Kernel;

use crate::exchange::Exchange;
use crate::graph::{Graph, Item};

/// Data by its place in the graph.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Touch {
    pub(crate) reads: BTreeSet<usize>,
    pub(crate) writes: BTreeSet<usize>,
}

/// What is between two that must not change places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// The second reads what the first writes.
    ReadAfterWrite(usize),
    /// The second writes what the first reads.
    WriteAfterRead(usize),
    /// Both write it.
    WriteAfterWrite(usize),
    /// The caller wants it so.
    After,
}

impl Touch {
    /// Of an item that is no loop.
    pub(crate) fn of(graph: &Graph, item: &Item) -> Self {
        match item {
            Item::Unit { waves, blocks } => {
                let inner = graph.inner.description();
                let mut touch = Self::default();
                inner.waves[waves.clone()].iter().for_each(|wave| touch.wave(inner, wave));
                inner.blocks[blocks.clone()].iter().for_each(|block| touch.block(inner, block));
                touch
            }
            Item::Exchange(Exchange { kind, .. }) => {
                Self { reads: kind.reads().into_iter().collect(), writes: kind.writes().into_iter().collect() }
            }
            Item::Loop(_) => unreachable!("invariant level: loops part it"),
        }
    }

    fn wave(&mut self, inner: &description::Graph, wave: &description::Wave) {
        for (row, bind) in &wave.binds {
            let Bind::Data { data, .. } = bind else { continue };
            let (Some(row), Some(data)) = (row_of(&wave.kernel, row), place(inner, data)) else { continue };
            let effects = wave.kernel.buffers[row].effects;
            if effects.reads {
                self.reads.insert(data);
            }
            if effects.writes || effects.updates {
                self.writes.insert(data);
            }
        }
        if let Some(Grid::Indirect { data, .. }) = &wave.grid {
            self.reads.extend(place(inner, data));
        }
    }

    fn block(&mut self, inner: &description::Graph, block: &description::Block) {
        let (word, swaps) = match &block.control {
            Control::Repeat { word, swaps, .. } => (word, &swaps[..]),
            Control::When { word } => (word, &[][..]),
        };
        self.reads.extend(word.as_ref().and_then(|word| place(inner, &word.data)));
        for (first, second) in swaps {
            self.writes.extend([first, second].into_iter().filter_map(|key| place(inner, key)));
        }
    }

    /// All that is touched.
    pub(crate) fn all(&self) -> impl Iterator<Item = usize> {
        self.reads.union(&self.writes).copied()
    }

    /// Why `self` has to be over before `after` begins, if it has.
    pub(crate) fn before(&self, after: &Self) -> Option<Why> {
        let first = |a: &BTreeSet<usize>, b: &BTreeSet<usize>| a.intersection(b).next().copied();
        first(&self.writes, &after.reads)
            .map(Why::ReadAfterWrite)
            .or_else(|| first(&self.writes, &after.writes).map(Why::WriteAfterWrite))
            .or_else(|| first(&self.reads, &after.writes).map(Why::WriteAfterRead))
    }
}

/// Which data a key means.
pub(crate) fn place(inner: &description::Graph, key: &Key) -> Option<usize> {
    match key {
        Key::At(at) => Some(*at as usize),
        Key::Name(name) => inner.data.iter().position(|data| data.name == *name),
    }
}

/// Which buffer of a kernel a key means.
pub(crate) fn row_of(kernel: &Kernel, key: &Key) -> Option<usize> {
    match key {
        Key::At(at) => Some(*at as usize),
        Key::Name(name) => kernel.buffers.iter().position(|row| row.name == *name),
    }
}
