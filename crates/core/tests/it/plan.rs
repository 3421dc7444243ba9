//! Plans: what runs together, what is staged, what is refused, and why.

use std::sync::Arc;

use seawall_core::graph::{Graph, Grid, Resolved, Role, resolve};
use seawall_core::plan::{Error, Plan, Reason, plan};
use seawall_core::schedule::Step;

use crate::graph::kernel;

/// in -> left, right -> out, each of 1024 bytes; `join` adds nothing but the dependencies.
pub(crate) fn diamond() -> Arc<Resolved> {
    let mut graph = Graph::default();
    graph.data(Role::Input, "in", 1024);
    graph.data(Role::Transient, "left", 1024);
    graph.data(Role::Transient, "right", 1024);
    graph.data(Role::Output, "a", 1024);
    graph.data(Role::Output, "b", 1024);
    let copy = kernel("copy");
    for (name, from, to) in [("l", "in", "left"), ("r", "in", "right"), ("la", "left", "a"), ("rb", "right", "b")] {
        graph.wave(name, &copy).bind("x", from).bind("y", to).grid(Grid::Over("y".into()));
    }
    Arc::new(resolve(&graph).unwrap())
}

fn proven(graph: &Arc<Resolved>, budget: Option<u64>) -> Plan {
    let plan = plan(graph, budget).unwrap();
    let checked = plan.check().unwrap_or_else(|error| panic!("{error} in\n{plan}"));
    assert!(budget.is_none_or(|budget| checked.peak_bytes() <= budget));
    plan
}

