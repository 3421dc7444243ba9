//! Inputs that are the same in every run.

use seawall_core::barrier::Edge;
use seawall_core::frontier::Wave;
use seawall_core::readback::{BufferId, Slot, SlotId};

/// `SplitMix64` (Steele, Lea and Flood, 2014): small, and good enough to shuffle with.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Under `bound`, which is not zero.
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u32
    }

    /// Any word.
    pub(crate) fn word(&mut self) -> u32 {
        (self.next() >> 32) as u32
    }

    /// At least 0 and under 1, a multiple of 2⁻²⁴.
    pub(crate) fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1 << 24) as f32
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u32 + 1) as usize);
        }
    }
}

/// Edges between any two waves, from the lower to the higher.
pub(crate) fn random_edges(random: &mut Random, waves: u32, edges: usize) -> Vec<Edge> {
    let edge = |random: &mut Random| loop {
        let (a, b) = (random.below(waves), random.below(waves));
        if a != b {
            return Edge::new(a.min(b), a.max(b));
        }
    };
    (0..edges).map(|_| edge(random)).collect()
}

/// Edges from each layer of waves to the next.
pub(crate) fn layered_edges(random: &mut Random, waves: u32, layers: u32, edges: usize) -> Vec<Edge> {
    let width = waves / layers;
    let edge = |random: &mut Random| {
        let layer = random.below(layers - 1) * width;
        Edge::new(layer + random.below(width), layer + width + random.below(width))
    };
    (0..edges).map(|_| edge(random)).collect()
}

/// The same graph with the waves renamed at random.
pub(crate) fn shuffled_ids(random: &mut Random, waves: u32, edges: &[Edge]) -> Vec<Edge> {
    let mut names: Vec<u32> = (0..waves).collect();
    random.shuffle(&mut names);
    edges.iter().map(|edge| Edge::new(names[edge.before.0 as usize], names[edge.after.0 as usize])).collect()
}

/// Slots of 64 bytes in one buffer, one in eight empty and one in eight full; ids are
/// `spread` apart.
pub(crate) fn slots(random: &mut Random, count: u32, spread: u32) -> Vec<Slot> {
    let slot = |i: u32| {
        let meaningful_bytes = match random.below(8) {
            0 => 0,
            1 => 64,
            _ => u64::from(random.below(32)) + 1,
        };
        let offset = u64::from(i) * 64;
        Slot { id: SlotId(i * spread), buffer: BufferId(0), offset, meaningful_bytes, capacity_bytes: 64 }
    };
    (0..count).map(slot).collect()
}

/// Waves of up to a MiB of each sort.
pub(crate) fn waves(random: &mut Random, count: u32) -> Vec<Wave> {
    let mut bytes = || u64::from(random.below(1 << 20));
    (0..count).map(|_| Wave { frontier_bytes: bytes(), scratch_bytes: bytes() / 8, output_bytes: bytes() }).collect()
}
