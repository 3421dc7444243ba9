//! Loops that all ranks decide together.

use seawall_mpi::{Cluster, Error, Op};

use crate::kernels::{add, kernel, runtime, stencil};
use crate::{Case, well};

pub(crate) const CASES: &[Case] = &[
    well("words_of_all_ranks_decide", words),
    well("loops_inside_loops", nested),
    well("swaps", swaps),
    well("loops_that_must_end", must_end),
    well("devices_decide_here", here),
];

/// Each rank counts down from another number; they go on until the last is done.
fn words(cluster: &Cluster) {
    let runtime = runtime();
    let count = kernel(
        "@group(0) @binding(0) var<storage, read_write> left: u32;
         @group(0) @binding(1) var<storage, read_write> turns: u32;
         @compute @workgroup_size(1) fn main() { left = max(left, 1u) - 1u; turns += 1u; }",
    );
    for (zero, wanted) in [(false, 3 * cluster.ranks() as u32), (true, 0)] {
        let mut graph = cluster.graph();
        graph.local::<u32>("left", 1).local::<u32>("turns", 1);
        let mut repeat = graph.repeat("counting", |body| {
            body.wave("count", &count).bind("left", "left").bind("turns", "turns").workgroups(1);
        });
        if zero { repeat.while_zero("left") } else { repeat.while_nonzero("left") }.limit(1000).must_end();
        let compiled = cluster.compile(&runtime, &graph).unwrap();
        compiled.write("left", &[3 * (cluster.rank() as u32 + 1)]).unwrap();
        let finished = compiled.call().run().unwrap();
        assert_eq!((finished.turns("counting"), compiled.read::<u32>("turns").unwrap()), (Some(wanted), vec![wanted]));
    }
}

fn nested(cluster: &Cluster) {
    let (runtime, add) = (runtime(), add());
    let mut graph = cluster.graph();
    graph.replicated::<u32>("x", 3);
    graph
        .repeat("outer", |body| {
            body.wave("one", &add).bind("v", "x").value("by", &1u32).over("v");
            body.repeat("inner", |body| {
                body.all_reduce::<u32>("most", "x", Op::Max);
                body.wave("two", &add).bind("v", "x").value("by", &10u32).over("v");
            })
            .times(3);
            body.repeat("never", |body| _ = body.all_reduce::<u32>("not", "x", Op::Sum)).times(0);
        })
        .times(2);
    let compiled = cluster.compile(&runtime, &graph).unwrap();
    compiled.write("x", &[cluster.rank() as u32; 3]).unwrap();
    let finished = compiled.call().run().unwrap();
    assert_eq!(compiled.read::<u32>("x").unwrap(), [cluster.ranks() as u32 - 1 + 2 + 60; 3]);
    assert_eq!(finished.exchanges, 6);
    assert_eq!(["outer", "inner", "never"].map(|name| finished.turns(name)), [Some(2), Some(3), Some(0)]);
}

/// After an odd number of turns the names mean what the last turn left them; and again after another run.
fn swaps(cluster: &Cluster) {
    let (runtime, stencil) = (runtime(), stencil());
    for turns in [1, 2, 5] {
        let rows = cluster.block(29).halo(1);
        let mut graph = cluster.graph();
        graph.rows::<u32>("now", &rows).rows::<u32>("next", &rows);
        graph
            .repeat("steps", |body| {
                body.halo("edges", "now");
                body.wave("step", &stencil).bind("now", "now").bind("next", "next").over("next");
                body.swap("now", "next");
            })
            .times(turns);
        let compiled = cluster.compile(&runtime, &graph).unwrap();
        let mut whole: Vec<u32> = (0..29).map(|i| i * i).collect();
        for _ in 0..2 {
            compiled.write("now", &rows.cut(cluster.rank(), &whole).unwrap()).unwrap();
            compiled.call().run().unwrap();
            for _ in 0..turns {
                let at = |i: usize| whole.get(i).copied().unwrap_or(0);
                let times = |i: usize| at(i).wrapping_mul(3);
                let step = |i: usize| times(i).wrapping_add(at(i.wrapping_sub(1))).wrapping_sub(at(i + 1));
                whole = (0..29).map(step).collect();
            }
            let own = rows.own_range(cluster.rank());
            let wanted = rows.cut(cluster.rank(), &whole).unwrap();
            assert_eq!(compiled.read::<u32>("now").unwrap()[own.clone()], wanted[own.clone()]);
        }
    }
}

fn must_end(cluster: &Cluster) {
    let (runtime, add) = (runtime(), add());
    let mut graph = cluster.graph();
    graph.local::<u32>("x", 1);
    graph
        .repeat("forever", |body| {
            body.wave("one", &add).bind("v", "x").value("by", &1u32).over("v");
        })
        .while_nonzero("x")
        .limit(9)
        .must_end();
    let compiled = cluster.compile(&runtime, &graph).unwrap();
    compiled.write("x", &[u32::from(cluster.rank() == 0)]).unwrap();
    let error = compiled.call().run().unwrap_err();
    assert_eq!(error, Error::LoopLimit { name: "forever".into(), limit: 9 });
}

/// A part of the graph with a loop that each rank decides for itself, and transient data.
fn here(cluster: &Cluster) {
    let runtime = runtime();
    let halve = kernel(
        "@group(0) @binding(0) var<storage, read_write> x: u32;
         @group(0) @binding(1) var<storage, read_write> turns: u32;
         @compute @workgroup_size(1) fn main() { x /= 2u; turns += 1u; }",
    );
    let keep = kernel(
        "@group(0) @binding(0) var<storage, read> turns: u32;
         @group(0) @binding(1) var<storage, read_write> all: array<u32>;
         @group(0) @binding(2) var<uniform> rank: u32;
         @compute @workgroup_size(1) fn main() { all[rank] = turns; }",
    );
    let (rank, ranks) = (cluster.rank() as u32, cluster.ranks());
    let mut graph = cluster.graph();
    graph.local::<u32>("x", 1).replicated::<u32>("all", ranks as u64);
    graph.here(|here| {
        here.transient::<u32>("turns", 1);
        here.repeat("halvings", |body| {
            body.wave("halve", &halve).bind("x", "x").bind("turns", "turns").workgroups(1);
        })
        .while_nonzero("x");
        here.wave("keep", &keep).bind("turns", "turns").bind("all", "all").value("rank", &rank).workgroups(1);
    });
    graph.all_reduce::<u32>("together", "all", Op::Sum);
    let compiled = cluster.compile(&runtime, &graph).unwrap();
    compiled.write("x", &[1u32 << rank]).unwrap();
    compiled.call().run().unwrap();
    assert_eq!(compiled.read::<u32>("all").unwrap(), (1..=ranks as u32).collect::<Vec<_>>());
}
