//! Masks: comparisons of lanes, and choices by them. Here they are vectors, all ones where they hold; what
//! AVX-512 has instead is in [`super::opmask`].

use super::condition::{Cc, Test};
use super::form::{Val, args};
use super::isa::Isa;
use super::op::{Alu, Op, Shift};
use super::reg::{Bits, Class, Size};
use super::vector::V;
use super::{X64, is_float, is_signed};
use crate::emit::Lanes;
use crate::ir::{Binary, Ty};

/// Comparisons of floats: numbers without an order are not equal, and nothing else.
const EQUAL: u8 = 0x00;
const NOT_EQUAL: u8 = 0x04;
const LESS: u8 = 0x11;
const LESS_EQUAL: u8 = 0x12;
const GREATER_EQUAL: u8 = 0x1d;
const GREATER: u8 = 0x1e;
/// Those that have one.
const ORDERED: u8 = 0x07;

impl X64 {
    /// Whether masks have registers of their own.
    pub(super) fn has_opmasks(&self) -> bool {
        self.form.isa == Isa::Avx512
    }

    pub(super) fn select_lanes(&mut self, ty: Ty, given: &[Lanes<Val, Vec<Val>>]) -> Vec<Val> {
        let (accept, reject, bits) = (self.each(ty, &given[1]), self.each(ty, &given[2]), self.bits_of(ty));
        let pairs = accept.into_iter().zip(reject);
        let class = if ty == Ty::Bool { self.form.isa.mask() } else { Class::Vector };
        match &given[0] {
            Lanes::Same(condition) => pairs.map(|(a, b)| self.select(class, *condition, a, b)).collect(),
            Lanes::Each(mask) => {
                let mask = self.masks(ty, mask);
                mask.into_iter().zip(pairs).map(|(mask, (a, b))| self.blend(ty, bits, mask, a, b)).collect()
            }
        }
    }

    /// A mask with lanes as wide as those that it is for.
    pub(super) fn masks(&mut self, ty: Ty, mask: &[Val]) -> Vec<Val> {
        if ty.bytes() < 8 {
            return mask.to_vec();
        }
        if self.has_opmasks() {
            return self.opmask_halves(mask);
        }
        let bits = self.bits_of(ty);
        let mut wide = Vec::new();
        for &part in mask {
            if let Some(known) = self.wide_masks.get(&part) {
                wide.extend(known);
                continue;
            }
            let halves = self.halved(Ty::Bool, &[part]);
            wide.extend(halves.into_iter().map(|half| self.v1(V::SignedDq, bits, half)));
        }
        wide
    }

    /// Masks of 64-bit lanes, as those of 32-bit ones. Mostly they come back to where they were.
    pub(super) fn narrow_masks(&mut self, wide: &[Val]) -> Vec<Val> {
        if self.has_opmasks() {
            return self.opmask_joined(wide);
        }
        let narrow = self.low_words(wide);
        let each = wide.len() / narrow.len();
        self.wide_masks.extend(narrow.iter().copied().zip(wide.chunks(each).map(<[Val]>::to_vec)));
        narrow
    }

    /// Whether a mask is known to hold in every lane, or in none.
    pub(super) fn constant_mask(&self, mask: Val) -> Option<bool> {
        if self.has_opmasks() {
            return self.opmask_constant(mask);
        }
        let bytes = self.form.bytes(mask)?;
        let all = |byte: u8| bytes.iter().all(|&b| b == byte);
        if all(0xff) { Some(true) } else { all(0).then_some(false) }
    }

    /// Lanes of the mask from the first, others from the second.
    pub(super) fn blend(&mut self, ty: Ty, bits: Bits, mask: Val, accept: Val, reject: Val) -> Val {
        if accept == reject {
            return accept;
        }
        if let Some(all) = self.constant_mask(mask) {
            return if all { accept } else { reject };
        }
        if self.has_opmasks() {
            return self.opmask_blend(ty, bits, mask, accept, reject);
        }
        if let Some(mask) = self.negated(bits, mask) {
            return self.blend(ty, bits, mask, reject, accept);
        }
        if self.is_zero(reject) {
            return self.v2(V::And, bits, mask, accept);
        }
        if self.is_zero(accept) {
            return self.v2(V::AndNot, bits, mask, reject);
        }
        let op = if ty.bytes() == 8 { V::BlendPd } else { V::Blend };
        self.form.pure(Op::V(op, bits, 0), args([reject, accept, mask]))
    }

