//! Slots in ascending id, and no id twice.

use super::{Error, Slot, SlotId};
use crate::bytes::Allowance;

/// Ids up to this many times the number of slots are placed in a table instead of sorted.
const DENSE: usize = 4;
/// Keys are dealt into this many buckets (as a power of two) by their highest bits, so that
/// each bucket is sorted in the cache.
const BUCKETS_BITS: u32 = 8;

#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// By id, 1 + where the slot stands in the list, or 0.
    table: Vec<u32>,
    /// Id in the upper half, where the slot stands in the lower.
    keys: Vec<u64>,
    order: Vec<u32>,
}

/// Where the slots stand in the list, by id. `last` is the highest id.
pub(super) fn by_id<'a>(
    allowance: &mut Allowance,
    scratch: &'a mut Scratch,
    slots: &[Slot],
    last: u32,
) -> Result<&'a [u32], Error> {
    let Scratch { table, keys, order } = scratch;
    allowance.room("slot order", order, slots.len())?;
    if last as usize / DENSE <= slots.len() {
        let table = allowance.zeros("slot table", table, last as usize + 1)?;
        for (i, slot) in slots.iter().enumerate() {
            table[slot.id.0 as usize] = i as u32 + 1;
        }
        order.extend(table.iter().filter(|&&place| place > 0).map(|place| place - 1));
        if order.len() == slots.len() {
            return Ok(order);
        }
        // Some id came twice: sort, to name the lowest.
        order.clear();
    }
    let keys = allowance.stale("slot keys", keys, slots.len())?;
    sort(keys, slots, last);
    if let Some(twins) = keys.windows(2).find(|keys| keys[0] >> 32 == keys[1] >> 32) {
        let [first, second] = [twins[0], twins[1]].map(|key| key as u32 as usize);
        return Err(Error::DuplicateSlot { slot: SlotId((twins[0] >> 32) as u32), first, second });
    }
    order.extend(keys.iter().map(|&key| key as u32));
    Ok(order)
}

/// Fills `keys` from slots, sorted.
fn sort(keys: &mut [u64], slots: &[Slot], last: u32) {
    let shift = (u32::BITS - last.leading_zeros()).saturating_sub(BUCKETS_BITS);
    let mut cursors = [0_u32; 1 << BUCKETS_BITS];
    for slot in slots {
        cursors[(slot.id.0 >> shift) as usize] += 1;
    }
    let mut sum = 0;
    for cursor in &mut cursors {
        sum += std::mem::replace(cursor, sum);
    }
    for (i, slot) in slots.iter().enumerate() {
        let cursor = &mut cursors[(slot.id.0 >> shift) as usize];
        keys[*cursor as usize] = u64::from(slot.id.0) << 32 | i as u64;
        *cursor += 1;
    }
    let mut begin = 0;
    for end in cursors.map(|cursor| cursor as usize) {
        keys[begin..end].sort_unstable();
        begin = end;
    }
}
