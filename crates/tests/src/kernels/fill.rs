//! What the buffers hold at the start.

use half::f16;

use super::place::SLOTS;
use super::rng::Rng;
use super::types::{Scalar, U32};
use super::{Buffer, Gen, grid};

impl Gen {
    /// Every buffer that the kernel may bind.
    pub(super) fn buffers(&mut self) -> Vec<Buffer> {
        // i, u, f, n, m: a vec3 is aligned to 16.
        const SETTINGS: [(usize, Scalar); 15] = [
            (0, Scalar::I32),
            (4, Scalar::I32),
            (8, Scalar::I32),
            (12, Scalar::I32),
            (16, Scalar::U32),
            (32, Scalar::F32),
            (36, Scalar::F32),
            (40, Scalar::F32),
            (44, Scalar::I32),
            (48, Scalar::F32),
            (52, Scalar::F32),
            (56, Scalar::F32),
            (64, Scalar::F32),
            (68, Scalar::F32),
            (72, Scalar::F32),
        ];
        let mut buffers = Vec::new();
        let portable = self.dialect.portable;
        for (name, ty) in self.inputs.clone() {
            let some = 1 + self.rng.below(self.invocations + self.invocations / 4 + 3);
            // Invocations read their own element and the next without asking.
            let count = if portable { self.invocations + some } else { some };
            buffers.push(self.fill(name, count, ty.stride(), ty.scalars()));
        }
        buffers.push(self.fill("un", 1, 80, SETTINGS.to_vec()));
        for (name, ty) in self.outputs.clone() {
            let slots = self.invocations * SLOTS;
            let count = if portable || self.rng.chance(40) { slots } else { 1 + slots / 2 + self.rng.below(slots) };
            buffers.push(self.fill(name, count, ty.stride(), ty.scalars()));
        }
        for name in ["at_add", "at_min", "at_or", "at_xor"] {
            let count = 1 + self.rng.below(9);
            buffers.push(self.fill(name, count, 4, U32.scalars()));
        }
        let some = |rng: &mut Rng, all: usize| if portable { all } else { 1 + rng.below(all * 3 / 2 + 1) };
        let count = some(&mut self.rng, self.invocations);
        buffers.push(self.fill("cells", count, 4, U32.scalars()));
        let (count, ty) = (some(&mut self.rng, self.invocations), self.board);
        buffers.push(self.fill("board", count, ty.stride(), ty.scalars()));
        if self.dialect.grid {
            let count = some(&mut self.rng, self.invocations);
            buffers.push(self.fill("wall", count, ty.stride(), ty.scalars()));
            buffers.push(self.fill("flags", grid::FLAGS, 4, U32.scalars()));
        }
        buffers
    }

    /// Numbers of all kinds: small, ordinary, special, and any bits at all; any bits between them.
    fn fill(&mut self, name: &'static str, count: usize, stride: usize, scalars: Vec<(usize, Scalar)>) -> Buffer {
        // GPUs take whole words.
        let count = if self.dialect.portable { count.next_multiple_of(2) } else { count };
        let mut bytes: Vec<u8> = (0..count * stride).map(|_| self.rng.bits() as u8).collect();
        for element in bytes.chunks_mut(stride) {
            for &(at, scalar) in &scalars {
                let number = self.number(scalar).to_le_bytes();
                element[at..at + scalar.bytes()].copy_from_slice(&number[..scalar.bytes()]);
            }
        }
        Buffer { name, bytes, stride, scalars }
    }

    /// Its bits, in the lowest bytes.
    fn number(&mut self, scalar: Scalar) -> u64 {
        let bits = self.rng.bits();
        let float = match self.rng.below(10) {
            _ if self.dialect.portable && scalar == Scalar::F16 => (bits % 32) as f64 - 16.0,
            _ if self.dialect.portable && scalar.is_float() => (bits % 1024) as f64 / 8.0 - 64.0,
            0 => return bits,
            1 if scalar.is_float() => {
                self.rng.pick(&[f64::NAN, f64::INFINITY, -0.0, 1e-41, f64::from(f32::MAX), -1.0, 65504.0])
            }
            1 => return (bits as i64 % 100) as u64,
            2..5 => (bits % 17) as f64 - 8.0,
            _ => (bits % 20001) as f64 / 1000.0 - 10.0,
        };
        match scalar {
            Scalar::F16 => u64::from(f16::from_f64(float).to_bits()),
            Scalar::F32 => u64::from((float as f32).to_bits()),
            Scalar::F64 => float.to_bits(),
            Scalar::Bool | Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64 => bits % 16,
        }
    }
}
