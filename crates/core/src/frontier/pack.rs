//! First-fit decreasing: each wave, the costliest first, goes into the first group with room for it.
//!
//! The groups come out the same if they are filled one after the other instead, each with what fits
//! of what is left, from the costliest down. That needs no search among groups: the next wave of a
//! group is the costliest that is left of those that fit. Waves lie in the order of their costs, so
//! that is the first one left from a known place on: the place is looked up by the leading bits of
//! the cost, and what is left is found along the links of a disjoint-set forest, whose paths are
//! halved on the way (Tarjan and van Leeuwen, 1984).

use crate::bytes::{self, Allowance};

/// Bits of a digit that waves are sorted by, at the most.
const DIGIT_BITS_MAX: u32 = 11;

/// Waves that have their leading bits in common, were costs spread evenly.
const SHARED: usize = 4;

#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// How much a wave is below the costliest, in 32 bits, and its place; sorted.
    keys: Vec<u64>,
    /// The same while they are sorted, then the costs in that order.
    sorted: Vec<u64>,
    counts: Vec<u32>,
    /// By leading bits: the first wave that is as far below the costliest, or further.
    starts: Vec<u32>,
    /// By place in the order: itself if the wave is left, or else one further on.
    links: Vec<u32>,
}

/// A group, and what is known of it while waves are dealt.
#[derive(Debug, Clone, Copy)]
pub(super) struct Group {
    pub(super) waves: u32,
    /// Where its next wave goes, from the start of the pool.
    pub(super) next: u32,
    /// Its place among the pool's groups, once a wave is dealt to it.
    pub(super) rank: u32,
}

pub(super) const UNRANKED: u32 = u32::MAX;

impl Group {
    pub(super) fn of(waves: u32) -> Self {
        Self { waves, next: 0, rank: UNRANKED }
    }
}

/// Says which group each wave is in, and adds each group to `groups`. No wave costs
/// more than the limit.
pub(super) fn first_fit_decreasing(
    allowance: &mut Allowance,
    scratch: &mut Scratch,
    limit: u64,
    costs: &[u64],
    of: &mut [u32],
    groups: &mut Vec<Group>,
) -> Result<(), bytes::Error> {
    let Scratch { keys, sorted, counts, starts, links } = scratch;
    let count = costs.len();
    let (least, most) = costs.iter().fold((u64::MAX, 0), |(least, most), &cost| (least.min(cost), most.max(cost)));
    let bits = u64::BITS - (most - least).leading_zeros();
    let cut = bits.saturating_sub(u32::BITS);
    allowance.room("waves by cost", keys, count)?;
    keys.extend((0..).zip(costs).map(|(place, &cost)| ((most - cost) >> cut) << u32::BITS | place));
    allowance.stale("costs in order", sorted, count)?;
    sorted.truncate(count);
    let passes = bits.min(u32::BITS).div_ceil(DIGIT_BITS_MAX.min(count.ilog2() + 1)).max(1);
    let digit_bits = bits.min(u32::BITS).div_ceil(passes).max(1);
    let counts = allowance.stale("digits", counts, 1 << digit_bits)?;
    (0..passes).for_each(|pass| sort(keys, sorted, counts, u32::BITS + pass * digit_bits));
    let place = |key: u64| key as u32 as usize;
    if cut > 0 {
        for alike in keys.chunk_by_mut(|a, b| a >> u32::BITS == b >> u32::BITS) {
            alike.sort_unstable_by_key(|&key| (most - costs[place(key)], place(key)));
        }
    }
    for (cost, &key) in sorted.iter_mut().zip(keys.iter()) {
        *cost = if cut > 0 { costs[place(key)] } else { most - (key >> u32::BITS) };
    }

    let table = (count / SHARED).max(2).next_power_of_two();
    let drop = bits.saturating_sub(table.ilog2());
    let starts = allowance.stale("costs by leading bits", starts, table + 1)?;
    let mut next = 0;
    for (at, &cost) in sorted.iter().enumerate() {
        let bucket = ((most - cost) >> drop) as usize;
        while next <= bucket {
            starts[next] = at as u32;
            next += 1;
        }
    }
    starts[next..].fill(count as u32);
    let links = allowance.stale("waves left", links, count + 1)?;
    links.iter_mut().enumerate().for_each(|(at, link)| *link = at as u32);
    // The first that costs no more than so much.
    let from = |room: u64| {
        let bucket = (most.saturating_sub(room) >> drop) as usize;
        if bucket >= table {
            return count;
        }
        let (start, end) = (starts[bucket] as usize, starts[bucket + 1] as usize);
        start + sorted[start..end].partition_point(|&cost| cost > room)
    };
    fill(limit, sorted, links, from, |at, group| of[place(keys[at])] = group, groups);
    Ok(())
}

/// Sorts keys by the digit that begins at a bit; those that have it in common stay in their order.
/// What `other` holds is lost.
fn sort(keys: &mut Vec<u64>, other: &mut Vec<u64>, counts: &mut [u32], bit: u32) {
    let mask = counts.len() - 1;
    let digit = |key: u64| (key >> bit) as usize & mask;
    counts.fill(0);
    for &key in keys.iter() {
        counts[digit(key)] += 1;
    }
    let mut sum = 0;
    for count in counts.iter_mut() {
        sum += std::mem::replace(count, sum);
    }
    for &key in keys.iter() {
        let cursor = &mut counts[digit(key)];
        other[*cursor as usize] = key;
        *cursor += 1;
    }
    std::mem::swap(keys, other);
}

/// Fills groups one after the other. `from` gives the first wave that
/// costs no more than so much.
fn fill(
    limit: u64,
    costs: &[u64],
    links: &mut [u32],
    from: impl Fn(u64) -> usize,
    mut put: impl FnMut(usize, u32),
    groups: &mut Vec<Group>,
) {
    let (mut first, mut last) = (0, costs.len() - 1);
    while first < costs.len() {
        let (mut room, mut next, mut waves) = (limit, first, 0);
        while next < costs.len() {
            put(next, groups.len() as u32);
            waves += 1;
            room -= costs[next];
            links[next] = next as u32 + 1;
            next = left(links, next);
            while last > next && links[last] as usize != last {
                last -= 1;
            }
            if costs[last] > room {
                break;
            }
            if next < costs.len() && costs[next] > room {
                next = left(links, from(room));
            }
        }
        groups.push(Group::of(waves));
        first = left(links, first);
    }
}

/// The first wave from here on that is left, or the end.
fn left(links: &mut [u32], mut at: usize) -> usize {
    while links[at] as usize != at {
        links[at] = links[links[at] as usize];
        at = links[at] as usize;
    }
    at
}
