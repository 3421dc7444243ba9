//! Packs the waves of each layer into groups under the limit.
//!
//! A layer goes through in one pass, a pool of waves at a time, and all of a pool is done while it is
//! in the cache. A pool where next-fit does well goes on where the one before it ended; others are
//! packed by themselves, so waves of a group have ids that lie close.
//!
//! There are never more groups than next-fit has for the layer. A pool that is packed has fewer than
//! next-fit opens in it. Pools in turn after it start with another group than next-fit's, which makes
//! a difference of one group at the most, however many they are: whichever of the two must open a
//! group first is no further than the other when that opens its next.

use std::hint::select_unpredictable;

use super::pack::Group;
use super::{Error, Input, Plan, SCRATCH_COPIES, Wave, WaveId, What, deal, fused_bytes, holds_all, pack, rounded};
use crate::bytes::Allowance;

/// Waves of a layer up to which it is one pool, packed by exact costs.
pub(super) const SHORT_WAVES: usize = 4096;

/// Waves of a pool of a longer layer, at the least.
const POOL_WAVES: usize = 8192;

/// Groups of such a pool, at the least if waves suffice: the last is as full as it happens to be.
const POOL_GROUPS: u128 = 128;

/// A pool of a longer layer is packed if up to its end more than one group in so many might be saved.
const SAVED_MIN: u128 = 100;

#[derive(Debug, Default)]
pub(super) struct Scratch {
    seen: Vec<bool>,
    /// Of a pool's waves.
    costs: Vec<u64>,
    /// The group of each of a pool's waves.
    of: Vec<u32>,
    /// Of a pool.
    groups: Vec<Group>,
    pack: pack::Scratch,
    rounded: rounded::Scratch,
}

pub(super) fn fit(
    allowance: &mut Allowance,
    scratch: &mut Scratch,
    plan: &mut Plan,
    input: &Input<'_>,
) -> Result<(), Error> {
    let Input { waves, layers, budget, measured_readback_bytes } = *input;
    if !holds_all(allowance, &mut scratch.seen, waves.len(), (&layers.order, &layers.offsets))? {
        return Err(Error::Groups { waves: waves.len() });
    }
    let limit = budget.group_limit_bytes()?;
    allowance.room("wave order", &mut plan.order, waves.len())?;
    allowance.room("group offsets", &mut plan.offsets, waves.len() + 1)?;
    allowance.room("layer offsets", &mut plan.layer_offsets, layers.offsets.len().max(1))?;
    plan.offsets.push(0);
    plan.layer_offsets.push(0);
    for layer in layers.groups() {
        split(allowance, scratch, plan, (waves, limit), layer)?;
        plan.layer_offsets.push(plan.sums.len() as u32);
    }
    plan.memory_splits = (plan.sums.len() - layers.groups().len()) as u32;
    deal::peaks(plan);
    plan.readback_bytes = plan.peak_output_bytes.max(measured_readback_bytes);
    Ok(())
}

/// Adds a layer to the plan.
fn split(
    allowance: &mut Allowance,
    scratch: &mut Scratch,
    plan: &mut Plan,
    (waves, limit): (&[Wave], u64),
    layer: &[WaveId],
) -> Result<(), Error> {
    let (first_group, long) = (plan.sums.len(), layer.len() > SHORT_WAVES);
    let (mut rest, mut in_turn) = (layer, InTurn::default());
    while !rest.is_empty() {
        let before = in_turn.groups;
        measure(allowance, &mut scratch.costs, &mut in_turn, (waves, limit), rest)?;
        let Scratch { costs, of, groups, pack, rounded, .. } = &mut *scratch;
        let (pool, after) = rest.split_at(costs.len());
        rest = after;
        let opened = (in_turn.groups - before) as usize;
        allowance.more("group sums", &mut plan.sums, opened + 1)?;
        if in_turn.saves(limit, long) {
            let of = allowance.stale("groups of waves", of, pool.len())?;
            allowance.room("groups of a pool", groups, pool.len())?;
            if long {
                rounded::first_fit_decreasing(allowance, rounded, limit, costs, of, groups)?;
            } else {
                pack::first_fit_decreasing(allowance, pack, limit, costs, of, groups)?;
            }
            if groups.len() < opened {
                deal::by_group(plan, waves, pool, of, groups);
                continue;
            }
        }
        let open = plan.sums.len() > first_group;
        deal::in_turn(plan, (waves, limit), pool, open);
    }
    Ok(())
}

