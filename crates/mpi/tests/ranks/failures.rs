//! What goes wrong on one rank: all hear of it, and nobody hangs.

use std::time::Duration;

use seawall_mpi::{Cluster, Error, Op, Order};

use crate::kernels::{add, kernel, runtime};
use crate::{Case, End, well};

const fn killed(name: &'static str, run: fn(&Cluster)) -> Case {
    Case { name, ranks_min: 2, end: End::Killed, run }
}

pub(crate) const CASES: &[Case] = &[
    well("an_error_on_one_rank_is_one_on_all", error),
    well("an_error_reaches_all_through_each_exchange", through),
    well("a_deadline_reaches_all_through_halos", far),
    well("the_first_of_several_errors_is_heard", several),
    well("a_deadline_on_one_rank_ends_all", deadline),
    well("a_deadline_ends_loops_of_exchanges", endless),
    well("another_plan_on_one_rank", other_plan),
    well("what_cannot_be_compiled_on_one_rank", compile),
    Case { name: "a_rank_that_leaves", ranks_min: 2, end: End::Well, run: leaves },
    killed("a_rank_that_panics", panics),
    killed("a_rank_that_is_killed", killed_rank),
    killed("a_rank_that_exits", exits),
];

/// The last rank's error, as each rank has it.
fn last(cluster: &Cluster, message: &str) -> String {
    let rank = cluster.ranks() - 1;
    if cluster.rank() == rank { message.to_owned() } else { format!("rank {rank}: {message}") }
}

/// A grid beyond its limit, on the last rank, between exchanges, in a loop.
fn error(cluster: &Cluster) {
    let (runtime, add) = (runtime(), add());
    let mut graph = cluster.graph();
    graph.local::<u32>("grid", 3).replicated::<u32>("x", 4);
    graph
        .repeat("turns", |body| {
            body.all_reduce::<u32>("before", "x", Op::Max);
            body.wave("add", &add).bind("v", "x").value("by", &1u32).indirect("grid", 5);
            body.all_reduce::<u32>("after", "x", Op::Max);
        })
        .times(3);
    let compiled = cluster.compile(&runtime, &graph).unwrap();
    let is_last = cluster.rank() + 1 == cluster.ranks();
    compiled.write("grid", &[if is_last { 6 } else { 1u32 }, 1, 1]).unwrap();
    let error = compiled.call().run().unwrap_err();
    assert_eq!(
        error.to_string(),
        last(cluster, "wave `add` found a grid of [6, 1, 1] workgroups, where [5, 1, 1] is the most")
    );
    assert_eq!(matches!(error, Error::Here(_)), is_last, "{error:?}");
    // All are still together.
    compiled.write("grid", &[1u32, 1, 1]).unwrap();
    compiled.write("x", &[0u32; 4]).unwrap();
    compiled.call().run().unwrap();
    assert_eq!(compiled.read::<u32>("x").unwrap(), [3; 4]);
}

/// What is sent, and how.
type Body<'a> = (&'a str, &'a dyn Fn(&mut seawall_mpi::Graph));

