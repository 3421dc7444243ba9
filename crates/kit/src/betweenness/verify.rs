//! What scores promise.

use crate::csr::Csr;

/// Whether scores are those of Brandes' way in twice the precision, one vertex after the other, but for rounding.
pub fn verify(csr: &Csr, sources: &[u32], scores: &[f32]) -> Result<(), String> {
    if scores.len() != csr.vertices() {
        return Err(format!("{} scores of {} vertices", scores.len(), csr.vertices()));
    }
    let mut expected = vec![0.0f64; csr.vertices()];
    for &source in sources {
        let (mut depth, mut paths) = (vec![u32::MAX; csr.vertices()], vec![0.0f64; csr.vertices()]);
        (depth[source as usize], paths[source as usize]) = (0, 1.0);
        let (mut order, mut at) = (vec![source], 0);
        while let Some(&v) = order.get(at) {
            at += 1;
            for &u in csr.neighbours(v) {
                if depth[u as usize] == u32::MAX {
                    depth[u as usize] = depth[v as usize] + 1;
                    order.push(u);
                }
                if depth[u as usize] == depth[v as usize] + 1 {
                    paths[u as usize] += paths[v as usize];
                }
            }
        }
        let mut depends = vec![0.0f64; csr.vertices()];
        for &v in order[1..].iter().rev() {
            let behind = csr.neighbours(v).iter().filter(|&&u| depth[u as usize] == depth[v as usize] + 1);
            let share = |&u: &u32| paths[v as usize] / paths[u as usize] * (1.0 + depends[u as usize]);
            depends[v as usize] = behind.map(share).sum();
            expected[v as usize] += depends[v as usize];
        }
    }
    let close = |(&got, &want): (&f32, &f64)| (f64::from(got) - want).abs() <= 1e-4 * (1.0 + want);
    match scores.iter().zip(&expected).position(|both| !close(both)) {
        None => Ok(()),
        Some(v) => Err(format!("vertex {v} has {}, not {}", expected[v], scores[v])),
    }
}
