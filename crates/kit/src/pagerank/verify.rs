//! What ranks promise.

use super::How;
use crate::csr::Csr;

/// Whether another turn, in twice the precision, moves ranks by less than the tolerance, but for rounding.
pub fn verify(csr: &Csr, How { damping, tolerance }: How, ranks: &[f32]) -> Result<(), String> {
    if ranks.len() != csr.vertices() {
        return Err(format!("{} ranks of {} vertices", ranks.len(), csr.vertices()));
    }
    let (n, damping) = (csr.vertices() as f64, f64::from(damping));
    let share = |&u: &u32| f64::from(ranks[u as usize]) / csr.neighbours(u).len() as f64;
    let again = |v: u32| (1.0 - damping) / n + damping * csr.sources(v).iter().map(share).sum::<f64>();
    let moved: f64 = (0..).zip(ranks).map(|(v, &rank)| (again(v) - f64::from(rank)).abs()).sum();
    // Ranks add up to 1 at the most, and so does what rounding takes from them, row by row.
    let slack = 1e-5;
    if moved <= f64::from(tolerance) + slack { Ok(()) } else { Err(format!("ranks still move by {moved:e}")) }
}
