//! A case for the planner and the proof of its answer: one for tests and for fuzzing.
//! The proof computes in 128 bits, where nothing overflows.

use arbitrary::{Arbitrary, Result, Unstructured};

use super::{Drain, Error, Host, Plan, Profile, plan};
use crate::bytes;

/// A profile, sensible or not.
#[derive(Debug, Clone)]
pub struct TestCase(pub Profile);

impl<'a> Arbitrary<'a> for TestCase {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let number = |u: &mut Unstructured<'a>| -> Result<u64> {
            Ok(match u.int_in_range(0..=3)? {
                0 => u.int_in_range(0..=4)?,
                1 => u.int_in_range(0..=5_000)?,
                2 => u64::MAX - u.int_in_range(0..=4)?,
                _ => u.arbitrary::<u64>()? >> u.int_in_range(0..=63)?,
            })
        };
        let capacity_items = number(u)?;
        let initial_items = if u.ratio(3, 4)? { u.int_in_range(0..=capacity_items)? } else { number(u)? };
        Ok(Self(Profile {
            initial_items,
            capacity_items,
            entry_bytes: number(u)?,
            control_bytes: number(u)?,
            budget_bytes: if u.ratio(1, 2)? { u64::MAX } else { number(u)? },
            host: if u.ratio(1, 16)? { Host::WhileDraining } else { Host::FinalOnly },
            drain_limit_items: if u.arbitrary()? { Some(number(u)?) } else { None },
        }))
    }
}

impl TestCase {
    /// Plans the case and proves the answer.
    pub fn run(&self) {
        let outcome = plan(&self.0);
        if let Err(broken) = check(self, &outcome) {
            panic!("{broken}: {self:?}: {outcome:?}");
        }
    }
}

/// Which promise `outcome` breaks, if any.
pub fn check(case: &TestCase, outcome: &std::result::Result<Plan, Error>) -> std::result::Result<(), &'static str> {
    let rule = |kept: bool, broken: &'static str| if kept { Ok(()) } else { Err(broken) };
    let wide = u128::from;
    let profile = &case.0;
    let ring = wide(profile.capacity_items) * wide(profile.entry_bytes);
    let total = ring + wide(profile.control_bytes);
    let overflow = |what| Some(Error::Bytes(bytes::Error::Overflow { what }));

    let required_bytes = u64::try_from(total).unwrap_or(u64::MAX);
    let faults = [
        (profile.capacity_items == 0).then_some(Error::ZeroCapacity),
        (profile.entry_bytes == 0).then_some(Error::ZeroEntry),
        (profile.initial_items > profile.capacity_items).then_some(Error::InitialOverCapacity {
            initial_items: profile.initial_items,
            capacity_items: profile.capacity_items,
        }),
        (profile.host == Host::WhileDraining).then_some(Error::HostWhileDraining),
        if ring > wide(u64::MAX) { overflow("queue bytes") } else { None },
        if total > wide(u64::MAX) { overflow("resident queue bytes") } else { None },
        (total > wide(profile.budget_bytes))
            .then_some(Error::OverBudget { required_bytes, budget_bytes: profile.budget_bytes }),
        (profile.drain_limit_items == Some(0)).then_some(Error::ZeroDrainLimit),
    ];
    let fault = faults.into_iter().flatten().next();
    let plan = match (fault, outcome) {
        (Some(fault), Err(error)) => return rule(fault == *error, "the first fault is reported"),
        (Some(_), Ok(_)) => return Err("a fault is refused"),
        (None, Err(_)) => return Err("a sound profile has a plan"),
        (None, Ok(plan)) => plan,
    };

    rule(wide(plan.queue_bytes) == ring && wide(plan.resident_bytes) == total, "the bytes are exact")?;
    // bp <= initial * 10000 / capacity < bp + 1, without dividing.
    let (bp, share) = (wide(plan.initial_occupancy_bp), wide(profile.initial_items) * 10_000);
    let capacity = wide(profile.capacity_items);
    rule(bp * capacity <= share && share < (bp + 1) * capacity, "the occupancy is floored")?;
    rule(plan.host == Host::FinalOnly, "the host syncs at the end only")?;

    let (chunks, items) = (wide(plan.drain.chunks()), wide(plan.drain.items_per_chunk()));
    rule(items > 0 && chunks * items >= capacity && (chunks - 1) * items < capacity, "the chunks just hold the ring")?;
    let limit = profile.drain_limit_items.map_or(capacity, wide);
    rule(items == limit.min(capacity), "a chunk is as large as it may be")?;
    rule(matches!(plan.drain, Drain::Single { .. }) == (chunks == 1), "one chunk is a single drain")
}
