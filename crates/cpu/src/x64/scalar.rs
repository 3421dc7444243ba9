//! Operations on one number.

use super::condition::{Cc, Test};
use super::form::{Val, args};
use super::op::{Alu, Count, Op, Shift};
use super::reg::{Bits, Class, Size};
use super::vector::V;
use super::{X64, class_of, is_float, is_signed, size_of};
use crate::emit::{Prim, dot_number};
use crate::helpers::Helper;
use crate::ir::{Binary, Ty, Unary};

/// How floats are rounded to whole numbers, without a word about it.
pub(super) const NEAREST: u8 = 8;
pub(super) const FLOOR: u8 = 9;
pub(super) const CEIL: u8 = 10;
pub(super) const TRUNC: u8 = 11;

impl X64 {
    pub(super) fn scalar_op(&mut self, prim: Prim, ty: Ty, of: Ty, given: &[Val]) -> Val {
        match prim {
            Prim::Unary(op) => {
                let value = self.scalar_unary(op, of, given[0]);
                self.round_half(ty, value)
            }
            Prim::Binary(Binary::Dot) => dot_number(self, of, given[0], given[1]),
            Prim::Binary(op) if op.compares() => self.scalar_compare(op, of, given[0], given[1]),
            Prim::Binary(op) => {
                let value = self.scalar_binary(op, of, given[0], given[1]);
                self.round_half(ty, value)
            }
            Prim::Select => self.select(class_of(ty), given[0], given[1], given[2]),
            Prim::Convert(from) => self.convert(from, ty, given[0]),
            Prim::Bitcast(from) => self.bitcast(from, ty, given[0]),
            Prim::Call(Helper::Fma) => self.fused(Size::Word, Bits::X, true, [given[0], given[1], given[2]]),
            Prim::Call(Helper::FmaD) => self.fused(Size::Double, Bits::X, true, [given[0], given[1], given[2]]),
            Prim::Call(helper) => self.call(helper, given),
        }
    }

    /// A half float is rounded after each operation.
    fn round_half(&mut self, ty: Ty, value: Val) -> Val {
        if ty == Ty::F16 { self.quantize(Bits::X, value) } else { value }
    }

    pub(super) fn quantize(&mut self, bits: Bits, value: Val) -> Val {
        let half = self.v1(V::PsToHalf, bits, value);
        self.v1(V::HalfToPs, bits, half)
    }

    pub(super) fn half_from_bits(&mut self, bits: Val) -> Val {
        let vector = self.form.pure(Op::ToVector(Size::Word), args([bits]));
        self.v1(V::HalfToPs, Bits::X, vector)
    }

    pub(super) fn half_to_bits(&mut self, value: Val) -> Val {
        let half = self.v1(V::PsToHalf, Bits::X, value);
        let word = self.form.pure(Op::FromVector(Size::Word), args([half]));
        self.form.pure(Op::LowHalf, args([word]))
    }

    pub(super) fn bitcast(&mut self, from: Ty, to: Ty, a: Val) -> Val {
        match (class_of(from), class_of(to)) {
            (Class::General, Class::Vector) => match self.form.literal(a) {
                Some(n) if to.bytes() == 8 => self.pool(&n.to_le_bytes()),
                Some(n) => self.pool(&(n as u32).to_le_bytes()),
                None => self.form.pure(Op::ToVector(size_of(from)), args([a])),
            },
            (Class::Vector, Class::General) => match self.form.op(a) {
                Op::ToVector(size) if size == size_of(to) => self.form.args(a)[0],
                _ => self.form.pure(Op::FromVector(size_of(to)), args([a])),
            },
            (Class::General, Class::General) | (Class::Vector, Class::Vector) => a,
            (Class::Mask, _) | (_, Class::Mask) => unreachable!("invariant numbers: masks are none"),
        }
    }

