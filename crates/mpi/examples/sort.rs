//! Sample sort: each rank sorts its keys, all choose splitters from samples, and keys go to the rank that they belong
//! to, as many to each as the device has counted.
//!
//! Shi and Schaeffer's regular sampling (1992): a rank gets at most twice its share, however keys are spread, but for
//! those that are equal to a splitter.
//!
//! ```console
//! $ mpirun -n 4 cargo run --release --example sort -- 1000000
//! ```

use std::error::Error;
use std::sync::Arc;

use seawall::{Kernel, Overrides, Program, Runtime};
use seawall_kit::{Kit, sort};
use seawall_mpi::{Cluster, Rows};

const TEXT: &str = "
    @group(0) @binding(0) var<storage, read> keys: array<u32>;
    @group(0) @binding(1) var<storage, read_write> sample: array<u32>;
    struct Own { len: u32, ranks: u32 }
    @group(0) @binding(2) var<uniform> own: Own;

    // As many as there are ranks, evenly spread; of no keys, the greatest.
    @compute @workgroup_size(64)
    fn choose(@builtin(global_invocation_id) id: vec3<u32>) {
        if id.x >= own.ranks { return; }
        var key = 0xffffffffu;
        if own.len > 0u { key = keys[id.x * (own.len / own.ranks) + id.x * (own.len % own.ranks) / own.ranks]; }
        sample[id.x] = key;
    }

    // Where the keys for each rank begin, by looking for its splitter.
    @group(0) @binding(3) var<storage, read> samples: array<u32>;
    @group(0) @binding(4) var<storage, read_write> counts: array<u32>;
    fn first(rank: u32) -> u32 {
        if rank == 0u { return 0u; }
        if rank >= own.ranks { return own.len; }
        let splitter = samples[rank * own.ranks + own.ranks / 2u - 1u];
        var low = 0u;
        var high = own.len;
        while low < high {
            let middle = (low + high) / 2u;
            if keys[middle] <= splitter { low = middle + 1u; } else { high = middle; }
        }
        return low;
    }
    @compute @workgroup_size(64)
    fn count(@builtin(global_invocation_id) id: vec3<u32>) {
        if id.x < own.ranks { counts[id.x] = first(id.x + 1u) - first(id.x); }
    }

    // What did not come sorts behind what did.
    @group(0) @binding(5) var<storage, read_write> got: array<u32>;
    @group(0) @binding(6) var<storage, read> came: array<u32>;
    @compute @workgroup_size(64)
    fn pad(@builtin(global_invocation_id) id: vec3<u32>) {
        var total = 0u;
        for (var rank = 0u; rank < own.ranks; rank++) { total += came[rank]; }
        if id.x >= total && id.x < arrayLength(&got) { got[id.x] = 0xffffffffu; }
    }";

/// This rank's part of all keys, sorted: no key of a rank is greater than one of the next.
pub fn sorted(cluster: &Cluster, runtime: &Runtime, keys: &[u32], room: usize) -> Result<Vec<u32>, Box<dyn Error>> {
    let (ranks, len, kit) = (cluster.ranks() as u64, keys.len() as u64, Kit::new(runtime));
    let program = Program::wgsl(TEXT)?;
    let kernel = |entry: &str| -> Result<Arc<Kernel>, Box<dyn Error>> { Ok(program.kernel(entry, &Overrides::new())?) };
    let (choose, count, pad) = (kernel("choose")?, kernel("count")?, kernel("pad")?);
    let own = [len as u32, ranks as u32];
    let samples = Rows::block(ranks * ranks, cluster.ranks());
    let mut graph = cluster.graph();
    graph.local::<u32>("given", len).local::<u32>("keys", len);
    graph
        .rows::<u32>("sample", &samples)
        .replicated::<u32>("all", ranks * ranks)
        .local::<u32>("samples", ranks * ranks);
    graph.local::<u32>("counts", ranks).local::<u32>("came", ranks);
    graph.local::<u32>("got", room as u64).local::<u32>("sorted", room as u64);
    graph.here(|here| sort::stage::<u32>(&kit, here, "sort own", sort::Order::Ascending, "given", "keys"))?;
    let mut wave = graph.wave("choose", &choose);
    wave.bind("keys", "keys").bind("sample", "sample").value("own", &own).threads(ranks as usize);
    graph.all_gather("gather samples", "sample", "all");
    graph.here(|here| sort::stage::<u32>(&kit, here, "sort samples", sort::Order::Ascending, "all", "samples"))?;
    let mut wave = graph.wave("count", &count);
    wave.bind("keys", "keys").bind("samples", "samples").bind("counts", "counts").value("own", &own);
    wave.threads(ranks as usize);
    graph.all_to_all("shuffle", "keys", "counts", "got", "came");
    graph.wave("pad", &pad).bind("got", "got").bind("came", "came").value("own", &own).over("got");
    graph.here(|here| sort::stage::<u32>(&kit, here, "sort all", sort::Order::Ascending, "got", "sorted"))?;
    let compiled = cluster.compile(runtime, &graph)?;
    compiled.write("given", keys)?;
    compiled.call().run()?;
    let total = compiled.read::<u32>("came")?.iter().sum::<u32>() as usize;
    let mut sorted = compiled.read::<u32>("sorted")?;
    sorted.truncate(total);
    Ok(sorted)
}

/// Keys of a rank.
pub fn keys(rank: usize, len: usize) -> Vec<u32> {
    (0..len as u32)
        .map(|i| (i + 1).wrapping_mul(0x9e37_79b1).rotate_left(rank as u32 + 7).wrapping_mul(0x85eb_ca6b))
        .collect()
}

/// Whether this rank has its piece of what one machine gives, for these keys of all ranks.
pub fn is_right(cluster: &Cluster, runtime: &Runtime, all: &[Vec<u32>]) -> Result<bool, Box<dyn Error>> {
    let mut whole: Vec<u32> = all.concat();
    let mine = sorted(cluster, runtime, &all[cluster.rank()], whole.len().max(1))?;
    whole.sort_unstable();
    // Where it begins is known from how many keys are less than its first.
    let first = mine.first().map_or(0, |key| whole.partition_point(|other| other < key));
    Ok(whole[first..].starts_with(&mine))
}

fn main() -> Result<(), Box<dyn Error>> {
    let cluster = Cluster::world()?;
    let runtime = Runtime::new()?;
    let len = std::env::args().nth(1).map_or(Ok(10_000), |len| len.parse())?;
    let all: Vec<Vec<u32>> = (0..cluster.ranks()).map(|rank| keys(rank, len)).collect();
    let right = is_right(&cluster, &runtime, &all)?;
    println!("rank {}: as one machine has them: {right}", cluster.rank());
    Ok(())
}
