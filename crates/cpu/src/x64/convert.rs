//! The same number in another type.

use super::condition::{Cc, Test};
use super::form::{Val, args};
use super::op::{Alu, Op, Shift};
use super::reg::{Bits, Class, Size};
use super::vector::V;
use super::{X64, is_float, is_signed, size_of};
use crate::emit::largest;
use crate::helpers::Helper;
use crate::ir::{Binary, Ty};

impl X64 {
    pub(super) fn convert(&mut self, from: Ty, to: Ty, a: Val) -> Val {
        match (from, to) {
            _ if from == to => a,
            (Ty::Bool, _) => self.convert(Ty::U32, to, a),
            (Ty::F16, Ty::F32) => a,
            (Ty::F16, _) => self.convert(Ty::F32, to, a),
            (Ty::F32 | Ty::F64, Ty::Bool) => {
                let zero = self.float(from, 0.0);
                self.form.pure(Op::FloatEqual { size: size_of(from), not: true }, args([a, zero]))
            }
            (_, Ty::Bool) => {
                let zero = self.int(0);
                self.compare(size_of(from), Cc::NotEqual, a, zero)
            }
            (Ty::F32, Ty::F16) => self.quantize(Bits::X, a),
            (_, Ty::F16) => {
                let double = self.convert(from, Ty::F64, a);
                self.call(Helper::HalfFromDouble, &[double])
            }
            (Ty::F32, Ty::F64) => self.v1(V::SsToSd, Bits::X, a),
            (Ty::F64, Ty::F32) => self.v1(V::SdToSs, Bits::X, a),
            (Ty::F32 | Ty::F64, _) => self.int_of_float(from, to, a),
            _ if is_float(to) => self.float_of_int(from, to, a),
            _ => match (from.bytes(), to.bytes()) {
                (4, 8) if is_signed(from) => match self.form.literal(a) {
                    Some(n) => self.int(i64::from(n as i32)),
                    None => self.form.pure(Op::Signed, args([a])),
                },
                // A word has zeros before it.
                (4, 8) => a,
                (8, 4) => match self.form.literal(a) {
                    Some(n) => self.int(i64::from(n as u32)),
                    None => self.form.pure(Op::Low, args([a])),
                },
                _ => a,
            },
        }
    }

    /// A literal.
    pub(super) fn float(&mut self, ty: Ty, n: f64) -> Val {
        if ty == Ty::F64 { self.pool(&n.to_le_bytes()) } else { self.pool(&(n as f32).to_le_bytes()) }
    }

    /// What is too large or too small becomes the largest and the least, what is no number zero.
    fn int_of_float(&mut self, from: Ty, to: Ty, a: Val) -> Val {
        let (size, most) = (size_of(from), self.float(from, largest(from, to)));
        let (least, most_of, subtract) = match size {
            Size::Word => (V::MinSs, V::MaxSs, V::SubSs),
            Size::Double => (V::MinSd, V::MaxSd, V::SubSd),
        };
        let zero = self.float(from, 0.0);
        if is_signed(to) {
            let held = self.v2(least, Bits::X, most, a);
            let (cut, nothing) = (self.form.pure(Op::ToInt { from: size, to: size_of(to) }, args([held])), self.int(0));
            let is = self.form.pure(Op::FloatEqual { size, not: true }, args([a, a]));
            return self.select(Class::General, is, nothing, cut);
        }
        // Neither less than zero nor without an order: the second operand then.
        let held = self.v2(most_of, Bits::X, a, zero);
        let held = self.v2(least, Bits::X, most, held);
        if to == Ty::U32 {
            let cut = self.form.pure(Op::ToInt { from: size, to: Size::Double }, args([held]));
            return self.form.pure(Op::Low, args([cut]));
        }
        let half = self.float(from, 9_223_372_036_854_775_808.0);
        let rest = self.v2(subtract, Bits::X, held, half);
        let cut = [held, rest].map(|n| self.form.pure(Op::ToInt { from: size, to: Size::Double }, args([n])));
        let top = self.int(i64::MIN);
        let upper = self.alu(Alu::Xor, Size::Double, cut[1], top);
        self.form
            .pure(Op::Select(Test::Float { size, cc: Cc::AboveEqual }, Class::General), [held, half, upper, cut[0]])
    }

    fn float_of_int(&mut self, from: Ty, to: Ty, a: Val) -> Val {
        let to_size = size_of(to);
        let exact = |this: &mut Self, from: Size, a| this.form.pure(Op::FromInt { from, to: to_size }, args([a]));
        match from {
            Ty::I32 => exact(self, Size::Word, a),
            Ty::I64 | Ty::U32 => exact(self, Size::Double, a),
            _ => {
                // Half of it, with a bit that remembers whether anything was lost, rounds the same way.
                let one = self.int(1);
                let half = self.shift_literal(Shift::Right, Size::Double, a, 1);
                let lost = self.alu(Alu::And, Size::Double, a, one);
                let half = self.alu(Alu::Or, Size::Double, half, lost);
                let (half, whole) = (exact(self, Size::Double, half), exact(self, Size::Double, a));
                let add = if to_size == Size::Double { V::AddSd } else { V::AddSs };
                let (twice, zero) = (self.v2(add, Bits::X, half, half), self.int(0));
                let large = self.compare(Size::Double, Cc::Less, a, zero);
                self.select(Class::Vector, large, twice, whole)
            }
        }
    }

