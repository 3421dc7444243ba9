//! Kronecker graphs (R-MAT: Chakrabarti, Zhan and Faloutsos, 2004, with the parameters of Graph500), undirected,
//! and the part of one that a rank has.

use seawall_mpi::{Error, Rows};

/// Neighbours of all vertices, or of a rank's own.
pub struct Csr {
    /// Where the neighbours of each vertex begin, and at last how many there are.
    pub offsets: Vec<u32>,
    /// In ascending order for each vertex.
    pub targets: Vec<u32>,
}

/// `2^scale` vertices, 16 edges for each of them in the mean; no loops, and no edge twice.
pub fn graph(scale: u32, seed: u64) -> Csr {
    let n = 1usize << scale;
    let mut edges = Vec::with_capacity(32 * n);
    let mut state = seed;
    let mut random = || {
        // SplitMix64 (Steele, Lea and Flood, 2014).
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    for _ in 0..16 * n {
        let (mut a, mut b) = (0u32, 0u32);
        for bit in 0..scale {
            let at = random() % 100;
            a |= u32::from(at >= 76) << bit;
            b |= u32::from((57..76).contains(&at) || at >= 95) << bit;
        }
        // Numbers that say nothing of degrees: an odd factor permutes them.
        let [a, b] = [a, b].map(|v| v.wrapping_mul(0x9e37_79b1) & (n as u32 - 1));
        if a != b {
            edges.extend([(a, b), (b, a)]);
        }
    }
    edges.sort_unstable();
    edges.dedup();
    let mut offsets = vec![0u32; n + 1];
    for edge in &edges {
        offsets[edge.0 as usize + 1] += 1;
    }
    (0..n).for_each(|v| offsets[v + 1] += offsets[v]);
    Csr { offsets, targets: edges.into_iter().map(|edge| edge.1).collect() }
}

impl Csr {
    /// How many there are.
    pub fn vertices(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Vertices for each rank, so that their edges are about even; cut at multiples of `align`.
    pub fn rows(&self, ranks: usize, align: usize) -> Result<Rows, Error> {
        let (n, edges) = (self.vertices(), self.targets.len());
        let at = |rank: usize| {
            let wanted = (edges * rank / ranks) as u32;
            (self.offsets.partition_point(|&first| first < wanted).next_multiple_of(align)).min(n) as u64
        };
        Rows::at(&(0..ranks).map(at).chain([n as u64]).collect::<Vec<_>>())
    }

    /// What the owner of some vertices has.
    #[must_use]
    pub fn part(&self, rows: &Rows, rank: usize) -> Self {
        let own = rows.own(rank);
        let (start, end) = (own.start as usize, own.end as usize);
        let first = self.offsets[start];
        let offsets = self.offsets[start..=end].iter().map(|offset| offset - first).collect();
        Self { offsets, targets: self.targets[first as usize..self.offsets[end] as usize].to_vec() }
    }
}
