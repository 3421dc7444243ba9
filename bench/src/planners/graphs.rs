//! Whole graphs, from names to a proved schedule, at two sizes: what a wave costs must not depend
//! on how many there are.

use std::sync::Arc;

use seawall_core::graph::{self, Graph, Grid, Role};
use seawall_core::plan;
use seawall_core::program::{Kernel, Overrides, Program};

use crate::race::{contender, race};

const FEW: u32 = 10_000;
const MANY: u32 = 80_000;

/// A wave may cost so many times as much among many: trees are deeper and caches are missed.
const GROWTH_MAX: f64 = 2.5;

const COPY: &str = "@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) { y[id.x] = x[id.x]; }";

const PART_BYTES: u64 = 256;

type Shape = fn(&Arc<Kernel>, u32) -> Graph;

pub(super) fn run(rounds: u32) {
    let program = Program::wgsl(COPY).expect("the kernel is right");
    let kernel = program.kernel("main", &Overrides::new()).expect("there is an entry point");
    println!("\nresolve, plan and prove: ns a wave");
    println!("  {:<44} {:>10} {:>10} {:>9}", "", format!("{FEW}"), format!("{MANY}"), "growth");
    let shapes: [(&str, Shape); 4] = [
        ("independent waves", apart),
        ("one chain", chain),
        ("half write a part each, half read the whole", parts),
        ("all write one buffer", together),
    ];
    for (name, shape) in shapes {
        for budget in [None, Some(1 << 16)] {
            let graphs = [FEW, MANY].map(|waves| shape(&kernel, waves));
            // What one wave needs must fit.
            let budget =
                budget.map(|bytes: u64| bytes.max(graphs[1].data.iter().map(|data| data.bytes).max().unwrap_or(0) * 3));
            let planned = |graph: &Graph| {
                let resolved = Arc::new(graph::resolve(graph).expect("the graph is sound"));
                let plan = plan::plan(&resolved, budget).expect("each wave fits");
                plan.check().expect("the plan is right").peak_bytes()
            };
            let contenders = vec![contender("few", || planned(&graphs[0])), contender("many", || planned(&graphs[1]))];
            let Ok(laps) = race(rounds, contenders);
            let each = |lap: usize, waves: u32| laps[lap].ms() * 1e6 / f64::from(waves);
            let (few, many) = (each(0, FEW), each(1, MANY));
            let verdict = if many / few <= GROWTH_MAX { "reached" } else { "MISSED" };
            let name = if budget.is_some() { format!("{name}, tight") } else { name.to_owned() };
            println!("  {name:<44} {few:>10.0} {many:>10.0} {:>7.2} x  {GROWTH_MAX} wanted: {verdict}", many / few);
        }
    }
}

fn wave<'a>(graph: &'a mut Graph, kernel: &Arc<Kernel>, at: u32) -> &'a mut graph::Wave {
    graph.wave(&format!("wave {at}"), kernel).grid(Grid::Workgroups([1, 1, 1]))
}

fn apart(kernel: &Arc<Kernel>, waves: u32) -> Graph {
    let mut graph = Graph::default();
    for at in 0..waves {
        graph.data(Role::Input, &format!("x {at}"), PART_BYTES);
        graph.data(Role::Output, &format!("y {at}"), PART_BYTES);
    }
    for at in 0..waves {
        wave(&mut graph, kernel, at).bind("x", format!("x {at}").as_str()).bind("y", format!("y {at}").as_str());
    }
    graph
}

fn chain(kernel: &Arc<Kernel>, waves: u32) -> Graph {
    let mut graph = Graph::default();
    for at in 0..=waves {
        graph.data(Role::Transient, &format!("x {at}"), PART_BYTES);
    }
    for at in 0..waves {
        let next = format!("x {}", at + 1);
        wave(&mut graph, kernel, at).bind("x", format!("x {at}").as_str()).bind("y", next.as_str());
    }
    graph
}

fn parts(kernel: &Arc<Kernel>, waves: u32) -> Graph {
    let mut graph = Graph::default();
    graph.data(Role::Transient, "source", PART_BYTES);
    for name in ["parts", "results"] {
        graph.data(Role::Transient, name, u64::from(waves / 2) * PART_BYTES);
    }
    for at in 0..waves / 2 {
        let part = u64::from(at) * PART_BYTES..u64::from(at + 1) * PART_BYTES;
        wave(&mut graph, kernel, at).bind("x", "source").bind_range("y", "parts", part);
    }
    for at in 0..waves / 2 {
        let part = u64::from(at) * PART_BYTES..u64::from(at + 1) * PART_BYTES;
        wave(&mut graph, kernel, waves + at).bind("x", "parts").bind_range("y", "results", part);
    }
    graph
}

fn together(kernel: &Arc<Kernel>, waves: u32) -> Graph {
    let mut graph = Graph::default();
    graph.data(Role::Transient, "x", PART_BYTES);
    graph.data(Role::Transient, "y", PART_BYTES);
    for at in 0..waves {
        wave(&mut graph, kernel, at).bind("x", "x").bind("y", "y");
    }
    graph
}
