//! Which data stays in the host's memory, where a rank's budget does not hold all of it.
//!
//! Such data is on the device only while waves of a stage need it, in turns if they need too much at once: that is
//! up to the planner of the stage's graph. Exchanges find it in the host's memory, where they want it anyway. The
//! largest goes first, so that as little as can be goes to and fro. What changes places goes together.

use std::collections::BTreeSet;

use seawall::description::{Bind, Control};

use crate::graph::{Graph, Item};
use crate::touch::place;

/// Values lie as far apart as devices can bind them.
const VALUE_ALIGN_BYTES: u64 = 256;

/// Data by its place, in ascending order; none at all if even then a wave would have no room.
pub(crate) fn evicted(graph: &Graph, staging_bytes: u64, limit_bytes: u64) -> Option<Vec<usize>> {
    let inner = graph.inner.description();
    let bytes = |data: usize| inner.data[data].bytes;
    let ours = |data: &usize| graph.data[*data].is_some();
    // Of each wave: what it binds, and the bytes that it needs beside shared data.
    let bound: Vec<(BTreeSet<usize>, u64)> = (inner.waves.iter())
        .map(|wave| {
            let (mut shared, mut others) = (BTreeSet::new(), 0u64);
            for (_, bind) in &wave.binds {
                match bind {
                    Bind::Data { data, .. } => match place(inner, data) {
                        Some(data) if ours(&data) => _ = shared.insert(data),
                        Some(data) => others = others.saturating_add(bytes(data)),
                        None => {}
                    },
                    Bind::Value(value) => others += (value.len() as u64).next_multiple_of(VALUE_ALIGN_BYTES),
                }
            }
            (shared, others)
        })
        .collect();
    let fits = |host: &[usize]| {
        let stays = (0..graph.data.len()).filter(|data| ours(data) && !host.contains(data)).map(bytes);
        let comes = |(shared, others): &(BTreeSet<usize>, u64)| {
            let comes = shared.iter().filter(|data| host.contains(data)).map(|&data| bytes(data));
            comes.fold(*others, u64::saturating_add)
        };
        let comes = bound.iter().map(comes).max().unwrap_or(0);
        stays.fold(staging_bytes, u64::saturating_add).saturating_add(comes) <= limit_bytes
    };
    let mut groups = together(graph);
    groups.sort_by_key(|group| std::cmp::Reverse(group.iter().map(|&data| bytes(data)).fold(0, u64::saturating_add)));
    let mut gone = Vec::new();
    let flat = |gone: &[Vec<usize>]| gone.concat();
    for group in groups {
        if fits(&flat(&gone)) {
            break;
        }
        gone.push(group);
    }
    // What went first may have room again.
    for at in (0..gone.len()).rev() {
        let group = gone.remove(at);
        if !fits(&flat(&gone)) {
            gone.insert(at, group);
        }
    }
    let mut host = flat(&gone);
    host.sort_unstable();
    fits(&host).then_some(host)
}

/// Data that changes places with each other; most is alone.
fn together(graph: &Graph) -> Vec<Vec<usize>> {
    let inner = graph.inner.description();
    let mut pairs = Vec::new();
    swaps(&graph.items, &mut pairs);
    for block in &inner.blocks {
        if let Control::Repeat { swaps, .. } = &block.control {
            pairs.extend(swaps.iter().filter_map(|(a, b)| Some((place(inner, a)?, place(inner, b)?))));
        }
    }
    let mut groups: Vec<Vec<usize>> =
        (0..graph.data.len()).filter(|&at| graph.data[at].is_some()).map(|at| vec![at]).collect();
    for (first, second) in pairs {
        let find = |data: usize| groups.iter().position(|group| group.contains(&data));
        if let (Some(one), Some(other)) = (find(first), find(second))
            && one != other
        {
            let moved = groups.swap_remove(one.max(other));
            groups[one.min(other)].extend(moved);
        }
    }
    groups
}

fn swaps(items: &[Item], pairs: &mut Vec<(usize, usize)>) {
    for item in items {
        if let Item::Loop(looped) = item {
            pairs.extend(&looped.swaps);
            swaps(&looped.items, pairs);
        }
    }
}
