//! Messages of more bytes than MPI can count, for real: 13 GB of memory on two ranks, so only where
//! `SEAWALL_MPI_LARGE` is set.

use seawall_mpi::{Cluster, MESSAGE_BYTES_MAX, Op, Part};

use crate::kernels::runtime;
use crate::{Case, well};

pub(crate) const CASES: &[Case] = &[well("large_all_to_all", all_to_all), well("large_gather_and_reduce", gather)];

const BYTES: u64 = MESSAGE_BYTES_MAX as u64 + 1001;

/// A byte that says where it is from.
fn byte(rank: usize, at: u64) -> u8 {
    (at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8 ^ rank as u8
}

/// Everything that a rank has goes to the next.
fn all_to_all(cluster: &Cluster) {
    let (rank, ranks) = (cluster.rank(), cluster.ranks());
    let runtime = runtime();
    let mut graph = cluster.graph();
    let part = Part::Local { len: BYTES };
    graph.raw("from", &part, 1).raw("to", &part, 1);
    graph.local::<u32>("counts", ranks as u64).local::<u32>("received", ranks as u64);
    graph.all_to_all("send", "from", "counts", "to", "received");
    let compiled = cluster.compile(&runtime, &graph).unwrap();
    let (next, before) = ((rank + 1) % ranks, (rank + ranks - 1) % ranks);
    let mut counts = vec![0u32; ranks];
    counts[next] = BYTES as u32;
    compiled.write("counts", &counts).unwrap();
    compiled.write("from", &(0..BYTES).map(|at| byte(rank, at)).collect::<Vec<u8>>()).unwrap();
    let finished = compiled.call().run().unwrap();
    assert_eq!(finished.sent_bytes, BYTES);
    let got = compiled.read::<u8>("to").unwrap();
    assert!(got.iter().zip(0..).all(|(got, at)| *got == byte(before, at)));
    assert_eq!(compiled.read::<u32>("received").unwrap()[before], BYTES as u32);
}

/// A whole of more than 2^31 bytes, and as many that are reduced.
fn gather(cluster: &Cluster) {
    let (rank, words) = (cluster.rank(), BYTES.div_ceil(4));
    let runtime = runtime();
    let rows = cluster.block(words);
    let mut graph = cluster.graph();
    graph.rows::<u32>("part", &rows).replicated::<u32>("whole", words);
    graph.all_gather("gather", "part", "whole").all_reduce::<u32>("sum", "whole", Op::Sum);
    let compiled = cluster.compile(&runtime, &graph).unwrap();
    compiled.write("part", &rows.own(rank).map(|at| at as u32).collect::<Vec<u32>>()).unwrap();
    compiled.call().run().unwrap();
    let got = compiled.read::<u32>("whole").unwrap();
    assert!(got.iter().zip(0u32..).all(|(got, at)| *got == at.wrapping_mul(cluster.ranks() as u32)));
}
