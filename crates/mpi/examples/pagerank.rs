//! `PageRank` of a Kronecker graph that is shared out by vertex.
//!
//! Each rank has the neighbours of its own vertices. What a vertex gives to each of its neighbours is gathered on all
//! ranks; the mass of vertices without any is added up in blocks of 256 vertices, whatever rank they are on, so that
//! the sum has the same bits for every number of ranks.
//!
//! ```console
//! $ mpirun -n 4 cargo run --release --example pagerank -- 14
//! ```

/// Graphs to rank.
pub mod kronecker;

use std::error::Error;
use std::sync::Arc;

use kronecker::Csr;
use seawall::{Kernel, Overrides, Program, Runtime};
use seawall_mpi::{Cluster, Compiled, Graph, Rows};

/// Vertices of a partial sum.
const BLOCK: usize = 256;

const TEXT: &str = "
    @group(0) @binding(0) var<storage, read> offsets: array<u32>;
    @group(0) @binding(1) var<storage, read> targets: array<u32>;
    @group(0) @binding(2) var<storage, read_write> ranks: array<f32>;
    @group(0) @binding(3) var<storage, read_write> share: array<f32>;
    @group(0) @binding(4) var<storage, read_write> partial: array<f32>;
    @group(0) @binding(5) var<storage, read> shares: array<f32>;
    @group(0) @binding(6) var<storage, read> partials: array<f32>;
    @group(0) @binding(7) var<storage, read_write> lost: f32;

    var<workgroup> sums: array<f32, 256>;

    // What each own vertex gives to each neighbour, and what has nowhere to go, block by block.
    @compute @workgroup_size(256)
    fn give(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) at: u32,
            @builtin(workgroup_id) block: vec3<u32>) {
        var nowhere = 0.0;
        if id.x < arrayLength(&ranks) {
            let degree = offsets[id.x + 1u] - offsets[id.x];
            let rank = ranks[id.x];
            if degree == 0u { nowhere = rank; share[id.x] = 0.0; } else { share[id.x] = rank / f32(degree); }
        }
        sums[at] = nowhere;
        workgroupBarrier();
        for (var half = 128u; half > 0u; half /= 2u) {
            if at < half { sums[at] += sums[at + half]; }
            workgroupBarrier();
        }
        if at == 0u { partial[block.x] = sums[0]; }
    }

    @compute @workgroup_size(1)
    fn total() {
        var sum = 0.0;
        for (var i = 0u; i < arrayLength(&partials); i++) { sum += partials[i]; }
        lost = sum;
    }

    @compute @workgroup_size(256)
    fn pull(@builtin(global_invocation_id) id: vec3<u32>) {
        if id.x >= arrayLength(&ranks) { return; }
        var sum = 0.0;
        let end = offsets[id.x + 1u];
        for (var edge = offsets[id.x]; edge < end; edge++) { sum += shares[targets[edge]]; }
        let n = f32(arrayLength(&shares));
        ranks[id.x] = 0.15 / n + 0.85 * (sum + lost / n);
    }";

/// So many turns over a graph that is shared out so.
pub fn describe(cluster: &Cluster, csr: &Csr, rows: &Rows, turns: u32) -> Result<Graph, Box<dyn Error>> {
    let program = Program::wgsl(TEXT)?;
    let kernel = |entry: &str| -> Result<Arc<Kernel>, Box<dyn Error>> { Ok(program.kernel(entry, &Overrides::new())?) };
    let (give, total, pull) = (kernel("give")?, kernel("total")?, kernel("pull")?);
    let rank = cluster.rank();
    let part = csr.part(rows, rank);
    let blocks: Vec<u64> = rows.offsets().iter().map(|first| first.div_ceil(BLOCK as u64)).collect();
    let blocks = Rows::at(&blocks)?;
    let mut graph = cluster.graph();
    graph.local::<u32>("offsets", part.offsets.len() as u64).local::<u32>("targets", part.targets.len() as u64);
    graph.rows::<f32>("ranks", rows).rows::<f32>("share", rows).rows::<f32>("partial", &blocks);
    graph.replicated::<f32>("shares", rows.rows()).replicated::<f32>("partials", blocks.rows());
    graph.local::<f32>("lost", 1);
    graph
        .repeat("turns", |body| {
            let mut wave = body.wave("give", &give);
            wave.bind("offsets", "offsets").bind("ranks", "ranks").bind("share", "share").bind("partial", "partial");
            wave.over("ranks");
            body.all_gather("shares", "share", "shares").all_gather("partials", "partial", "partials");
            body.wave("total", &total).bind("partials", "partials").bind("lost", "lost").workgroups(1);
            let mut wave = body.wave("pull", &pull);
            wave.bind("offsets", "offsets").bind("targets", "targets").bind("ranks", "ranks");
            wave.bind("shares", "shares").bind("lost", "lost").over("ranks");
        })
        .times(turns);
    Ok(graph)
}

/// The ranks of this rank's own vertices.
pub fn ranks(cluster: &Cluster, runtime: &Runtime, csr: &Csr, turns: u32) -> Result<Vec<f32>, Box<dyn Error>> {
    let rows = csr.rows(cluster.ranks(), BLOCK)?;
    let graph = describe(cluster, csr, &rows, turns)?;
    let compiled = cluster.compile(runtime, &graph)?;
    start(cluster, &compiled, csr)?;
    compiled.call().run()?;
    Ok(compiled.read("ranks")?)
}

/// All vertices are worth the same at first.
pub fn start(cluster: &Cluster, compiled: &Compiled<'_>, csr: &Csr) -> Result<(), Box<dyn Error>> {
    let rows = csr.rows(cluster.ranks(), BLOCK)?;
    let part = csr.part(&rows, cluster.rank());
    compiled.write("offsets", &part.offsets)?;
    compiled.write("targets", &part.targets)?;
    compiled.write("ranks", &vec![1.0 / csr.vertices() as f32; rows.own_len(cluster.rank()) as usize])?;
    Ok(())
}

/// Whether all ranks together have the bits that one has alone, and what the own ranks add up to.
pub fn compare(cluster: &Cluster, runtime: &Runtime, scale: u32) -> Result<(bool, f64), Box<dyn Error>> {
    let csr = kronecker::graph(scale, 1);
    let mine = ranks(cluster, runtime, &csr, 20)?;
    let whole = ranks(&cluster.alone(), runtime, &csr, 20)?;
    let own = csr.rows(cluster.ranks(), BLOCK)?.cut(cluster.rank(), &whole)?;
    let same = mine.iter().map(|x| x.to_bits()).eq(own.iter().map(|x| x.to_bits()));
    Ok((same, whole.iter().map(|x| f64::from(*x)).sum()))
}

fn main() -> Result<(), Box<dyn Error>> {
    let cluster = Cluster::world()?;
    let runtime = Runtime::new()?;
    let scale = std::env::args().nth(1).map_or(Ok(12), |scale| scale.parse())?;
    let (same, sum) = compare(&cluster, &runtime, scale)?;
    println!("rank {}: as one machine has them: {same}; all add up to {sum:.6}", cluster.rank());
    Ok(())
}
