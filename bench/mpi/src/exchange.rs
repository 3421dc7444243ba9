//! Exchanges of two ranks, as steps of a graph and in a plain MPI program; and the constants of a model.

use std::error::Error;
use std::time::Instant;

use mpi::collective::SystemOperation;
use mpi::datatype::{Partition, PartitionMut};
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, CommunicatorCollectives, Destination, Source};
use seawall::{Overrides, Program, Runtime};
use seawall_mpi::{Cluster, Graph, Op};

/// For each, ours and the plain program's.
pub const NAMES: [&str; 8] = [
    "halo of 256 B",
    "halo of 16 KiB",
    "halo of 1 MiB",
    "all-reduce of a word",
    "all-reduce of 64 KiB",
    "all-gather of 2 KiB",
    "all-gather of 256 KiB",
    "all-to-all of 64 KiB",
];

/// How much, and how often in a batch.
const HALOS: [(usize, u32); 3] = [(64, 200), (4096, 100), (1 << 18, 10)];
const REDUCED: [(u64, u32); 2] = [(1, 200), (1 << 14, 50)];
const GATHERED: [(u64, u32); 2] = [(1 << 9, 200), (1 << 16, 20)];
const SENT: (u64, u32) = (1 << 14, 50);
/// Batches of so many exchanges, of which the best counts.
const BATCHES: u32 = 40;

/// Seconds for each exchange, in the order of the names.
pub fn exchanges(cluster: &Cluster, runtime: &Runtime) -> Result<Vec<f64>, Box<dyn Error>> {
    let comm = SimpleCommunicator::world();
    let mut numbers = Vec::new();
    for (width, times) in HALOS {
        let rows = cluster.block(2 * cluster.ranks() as u64).width(width as u64).halo(1);
        let mut graph = cluster.graph();
        graph.rows::<f32>("x", &rows);
        let ours = ours(cluster, runtime, graph, times, |body| _ = body.halo("edges", "x"))?;
        numbers.extend([ours, halo(&comm, width, times)]);
    }
    for (len, times) in REDUCED {
        let mut graph = cluster.graph();
        graph.replicated::<u32>("x", len);
        let ours = ours(cluster, runtime, graph, times, |body| _ = body.all_reduce::<u32>("most", "x", Op::Max))?;
        let (mine, mut most) = (vec![comm.rank().unsigned_abs(); len as usize], vec![0u32; len as usize]);
        let plain = timed(times, || comm.all_reduce_into(&mine[..], &mut most[..], SystemOperation::max()));
        numbers.extend([ours, plain]);
    }
    for (len, times) in GATHERED {
        let mut graph = cluster.graph();
        graph.rows::<f32>("x", &cluster.block(len)).replicated::<f32>("all", len);
        let gathered = ours(cluster, runtime, graph, times, |body| _ = body.all_gather("gather", "x", "all"))?;
        let (mine, mut all) = (vec![1.0f32; len as usize / 2], vec![0.0f32; len as usize]);
        let half = len as i32 / 2;
        let plain = timed(times, || {
            let mut parts = PartitionMut::new(&mut all[..], vec![half; 2], vec![0, half]);
            comm.all_gather_varcount_into(&mine[..], &mut parts);
        });
        numbers.extend([gathered, plain]);
    }
    numbers.extend(counted(cluster, runtime, &comm)?);
    Ok(numbers)
}

/// Half of what a rank has goes to each, by counts that stand beside it.
fn counted(cluster: &Cluster, runtime: &Runtime, comm: &SimpleCommunicator) -> Result<[f64; 2], Box<dyn Error>> {
    let (len, times) = SENT;
    let half = len as i32 / 2;
    let mut graph = cluster.graph();
    graph.local::<f32>("x", len).local::<u32>("counts", 2).local::<f32>("y", len).local::<u32>("received", 2);
    let count = Program::wgsl(
        "@group(0) @binding(0) var<storage, read_write> counts: array<u32, 2>;
         override half: u32;
         @compute @workgroup_size(1) fn main() { counts = array(half, half); }",
    )?;
    let count = count.kernel("main", &Overrides::from([("half".to_owned(), f64::from(half))]))?;
    graph.wave("count", &count).bind("counts", "counts").workgroups(1);
    let ours =
        ours(cluster, runtime, graph, times, |body| _ = body.all_to_all("send", "x", "counts", "y", "received"))?;
    let (mine, mut all) = (vec![1.0f32; len as usize], vec![0.0f32; len as usize]);
    let plain = timed(times, || {
        let (sends, mut gets) = ([half; 2], [0i32; 2]);
        comm.all_to_all_into(&sends[..], &mut gets[..]);
        let from = Partition::new(&mine[..], sends.to_vec(), vec![0, sends[0]]);
        let mut to = PartitionMut::new(&mut all[..], gets.to_vec(), vec![0, gets[0]]);
        comm.all_to_all_varcount_into(&from, &mut to);
    });
    Ok([ours, plain])
}

/// One exchange, over and over.
fn ours(
    cluster: &Cluster,
    runtime: &Runtime,
    mut graph: Graph,
    times: u32,
    body: impl FnOnce(&mut Graph),
) -> Result<f64, Box<dyn Error>> {
    graph.repeat("again", body).times(times);
    let compiled = cluster.compile(runtime, &graph)?;
    let mut best = f64::INFINITY;
    for _ in 0..BATCHES {
        best = best.min(compiled.call().run()?.elapsed.as_secs_f64());
    }
    Ok(best / f64::from(times))
}

/// The same as somebody would write it who has nothing else.
fn halo(comm: &SimpleCommunicator, width: usize, times: u32) -> f64 {
    let peer = comm.process_at_rank(1 - comm.rank());
    let (own, mut ghost) = (vec![1.0f32; width], vec![0.0f32; width]);
    timed(times, || {
        mpi::request::scope(|scope| {
            let get = peer.immediate_receive_into(scope, &mut ghost[..]);
            let send = peer.immediate_send(scope, &own[..]);
            get.wait_without_status();
            send.wait_without_status();
        });
    })
}

fn timed(times: u32, mut one: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..BATCHES {
        let clock = Instant::now();
        (0..times).for_each(|_| one());
        best = best.min(clock.elapsed().as_secs_f64());
    }
    best / f64::from(times)
}

/// LogGP's L, o and G in seconds: from a round trip of 8 bytes, from what it takes to start sending them, and from
/// what a mebibyte takes longer.
pub fn constants() -> Vec<f64> {
    let comm = SimpleCommunicator::world();
    let peer = comm.process_at_rank(1 - comm.rank());
    let trip = |bytes: usize, times: u32| {
        let mut buffer = vec![0u8; bytes];
        0.5 * timed(times, || {
            if comm.rank() == 0 {
                peer.send(&buffer[..]);
                peer.receive_into(&mut buffer[..]);
            } else {
                peer.receive_into(&mut buffer[..]);
                peer.send(&buffer[..]);
            }
        })
    };
    let (small, large) = (trip(8, 50), trip(1 << 20, 10));
    // What the sender is busy for, while small messages go out without an answer.
    let mut overhead = small / 2.0;
    for _ in 0..BATCHES {
        comm.barrier();
        let clock = Instant::now();
        for _ in 0..16 {
            if comm.rank() == 0 {
                peer.send(&[0u8; 8][..]);
            } else {
                peer.receive_into(&mut [0u8; 8][..]);
            }
        }
        if comm.rank() == 0 {
            overhead = overhead.min(clock.elapsed().as_secs_f64() / 16.0);
        }
    }
    vec![small - 2.0 * overhead, overhead, (large - small) / f64::from(1 << 20)]
}
