//! What shortest paths promise.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::FAR;
use crate::csr::Csr;

/// Whether distances are those of Dijkstra's way ("A note on two problems in connexion with graphs", 1959).
pub fn verify(csr: &Csr, source: u32, dist: &[u32]) -> Result<(), String> {
    let mut expected = vec![u64::MAX; csr.vertices()];
    expected[source as usize] = 0;
    let mut heap = BinaryHeap::from([(Reverse(0), source)]);
    while let Some((Reverse(far), v)) = heap.pop() {
        if expected[v as usize] < far {
            continue;
        }
        for (u, weight) in csr.weighted_neighbours(v) {
            let through = far + u64::from(weight);
            if through < expected[u as usize] {
                expected[u as usize] = through;
                heap.push((Reverse(through), u));
            }
        }
    }
    let same = |(&got, &want): (&u32, &u64)| if want == u64::MAX { got == FAR } else { u64::from(got) == want };
    match dist.iter().zip(&expected).position(|both| !same(both)) {
        None if dist.len() == csr.vertices() => Ok(()),
        None => Err(format!("{} distances of {} vertices", dist.len(), csr.vertices())),
        Some(v) => Err(format!("vertex {v} is at {}, not {}", expected[v], dist[v])),
    }
}
