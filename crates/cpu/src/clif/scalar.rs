//! Operations on one number.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::types::{I8, I16, I32, I64};
use cranelift_codegen::ir::{InstBuilder, InstructionData, Opcode, Type, Value};

use super::{Clif, bits_type, scalar_type};
use crate::emit::{Prim, dot_number};
use crate::helpers::Helper;
use crate::ir::{Binary, Ty, Unary};

pub(super) fn is_float(ty: Ty) -> bool {
    matches!(ty, Ty::F16 | Ty::F32 | Ty::F64)
}

pub(super) fn is_signed(ty: Ty) -> bool {
    matches!(ty, Ty::I32 | Ty::I64)
}

pub(super) fn int_condition(op: Binary, signed: bool) -> IntCC {
    match (op, signed) {
        (Binary::Eq, _) => IntCC::Equal,
        (Binary::Ne, _) => IntCC::NotEqual,
        (Binary::Lt, true) => IntCC::SignedLessThan,
        (Binary::Le, true) => IntCC::SignedLessThanOrEqual,
        (Binary::Gt, true) => IntCC::SignedGreaterThan,
        (Binary::Ge, true) => IntCC::SignedGreaterThanOrEqual,
        (Binary::Lt, false) => IntCC::UnsignedLessThan,
        (Binary::Le, false) => IntCC::UnsignedLessThanOrEqual,
        (Binary::Gt, false) => IntCC::UnsignedGreaterThan,
        (Binary::Ge, false) => IntCC::UnsignedGreaterThanOrEqual,
        (other, _) => unreachable!("invariant comparisons: {other:?}"),
    }
}

pub(super) fn float_condition(op: Binary) -> FloatCC {
    match op {
        Binary::Eq => FloatCC::Equal,
        Binary::Ne => FloatCC::NotEqual,
        Binary::Lt => FloatCC::LessThan,
        Binary::Le => FloatCC::LessThanOrEqual,
        Binary::Gt => FloatCC::GreaterThan,
        Binary::Ge => FloatCC::GreaterThanOrEqual,
        other => unreachable!("invariant comparisons: {other:?}"),
    }
}