/// The last rank fails in turn 4 of many, before an exchange or beside it, and all hear of it whatever they exchange:
/// in empty messages, flags and votes. Nobody goes on with what it had: the others count no more turns.
fn through(cluster: &Cluster) {
    let (runtime, add) = (runtime(), add());
    let grow = kernel(
        "@group(0) @binding(0) var<storage, read_write> grid: array<u32, 3>;
         @compute @workgroup_size(1) fn main() { grid[0] += 1u; }",
    );
    let ranks = cluster.ranks() as u64;
    let rows = cluster.block(3 * ranks).halo(1);
    let (small, large) = (cluster.block(2 * ranks), cluster.block(20_000));
    let bodies: [Body<'_>; 7] = [
        ("rows", &|body| _ = body.halo("one", "rows")),
        ("rows", &|body| _ = body.halo_into("one", "rows", "ghost")),
        ("small", &|body| _ = body.all_gather("one", "small", "whole small")),
        ("large", &|body| _ = body.all_gather("one", "large", "whole large")),
        ("word", &|body| _ = body.all_reduce::<u32>("one", "word", Op::Min)),
        ("floats", &|body| _ = body.all_reduce_by::<f32>("one", "floats", Op::Sum, Order::Ranks)),
        ("sent", &|body| _ = body.all_to_all("one", "sent", "counts", "got", "received")),
    ];
    for (at, (sent, body)) in bodies.into_iter().enumerate() {
        for beside in [false, true] {
            let mut graph = cluster.graph();
            graph.rows::<u32>("rows", &rows).local::<u32>("ghost", 2).rows::<u32>("small", &small);
            graph.rows::<u32>("large", &large).replicated::<u32>("whole small", 2 * ranks);
            graph.replicated::<u32>("whole large", 20_000).replicated::<u32>("word", 1);
            graph.replicated::<u32>("floats", 9_000).local::<u32>("sent", 5).local::<u32>("counts", ranks);
            graph.local::<u32>("got", 5).local::<u32>("received", ranks);
            graph.local::<u32>("grid", 3).local::<u32>("aside", 1);
            graph
                .repeat("turns", |graph| {
                    graph.wave("grow", &grow).bind("grid", "grid").workgroups(1);
                    let data = if beside { "aside" } else { sent };
                    graph.wave("fail", &add).bind("v", data).value("by", &0u32).indirect("grid", 2004);
                    body(graph);
                })
                .times(1000);
            let compiled = cluster.compile(&runtime, &graph).unwrap();
            assert_eq!(compiled.plan().to_string().contains("beside"), beside, "{}", compiled.plan());
            let is_last = cluster.rank() as u64 + 1 == ranks;
            compiled.write("grid", &[if is_last { 2001u32 } else { 0 }, 1, 1]).unwrap();
            let error = compiled.call().run().unwrap_err();
            let message = "wave `fail` found a grid of [2005, 1, 1] workgroups, where [2004, 1, 1] is the most";
            assert_eq!(error.to_string(), last(cluster, message), "{at} {beside}");
            if !is_last {
                let turns = compiled.read::<u32>("grid").unwrap()[0];
                // Halos bring it to the next rank, and those of the next turn to the one after that.
                let far = if at < 2 { ranks as u32 - cluster.rank() as u32 - 2 } else { 0 };
                assert!((4..=4 + u32::from(beside) + far).contains(&turns), "{at} {beside}: {turns} turns");
            }
            // All are still together.
            cluster.agree(Ok(())).unwrap();
        }
    }
}

/// The last rank hangs, and the others are as far from it as can be: they have the deadline, too.
fn far(cluster: &Cluster) {
    let runtime = runtime();
    let spin = kernel(
        "@group(0) @binding(0) var<storage, read_write> x: array<atomic<u32>>;
         @compute @workgroup_size(1) fn main() { while atomicLoad(&x[1]) == 7u {} }",
    );
    let mut graph = cluster.graph();
    graph.rows::<u32>("x", &cluster.block(cluster.ranks() as u64).halo(1));
    graph
        .repeat("turns", |body| {
            body.halo("edges", "x");
            body.wave("spin", &spin).bind("x", "x").workgroups(1);
        })
        .times(100);
    let compiled = cluster.compile(&runtime, &graph).unwrap();
    let is_last = cluster.rank() + 1 == cluster.ranks();
    compiled.write("x", &[0, if is_last { 7u32 } else { 0 }, 0]).unwrap();
    let error = compiled.call().deadline(Duration::from_millis(200)).run().unwrap_err().to_string();
    assert!(error.contains("the run was not done at its deadline"), "{error}");
    compiled.write("x", &[0u32; 3]).unwrap();
    compiled.call().run().unwrap();
}

fn several(cluster: &Cluster) {
    let result: Result<(), Error> = Err(Error::LoopLimit { name: format!("of {}", cluster.rank()), limit: 1 });
    let error = cluster.agree(result).unwrap_err().to_string();
    let message = "loop `of 0` did not end within its limit of 1 turns";
    assert_eq!(error, if cluster.rank() == 0 { message.to_owned() } else { format!("rank 0: {message}") });
    assert_eq!(cluster.agree(Ok(5)), Ok(5));
}

/// The last rank has a kernel that does not end, and the only deadline.
fn deadline(cluster: &Cluster) {
    let runtime = runtime();
    let spin = kernel(
        "@group(0) @binding(0) var<storage, read_write> x: atomic<u32>;
         @compute @workgroup_size(1) fn main() { while atomicLoad(&x) != 0u {} }",
    );
    let is_last = cluster.rank() + 1 == cluster.ranks();
    let mut graph = cluster.graph();
    graph.replicated::<u32>("x", 1);
    graph.wave("spin", &spin).bind("x", "x").workgroups(1);
    graph.all_reduce::<u32>("sum", "x", Op::Sum);
    let compiled = cluster.compile(&runtime, &graph).unwrap();
    compiled.write("x", &[u32::from(is_last)]).unwrap();
    let call = if is_last { compiled.call().deadline(Duration::from_millis(500)) } else { compiled.call() };
    let error = call.run().unwrap_err().to_string();
    assert!(
        error.starts_with(&last(cluster, "error[deadline]: the run was not done at its deadline, in `main`")),
        "{error}"
    );
}

