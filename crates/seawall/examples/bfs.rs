//! Breadth-first search that turns around by itself: from the frontier to its neighbours while that is
//! small, from what was not reached yet to the frontier when it is large (Beamer, Asanović and
//! Patterson, 2012). A large frontier is a bit for each vertex, which fits into the nearest cache. The
//! device decides, level by level; the host waits for the end.
//!
//! ```text
//! cargo run --release -p seawall --example bfs [-- GRAPH.mtx, or a list of edges]
//! ```

pub(crate) mod csr;

use std::collections::VecDeque;

use csr::{Csr, wave};
use seawall::{Graph, Program, Runtime};

const WGSL: &str = "
const FAR = 0xffffffffu;

struct Words {
    // A list of the frontier is to be worked on; or all that is far; or the list is to be made first.
    list: u32,
    all: u32,
    make: u32,
    // The frontier.
    level: u32,
    count: u32,
    // Edges that lead on from what is far.
    left: u32,
    go: u32,
    // The bits of the frontier are to be made first.
    mark: u32,
    // The next frontier: vertices, and edges that lead on from them. Apart from the rest, which everybody reads.
    @align(128) fresh: atomic<u32>,
    ahead: atomic<u32>,
}

@group(0) @binding(0) var<storage, read> offsets: array<u32>;
@group(0) @binding(1) var<storage, read> edges: array<u32>;
@group(0) @binding(2) var<storage, read_write> depth: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> now: array<u32>;
@group(0) @binding(4) var<storage, read_write> next: array<u32>;
@group(0) @binding(5) var<storage, read_write> words: Words;
@group(0) @binding(6) var<storage, read_write> grid: array<u32>;
@group(0) @binding(7) var<uniform> source: u32;
// The frontier and the next one as bits.
@group(0) @binding(8) var<storage, read_write> front: array<u32>;
@group(0) @binding(9) var<storage, read_write> back: array<u32>;

@compute @workgroup_size(256)
fn begin(@builtin(global_invocation_id) id: vec3<u32>) {
    let v = id.x;
    if v >= arrayLength(&depth) { return; }
    atomicStore(&depth[v], select(FAR, 0u, v == source));
    if v != source { return; }
    now[0] = source;
    words.list = 1u;
    words.count = 1u;
    words.left = arrayLength(&edges);
    words.go = 1u;
    grid[0] = 1u;
    grid[1] = 1u;
    grid[2] = 1u;
}

// What an invocation has found goes to the next frontier together: all of them count in one place.
var<private> batch: array<u32, 16>;
var<private> batched: u32;

fn flush() {
    let first = atomicAdd(&words.fresh, batched);
    for (var i = 0u; i < batched; i += 1u) { next[first + i] = batch[i]; }
    batched = 0u;
}

@compute @workgroup_size(64)
fn down(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= words.count { return; }
    let v = now[id.x];
    let deeper = words.level + 1u;
    var ahead = 0u;
    let end = offsets[v + 1u];
    for (var e = offsets[v]; e < end; e += 1u) {
        let u = edges[e];
        if atomicLoad(&depth[u]) != FAR { continue; }
        if atomicMin(&depth[u], deeper) == FAR {
            if batched == 16u { flush(); }
            batch[batched] = u;
            batched += 1u;
            ahead += offsets[u + 1u] - offsets[u];
        }
    }
    if batched > 0u { flush(); }
    if ahead > 0u { atomicAdd(&words.ahead, ahead); }
}

@compute @workgroup_size(64)
fn mark(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&front) { return; }
    var bits = 0u;
    for (var i = 0u; i < 32u; i += 1u) {
        bits |= u32(atomicLoad(&depth[32u * id.x + i]) == words.level) << i;
    }
    front[id.x] = bits;
}

// Of a workgroup: its vertices of the next frontier, and the edges that lead on from them.
var<workgroup> found: array<atomic<u32>, 8>;
var<workgroup> some_ahead: atomic<u32>;

@compute @workgroup_size(256)
fn up(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let v = id.x;
    if v < arrayLength(&depth) && atomicLoad(&depth[v]) == FAR {
        let start = offsets[v];
        let end = offsets[v + 1u];
        for (var e = start; e < end; e += 1u) {
            let u = edges[e];
            if ((front[u >> 5u] >> (u & 31u)) & 1u) == 1u {
                atomicStore(&depth[v], words.level + 1u);
                atomicOr(&found[local >> 5u], 1u << (local & 31u));
                atomicAdd(&some_ahead, end - start);
                break;
            }
        }
    }
    workgroupBarrier();
    if local < 8u {
        let bits = atomicLoad(&found[local]);
        back[8u * group.x + local] = bits;
        if bits != 0u { atomicAdd(&words.fresh, countOneBits(bits)); }
    }
    if local == 0u && atomicLoad(&some_ahead) > 0u { atomicAdd(&words.ahead, atomicLoad(&some_ahead)); }
}

@compute @workgroup_size(256)
fn list(@builtin(global_invocation_id) id: vec3<u32>) {
    let v = id.x;
    if v < arrayLength(&depth) && atomicLoad(&depth[v]) == words.level {
        now[atomicAdd(&words.fresh, 1u)] = v;
    }
}

// What was counted by `list` is the frontier itself.
@compute @workgroup_size(1)
fn listed() {
    atomicStore(&words.fresh, 0u);
    words.make = 0u;
    words.list = 1u;
}

