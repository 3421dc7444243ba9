//! The state against comparing all pairs, over random traces of one word.

use super::*;

/// An access as the slow way keeps it: with its phase, and what it wrote.
#[derive(Debug, Clone, Copy)]
struct Past {
    phase: u32,
    access: Access,
    value: u32,
}

impl Past {
    /// The rule, as it is written down.
    fn races(&self, later: &Self) -> bool {
        let (one, two) = (self.access, later.access);
        let same_invocation = one.who.ticket == two.who.ticket && one.who.index == two.who.index;
        let writes = |kind| matches!(kind, Kind::Write | Kind::AtomicWrite);
        let atomic = |kind| matches!(kind, Kind::AtomicRead | Kind::AtomicWrite);
        let ordered = self.phase != later.phase || (one.who.ticket == two.who.ticket && one.epoch != two.epoch);
        !same_invocation
            && (writes(one.kind) || writes(two.kind))
            && !(atomic(one.kind) && atomic(two.kind))
            && !ordered
    }
}

/// Splitmix64, as the reference device has it.
struct Random(u64);

impl Random {
    fn below(&mut self, count: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ (z >> 31)) * u128::from(count)) >> 64) as u32
    }
}

const KINDS: [Kind; 4] = [Kind::Write, Kind::Read, Kind::AtomicWrite, Kind::AtomicRead];

/// A trace of workgroups that take turns in any order, pass barriers, and start anew at boundaries.
fn trace(seed: u64) -> usize {
    let mut random = Random(seed);
    let (groups, invocations) = (1 + random.below(3), 1 + random.below(3) as u16);
    // Traces with few kinds live longer before the first race.
    let kinds: Vec<Kind> = (0..=random.below(3)).map(|_| KINDS[random.below(4) as usize]).collect();
    let (mut first, mut phase, mut epochs) = (FIRST, 0, vec![0; groups as usize]);
    let (mut word, mut memory, mut past, mut races) = (Word::default(), 0, Vec::<Past>::new(), 0);
    for step in 0..24 {
        match random.below(12) {
            0 => (first, phase) = (first + groups, phase + 1),
            1..=3 => epochs[random.below(groups) as usize] += 1,
            _ => {
                let group = random.below(groups);
                let kind = kinds[random.below(kinds.len() as u32) as usize];
                let value = if kind == Kind::Write { random.below(2) } else { memory };
                let who = Who { ticket: first + group, index: random.below(u32::from(invocations)) as u16, site: step };
                let access = Access { kind, who, epoch: epochs[group as usize], changes: value != memory };
                memory = value;
                let now = Past { phase, access, value };
                let mut told = Vec::new();
                touch(&mut word, first, access, |race| told.push(race));
                let expected: Vec<&Past> = past.iter().filter(|before| before.races(&now)).collect();
                assert_eq!(told.is_empty(), expected.is_empty(), "seed {seed}, step {step}: {told:?} {expected:?}");
                for with in KINDS {
                    let told = told.iter().find(|race| race.with == with);
                    let expected: Vec<&&Past> = expected.iter().filter(|before| before.access.kind == with).collect();
                    assert_eq!(told.is_some(), !expected.is_empty(), "seed {seed}, step {step}: {with:?}");
                    let Some(race) = told else { continue };
                    assert!(
                        expected.iter().any(|before| before.access.who == race.who),
                        "seed {seed}, step {step}: {race:?} is none of {expected:?}"
                    );
                    same_value(&past, &now, *race, seed);
                }
                races += told.len();
                past.push(now);
            }
        }
    }
    races
}

/// Whether all writes that the two could be confused with have left one value.
fn same_value(past: &[Past], now: &Past, race: Race, seed: u64) {
    let inside = race.who.ticket == now.access.who.ticket;
    let near = past.iter().filter(|before| {
        let epoch = before.access.who.ticket == now.access.who.ticket && before.access.epoch == now.access.epoch;
        before.phase == now.phase && before.access.kind == Kind::Write && (!inside || epoch)
    });
    let both = (now.access.kind, race.with) == (Kind::Write, Kind::Write);
    let expected = both && near.clone().all(|before| before.value == now.value);
    assert_eq!(race.same_value, expected, "seed {seed}: {now:?} {race:?}");
}

#[test]
fn it_finds_what_comparing_all_pairs_finds() {
    let seeds = 40_000;
    let races: usize = (0..seeds).map(trace).sum();
    assert!(races > 10_000, "only {races} races in {seeds} traces");
}

#[test]
fn a_slot_keeps_all_it_is_given() {
    let slot = Slot {
        ticket: u32::MAX,
        epoch: 7,
        index: 0x3fff,
        site: 0xffff,
        second_index: 1,
        second_site: 2,
        has_second: true,
        several: true,
        varied: false,
        varied_in_phase: true,
    };
    assert_eq!(Slot::read(slot.written()), slot);
    let other = Slot { has_second: false, several: false, varied: true, varied_in_phase: false, ..slot };
    assert_eq!(Slot::read(other.written()), other);
    assert_eq!(size_of::<Word>(), 64);
}

#[test]
fn what_is_forgotten_stays_written() {
    let mut word = Word::default();
    assert!(!is_written(&word, HOST));
    write(&mut word);
    assert!(is_written(&word, HOST) && !is_written(&word, FIRST));
    let who = Who { ticket: 9, index: 0, site: 0 };
    touch(&mut word, 9, Access { kind: Kind::AtomicWrite, who, epoch: 0, changes: true }, |_| {});
    assert!(is_written(&word, 9) && !is_written(&word, 10));
    forget(&mut word);
    assert!(is_written(&word, HOST) && !is_written(&word, FIRST));
}
