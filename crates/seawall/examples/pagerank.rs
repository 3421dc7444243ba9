//! `PageRank` until it has converged: the device adds up how much the ranks still move, and decides
//! whether there is another turn.
//!
//! ```text
//! cargo run --release -p seawall --example pagerank [-- GRAPH.mtx, or a list of edges]
//! ```

pub(crate) mod csr;

use bytemuck::{Pod, Zeroable};
use csr::{Csr, wave};
use seawall::{Graph, Program, Runtime};

const WGSL: &str = "
struct How { damping: f32, tolerance: f32 }

@group(0) @binding(0) var<storage, read> offsets: array<u32>;
@group(0) @binding(1) var<storage, read> edges: array<u32>;
@group(0) @binding(2) var<storage, read_write> rank: array<f32>;
// A vertex's rank for each of its neighbours.
@group(0) @binding(3) var<storage, read_write> share: array<f32>;
@group(0) @binding(4) var<storage, read_write> next: array<f32>;
// By workgroup: how much its ranks moved.
@group(0) @binding(5) var<storage, read_write> moved: array<f32>;
@group(0) @binding(6) var<storage, read_write> go: u32;
@group(0) @binding(7) var<uniform> how: How;

fn degree(v: u32) -> f32 {
    return max(f32(offsets[v + 1u] - offsets[v]), 1.0);
}

@compute @workgroup_size(256)
fn begin(@builtin(global_invocation_id) id: vec3<u32>) {
    let v = id.x;
    if v >= arrayLength(&rank) { return; }
    rank[v] = 1.0 / f32(arrayLength(&rank));
    share[v] = rank[v] / degree(v);
    if v == 0u { go = 1u; }
}

var<workgroup> parts: array<f32, 256>;

// The sum of all parts, in one order.
fn sum(local: u32) -> f32 {
    for (var half = 128u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if local < half { parts[local] += parts[local + half]; }
    }
    workgroupBarrier();
    return parts[0];
}

// What a vertex gets of its neighbours. By itself: nearly all of the work is here, and a loop that
// follows edges wants all registers.
@compute @workgroup_size(256)
fn pull(@builtin(global_invocation_id) id: vec3<u32>) {
    let v = id.x;
    if v >= arrayLength(&next) { return; }
    let end = offsets[v + 1u];
    var total = 0.0;
    for (var e = offsets[v]; e < end; e += 1u) { total += share[edges[e]]; }
    next[v] = total;
}

@compute @workgroup_size(256)
fn settle(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3<u32>,
) {
    let v = id.x;
    parts[local] = 0.0;
    if v < arrayLength(&rank) {
        let now = (1.0 - how.damping) / f32(arrayLength(&rank)) + how.damping * next[v];
        parts[local] = abs(now - rank[v]);
        rank[v] = now;
        next[v] = now / degree(v);
    }
    let all = sum(local);
    if local == 0u { moved[group.x] = all; }
}

@compute @workgroup_size(256)
fn judge(@builtin(local_invocation_index) local: u32) {
    parts[local] = 0.0;
    for (var i = local; i < arrayLength(&moved); i += 256u) { parts[local] += moved[i]; }
    let all = sum(local);
    if local == 0u { go = u32(all > how.tolerance); }
}
";

#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub(crate) struct How {
    pub(crate) damping: f32,
    pub(crate) tolerance: f32,
}

/// Turns after which it should have converged long ago.
const TURNS_MAX: u32 = 1000;

pub(crate) fn graph(vertices: usize, edges: usize) -> Result<Graph, seawall::Error> {
    let program = Program::wgsl(WGSL)?;
    let mut graph = Graph::new();
    graph.input::<u32>("offsets", vertices + 1).input::<u32>("edges", edges).value::<How>("how");
    graph.output::<f32>("rank", vertices);
    graph.transient::<f32>("share", vertices).transient::<f32>("next", vertices);
    graph.transient::<f32>("moved", vertices.div_ceil(256)).transient::<u32>("go", 1);
    wave(&mut graph, &program, "begin").over("rank");
    graph
        .repeat("turns", |body| {
            wave(body, &program, "pull").over("next");
            wave(body, &program, "settle").over("rank");
            wave(body, &program, "judge").workgroups(1);
            body.swap("share", "next");
        })
        .while_nonzero("go")
        .limit(TURNS_MAX)
        .must_end();
    Ok(graph)
}

/// The same on the host, in twice the precision and as often.
fn on_host(csr: &Csr, damping: f64, turns: u64) -> Vec<f64> {
    let n = csr.vertices() as f64;
    let mut rank = vec![1.0 / n; csr.vertices()];
    for _ in 0..turns {
        let share = |&u: &u32| rank[u as usize] / csr.neighbours(u).len() as f64;
        let pull = |v: u32| (1.0 - damping) / n + damping * csr.neighbours(v).iter().map(share).sum::<f64>();
        rank = (0..csr.vertices() as u32).map(pull).collect();
    }
    rank
}

fn rank(runtime: &Runtime, name: &str, csr: &Csr) -> Result<(), seawall::Error> {
    let how = How { damping: 0.85, tolerance: 1e-4 };
    let compiled = runtime.compile(&graph(csr.vertices(), csr.edges.len())?)?;
    let mut rank = vec![0f32; csr.vertices()];
    let call = compiled.call().bind("offsets", &csr.offsets).bind("edges", &csr.edges);
    let finished = call.bind("rank", &mut rank).set("how", &how).run()?;
    let turns = finished.turns("turns").unwrap_or(0);
    let expected = on_host(csr, 0.85, turns);
    let wrong: f64 = rank.iter().zip(&expected).map(|(&got, want)| (f64::from(got) - want).abs()).sum();
    assert!(wrong < 1e-4, "off by {wrong}");
    let moved: f64 = on_host(csr, 0.85, turns + 1).iter().zip(&expected).map(|(a, b)| (a - b).abs()).sum();
    assert!(moved < 1e-4, "it still moves by {moved}");
    println!("{name}: {turns} turns, off by {wrong:.1e} in all, {:?}", finished.elapsed);
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    match Csr::given()? {
        Some((name, csr)) => rank(&Runtime::new()?, &name, &csr)?,
        None => ranks()?,
    }
    Ok(())
}

fn ranks() -> Result<(), seawall::Error> {
    let runtime = Runtime::new()?;
    rank(&runtime, "kronecker", &Csr::kronecker(12, 16, 1))?;
    rank(&runtime, "grid", &Csr::grid(60, 40))
}

#[cfg(test)]
mod tests {
    #[test]
    fn ranks_are_right() -> Result<(), seawall::Error> {
        super::ranks()
    }
}
