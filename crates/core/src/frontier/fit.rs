//! Packs the waves of each layer into groups under the limit.

use super::{Error, Input, Plan, Wave, WaveId, What, fused_bytes, holds_all, pack};
use crate::bytes::{self, Allowance};

/// A long layer is packed if more than one in so many of its groups might be saved: packing takes ten
/// times as long as next-fit.
const SAVED_MIN: u128 = 100;

#[derive(Debug, Default)]
pub(super) struct Scratch {
    seen: Vec<bool>,
    /// Of each wave.
    costs: Vec<u64>,
    /// Of a layer's waves, by place.
    groups: Vec<u32>,
    /// A group's rank by its lowest wave.
    ranks: Vec<u32>,
    pack: pack::Scratch,
}

pub(super) fn fit(
    allowance: &mut Allowance,
    scratch: &mut Scratch,
    plan: &mut Plan,
    input: &Input<'_>,
) -> Result<(), Error> {
    let Input { waves, layers, budget, measured_readback_bytes } = *input;
    let seen = allowance.stale("waves seen", &mut scratch.seen, waves.len())?;
    if !holds_all(&layers.order, &layers.offsets, seen) {
        return Err(Error::Groups { waves: waves.len() });
    }
    let limit = budget.group_limit_bytes()?;
    allowance.room("wave costs", &mut scratch.costs, waves.len())?;
    for (i, wave) in waves.iter().enumerate() {
        let wave = (WaveId(i as u32), fused_bytes(wave));
        scratch.costs.push(cost_within(wave, limit)?);
    }

    allowance.room("wave order", &mut plan.order, waves.len())?;
    allowance.room("group offsets", &mut plan.offsets, waves.len() + 1)?;
    allowance.room("layer offsets", &mut plan.layer_offsets, layers.offsets.len().max(1))?;
    plan.offsets.push(0);
    plan.layer_offsets.push(0);
    for layer in layers.groups() {
        let groups = split(allowance, scratch, layer, limit)?;
        deal(plan, layer, groups);
        plan.layer_offsets.push(plan.offsets.len() as u32 - 1);
    }
    let splits = plan.groups().len() - layers.groups().len();
    plan.memory_splits = splits as u32;
    total(allowance, plan, waves)?;
    plan.readback_bytes = plan.peak_output_bytes.max(measured_readback_bytes);
    Ok(())
}

fn cost_within((wave, cost): (WaveId, Result<u64, bytes::Error>), limit: u64) -> Result<u64, Error> {
    let cost = cost.map_err(|source| Error::Wave { wave, source })?;
    if cost > limit {
        let wave = Some(wave);
        return Err(Error::OverBudget { what: What::Wave, required_bytes: cost, limit_bytes: limit, wave });
    }
    Ok(cost)
}

/// The group of each wave of a layer, by place; nothing if the layer fits as it is.
fn split<'a>(
    allowance: &mut Allowance,
    scratch: &'a mut Scratch,
    layer: &[WaveId],
    limit: u64,
) -> Result<&'a [u32], bytes::Error> {
    let Scratch { costs, groups, ranks, pack, .. } = scratch;
    let cost = |place: usize| costs[layer[place].0 as usize];
    let costs = (0..layer.len()).map(cost);
    let total: u128 = costs.clone().map(u128::from).sum();
    if total <= u128::from(limit) {
        return Ok(&[]);
    }
    let groups = allowance.stale("groups of a layer", groups, layer.len())?;
    let count = next_fit(limit, costs.clone(), groups);
    let (count_min, long) = (total.div_ceil(u128::from(limit)), layer.len() > pack::POOL_WAVES);
    if u128::from(count) - count_min <= if long { count_min / SAVED_MIN } else { 0 } {
        return Ok(groups);
    }
    let fewer = pack::largest_first(allowance, pack, (limit, total), cost, groups)?;
    if fewer >= count {
        next_fit(limit, costs, groups);
        return Ok(groups);
    }
    // By their lowest wave, as next-fit leaves them.
    let ranks = allowance.stale("ranks of groups", ranks, fewer as usize)?;
    ranks.fill(u32::MAX);
    let mut next = 0;
    for group in groups.iter_mut() {
        let rank = &mut ranks[*group as usize];
        if *rank == u32::MAX {
            *rank = next;
            next += 1;
        }
        *group = *rank;
    }
    Ok(groups)
}

/// Puts each wave into the group of the one before it, or into a new one, and says how many there are.
fn next_fit(limit: u64, costs: impl Iterator<Item = u64>, groups: &mut [u32]) -> u32 {
    let (mut last, mut room) = (0, limit);
    for (group, cost) in groups.iter_mut().zip(costs) {
        if cost > room {
            (last, room) = (last + 1, limit);
        }
        room -= cost;
        *group = last;
    }
    last + 1
}

/// Adds a layer to the plan, in these groups, or whole if there are none. A counting sort
/// that places from the back: a cursor starts at its group's end and stops at its start.
fn deal(plan: &mut Plan, layer: &[WaveId], groups: &[u32]) {
    plan.order.extend_from_slice(layer);
    let end = plan.order.len() as u32;
    if let Some(&last) = groups.iter().max() {
        let first = plan.offsets.len() - 1;
        plan.offsets.resize(first + last as usize + 1, 0);
        let cursors = &mut plan.offsets[first..];
        for &group in groups {
            // The first cursor is the layer's start already.
            cursors[group as usize] += 1;
        }
        let mut sum = 0;
        for cursor in cursors.iter_mut() {
            sum += *cursor;
            *cursor = sum;
        }
        for (&wave, &group) in layer.iter().zip(groups).rev() {
            cursors[group as usize] -= 1;
            plan.order[cursors[group as usize] as usize] = wave;
        }
    }
    plan.offsets.push(end);
}

/// A group costs at most the limit, so none of these sums can overflow.
fn total(allowance: &mut Allowance, plan: &mut Plan, waves: &[Wave]) -> Result<(), bytes::Error> {
    allowance.room("group sums", &mut plan.sums, plan.offsets.len() - 1)?;
    for ends in plan.offsets.windows(2) {
        let group = &plan.order[ends[0] as usize..ends[1] as usize];
        let mut sum = Wave::default();
        for wave in group.iter().map(|wave| &waves[wave.0 as usize]) {
            sum.frontier_bytes += wave.frontier_bytes;
            sum.scratch_bytes += wave.scratch_bytes;
            sum.output_bytes += wave.output_bytes;
        }
        plan.sums.push(sum);
        plan.peak_frontier_bytes = plan.peak_frontier_bytes.max(sum.frontier_bytes);
        plan.peak_scratch_bytes = plan.peak_scratch_bytes.max(sum.scratch_bytes);
        plan.peak_output_bytes = plan.peak_output_bytes.max(sum.output_bytes);
        plan.peak_group_bytes = plan.peak_group_bytes.max(fused_bytes(&sum)?);
        plan.widest_group_waves = plan.widest_group_waves.max(group.len() as u32);
    }
    Ok(())
}