    pub(super) fn is_zero(&self, val: Val) -> bool {
        self.form.bytes(val).is_some_and(|bytes| bytes.iter().all(|&byte| byte == 0))
    }

    /// The vector of which this is the opposite.
    pub(super) fn negated(&self, bits: Bits, mask: Val) -> Option<Val> {
        let Op::V(V::Xor, of, _) = self.form.op(mask) else { return None };
        let [a, b, ..] = self.form.args(mask);
        let ones = self.form.bytes(b)?.iter().all(|&byte| byte == 0xff);
        (of == bits && ones).then_some(a)
    }

    /// All bits the other way round.
    pub(super) fn not(&mut self, bits: Bits, words: Val) -> Val {
        if let Some(words) = self.negated(bits, words) {
            return words;
        }
        let ones = self.words(bits, u32::MAX);
        self.v2(V::Xor, bits, words, ones)
    }

    pub(super) fn mask_not(&mut self, mask: Val) -> Val {
        if self.has_opmasks() {
            return self.opmask_not(mask);
        }
        self.not(self.bits_of(Ty::Bool), mask)
    }

    /// A mask of the lanes that are not zero.
    pub(super) fn is_set(&mut self, bits: Bits, words: Val) -> Val {
        if self.has_opmasks() {
            return self.v2(V::MaskTestD, bits, words, words);
        }
        let zero = self.words(bits, 0);
        let none = self.v2(V::EqualD, bits, words, zero);
        self.not(bits, none)
    }

    /// The same boolean in every lane.
    pub(super) fn splat_mask(&mut self, value: Val) -> Val {
        if self.has_opmasks() {
            return self.opmask_splat(value);
        }
        let bits = self.bits_of(Ty::Bool);
        if let Some(n) = self.form.literal(value) {
            return self.words(bits, if n == 0 { 0 } else { u32::MAX });
        }
        let ones = self.form.pure(Op::Negate(Size::Word), args([value]));
        let first = self.form.pure(Op::ToVector(Size::Word), args([ones]));
        self.v1(V::BroadcastD, bits, first)
    }

    pub(super) fn pack_masks(&mut self, lanes: &[Val]) -> Vec<Val> {
        if self.has_opmasks() {
            return self.opmask_pack(lanes);
        }
        let words = self.pack_lanes(Ty::U32, lanes);
        let bits = self.bits_of(Ty::Bool);
        let zero = self.words(bits, 0);
        words.into_iter().map(|part| self.v2(V::SubD, bits, zero, part)).collect()
    }

    /// The lanes of a part as the bits of a word.
    pub(super) fn mask_word(&mut self, mask: Val) -> Val {
        if self.has_opmasks() {
            return self.opmask_word(mask);
        }
        self.signs(self.bits_of(Ty::Bool), mask)
    }

    /// The signs of words as the bits of one.
    pub(super) fn signs(&mut self, bits: Bits, mask: Val) -> Val {
        if let Some(words) = self.literal_words(bits, mask) {
            let known = words.iter().zip(0..).map(|(word, lane)| i64::from(word >> 31) << lane).sum();
            return self.int(known);
        }
        self.form.pure(Op::Signs(bits), args([mask]))
    }

    pub(super) fn any_of(&mut self, mask: &[Val]) -> Val {
        let all = mask[1..].iter().fold(mask[0], |all, &part| self.mask_op(Binary::Or, all, part));
        if let Some(bytes) = self.form.bytes(all) {
            let some = bytes.iter().any(|&byte| byte != 0);
            return self.int(some.into());
        }
        if self.has_opmasks() {
            return self.opmask_any(all);
        }
        let bits = self.bits_of(Ty::Bool);
        self.form.pure(Op::Set(Test::Any { bits, cc: Cc::NotEqual }), args([all]))
    }

    pub(super) fn all_of(&mut self, mask: &[Val]) -> Val {
        let all = mask[1..].iter().fold(mask[0], |all, &part| self.mask_op(Binary::And, all, part));
        if let Some(bytes) = self.form.bytes(all) {
            let every = bytes.iter().all(|&byte| byte != 0);
            return self.int(every.into());
        }
        if self.has_opmasks() {
            return self.opmask_all(all);
        }
        let bits = self.bits_of(Ty::Bool);
        let ones = self.form.pool.place(&vec![0xff; bits.bytes() as usize]);
        self.form.pure(Op::Set(Test::All { bits, cc: Cc::Below, ones }), args([all]))
    }

