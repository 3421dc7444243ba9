//! Memory that several threads change.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{F32, I32};
use cranelift_codegen::ir::{AtomicRmwOp, InstBuilder, Value};

use super::{Clif, bits_type, plain, scalar_type};
use crate::emit::Prim;
use crate::ir::{Atomic, Ty};

impl Clif<'_> {
    pub(super) fn modify(
        &mut self,
        fun: Atomic,
        ty: Ty,
        pointer: Value,
        value: Value,
        compare: Option<Value>,
    ) -> Value {
        let signed = matches!(ty, Ty::I32 | Ty::I64);
        let op = match fun {
            Atomic::Add => AtomicRmwOp::Add,
            Atomic::Sub => AtomicRmwOp::Sub,
            Atomic::And => AtomicRmwOp::And,
            Atomic::Or => AtomicRmwOp::Or,
            Atomic::Xor => AtomicRmwOp::Xor,
            Atomic::Min if signed => AtomicRmwOp::Smin,
            Atomic::Min => AtomicRmwOp::Umin,
            Atomic::Max if signed => AtomicRmwOp::Smax,
            Atomic::Max => AtomicRmwOp::Umax,
            Atomic::Exchange => AtomicRmwOp::Xchg,
            Atomic::CompareExchange => {
                let compare = compare.expect("invariant atomics: a compare-exchange compares");
                let (bits, expected) = (self.as_type(bits_type(ty), value), self.as_type(bits_type(ty), compare));
                let old = self.b.ins().atomic_cas(plain(), pointer, expected, bits);
                return self.as_type(scalar_type(ty), old);
            }
        };
        if ty == Ty::F32 && fun != Atomic::Exchange {
            return self.float_atomic(fun, pointer, value);
        }
        let bits = self.as_type(bits_type(ty), value);
        let old = self.b.ins().atomic_rmw(bits_type(ty), plain(), op, pointer, bits);
        self.as_type(scalar_type(ty), old)
    }

    /// A read-modify-write of a float, by compare and exchange.
    fn float_atomic(&mut self, fun: Atomic, pointer: Value, value: Value) -> Value {
        let op = fun.joins().expect("invariant atomics: floats are joined");
        let seen = self.variable(I32);
        let first = self.b.ins().load(I32, plain(), pointer, 0);
        self.b.def_var(seen, first);
        let (again, done) = (self.b.create_block(), self.b.create_block());
        self.b.ins().jump(again, &[]);
        self.b.switch_to_block(again);
        let old = self.b.use_var(seen);
        let float = self.as_type(F32, old);
        let new = self.scalar_op(Prim::Binary(op), Ty::F32, Ty::F32, &[float, value]);
        let new = self.as_type(I32, new);
        let found = self.b.ins().atomic_cas(plain(), pointer, old, new);
        self.b.def_var(seen, found);
        let same = self.b.ins().icmp(IntCC::Equal, found, old);
        self.b.ins().brif(same, done, &[], again, &[]);
        self.b.switch_to_block(done);
        float
    }
}
