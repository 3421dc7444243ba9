//! Heat in a plate: Jacobi's iteration on blocks of rows, with halos, until nothing moves any more.
//!
//! The inside of a block does not need its neighbours: it is computed while the edges are under way.
//!
//! ```console
//! $ mpirun -n 4 cargo run --release --example jacobi -- 512
//! ```

use std::error::Error;
use std::sync::Arc;

use seawall::{Kernel, Overrides, Program, Runtime};
use seawall_mpi::{Cluster, Compiled, Graph, Op, Rows};

const TEXT: &str = "
    override width: u32;
    @group(0) @binding(0) var<storage, read> now: array<f32>;
    @group(0) @binding(1) var<storage, read_write> next: array<f32>;
    @group(0) @binding(2) var<storage, read> ghost: array<f32>;

    // Own rows stand after a halo of one; the left and right ends of a row are fixed.
    @compute @workgroup_size(64)
    fn inside(@builtin(global_invocation_id) id: vec3<u32>) {
        let rows = arrayLength(&now) / width - 2u;
        if id.x == 0u || id.x + 1u >= width || id.y == 0u || id.y + 1u >= rows { return; }
        let i = (id.y + 1u) * width + id.x;
        next[i] = 0.25 * (now[i - 1u] + now[i + 1u] + now[i - width] + now[i + width]);
    }

    @compute @workgroup_size(64)
    fn edges(@builtin(global_invocation_id) id: vec3<u32>) {
        let rows = arrayLength(&now) / width - 2u;
        if id.x == 0u || id.x + 1u >= width || rows == 0u { return; }
        let row = select(0u, rows - 1u, id.y == 1u);
        let i = (row + 1u) * width + id.x;
        var above = now[i - width];
        var below = now[i + width];
        if row == 0u { above = ghost[id.x]; }
        if row + 1u == rows { below = ghost[width + id.x]; }
        next[i] = 0.25 * (now[i - 1u] + now[i + 1u] + above + below);
    }

    // Whether a cell of this rank moves by more than the tolerance.
    @group(0) @binding(3) var<storage, read_write> moving: atomic<u32>;
    @group(0) @binding(4) var<uniform> tolerance: f32;
    @compute @workgroup_size(64)
    fn measure(@builtin(global_invocation_id) id: vec3<u32>) {
        let i = id.x + width;
        if i + width >= arrayLength(&now) { return; }
        if abs(next[i] - now[i]) > tolerance { atomicStore(&moving, 1u); }
    }

    @compute @workgroup_size(1)
    fn still() { atomicStore(&moving, 0u); }";

/// A plate that is shared out.
pub struct Jacobi {
    /// Its rows.
    pub rows: Rows,
    /// What is done to them.
    pub graph: Graph,
}

/// A plate of `height` rows, each of `width` cells. It ends when nothing moves by more than `tolerance`, which is
/// asked after each `batch` of steps, or after `batches` of them.
pub fn describe(
    cluster: &Cluster,
    [height, width]: [u64; 2],
    tolerance: f32,
    batch: u32,
    batches: u32,
) -> Result<Jacobi, Box<dyn Error>> {
    let program = Program::wgsl(TEXT)?;
    let kernel = |entry: &str| -> Result<Arc<Kernel>, Box<dyn Error>> {
        let mut overrides = Overrides::new();
        if entry != "still" {
            overrides.insert("width".to_owned(), width as f64);
        }
        Ok(program.kernel(entry, &overrides)?)
    };
    let (inside, edges, measure, still) = (kernel("inside")?, kernel("edges")?, kernel("measure")?, kernel("still")?);
    let rows = cluster.block(height).width(width).halo(1);
    let own = rows.own(cluster.rank());
    let mut graph = cluster.graph();
    graph.rows::<f32>("now", &rows).rows::<f32>("next", &rows).local::<f32>("ghost", 2 * width);
    graph.replicated::<u32>("moving", 1);
    let grid = [width as u32, (own.end - own.start).max(1) as u32];
    graph
        .repeat("batches", |body| {
            body.repeat("steps", |body| {
                body.halo_into("borders", "now", "ghost");
                body.wave("inside", &inside).bind("now", "now").bind("next", "next").threads(grid);
                let mut wave = body.wave("edges", &edges);
                wave.bind("now", "now").bind("next", "next").bind("ghost", "ghost").threads([grid[0], 2]);
                body.swap("now", "next");
            })
            .times(batch);
            body.wave("still", &still).bind("moving", "moving").workgroups(1);
            let mut wave = body.wave("measure", &measure);
            wave.bind("now", "now").bind("next", "next").bind("moving", "moving").value("tolerance", &tolerance);
            wave.over("now");
            body.all_reduce::<u32>("any", "moving", Op::Or);
        })
        .while_nonzero("moving")
        .limit(batches);
    Ok(Jacobi { rows, graph })
}

/// Cold, with a hot row above the first.
pub fn start(cluster: &Cluster, rows: &Rows, compiled: &Compiled<'_>) -> Result<(), seawall_mpi::Error> {
    let mut ghost = vec![0.0f32; 2 * rows.halo_len() as usize];
    if rows.own(cluster.rank()).start == 0 {
        ghost[..rows.halo_len() as usize].fill(100.0);
    }
    let cold = vec![0.0f32; rows.local_len(cluster.rank()) as usize];
    compiled.write("now", &cold)?;
    compiled.write("next", &cold)?;
    compiled.write("ghost", &ghost)?;
    compiled.write("moving", &[1u32])
}

/// What this rank has at the end, and how many batches that took.
pub fn solve(cluster: &Cluster, runtime: &Runtime, size: [u64; 2]) -> Result<(Vec<f32>, u32), Box<dyn Error>> {
    let Jacobi { rows, graph } = describe(cluster, size, 0.1, 10, 1000)?;
    let compiled = cluster.compile(runtime, &graph)?;
    start(cluster, &rows, &compiled)?;
    let finished = compiled.call().run()?;
    let own = compiled.read::<f32>("now")?[rows.own_range(cluster.rank())].to_vec();
    Ok((own, finished.turns("batches").unwrap_or(0)))
}

/// Whether all ranks together have the bits that one has alone.
pub fn compare(cluster: &Cluster, runtime: &Runtime, size: [u64; 2]) -> Result<(bool, u32), Box<dyn Error>> {
    let (mine, batches) = solve(cluster, runtime, size)?;
    let (whole, alone) = solve(&cluster.alone(), runtime, size)?;
    let rows = cluster.block(size[0]).width(size[1]);
    let own = rows.cut(cluster.rank(), &whole)?;
    let same = mine.iter().map(|x| x.to_bits()).eq(own.iter().map(|x| x.to_bits()));
    Ok((same && batches == alone, batches))
}

fn main() -> Result<(), Box<dyn Error>> {
    let cluster = Cluster::world()?;
    let runtime = Runtime::new()?;
    let size = std::env::args().nth(1).map_or(Ok(128), |size| size.parse())?;
    let (same, batches) = compare(&cluster, &runtime, [size, size])?;
    let own = cluster.block(size).own(cluster.rank());
    println!("rank {}: rows {own:?} after {batches} batches, as one machine has them: {same}", cluster.rank());
    Ok(())
}