    /// 32 lanes as bits.
    pub(super) fn mask_bits(&mut self, mask: &[Val], word: u32) -> Val {
        let lanes = self.lanes_of(Ty::Bool);
        let parts = (32 / lanes) as usize;
        let mut all = self.int(0);
        for (at, &part) in mask.iter().skip(word as usize * parts).take(parts).enumerate() {
            let lanes_here = self.mask_word(part);
            let placed = self.shift_literal(Shift::Left, Size::Word, lanes_here, (at as u32 * lanes) as u8);
            all = self.alu(Alu::Or, Size::Word, all, placed);
        }
        all
    }

    /// Of two masks.
    pub(super) fn mask_op(&mut self, op: Binary, a: Val, b: Val) -> Val {
        if self.has_opmasks() {
            return self.opmask_op(op, a, b);
        }
        let bits = self.bits_of(Ty::Bool);
        match op {
            Binary::And => match (self.negated(bits, a), self.negated(bits, b)) {
                (Some(a), _) => self.v2(V::AndNot, bits, a, b),
                (None, Some(b)) => self.v2(V::AndNot, bits, b, a),
                (None, None) => self.v2(V::And, bits, a, b),
            },
            Binary::Or => self.v2(V::Or, bits, a, b),
            Binary::Eq => self.v2(V::EqualD, bits, a, b),
            _ => self.v2(V::Xor, bits, a, b),
        }
    }

    /// Which lanes have an order.
    pub(super) fn ordered(&mut self, bits: Bits, a: Val) -> Val {
        let op = if self.has_opmasks() { V::MaskCmpPs } else { V::CmpPs };
        self.v2i(op, bits, a, a, ORDERED)
    }

    pub(super) fn part_compare(&mut self, op: Binary, of: Ty, bits: Bits, a: Val, b: Val) -> Val {
        let wide = of.bytes() == 8;
        if is_float(of) {
            let how = match op {
                Binary::Eq => EQUAL,
                Binary::Ne => NOT_EQUAL,
                Binary::Lt => LESS,
                Binary::Le => LESS_EQUAL,
                Binary::Gt => GREATER,
                _ => GREATER_EQUAL,
            };
            let op = match (self.has_opmasks(), wide) {
                (true, false) => V::MaskCmpPs,
                (true, true) => V::MaskCmpPd,
                (false, false) => V::CmpPs,
                (false, true) => V::CmpPd,
            };
            return self.v2i(op, bits, a, b, how);
        }
        if self.has_opmasks() {
            return self.opmask_compare(op, of, bits, a, b);
        }
        let (equal, greater) = if wide { (V::EqualQ, V::GreaterQ) } else { (V::EqualD, V::GreaterD) };
        match op {
            Binary::Eq => return self.v2(equal, bits, a, b),
            Binary::Ne => {
                let same = self.v2(equal, bits, a, b);
                return self.not(bits, same);
            }
            _ => {}
        }
        if !wide && !is_signed(of) {
            // One of them is the larger or the lesser of both.
            let (extreme, not) = match op {
                Binary::Ge => (V::MaxUd32, false),
                Binary::Lt => (V::MaxUd32, true),
                Binary::Le => (V::MinUd32, false),
                _ => (V::MinUd32, true),
            };
            let extreme = self.v2(extreme, bits, a, b);
            let holds = self.v2(V::EqualD, bits, extreme, a);
            return if not { self.not(bits, holds) } else { holds };
        }
        let [a, b] = if wide && !is_signed(of) {
            // Unsigned numbers are compared as signed ones, from the middle of their range.
            let middle = self.doubles(bits, 1 << 63);
            [a, b].map(|n| self.v2(V::Xor, bits, n, middle))
        } else {
            [a, b]
        };
        match op {
            Binary::Gt => self.v2(greater, bits, a, b),
            Binary::Lt => self.v2(greater, bits, b, a),
            Binary::Le => {
                let more = self.v2(greater, bits, a, b);
                self.not(bits, more)
            }
            _ => {
                let less = self.v2(greater, bits, b, a);
                self.not(bits, less)
            }
        }
    }
}
