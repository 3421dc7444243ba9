//! Addresses: sums become parts of the instructions that go there.

use super::X64;
use super::form::Val;
use super::op::{Alu, Op, Place, Shift};
use super::reg::Size;

impl X64 {
    /// The place so many bytes after a pointer: sums of doubles and products by 2, 4 and 8 are a part of it.
    pub(super) fn place_of(&self, pointer: Val, ahead: i32) -> (Place, [Val; 2]) {
        let (mut base, mut ahead) = self.split(pointer, ahead);
        let (mut index, mut scale) = (Val::NONE, 1);
        if let Op::Alu(Alu::Add, Size::Double) = self.form.op(base) {
            let [a, b, ..] = self.form.args(base);
            let (first, one) = self.split(a, ahead);
            let (second, both) = self.split(b, one);
            (base, index, ahead) = (first, second, both);
            if !self.is_scaled(index) && self.is_scaled(base) {
                std::mem::swap(&mut base, &mut index);
            }
            if let Op::ShiftLiteral(Shift::Left, Size::Double, by @ 1..=3) = self.form.op(index) {
                (index, scale) = (self.form.args(index)[0], 1 << by);
            }
        }
        (Place { scale, ahead }, [base, index])
    }

    fn is_scaled(&self, val: Val) -> bool {
        matches!(self.form.op(val), Op::ShiftLiteral(Shift::Left, Size::Double, 1..=3))
    }

    /// A sum with a literal as both.
    fn split(&self, val: Val, ahead: i32) -> (Val, i32) {
        match self.form.op(val) {
            Op::AluLiteral(Alu::Add, Size::Double, literal) => match ahead.checked_add(literal) {
                Some(ahead) => self.split(self.form.args(val)[0], ahead),
                None => (val, ahead),
            },
            _ => (val, ahead),
        }
    }
}
