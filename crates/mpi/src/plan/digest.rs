//! A number for what must be the same on all ranks.

use std::hash::{Hash, Hasher};

use super::Plan;
use crate::graph::Graph;
use crate::part::Part;

/// FNV-1a: the same number for the same bytes, whoever computes it.
struct Fnv(u64);

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

/// Of the steps, the kernels, and how data is shared out; not of lengths and values that ranks may have for
/// themselves.
pub(super) fn of(graph: &Graph, plan: &Plan) -> u64 {
    let mut digest = Fnv(0xcbf2_9ce4_8422_2325);
    plan.outline().hash(&mut digest);
    graph.ranks.hash(&mut digest);
    for data in graph.data.iter().flatten() {
        (&data.name, data.element.name(), data.element_bytes).hash(&mut digest);
        match &data.part {
            Part::Rows(rows) => {
                (0, rows.offsets()).hash(&mut digest);
                (rows.len(), rows.halo_len()).hash(&mut digest);
            }
            Part::Replicated { len } => (1, len).hash(&mut digest),
            Part::Local { .. } => 2.hash(&mut digest),
        }
    }
    for wave in &graph.inner.description().waves {
        wave.kernel.hash(&mut digest);
    }
    digest.finish()
}
