//! What a good engineer would write without Seawall, given the same input.

use std::collections::HashSet;

use petgraph::graph::DiGraph;
use seawall_core::barrier::{self, Edge, WaveId};
use seawall_core::readback::{self, Direct, Packing, Range, Record, Slot};

/// The graph that petgraph sorts; building it is not counted against it.
pub(crate) fn petgraph(waves: u32, edges: &[Edge]) -> DiGraph<(), (), u32> {
    let mut graph = DiGraph::with_capacity(waves as usize, edges.len());
    (0..waves).for_each(|_| {
        graph.add_node(());
    });
    for edge in edges {
        graph.add_edge(edge.before.0.into(), edge.after.0.into(), ());
    }
    graph
}

/// Kahn's algorithm on compressed rows, a layer at a time, with the same groups as ours;
/// waves go to their groups by a counting sort, which is faster than sorting each group.
pub(crate) fn kahn(waves: u32, edges: &[Edge]) -> Option<barrier::Plan> {
    let n = waves as usize;
    let mut starts = vec![0_u32; n + 1];
    let mut unmet = vec![0_u32; n];
    for edge in edges {
        starts[edge.before.0 as usize + 1] += 1;
        unmet[edge.after.0 as usize] += 1;
    }
    for i in 0..n {
        starts[i + 1] += starts[i];
    }
    let mut cursors = starts.clone();
    let mut targets = vec![0_u32; edges.len()];
    for edge in edges {
        let cursor = &mut cursors[edge.before.0 as usize];
        targets[*cursor as usize] = edge.after.0;
        *cursor += 1;
    }

    let mut queue: Vec<u32> = Vec::with_capacity(n);
    queue.extend((0..waves).filter(|&wave| unmet[wave as usize] == 0));
    let mut levels = vec![0_u32; n];
    let mut offsets = vec![0_u32];
    let mut next = 0;
    while next < queue.len() {
        let end = queue.len();
        let level = offsets.len() as u32 - 1;
        offsets.push(end as u32);
        for at in next..end {
            let wave = queue[at] as usize;
            levels[wave] = level;
            for &after in &targets[starts[wave] as usize..starts[wave + 1] as usize] {
                unmet[after as usize] -= 1;
                if unmet[after as usize] == 0 {
                    queue.push(after);
                }
            }
        }
        next = end;
    }
    if queue.len() < n {
        return None;
    }
    let mut cursors = offsets.clone();
    let mut order = vec![WaveId(0); n];
    for wave in 0..waves {
        let cursor = &mut cursors[levels[wave as usize] as usize];
        order[*cursor as usize] = WaveId(wave);
        *cursor += 1;
    }
    Some(barrier::Plan { order, offsets })
}

/// A hash set for duplicates, a sort by id, and the same copies as ours.
pub(crate) fn hash_and_sort(slots: &[Slot], packing: Packing) -> Option<readback::Plan> {
    let mut seen = HashSet::with_capacity(slots.len());
    if !slots.iter().all(|slot| seen.insert(slot.id) && slot.meaningful_bytes <= slot.capacity_bytes) {
        return None;
    }
    let mut sorted = slots.to_vec();
    sorted.sort_unstable_by_key(|slot| slot.id);
    let mut plan = readback::Plan::default();
    for Slot { id, buffer, offset, meaningful_bytes: bytes, capacity_bytes } in sorted {
        plan.full_capacity_bytes = plan.full_capacity_bytes.checked_add(capacity_bytes)?;
        if bytes == 0 {
        } else if bytes <= packing.record_limit_bytes {
            plan.records.push(Record { slot: id, buffer, source: offset, offset: plan.compact_bytes, bytes });
            plan.compact_bytes = plan.compact_bytes.checked_add(bytes)?;
        } else {
            plan.direct_bytes = plan.direct_bytes.checked_add(bytes)?;
            match plan.ranges.last_mut() {
                Some(last) if last.buffer == buffer && last.offset + last.bytes == offset => last.bytes += bytes,
                _ => plan.ranges.push(Range { buffer, offset, bytes }),
            }
            let range = plan.ranges.len() - 1;
            let within = offset - plan.ranges[range].offset;
            plan.direct.push(Direct { slot: id, range: range as u32, offset: within, bytes });
        }
    }
    plan.selected_bytes = plan.compact_bytes.checked_add(plan.direct_bytes)?;
    plan.avoided_bytes = plan.full_capacity_bytes - plan.selected_bytes;
    let share = u128::from(plan.avoided_bytes) * 10_000;
    plan.avoided_bp = share.checked_div(u128::from(plan.full_capacity_bytes)).unwrap_or(0) as u64;
    Some(plan)
}