    fn scalar_unary(&mut self, op: Unary, of: Ty, a: Val) -> Val {
        let size = size_of(of);
        let (single, double) = (Size::Word, Size::Double);
        let count = |this: &mut Self, count| this.form.pure(Op::Count(count, size), args([a]));
        let rounded = |this: &mut Self, how| {
            let op = if size == double { V::RoundSd } else { V::RoundSs };
            this.form.pure(Op::V(op, Bits::X, how), args([a]))
        };
        match op {
            Unary::Negate if is_float(of) => self.flip(size, Bits::X, a),
            Unary::Negate => self.form.pure(Op::Negate(size), args([a])),
            Unary::Not if of == Ty::Bool => self.not_bool(a),
            Unary::Not => self.form.pure(Op::Not(size), args([a])),
            Unary::Abs if is_float(of) => self.positive(size, Bits::X, a),
            Unary::Abs => {
                let (zero, other) = (self.int(0), self.form.pure(Op::Negate(size), args([a])));
                let less = self.compare(size, Cc::Less, a, zero);
                self.select(Class::General, less, other, a)
            }
            Unary::Floor => rounded(self, FLOOR),
            Unary::Ceil => rounded(self, CEIL),
            Unary::Trunc => rounded(self, TRUNC),
            Unary::Round => rounded(self, NEAREST),
            Unary::Sqrt if size == single => self.v1(V::SqrtSs, Bits::X, a),
            Unary::Sqrt => self.v1(V::SqrtSd, Bits::X, a),
            Unary::CountOnes => count(self, Count::Ones),
            Unary::LeadingZeros => count(self, Count::LeadingZeros),
            Unary::TrailingZeros => count(self, Count::TrailingZeros),
            Unary::Reverse => self.reverse(size, a),
        }
    }

    /// The bits, the last first: neighbours, pairs and halves of bytes change places, then bytes.
    fn reverse(&mut self, size: Size, a: Val) -> Val {
        let mut all = a;
        for (by, mask) in [(1, 0x5555_5555_5555_5555), (2, 0x3333_3333_3333_3333), (4, 0x0f0f_0f0f_0f0f_0f0f_u64)] {
            let mask = self.int(if size == Size::Word { i64::from(mask as u32) } else { mask as i64 });
            let upper = self.shift_literal(Shift::Right, size, all, by);
            let upper = self.alu(Alu::And, size, upper, mask);
            let lower = self.alu(Alu::And, size, all, mask);
            let lower = self.shift_literal(Shift::Left, size, lower, by);
            all = self.alu(Alu::Or, size, upper, lower);
        }
        self.form.pure(Op::Swap(size), args([all]))
    }

    fn scalar_compare(&mut self, op: Binary, of: Ty, a: Val, b: Val) -> Val {
        let size = size_of(of);
        if !is_float(of) {
            return self.compare(size, condition(op, is_signed(of)), a, b);
        }
        // Numbers without an order are neither above nor equal.
        let (cc, [a, b]) = match op {
            Binary::Eq => return self.form.pure(Op::FloatEqual { size, not: false }, args([a, b])),
            Binary::Ne => return self.form.pure(Op::FloatEqual { size, not: true }, args([a, b])),
            Binary::Lt => (Cc::Above, [b, a]),
            Binary::Le => (Cc::AboveEqual, [b, a]),
            Binary::Gt => (Cc::Above, [a, b]),
            Binary::Ge => (Cc::AboveEqual, [a, b]),
            _ => unreachable!("invariant comparisons: {op:?}"),
        };
        self.form.pure(Op::Set(Test::Float { size, cc }), args([a, b]))
    }

