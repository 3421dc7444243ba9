//! What a good engineer would write without Seawall, given the same input.

use std::collections::HashSet;

use petgraph::graph::DiGraph;
use seawall_core::barrier::{self, Edge, WaveId};
use seawall_core::frontier::{self, Wave};
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

/// Waves in id order, each into the group of the one before it if that has room: the whole plan in
/// one pass, without a look at the layers. Costs are known to fit 64 bits.
pub(crate) fn next_fit(waves: &[Wave], limit: u64) -> frontier::Plan {
    let mut plan = frontier::Plan { offsets: vec![0], layer_offsets: vec![0], ..frontier::Plan::default() };
    plan.order.reserve_exact(waves.len());
    let (mut sum, mut load) = (Wave::default(), 0);
    let close = |plan: &mut frontier::Plan, sum: Wave, load: u64| {
        let last = plan.offsets.last().copied().unwrap_or(0);
        plan.widest_group_waves = plan.widest_group_waves.max(plan.order.len() as u32 - last);
        plan.offsets.push(plan.order.len() as u32);
        plan.sums.push(sum);
        plan.peak_frontier_bytes = plan.peak_frontier_bytes.max(sum.frontier_bytes);
        plan.peak_scratch_bytes = plan.peak_scratch_bytes.max(sum.scratch_bytes);
        plan.peak_output_bytes = plan.peak_output_bytes.max(sum.output_bytes);
        plan.peak_group_bytes = plan.peak_group_bytes.max(load);
    };
    for (id, wave) in (0..).zip(waves) {
        let cost = wave.frontier_bytes + frontier::SCRATCH_COPIES * wave.scratch_bytes + wave.output_bytes;
        if load + cost > limit {
            close(&mut plan, std::mem::take(&mut sum), std::mem::take(&mut load));
        }
        load += cost;
        sum.frontier_bytes += wave.frontier_bytes;
        sum.scratch_bytes += wave.scratch_bytes;
        sum.output_bytes += wave.output_bytes;
        plan.order.push(WaveId(id));
    }
    close(&mut plan, sum, load);
    plan.layer_offsets.push(plan.sums.len() as u32);
    plan
}