    /// Between lanes of 32 bits.
    pub(super) fn part_convert(&mut self, bits: Bits, from: Ty, to: Ty, a: Val) -> Option<Val> {
        Some(match (from, to) {
            (Ty::Bool, Ty::I32 | Ty::U32) if !self.has_opmasks() => self.vi(V::ShrD, bits, a, 31),
            (Ty::Bool, Ty::I32 | Ty::U32 | Ty::F32) => {
                let one = self.words(bits, if to == Ty::F32 { 1f32.to_bits() } else { 1 });
                let zero = self.words(bits, 0);
                self.blend(to, bits, a, one, zero)
            }
            (Ty::I32 | Ty::U32, Ty::Bool) => self.is_set(bits, a),
            (Ty::F32, Ty::Bool) => {
                let zero = self.words(bits, 0);
                self.part_compare(Binary::Ne, from, bits, a, zero)
            }
            (Ty::I32 | Ty::U32, Ty::I32 | Ty::U32) => a,
            (Ty::I32, Ty::F32) => self.v1(V::DwordsToPs, bits, a),
            (Ty::U32, Ty::F32) if self.has_opmasks() => self.v1(V::UdwordsToPs, bits, a),
            (Ty::U32, Ty::F32) => {
                // Both halves are exact, and so is the upper one in its place: the sum is rounded once.
                let (low, shift) = (self.words(bits, 0xffff), self.words(bits, 65536f32.to_bits()));
                let low = self.v2(V::And, bits, a, low);
                let high = self.vi(V::ShrD, bits, a, 16);
                let [low, high] = [low, high].map(|half| self.v1(V::DwordsToPs, bits, half));
                let high = self.v2(V::MulPs, bits, high, shift);
                self.v2(V::AddPs, bits, high, low)
            }
            (Ty::F32, Ty::I32) => {
                let most = self.words(bits, (largest(from, to) as f32).to_bits());
                let held = self.v2(V::MinPs, bits, most, a);
                let cut = self.v1(V::PsToDwords, bits, held);
                let (is, zero) = (self.ordered(bits, a), self.words(bits, 0));
                self.blend(to, bits, is, cut, zero)
            }
            (Ty::F32, Ty::U32) => {
                let (zero, most) = (self.words(bits, 0), self.words(bits, (largest(from, to) as f32).to_bits()));
                let held = self.v2(V::MaxPs, bits, a, zero);
                let held = self.v2(V::MinPs, bits, most, held);
                // What is too large for a signed number becomes its least, which is the highest bit.
                let half = self.words(bits, 2_147_483_648f32.to_bits());
                let rest = self.v2(V::SubPs, bits, held, half);
                let [low, high] = [held, rest].map(|n| self.v1(V::PsToDwords, bits, n));
                let large = self.vi(V::SarD, bits, low, 31);
                let high = self.v2(V::And, bits, high, large);
                self.v2(V::Or, bits, low, high)
            }
            _ => return None,
        })
    }

    /// Lanes of 64 bits as ones of 32.
    pub(super) fn narrow(&mut self, from: Ty, to: Ty, wide: &[Val]) -> Option<Vec<Val>> {
        match (is_float(from), is_float(to)) {
            (false, false) => Some(self.low_words(wide)),
            (true, true) => {
                let bits = self.bits_of(from);
                let parts: Vec<Val> = wide.iter().map(|&part| self.v1(V::PdToPsX, bits, part)).collect();
                Some(self.joined(to, V::PdToPsX.sizes(bits).0, &parts))
            }
            _ => None,
        }
    }

    /// Lanes of 32 bits as ones of 64.
    pub(super) fn widen(&mut self, from: Ty, to: Ty, narrow: &[Val]) -> Option<Vec<Val>> {
        let (op, bits) = match (from, is_float(to)) {
            (Ty::F32, true) => (V::PsToPd, self.bits_of(to)),
            (Ty::I32, true) => (V::DwordsToPd, self.bits_of(to)),
            (Ty::I32, false) => (V::SignedDq, self.bits_of(to)),
            (Ty::U32, _) => (V::ZeroDq, self.bits_of(to)),
            _ => return None,
        };
        let halves = self.halved(from, narrow);
        let wide = halves.into_iter().map(|half| self.v1(op, bits, half));
        let wide: Vec<Val> = wide.collect();
        if from != Ty::U32 || !is_float(to) {
            return Some(wide);
        }
        // A number below 2^52 in the lower bits of 2^52 is their sum.
        let most = self.doubles(bits, 0x4330_0000_0000_0000);
        let sums = wide.into_iter().map(|part| {
            let sum = self.v2(V::Or, bits, part, most);
            self.v2(V::SubPd, bits, sum, most)
        });
        Some(sums.collect())
    }
}
