//! Whole numbers in general registers, with what is known of them folded.

use super::X64;
use super::condition::{Cc, Test};
use super::form::{Val, args};
use super::op::{Alu, Op, Shift};
use super::reg::{Class, Size};

impl X64 {
    /// A literal; words have zeros before them.
    pub(super) fn int(&mut self, n: i64) -> Val {
        self.form.pure(Op::Int(n), args([]))
    }

    fn sized(&mut self, size: Size, n: i64) -> Val {
        self.int(if size == Size::Word { i64::from(n as u32) } else { n })
    }

    /// The literal as instructions have it, if it fits there.
    fn short(&self, size: Size, val: Val) -> Option<i32> {
        let n = self.form.literal(val)?;
        if size == Size::Word { Some(n as i32) } else { i32::try_from(n).ok() }
    }

    pub(super) fn alu(&mut self, op: Alu, size: Size, a: Val, b: Val) -> Val {
        if let (Some(x), Some(y)) = (self.form.literal(a), self.form.literal(b)) {
            return self.sized(size, fold(op, x, y));
        }
        if op != Alu::Sub && self.form.literal(a).is_some() {
            return self.alu(op, size, b, a);
        }
        if a == b {
            match op {
                Alu::Sub | Alu::Xor => return self.int(0),
                Alu::And | Alu::Or => return a,
                Alu::Add | Alu::Mul => {}
            }
        }
        match self.short(size, b) {
            Some(literal) => self.alu_literal(op, size, a, literal),
            None => self.form.pure(Op::Alu(op, size), args([a, b])),
        }
    }

    fn alu_literal(&mut self, op: Alu, size: Size, a: Val, literal: i32) -> Val {
        let low = literal as u32;
        match (op, literal) {
            (Alu::Add | Alu::Sub | Alu::Or | Alu::Xor, 0) | (Alu::And, -1) | (Alu::Mul, 1) => return a,
            (Alu::And | Alu::Mul, 0) => return self.int(0),
            (Alu::Mul, 2..) if low.is_power_of_two() => {
                return self.shift_literal(Shift::Left, size, a, low.trailing_zeros() as u8);
            }
            (Alu::Sub, literal) if literal != i32::MIN => return self.alu_literal(Alu::Add, size, a, -literal),
            (Alu::And, 0xff) => return self.form.pure(Op::LowByte, args([a])),
            (Alu::And, 0xffff) => return self.form.pure(Op::LowHalf, args([a])),
            _ => {}
        }
        if let (Alu::Add, Op::AluLiteral(Alu::Add, inner, other)) = (op, self.form.op(a))
            && inner == size
        {
            let sum = if size == Size::Word { Some(other.wrapping_add(literal)) } else { other.checked_add(literal) };
            if let Some(sum) = sum {
                return self.alu_literal(op, size, self.form.args(a)[0], sum);
            }
        }
        self.form.pure(Op::AluLiteral(op, size, literal), args([a]))
    }

    pub(super) fn shift_literal(&mut self, shift: Shift, size: Size, a: Val, by: u8) -> Val {
        let by = by & if size == Size::Word { 31 } else { 63 };
        if by == 0 {
            return a;
        }
        if let Some(n) = self.form.literal(a) {
            let n = match (shift, size) {
                (Shift::Left, _) => n << by,
                (Shift::Right, Size::Word) => i64::from(n as u32 >> by),
                (Shift::Right, Size::Double) => (n as u64 >> by) as i64,
                (Shift::Arithmetic, Size::Word) => i64::from(n as i32 >> by),
                (Shift::Arithmetic, Size::Double) => n >> by,
            };
            return self.sized(size, n);
        }
        self.form.pure(Op::ShiftLiteral(shift, size, by), args([a]))
    }

    pub(super) fn shift(&mut self, shift: Shift, size: Size, a: Val, amount: Val) -> Val {
        match self.form.literal(amount) {
            Some(by) => self.shift_literal(shift, size, a, by as u8),
            None => self.form.pure(Op::Shift(shift, size), args([a, amount])),
        }
    }

    /// 0 or 1.
    pub(super) fn compare(&mut self, size: Size, cc: Cc, a: Val, b: Val) -> Val {
        if let (Some(x), Some(y)) = (self.form.literal(a), self.form.literal(b)) {
            return self.int(i64::from(cc.holds(size, x, y)));
        }
        if self.short(size, a).is_some() {
            return self.compare(size, cc.turned(), b, a);
        }
        let Some(literal) = self.short(size, b) else {
            return self.form.pure(Op::Set(Test::Two { size, cc }), args([a, b]));
        };
        // Words are numbers from zero on with 64 bits; none is below zero.
        match (cc, literal) {
            (Cc::Below, 0) => return self.int(0),
            (Cc::AboveEqual, 0) => return self.int(1),
            _ => {}
        }
        if let (Cc::Equal | Cc::NotEqual, 0, Op::AluLiteral(Alu::And, of, bits)) = (cc, literal, self.form.op(a))
            && of == size
        {
            let [a, ..] = self.form.args(a);
            return self.form.pure(Op::Set(Test::Bits { size, cc, literal: bits }), args([a]));
        }
        self.form.pure(Op::Set(Test::One { size, cc, literal }), args([a]))
    }

    /// The test that a boolean is the result of, with its operands.
    pub(super) fn test_of(&self, condition: Val) -> (Test, [Val; 2]) {
        match self.form.op(condition) {
            Op::Set(test) => {
                let [a, b, ..] = self.form.args(condition);
                (test, [a, b])
            }
            _ => (Test::One { size: Size::Word, cc: Cc::NotEqual, literal: 0 }, [condition, Val::NONE]),
        }
    }

    pub(super) fn not_bool(&mut self, condition: Val) -> Val {
        match self.form.op(condition) {
            Op::Set(test) => {
                let operands = self.form.args(condition);
                self.form.pure(Op::Set(test.not()), operands)
            }
            Op::FloatEqual { size, not } => {
                let operands = self.form.args(condition);
                self.form.pure(Op::FloatEqual { size, not: !not }, operands)
            }
            _ => {
                let one = self.int(1);
                self.alu(Alu::Xor, Size::Word, condition, one)
            }
        }
    }

    pub(super) fn select(&mut self, class: Class, condition: Val, accept: Val, reject: Val) -> Val {
        match self.form.literal(condition) {
            Some(0) => return reject,
            Some(_) => return accept,
            None if accept == reject => return accept,
            None => {}
        }
        let (test, [a, b]) = self.test_of(condition);
        self.form.pure(Op::Select(test, class), [a, b, accept, reject])
    }
}

fn fold(op: Alu, a: i64, b: i64) -> i64 {
    match op {
        Alu::Add => a.wrapping_add(b),
        Alu::Sub => a.wrapping_sub(b),
        Alu::And => a & b,
        Alu::Or => a | b,
        Alu::Xor => a ^ b,
        Alu::Mul => a.wrapping_mul(b),
    }
}
