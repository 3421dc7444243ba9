//! What components promise.

use crate::csr::Csr;

/// Whether each vertex has the lowest one that it hangs together with.
pub fn verify(csr: &Csr, component: &[u32]) -> Result<(), String> {
    if component.len() != csr.vertices() {
        return Err(format!("{} components of {} vertices", component.len(), csr.vertices()));
    }
    let mut seen = vec![false; csr.vertices()];
    for first in 0..csr.vertices() as u32 {
        if std::mem::replace(&mut seen[first as usize], true) {
            continue;
        }
        let mut stack = vec![first];
        while let Some(v) = stack.pop() {
            if component[v as usize] != first {
                return Err(format!("vertex {v} hangs together with {first}, not {}", component[v as usize]));
            }
            let next = csr.neighbours(v).iter().chain(csr.sources(v));
            stack.extend(next.filter(|&&u| !std::mem::replace(&mut seen[u as usize], true)));
        }
    }
    Ok(())
}
