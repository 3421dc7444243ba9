//! What kernels in usual forms have in common.

use super::dialect::Dialect;
use super::rng::Rng;
use super::types::Scalar;
use super::{Buffer, Kernel};

/// Words that are small numbers, so that sums and products say something for long.
pub(super) fn words(rng: &mut Rng, name: &'static str, count: usize, scalar: Scalar) -> Buffer {
    let word = |rng: &mut Rng| match scalar {
        Scalar::F32 => ((rng.below(4001) as f32 - 2000.0) / 250.0).to_bits(),
        _ if rng.chance(5) => rng.bits() as u32,
        _ => rng.below(1000) as u32,
    };
    let bytes = (0..count).flat_map(|_| word(rng).to_le_bytes()).collect();
    Buffer { name, bytes, stride: 4, scalars: vec![(0, scalar)] }
}

/// One number for all.
pub(super) fn setting(name: &'static str, n: usize) -> Buffer {
    Buffer { name, bytes: (n as u32).to_le_bytes().to_vec(), stride: 4, scalars: vec![(0, Scalar::U32)] }
}

/// Some of these lines.
pub(super) fn some(rng: &mut Rng, most: usize, lines: &[&str]) -> String {
    let some: Vec<&str> = (0..=rng.below(most)).map(|_| rng.pick(lines)).collect();
    format!("        {}\n", some.join("\n        "))
}

pub(super) fn kernel(text: String, grid: [usize; 3], buffers: Vec<Buffer>) -> Kernel {
    Kernel { text, grid: grid.map(|n| n as u32), buffers, dialect: Dialect::HOST }
}
