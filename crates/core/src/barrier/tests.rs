use arbtest::arbtest;
use expect_test::expect;

use super::case::{TestCase, check};
use super::*;

fn edges(pairs: &[(u32, u32)]) -> Vec<Edge> {
    pairs.iter().map(|&(before, after)| Edge::new(before, after)).collect()
}

fn text(waves: u32, pairs: &[(u32, u32)]) -> String {
    plan(waves, &edges(pairs)).map_or_else(|error| error.to_string(), |plan| plan.to_string())
}

const DIAMOND: [(u32, u32); 4] = [(0, 1), (0, 2), (1, 3), (2, 3)];

#[test]
fn a_diamond_needs_two_barriers() {
    expect![[r"
        barrier: 4 waves in 3 groups, 2 global barriers
        group 0: w0
        group 1: w1 w2
        group 2: w3
    "]]
    .assert_eq(&text(4, &DIAMOND));
}

#[test]
fn small_graphs() {
    expect!["barrier: 0 waves in 0 groups, 0 global barriers\n"].assert_eq(&text(0, &[]));
    expect!["barrier: 3 waves in 1 groups, 0 global barriers\ngroup 0: w0 w1 w2\n"].assert_eq(&text(3, &[]));
    expect!["barrier: 2 waves in 2 groups, 1 global barriers\ngroup 0: w1\ngroup 1: w0\n"]
        .assert_eq(&text(2, &[(1, 0), (1, 0)]));
}

#[test]
fn faults_are_named() {
    expect!["edge 1 names w4, but there are only 4 waves; add the wave or drop the edge"]
        .assert_eq(&text(4, &[(0, 1), (1, 4), (2, 2)]));
    expect!["edge 0 names w4294967295, but there are only 0 waves; add the wave or drop the edge"]
        .assert_eq(&text(0, &[(u32::MAX, u32::MAX)]));
    expect!["edge 1 makes w2 wait for itself; drop the edge"].assert_eq(&text(4, &[(0, 1), (2, 2), (1, 4)]));
    expect!["waves wait for each other: w1 -> w3 -> w2 -> w1; drop one of these edges"]
        .assert_eq(&text(5, &[(2, 1), (0, 1), (1, 3), (3, 2), (3, 4)]));
    let ring: Vec<_> = (0..20).map(|wave| (wave, (wave + 1) % 20)).collect();
    expect!["waves wait for each other: w0 -> w1 -> w2 -> w3 -> w4 -> w5 -> w6 -> w7 -> w8 -> w9 -> w10 -> w11 -> (8 more) -> w0; drop one of these edges"]
        .assert_eq(&text(20, &ring));
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
fn the_order_and_number_of_edges_do_not_matter() {
    arbtest(|u| {
        let case: TestCase = u.arbitrary()?;
        let told = plan(case.waves, &case.edges);
        let mut edges = case.edges.clone();
        edges.extend_from_within(..);
        for i in (1..edges.len()).rev() {
            edges.swap(i, u.choose_index(i + 1)?);
        }
        match (told, plan(case.waves, &edges)) {
            // Which faulty edge comes first does depend on it.
            (Err(Error::UnknownWave { .. } | Error::SelfEdge { .. }), again) => assert!(again.is_err()),
            (told, again) => assert_eq!(told, again),
        }
        Ok(())
    })
    .budget_ms(1_000);
}

/// Two buckets of rows and long layers: what the small cases do not reach.
#[test]
fn a_large_graph_matches_its_known_layers() {
    const LAYERS: u32 = 5;
    const WIDTH: u32 = 2_000;
    let name = |wave: u32| (wave * 7_919) % (LAYERS * WIDTH);
    let mut edges = Vec::new();
    for wave in 0..(LAYERS - 1) * WIDTH {
        let below = (wave / WIDTH + 1) * WIDTH;
        edges.extend([0, 17, 911].map(|step| Edge::new(name(wave), name(below + (wave + step) % WIDTH))));
    }
    let plan = plan(LAYERS * WIDTH, &edges).unwrap();
    for (layer, group) in plan.groups().enumerate() {
        let mut known: Vec<_> = (0..WIDTH).map(|i| WaveId(name(layer as u32 * WIDTH + i))).collect();
        known.sort_unstable();
        assert_eq!(group, known);
    }
    assert_eq!(plan.global_barriers(), 4);
}

#[test]
fn refused_storage_is_an_error_and_leaves_nothing_behind() {
    arbtest(|u| {
        let case: TestCase = u.arbitrary()?;
        let known = plan(case.waves, &case.edges);
        let mut refused = 0;
        for limit_bytes in (0..4_000).step_by(4) {
            let mut plan = Plan { order: vec![WaveId(9)], offsets: vec![0, 1] };
            let done = plan_with(&mut Scratch::limited(limit_bytes), &mut plan, case.waves, &case.edges);
            match done {
                Err(Error::Bytes(bytes::Error::Storage { bytes, .. })) => {
                    assert!(bytes > 0);
                    assert_eq!(plan, Plan::default());
                    refused += 1;
                }
                done => assert_eq!(done.map(|()| plan), known),
            }
        }
        assert!(refused > 0 || case.waves < 2 || known.is_err());
        Ok(())
    })
    .budget_ms(1_000);
}

/// Wrong planners, each of which the proof must notice.
#[test]
fn mutants_are_refused() {
    let case = TestCase { waves: 4, edges: edges(&DIAMOND) };
    let good = plan(4, &case.edges).unwrap();
    assert_eq!(check(&case, &Ok(good.clone())), Ok(()));

    let drops_an_edge = plan(4, &case.edges[1..]);
    let merges_two_groups = Plan { offsets: vec![0, 1, 4], ..good.clone() };
    let waits_too_long = Plan { offsets: vec![0, 1, 2, 3, 4], ..good.clone() };
    let forgets_a_wave = Plan { order: good.order[..3].to_vec(), offsets: vec![0, 1, 3] };
    let mut descends = good.clone();
    descends.order.swap(1, 2);
    let wrong = [drops_an_edge.unwrap(), merges_two_groups, waits_too_long, forgets_a_wave, descends];
    for mutant in wrong {
        assert!(check(&case, &Ok(mutant.clone())).is_err(), "{mutant}");
    }

    let ring = TestCase { waves: 3, edges: edges(&[(0, 1), (1, 2), (2, 0)]) };
    let cycle = |waves: &[u32]| Err(Error::Cycle { waves: waves.iter().copied().map(WaveId).collect() });
    assert_eq!(check(&ring, &cycle(&[0, 1, 2])), Ok(()));
    for mutant in [cycle(&[0, 2, 1]), cycle(&[1, 2, 0]), cycle(&[0, 1]), cycle(&[]), Ok(good)] {
        assert!(check(&ring, &mutant).is_err());
    }
}
