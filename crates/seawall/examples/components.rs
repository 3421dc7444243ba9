//! Connected components, Afforest's way (Sutton, Ben-Nun and Barak, 2018): a few neighbours of each
//! vertex are enough to join most of them; who is in the largest component by then need not look at
//! the others.
//!
//! ```text
//! cargo run --release -p seawall --example components [-- GRAPH.mtx, or a list of edges]
//! ```

pub(crate) mod csr;

use csr::{Csr, wave};
use seawall::{Graph, Program, Runtime};

const WGSL: &str = "
@group(0) @binding(0) var<storage, read> offsets: array<u32>;
@group(0) @binding(1) var<storage, read> edges: array<u32>;
// Above each vertex one with a lower number, or itself if it is a root.
@group(0) @binding(2) var<storage, read_write> above: array<atomic<u32>>;
// The neighbour whose turn it is, and the largest component.
@group(0) @binding(3) var<storage, read_write> words: array<u32>;
@group(0) @binding(4) var<storage, read_write> component: array<u32>;

const ROUND = 0u;
const LARGEST = 1u;

@compute @workgroup_size(256)
fn begin(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&above) { atomicStore(&above[id.x], id.x); }
}

// Joins two trees: the root with the higher number comes below the other. Whoever fails to hang one
// was overtaken by somebody who did.
fn join(a: u32, b: u32) {
    var p = atomicLoad(&above[a]);
    var q = atomicLoad(&above[b]);
    while p != q {
        let high = max(p, q);
        let low = min(p, q);
        let was = atomicLoad(&above[high]);
        if was == low { break; }
        if was == high && atomicCompareExchangeWeak(&above[high], high, low).exchanged { break; }
        p = atomicLoad(&above[atomicLoad(&above[high])]);
        q = atomicLoad(&above[low]);
    }
}

@compute @workgroup_size(256)
fn few(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&above) { return; }
    let e = offsets[id.x] + words[ROUND];
    if e < offsets[id.x + 1u] { join(id.x, edges[e]); }
}

// Every vertex right below its root.
@compute @workgroup_size(256)
fn flatten(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&above) { return; }
    var p = atomicLoad(&above[id.x]);
    loop {
        let root = atomicLoad(&above[p]);
        if root == p { break; }
        p = root;
    }
    atomicStore(&above[id.x], p);
}

@compute @workgroup_size(1)
fn next_round() { words[ROUND] += 1u; }

const SAMPLES = 256u;
var<workgroup> roots: array<u32, SAMPLES>;
var<workgroup> best: atomic<u32>;

// The root that most of some vertices have.
@compute @workgroup_size(SAMPLES)
fn sample(@builtin(local_invocation_index) local: u32) {
    let v = u32((u32(local) * 2654435761u) % arrayLength(&above));
    roots[local] = atomicLoad(&above[v]);
    workgroupBarrier();
    var same = 0u;
    for (var i = 0u; i < SAMPLES; i += 1u) { same += u32(roots[i] == roots[local]); }
    atomicMax(&best, same << 8u | local);
    workgroupBarrier();
    if local == 0u { words[LARGEST] = roots[atomicLoad(&best) & 255u]; }
}

@compute @workgroup_size(256)
fn rest(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&above) || atomicLoad(&above[id.x]) == words[LARGEST] { return; }
    for (var e = offsets[id.x] + words[ROUND]; e < offsets[id.x + 1u]; e += 1u) { join(id.x, edges[e]); }
}

@compute @workgroup_size(256)
fn settle(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&above) { return; }
    var p = atomicLoad(&above[id.x]);
    loop {
        let root = atomicLoad(&above[p]);
        if root == p { break; }
        p = root;
    }
    component[id.x] = p;
}
";

/// Neighbours that each vertex looks at before the largest component is guessed.
const ROUNDS: u32 = 2;

pub(crate) fn graph(vertices: usize, edges: usize) -> Result<Graph, seawall::Error> {
    let program = Program::wgsl(WGSL)?;
    let mut graph = Graph::new();
    graph.input::<u32>("offsets", vertices + 1).input::<u32>("edges", edges);
    graph.output::<u32>("component", vertices);
    graph.transient::<u32>("above", vertices).transient::<u32>("words", 2);
    wave(&mut graph, &program, "begin").over("above");
    graph
        .repeat("rounds", |body| {
            wave(body, &program, "few").over("above");
            wave(body, &program, "flatten").over("above");
            wave(body, &program, "next_round").workgroups(1);
        })
        .times(ROUNDS);
    wave(&mut graph, &program, "sample").workgroups(1);
    wave(&mut graph, &program, "rest").over("above");
    wave(&mut graph, &program, "settle").over("component");
    Ok(graph)
}

/// The lowest vertex that each can reach, on the host.
fn on_host(csr: &Csr) -> Vec<u32> {
    let mut component = vec![u32::MAX; csr.vertices()];
    for first in 0..csr.vertices() as u32 {
        if component[first as usize] != u32::MAX {
            continue;
        }
        component[first as usize] = first;
        let mut stack = vec![first];
        while let Some(v) = stack.pop() {
            for &u in csr.neighbours(v) {
                if component[u as usize] == u32::MAX {
                    component[u as usize] = first;
                    stack.push(u);
                }
            }
        }
    }
    component
}

fn find(runtime: &Runtime, name: &str, csr: &Csr) -> Result<(), seawall::Error> {
    let compiled = runtime.compile(&graph(csr.vertices(), csr.edges.len())?)?;
    let mut component = vec![0u32; csr.vertices()];
    let call = compiled.call().bind("offsets", &csr.offsets).bind("edges", &csr.edges);
    let finished = call.bind("component", &mut component).run()?;
    assert_eq!(component, on_host(csr), "the lowest vertex stands for each component");
    let count = (0..).zip(&component).filter(|(v, root)| v == *root).count();
    println!("{name}: {count} components of {} vertices, {:?}", csr.vertices(), finished.elapsed);
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    match Csr::given()? {
        Some((name, csr)) => find(&Runtime::new()?, &name, &csr)?,
        None => finds()?,
    }
    Ok(())
}

fn finds() -> Result<(), seawall::Error> {
    let runtime = Runtime::new()?;
    let graphs = [
        ("kronecker", Csr::kronecker(12, 4, 1)),
        ("few edges", Csr::uniform(12, 1, 2)),
        ("grid", Csr::grid(70, 50)),
        ("nothing", Csr::new(300, [(3, 4)])),
    ];
    graphs.iter().try_for_each(|(name, csr)| find(&runtime, name, csr))
}

#[cfg(test)]
mod tests {
    #[test]
    fn components_are_right() -> Result<(), seawall::Error> {
        super::finds()
    }
}
