//! Adds waves to a plan, with the groups that they are in: order, offsets and sums in one pass.

use super::pack::{Group, UNRANKED};
use super::{Plan, SCRATCH_COPIES, Wave, WaveId};

/// Puts each wave into the group of the one before it, or into a new one: next-fit. The plan's last
/// group is the first to be filled if it is `open`.
pub(super) fn in_turn(plan: &mut Plan, (waves, limit): (&[Wave], u64), pool: &[WaveId], open: bool) {
    let mut sum = Wave::default();
    if open {
        plan.offsets.pop();
        sum = plan.sums.pop().unwrap_or_default();
    }
    let mut load = cost(&sum);
    for (at, wave) in (plan.order.len() as u32..).zip(pool) {
        let wave = &waves[wave.0 as usize];
        let cost = cost(wave);
        if cost > limit - load {
            plan.offsets.push(at);
            plan.sums.push(sum);
            (sum, load) = (Wave::default(), 0);
        }
        load += cost;
        add(&mut sum, wave);
    }
    plan.order.extend_from_slice(pool);
    plan.offsets.push(plan.order.len() as u32);
    plan.sums.push(sum);
}

/// Puts each wave into the group that is said of its place. Groups come in the order of their lowest
/// waves: the next one starts, behind all that the others will hold, when its first wave is met.
#[inline(never)] // with nothing else to hold, all of the loop stays in registers
pub(super) fn by_group(plan: &mut Plan, waves: &[Wave], pool: &[WaveId], of: &[u32], groups: &mut [Group]) {
    let (first_wave, first_group) = (plan.order.len(), plan.sums.len());
    plan.order.extend_from_slice(pool);
    plan.sums.resize(first_group + groups.len(), Wave::default());
    plan.offsets.resize(first_group + groups.len() + 1, 0);
    let (order, sums) = (&mut plan.order[first_wave..], &mut plan.sums[first_group..]);
    let ends = &mut plan.offsets[first_group + 1..];
    let (mut taken, mut ranked) = (0, 0);
    for (&wave, &group) in pool.iter().zip(of) {
        let group = &mut groups[group as usize];
        if group.rank == UNRANKED {
            group.next = taken;
            taken += group.waves;
            ends[ranked as usize] = first_wave as u32 + taken;
            group.rank = ranked;
            ranked += 1;
        }
        order[group.next as usize] = wave;
        group.next += 1;
        add(&mut sums[group.rank as usize], &waves[wave.0 as usize]);
    }
}

/// Sets what follows from the groups.
pub(super) fn peaks(plan: &mut Plan) {
    for (sum, ends) in plan.sums.iter().zip(plan.offsets.windows(2)) {
        plan.peak_frontier_bytes = plan.peak_frontier_bytes.max(sum.frontier_bytes);
        plan.peak_scratch_bytes = plan.peak_scratch_bytes.max(sum.scratch_bytes);
        plan.peak_output_bytes = plan.peak_output_bytes.max(sum.output_bytes);
        plan.peak_group_bytes = plan.peak_group_bytes.max(cost(sum));
        plan.widest_group_waves = plan.widest_group_waves.max(ends[1] - ends[0]);
    }
}

/// What a wave or a group costs that is known to cost no more than the limit, so nothing overflows.
fn cost(wave: &Wave) -> u64 {
    wave.frontier_bytes + SCRATCH_COPIES * wave.scratch_bytes + wave.output_bytes
}

/// A group costs no more than the limit either.
fn add(sum: &mut Wave, wave: &Wave) {
    sum.frontier_bytes += wave.frontier_bytes;
    sum.scratch_bytes += wave.scratch_bytes;
    sum.output_bytes += wave.output_bytes;
}
