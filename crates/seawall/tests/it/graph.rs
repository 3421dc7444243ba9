//! Graphs through the front door.

use std::sync::Arc;
use std::time::Duration;

use seawall::{Compiled, Error, Graph, Kernel, Overrides, Program, Runtime, device};

const WGSL: &str = "
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@group(0) @binding(2) var<uniform> p: vec2<u32>;
@group(0) @binding(3) var<storage, read_write> kept: array<atomic<u32>>;

@compute @workgroup_size(64)
fn scale(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&y) { y[id.x] = x[id.x] * p.x + p.y; }
}

@compute @workgroup_size(64)
fn evens(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&x) && x[id.x] % 2u == 0u { y[atomicAdd(&kept[0], 1u)] = x[id.x]; }
}

@compute @workgroup_size(1)
fn endless() { while y[0] != 1u { y[0] += 2u; } }
";

pub(crate) fn kernel(entry: &str) -> Arc<Kernel> {
    Program::wgsl(WGSL).unwrap().kernel(entry, &Overrides::new()).unwrap()
}

/// The devices that are everywhere, and can end a loop that has no end.
fn runtimes() -> [Runtime; 2] {
    ["reference", "cpu"].map(|device| Runtime::builder().device(device).open().unwrap())
}

/// With the GPU, where there is one.
pub(crate) fn everywhere() -> Vec<Runtime> {
    let gpu = Runtime::builder().device("gpu").open();
    if let Err(absent) = &gpu {
        println!("skipped: {absent}");
    }
    runtimes().into_iter().chain(gpu.ok()).collect()
}

/// y = (x * 2 + 1) * 3 + 4
pub(crate) fn chain(len: usize) -> Graph {
    let scale = kernel("scale");
    let mut graph = Graph::new();
    graph.input::<u32>("x", len).transient::<u32>("t", len).output::<u32>("y", len);
    graph.wave("first", &scale).bind("x", "x").bind("y", "t").value("p", &[2u32, 1]).over("y");
    graph.wave("second", &scale).bind("x", "t").bind("y", "y").value("p", &[3u32, 4]).threads(len as u32);
    graph
}

pub(crate) fn expected(x: &[u32]) -> Vec<u32> {
    x.iter().map(|x| (x * 2 + 1) * 3 + 4).collect()
}

#[test]
fn compiled_once_and_run_again() {
    for runtime in everywhere() {
        let compiled = runtime.compile(&chain(1000)).unwrap();
        for round in 0..3 {
            let x: Vec<u32> = (round..round + 1000).collect();
            let mut y = vec![9; 1000];
            let finished = compiled.call().bind("x", &x).bind("y", &mut y).run().unwrap();
            assert_eq!(y, expected(&x));
            assert_eq!(finished.stats.dispatches, 2);
            assert!(finished.stats.peak_bytes <= compiled.peak_bytes());
        }
    }
}

#[test]
fn budgets_are_kept_or_refused() {
    let needs = 4000 + 4000 + 256;
    for runtime in everywhere() {
        let mut graph = chain(1000);
        let compiled = runtime.compile(graph.budget_bytes(needs)).unwrap();
        assert!(compiled.peak_bytes() <= needs);
        let x: Vec<u32> = (0..1000).collect();
        let mut y = vec![0; 1000];
        compiled.call().bind("x", &x).bind("y", &mut y).run().unwrap();
        assert_eq!(y, expected(&x));
        let error = runtime.compile(graph.budget_bytes(needs - 1)).unwrap_err();
        let wave = "first".to_owned();
        let over = seawall_core::plan::Error::WaveOverBudget { wave, required_bytes: needs, limit_bytes: needs - 1 };
        assert_eq!(error, Error::Plan(over));
    }
}

/// Data may be declared after the waves that name it, and by names that only then lead somewhere.
#[test]
fn data_after_waves() {
    for runtime in everywhere() {
        let mut graph = Graph::new();
        let scale = kernel("scale");
        graph.wave("w", &scale).bind("x", "x").bind("y", "y").value("p", &[2u32, 1]).over("y");
        graph.input::<u32>("x", 4).output::<u32>("y", 4);
        let mut y = [0u32; 4];
        runtime.compile(&graph).unwrap().call().bind("x", &[1u32, 2, 3, 4]).bind("y", &mut y).run().unwrap();
        assert_eq!(y, [3, 5, 7, 9]);
    }
}

pub(crate) fn filter() -> Graph {
    let mut graph = Graph::new();
    graph.input::<u32>("x", 100).persistent::<u32>("count", 1).counted_output::<u32>("even", 100, "count");
    graph.wave("evens", &kernel("evens")).bind("x", "x").bind("y", "even").bind("kept", "count").over("x");
    graph
}

