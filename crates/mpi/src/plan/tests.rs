use std::sync::Arc;

use seawall::{Kernel, Overrides, Program};

use super::{Op as Step, Plan, plan};
use crate::check::{self, check};
use crate::exchange::Op;
use crate::graph::Graph;
use crate::part::Rows;

fn kernel() -> Arc<Kernel> {
    let text = "@group(0) @binding(0) var<storage, read> x: array<f32>;
        @group(0) @binding(1) var<storage, read_write> y: array<f32>;
        @compute @workgroup_size(64)
        fn main(@builtin(global_invocation_id) id: vec3<u32>) { y[id.x] = x[id.x]; }";
    Program::wgsl(text).unwrap().kernel("main", &Overrides::new()).unwrap()
}

fn wave(graph: &mut Graph, name: &str, from: &str, to: &str) {
    graph.wave(name, &kernel()).bind("x", from).bind("y", to).over("y");
}

/// A solver: edges go while the inside is computed, and the error of the step before is reduced beside.
fn solver(rank: usize) -> Graph {
    let rows = Rows::block(100, 2).width(8).halo(1);
    let mut graph = Graph::new(rank, 2);
    graph.rows::<f32>("now", &rows).rows::<f32>("next", &rows).local::<f32>("ghost", 16);
    graph.replicated::<f32>("error", 1);
    graph
        .repeat("steps", |body| {
            body.halo_into("edges", "now", "ghost");
            wave(body, "inside", "now", "next");
            wave(body, "outside", "ghost", "next");
            wave(body, "measure", "next", "error");
            body.all_reduce::<f32>("total", "error", Op::Max);
            body.swap("now", "next");
        })
        .while_nonzero("error")
        .limit(50);
    graph
}

#[test]
fn a_plan_tells_what_waits_for_what() {
    let plan = plan(&solver(0)).unwrap();
    let text = "\
plan: 3 waves and 2 exchanges on 2 ranks
loop `steps`, while `error` is not zero on some rank, at most 50 turns:
  stage 1: exchange `edges` (halo of `now` into `ghost`), beside `inside`
  stage 2: `outside`, `measure`
    `outside` reads `ghost` after `edges` receives it
  stage 3: exchange `total` (all-reduce of `error`, max of f32)
    `total` sends `error` after `measure` writes it
swap `now` and `next`, end
rank 0: 3396 bytes of data, 64 for exchanges
";
    assert_eq!(plan.to_string(), text);
}

#[test]
fn ranks_have_the_same_plan_whatever_their_sizes() {
    let [one, other] = [0, 1].map(|rank| plan(&solver(rank)).unwrap());
    assert_eq!((one.digest, one.outline()), (other.digest, other.outline()));
}

/// Exchanges that do not depend on each other start together.
#[test]
fn there_are_as_few_boundaries_as_can_be() {
    let rows = Rows::block(100, 2).halo(1);
    let mut graph = Graph::new(0, 2);
    for data in ["a", "b", "c", "d"] {
        graph.rows::<f32>(data, &rows);
    }
    graph.halo("one", "a");
    wave(&mut graph, "after one", "a", "b");
    graph.halo("two", "c");
    wave(&mut graph, "after two", "c", "d");
    graph.halo("three", "b");
    let plan = plan(&graph).unwrap();
    let outline = "\
stage 0: exchange `one` (halo of `a`), `two` (halo of `c`)
stage 1: `after one`
  `after one` reads `a` after `one` receives it
stage 2: exchange `three` (halo of `b`), beside `after two`
  `three` sends `b` after `after one` writes it
  `after two` reads `c` after `two` receives it
";
    assert_eq!(plan.outline(), outline);
}

/// Whatever is changed in a plan, the checker refuses it, or it makes no difference.
#[test]
fn changed_plans_are_refused() {
    let graph = solver(0);
    let good = plan(&graph).unwrap();
    assert_eq!(check(&graph, &good), Ok(()));
    let refused = |change: &dyn Fn(&mut Plan)| {
        let mut plan = good.clone();
        change(&mut plan);
        check(&graph, &plan).unwrap_err()
    };
    // A wave beside the exchange that it needs.
    let error = refused(&|plan| {
        plan.ops[1] = Step::Exchange { exchanges: vec![0], beside: vec![0, 1] };
        plan.ops[2] = Step::Run { units: vec![2] };
    });
    assert!(matches!(error, check::Error::Order(..)), "{error}");
    // Stages that change places.
    let error = refused(&|plan| plan.ops.swap(2, 3));
    assert!(matches!(error, check::Error::Order(..)), "{error}");
    // Something lost, something twice.
    let error = refused(&|plan| plan.ops[2] = Step::Run { units: vec![1] });
    assert!(matches!(error, check::Error::Times(_, 0)), "{error}");
    let error = refused(&|plan| plan.ops[2] = Step::Run { units: vec![1, 2, 2] });
    assert!(matches!(error, check::Error::Times(_, 2)), "{error}");
    // Something that is not the graph's.
    let error = refused(&|plan| plan.exchanges[1].name = "other".to_owned());
    assert!(matches!(error, check::Error::Times(_, 0)), "{error}");
    // A loop that ends early.
    let error = refused(&|plan| {
        plan.ops.swap(3, 4);
        plan.ops[0] = Step::Begin { at: 0, end: 3 };
    });
    assert!(matches!(error, check::Error::Times(_, 0)), "{error}");
    let error = refused(&|plan| plan.ops[0] = Step::Begin { at: 0, end: 3 });
    assert!(matches!(error, check::Error::Loop(0)), "{error}");
}

/// Every wave, exchange and loop is in the picture, with its name as text.
#[test]
fn the_picture_has_all_of_it() {
    let svg = plan(&solver(0)).unwrap().svg("a <solver>");
    for text in ["a &lt;solver&gt;", ">inside<", ">outside<", ">edges<", ">halo of now into ghost<", ">total<"] {
        assert!(svg.contains(text), "{text}: {svg}");
    }
    assert_eq!((svg.matches("rx=\"6\"").count(), svg.ends_with("</svg>\n")), (1, true));
    let empty = plan(&Graph::new(0, 1)).unwrap().svg("nothing");
    assert!(!empty.contains("NaN"), "{empty}");
}
