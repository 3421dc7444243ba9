//! Shifts, quotients and products of lanes for which the machine has no instruction of its own.

use super::form::{Val, args};
use super::op::{Alu, Op};
use super::reg::{Bits, Size};
use super::scalar::TRUNC;
use super::vector::V;
use super::{X64, is_signed};
use crate::emit::Lanes;
use crate::ir::{Binary, Ty};

impl X64 {
    pub(super) fn shift_lanes(&mut self, op: Binary, of: Ty, given: &[Lanes<Val, Vec<Val>>]) -> Option<Vec<Val>> {
        let (wide, bits) = (of.bytes() == 8, self.bits_of(of));
        let arithmetic = op == Binary::Shr && is_signed(of);
        if wide && arithmetic && !self.has_opmasks() {
            return None;
        }
        let a = self.each(of, &given[0]);
        let last = if wide { 63 } else { 31 };
        let amount = match &given[1] {
            Lanes::Same(amount) => {
                if let Some(by) = self.form.literal(*amount) {
                    let by = by as u8 & last;
                    let op = match (op, wide, arithmetic) {
                        (_, false, true) => V::SarD,
                        (_, true, true) => V::SarQ,
                        (Binary::Shl, false, _) => V::ShlD,
                        (Binary::Shl, true, _) => V::ShlQ,
                        (_, false, false) => V::ShrD,
                        (_, true, _) => V::ShrQ,
                    };
                    return Some(a.into_iter().map(|a| if by == 0 { a } else { self.vi(op, bits, a, by) }).collect());
                }
                let mask = self.int(i64::from(last));
                let amount = self.alu(Alu::And, Size::Word, *amount, mask);
                let amount = self.form.pure(Op::ToVector(Size::Word), args([amount]));
                let op = match (op, wide, arithmetic) {
                    (_, false, true) => V::SarByD,
                    (_, true, true) => V::SarByQ,
                    (Binary::Shl, false, _) => V::ShlByD,
                    (Binary::Shl, true, _) => V::ShlByQ,
                    (_, false, false) => V::ShrByD,
                    (_, true, _) => V::ShrByQ,
                };
                return Some(a.into_iter().map(|a| self.v2(op, bits, a, amount)).collect());
            }
            Lanes::Each(amount) if wide => self.widen(Ty::U32, Ty::U64, amount)?,
            Lanes::Each(amount) => amount.clone(),
        };
        let op = match (op, wide, arithmetic) {
            (_, false, true) => V::SarEachD,
            (_, true, true) => V::SarEachQ,
            (Binary::Shl, false, _) => V::ShlEachD,
            (Binary::Shl, true, _) => V::ShlEachQ,
            (_, false, false) => V::ShrEachD,
            (_, true, _) => V::ShrEachQ,
        };
        let mask = if wide { self.doubles(bits, last.into()) } else { self.words(bits, last.into()) };
        let shift = |(a, by): (Val, Val)| {
            let by = self.v2(V::And, bits, by, mask);
            self.v2(op, bits, a, by)
        };
        Some(a.into_iter().zip(amount).map(shift).collect())
    }

    /// By floats of 64 bits: a quotient of words that is not whole is further from the next whole number
    /// than their rounding reaches.
    pub(super) fn divide_lanes(&mut self, op: Binary, of: Ty, a: &[Val], b: &[Val]) -> Vec<Val> {
        let (bits, wide) = (self.bits_of(of), self.bits_of(Ty::F64));
        let (zero, one) = (self.words(bits, 0), self.words(bits, 1));
        let divisors: Vec<Val> = b
            .iter()
            .map(|&b| {
                let none = self.part_compare(Binary::Eq, of, bits, b, zero);
                self.blend(of, bits, none, one, b)
            })
            .collect();
        let as_double = |this: &mut Self, parts: &[Val]| {
            this.widen(of, Ty::F64, parts).unwrap_or_else(|| unreachable!("invariant division: words become doubles"))
        };
        let (above, below) = (as_double(self, a), as_double(self, &divisors));
        let most = self.doubles(wide, 0x4330_0000_0000_0000);
        let quotients: Vec<Val> = above
            .into_iter()
            .zip(below)
            .map(|(a, b)| {
                let quotient = self.v2(V::DivPd, wide, a, b);
                if is_signed(of) {
                    return self.v1(V::PdToDwords, wide, quotient);
                }
                let whole = self.vi(V::RoundPd, wide, quotient, TRUNC);
                self.v2(V::AddPd, wide, whole, most)
            })
            .collect();
        let quotients = if is_signed(of) {
            self.joined(of, V::PdToDwords.sizes(wide).0, &quotients)
        } else {
            self.low_words(&quotients)
        };
        if op == Binary::Div {
            return quotients;
        }
        let rest = |((&a, &b), q): ((&Val, &Val), Val)| {
            let back = self.v2(V::MulD, bits, q, b);
            self.v2(V::SubD, bits, a, back)
        };
        a.iter().zip(&divisors).zip(quotients).map(rest).collect()
    }

    /// The sum of the products of four bytes: two and two of them as halves of words, whose products the machine adds
    /// in pairs.
    pub(super) fn dot_part(&mut self, signed: bool, bits: Bits, a: Val, b: Val) -> Val {
        let [a, b] = [a, b].map(|bytes| {
            if signed {
                let placed = self.vi(V::ShlW, bits, bytes, 8);
                return [self.vi(V::SarW, bits, placed, 8), self.vi(V::SarW, bits, bytes, 8)];
            }
            let low = self.words(bits, 0x00ff_00ff);
            [self.v2(V::And, bits, bytes, low), self.vi(V::ShrW, bits, bytes, 8)]
        });
        let [even, odd] = [0, 1].map(|i| self.v2(V::MulAddW, bits, a[i], b[i]));
        self.v2(V::AddD, bits, even, odd)
    }

    /// Of 64 bits: the product of the lower words, and those across them, a word further up.
    pub(super) fn multiply_wide(&mut self, bits: Bits, a: Val, b: Val) -> Val {
        let [upper_a, upper_b] = [a, b].map(|n| self.vi(V::ShrQ, bits, n, 32));
        let across = [[upper_a, b], [a, upper_b]].map(|[a, b]| self.v2(V::MulUdq, bits, a, b));
        let across = self.v2(V::AddQ, bits, across[0], across[1]);
        let (across, low) = (self.vi(V::ShlQ, bits, across, 32), self.v2(V::MulUdq, bits, a, b));
        self.v2(V::AddQ, bits, low, across)
    }
}