#[test]
fn counted_outputs_and_persistent_data() {
    for runtime in everywhere() {
        let compiled = runtime.compile(&filter()).unwrap();
        let x: Vec<u32> = (0..100).map(|i| i * i + i % 3).collect();
        let mut even = vec![7; 100];
        let finished = compiled.call().bind("x", &x).bind("even", &mut even).run().unwrap();
        let mut wanted: Vec<u32> = x.iter().copied().filter(|x| x % 2 == 0).collect();
        let count = finished.count("even").unwrap() as usize;
        assert_eq!(count, wanted.len());
        even[..count].sort_unstable();
        wanted.sort_unstable();
        assert_eq!(even[..count], wanted);
        assert!(even[count..].iter().all(|&word| word == 7), "the rest stays as it was");
        // The count is still on the device, and goes on from there.
        let kept = compiled.persistent::<u32>("count").unwrap();
        assert_eq!(kept.to_vec().unwrap(), [count as u32]);
        kept.write(0, &[0]).unwrap();
        let again = compiled.call().bind("x", &x).bind("even", &mut even).run().unwrap();
        assert_eq!(again.count("even"), Some(count as u32));
        let unknown = compiled.persistent::<u32>("even").unwrap_err();
        assert_eq!(unknown, Error::UnknownData { data: "even".to_owned(), known: vec!["count".to_owned()] });
    }
}

#[test]
fn jobs_from_several_threads() {
    for runtime in everywhere() {
        let compiled = runtime.compile(&chain(500)).unwrap();
        std::thread::scope(|scope| {
            for start in 0..4 {
                let compiled = &compiled;
                scope.spawn(move || {
                    let inputs: Vec<Vec<u32>> = (0..5).map(|i| (start * 10 + i..).take(500).collect()).collect();
                    let submit = |x: &Vec<u32>| compiled.job().bind("x", x.clone()).bind("y", vec![0u32; 500]).submit();
                    let tickets: Vec<_> = inputs.iter().map(|x| submit(x).unwrap()).collect();
                    for (x, ticket) in inputs.iter().zip(tickets) {
                        let mut results = ticket.wait().unwrap();
                        assert_eq!(results.take::<f32>("x"), None, "not its type");
                        assert_eq!(results.take::<u32>("y").unwrap(), expected(x));
                        assert_eq!(results.take::<u32>("y"), None, "taken");
                        assert_eq!(results.take::<u32>("x").as_ref(), Some(x), "given back");
                    }
                });
            }
        });
    }
}

#[test]
fn a_job_is_cancelled() {
    for runtime in runtimes() {
        let mut graph = Graph::new();
        graph.output::<u32>("y", 1);
        graph.wave("endless", &kernel("endless")).bind("y", "y").workgroups(1);
        let ticket = runtime.compile(&graph).unwrap().job().bind("y", vec![0u32]).submit().unwrap();
        std::thread::sleep(Duration::from_millis(20));
        assert!(!ticket.poll());
        ticket.cancel();
        let error = ticket.wait().unwrap_err();
        let stopped = matches!(error, Error::Device(device::Error::Stopped { reason: device::Reason::Caller, .. }));
        assert!(stopped, "{error}");
    }
}

#[test]
fn a_deadline_ends_a_graph() {
    for runtime in runtimes() {
        let mut graph = Graph::new();
        graph.output::<u32>("y", 1);
        graph.wave("endless", &kernel("endless")).bind("y", "y").workgroups(1);
        let compiled = runtime.compile(&graph).unwrap();
        let error = compiled.call().bind("y", &mut [0u32; 1]).deadline(Duration::from_millis(50)).run().unwrap_err();
        let late = matches!(error, Error::Device(device::Error::Stopped { reason: device::Reason::Deadline, .. }));
        assert!(late, "{error}");
    }
}