/// What next-fit has made of a layer so far.
#[derive(Debug, Clone, Copy, Default)]
struct InTurn {
    groups: u32,
    /// What is left of the last group.
    room: u64,
    /// What all waves cost.
    total: u128,
}

impl InTurn {
    /// Whether packing might save groups, and enough of them.
    fn saves(&self, limit: u64, long: bool) -> bool {
        if self.groups == 1 {
            return false;
        }
        let count_min = self.total.div_ceil(u128::from(limit));
        let saved_max = u128::from(self.groups) - count_min;
        if long { limit <= rounded::LIMIT_MAX && saved_max > count_min / SAVED_MIN } else { saved_max > 0 }
    }
}

/// Sets the costs of the next pool.
fn measure(
    allowance: &mut Allowance,
    costs: &mut Vec<u64>,
    in_turn: &mut InTurn,
    (waves, limit): (&[Wave], u64),
    rest: &[WaveId],
) -> Result<(), Error> {
    let enough = in_turn.total + POOL_GROUPS * u128::from(limit);
    costs.clear();
    while costs.len() < rest.len() && (costs.is_empty() || in_turn.total < enough) {
        let left = &rest[costs.len()..];
        let more = &left[..if left.len() < 2 * POOL_WAVES { left.len() } else { POOL_WAVES }];
        allowance.more("wave costs", costs, more.len())?;
        let start = costs.len();
        costs.resize(start + more.len(), 0);
        let (most, bits) = price((waves, limit), more, &mut costs[start..], in_turn);
        // Sums of what is under 2⁶⁰ cannot overflow.
        let overflow = || more.iter().any(|wave| fused_bytes(&waves[wave.0 as usize]).is_err());
        if most > limit || (bits >> 60 > 0 && overflow()) {
            return Err(over(waves, limit));
        }
    }
    Ok(())
}

/// Sets what waves cost modulo 2⁶⁴, and gives the most of it and all bits of their sizes. Where
/// something overflows, or is over the limit, the rest has no meaning.
#[inline(never)] // with nothing else to hold, all of the loop stays in registers
fn price((waves, limit): (&[Wave], u64), ids: &[WaveId], costs: &mut [u64], in_turn: &mut InTurn) -> (u64, u64) {
    let (mut most, mut bits) = (0, 0);
    let InTurn { mut groups, mut room, mut total } = *in_turn;
    if groups == 0 {
        (groups, room) = (1, limit);
    }
    for (cost, id) in costs.iter_mut().zip(ids) {
        let Wave { frontier_bytes, scratch_bytes, output_bytes } = waves[id.0 as usize];
        let copies = scratch_bytes.wrapping_mul(SCRATCH_COPIES);
        *cost = frontier_bytes.wrapping_add(copies).wrapping_add(output_bytes);
        bits |= frontier_bytes | scratch_bytes | output_bytes;
        most = most.max(*cost);
        total += u128::from(*cost);
        let over = *cost > room;
        groups += u32::from(over);
        room = select_unpredictable(over, limit, room).wrapping_sub(*cost);
    }
    *in_turn = InTurn { groups, room, total };
    (most, bits)
}

/// What is wrong with the lowest wave that no group can hold.
fn over(waves: &[Wave], limit: u64) -> Error {
    let wrong = (0..).map(WaveId).zip(waves).find_map(|(wave, bytes)| match fused_bytes(bytes) {
        Err(source) => Some(Error::Wave { wave, source }),
        Ok(required_bytes) if required_bytes > limit => {
            Some(Error::OverBudget { what: What::Wave, required_bytes, limit_bytes: limit, wave: Some(wave) })
        }
        Ok(_) => None,
    });
    wrong.expect("invariant over: there is such a wave")
}
