//! From slots to copies.

use super::{Direct, Error, Packing, Plan, Range, Record, SLOTS_MAX, Slot, sort};
use crate::bytes::{self, Allowance};

/// Slots that are fetched together, so that the misses overlap instead of each holding up
/// what is decided by its slot.
const BATCH: usize = 64;

pub(super) fn pack(
    allowance: &mut Allowance,
    scratch: &mut sort::Scratch,
    plan: &mut Plan,
    slots: &[Slot],
    packing: Packing,
) -> Result<(), Error> {
    if !packing.align_bytes.is_power_of_two() {
        return Err(Error::Alignment { align_bytes: packing.align_bytes });
    }
    if slots.len() > SLOTS_MAX {
        return Err(Error::TooManySlots { slots: slots.len() });
    }
    let survey = survey(slots, packing);
    let order = if survey.ascending { None } else { Some(sort::by_id(allowance, scratch, slots, survey.last)?) };
    if survey.faulty {
        return Err(lowest_fault(slots, packing));
    }
    allowance.room("records", &mut plan.records, survey.records)?;
    allowance.room("direct slots", &mut plan.direct, survey.direct)?;
    allowance.room("direct ranges", &mut plan.ranges, survey.direct)?;
    match order {
        None => gather(plan, slots, packing)?,
        Some(order) => {
            let mut near = [slots[0]; BATCH];
            for batch in order.chunks(BATCH) {
                for (slot, &i) in near.iter_mut().zip(batch) {
                    *slot = slots[i as usize];
                }
                gather(plan, &near[..batch.len()], packing)?;
            }
        }
    }
    plan.selected_bytes = bytes::add("selected bytes", plan.compact_bytes, plan.direct_bytes)?;
    plan.avoided_bytes = plan.full_capacity_bytes.saturating_sub(plan.selected_bytes);
    plan.avoided_bp = bytes::basis_points(plan.avoided_bytes, plan.full_capacity_bytes);
    Ok(())
}

/// What one look at all slots tells.
struct Survey {
    /// Each id is higher than the one before.
    ascending: bool,
    /// The highest id.
    last: u32,
    records: usize,
    direct: usize,
    /// Some slot is over its capacity or misaligned.
    faulty: bool,
}

fn survey(slots: &[Slot], packing: Packing) -> Survey {
    let mut survey = Survey { ascending: true, last: 0, records: 0, direct: 0, faulty: false };
    let mut next = 0;
    for slot in slots {
        let id = u64::from(slot.id.0);
        survey.ascending &= next <= id;
        next = id + 1;
        survey.last = survey.last.max(slot.id.0);
        let direct = slot.meaningful_bytes > packing.record_limit_bytes;
        survey.direct += usize::from(direct);
        survey.records += usize::from(!direct && slot.meaningful_bytes > 0);
        survey.faulty |= over(slot) || misaligned(slot, packing);
    }
    survey
}

fn over(slot: &Slot) -> bool {
    slot.meaningful_bytes > slot.capacity_bytes
}

/// A slot that is skipped may start anywhere.
fn misaligned(slot: &Slot, packing: Packing) -> bool {
    slot.offset & (packing.align_bytes - 1) != 0 && slot.meaningful_bytes > 0
}

#[cold]
fn lowest_fault(slots: &[Slot], packing: Packing) -> Error {
    let lowest = |fault: &dyn Fn(&Slot) -> bool| slots.iter().filter(|slot| fault(slot)).min_by_key(|slot| slot.id);
    if let Some(&Slot { id, meaningful_bytes, capacity_bytes, .. }) = lowest(&over) {
        return Error::OverCapacity { slot: id, meaningful_bytes, capacity_bytes };
    }
    match lowest(&|slot| misaligned(slot, packing)) {
        Some(slot) => Error::Misaligned { slot: slot.id, offset: slot.offset, align_bytes: packing.align_bytes },
        None => unreachable!("survey: a fault was seen, so one slot has it"),
    }
}

/// Adds slots to the plan, in this order. Room has been made for all that is pushed here.
fn gather(plan: &mut Plan, slots: &[Slot], packing: Packing) -> Result<(), bytes::Error> {
    for &Slot { id, buffer, offset, meaningful_bytes, capacity_bytes } in slots {
        plan.full_capacity_bytes = bytes::add("full capacity bytes", plan.full_capacity_bytes, capacity_bytes)?;
        if meaningful_bytes == 0 {
            continue;
        }
        let copied = bytes::align_up("aligned slot bytes", meaningful_bytes, packing.align_bytes)?;
        let end = bytes::add("slot ends", offset, copied)?;
        if meaningful_bytes <= packing.record_limit_bytes {
            let at = plan.compact_bytes;
            plan.records.push(Record { slot: id, buffer, source: offset, offset: at, bytes: meaningful_bytes });
            plan.compact_bytes = bytes::add("compact bytes", at, copied)?;
            continue;
        }
        plan.direct_bytes = bytes::add("direct bytes", plan.direct_bytes, copied)?;
        match plan.ranges.last_mut() {
            Some(range) if range.buffer == buffer && range.offset + range.bytes == offset => {
                range.bytes = end - range.offset;
            }
            _ => plan.ranges.push(Range { buffer, offset, bytes: copied }),
        }
        let range = plan.ranges.len() - 1;
        let within = offset - plan.ranges[range].offset;
        plan.direct.push(Direct { slot: id, range: range as u32, offset: within, bytes: meaningful_bytes });
    }
    Ok(())
}
