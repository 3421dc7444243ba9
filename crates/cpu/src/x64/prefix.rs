//! Prefix sums of integers, whose order does not matter: within 128 bits by shifts of whole bytes, then from halves to
//! wholes by what the lower half comes to, and from vector to vector by its last lane.

use super::X64;
use super::form::{Val, args};
use super::op::Op;
use super::reg::Bits;
use super::vector::V;
use crate::ir::Ty;

/// Lanes of 128 bits.
const SHIFTED: u32 = 4;

impl X64 {
    pub(super) fn prefix_parts(&mut self, value: &[Val]) -> Vec<Val> {
        let (bits, lanes) = (self.bits_of(Ty::U32), self.lanes_of(Ty::U32));
        let mut sums: Vec<Val> = Vec::with_capacity(value.len());
        for &part in value {
            let mut sum = part;
            for bytes in [4, 8] {
                let moved = self.vi(V::ShlBytes, bits, sum, bytes);
                sum = self.v2(V::AddD, bits, sum, moved);
            }
            let mut half = SHIFTED;
            while half < lanes {
                let lower = self.last_of_lower(bits, half, lanes, sum);
                sum = self.v2(V::AddD, bits, sum, lower);
                half *= 2;
            }
            if let Some(&before) = sums.last() {
                let all = self.named(bits, before, |_| lanes - 1, lanes);
                sum = self.v2(V::AddD, bits, sum, all);
            }
            sums.push(sum);
        }
        sums
    }

    /// In each upper half the last lane of the lower one beside it, and zero in lower halves.
    fn last_of_lower(&mut self, bits: Bits, half: u32, lanes: u32, sum: Val) -> Val {
        let is_upper = |lane: u32| lane / half % 2 == 1;
        let moved = self.named(bits, sum, |lane| lane / (2 * half) * 2 * half + half - 1, lanes);
        if self.has_opmasks() {
            let upper = (0..lanes).filter(|&lane| is_upper(lane)).map(|lane| 1 << lane).sum();
            let mask = self.opmask(upper);
            return self.form.pure(Op::V(V::Keep, bits, 0), args([moved, mask]));
        }
        let upper: Vec<u8> =
            (0..lanes).flat_map(|lane| if is_upper(lane) { u32::MAX } else { 0 }.to_le_bytes()).collect();
        let mask = self.pool(&upper);
        self.v2(V::And, bits, moved, mask)
    }

    /// In each lane the one that it names.
    fn named(&mut self, bits: Bits, vector: Val, from: impl Fn(u32) -> u32, lanes: u32) -> Val {
        let numbers: Vec<u8> = (0..lanes).flat_map(|lane| from(lane).to_le_bytes()).collect();
        let numbers = self.pool(&numbers);
        self.v2(V::PermuteD, bits, numbers, vector)
    }
}
