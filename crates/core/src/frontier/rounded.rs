//! First-fit decreasing on costs rounded up to units, 1680 of which make the limit.
//!
//! As in [`pack`](super::pack) groups are filled one after the other, each with the costliest wave
//! left that fits. Waves of as many units are alike, so they need no order among them: they stand in
//! a list, and the costliest that fits is the first of the list that is found in a bit set of two
//! levels. What rounding wastes of a group is less than a unit for each of its waves, and nothing if
//! they cost a half, a third, or any up to an eighth of the limit, or if the limit is under 1680.

use super::pack::Group;
use crate::bytes::{self, Allowance};

/// Divided by 1 to 8, 10, 12 and 14 to 16.
const UNITS: u64 = 1680;

/// So that no difference of products overflows.
pub(super) const LIMIT_MAX: u64 = u64::MAX >> 1;

/// A wave leaves so many units at the most, and one.
const LISTS: usize = (UNITS as usize + 1).next_power_of_two();
const WORD_BITS: usize = 64;
const WORDS: usize = LISTS / WORD_BITS;

const NONE: u32 = u32::MAX;

#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// By the units that a wave leaves of an empty group: the first such wave.
    first: Vec<u32>,
}

/// Says which group each wave is in, and adds each group to `groups`. No wave costs more than the
/// limit, which is at most [`LIMIT_MAX`].
pub(super) fn first_fit_decreasing(
    allowance: &mut Allowance,
    scratch: &mut Scratch,
    limit: u64,
    costs: &[u64],
    of: &mut [u32],
    groups: &mut Vec<Group>,
) -> Result<(), bytes::Error> {
    let scale = Scale::of(limit);
    let all = scale.units as usize;
    let first = allowance.stale("waves by units", &mut scratch.first, LISTS)?;
    let first: &mut [u32; LISTS] = first.try_into().expect("invariant stale: as many as were asked for");
    first.fill(NONE);
    // Until a wave has its group it says which is next in its list.
    let of = &mut of[..costs.len()];
    for (place, &cost) in costs.iter().enumerate().rev() {
        let list = &mut first[(all - scale.round(cost) as usize) % LISTS];
        of[place] = std::mem::replace(list, place as u32);
    }
    let mut lists = Lists { some: [0; WORDS], words: 0 };
    for (word, first) in first[..(all + 1).next_multiple_of(WORD_BITS)].chunks_exact(WORD_BITS).enumerate() {
        let some = first.iter().rev().fold(0, |some, &first| some << 1 | u64::from(first != NONE));
        lists.some[word] = some;
        lists.words |= u64::from(some != 0) << word;
    }
    // The units that a group has taken are those that its next wave must leave, or more.
    let mut top = 0;
    while let Some(most) = lists.from(top) {
        top = most;
        let (mut used, mut leaves, mut waves) = (0, most, 0);
        loop {
            let place = first[leaves % LISTS] as usize;
            let next = std::mem::replace(&mut of[place], groups.len() as u32);
            first[leaves % LISTS] = next;
            if next == NONE {
                lists.remove(leaves);
            }
            waves += 1;
            used += all - leaves;
            match lists.from(leaves.max(used)) {
                Some(next) => leaves = next,
                None => break,
            }
        }
        groups.push(Group::of(waves));
    }
    Ok(())
}

/// How bytes become units: by a product with the inverse instead of a division.
struct Scale {
    limit: u64,
    /// That make the limit.
    units: u64,
    /// Units of a byte, times 2⁶⁴, rounded down.
    inverse: u64,
}

impl Scale {
    fn of(limit: u64) -> Self {
        let units = limit.min(UNITS);
        let inverse = (u128::from(units) << u64::BITS) / u128::from(limit.max(1));
        Self { limit, units, inverse: u64::try_from(inverse).unwrap_or(u64::MAX) }
    }

    /// The least number of units that is at least a cost.
    fn round(&self, cost: u64) -> u64 {
        // The whole units, or one less. The products may wrap, but not what is between them.
        let whole = ((u128::from(cost) * u128::from(self.inverse)) >> u64::BITS) as u64;
        let rest = cost.wrapping_mul(self.units).wrapping_sub(whole.wrapping_mul(self.limit));
        whole + u64::from(rest > 0) + u64::from(rest > self.limit)
    }
}

/// Which lists have a wave.
struct Lists {
    some: [u64; WORDS],
    /// Which words of those are not zero.
    words: u64,
}

impl Lists {
    /// The first from here on.
    #[inline]
    fn from(&self, at: usize) -> Option<usize> {
        let word = at / WORD_BITS % WORDS;
        let some = self.some[word] >> (at % WORD_BITS);
        if some != 0 {
            return Some(at + some.trailing_zeros() as usize);
        }
        let words = self.words & (!1 << word);
        if words == 0 {
            return None;
        }
        let word = words.trailing_zeros() as usize;
        Some(word * WORD_BITS + self.some[word].trailing_zeros() as usize)
    }

    #[inline]
    fn remove(&mut self, at: usize) {
        let word = at / WORD_BITS % WORDS;
        self.some[word] &= !(1 << (at % WORD_BITS));
        if self.some[word] == 0 {
            self.words &= !(1 << word);
        }
    }
}
