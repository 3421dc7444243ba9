//! Waves with grid barriers, in graphs: beside others, in loops and branches, over grids that the
//! device decides, under any budget, on every device.

use std::sync::Arc;
use std::time::Duration;

use seawall::{Error, Graph, Kernel, Overrides, Program, Runtime};

const WORDS: usize = 200;

const WGSL: &str = "
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;

/// Sums of ever longer runs, by doubling; `seen` and `s` live across the barriers.
@compute @workgroup_size(16)
fn scan(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&y);
    let i = min(id.x, n - 1);
    var seen = y[i] + x[i];
    gridBarrier();
    if id.x < n { y[i] = seen; }
    for (var s = 1u; s < n; s *= 2) {
        gridBarrier();
        let before = select(0u, y[i - min(s, i)], i >= s);
        gridBarrier();
        seen += before;
        if id.x < n { y[i] = seen % 9973; }
    }
}

@compute @workgroup_size(16)
fn mix(@builtin(global_invocation_id) id: vec3u) {
    if id.x < arrayLength(&y) { y[id.x] = y[id.x] * 3 + x[id.x] + id.x; }
}

@compute @workgroup_size(1)
fn tick() { y[0] = max(y[0] % 4, 1) - 1; }

@compute @workgroup_size(1)
fn grid() { y[0] = 13 - x[0] % 2; y[1] = 1; y[2] = 1; }

@compute @workgroup_size(16)
fn endless(@builtin(global_invocation_id) id: vec3u) {
    y[id.x] += 1;
    gridBarrier();
    while x[0] < 7 { y[id.x] += x[id.x]; }
}
";

fn kernel(entry: &str) -> Arc<Kernel> {
    let program = Program::wgsl(WGSL).unwrap_or_else(|report| panic!("{report}"));
    program.kernel(entry, &Overrides::new()).unwrap_or_else(|report| panic!("{report}"))
}

/// Every device that is here.
fn runtimes() -> Vec<Runtime> {
    let open = |id| Runtime::builder().device(id).open();
    ["reference", "cpu", "gpu"].into_iter().filter_map(|id| open(id).ok()).collect()
}

fn graph() -> Graph {
    let mut graph = Graph::new();
    graph.input::<u32>("x", WORDS).in_out::<u32>("y", WORDS).output::<u32>("z", WORDS).transient::<u32>("t", WORDS);
    graph.transient::<u32>("turns", 64).transient::<u32>("grid", 64);
    graph.wave("first", &kernel("mix")).bind("x", "x").bind("y", "y").over("y");
    graph.wave("sums", &kernel("scan")).bind("x", "x").bind("y", "y").over("y");
    graph.wave("others", &kernel("scan")).bind("x", "x").bind("y", "t").over("y");
    graph.wave("count", &kernel("mix")).bind("x", "t").bind("y", "turns").threads(1);
    graph.wave("sized", &kernel("grid")).bind("x", "t").bind("y", "grid").workgroups(1);
    graph
        .repeat("rounds", |body| {
            body.wave("again", &kernel("scan")).bind("x", "t").bind("y", "y").indirect("grid", 13);
            body.when("sometimes", |body| {
                body.wave("more", &kernel("scan")).bind("x", "y").bind("y", "t").over("y").after("again");
            })
            .nonzero("turns");
            body.wave("tick", &kernel("tick")).bind("y", "turns").workgroups(1);
        })
        .while_nonzero("turns")
        .limit(5);
    graph.wave("last", &kernel("scan")).bind("x", "y").bind("y", "z").over("y");
    graph
}

#[test]
fn graphs_with_grid_barriers_give_what_the_reference_device_gives() {
    let x: Vec<u32> = (0..WORDS as u32).map(|at| at * 37 % 101).collect();
    let mut answers: Vec<(String, Vec<u32>, Vec<u32>)> = Vec::new();
    for runtime in runtimes() {
        for budget in [None, Some(40_000), Some(16_000)] {
            let mut graph = graph();
            if let Some(bytes) = budget {
                graph.budget_bytes(bytes);
            }
            let compiled = runtime.compile(&graph).unwrap_or_else(|error| panic!("{error}"));
            let (mut y, mut z) = (vec![5u32; WORDS], vec![0u32; WORDS]);
            for _ in 0..2 {
                compiled.call().bind("x", &x).bind("y", &mut y).bind("z", &mut z).run().unwrap();
            }
            answers.push((format!("{} within {budget:?}", runtime.caps().id), y, z));
        }
    }
    let (_, y, z) = &answers[0];
    assert!(z.iter().any(|word| *word != z[0]));
    for (name, other_y, other_z) in &answers {
        assert_eq!((other_y, other_z), (y, z), "{name}");
    }
}

#[test]
fn a_budget_that_holds_no_spill_is_refused_with_what_takes_it() {
    let mut graph = Graph::new();
    graph.input::<u32>("x", WORDS).in_out::<u32>("y", WORDS);
    graph.wave("sums", &kernel("scan")).bind("x", "x").bind("y", "y").over("y");
    graph.budget_bytes(1000);
    let refused = graph.plan().unwrap_err().to_string();
    let wanted = "wave `sums` keeps 1676 bytes across its grid barriers, over the budget of 1000: `seen` (4 bytes for \
                  each invocation), `s` (4 bytes once), `before` (4 bytes for each invocation)";
    assert_eq!(refused, wanted);
}

#[test]
fn an_error_says_which_segment_it_is_from() {
    let runtime = Runtime::builder().device("cpu").open().unwrap();
    let (x, mut y) = (vec![1u32; 32], vec![0u32; 32]);
    let call = runtime.call(&kernel("endless")).bind("x", &x).bind("y", &mut y).threads(32);
    let error: Error = call.deadline(Duration::from_millis(200)).run().unwrap_err();
    assert!(error.to_string().contains("endless (segment 2 of 2)"), "{error}");
}

#[test]
fn calls_take_their_grid_from_a_buffer() {
    for runtime in runtimes() {
        let x = vec![1u32; WORDS];
        let answer = |indirect: bool| {
            let mut y = vec![2u32; WORDS];
            let grid = runtime.buffer_from(&[13u32, 1, 1]).unwrap();
            let scan = kernel("scan");
            let call = runtime.call(&scan).bind("x", &x).bind("y", &mut y);
            let call = if indirect { call.indirect(&grid, 20) } else { call.workgroups(13) };
            call.run().unwrap();
            y
        };
        assert_eq!(answer(true), answer(false), "{}", runtime.caps().id);
    }
}
