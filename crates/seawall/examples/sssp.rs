//! Shortest paths from a vertex, near ones first: two work queues are the buckets. What is further than
//! a threshold waits in the second queue until the first is empty, and then the threshold rises (the
//! near-far way of Davidson, Baxter, Garland and Owens, 2014).
//!
//! ```text
//! cargo run --release -p seawall --example sssp [-- GRAPH.mtx, or a list of edges]
//! ```

pub(crate) mod csr;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use csr::Csr;
use seawall::{Graph, Kernel, Overrides, Runtime, Wave, queue};

const WGSL: &str = "
const FAR = 0xffffffffu;

// A vertex, and how far it was when it was pushed.
alias Visit = vec2<u32>;

struct How { source: u32, delta: u32 }

@group(0) @binding(0) var<storage, read> offsets: array<u32>;
@group(0) @binding(1) var<storage, read> edges: array<u32>;
@group(0) @binding(2) var<storage, read> weights: array<u32>;
@group(0) @binding(3) var<storage, read_write> distance: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> threshold: u32;
@group(0) @binding(5) var<uniform> how: How;

@compute @workgroup_size(256)
fn begin(@builtin(global_invocation_id) id: vec3<u32>) {
    let v = id.x;
    if v >= arrayLength(&distance) { return; }
    atomicStore(&distance[v], select(FAR, 0u, v == how.source));
    if v == how.source {
        threshold = how.delta;
        near_push(Visit(v, 0u));
    }
}

@compute @workgroup_size(64)
fn relax(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= near_len() { return; }
    let visit = near_item(id.x);
    // Somebody has found a shorter way since.
    if atomicLoad(&distance[visit.x]) < visit.y { return; }
    let end = offsets[visit.x + 1u];
    let limit = threshold;
    var e = offsets[visit.x];
    while e < end {
        // As many as can all be kept: nothing is pushed inside the loop, which stays short.
        let stop = min(end, e + min(near_room(), far_room()));
        for (; e < stop; e += 1u) {
            let u = edges[e];
            let through = visit.y + weights[e];
            // Most ways are no shorter, and looking is cheaper than trying.
            if atomicLoad(&distance[u]) > through && atomicMin(&distance[u], through) > through {
                if through < limit { near_keep(Visit(u, through)); } else { far_keep(Visit(u, through)); }
            }
        }
        if near_room() < 8u { near_flush(); }
        if far_room() < 8u { far_flush(); }
    }
    near_flush();
    far_flush();
}

@compute @workgroup_size(1)
fn rise() {
    if far_len() > 0u { threshold += how.delta; }
}

@compute @workgroup_size(256)
fn split(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let visit = far_item(min(id.x, max(far_len(), 1u) - 1u));
    let wanted = id.x < far_len() && atomicLoad(&distance[visit.x]) >= visit.y;
    near_push_if(wanted && visit.y < threshold, visit, local);
    far_push_if(wanted && visit.y >= threshold, visit, local);
}
";

pub(crate) fn graph(vertices: usize, edges: usize) -> Result<Graph, seawall::Error> {
    let program = queue::program(WGSL, &[("near", "Visit"), ("far", "Visit")])?;
    let kernel = |entry: &str| program.kernel(entry, &Overrides::new()).map(Arc::new);
    let (begin, relax, rise, split) = (kernel("begin")?, kernel("relax")?, kernel("rise")?, kernel("split")?);
    let mut graph = Graph::new();
    graph.input::<u32>("offsets", vertices + 1).value::<[u32; 2]>("how");
    graph.input::<u32>("edges", edges).input::<u32>("weights", edges);
    graph.output::<u32>("distance", vertices).transient::<u32>("threshold", 1);
    // A vertex is pushed once for each edge at the most, between two times that it is taken.
    for name in ["near", "far"] {
        graph.queue::<[u32; 2]>(name, edges + vertices);
    }
    wave(&mut graph, &begin).over("distance");
    graph.drain("buckets", &["near", "far"], |body| {
        wave(body, &relax).items("near");
        wave(body, &rise).workgroups(1);
        wave(body, &split).items("far");
    });
    Ok(graph)
}

/// A wave with everything bound by its name.
fn wave<'a>(graph: &'a mut Graph, kernel: &Arc<Kernel>) -> Wave<'a> {
    let mut wave = graph.wave(&kernel.name, kernel);
    for name in ["near", "far"] {
        if kernel.buffers.iter().any(|row| row.name.starts_with(&format!("{name}_"))) {
            wave.queue(name, name);
        }
    }
    for row in kernel.buffers.iter().filter(|row| !row.name.starts_with("near_") && !row.name.starts_with("far_")) {
        wave.bind(&row.name, &row.name);
    }
    wave
}

/// The same on the host (Dijkstra, 1959).
fn on_host(csr: &Csr, source: u32) -> Vec<u32> {
    let mut distance = vec![u32::MAX; csr.vertices()];
    distance[source as usize] = 0;
    let mut heap = BinaryHeap::from([(Reverse(0), source)]);
    while let Some((Reverse(far), v)) = heap.pop() {
        if distance[v as usize] < far {
            continue;
        }
        let edges = csr.offsets[v as usize] as usize..csr.offsets[v as usize + 1] as usize;
        for (&u, &weight) in csr.edges[edges.clone()].iter().zip(&csr.weights[edges]) {
            if far + weight < distance[u as usize] {
                distance[u as usize] = far + weight;
                heap.push((Reverse(far + weight), u));
            }
        }
    }
    distance
}

fn search(runtime: &Runtime, name: &str, csr: &Csr, delta: u32) -> Result<(), seawall::Error> {
    let compiled = runtime.compile(&graph(csr.vertices(), csr.edges.len())?)?;
    let (source, mut distance) = (csr.hub(), vec![0u32; csr.vertices()]);
    let call = compiled.call().bind("offsets", &csr.offsets).bind("edges", &csr.edges);
    let call = call.bind("weights", &csr.weights).bind("distance", &mut distance);
    let finished = call.set("how", &[source, delta]).run()?;
    assert_eq!(distance, on_host(csr, source));
    let (near, far) = (finished.queue("near"), finished.queue("far"));
    println!("{name} from {source}: near {near:?}, far {far:?}, {:?}", finished.elapsed);
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    match Csr::given()? {
        Some((name, csr)) => search(&Runtime::new()?, &name, &csr, 32)?,
        None => searches()?,
    }
    Ok(())
}

fn searches() -> Result<(), seawall::Error> {
    let runtime = Runtime::new()?;
    search(&runtime, "kronecker", &Csr::kronecker(11, 8, 1), 32)?;
    search(&runtime, "grid", &Csr::grid(40, 40), 512)
}

#[cfg(test)]
mod tests {
    #[test]
    fn distances_are_right() -> Result<(), seawall::Error> {
        super::searches()
    }
}
