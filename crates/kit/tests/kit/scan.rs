//! Scans.

use seawall::Graph;
use seawall_kit::scan::{self, Kind};
use seawall_kit::{Error, Kit, Op};

use crate::devices::{Random, has_int64, lens, random, runtimes};

fn all<T: Random>() {
    for runtime in runtimes().iter().filter(|runtime| size_of::<T>() == 4 || has_int64(runtime)) {
        let kit = Kit::new(runtime);
        for len in lens(runtime) {
            let numbers = random::<T>(len, len as u64);
            let (x, y) = (runtime.buffer_from(&numbers).unwrap(), runtime.buffer::<T>(len).unwrap());
            for op in Op::ALL {
                let check = |kind| {
                    let wrong = |wrong| panic!("{}, {len}: {wrong}", runtime.caps().id);
                    scan::verify(kind, op, &numbers, &y.to_vec().unwrap()).unwrap_or_else(wrong);
                };
                scan::inclusive(&kit, op, &x, &y).unwrap_or_else(|error| panic!("{error}"));
                check(Kind::Inclusive);
                scan::exclusive(&kit, op, &x, &y).unwrap();
                check(Kind::Exclusive);
            }
        }
    }
}

#[test]
fn words_are_scanned() {
    all::<u32>();
    all::<i32>();
}

#[test]
fn floats_and_long_words_are_scanned() {
    all::<f32>();
    all::<u64>();
    all::<i64>();
}

#[test]
fn scans_of_floats_have_the_same_bits() {
    let numbers = random::<f32>(40_000, 7);
    let scans = runtimes().iter().filter(|runtime| !runtime.caps().id.starts_with("gpu")).map(|runtime| {
        let (x, y) = (runtime.buffer_from(&numbers).unwrap(), runtime.buffer(40_000).unwrap());
        scan::inclusive(&Kit::new(runtime), Op::Sum, &x, &y).unwrap();
        y.to_vec().unwrap().into_iter().map(f32::to_bits).collect()
    });
    let scans: Vec<Vec<u32>> = scans.collect();
    assert!(scans.windows(2).all(|two| two[0] == two[1]));
}

/// More than twice as many as a processor takes at a time, and all of it twice: the second time begins as the first.
#[test]
fn windows_follow_each_other_and_begin_again() {
    let (len, numbers) = (5_000_017, random::<u32>(5_000_017, 11));
    let runtime = &runtimes()[2];
    let kit = Kit::new(runtime);
    let (x, y) = (runtime.buffer_from(&numbers).unwrap(), runtime.buffer::<u32>(len).unwrap());
    for op in Op::ALL {
        scan::exclusive(&kit, op, &x, &y).unwrap();
        assert_eq!(scan::verify(Kind::Exclusive, op, &numbers, &y.to_vec().unwrap()), Ok(()));
    }
    let mut graph = Graph::new();
    graph.in_out::<u32>("x", len).in_out::<u32>("y", len);
    let mut added = Ok(());
    graph
        .repeat("twice", |body| {
            added = scan::stage::<u32>(&kit, body, "scan", Kind::Inclusive, Op::Sum, "x", "y");
            body.swap("x", "y");
        })
        .times(2);
    added.unwrap();
    x.copy_from(&runtime.buffer_from(&numbers).unwrap()).unwrap();
    runtime.compile(&graph).unwrap().call().bind("x", &x).bind("y", &y).run().unwrap();
    let sums = |numbers: &[u32]| -> Vec<u32> {
        let mut sum = 0u32;
        numbers
            .iter()
            .map(|&number| {
                sum = sum.wrapping_add(number);
                sum
            })
            .collect()
    };
    // Two turns end where they began.
    assert!(x.to_vec().unwrap() == sums(&sums(&numbers)));
}

#[test]
fn any_budget_gives_the_same() {
    let (len, numbers) = (100_000, random::<u32>(100_000, 3));
    for runtime in &runtimes()[1..] {
        let kit = Kit::new(runtime);
        for budget_bytes in [900_000, 1 << 30] {
            let mut graph = Graph::new();
            graph.input::<u32>("x", len).output::<u32>("sums", len).output::<u32>("sums of sums", len);
            scan::stage::<u32>(&kit, &mut graph, "once", Kind::Inclusive, Op::Sum, "x", "sums").unwrap();
            scan::stage::<u32>(&kit, &mut graph, "twice", Kind::Exclusive, Op::Sum, "sums", "sums of sums").unwrap();
            graph.budget_bytes(budget_bytes);
            let (mut once, mut twice) = (vec![0u32; len], vec![0u32; len]);
            let compiled = runtime.compile(&graph).unwrap();
            let call = compiled.call().bind("x", &numbers).bind("sums", &mut once);
            let finished = call.bind("sums of sums", &mut twice).run().unwrap();
            assert!(finished.stats.peak_bytes <= budget_bytes);
            assert_eq!(scan::verify(Kind::Inclusive, Op::Sum, &numbers, &once), Ok(()));
            assert_eq!(scan::verify(Kind::Exclusive, Op::Sum, &once, &twice), Ok(()));
        }
    }
}

#[test]
fn what_does_not_fit_is_told() {
    let runtime = &runtimes()[1];
    let kit = Kit::new(runtime);
    let (x, y) = (runtime.buffer::<u32>(5).unwrap(), runtime.buffer::<u32>(4).unwrap());
    let refused = scan::inclusive(&kit, Op::Sum, &x, &y).unwrap_err();
    assert_eq!(refused.to_string(), "`y` has 4 elements, but 5 are needed");
    let mut graph = Graph::new();
    graph.input::<u8>("x", 7);
    let mut refused = |x| scan::stage::<u32>(&kit, &mut graph, "scan", Kind::Inclusive, Op::Sum, x, "y").unwrap_err();
    assert_eq!(refused("z"), Error::UnknownData { data: "z".to_owned() });
    assert_eq!(refused("z").to_string(), "the graph has no data `z`");
    assert_eq!(refused("x").to_string(), "`x` has 7 bytes, which is no number of `u32`s");
}

#[test]
fn a_wrong_scan_is_noticed() {
    let wrong = scan::verify(Kind::Exclusive, Op::Sum, &[1u32, 2, 3], &[0, 1, 4]);
    assert_eq!(wrong, Err("Exclusive Sum at 2 is 3, not 4".to_owned()));
}
