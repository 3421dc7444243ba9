//! Memory that several threads change.

use super::X64;
use super::condition::{Cc, Test};
use super::form::{End, Val, args};
use super::op::{Change, Op, Width};
use super::reg::{Class, Size};
use super::{is_float, size_of};
use crate::emit::Prim;
use crate::ir::{Atomic, Ty};

impl X64 {
    pub(super) fn modify(&mut self, fun: Atomic, ty: Ty, pointer: Val, value: Val, compare: Option<Val>) -> Val {
        let (size, signed) = (size_of(ty), super::is_signed(ty));
        let bits = if size == Size::Double { Ty::U64 } else { Ty::U32 };
        let (place, [base, index]) = self.place_of(pointer, 0);
        if fun == Atomic::CompareExchange {
            let compare = compare.expect("invariant atomics: a compare-exchange compares");
            let [new, old] = [value, compare].map(|number| self.bitcast(ty, bits, number));
            let found = self.form.pinned(self.at, Op::CompareExchange(size, place), [base, index, new, old]);
            return self.bitcast(bits, ty, found);
        }
        if is_float(ty) && fun != Atomic::Exchange {
            return self.float_atomic(fun, pointer, value);
        }
        let change = match fun {
            Atomic::Add | Atomic::Sub => Change::Add,
            Atomic::And => Change::And,
            Atomic::Or => Change::Or,
            Atomic::Xor => Change::Xor,
            Atomic::Min => Change::Pick(if signed { Cc::Less } else { Cc::Below }),
            Atomic::Max => Change::Pick(if signed { Cc::Greater } else { Cc::Above }),
            Atomic::Exchange | Atomic::CompareExchange => Change::Exchange,
        };
        let mut number = self.bitcast(ty, bits, value);
        if fun == Atomic::Sub {
            number = match self.form.literal(number) {
                Some(n) if size == Size::Word => self.int(i64::from((n as u32).wrapping_neg())),
                Some(n) => self.int(n.wrapping_neg()),
                None => self.form.pure(Op::Negate(size), args([number])),
            };
        }
        let old = self.form.pinned(self.at, Op::Change(change, size, place), args([base, index, number]));
        self.bitcast(bits, ty, old)
    }

    /// A read-modify-write of a float, by compare and exchange.
    fn float_atomic(&mut self, fun: Atomic, pointer: Val, value: Val) -> Val {
        let op = fun.joins().expect("invariant atomics: floats are joined");
        let seen = self.variable(Class::General);
        let first = self.load_as(Width::Word, pointer, 0);
        self.variables.set(self.at, seen, first);
        let (again, done) = (self.form.block(self.rare), self.form.block(self.rare));
        self.end(End::Jump(again));
        self.go_on(again);
        let old = self.variables.get(&mut self.form, self.at, seen);
        let float = self.bitcast(Ty::U32, Ty::F32, old);
        let new = self.scalar_op(Prim::Binary(op), Ty::F32, Ty::F32, &[float, value]);
        let new = self.bitcast(Ty::F32, Ty::U32, new);
        let (place, [base, index]) = self.place_of(pointer, 0);
        let found = self.form.pinned(self.at, Op::CompareExchange(Size::Word, place), [base, index, new, old]);
        self.variables.set(self.at, seen, found);
        let test = Test::Two { size: Size::Word, cc: Cc::Equal };
        self.end(End::Branch { test, args: [found, old], accept: done, reject: again });
        self.go_on(done);
        float
    }

    fn go_on(&mut self, block: super::form::Block) {
        self.at = block;
        self.form.order.push(block);
    }
}
