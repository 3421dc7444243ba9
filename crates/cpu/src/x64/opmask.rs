//! Masks of AVX-512: one bit for each lane, in registers of their own. Bits beyond the lanes of a part are zero.

use super::X64;
use super::condition::{Cc, Test};
use super::form::{Val, args};
use super::is_signed;
use super::op::{Alu, Mask, Op, Shift};
use super::reg::{Bits, Size};
use super::vector::V;
use crate::ir::{Binary, Ty};

/// Comparisons of whole numbers, as literals of the machine.
const EQUAL: u8 = 0;
const LESS: u8 = 1;
const LESS_EQUAL: u8 = 2;
const NOT_EQUAL: u8 = 4;
const GREATER_EQUAL: u8 = 5;
const GREATER: u8 = 6;

impl X64 {
    /// Every lane of a part.
    fn every_lane(&self) -> u32 {
        (1 << self.lanes_of(Ty::Bool)) - 1
    }

    /// A literal.
    pub(super) fn opmask(&mut self, lanes: u32) -> Val {
        if let Ok(all @ (0 | u16::MAX)) = u16::try_from(lanes) {
            self.form.pure(Op::MaskLiteral(all), args([]))
        } else {
            let word = self.int(lanes.into());
            self.form.pure(Op::ToMask, args([word]))
        }
    }

    /// The lanes of a literal.
    pub(super) fn opmask_known(&self, mask: Val) -> Option<u32> {
        match self.form.op(mask) {
            Op::MaskLiteral(lanes) => Some(lanes.into()),
            Op::ToMask => self.form.literal(self.form.args(mask)[0]).map(|word| word as u32),
            _ => None,
        }
    }

    pub(super) fn opmask_constant(&self, mask: Val) -> Option<bool> {
        let known = self.opmask_known(mask)?;
        if known == 0 { Some(false) } else { (known == self.every_lane()).then_some(true) }
    }

    pub(super) fn opmask_splat(&mut self, value: Val) -> Val {
        let every = self.every_lane();
        if let Some(n) = self.form.literal(value) {
            return self.opmask(if n == 0 { 0 } else { every });
        }
        let ones = self.form.pure(Op::Negate(Size::Word), args([value]));
        let every = self.int(every.into());
        let lanes = self.alu(Alu::And, Size::Word, ones, every);
        self.form.pure(Op::ToMask, args([lanes]))
    }

    pub(super) fn opmask_pack(&mut self, lanes: &[Val]) -> Vec<Val> {
        let parts = lanes.chunks(self.lanes_of(Ty::Bool) as usize);
        parts
            .map(|lanes| {
                let mut word = self.int(0);
                for (at, &lane) in (0..).zip(lanes) {
                    let bit = self.shift_literal(Shift::Left, Size::Word, lane, at);
                    word = self.alu(Alu::Or, Size::Word, word, bit);
                }
                match self.form.literal(word) {
                    Some(known) => self.opmask(known as u32),
                    None => self.form.pure(Op::ToMask, args([word])),
                }
            })
            .collect()
    }

    pub(super) fn opmask_word(&mut self, mask: Val) -> Val {
        match self.opmask_known(mask) {
            Some(lanes) => self.int(lanes.into()),
            None => self.form.pure(Op::FromMask, args([mask])),
        }
    }

    pub(super) fn opmask_any(&mut self, mask: Val) -> Val {
        match self.opmask_known(mask) {
            Some(lanes) => self.int((lanes != 0).into()),
            None => self.form.pure(Op::Set(Test::AnyLane { cc: Cc::NotEqual }), args([mask])),
        }
    }

    pub(super) fn opmask_all(&mut self, mask: Val) -> Val {
        let (every, lanes) = (self.every_lane(), self.lanes_of(Ty::Bool));
        if let Some(known) = self.opmask_known(mask) {
            return self.int((known == every).into());
        }
        if lanes >= 8 {
            let test = Test::AllLanes { eight: lanes == 8, cc: Cc::Below };
            return self.form.pure(Op::Set(test), args([mask]));
        }
        let (word, every) = (self.opmask_word(mask), self.int(every.into()));
        self.compare(Size::Word, Cc::Equal, word, every)
    }

    /// The mask of which this is the opposite.
    fn opmask_negated(&self, mask: Val) -> Option<Val> {
        match self.form.op(mask) {
            Op::Mask(Mask::Not | Mask::NotEight) => Some(self.form.args(mask)[0]),
            _ => None,
        }
    }

    pub(super) fn opmask_not(&mut self, mask: Val) -> Val {
        let every = self.every_lane();
        if let Some(lanes) = self.opmask_known(mask) {
            return self.opmask(every & !lanes);
        }
        if let Some(mask) = self.opmask_negated(mask) {
            return mask;
        }
        let op = match self.lanes_of(Ty::Bool) {
            16 => Mask::Not,
            8 => Mask::NotEight,
            _ => {
                let every = self.opmask(every);
                return self.form.pure(Op::Mask(Mask::Xor), args([mask, every]));
            }
        };
        self.form.pure(Op::Mask(op), args([mask]))
    }

