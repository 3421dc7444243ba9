//! What a search promises.

use super::FAR;
use crate::csr::Csr;

/// Whether distances are those of `csr` from `source`: no edge leads more than one further, and each vertex that was
/// reached, but for the first, has one before it that is one nearer.
pub fn verify(csr: &Csr, source: u32, dist: &[u32]) -> Result<(), String> {
    if dist.len() != csr.vertices() {
        return Err(format!("{} distances of {} vertices", dist.len(), csr.vertices()));
    }
    for v in 0..dist.len() as u32 {
        let here = dist[v as usize];
        if (here == 0) != (v == source) {
            return Err(format!("vertex {v} is {here} from {source}"));
        }
        let further = |&&u: &&u32| here != FAR && dist[u as usize] > here + 1;
        if let Some(&u) = csr.neighbours(v).iter().find(further) {
            return Err(format!("vertex {v} is at {here}, and its neighbour {u} at {}", dist[u as usize]));
        }
        let nearer = |&u: &u32| dist[u as usize] == here - 1;
        if here != FAR && v != source && !csr.sources(v).iter().any(nearer) {
            return Err(format!("vertex {v} is at {here}, and nothing that leads there is at {}", here - 1));
        }
    }
    Ok(())
}
