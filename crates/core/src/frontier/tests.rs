use arbtest::arbtest;
use expect_test::expect;

use super::case::{TestCase, check, check_live, first_fit_decreasing};
use super::*;
use crate::barrier::Edge;

fn wave(frontier_bytes: u64, scratch_bytes: u64, output_bytes: u64) -> Wave {
    Wave { frontier_bytes, scratch_bytes, output_bytes }
}

fn case(waves: Vec<Wave>, edges: &[(u32, u32)], limit_bytes: u64, resident_bytes: u64) -> TestCase {
    let edges: Vec<_> = edges.iter().map(|&(before, after)| Edge::new(before, after)).collect();
    let layers = barrier::plan(waves.len() as u32, &edges).unwrap();
    let budget = Budget { limit_bytes, resident_bytes };
    TestCase { waves, layers, edges, budget, measured_readback_bytes: 0 }
}

fn text(case: &TestCase) -> String {
    plan(&case.input()).map_or_else(|error| error.to_string(), |plan| plan.to_string())
}

fn diamond() -> TestCase {
    let waves = vec![wave(1024, 512, 256), wave(2048, 1024, 512), wave(4096, 2048, 1024), wave(8192, 4096, 2048)];
    let case = case(waves, &[(0, 1), (0, 2), (1, 3), (2, 3)], 131_072, 16_000);
    TestCase { measured_readback_bytes: 1 << 20, ..case }
}

