//! Masks: comparisons of lanes, and choices by them.

use super::form::{Val, args};
use super::op::{Bits, Class, Op};
use super::vector::V;
use super::{X64, is_float, is_signed};
use crate::emit::Lanes;
use crate::ir::{Binary, Ty};

/// Comparisons of floats: numbers without an order are not equal, and nothing else.
const EQUAL: u8 = 0x00;
pub(super) const NOT_EQUAL: u8 = 0x04;
const LESS: u8 = 0x11;
const LESS_EQUAL: u8 = 0x12;
const GREATER_EQUAL: u8 = 0x1d;
const GREATER: u8 = 0x1e;

impl X64 {
    pub(super) fn select_lanes(&mut self, ty: Ty, given: &[Lanes<Val, Vec<Val>>]) -> Vec<Val> {
        let (accept, reject, bits) = (self.each(ty, &given[1]), self.each(ty, &given[2]), self.bits_of(ty));
        let pairs = accept.into_iter().zip(reject);
        match &given[0] {
            Lanes::Same(condition) => pairs.map(|(a, b)| self.select(Class::Vector, *condition, a, b)).collect(),
            Lanes::Each(mask) => {
                let mask = self.masks(ty, mask);
                mask.into_iter().zip(pairs).map(|(mask, (a, b))| self.blend(ty, bits, mask, a, b)).collect()
            }
        }
    }

    /// A mask with lanes as wide as those that it is for.
    fn masks(&mut self, ty: Ty, mask: &[Val]) -> Vec<Val> {
        if ty.bytes() < 8 {
            return mask.to_vec();
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
        let narrow = self.low_words(wide);
        let each = wide.len() / narrow.len();
        self.wide_masks.extend(narrow.iter().copied().zip(wide.chunks(each).map(<[Val]>::to_vec)));
        narrow
    }

    /// Lanes of the mask from the first, others from the second.
    pub(super) fn blend(&mut self, ty: Ty, bits: Bits, mask: Val, accept: Val, reject: Val) -> Val {
        if accept == reject {
            return accept;
        }
        if let Some(known) = self.form.bytes(mask) {
            if known.iter().all(|&byte| byte == 0xff) {
                return accept;
            }
            if known.iter().all(|&byte| byte == 0) {
                return reject;
            }
        }
        if let Some(mask) = self.negated(bits, mask) {
            return self.blend(ty, bits, mask, reject, accept);
        }
        let is_zero = |val: Val| self.form.bytes(val).is_some_and(|bytes| bytes.iter().all(|&byte| byte == 0));
        if is_zero(reject) {
            return self.v2(V::And, bits, mask, accept);
        }
        if is_zero(accept) {
            return self.v2(V::AndNot, bits, mask, reject);
        }
        let op = if ty.bytes() == 8 { V::BlendPd } else { V::Blend };
        self.form.pure(Op::V(op, bits, 0), args([reject, accept, mask]))
    }

    /// The mask of which this is the opposite.
    pub(super) fn negated(&self, bits: Bits, mask: Val) -> Option<Val> {
        let Op::V(V::Xor, of, _) = self.form.op(mask) else { return None };
        let [a, b, ..] = self.form.args(mask);
        let ones = self.form.bytes(b)?.iter().all(|&byte| byte == 0xff);
        (of == bits && ones).then_some(a)
    }

    pub(super) fn not(&mut self, bits: Bits, mask: Val) -> Val {
        if let Some(mask) = self.negated(bits, mask) {
            return mask;
        }
        let ones = self.words(bits, u32::MAX);
        self.v2(V::Xor, bits, mask, ones)
    }

    /// A mask of the lanes that are not zero.
    pub(super) fn is_set(&mut self, bits: Bits, words: Val) -> Val {
        let zero = self.words(bits, 0);
        let none = self.v2(V::EqualD, bits, words, zero);
        self.not(bits, none)
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
            return self.v2i(if wide { V::CmpPd } else { V::CmpPs }, bits, a, b, how);
        }
        let (equal, greater) = if wide { (V::EqualQ, V::GreaterQ) } else { (V::EqualD, V::GreaterD) };
        if of == Ty::Bool && op == Binary::Ne {
            return self.v2(V::Xor, bits, a, b);
        }
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