    fn scalar_binary(&mut self, op: Binary, of: Ty, a: Val, b: Val) -> Val {
        let size = size_of(of);
        if is_float(of) {
            let (single, double, [a, b]) = match op {
                Binary::Add => (V::AddSs, V::AddSd, [a, b]),
                Binary::Sub => (V::SubSs, V::SubSd, [a, b]),
                Binary::Mul => (V::MulSs, V::MulSd, [a, b]),
                Binary::Div => (V::DivSs, V::DivSd, [a, b]),
                // The machine's gives its second operand unless the first is less, or more.
                Binary::Min => (V::MinSs, V::MinSd, [b, a]),
                Binary::Max => (V::MaxSs, V::MaxSd, [b, a]),
                _ => unreachable!("invariant floats: {op:?}"),
            };
            return self.v2(if size == Size::Double { double } else { single }, Bits::X, a, b);
        }
        let signed = is_signed(of);
        let pick = |this: &mut Self, cc| {
            let first = this.compare(size, cc, a, b);
            this.select(Class::General, first, a, b)
        };
        match op {
            Binary::Add => self.alu(Alu::Add, size, a, b),
            Binary::Sub => self.alu(Alu::Sub, size, a, b),
            Binary::Mul => self.alu(Alu::Mul, size, a, b),
            Binary::Div => self.divide(of, a, b, false),
            Binary::Rem => self.divide(of, a, b, true),
            Binary::And => self.alu(Alu::And, size, a, b),
            Binary::Or => self.alu(Alu::Or, size, a, b),
            Binary::Xor => self.alu(Alu::Xor, size, a, b),
            Binary::Shl => self.shift(Shift::Left, size, a, b),
            Binary::Shr if signed => self.shift(Shift::Arithmetic, size, a, b),
            Binary::Shr => self.shift(Shift::Right, size, a, b),
            Binary::Min => pick(self, if signed { Cc::Less } else { Cc::Below }),
            Binary::Max => pick(self, if signed { Cc::Greater } else { Cc::Above }),
            Binary::Dot => unreachable!("invariant words: {op:?} is spelled out"),
            Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => {
                unreachable!("invariant comparisons: {op:?} is one")
            }
        }
    }

    /// 1 in place of a divisor for which the machine would trap: a / 0 is a and a % 0 is 0, as they are for
    /// 1; the same goes for the least number divided by -1.
    fn divide(&mut self, of: Ty, a: Val, b: Val, rest: bool) -> Val {
        let (size, signed) = (size_of(of), is_signed(of));
        if let Some(n) = self.form.literal(b).filter(|n| !signed && *n > 0 && n.count_ones() == 1) {
            if rest {
                let mask = self.int(n - 1);
                return self.alu(Alu::And, size, a, mask);
            }
            return self.shift_literal(Shift::Right, size, a, n.trailing_zeros() as u8);
        }
        let literal = self.form.literal(b).filter(|n| *n != 0 && (!signed || size == Size::Word && *n as i32 != -1));
        let mut divisor = b;
        if literal.is_none() {
            let (zero, one) = (self.int(0), self.int(1));
            let mut bad = self.compare(size, Cc::Equal, b, zero);
            if signed {
                let least = self.int(if of == Ty::I64 { i64::MIN } else { 1 << 31 });
                let minus = self.int(if of == Ty::I64 { -1 } else { i64::from(u32::MAX) });
                let minus = self.compare(size, Cc::Equal, b, minus);
                let lowest = self.compare(size, Cc::Equal, a, least);
                let both = self.alu(Alu::And, Size::Word, minus, lowest);
                bad = self.alu(Alu::Or, Size::Word, bad, both);
            }
            divisor = self.select(Class::General, bad, one, b);
        }
        self.form.pure(Op::Divide { size, signed, rest }, args([a, divisor]))
    }
}

pub(super) fn condition(op: Binary, signed: bool) -> Cc {
    match (op, signed) {
        (Binary::Eq, _) => Cc::Equal,
        (Binary::Ne, _) => Cc::NotEqual,
        (Binary::Lt, true) => Cc::Less,
        (Binary::Le, true) => Cc::LessEqual,
        (Binary::Gt, true) => Cc::Greater,
        (Binary::Ge, true) => Cc::GreaterEqual,
        (Binary::Lt, false) => Cc::Below,
        (Binary::Le, false) => Cc::BelowEqual,
        (Binary::Gt, false) => Cc::Above,
        (Binary::Ge, false) => Cc::AboveEqual,
        (other, _) => unreachable!("invariant comparisons: {other:?}"),
    }
}
