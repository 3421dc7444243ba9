//! `var<immediate>`: values that are bound by name, like those of uniform buffers.

use seawall::{Error, Graph, Overrides, Program, Runtime, program};

use crate::graph::everywhere;

const LINE: &str = "
struct Line { step: u32, first: u32 }
var<immediate> line: Line;
@group(0) @binding(0) var<storage, read_write> y: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&y) { y[id.x] = y[id.x] * line.step + line.first; }
}";

#[test]
fn a_call_takes_a_value() {
    for runtime in everywhere() {
        let kernel = runtime.kernel(LINE).unwrap();
        let mut y: Vec<u32> = (0..100).collect();
        for _ in 0..2 {
            runtime.call(&kernel).value("line", &[2u32, 3]).bind("y", &mut y).threads(100).run().unwrap();
        }
        let expected: Vec<u32> = (0..100).map(|at| (2 * at + 3) * 2 + 3).collect();
        assert_eq!(y, expected);
    }
}

#[test]
fn waves_of_a_graph_take_values_each() {
    let kernel = Program::wgsl(LINE).unwrap().kernel("main", &Overrides::new()).unwrap();
    let mut graph = Graph::new();
    graph.in_out::<u32>("y", 100);
    graph.wave("first", &kernel).bind("y", "y").value("line", &[2u32, 1]).over("y");
    graph.wave("second", &kernel).bind("y", "y").value("line", &[3u32, 4]).over("y");
    for runtime in everywhere() {
        let compiled = runtime.compile(&graph).unwrap();
        let mut y: Vec<u32> = (0..100).collect();
        compiled.call().bind("y", &mut y).run().unwrap();
        let expected: Vec<u32> = (0..100).map(|at| (2 * at + 1) * 3 + 4).collect();
        assert_eq!(y, expected);
    }
}

#[test]
fn a_missing_or_wrong_value_is_refused_by_name() {
    let runtime = Runtime::builder().device("reference").open().unwrap();
    let kernel = runtime.kernel(LINE).unwrap();
    let mut y = [0u32; 4];
    let missing = runtime.call(&kernel).bind("y", &mut y).threads(4).run().unwrap_err();
    assert!(matches!(&missing, Error::Unbound { buffer, .. } if buffer == "line"), "{missing:?}");
    let short = runtime.call(&kernel).value("line", &2u32).bind("y", &mut y).threads(4).run().unwrap_err();
    assert!(short.to_string().starts_with("`line: Line` needs exactly 8 bytes"), "{short}");
}

#[test]
fn the_table_says_that_it_is_one() {
    let program = Program::wgsl(LINE).unwrap();
    let rows: Vec<(String, String)> = program.buffers().iter().map(|row| (row.name.clone(), row.declared())).collect();
    assert_eq!(rows, [("y", "read_write"), ("line", "immediate")].map(|(a, b)| (a.to_owned(), b.to_owned())));
    let kernel = program.kernel("main", &Overrides::new()).unwrap();
    let row = kernel.buffer("line").unwrap();
    assert!(row.immediate && !kernel.buffer("y").unwrap().immediate);
    assert_eq!((row.access, row.min_bytes), (program::Access::Uniform, 8));
    assert_eq!(row.to_string(), "buffer line: Line, immediate, 8 bytes at least, reads");
}
