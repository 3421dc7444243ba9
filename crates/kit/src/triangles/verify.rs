//! What a count of triangles promises.

use std::collections::BTreeSet;

use crate::csr::Csr;

/// Whether there are so many triangles.
pub fn verify(csr: &Csr, count: u64) -> Result<(), String> {
    let above = |v: u32| csr.neighbours(v).iter().copied().filter(|&u| u > v).collect::<BTreeSet<u32>>();
    let all: Vec<BTreeSet<u32>> = (0..csr.vertices() as u32).map(above).collect();
    let of = |v: usize| all[v].iter().map(|&u| all[v].intersection(&all[u as usize]).count() as u64).sum::<u64>();
    let expected: u64 = (0..csr.vertices()).map(of).sum();
    if count == expected { Ok(()) } else { Err(format!("there are {expected} triangles, not {count}")) }
}