#[test]
fn a_diamond_fits() {
    let plan = plan(&diamond().input()).unwrap();
    assert_eq!((plan.global_barriers(), plan.memory_splits, plan.widest_group_waves), (2, 0, 2));
    expect![[r"
        frontier: 4 waves in 3 groups of 3 layers, 2 global barriers, 0 memory splits
        peaks: 8192 frontier, 4096 scratch, 2048 output, 26624 fused bytes; 2 waves
        readback: 1048576 bytes
        group 0 of layer 0: w0 (1024 + 4*512 + 256 bytes)
        group 1 of layer 1: w1 w2 (6144 + 4*3072 + 1536 bytes)
        group 2 of layer 2: w3 (8192 + 4*4096 + 2048 bytes)
    "]]
    .assert_eq(&plan.to_string());
}

#[test]
fn a_layer_that_does_not_fit_is_split() {
    expect![[r"
        frontier: 3 waves in 3 groups of 1 layers, 2 global barriers, 2 memory splits
        peaks: 10 frontier, 10 scratch, 10 output, 60 fused bytes; 1 waves
        readback: 10 bytes
        group 0 of layer 0: w0 (10 + 4*10 + 10 bytes)
        group 1 of layer 0: w1 (10 + 4*10 + 10 bytes)
        group 2 of layer 0: w2 (10 + 4*10 + 10 bytes)
    "]]
    .assert_eq(&text(&case(vec![wave(10, 10, 10); 3], &[], 100, 0)));
}

/// Id order needs three groups, largest first two.
#[test]
fn the_better_packing_wins() {
    let waves = [4, 4, 6, 6].map(|bytes| wave(bytes, 0, 0)).to_vec();
    expect![[r"
        frontier: 4 waves in 2 groups of 1 layers, 1 global barriers, 1 memory splits
        peaks: 10 frontier, 0 scratch, 0 output, 10 fused bytes; 2 waves
        readback: 0 bytes
        group 0 of layer 0: w0 w2 (10 + 4*0 + 0 bytes)
        group 1 of layer 0: w1 w3 (10 + 4*0 + 0 bytes)
    "]]
    .assert_eq(&text(&case(waves, &[], 10, 0)));
}

/// Numbers under a bound, the same in every run.
fn numbers() -> impl FnMut(u64) -> u64 {
    let mut state = 7u64;
    move |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    }
}

/// Several pools, for large, middling and small waves, and all equal, or none at first.
#[test]
fn long_layers_are_packed_as_tightly() {
    let mut random = numbers();
    let packed = |waves: Vec<Wave>, limit: u64| {
        let case = case(waves, &[], limit, 0);
        let outcome = plan(&case.input());
        assert_eq!(check(&case, &outcome), Ok(()));
        let groups = outcome.unwrap().groups().len();
        let layer = case.layers.groups().next().unwrap();
        let decreasing = first_fit_decreasing(&case, layer, u128::from(limit));
        assert!(groups <= decreasing + decreasing / 100 + 1, "{groups} groups, {decreasing} by first-fit decreasing");
    };
    for (limit, shift) in [(1_000, 0), (3_000, 0), (7_000, 0), (90_000, 0), (1_000 << 40, 40)] {
        packed((0..17_000).map(|_| wave((1 + random(1_000)) << shift, 0, 0)).collect(), limit);
    }
    for (least, most, limit) in [(300, 701, 1_000), (200, 500, 1_000), (1, 3_000, 5_000), (100, 130, 1_000)] {
        packed((0..17_000).map(|_| wave(least + random(most - least), 0, 0)).collect(), limit);
    }
    packed(vec![wave(3, 0, 0); 17_000], 10);
    packed(vec![wave(0, 0, 0); 17_000], 0);
    packed((0..17_000).map(|at| wave(if at < 12_000 { 0 } else { random(100) }, 0, 0)).collect(), 100);
    for parts in [2, 3, 8] {
        let parts = (0..17_000).map(|_| wave(0, 0, 8_400_000_001 / (1 + random(parts)))).collect();
        packed(parts, 8_400_000_001);
    }
    packed((0..17_000).map(|at| wave(0, 0, (u64::MAX >> 1) >> (at % 4))).collect(), u64::MAX >> 1);
}

/// Pools that are packed and pools in turn, one after the other, and waves in order of their costs.
#[test]
fn long_layers_have_no_more_groups_than_next_fit() {
    let mut random = numbers();
    let proved = |waves: Vec<Wave>, limit: u64| {
        let case = case(waves, &[], limit, 0);
        assert_eq!(check(&case, &plan(&case.input())), Ok(()));
    };
    for period in [8_192, 10_000, 20_000] {
        let bytes = |at: u64, any: u64| if (at / period).is_multiple_of(2) { any % 20 } else { any % 1_001 };
        let mixed = (0..60_000).map(|at| wave(bytes(at, random(1 << 20)), 0, 0)).collect();
        proved(mixed, 1_000);
    }
    let mut costs: Vec<u64> = (0..30_000).map(|_| random(1_001)).collect();
    costs.sort_unstable();
    let waves: Vec<_> = costs.iter().map(|&bytes| wave(bytes, 0, 0)).collect();
    proved(waves.clone(), 1_000);
    proved(waves.into_iter().rev().collect(), 1_000);
    proved((0..17_000).map(|at| wave(0, 0, u64::MAX >> (at % 4))).collect(), u64::MAX);
}

/// The groups hold what they hold if rounded costs are put first-fit decreasing into groups, one by one.
#[test]
fn rounded_costs_are_packed_first_fit_decreasing() {
    arbtest(|u| {
        let limit = u.int_in_range(0..=(1 << 63) - 1)? >> u.int_in_range(0..=62)?;
        let costs = (0..u.int_in_range(0..=60)?).map(|_| match u.int_in_range(0..=3)? {
            0 => u.int_in_range(0..=limit),
            1 => Ok(limit - u.int_in_range(0..=limit / 3)?),
            2 => u.int_in_range(0..=limit / 4),
            _ => Ok(limit / u.int_in_range(1..=16)?),
        });
        let costs = costs.collect::<arbitrary::Result<Vec<u64>>>()?;
        let (mut scratch, mut of, mut groups) = (rounded::Scratch::default(), vec![0; costs.len()], Vec::new());
        let allowance = &mut Allowance::new(None);
        rounded::first_fit_decreasing(allowance, &mut scratch, limit, &costs, &mut of, &mut groups).unwrap();

        let all = u128::from(limit.min(1_680));
        let units = |cost: u64| (u128::from(cost) * all).div_ceil(u128::from(limit.max(1)));
        let mut sorted: Vec<u128> = costs.iter().map(|&cost| units(cost)).collect();
        sorted.sort_unstable_by(|a, b| b.cmp(a));
        let mut model: Vec<Vec<u128>> = Vec::new();
        for units in sorted {
            match model.iter_mut().find(|group| group.iter().sum::<u128>() + units <= all) {
                Some(group) => group.push(units),
                None => model.push(vec![units]),
            }
        }
        let mut held = vec![Vec::new(); groups.len()];
        for (&group, &cost) in of.iter().zip(&costs) {
            held[group as usize].push(units(cost));
        }
        for group in &mut held {
            group.sort_unstable_by(|a, b| b.cmp(a));
        }
        assert_eq!(held, model, "{costs:?} in {limit}");
        assert!(groups.iter().map(|group| group.waves as usize).eq(model.iter().map(Vec::len)));
        Ok(())
    })
    .budget_ms(500);
}

#[test]
fn what_cannot_fit_is_refused() {
    expect!["resident buffers need 1600 bytes of 1000; raise the limit, or keep less resident"]
        .assert_eq(&text(&case(vec![wave(1, 1, 1)], &[], 1000, 1600)));
    expect!["w0 alone needs 600 bytes of 500 for a group; raise the limit, or cut the wave"].assert_eq(&text(&case(
        vec![wave(100, 100, 100)],
        &[],
        500,
        0,
    )));
    let last = case(vec![wave(1, 1, 1), wave(1, 1, 1), wave(100, 100, 100)], &[(0, 1), (1, 2)], 600, 1);
    expect!["w2 alone needs 600 bytes of 599 for a group; raise the limit, or cut the wave"].assert_eq(&text(&last));
    let over = Error::OverBudget { what: What::Wave, required_bytes: 600, limit_bytes: 599, wave: Some(WaveId(2)) };
    assert_eq!(plan(&last.input()), Err(over));
}

#[test]
fn overflow_is_named() {
    expect!["w0: fused bytes overflow 64 bits; give smaller sizes"].assert_eq(&text(&case(
        vec![wave(u64::MAX, 1, 1)],
        &[],
        u64::MAX,
        0,
    )));
    expect!["w1: copied scratch bytes overflow 64 bits; give smaller sizes"].assert_eq(&text(&case(
        vec![wave(1, 1, 1), wave(0, 1 << 62, 0)],
        &[],
        u64::MAX,
        0,
    )));
    // Exactly all there is still fits, and two of them need two groups.
    let full = case(vec![wave(u64::MAX, 0, 0), wave(3, (u64::MAX - 3) / 4, 0)], &[], u64::MAX, 0);
    assert_eq!(plan(&full.input()).unwrap().groups().len(), 2);
    full.run();
}

#[test]
fn layers_of_other_waves_are_refused() {
    let mut case = diamond();
    let wrong = [
        barrier::Plan::default(),
        barrier::plan(3, &[]).unwrap(),
        barrier::Plan { order: vec![WaveId(0), WaveId(1), WaveId(1), WaveId(3)], offsets: vec![0, 2, 4] },
        barrier::Plan { order: vec![WaveId(0), WaveId(2), WaveId(1), WaveId(3)], offsets: vec![0, 4] },
        barrier::Plan { order: vec![WaveId(0), WaveId(1), WaveId(2), WaveId(9)], offsets: vec![0, 4] },
        barrier::Plan { order: vec![WaveId(0), WaveId(1), WaveId(2), WaveId(3)], offsets: vec![0, 9] },
        barrier::Plan { order: vec![WaveId(0), WaveId(1), WaveId(2), WaveId(3)], offsets: vec![0, 2, 2, 4] },
    ];
    for layers in wrong {
        case.layers = layers;
        assert_eq!(plan(&case.input()), Err(Error::Groups { waves: 4 }));
    }
    expect!["the groups do not hold each of 4 waves once, in ascending order; plan the barriers of the same waves"]
        .assert_eq(&text(&case));
}

#[test]
fn outputs_live_until_their_last_reader_is_done() {
    // w0's output is read in groups 1 and 2, so it is carried through both.
    let case = case(
        vec![wave(1, 0, 100), wave(1, 0, 10), wave(1, 0, 1), wave(7, 0, 0)],
        &[(0, 1), (1, 2), (2, 3), (0, 2)],
        112,
        0,
    );
    let plan = plan(&case.input()).unwrap();
    let live = live(&case.waves, &plan, &case.reads()).unwrap();
    expect![[r"
        live: at most 112 bytes, first in group 2
        group 0: 101 bytes
        group 1: 111 bytes
        group 2: 112 bytes
        group 3: 8 bytes
    "]]
    .assert_eq(&live.to_string());
    assert_eq!(live.within(&case.budget), Ok(()));
    let tight = Budget { limit_bytes: 113, resident_bytes: 2 };
    expect!["group 2 with all live outputs needs 112 bytes of 111; raise the limit, or read outputs sooner"]
        .assert_eq(&live.within(&tight).unwrap_err().to_string());

    let early = Read { output: WaveId(3), reader: WaveId(0) };
    expect!["read 1 lets w0 read the output of w3, which is not in an earlier group; add an edge"]
        .assert_eq(&super::live(&case.waves, &plan, &[case.reads()[0], early]).unwrap_err().to_string());
    let stray = Read { output: WaveId(9), reader: WaveId(0) };
    assert!(matches!(super::live(&case.waves, &plan, &[stray]), Err(Error::Read { read: 0, .. })));
    assert_eq!(super::live(&case.waves[1..], &plan, &[]), Err(Error::Groups { waves: 3 }));
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
        let case: TestCase = u.arbitrary()?;
        let known = plan(&case.input());
        let known_live = known.as_ref().map(|plan| live(&case.waves, plan, &case.reads()));
        let mut refused = 0;
        for limit_bytes in (0..4_000).step_by(4) {
            let mut scratch = Scratch::limited(limit_bytes);
            let mut plan = Plan { memory_splits: 9, ..Plan::default() };
            match plan_with(&mut scratch, &mut plan, &case.input()) {
                Err(Error::Bytes(bytes::Error::Storage { .. })) => {
                    assert_eq!(plan, Plan::default());
                    refused += 1;
                }
                done => assert_eq!(done.map(|()| plan), known),
            }
            let (Ok(plan), Ok(known)) = (&known, &known_live) else { continue };
            let mut live = Live { peak_bytes: 9, ..Live::default() };
            match live_with(&mut scratch, &mut live, &case.waves, plan, &case.reads()) {
                Err(Error::Bytes(bytes::Error::Storage { .. })) => assert_eq!(live, Live::default()),
                done => assert_eq!(done.map(|()| live), *known),
            }
        }
        // With nothing at all a plan cannot be stored; what is wrong may be found before anything is.
        assert!(refused > 0 || known.is_err(), "nothing was stored for {known:?}");
        assert!(refused < 1_000, "the last limit is enough");
        Ok(())
    })
    .budget_ms(1_000);
}

/// Wrong planners, each of which the proof must notice.
#[test]
fn mutants_are_refused() {
    let case = case(vec![wave(10, 10, 10); 6], &[(0, 3), (1, 4)], 130, 0);
    let good = plan(&case.input()).unwrap();
    assert_eq!(check(&case, &Ok(good.clone())), Ok(()));

    let with_budget = |limit_bytes| Input { budget: Budget { limit_bytes, resident_bytes: 0 }, ..case.input() };
    let widens_a_group = plan(&with_budget(240)).unwrap();
    let splits_in_vain = plan(&with_budget(60)).unwrap();
    let merged = barrier::plan(6, &[]).unwrap();
    let merges_layers = plan(&Input { layers: &merged, ..case.input() }).unwrap();
    let forgets_a_wave = Plan { order: good.order[..5].to_vec(), ..good.clone() };
    let counts_copies = Plan { peak_scratch_bytes: 80, ..good.clone() };
    let forgets_measure = Plan { readback_bytes: 0, ..good.clone() };
    let mut reorders = good.clone();
    reorders.order.swap(0, 2);
    for (i, mutant) in
        [widens_a_group, splits_in_vain, merges_layers, counts_copies, forgets_measure, reorders].iter().enumerate()
    {
        assert!(check(&case, &Ok(mutant.clone())).is_err(), "{i}: {mutant}");
    }
    let whole = Plan { offsets: good.offsets.iter().map(|&end| end.min(5)).collect(), ..forgets_a_wave };
    assert!(check(&case, &Ok(whole)).is_err());

    let frees_too_soon = live(&case.waves, &good, &[]).unwrap();
    assert!(check_live(&case, &good, &Ok(frees_too_soon)).is_err());
}
