//! The examples, against one machine's answer.

#[path = "../../examples/bfs.rs"]
#[allow(dead_code, unreachable_pub)]
mod bfs;
#[path = "../../examples/jacobi.rs"]
#[allow(dead_code, unreachable_pub)]
mod jacobi;
#[path = "../../examples/pagerank.rs"]
#[allow(dead_code, unreachable_pub)]
mod pagerank;
#[path = "../../examples/sort.rs"]
#[allow(dead_code, unreachable_pub)]
mod sort;

use seawall_mpi::Cluster;

use crate::kernels::runtime;
use crate::{Case, well};

pub(crate) const CASES: &[Case] =
    &[well("jacobi", jacobi_case), well("pagerank", pagerank_case), well("bfs", bfs_case), well("sort", sort_case)];

/// Heights for which ranks have many rows, one, or none.
fn jacobi_case(cluster: &Cluster) {
    for (size, batches) in [([33, 40], 4), ([3, 64], 2), ([2, 5], 1), ([1, 9], 1)] {
        let (same, took) = jacobi::compare(cluster, &runtime(), size).unwrap_or_else(|error| panic!("{error}"));
        assert!(same && took >= batches && took < 1000, "{size:?}: {same}, {took}");
    }
}

fn pagerank_case(cluster: &Cluster) {
    for scale in [10, 8] {
        let (same, sum) = pagerank::compare(cluster, &runtime(), scale).unwrap_or_else(|error| panic!("{error}"));
        assert!(same && (sum - 1.0).abs() < 1e-4, "scale {scale}: {same}, {sum}");
    }
}

fn bfs_case(cluster: &Cluster) {
    for scale in [10, 5, 2] {
        let (same, turns) = bfs::compare(cluster, &runtime(), scale).unwrap_or_else(|error| panic!("{error}"));
        assert!(same && turns < 10, "scale {scale}: {same}, {turns}");
    }
}

fn sort_case(cluster: &Cluster) {
    let ranks = cluster.ranks();
    let even: Vec<Vec<u32>> = (0..ranks).map(|rank| sort::keys(rank, 3000)).collect();
    let uneven: Vec<Vec<u32>> = (0..ranks).map(|rank| sort::keys(rank, 700 * rank)).collect();
    let same: Vec<Vec<u32>> = (0..ranks).map(|rank| vec![5; 100 + rank]).collect();
    let steps: Vec<Vec<u32>> = (0..ranks).map(|rank| (0..500).map(|i| (i * rank as u32) % 7).collect()).collect();
    let ends: Vec<Vec<u32>> = (0..ranks).map(|rank| vec![if rank % 2 == 0 { 0 } else { u32::MAX }; 9]).collect();
    for all in [even, uneven, same, steps, ends] {
        let right = sort::is_right(cluster, &runtime(), &all);
        assert!(matches!(right, Ok(true)), "{right:?} for {:?}", all.iter().map(Vec::len).collect::<Vec<_>>());
        let mine = sort::sorted(cluster, &runtime(), &all[cluster.rank()], all.concat().len().max(1)).unwrap();
        total(cluster, mine.len(), all.concat().len());
    }
}

/// Nothing is lost on the way.
fn total(cluster: &Cluster, mine: usize, all: usize) {
    let mut graph = cluster.graph();
    graph.replicated::<u32>("total", 1).all_reduce::<u32>("sum", "total", seawall_mpi::Op::Sum);
    let runtime = runtime();
    let compiled = cluster.compile(&runtime, &graph).unwrap();
    compiled.write("total", &[mine as u32]).unwrap();
    compiled.call().run().unwrap();
    assert_eq!(compiled.read::<u32>("total").unwrap(), [all as u32]);
}