fn call(compiled: &Compiled, change: impl FnOnce(&mut Vec<(&'static str, Vec<u32>)>)) -> Error {
    let mut vectors = vec![("x", vec![0; 10]), ("y", vec![0; 10])];
    change(&mut vectors);
    let run = vectors.iter_mut().fold(compiled.call(), |run, (name, vector)| run.bind(name, vector));
    run.run().unwrap_err()
}

#[test]
fn mistakes_are_named() {
    let [runtime, _] = runtimes();
    let compiled = runtime.compile(&chain(10)).unwrap();
    let text = |text: &str| text.to_owned();
    assert_eq!(call(&compiled, |all| drop(all.pop())), Error::UnboundData { data: text("y") });
    assert_eq!(call(&compiled, |all| all.push(("x", vec![0; 10]))), Error::BoundTwice { buffer: text("x") });
    let error = call(&compiled, |all| all.push(("t", vec![0; 10])));
    assert_eq!(error, Error::UnknownData { data: text("t"), known: vec![text("x"), text("y")] });
    let error = call(&compiled, |all| all[0].1.push(1));
    assert_eq!(error, Error::DataSize { data: text("x"), expected_bytes: 40, got_bytes: 44 });
    let (x, y) = (vec![0u32; 10], vec![0u32; 10]);
    let error = compiled.call().bind("x", &x).bind("y", &y).run().unwrap_err();
    assert_eq!(error, Error::DataReadOnly { data: text("y") });
    let floats = vec![0f32; 10];
    let error = compiled.call().bind("x", &floats).run().unwrap_err();
    assert_eq!(error, Error::DataType { data: text("x"), expected: "u32".to_owned(), got: "f32".to_owned() });
}

#[test]
fn types_are_checked_when_compiling() {
    let [runtime, _] = runtimes();
    let scale = kernel("scale");
    let mut graph = Graph::new();
    graph.input::<f32>("x", 10).output::<u32>("y", 10);
    graph.wave("w", &scale).bind("x", "x").bind("y", "y").value("p", &[2u32, 1]).over("y");
    let wrong = "wave `w`: `x: array<u32>` cannot be bound to elements of `f32`: it holds `u32`";
    assert_eq!(runtime.compile(&graph).unwrap_err().to_string(), wrong);
    let mut graph = Graph::new();
    graph.input::<u32>("x", 10).output::<u32>("y", 10);
    graph.wave("w", &scale).bind("x", "x").bind("y", "y").value("p", &[2f32, 1.0]).over("y");
    let error = runtime.compile(&graph).unwrap_err();
    let of_p = |source: &Error| matches!(source, Error::Type { buffer, .. } if buffer == "p");
    assert!(matches!(&error, Error::Wave { wave, source } if wave == "w" && of_p(source)), "{error}");
    let mut graph = Graph::new();
    graph.output::<u32>("y", 10);
    graph.wave("w", &scale).bind("x", "z").bind("y", "y").value("p", &[2u32, 1]).over("y");
    let unknown = seawall_core::graph::Error::UnknownData { wave: "w".to_owned(), data: "z".to_owned() };
    assert_eq!(runtime.compile(&graph).unwrap_err(), Error::Graph(unknown));
}

/// The input says how many workgroups there are.
#[test]
fn grids_that_the_device_decides() {
    for runtime in everywhere() {
        let mut graph = Graph::new();
        graph.input::<u32>("grid", 3).output::<u32>("y", 256);
        let scale = kernel("scale");
        graph.wave("w", &scale).bind("x", "grid").bind("y", "y").value("p", &[0u32, 1]).indirect("grid", [3, 1, 1]);
        assert_eq!(graph.plan().unwrap().groups.len(), 1);
        let compiled = runtime.compile(&graph).unwrap();
        let run = |groups: u32| {
            let mut y = vec![0u32; 256];
            compiled.call().bind("grid", &[groups, 1, 1]).bind("y", &mut y).run().map(|_| y.iter().sum::<u32>())
        };
        assert_eq!(run(0), Ok(0));
        assert_eq!(run(2), Ok(128));
        assert_eq!(run(4), Err(Error::GridLimit { wave: "w".to_owned(), grid: [4, 1, 1], limit: [3, 1, 1] }));
        assert_eq!(run(3), Ok(192));
    }
}

/// A sum can be told from a maximum that comes before it, and so can what was there before.
#[test]
fn updates_that_do_not_commute_keep_their_order() {
    const WGSL: &str = "
        @group(0) @binding(0) var<storage, read_write> n: array<atomic<u32>>;
        @compute @workgroup_size(16) fn add() { atomicAdd(&n[0], 1u); }
        @compute @workgroup_size(16) fn raise() { atomicMax(&n[0], 1000u); }
        @compute @workgroup_size(1) fn take() { atomicStore(&n[1], atomicExchange(&n[0], 7u)); }";
    let program = Program::wgsl(WGSL).unwrap();
    let wave = |entry: &str| program.kernel(entry, &Overrides::new()).unwrap();
    let mut graph = Graph::new();
    graph.output::<u32>("n", 2);
    for (name, entry) in [("a", "add"), ("b", "add"), ("c", "raise"), ("d", "add"), ("e", "take"), ("f", "add")] {
        graph.wave(name, &wave(entry)).bind("n", "n").workgroups(if entry == "take" { 1 } else { 4 });
    }
    assert_eq!(graph.plan().unwrap().groups.len(), 5, "only the two that add first run together");
    for runtime in everywhere() {
        let mut n = [0u32; 2];
        runtime.compile(&graph).unwrap().call().bind("n", &mut n).run().unwrap();
        assert_eq!(n, [71, 1064], "{}", runtime.caps().id);
    }
}