impl Clif<'_> {
    pub(super) fn scalar_op(&mut self, prim: Prim, ty: Ty, of: Ty, args: &[Value]) -> Value {
        match prim {
            Prim::Unary(op) => {
                let value = self.scalar_unary(op, of, args[0]);
                self.round_half(ty, value)
            }
            Prim::Binary(Binary::Dot) => dot_number(self, of, args[0], args[1]),
            Prim::Binary(op) if op.compares() => {
                if is_float(of) {
                    self.b.ins().fcmp(float_condition(op), args[0], args[1])
                } else {
                    self.b.ins().icmp(int_condition(op, is_signed(of)), args[0], args[1])
                }
            }
            Prim::Binary(op) => {
                let value = self.scalar_binary(op, of, args[0], args[1]);
                self.round_half(ty, value)
            }
            Prim::Select => self.b.ins().select(args[0], args[1], args[2]),
            Prim::Convert(Ty::U32) if ty == Ty::U64 => self.widened(args[0]),
            Prim::Convert(from) => self.convert(from, ty, args[0]),
            Prim::Bitcast(_) => self.as_type(scalar_type(ty), args[0]),
            Prim::Call(Helper::Fma) if self.machine.fused => self.b.ins().fma(args[0], args[1], args[2]),
            Prim::Call(Helper::FmaD) if self.machine.fused => self.b.ins().fma(args[0], args[1], args[2]),
            Prim::Call(helper) => self.call(helper, args),
        }
    }

    /// A half float is rounded after each operation.
    fn round_half(&mut self, ty: Ty, value: Value) -> Value {
        if ty == Ty::F16 { self.call(Helper::Quantize, &[value]) } else { value }
    }

    fn scalar_unary(&mut self, op: Unary, of: Ty, a: Value) -> Value {
        match op {
            Unary::Negate if is_float(of) => self.b.ins().fneg(a),
            Unary::Negate => self.b.ins().ineg(a),
            Unary::Not if of == Ty::Bool => self.b.ins().bxor_imm_s(a, 1),
            Unary::Not => self.b.ins().bnot(a),
            Unary::Abs if is_float(of) => self.b.ins().fabs(a),
            Unary::Abs => self.b.ins().iabs(a),
            Unary::Floor => self.b.ins().floor(a),
            Unary::Ceil => self.b.ins().ceil(a),
            Unary::Trunc => self.b.ins().trunc(a),
            Unary::Round => self.b.ins().nearest(a),
            Unary::Sqrt => self.b.ins().sqrt(a),
            Unary::CountOnes => self.b.ins().popcnt(a),
            Unary::LeadingZeros => self.b.ins().clz(a),
            Unary::TrailingZeros => self.b.ins().ctz(a),
            Unary::Reverse => self.b.ins().bitrev(a),
        }
    }

    fn scalar_binary(&mut self, op: Binary, of: Ty, a: Value, b: Value) -> Value {
        let (float, signed) = (is_float(of), is_signed(of));
        match op {
            Binary::Add if float => self.b.ins().fadd(a, b),
            Binary::Sub if float => self.b.ins().fsub(a, b),
            Binary::Mul if float => self.b.ins().fmul(a, b),
            Binary::Div if float => self.b.ins().fdiv(a, b),
            Binary::Min if float => {
                let less = self.b.ins().fcmp(FloatCC::LessThan, b, a);
                self.b.ins().select(less, b, a)
            }
            Binary::Max if float => {
                let less = self.b.ins().fcmp(FloatCC::LessThan, a, b);
                self.b.ins().select(less, b, a)
            }
            Binary::Add => self.b.ins().iadd(a, b),
            Binary::Sub => self.b.ins().isub(a, b),
            Binary::Mul => self.b.ins().imul(a, b),
            Binary::Div => {
                let b = self.safe_divisor(of, a, b);
                if signed { self.b.ins().sdiv(a, b) } else { self.b.ins().udiv(a, b) }
            }
            Binary::Rem => {
                let b = self.safe_divisor(of, a, b);
                if signed { self.b.ins().srem(a, b) } else { self.b.ins().urem(a, b) }
            }
            Binary::And => match (scalar_type(of), self.literal(b)) {
                // The low byte, or two, in one instruction that leaves the rest as it was.
                (I32, Some(0xff)) => self.low(I8, a),
                (I32, Some(0xffff)) => self.low(I16, a),
                _ => self.b.ins().band(a, b),
            },
            Binary::Or => self.b.ins().bor(a, b),
            Binary::Xor => self.b.ins().bxor(a, b),
            Binary::Shl => self.b.ins().ishl(a, b),
            Binary::Shr if signed => self.b.ins().sshr(a, b),
            Binary::Shr => self.b.ins().ushr(a, b),
            Binary::Min if signed => self.b.ins().smin(a, b),
            Binary::Min => self.b.ins().umin(a, b),
            Binary::Max if signed => self.b.ins().smax(a, b),
            Binary::Max => self.b.ins().umax(a, b),
            Binary::Dot => unreachable!("invariant words: {op:?} is spelled out"),
            Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => {
                unreachable!("invariant comparisons: {op:?} is one")
            }
        }
    }

    fn literal(&self, value: Value) -> Option<i64> {
        let dfg = &self.b.func.dfg;
        match dfg.insts[dfg.value_def(value).inst()?] {
            InstructionData::UnaryImm { opcode: Opcode::Iconst, imm } => Some(imm.bits()),
            _ => None,
        }
    }

    fn low(&mut self, ty: Type, value: Value) -> Value {
        let low = self.b.ins().ireduce(ty, value);
        let wide = self.b.ins().uextend(I64, low);
        self.word(wide)
    }

    /// 1 where the machine would trap: a / 0 is a and a % 0 is 0, as they are for 1; the
    /// same goes for the least number divided by -1.
    fn safe_divisor(&mut self, of: Ty, a: Value, b: Value) -> Value {
        let ty = bits_type(of);
        let one = self.int(ty, 1);
        let mut bad = self.b.ins().icmp_imm_s(IntCC::Equal, b, 0);
        if is_signed(of) {
            let least = if of == Ty::I64 { i64::MIN } else { i64::from(i32::MIN) };
            let least = self.int(ty, if of == Ty::I64 { least } else { i64::from(least as u32) });
            let minus = self.b.ins().icmp_imm_s(IntCC::Equal, b, -1);
            let lowest = self.b.ins().icmp(IntCC::Equal, a, least);
            let both = self.b.ins().band(minus, lowest);
            bad = self.b.ins().bor(bad, both);
        }
        self.b.ins().select(bad, one, b)
    }
}
