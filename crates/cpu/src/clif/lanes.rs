//! Operations on one number for each lane.

use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::types::{F32X4, F64X2, I32X4, I64X2};
use cranelift_codegen::ir::{InstBuilder, Value};

use super::scalar::{float_condition, int_condition, is_float, is_signed};
use super::{Clif, part_type};
use crate::emit::{Emit, Lanes, Prim, dot_lanes, lane_by_lane, largest};
use crate::helpers::Helper;
use crate::ir::{Binary, Ty, Unary};

type Operand = Lanes<Value, Vec<Value>>;

impl Clif<'_> {
    pub(super) fn lane_op(&mut self, prim: Prim, ty: Ty, of: Ty, args: &[Operand]) -> Vec<Value> {
        if prim == Prim::Binary(Binary::Dot) {
            let dot = dot_lanes(self, of, args);
            return self.each(of, &dot);
        }
        let halves = ty == Ty::F16 || of == Ty::F16;
        if !halves && let Some(parts) = self.part_op(prim, ty, of, args) {
            return parts;
        }
        if prim == Prim::Select {
            return self.select_lanes(ty, args);
        }
        lane_by_lane(self, prim, ty, of, args)
    }

    fn each(&mut self, ty: Ty, arg: &Operand) -> Vec<Value> {
        match arg {
            Lanes::Each(parts) => parts.clone(),
            Lanes::Same(scalar) => self.splat(ty, *scalar),
        }
    }

    fn select_lanes(&mut self, ty: Ty, args: &[Operand]) -> Vec<Value> {
        let (accept, reject) = (self.each(ty, &args[1]), self.each(ty, &args[2]));
        let pairs = accept.into_iter().zip(reject);
        match &args[0] {
            Lanes::Same(condition) => pairs.map(|(a, b)| self.b.ins().select(*condition, a, b)).collect(),
            Lanes::Each(mask) => {
                let mask = self.masks(ty, mask);
                mask.into_iter().zip(pairs).map(|(m, (a, b))| self.part_select(ty, m, a, b)).collect()
            }
        }
    }

    /// A mask with lanes as wide as those that it is for.
    fn masks(&mut self, ty: Ty, mask: &[Value]) -> Vec<Value> {
        if ty.bytes() < 8 {
            return mask.to_vec();
        }
        let wide = mask.iter().map(|&mask| match self.wide_masks.get(&mask) {
            Some(wide) => *wide,
            None => [self.b.ins().swiden_low(mask), self.b.ins().swiden_high(mask)],
        });
        wide.collect::<Vec<_>>().concat()
    }

    /// Masks of 64-bit lanes, as those of 32-bit ones. Mostly they come back to where they were.
    fn narrow_masks(&mut self, wide: &[Value]) -> Vec<Value> {
        let narrow = self.halves(wide);
        let pairs = wide.chunks(2).map(|pair| [pair[0], pair[1]]);
        self.wide_masks.extend(narrow.iter().copied().zip(pairs));
        narrow
    }

    pub(super) fn part_select(&mut self, ty: Ty, mask: Value, accept: Value, reject: Value) -> Value {
        match self.known(mask) {
            Some([u32::MAX, u32::MAX, u32::MAX, u32::MAX]) => return accept,
            Some([0, 0, 0, 0]) => return reject,
            Some(_) | None => {}
        }
        if self.machine.blends {
            let [mask, accept, reject] = [mask, accept, reject].map(|part| self.as_type(I32X4, part));
            let chosen = self.b.ins().blendv(mask, accept, reject);
            return self.as_type(part_type(ty), chosen);
        }
        let mask = self.as_type(part_type(ty), mask);
        self.b.ins().bitselect(mask, accept, reject)
    }

    /// The operation on machine vectors, if there is one.
    fn part_op(&mut self, prim: Prim, ty: Ty, of: Ty, args: &[Operand]) -> Option<Vec<Value>> {
        match prim {
            Prim::Select => Some(self.select_lanes(ty, args)),
            Prim::Unary(op) => {
                let a = self.each(of, &args[0]);
                a.into_iter().map(|a| self.part_unary(op, of, a)).collect()
            }
            Prim::Binary(op @ (Binary::Shl | Binary::Shr)) => {
                let Lanes::Same(amount) = args[1] else { return None };
                let a = self.each(of, &args[0]);
                let shift = |this: &mut Self, a| match (op, is_signed(of)) {
                    (Binary::Shl, _) => this.b.ins().ishl(a, amount),
                    (_, true) => this.b.ins().sshr(a, amount),
                    (_, false) => this.b.ins().ushr(a, amount),
                };
                Some(a.into_iter().map(|a| shift(self, a)).collect())
            }
            Prim::Binary(op) => {
                let (a, b) = (self.each(of, &args[0]), self.each(of, &args[1]));
                let parts: Option<Vec<Value>> =
                    a.into_iter().zip(b).map(|(a, b)| self.part_binary(op, of, a, b)).collect();
                Some(if op.compares() && of.bytes() == 8 { self.narrow_masks(&parts?) } else { parts? })
            }
            Prim::Convert(from) => {
                let a = self.each(from, &args[0]);
                match (from.bytes(), ty.bytes()) {
                    (8, 4) if ty != Ty::Bool => self.narrow(from, ty, &a),
                    (4, 8) if from != Ty::Bool => self.wide(from, ty, &a),
                    (8, 8) if is_float(from) == is_float(ty) => Some(a),
                    (8, _) | (_, 8) => None,
                    _ => a.into_iter().map(|a| self.part_convert(from, ty, a)).collect(),
                }
            }
            Prim::Bitcast(from) => {
                let a = self.each(from, &args[0]);
                Some(a.into_iter().map(|a| self.as_type(part_type(ty), a)).collect())
            }
            Prim::Call(Helper::Fma | Helper::FmaD) if self.machine.fused => {
                let [a, b, c] = [0, 1, 2].map(|i| self.each(of, &args[i]));
                let sums = a.into_iter().zip(b).zip(c);
                Some(sums.map(|((a, b), c)| self.b.ins().fma(a, b, c)).collect())
            }
            Prim::Call(_) => None,
        }
    }

    fn part_unary(&mut self, op: Unary, of: Ty, a: Value) -> Option<Value> {
        Some(match op {
            Unary::Negate if is_float(of) => self.b.ins().fneg(a),
            Unary::Negate => self.b.ins().ineg(a),
            Unary::Not => self.b.ins().bnot(a),
            Unary::Abs if is_float(of) => self.b.ins().fabs(a),
            Unary::Abs => self.b.ins().iabs(a),
            Unary::Floor => self.b.ins().floor(a),
            Unary::Ceil => self.b.ins().ceil(a),
            Unary::Trunc => self.b.ins().trunc(a),
            Unary::Round => self.b.ins().nearest(a),
            Unary::Sqrt => self.b.ins().sqrt(a),
            Unary::CountOnes | Unary::LeadingZeros | Unary::TrailingZeros | Unary::Reverse => return None,
        })
    }

    fn part_binary(&mut self, op: Binary, of: Ty, a: Value, b: Value) -> Option<Value> {
        let (float, signed) = (is_float(of), is_signed(of));
        Some(match op {
            Binary::Add if float => self.b.ins().fadd(a, b),
            Binary::Sub if float => self.b.ins().fsub(a, b),
            Binary::Mul if float => self.b.ins().fmul(a, b),
            Binary::Div if float => self.b.ins().fdiv(a, b),
            Binary::Dot => return None,
            Binary::Min | Binary::Max if !float && of.bytes() == 8 => return None,
            Binary::Min if float => self.part_less(b, a, b, a),
            Binary::Max if float => self.part_less(a, b, b, a),
            Binary::Add => self.b.ins().iadd(a, b),
            Binary::Sub => self.b.ins().isub(a, b),
            Binary::Mul => self.b.ins().imul(a, b),
            Binary::Div | Binary::Rem | Binary::Shl | Binary::Shr => return None,
            Binary::And => self.b.ins().band(a, b),
            Binary::Or => self.b.ins().bor(a, b),
            Binary::Xor => self.b.ins().bxor(a, b),
            Binary::Min if signed => self.b.ins().smin(a, b),
            Binary::Min => self.b.ins().umin(a, b),
            Binary::Max if signed => self.b.ins().smax(a, b),
            Binary::Max => self.b.ins().umax(a, b),
            Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge if float => {
                self.b.ins().fcmp(float_condition(op), a, b)
            }
            Binary::Eq | Binary::Ne if of.bytes() == 8 => self.b.ins().icmp(int_condition(op, signed), a, b),
            // Unsigned numbers of 64 bits are compared as signed ones, from the middle of their range.
            Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge if of.bytes() == 8 => {
                let [a, b] = if signed { [a, b] } else { [a, b].map(|part| self.centred(part)) };
                self.b.ins().icmp(int_condition(op, true), a, b)
            }
            Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => {
                let decided = self.decided(op, of, a, b);
                decided.unwrap_or_else(|| self.b.ins().icmp(int_condition(op, signed), a, b))
            }
        })
    }

    /// `accept` where `a < b`, which the machine has as one minimum or maximum.
    fn part_less(&mut self, a: Value, b: Value, accept: Value, reject: Value) -> Value {
        let less = self.b.ins().fcmp(FloatCC::LessThan, a, b);
        let less = self.as_type(self.b.func.dfg.value_type(accept), less);
        self.b.ins().bitselect(less, accept, reject)
    }

    fn centred(&mut self, part: Value) -> Value {
        let middle = self.vector_constant([0, 1 << 31, 0, 1 << 31]);
        let middle = self.as_type(I64X2, middle);
        self.b.ins().bxor(part, middle)
    }

    /// The lower words of 64-bit lanes.
    fn halves(&mut self, wide: &[Value]) -> Vec<Value> {
        let pair = |this: &mut Self, pair: &[Value]| {
            let words = this.shuffle(pair[0], pair[1], [0, 2, 4, 6]);
            this.as_type(I32X4, words)
        };
        wide.chunks(2).map(|wide| pair(self, wide)).collect()
    }

    /// The same numbers with 32 bits.
    fn narrow(&mut self, from: Ty, to: Ty, wide: &[Value]) -> Option<Vec<Value>> {
        match (is_float(from), is_float(to)) {
            (false, false) => Some(self.halves(wide)),
            (true, true) => {
                let pair = |this: &mut Self, pair: &[Value]| {
                    let [low, high] = [pair[0], pair[1]].map(|part| this.b.ins().fvdemote(part));
                    let both = this.shuffle(low, high, [0, 1, 4, 5]);
                    this.as_type(F32X4, both)
                };
                Some(wide.chunks(2).map(|wide| pair(self, wide)).collect())
            }
            _ => None,
        }
    }

    /// The same numbers with 64 bits.
    fn wide(&mut self, from: Ty, to: Ty, narrow: &[Value]) -> Option<Vec<Value>> {
        let mut wide = Vec::with_capacity(2 * narrow.len());
        for &part in narrow {
            wide.extend(match (from, is_float(to)) {
                (Ty::F32, true) => {
                    let high = self.upper(part);
                    [part, high].map(|part| self.b.ins().fvpromote_low(part))
                }
                (Ty::I32, true) => {
                    let high = self.upper(part);
                    [part, high].map(|part| {
                        let long = self.b.ins().swiden_low(part);
                        self.b.ins().fcvt_from_sint(F64X2, long)
                    })
                }
                (Ty::I32, false) => [self.b.ins().swiden_low(part), self.b.ins().swiden_high(part)],
                (Ty::U32, false) => [self.b.ins().uwiden_low(part), self.b.ins().uwiden_high(part)],
                _ => return None,
            });
        }
        Some(wide)
    }

    /// The upper two lanes, in the place of the lower ones.
    fn upper(&mut self, part: Value) -> Value {
        let ty = self.b.func.dfg.value_type(part);
        let words = self.shuffle(part, part, [2, 3, 2, 3]);
        self.as_type(ty, words)
    }

    fn part_convert(&mut self, from: Ty, to: Ty, a: Value) -> Option<Value> {
        Some(match (from, to) {
            (Ty::Bool, Ty::I32 | Ty::U32) => {
                let one = self.vector_constant([1; 4]);
                self.b.ins().band(a, one)
            }
            (Ty::Bool, Ty::F32) => {
                let one = self.vector_constant([1f32.to_bits(); 4]);
                let number = self.b.ins().band(a, one);
                self.as_type(F32X4, number)
            }
            (Ty::I32 | Ty::U32, Ty::I32 | Ty::U32) => a,
            (Ty::I32, Ty::F32) => self.b.ins().fcvt_from_sint(F32X4, a),
            (Ty::U32, Ty::F32) => self.b.ins().fcvt_from_uint(F32X4, a),
            (Ty::F32, Ty::I32 | Ty::U32) => {
                let most = self.vector_constant([(largest(from, to) as f32).to_bits(); 4]);
                let most = self.as_type(F32X4, most);
                let held = self.part_less(most, a, most, a);
                if to == Ty::I32 {
                    self.b.ins().fcvt_to_sint_sat(I32X4, held)
                } else {
                    self.b.ins().fcvt_to_uint_sat(I32X4, held)
                }
            }
            _ => return None,
        })
    }
}
