//! Slots in ascending id, and no id twice.

use super::{Error, Slot, SlotId};
use crate::bytes::Allowance;

/// Ids up to this many times the number of slots are placed in a table instead of sorted.
const DENSE: usize = 4;

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
    allowance.room("slot keys", keys, slots.len())?;
    keys.extend(slots.iter().enumerate().map(|(i, slot)| u64::from(slot.id.0) << 32 | i as u64));
    keys.sort_unstable();
    if let Some(twins) = keys.windows(2).find(|keys| keys[0] >> 32 == keys[1] >> 32) {
        let [first, second] = [twins[0], twins[1]].map(|key| key as u32 as usize);
        return Err(Error::DuplicateSlot { slot: SlotId((twins[0] >> 32) as u32), first, second });
    }
    order.extend(keys.iter().map(|&key| key as u32));
    Ok(order)
}
