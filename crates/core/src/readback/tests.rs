use arbtest::arbtest;
use expect_test::expect;

use super::case::{TestCase, check};
use super::*;

fn slot(id: u32, offset: u64, meaningful_bytes: u64, capacity_bytes: u64) -> Slot {
    Slot { id: SlotId(id), buffer: BufferId(0), offset, meaningful_bytes, capacity_bytes }
}

fn text(slots: &[Slot], packing: Packing) -> String {
    plan(slots, packing).map_or_else(|error| error.to_string(), |plan| plan.to_string())
}

#[test]
fn two_records_and_an_empty_slot() {
    let slots = [slot(2, 128, 0, 128), slot(1, 0, 12, 128), slot(3, 256, 24, 256)];
    let plan = plan(&slots, Packing::new(32)).unwrap();
    assert_eq!((plan.selected_bytes, plan.full_capacity_bytes, plan.avoided_bytes), (36, 512, 476));
    assert_eq!(plan.avoided_bp, 9296);
    expect![[r"
        readback: 36 of 512 bytes, 476 avoided (9296 bp), 2 records in 36 bytes, 0 ranges of 0 bytes
        record s1: b0[0+12] -> 0
        record s3: b0[256+24] -> 12
    "]]
    .assert_eq(&plan.to_string());
}

#[test]
fn large_slots_that_touch_are_read_at_once() {
    let elsewhere = Slot { buffer: BufferId(1), ..slot(7, 300, 100, 100) };
    let slots = [slot(0, 0, 100, 100), slot(1, 100, 90, 100), slot(2, 190, 110, 110), slot(3, 310, 99, 99), elsewhere];
    expect![[r"
        readback: 499 of 509 bytes, 10 avoided (196 bp), 0 records in 0 bytes, 3 ranges of 499 bytes
        range 0: b0[0+300]
        range 1: b0[310+99]
        range 2: b1[300+100]
        direct s0: range 0[0+100]
        direct s1: range 0[100+90]
        direct s2: range 0[190+110]
        direct s3: range 1[0+99]
        direct s7: range 2[0+100]
    "]]
    .assert_eq(&text(&slots, Packing::new(16)));
}

#[test]
fn copies_are_aligned() {
    let packing = Packing { record_limit_bytes: 8, align_bytes: 4 };
    let slots = [slot(0, 0, 5, 8), slot(1, 8, 2, 8), slot(2, 16, 13, 16), slot(3, 32, 10, 16)];
    expect![[r"
        readback: 40 of 48 bytes, 8 avoided (1666 bp), 2 records in 12 bytes, 1 ranges of 28 bytes
        record s0: b0[0+5] -> 0
        record s1: b0[8+2] -> 8
        range 0: b0[16+28]
        direct s2: range 0[0+13]
        direct s3: range 0[16+10]
    "]]
    .assert_eq(&text(&slots, packing));
    expect![
        "readback: 4 of 1 bytes, 0 avoided (0 bp), 1 records in 4 bytes, 0 ranges of 0 bytes\nrecord s0: b0[0+1] -> 0\n"
    ]
    .assert_eq(&text(&[slot(0, 0, 1, 1)], packing));
}

#[test]
fn faults_are_named_in_order() {
    let packing = Packing { record_limit_bytes: 8, align_bytes: 4 };
    let mut slots =
        vec![slot(9, 2, 4, 4), slot(4, 2, 4, 4), slot(5, 0, 9, 8), slot(3, 0, 2, 1), slot(9, 0, 0, u64::MAX)];
    expect!["an alignment of 6 bytes is not a power of two; use 1 for none, or 4 for wgpu"]
        .assert_eq(&text(&slots, Packing { align_bytes: 6, ..packing }));
    expect!["s9 is given twice, as slots 0 and 4 of the list; give each its own id"].assert_eq(&text(&slots, packing));
    slots.remove(0);
    expect!["s3 has 2 meaningful bytes in a capacity of 1; raise the capacity"].assert_eq(&text(&slots, packing));
    slots.retain(|slot| slot.meaningful_bytes <= slot.capacity_bytes);
    expect!["s4 starts at byte 2, which is not a multiple of 4; move it"].assert_eq(&text(&slots, packing));
    slots[0].offset = 0;
    expect!["full capacity bytes overflow 64 bits; give smaller sizes"].assert_eq(&text(&slots, packing));
    expect!["slot ends overflow 64 bits; give smaller sizes"]
        .assert_eq(&text(&[slot(0, u64::MAX, 1, 1)], Packing::new(1)));
    expect!["aligned slot bytes overflow 64 bits; give smaller sizes"]
        .assert_eq(&text(&[slot(0, 0, u64::MAX, u64::MAX)], packing));
}

#[test]
fn the_largest_slot_is_exact() {
    let plan = plan(&[slot(u32::MAX, 0, u64::MAX, u64::MAX)], Packing::new(u64::MAX)).unwrap();
    assert_eq!((plan.compact_bytes, plan.avoided_bytes, plan.avoided_bp), (u64::MAX, 0, 0));
}

/// Every way that ids can lie: in a table, in a few buckets, in all of them.
#[test]
fn many_slots_are_proved() {
    const SLOTS: u32 = 6_000;
    for spread in [1, 3, 1_000, 700_001] {
        let id = |i: u32| (i * 4_999 % SLOTS) * spread;
        let of = |i: u32| slot(id(i), u64::from(i) * 64, u64::from(i % 65), 64);
        let mut case = TestCase { slots: (0..SLOTS).map(of).collect(), packing: Packing::new(32) };
        case.run();
        case.slots[9].id = case.slots[4_321].id;
        case.run();
    }
}

#[test]
fn answers_are_proved() {
    arbtest(|u| {
        u.arbitrary::<TestCase>()?.run();
        Ok(())
    })
    .budget_ms(1_000);
}

#[test]
fn refused_storage_is_an_error_and_leaves_nothing_behind() {
    arbtest(|u| {
        let TestCase { slots, packing } = u.arbitrary()?;
        let known = plan(&slots, packing);
        let mut refused = 0;
        for limit_bytes in (0..4_000).step_by(4) {
            let mut plan = Plan { selected_bytes: 9, ..Plan::default() };
            match plan_with(&mut Scratch::limited(limit_bytes), &mut plan, &slots, packing) {
                Err(Error::Bytes(bytes::Error::Storage { bytes, .. })) => {
                    assert!(bytes > 0);
                    assert_eq!(plan, Plan::default());
                    refused += 1;
                }
                done => assert_eq!(done.map(|()| plan), known),
            }
        }
        assert!(refused > 0 || known.is_err() || slots.iter().all(|slot| slot.meaningful_bytes == 0));
        Ok(())
    })
    .budget_ms(1_000);
}

/// Wrong planners, each of which the proof must notice.
#[test]
fn mutants_are_refused() {
    let slots = vec![slot(2, 100, 40, 64), slot(1, 60, 40, 40), slot(5, 0, 3, 4), slot(3, 4, 8, 8)];
    let case = TestCase { slots, packing: Packing::new(16) };
    let good = plan(&case.slots, case.packing).unwrap();
    assert_eq!(check(&case, &Ok(good.clone())), Ok(()));

    let forgets_a_slot = plan(&case.slots[..3], case.packing).unwrap();
    let reads_everything = plan(&case.slots, Packing::new(0)).unwrap();
    let mut overlaps = good.clone();
    overlaps.records[1].offset -= 1;
    let mut swaps = good.clone();
    swaps.records.swap(0, 1);
    let mut splits = good.clone();
    splits.ranges = vec![
        Range { buffer: BufferId(0), offset: 60, bytes: 40 },
        Range { buffer: BufferId(0), offset: 100, bytes: 40 },
    ];
    let mut miscounts = good.clone();
    miscounts.avoided_bp += 1;
    for mutant in [forgets_a_slot, reads_everything, overlaps, swaps, splits, miscounts] {
        assert!(check(&case, &Ok(mutant.clone())).is_err(), "{mutant}");
    }
    let twice = TestCase { slots: vec![case.slots[0]; 2], ..case };
    assert!(check(&twice, &Ok(good)).is_err());
}