fn endless(cluster: &Cluster) {
    let runtime = runtime();
    let mut graph = cluster.graph();
    graph.replicated::<u32>("x", 1);
    graph.repeat("forever", |body| _ = body.all_reduce::<u32>("most", "x", Op::Max)).while_nonzero("x");
    let compiled = cluster.compile(&runtime, &graph).unwrap();
    compiled.write("x", &[1u32]).unwrap();
    let error = compiled.call().deadline(Duration::from_millis(100)).run().unwrap_err().to_string();
    assert!(error.contains("deadline"), "{error}");
}

fn other_plan(cluster: &Cluster) {
    let (runtime, add) = (runtime(), add());
    let (rank, end) = (cluster.rank(), cluster.ranks() - 1);
    let differs: [&dyn Fn(&mut seawall_mpi::Graph); 4] = [
        // Another exchange,
        &|graph| _ = graph.all_reduce::<u32>("one", "x", if rank == end { Op::Max } else { Op::Sum }),
        // another wave,
        &|graph| {
            if rank == end {
                graph.wave("more", &add).bind("v", "x").value("by", &1u32).over("v");
            }
        },
        // another kernel,
        &|graph| {
            let by = if rank == end { "1u" } else { "2u" };
            let text = "@group(0) @binding(0) var<storage, read_write> v: u32;
                 @compute @workgroup_size(1) fn main() { v += N; }";
            graph.wave("more", &kernel(&text.replace('N', by))).bind("v", "x").workgroups(1);
        },
        // another length.
        &|graph| _ = graph.replicated::<u32>("y", if rank == end { 3 } else { 4 }),
    ];
    for differ in differs {
        let mut graph = cluster.graph();
        graph.replicated::<u32>("x", 1);
        differ(&mut graph);
        let compiled = cluster.compile(&runtime, &graph).unwrap();
        let run = compiled.call().run();
        if cluster.ranks() == 1 {
            run.unwrap();
        } else {
            assert_eq!(run.map(|_| ()), Err(Error::Plans { rank: end }));
        }
    }
    // What may differ: values, and the lengths of local data.
    let mut graph = cluster.graph();
    graph.local::<u32>("x", rank as u64 + 1);
    graph.wave("add", &add).bind("v", "x").value("by", &(rank as u32)).over("v");
    cluster.compile(&runtime, &graph).unwrap().call().run().unwrap();
}

fn compile(cluster: &Cluster) {
    let (runtime, add) = (runtime(), add());
    let mut graph = cluster.graph();
    graph.local::<u32>("x", 1);
    if cluster.rank() + 1 == cluster.ranks() {
        graph.wave("add", &add).bind("v", "y").over("v");
    } else {
        graph.wave("add", &add).bind("v", "x").value("by", &1u32).over("v");
    }
    let error = cluster.compile(&runtime, &graph).map(|_| ()).unwrap_err().to_string();
    assert!(error.starts_with(&last(cluster, "wave `add`")), "{error}");
}

/// The others are told at their next run, and at each one after that.
fn leaves(cluster: &Cluster) {
    let runtime = runtime();
    let mut graph = cluster.graph();
    graph.replicated::<u32>("x", 1).all_reduce::<u32>("sum", "x", Op::Sum);
    let compiled = cluster.compile(&runtime, &graph).unwrap();
    if cluster.rank() == 1 {
        return;
    }
    assert_eq!(compiled.call().run().map(|_| ()), Err(Error::Left { rank: 1 }));
    compiled.call().run().unwrap_err();
}

fn panics(cluster: &Cluster) {
    assert!(cluster.rank() != 1, "on purpose");
    cluster.agree(Ok(())).unwrap();
}

/// Killed as by hand, while the others wait for it.
fn killed_rank(cluster: &Cluster) {
    if cluster.rank() == 1 {
        let kill = std::process::Command::new("kill").args(["-9", &std::process::id().to_string()]).status();
        panic!("{kill:?}");
    }
    cluster.agree(Ok(())).unwrap();
}

fn exits(cluster: &Cluster) {
    if cluster.rank() == 1 {
        std::process::exit(0);
    }
    cluster.agree(Ok(())).unwrap();
}