@compute @workgroup_size(1)
fn decide() {
    let fresh = atomicLoad(&words.fresh);
    let ahead = atomicLoad(&words.ahead);
    let up_before = words.all == 1u;
    words.left -= min(ahead, words.left);
    // From below if more leads on from the frontier than a part of what is left, as long as it grows
    // or is not small yet.
    var all = ahead > words.left / 14u;
    if up_before { all = fresh > words.count || fresh > arrayLength(&depth) / 24u; }
    words.all = u32(all);
    words.list = u32(!all && !up_before);
    words.make = u32(!all && up_before);
    words.mark = u32(all && !up_before);
    words.level += 1u;
    words.count = fresh;
    words.go = u32(fresh > 0u);
    atomicStore(&words.fresh, 0u);
    atomicStore(&words.ahead, 0u);
    grid[0] = (fresh + 63u) / 64u;
}
";

/// Of `Words`: how many, and where some of them are.
const WORDS: usize = 64;
const LIST: usize = 0;
const ALL: usize = 1;
const MAKE: usize = 2;
const GO: usize = 6;
const MARK: usize = 7;

/// The search from a vertex that each run sets.
pub(crate) fn graph(vertices: usize, edges: usize) -> Result<Graph, seawall::Error> {
    let program = Program::wgsl(WGSL)?;
    let mut graph = Graph::new();
    graph.input::<u32>("offsets", vertices + 1).input::<u32>("edges", edges).value::<u32>("source");
    graph.output::<u32>("depth", vertices);
    graph.transient::<u32>("now", vertices).transient::<u32>("next", vertices);
    graph.transient::<u32>("words", WORDS).transient::<u32>("grid", 3);
    graph.transient::<u32>("front", vertices.div_ceil(32)).transient::<u32>("back", vertices.div_ceil(32));
    wave(&mut graph, &program, "begin").over("depth");
    graph
        .repeat("levels", |body| {
            body.when("a list is missing", |body| {
                wave(body, &program, "list").over("depth");
                wave(body, &program, "listed").workgroups(1);
            })
            .nonzero(("words", MAKE));
            body.when("from the frontier", |body| {
                wave(body, &program, "down").indirect("grid", (vertices as u32).div_ceil(64));
            })
            .nonzero(("words", LIST));
            body.when("bits are missing", |body| {
                wave(body, &program, "mark").over("front");
            })
            .nonzero(("words", MARK));
            body.when("to the frontier", |body| {
                wave(body, &program, "up").over("depth");
            })
            .nonzero(("words", ALL));
            wave(body, &program, "decide").workgroups(1);
            body.swap("now", "next");
            body.swap("front", "back");
        })
        .while_nonzero(("words", GO));
    Ok(graph)
}

/// The same on the host.
fn on_host(csr: &Csr, source: u32) -> Vec<u32> {
    let mut depth = vec![u32::MAX; csr.vertices()];
    depth[source as usize] = 0;
    let mut queue = VecDeque::from([source]);
    while let Some(v) = queue.pop_front() {
        for &u in csr.neighbours(v) {
            if depth[u as usize] == u32::MAX {
                depth[u as usize] = depth[v as usize] + 1;
                queue.push_back(u);
            }
        }
    }
    depth
}

fn search(runtime: &Runtime, name: &str, csr: &Csr) -> Result<(), seawall::Error> {
    let compiled = runtime.compile(&graph(csr.vertices(), csr.edges.len())?)?;
    // The graph stays on the device for all searches.
    let (offsets, edges) = (runtime.buffer_from(&csr.offsets)?, runtime.buffer_from(&csr.edges)?);
    for source in [csr.hub(), csr.vertices() as u32 / 2] {
        let mut depth = vec![0u32; csr.vertices()];
        let call = compiled.call().bind("offsets", &offsets).bind("edges", &edges).set("source", &source);
        let finished = call.bind("depth", &mut depth).run()?;
        assert_eq!(depth, on_host(csr, source));
        let turns = |name| finished.turns(name).unwrap_or(0);
        let (levels, up) = (turns("levels"), turns("to the frontier"));
        println!("{name} from {source}: {levels} levels, {up} of them to the frontier, {:?}", finished.elapsed);
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    match Csr::given()? {
        Some((name, csr)) => search(&Runtime::new()?, &name, &csr)?,
        None => searches()?,
    }
    Ok(())
}

fn searches() -> Result<(), seawall::Error> {
    let runtime = Runtime::new()?;
    search(&runtime, "kronecker", &Csr::kronecker(12, 16, 1))?;
    search(&runtime, "uniform", &Csr::uniform(12, 16, 2))?;
    search(&runtime, "path", &Csr::grid(1000, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_are_right() -> Result<(), seawall::Error> {
        searches()
    }

    #[test]
    fn graphs_are_read() {
        let path = Csr::grid(4, 1);
        assert_eq!(Csr::edge_list("# a path\n0 1\n1 2\n\n2 3\n").unwrap(), path);
        let mtx = "%%MatrixMarket matrix coordinate pattern symmetric\n% a path\n4 4 3\n2 1\n3 2\n4 3\n";
        assert_eq!(Csr::mtx(mtx).unwrap(), path);
        assert_eq!(Csr::edge_list("0 one").unwrap_err(), "line 1: `0 one` does not begin with two vertices");
        assert_eq!(Csr::mtx(&mtx.replace("\n4 3\n", "\n9 3\n")).unwrap_err(), "line 6: there is no such vertex");
        assert!(Csr::mtx("1 2").is_err() && Csr::mtx("%%MatrixMarket matrix coordinate\n4 5 3").is_err());
    }
}
