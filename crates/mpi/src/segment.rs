//! The waves of a stage as an ordinary graph over resident buffers.

use std::collections::{BTreeMap, BTreeSet};

use seawall::Role;
use seawall::description::{self, Bind, Block, Control, Grid, Key, Wave};

use crate::graph::{Graph, Item};
use crate::plan::Plan;
use crate::touch::{Touch, place, row_of};

/// A graph for some of the waves, and the shared data that it is bound to, in order, each with whether it is changed;
/// `None` if this rank has nothing to do.
pub(crate) fn segment(graph: &Graph, plan: &Plan, units: &[usize]) -> Option<(seawall::Graph, Vec<(usize, bool)>)> {
    let inner = graph.inner.description();
    let written: BTreeSet<usize> = units.iter().flat_map(|&unit| Touch::of(graph, &plan.items[unit]).writes).collect();
    let mut made =
        Made { graph, inner, places: BTreeMap::new(), bound: Vec::new(), out: description::Graph::default() };
    for &unit in units {
        let Item::Unit { waves, blocks } = &plan.items[unit] else { unreachable!("invariant units: they are waves") };
        let first = made.out.waves.len();
        // Which waves are left, so that blocks know theirs.
        let mut kept = vec![first];
        for wave in &inner.waves[waves.clone()] {
            if !made.is_empty(wave) {
                let wave = made.wave(wave);
                made.out.waves.push(wave);
            }
            kept.push(made.out.waves.len());
        }
        for block in &inner.blocks[blocks.clone()] {
            let Block { name, waves: of, control } = block;
            let waves = kept[of.start - waves.start]..kept[of.end - waves.start];
            if !waves.is_empty() {
                let control = made.control(control);
                made.out.blocks.push(Block { name: name.clone(), waves, control });
            }
        }
    }
    let names: Vec<String> = made.out.waves.iter().map(|wave| wave.name.to_string()).collect();
    for wave in &mut made.out.waves {
        // Others were over before.
        wave.after.retain(|name| names.contains(name));
    }
    let Made { mut out, bound, places, .. } = made;
    // What is not changed does not come back from the device.
    for (at, to) in &places {
        if plan.evicted.contains(at) && !written.contains(at) {
            out.data[*to as usize].role = Role::Input;
        }
    }
    (!out.waves.is_empty()).then(|| {
        // What is on the device and not of this segment leaves the rest to it.
        let stays = |at: &usize| graph.data[*at].is_some() && !plan.evicted.contains(at) && !bound.contains(at);
        let others: u64 = (0..graph.data.len()).filter(stays).map(|at| inner.data[at].bytes).sum();
        let mut segment = seawall::Graph::from(out);
        if let Some(budget_bytes) = graph.budget_bytes {
            segment.budget_bytes(budget_bytes - plan.staging_bytes - others);
        }
        let bound = bound.into_iter().map(|at| (at, written.contains(&at))).collect();
        (segment, bound)
    })
}

struct Made<'a> {
    graph: &'a Graph,
    inner: &'a description::Graph,
    /// From the graph's data to the segment's.
    places: BTreeMap<usize, u32>,
    bound: Vec<usize>,
    out: description::Graph,
}

impl Made<'_> {
    /// Whether a wave is over data of which this rank has nothing.
    fn is_empty(&self, wave: &Wave) -> bool {
        let Some(Grid::Over(over)) = &wave.grid else { return false };
        let over = row_of(&wave.kernel, over);
        let bound = wave.binds.iter().find(|(row, _)| row_of(&wave.kernel, row) == over);
        let Some((_, Bind::Data { data, .. })) = bound else { return false };
        let data = place(self.inner, data).and_then(|at| self.graph.data[at].as_ref());
        data.is_some_and(|data| data.len == 0)
    }

    fn wave(&mut self, wave: &Wave) -> Wave {
        let mut wave = wave.clone();
        for (_, bind) in &mut wave.binds {
            if let Bind::Data { data, .. } = bind {
                *data = self.key(data);
            }
        }
        if let Some(Grid::Indirect { data, .. }) = &mut wave.grid {
            *data = self.key(data);
        }
        wave
    }

    fn control(&mut self, control: &Control) -> Control {
        let mut control = control.clone();
        let (word, swaps) = match &mut control {
            Control::Repeat { word, swaps, .. } => (word, &mut swaps[..]),
            Control::When { word } => (word, &mut [][..]),
        };
        if let Some(word) = word {
            word.data = self.key(&word.data);
        }
        for (first, second) in swaps {
            (*first, *second) = (self.key(first), self.key(second));
        }
        control
    }

    fn key(&mut self, key: &Key) -> Key {
        let at = place(self.inner, key).expect("invariant planned: names lead to data");
        let next = self.out.data.len() as u32;
        let to = *self.places.entry(at).or_insert(next);
        if to == next {
            self.out.data.push(self.inner.data[at].clone());
            if self.graph.data[at].is_some() {
                self.bound.push(at);
            }
        }
        Key::At(to)
    }
}