    pub(super) fn opmask_op(&mut self, op: Binary, a: Val, b: Val) -> Val {
        if op == Binary::Eq {
            let differs = self.opmask_op(Binary::Xor, a, b);
            return self.opmask_not(differs);
        }
        let every = self.every_lane();
        let (known_a, known_b) = (self.opmask_known(a), self.opmask_known(b));
        if let (Some(x), Some(y)) = (known_a, known_b) {
            return self.opmask(match op {
                Binary::And => x & y,
                Binary::Or => x | y,
                _ => x ^ y,
            });
        }
        if known_a.is_some() {
            return self.opmask_op(op, b, a);
        }
        match (op, known_b) {
            (Binary::And, Some(0)) => return b,
            (Binary::And, Some(lanes)) if lanes == every => return a,
            (Binary::Or, Some(lanes)) if lanes == every => return b,
            (Binary::Or | Binary::Xor | Binary::Ne, Some(0)) => return a,
            (Binary::Xor | Binary::Ne, Some(lanes)) if lanes == every => return self.opmask_not(a),
            (Binary::And | Binary::Or, None) if a == b => return a,
            _ => {}
        }
        let (op, operands) = match (op, self.opmask_negated(a), self.opmask_negated(b)) {
            (Binary::And, Some(a), _) => (Mask::AndNot, [a, b]),
            (Binary::And, None, Some(b)) => (Mask::AndNot, [b, a]),
            (Binary::And, None, None) => (Mask::And, [a, b]),
            (Binary::Or, ..) => (Mask::Or, [a, b]),
            _ => (Mask::Xor, [a, b]),
        };
        self.form.pure(Op::Mask(op), args(operands))
    }

    pub(super) fn opmask_blend(&mut self, ty: Ty, bits: Bits, mask: Val, accept: Val, reject: Val) -> Val {
        if ty == Ty::Bool {
            let accept = self.opmask_op(Binary::And, mask, accept);
            let other = self.opmask_not(mask);
            let reject = self.opmask_op(Binary::And, other, reject);
            return self.opmask_op(Binary::Or, accept, reject);
        }
        if let Some(mask) = self.opmask_negated(mask) {
            return self.blend(ty, bits, mask, reject, accept);
        }
        let wide = ty.bytes() == 8;
        if self.is_zero(reject) {
            let op = if wide { V::KeepPd } else { V::Keep };
            return self.form.pure(Op::V(op, bits, 0), args([accept, mask]));
        }
        let op = if wide { V::ChoosePd } else { V::Choose };
        self.form.pure(Op::V(op, bits, 0), args([reject, accept, mask]))
    }

    /// Of whole numbers, and of booleans.
    pub(super) fn opmask_compare(&mut self, op: Binary, of: Ty, bits: Bits, a: Val, b: Val) -> Val {
        if of == Ty::Bool {
            return self.opmask_op(op, a, b);
        }
        let (how, holds): (u8, fn(std::cmp::Ordering) -> bool) = match op {
            Binary::Eq => (EQUAL, std::cmp::Ordering::is_eq),
            Binary::Ne => (NOT_EQUAL, std::cmp::Ordering::is_ne),
            Binary::Lt => (LESS, std::cmp::Ordering::is_lt),
            Binary::Le => (LESS_EQUAL, std::cmp::Ordering::is_le),
            Binary::Gt => (GREATER, std::cmp::Ordering::is_gt),
            _ => (GREATER_EQUAL, std::cmp::Ordering::is_ge),
        };
        let signed = is_signed(of);
        if of.bytes() == 4
            && let (Some(a), Some(b)) = (self.literal_words(bits, a), self.literal_words(bits, b))
        {
            let order = |a: u32, b: u32| if signed { (a as i32).cmp(&(b as i32)) } else { a.cmp(&b) };
            let lanes = a.iter().zip(&b).zip(0..).map(|((&a, &b), lane)| u32::from(holds(order(a, b))) << lane);
            let lanes = lanes.sum();
            return self.opmask(lanes);
        }
        let op = match (of.bytes() == 8, signed) {
            (false, true) => V::MaskCmpD,
            (false, false) => V::MaskCmpUd,
            (true, true) => V::MaskCmpQ,
            (true, false) => V::MaskCmpUq,
        };
        self.v2i(op, bits, a, b, how)
    }

    /// Masks as those of parts of 64-bit lanes, which look at their lowest bits only.
    pub(super) fn opmask_halves(&mut self, masks: &[Val]) -> Vec<Val> {
        if self.lanes_of(Ty::Bool) == self.lanes_of(Ty::I64) {
            return masks.to_vec();
        }
        let halves = |this: &mut Self, mask: Val| match this.form.op(mask) {
            Op::Mask(Mask::Join) => {
                let [high, low, ..] = this.form.args(mask);
                [low, high]
            }
            _ => [mask, this.form.pure(Op::Mask(Mask::Upper), args([mask]))],
        };
        masks.iter().flat_map(|&mask| halves(self, mask)).collect()
    }

    pub(super) fn opmask_joined(&mut self, wide: &[Val]) -> Vec<Val> {
        if self.lanes_of(Ty::Bool) == self.lanes_of(Ty::I64) {
            return wide.to_vec();
        }
        wide.chunks(2).map(|pair| self.form.pure(Op::Mask(Mask::Join), args([pair[1], pair[0]]))).collect()
    }
}
