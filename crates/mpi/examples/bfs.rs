//! Breadth-first search of a Kronecker graph that is shared out by vertex.
//!
//! The frontier is a bit for each vertex, on all ranks. A rank looks at its own vertices only: where the frontier has
//! few edges, those in it mark their neighbours, and otherwise those that nobody has seen look for one in it (Beamer,
//! Asanović and Patterson, 2012). What the ranks marked is joined bit by bit.
//!
//! ```console
//! $ mpirun -n 4 cargo run --release --example bfs -- 16
//! ```

/// Graphs to search.
pub mod kronecker;

use std::error::Error;
use std::sync::Arc;

use kronecker::Csr;
use seawall::{Kernel, Overrides, Program, Runtime};
use seawall_mpi::{Cluster, Compiled, Graph, Op, Rows};

/// The level of vertices that are not reached.
pub const NEVER: u32 = u32::MAX;

const TEXT: &str = "
    @group(0) @binding(0) var<storage, read> offsets: array<u32>;
    @group(0) @binding(1) var<storage, read> targets: array<u32>;
    @group(0) @binding(2) var<storage, read_write> levels: array<u32>;
    @group(0) @binding(3) var<storage, read> frontier: array<u32>;
    @group(0) @binding(4) var<storage, read_write> marked: array<atomic<u32>>;
    @group(0) @binding(5) var<storage, read_write> fresh: array<u32>;
    @group(0) @binding(6) var<storage, read_write> seen: array<u32>;
    // The depth, and how many words of the frontier have bits.
    @group(0) @binding(7) var<storage, read_write> state: array<atomic<u32>, 2>;
    // Edges of the frontier, of all ranks.
    @group(0) @binding(8) var<storage, read_write> edges: atomic<u32>;
    struct Own { first: u32, few: u32 }
    @group(0) @binding(9) var<uniform> own: Own;

    fn is_in(v: u32) -> bool { return ((frontier[v / 32u] >> (v % 32u)) & 1u) != 0u; }

    @compute @workgroup_size(64)
    fn look(@builtin(global_invocation_id) id: vec3<u32>) {
        if id.x + 1u >= arrayLength(&offsets) { return; }
        let v = own.first + id.x;
        let end = offsets[id.x + 1u];
        if atomicLoad(&edges) < own.few {
            if !is_in(v) { return; }
            for (var edge = offsets[id.x]; edge < end; edge++) {
                let to = targets[edge];
                atomicOr(&marked[to / 32u], 1u << (to % 32u));
            }
        } else {
            if levels[id.x] != 0xffffffffu { return; }
            for (var edge = offsets[id.x]; edge < end; edge++) {
                if is_in(targets[edge]) { atomicOr(&marked[v / 32u], 1u << (v % 32u)); break; }
            }
        }
    }

    // What was marked and not seen before is the next frontier; the same on all ranks.
    @compute @workgroup_size(64)
    fn merge(@builtin(global_invocation_id) id: vec3<u32>) {
        if id.x >= arrayLength(&seen) { return; }
        let found = atomicLoad(&marked[id.x]) & ~seen[id.x];
        atomicStore(&marked[id.x], 0u);
        fresh[id.x] = found;
        seen[id.x] |= found;
        if found != 0u { atomicAdd(&state[1], 1u); }
    }

    @compute @workgroup_size(64)
    fn label(@builtin(global_invocation_id) id: vec3<u32>) {
        if id.x >= arrayLength(&levels) { return; }
        if !is_in(own.first + id.x) { return; }
        levels[id.x] = atomicLoad(&state[0]);
        atomicAdd(&edges, offsets[id.x + 1u] - offsets[id.x]);
    }

    @compute @workgroup_size(1)
    fn deeper() { atomicAdd(&state[0], 1u); atomicStore(&state[1], 0u); }

    @compute @workgroup_size(1)
    fn none() { atomicStore(&edges, 0u); }

    @group(0) @binding(10) var<storage, read_write> going: u32;
    @compute @workgroup_size(1)
    fn decide() { going = atomicLoad(&state[1]); }";

