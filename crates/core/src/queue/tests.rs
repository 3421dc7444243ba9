use arbtest::arbtest;
use expect_test::expect;

use super::case::{TestCase, check};
use super::*;

const PROFILE: Profile = Profile {
    initial_items: 256,
    capacity_items: 1024,
    entry_bytes: 16,
    control_bytes: 128,
    budget_bytes: 32768,
    host: Host::FinalOnly,
    drain_limit_items: None,
};

fn text(profile: Profile) -> String {
    plan(&profile).map_or_else(|error| error.to_string(), |plan| plan.to_string())
}

#[test]
fn a_quarter_full_ring() {
    let plan = plan(&PROFILE).unwrap();
    assert_eq!((plan.queue_bytes, plan.resident_bytes, plan.initial_occupancy_bp), (16384, 16512, 2500));
    expect![[r"
        queue: 16384 bytes, 16512 resident, 2500 bp full at first
        drain: 1024 items at once, host sync at the end only
    "]]
    .assert_eq(&plan.to_string());
}

#[test]
fn eight_chunks() {
    let profile = Profile { capacity_items: 65536, budget_bytes: u64::MAX, drain_limit_items: Some(8192), ..PROFILE };
    assert_eq!(plan(&profile).unwrap().drain, Drain::Chunked { chunks: 8, items_per_chunk: 8192 });
    expect![[r"
        queue: 1048576 bytes, 1048704 resident, 39 bp full at first
        drain: 8 chunks of 8192 items, host sync at the end only
    "]]
    .assert_eq(&text(profile));
    let whole = Profile { drain_limit_items: Some(65536), ..profile };
    assert_eq!(plan(&whole).unwrap().drain, Drain::Single { items: 65536 });
}

#[test]
fn the_largest_ring_is_exact() {
    let profile = Profile {
        initial_items: u64::MAX - 1,
        capacity_items: u64::MAX,
        entry_bytes: 1,
        control_bytes: 0,
        budget_bytes: u64::MAX,
        host: Host::FinalOnly,
        drain_limit_items: Some(2),
    };
    let plan = plan(&profile).unwrap();
    assert_eq!((plan.resident_bytes, plan.initial_occupancy_bp), (u64::MAX, 9_999));
    assert_eq!(plan.drain, Drain::Chunked { chunks: 1 << 63, items_per_chunk: 2 });
}

/// Each profile has every fault from its own on, so each message shows that its fault goes
/// before those below.
#[test]
fn faults_are_reported_in_order() {
    let worst = Profile {
        initial_items: 2,
        capacity_items: 0,
        entry_bytes: 0,
        control_bytes: u64::MAX,
        budget_bytes: 10,
        host: Host::WhileDraining,
        drain_limit_items: Some(0),
    };
    expect!["the queue has a capacity of 0 items; give it at least 1"].assert_eq(&text(worst));
    let worst = Profile { capacity_items: 1, ..worst };
    expect!["the queue has entries of 0 bytes; give them at least 1"].assert_eq(&text(worst));
    let worst = Profile { entry_bytes: 16, ..worst };
    expect!["2 items at first in a queue of 1; raise the capacity"].assert_eq(&text(worst));
    let worst = Profile { initial_items: 1, ..worst };
    expect!["the host cannot take part while the queue drains; read its final state"].assert_eq(&text(worst));
    let worst = Profile { host: Host::FinalOnly, ..worst };
    expect!["resident queue bytes overflow 64 bits; give smaller sizes"].assert_eq(&text(worst));
    expect!["queue bytes overflow 64 bits; give smaller sizes"]
        .assert_eq(&text(Profile { capacity_items: u64::MAX, ..worst }));
    let worst = Profile { control_bytes: 4, ..worst };
    expect!["the queue needs 20 bytes of a budget of 10; lower its capacity"].assert_eq(&text(worst));
    let worst = Profile { budget_bytes: 20, ..worst };
    expect!["the drain limit is 0 items; give at least 1, or none to drain all at once"].assert_eq(&text(worst));
}

#[test]
fn answers_are_proved() {
    arbtest(|u| {
        u.arbitrary::<TestCase>()?.run();
        Ok(())
    })
    .budget_ms(1_000);
}

/// Wrong planners, each of which the proof must notice.
#[test]
fn mutants_are_refused() {
    let case = TestCase(Profile { drain_limit_items: Some(1000), ..PROFILE });
    let good = plan(&case.0).unwrap();
    assert_eq!(check(&case, &Ok(good)), Ok(()));
    let wrong = [
        Plan { resident_bytes: good.queue_bytes, ..good },
        Plan { initial_occupancy_bp: 2501, ..good },
        Plan { host: Host::WhileDraining, ..good },
        Plan { drain: Drain::Single { items: 1024 }, ..good },
        Plan { drain: Drain::Chunked { chunks: 1, items_per_chunk: 1000 }, ..good },
        Plan { drain: Drain::Chunked { chunks: 3, items_per_chunk: 1000 }, ..good },
    ];
    for mutant in wrong {
        assert!(check(&case, &Ok(mutant)).is_err(), "{mutant}");
    }
    assert!(check(&case, &Err(Error::ZeroDrainLimit)).is_err());
    assert!(check(&TestCase(Profile { capacity_items: 0, ..PROFILE }), &Ok(good)).is_err());
    assert!(check(&TestCase(Profile { capacity_items: 0, ..PROFILE }), &Err(Error::ZeroEntry)).is_err());
}
