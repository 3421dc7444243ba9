//! A case for the planner and the proof of its answer: one for tests and for fuzzing.
//! The proof walks a sorted map of the slots and computes in 128 bits.

use std::collections::BTreeMap;

use arbitrary::{Arbitrary, Result, Unstructured};

use super::{BufferId, Direct, Error, Packing, Plan, Range, Record, Slot, SlotId, plan};
use crate::bytes;

/// Slots, sensible or not, and what to make of them.
#[derive(Debug, Clone)]
pub struct TestCase {
    /// In any order.
    pub slots: Vec<Slot>,
    /// The rule for them.
    pub packing: Packing,
}

impl<'a> Arbitrary<'a> for TestCase {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let align_bytes = if u.ratio(1, 32)? { u.int_in_range(0..=9)? } else { 1 << u.int_in_range(0..=3)? };
        let packing = Packing { record_limit_bytes: u.int_in_range(0..=40)?, align_bytes };
        let (stray, spread, huge) = (u.ratio(1, 8)?, u.ratio(1, 2)?, u.ratio(1, 8)?);
        let mut slots: Vec<Slot> = Vec::new();
        let mut place = (BufferId(0), 0_u64);
        for i in 0..u.int_in_range(0..=24_u32)? {
            let capacity_bytes = if huge && u.ratio(1, 8)? { u64::MAX >> 1 } else { u.int_in_range(0..=80)? };
            let too_many = u64::from(stray && u.ratio(1, 8)?);
            let meaningful_bytes = u.int_in_range(0..=capacity_bytes.saturating_add(too_many))?;
            let id = if stray && u.ratio(1, 8)? {
                3
            } else if spread {
                i * 1_000_003
            } else {
                i
            };
            slots.push(Slot { id: SlotId(id), buffer: place.0, offset: place.1, meaningful_bytes, capacity_bytes });
            // The next one touches it, or leaves a gap, or lies elsewhere.
            let gap = if stray { u.int_in_range(0..=7)? } else { align_bytes * u.int_in_range(0..=1)? };
            let end = place.1.saturating_add(meaningful_bytes.div_ceil(align_bytes.max(1)) * align_bytes);
            place =
                if u.ratio(1, 4)? { (BufferId(u.int_in_range(0..=2)?), 0) } else { (place.0, end.saturating_add(gap)) };
        }
        if u.ratio(1, 2)? {
            for i in (1..slots.len()).rev() {
                slots.swap(i, u.choose_index(i + 1)?);
            }
        }
        Ok(Self { slots, packing })
    }
}

impl TestCase {
    /// Plans the case and proves the answer.
    pub fn run(&self) {
        let outcome = plan(&self.slots, self.packing);
        if let Err(broken) = check(self, &outcome) {
            panic!("{broken}: {self:?}: {outcome:?}");
        }
    }
}

/// Which promise `outcome` breaks, if any.
pub fn check(case: &TestCase, outcome: &std::result::Result<Plan, Error>) -> std::result::Result<(), &'static str> {
    let rule = |kept: bool, broken: &'static str| if kept { Ok(()) } else { Err(broken) };
    match (fault(case), model(case), outcome) {
        (Some(fault), _, Err(error)) => rule(fault == *error, "the first fault of the lowest slot is reported"),
        (None, None, Err(Error::Bytes(bytes::Error::Overflow { .. }))) => Ok(()),
        (Some(_), _, Ok(_)) | (None, None, Ok(_)) => Err("a fault is refused"),
        (None, _, Err(_)) => Err("sound slots have a plan"),
        (None, Some(model), Ok(plan)) => {
            rule(model.records == plan.records, "small slots become records, by id, end to end")?;
            rule(model.direct == plan.direct, "large slots are read directly, by id")?;
            rule(model.ranges == plan.ranges, "ranges that touch are merged, and no others")?;
            rule(model == *plan, "the totals are exact")
        }
    }
}

fn fault(case: &TestCase) -> Option<Error> {
    let align_bytes = case.packing.align_bytes;
    if align_bytes.count_ones() != 1 {
        return Some(Error::Alignment { align_bytes });
    }
    let mut places: BTreeMap<SlotId, Vec<usize>> = BTreeMap::new();
    for (i, slot) in case.slots.iter().enumerate() {
        places.entry(slot.id).or_default().push(i);
    }
    if let Some((&slot, twins)) = places.iter().find(|(_, places)| places.len() > 1) {
        return Some(Error::DuplicateSlot { slot, first: twins[0], second: twins[1] });
    }
    let by_id = || places.values().map(|places| case.slots[places[0]]);
    let over = by_id().find(|slot| slot.capacity_bytes < slot.meaningful_bytes);
    if let Some(Slot { id: slot, meaningful_bytes, capacity_bytes, .. }) = over {
        return Some(Error::OverCapacity { slot, meaningful_bytes, capacity_bytes });
    }
    let off = by_id().find(|slot| slot.meaningful_bytes > 0 && slot.offset % align_bytes > 0)?;
    Some(Error::Misaligned { slot: off.id, offset: off.offset, align_bytes })
}

/// The plan of faultless slots, or nothing where a size is over 64 bits.
fn model(case: &TestCase) -> Option<Plan> {
    let narrow = |wide: u128| u64::try_from(wide).ok();
    let by_id: BTreeMap<SlotId, &Slot> = case.slots.iter().map(|slot| (slot.id, slot)).collect();
    let mut plan = Plan::default();
    let (mut full, mut slab, mut direct) = (0_u128, 0_u128, 0_u128);
    for (&id, slot) in &by_id {
        full += u128::from(slot.capacity_bytes);
        let bytes = slot.meaningful_bytes;
        let align = u128::from(case.packing.align_bytes.max(1));
        let copied = u128::from(bytes).div_ceil(align) * align;
        let end = narrow(u128::from(slot.offset) + copied);
        if bytes == 0 {
        } else if bytes <= case.packing.record_limit_bytes {
            end?;
            let (buffer, source, offset) = (slot.buffer, slot.offset, narrow(slab)?);
            plan.records.push(Record { slot: id, buffer, source, offset, bytes });
            slab += copied;
        } else {
            let (buffer, offset, end) = (slot.buffer, slot.offset, end?);
            direct += copied;
            let last = plan.ranges.last().filter(|last| last.buffer == buffer && last.offset + last.bytes == offset);
            let start = match last.copied() {
                None => offset,
                Some(last) => {
                    plan.ranges.pop();
                    last.offset
                }
            };
            plan.ranges.push(Range { buffer, offset: start, bytes: end - start });
            let range = plan.ranges.len() as u32 - 1;
            plan.direct.push(Direct { slot: id, range, offset: offset - start, bytes });
        }
    }
    (plan.full_capacity_bytes, plan.compact_bytes, plan.direct_bytes) = (narrow(full)?, narrow(slab)?, narrow(direct)?);
    plan.selected_bytes = narrow(slab + direct)?;
    plan.avoided_bytes = narrow(full.saturating_sub(slab + direct))?;
    plan.avoided_bp = (u128::from(plan.avoided_bytes) * 10_000).checked_div(full).map_or(Some(0), narrow)?;
    Some(plan)
}
