//! First-fit decreasing: each wave, the costliest first, goes into the first group with room for it.
//!
//! The groups come out the same if they are filled one after the other instead, each with what fits
//! of what is left, from the costliest down. That needs no search among groups: the next wave of a
//! group is the costliest that is left of those that fit. Waves lie in the order of their costs, so
//! that is the first one left from a known place on: the place is looked up by the leading bits of
//! the cost, and what is left is found along the links of a disjoint-set forest, whose paths are
//! halved on the way (Tarjan and van Leeuwen, 1984).
//!
//! A long layer is packed a pool of waves at a time, so that all of this happens in the cache and
//! waves of a group have ids that lie close. What such a group wastes is less than the smallest wave
//! left over when it was filled, except for the last, whose waves go into the next pool.

use crate::bytes::{self, Allowance};

/// Waves of a pool, at the least, if a layer has as many.
pub(super) const POOL_WAVES: usize = 4096;

/// Groups of a pool, if waves cost what they do on average.
const POOL_GROUPS: u128 = 8;

/// Bits of a digit that waves are sorted by, at the most.
const DIGIT_BITS_MAX: u32 = 11;

/// Waves that have their leading bits in common, were costs spread evenly.
const SHARED: usize = 4;

#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// Places in the layer of the waves to pack.
    pool: Vec<u32>,
    /// How much a wave is below the costliest, in 32 bits, and its place in the pool; sorted.
    keys: Vec<u64>,
    /// The same while they are sorted, then the costs in that order.
    costs: Vec<u64>,
    counts: Vec<u32>,
    /// By leading bits: the first wave that is as far below the costliest, or further.
    starts: Vec<u32>,
    /// By place in the order: itself if the wave is left, or else one further on.
    links: Vec<u32>,
}

/// Says how many groups there are, and which each wave of a layer is in. No wave costs more than the
/// limit; `total` is what all of them do, and is more than the limit.
pub(super) fn largest_first(
    allowance: &mut Allowance,
    scratch: &mut Scratch,
    (limit, total): (u64, u128),
    costs: impl Fn(usize) -> u64,
    groups: &mut [u32],
) -> Result<u32, bytes::Error> {
    let count = groups.len();
    let mut pool = std::mem::take(&mut scratch.pool);
    let packed = (|| {
        allowance.room("waves to pack", &mut pool, count)?;
        let usual = usize::try_from(POOL_GROUPS * count as u128 * u128::from(limit) / total).unwrap_or(count);
        let (mut next, mut first) = (0, 0);
        loop {
            // As many new ones as are there already, so that each wave is packed but a few times.
            let end = next + usual.max(POOL_WAVES).max(pool.len()).min(count - next);
            pool.extend(next as u32..end as u32);
            next = end;
            let cost = |place: u32| costs(pool[place as usize] as usize);
            let last = pack(allowance, scratch, limit, pool.len(), cost, |place, group| {
                groups[pool[place as usize] as usize] = first + group;
            })?;
            if next == count {
                return Ok(first + last + 1);
            }
            first += last;
            pool.retain(|&place| groups[place as usize] == first);
        }
    })();
    scratch.pool = pool;
    packed
}

/// Packs so many waves, and says which group is the last.
fn pack(
    allowance: &mut Allowance,
    scratch: &mut Scratch,
    limit: u64,
    count: usize,
    costs: impl Fn(u32) -> u64,
    mut put: impl FnMut(u32, u32),
) -> Result<u32, bytes::Error> {
    let Scratch { keys, costs: sorted, counts, starts, links, .. } = scratch;
    let all = || (0..count as u32).map(&costs);
    let (least, most) = all().fold((u64::MAX, 0), |(least, most), cost| (least.min(cost), most.max(cost)));
    let bits = u64::BITS - (most - least).leading_zeros();
    let cut = bits.saturating_sub(u32::BITS);
    allowance.room("waves by cost", keys, count)?;
    keys.extend((0..).zip(all()).map(|(place, cost)| ((most - cost) >> cut) << u32::BITS | place));
    allowance.stale("costs in order", sorted, count)?;
    sorted.truncate(count);
    let passes = bits.min(u32::BITS).div_ceil(DIGIT_BITS_MAX.min(count.ilog2() + 1)).max(1);
    let digit_bits = bits.min(u32::BITS).div_ceil(passes).max(1);
    let counts = allowance.stale("digits", counts, 1 << digit_bits)?;
    (0..passes).for_each(|pass| sort(keys, sorted, counts, u32::BITS + pass * digit_bits));
    let place = |key: u64| key as u32;
    if cut > 0 {
        for alike in keys.chunk_by_mut(|a, b| a >> u32::BITS == b >> u32::BITS) {
            alike.sort_unstable_by_key(|&key| (most - costs(place(key)), place(key)));
        }
    }
    for (cost, &key) in sorted.iter_mut().zip(keys.iter()) {
        *cost = if cut > 0 { costs(place(key)) } else { most - (key >> u32::BITS) };
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
    Ok(fill(limit, sorted, links, from, |at, group| put(place(keys[at]), group)))
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

/// Fills groups one after the other, and says which is the last. `from` gives the first wave that
/// costs no more than so much.
fn fill(
    limit: u64,
    costs: &[u64],
    links: &mut [u32],
    from: impl Fn(u64) -> usize,
    mut put: impl FnMut(usize, u32),
) -> u32 {
    let (mut group, mut first, mut last) = (0, 0, costs.len() - 1);
    loop {
        let (mut room, mut next) = (limit, first);
        while next < costs.len() {
            put(next, group);
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
        first = left(links, first);
        if first == costs.len() {
            return group;
        }
        group += 1;
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
