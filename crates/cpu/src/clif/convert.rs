//! The same number in another type.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::types::{F32, F64, I32, I64};
use cranelift_codegen::ir::{InstBuilder, InstructionData, Opcode, Value};

use super::scalar::{is_float, is_signed};
use super::{Clif, scalar_type};
use crate::emit::largest;
use crate::helpers::Helper;
use crate::ir::Ty;

impl Clif<'_> {
    pub(super) fn convert(&mut self, from: Ty, to: Ty, a: Value) -> Value {
        match (from, to) {
            _ if from == to => a,
            (Ty::Bool, _) => {
                let wide = self.b.ins().uextend(I32, a);
                self.convert(Ty::U32, to, wide)
            }
            (Ty::F16, Ty::F32) => a,
            (Ty::F16, _) => self.convert(Ty::F32, to, a),
            (Ty::F32 | Ty::F64, Ty::Bool) => {
                let zero = if from == Ty::F64 { self.b.ins().f64const(0.0) } else { self.b.ins().f32const(0.0) };
                self.b.ins().fcmp(FloatCC::NotEqual, a, zero)
            }
            (_, Ty::Bool) => self.b.ins().icmp_imm_s(IntCC::NotEqual, a, 0),
            (Ty::F32, Ty::F16) => self.call(Helper::Quantize, &[a]),
            (_, Ty::F16) => {
                let double = self.convert(from, Ty::F64, a);
                self.call(Helper::HalfFromDouble, &[double])
            }
            (Ty::F32, Ty::F64) => self.b.ins().fpromote(F64, a),
            (Ty::F64, Ty::F32) => self.b.ins().fdemote(F32, a),
            (Ty::F32 | Ty::F64, _) => {
                let largest = largest(from, to);
                let most = if from == Ty::F64 {
                    self.b.ins().f64const(largest)
                } else {
                    self.b.ins().f32const(largest as f32)
                };
                let over = self.b.ins().fcmp(FloatCC::LessThan, most, a);
                let held = self.b.ins().select(over, most, a);
                if is_signed(to) {
                    self.b.ins().fcvt_to_sint_sat(scalar_type(to), held)
                } else {
                    self.b.ins().fcvt_to_uint_sat(scalar_type(to), held)
                }
            }
            _ if is_float(to) && is_signed(from) => self.b.ins().fcvt_from_sint(scalar_type(to), a),
            _ if is_float(to) => self.b.ins().fcvt_from_uint(scalar_type(to), a),
            _ => match (from.bytes(), to.bytes()) {
                (4, 8) if is_signed(from) => self.b.ins().sextend(I64, a),
                (4, 8) => self.high_half(a).unwrap_or_else(|| self.b.ins().uextend(I64, a)),
                (8, 4) => self.b.ins().ireduce(I32, a),
                _ => a,
            },
        }
    }

    /// The wide number of which this one is the upper half and nothing else is left.
    fn high_half(&self, a: Value) -> Option<Value> {
        let dfg = &self.b.func.dfg;
        let of = |value: Value, opcode: Opcode| {
            let made = dfg.value_def(dfg.resolve_aliases(value)).inst()?;
            (dfg.insts[made].opcode() == opcode).then(|| dfg.inst_args(made))
        };
        let wide = *of(a, Opcode::Ireduce)?.first()?;
        let &[_, amount] = of(wide, Opcode::Ushr)? else { return None };
        let made = dfg.value_def(dfg.resolve_aliases(amount)).inst()?;
        match dfg.insts[made] {
            InstructionData::UnaryImm { opcode: Opcode::Iconst, imm } if imm.bits() == 32 => Some(wide),
            _ => None,
        }
    }
}