#[test]
fn without_a_budget_layers_stay_whole() {
    expect_test::expect![[r"
        plan: 4 waves in 2 groups
        group 0: `l`, `r`
        group 1: `la`, `rb`
        group 1 waits: `la` reads `left` after `l` writes it
        kernel k0 = copy
        buffer b0 = in 1024 bytes transient
        buffer b1 = left 1024 bytes transient
        buffer b2 = right 1024 bytes transient
        buffer b3 = a 1024 bytes transient
        buffer b4 = b 1024 bytes transient
        host h0 = in 1024 bytes read
        host h1 = a 1024 bytes read-write
        host h2 = b 1024 bytes read-write
        upload h0[0] -> b0[0+1024]
        barrier
        dispatch k0 grid 4,1,1 b0[0+1024] b1[0+1024]
        dispatch k0 grid 4,1,1 b0[0+1024] b2[0+1024]
        free b0
        barrier
        dispatch k0 grid 4,1,1 b1[0+1024] b3[0+1024]
        dispatch k0 grid 4,1,1 b2[0+1024] b4[0+1024]
        free b1
        free b2
        barrier
        download b3[0+1024] -> h1[0]
        free b3
        download b4[0+1024] -> h2[0]
        free b4
    "]]
    .assert_eq(&proven(&diamond(), None).to_string());
}

#[test]
fn with_just_enough_everything_is_staged() {
    expect_test::expect![[r"
        plan: 4 waves in 4 groups
        group 0: `l`
        group 1: `r`
        group 2: `rb`
        group 3: `la`
        group 1 is apart: with the one before it takes 3072 of 2048 bytes
        `left` is stored on the host to make room for group 1, and comes back for group 3
        group 2 waits: `rb` reads `right` after `r` writes it
        group 3 is apart: with the one before it takes 4096 of 2048 bytes
        budget 2048 bytes
        kernel k0 = copy
        buffer b0 = in 1024 bytes transient
        buffer b1 = left 1024 bytes transient
        buffer b2 = right 1024 bytes transient
        buffer b3 = b 1024 bytes transient
        buffer b4 = left 1024 bytes transient
        buffer b5 = a 1024 bytes transient
        host h0 = in 1024 bytes read
        host h1 = a 1024 bytes read-write
        host h2 = b 1024 bytes read-write
        host h3 = left 1024 bytes read-write
        upload h0[0] -> b0[0+1024]
        barrier
        dispatch k0 grid 4,1,1 b0[0+1024] b1[0+1024]
        barrier
        download b1[0+1024] -> h3[0]
        free b1
        barrier
        dispatch k0 grid 4,1,1 b0[0+1024] b2[0+1024]
        free b0
        barrier
        dispatch k0 grid 4,1,1 b2[0+1024] b3[0+1024]
        free b2
        barrier
        download b3[0+1024] -> h2[0]
        free b3
        upload h3[0] -> b4[0+1024]
        barrier
        dispatch k0 grid 4,1,1 b4[0+1024] b5[0+1024]
        free b4
        barrier
        download b5[0+1024] -> h1[0]
        free b5
    "]]
    .assert_eq(&proven(&diamond(), Some(2048)).to_string());
}

#[test]
fn shared_data_counts_once() {
    let plan = proven(&diamond(), Some(3072));
    assert_eq!(plan.groups.len(), 3, "`l` and `r` fit together, `la` and `rb` do not\n{plan}");
    assert!(plan.reasons.iter().any(|reason| matches!(reason, Reason::Split { group: 2, required_bytes: 4096, .. })));
}

#[test]
fn too_small_a_budget_is_refused_by_name() {
    let error = plan(&diamond(), Some(2047)).unwrap_err();
    assert_eq!(error, Error::WaveOverBudget { wave: "l".to_owned(), required_bytes: 2048, limit_bytes: 2047 });
    let mut graph = Graph::default();
    graph.data(Role::Persistent, "kept", 1000);
    graph.data(Role::InOut, "v", 1024);
    graph.wave("w", &kernel("copy")).bind("x", "kept").bind("y", "v").grid(Grid::Over("y".into()));
    let graph = Arc::new(resolve(&graph).unwrap());
    let error = plan(&graph, Some(999)).unwrap_err();
    let data = vec!["kept".to_owned()];
    assert_eq!(error, Error::ResidentOverBudget { data, required_bytes: 1000, limit_bytes: 999 });
    let error = plan(&graph, Some(2023)).unwrap_err();
    assert_eq!(error, Error::WaveOverBudget { wave: "w".to_owned(), required_bytes: 2024, limit_bytes: 2023 });
    proven(&graph, Some(2024));
}

#[test]
fn more_bytes_than_can_be_counted() {
    let mut graph = Graph::default();
    graph.data(Role::Input, "x", u64::MAX - 3);
    graph.data(Role::Output, "y", 1024);
    graph.wave("w", &kernel("copy")).bind("x", "x").bind("y", "y").grid(Grid::Over("y".into()));
    let error = plan(&Arc::new(resolve(&graph).unwrap()), None).unwrap_err();
    assert_eq!(error.to_string(), "bytes of the graph overflow 64 bits; give smaller sizes");
}

/// A value comes with its group and goes with it.
#[test]
fn values_are_part_of_what_a_wave_needs() {
    let mut graph = Graph::default();
    graph.data(Role::Output, "v", 1024);
    for name in ["w0", "w1"] {
        graph.wave(name, &kernel("fill")).bind("y", "v").value("p", &[1; 16]).grid(Grid::Over("y".into()));
    }
    let graph = Arc::new(resolve(&graph).unwrap());
    assert!(matches!(plan(&graph, Some(1279)), Err(Error::WaveOverBudget { required_bytes: 1280, .. })));
    let plan = proven(&graph, Some(1280));
    assert_eq!(plan.placement.values.len(), 512);
}

/// Thousands of waves, in a chain and side by side, with and without room for all.
#[test]
fn many_waves() {
    let (layers, width) = (500, 20);
    let mut graph = Graph::default();
    let copy = kernel("copy");
    let name = |side: u32, at: u32| format!("{} {at}", ["even", "odd"][side as usize]);
    for at in 0..width {
        graph.data(Role::InOut, &name(0, at), 256);
        graph.data(Role::Transient, &name(1, at), 256);
    }
    for layer in 0..layers {
        for at in 0..width {
            let wave = graph.wave(&format!("{layer} {at}"), &copy);
            let (from, to) = (name(layer % 2, at), name((layer + 1) % 2, (at + 1) % width));
            wave.bind("x", &from).bind("y", &to).grid(Grid::Over("y".into()));
        }
    }
    let graph = Arc::new(resolve(&graph).unwrap());
    let whole = proven(&graph, None);
    assert_eq!(whole.groups.len(), layers as usize);
    assert_eq!(whole.schedule.steps.iter().filter(|step| **step == Step::Barrier).count(), layers as usize + 1);
    assert!(proven(&graph, Some(256 * 10)).evicted_bytes() > 0);
}