/// A search of a graph that is shared out so.
pub fn describe(cluster: &Cluster, csr: &Csr, rows: &Rows) -> Result<Graph, Box<dyn Error>> {
    let program = Program::wgsl(TEXT)?;
    let kernel = |entry: &str| -> Result<Arc<Kernel>, Box<dyn Error>> { Ok(program.kernel(entry, &Overrides::new())?) };
    let part = csr.part(rows, cluster.rank());
    let words = (csr.vertices() as u64).div_ceil(32);
    let own = [rows.own(cluster.rank()).start as u32, (csr.targets.len() / 16) as u32];
    let (look, merge, label) = (kernel("look")?, kernel("merge")?, kernel("label")?);
    let (deeper, none, decide) = (kernel("deeper")?, kernel("none")?, kernel("decide")?);
    let mut graph = cluster.graph();
    graph.local::<u32>("offsets", part.offsets.len() as u64).local::<u32>("targets", part.targets.len() as u64);
    graph.rows::<u32>("levels", rows).replicated::<u32>("frontier", words).replicated::<u32>("marked", words);
    graph.replicated::<u32>("seen", words).local::<u32>("state", 2);
    graph.replicated::<u32>("edges", 1).local::<u32>("going", 1);
    graph
        .repeat("levels", |body| {
            body.wave("deeper", &deeper).bind("state", "state").workgroups(1);
            let mut wave = body.wave("look", &look);
            wave.bind("offsets", "offsets").bind("targets", "targets").bind("levels", "levels");
            wave.bind("frontier", "frontier").bind("marked", "marked").bind("edges", "edges").value("own", &own);
            wave.over("levels");
            body.wave("none", &none).bind("edges", "edges").workgroups(1);
            body.all_reduce::<u32>("join", "marked", Op::Or);
            let mut wave = body.wave("merge", &merge);
            wave.bind("marked", "marked").bind("fresh", "frontier").bind("seen", "seen").bind("state", "state");
            wave.over("seen");
            let mut wave = body.wave("label", &label);
            wave.bind("frontier", "frontier").bind("levels", "levels").bind("state", "state").bind("edges", "edges");
            wave.bind("offsets", "offsets").value("own", &own).over("levels");
            body.wave("decide", &decide).bind("state", "state").bind("going", "going").workgroups(1);
            body.all_reduce::<u32>("count", "edges", Op::Sum);
        })
        .while_nonzero("going");
    Ok(graph)
}

/// Levels of this rank's own vertices, from `source`, and how many turns that took.
pub fn levels(
    cluster: &Cluster,
    runtime: &Runtime,
    csr: &Csr,
    source: usize,
) -> Result<(Vec<u32>, u32), Box<dyn Error>> {
    let rows = csr.rows(cluster.ranks(), 1)?;
    let graph = describe(cluster, csr, &rows)?;
    let compiled = cluster.compile(runtime, &graph)?;
    start(cluster, &compiled, csr, source)?;
    let finished = compiled.call().run()?;
    Ok((compiled.read("levels")?, finished.turns("levels").unwrap_or(0)))
}

/// All that a search begins with.
pub fn start(cluster: &Cluster, compiled: &Compiled<'_>, csr: &Csr, source: usize) -> Result<(), Box<dyn Error>> {
    let rows = csr.rows(cluster.ranks(), 1)?;
    let own = rows.own(cluster.rank());
    let part = csr.part(&rows, cluster.rank());
    let mut levels = vec![NEVER; (own.end - own.start) as usize];
    if own.contains(&(source as u64)) {
        levels[source - own.start as usize] = 0;
    }
    let mut bits = vec![0u32; csr.vertices().div_ceil(32)];
    bits[source / 32] |= 1 << (source % 32);
    compiled.write("offsets", &part.offsets)?;
    compiled.write("targets", &part.targets)?;
    compiled.write("levels", &levels)?;
    compiled.write("frontier", &bits)?;
    compiled.write("seen", &bits)?;
    compiled.write("marked", &vec![0u32; bits.len()])?;
    compiled.write("state", &[0u32; 2])?;
    compiled.write("edges", &[csr.offsets[source + 1] - csr.offsets[source]])?;
    compiled.write("going", &[1u32])?;
    Ok(())
}

/// The vertex with the most neighbours.
pub fn hub(csr: &Csr) -> usize {
    (0..csr.vertices()).max_by_key(|&v| csr.offsets[v + 1] - csr.offsets[v]).unwrap_or(0)
}

/// Whether levels are right: 0 at the source alone, and each vertex one below the nearest of its neighbours.
pub fn verify(csr: &Csr, source: usize, levels: &[u32]) -> bool {
    (0..csr.vertices()).all(|v| {
        let neighbours = &csr.targets[csr.offsets[v] as usize..csr.offsets[v + 1] as usize];
        let nearest = neighbours.iter().map(|&u| levels[u as usize]).min().unwrap_or(NEVER);
        if v == source { levels[v] == 0 } else { levels[v] == nearest.saturating_add(1) && levels[v] > 0 }
    })
}

/// Whether all ranks together have what one has alone, that is right, and how many turns it took.
pub fn compare(cluster: &Cluster, runtime: &Runtime, scale: u32) -> Result<(bool, u32), Box<dyn Error>> {
    let csr = kronecker::graph(scale, 1);
    let source = hub(&csr);
    let (mine, turns) = levels(cluster, runtime, &csr, source)?;
    let (whole, alone) = levels(&cluster.alone(), runtime, &csr, source)?;
    let own = csr.rows(cluster.ranks(), 1)?.cut(cluster.rank(), &whole)?;
    Ok((mine == own && turns == alone && verify(&csr, source, &whole), turns))
}

fn main() -> Result<(), Box<dyn Error>> {
    let cluster = Cluster::world()?;
    let runtime = Runtime::new()?;
    let scale = std::env::args().nth(1).map_or(Ok(12), |scale| scale.parse())?;
    let (same, turns) = compare(&cluster, &runtime, scale)?;
    println!("rank {}: {turns} levels, right and as one machine has them: {same}", cluster.rank());
    Ok(())
}
