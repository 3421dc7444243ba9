//! Operations on one number for each lane.

use super::form::{Val, args};
use super::op::Op;
use super::reg::{Bits, Size};
use super::scalar::{CEIL, FLOOR, NEAREST, TRUNC};
use super::vector::V;
use super::{X64, is_float, is_signed};
use crate::emit::{Lanes, Prim, lane_by_lane};
use crate::helpers::Helper;
use crate::ir::{Binary, Ty, Unary};

type Operand = Lanes<Val, Vec<Val>>;

impl X64 {
    pub(super) fn lane_op(&mut self, prim: Prim, ty: Ty, of: Ty, given: &[Operand]) -> Vec<Val> {
        match self.part_op(prim, ty, of, given) {
            Some(parts) => parts,
            None => lane_by_lane(self, prim, ty, of, given),
        }
    }

    pub(super) fn each(&mut self, ty: Ty, operand: &Operand) -> Vec<Val> {
        match operand {
            Lanes::Each(parts) => parts.clone(),
            Lanes::Same(scalar) => self.splat_lanes(ty, *scalar),
        }
    }

    /// The other sign.
    pub(super) fn flip(&mut self, size: Size, bits: Bits, a: Val) -> Val {
        let sign = match size {
            Size::Word => self.words(bits, 1 << 31),
            Size::Double => self.doubles(bits, 1 << 63),
        };
        self.form.pure(Op::V(V::XorPs, bits, 0), args([a, sign]))
    }

    /// Without its sign.
    pub(super) fn positive(&mut self, size: Size, bits: Bits, a: Val) -> Val {
        let rest = match size {
            Size::Word => self.words(bits, !(1 << 31)),
            Size::Double => self.doubles(bits, !(1 << 63)),
        };
        self.form.pure(Op::V(V::AndPs, bits, 0), args([a, rest]))
    }

    /// `a * b + c`, rounded once. A literal sum may come from memory; otherwise a sum is likely to be the last
    /// that is wanted of `c`.
    pub(super) fn fused(&mut self, size: Size, bits: Bits, alone: bool, [a, b, c]: [Val; 3]) -> Val {
        let literal = self.form.bytes(c).is_some();
        let (op, operands) = match (size, alone) {
            (Size::Word, true) => (V::FmaSs, [a, b, c]),
            (Size::Double, true) => (V::FmaSd, [a, b, c]),
            (Size::Word, false) if literal => (V::FmaPs, [a, b, c]),
            (Size::Double, false) if literal => (V::FmaPd, [a, b, c]),
            (Size::Word, false) => (V::SumPs, [c, a, b]),
            (Size::Double, false) => (V::SumPd, [c, a, b]),
        };
        self.form.pure(Op::V(op, bits, 0), args(operands))
    }

    /// The operation on machine vectors, if there is one.
    fn part_op(&mut self, prim: Prim, ty: Ty, of: Ty, given: &[Operand]) -> Option<Vec<Val>> {
        match prim {
            Prim::Select => Some(self.select_lanes(ty, given)),
            Prim::Unary(op) => {
                let (a, bits) = (self.each(of, &given[0]), self.bits_of(of));
                let parts: Option<Vec<Val>> = a.into_iter().map(|a| self.part_unary(op, of, bits, a)).collect();
                Some(self.rounded(ty, parts?))
            }
            Prim::Binary(op @ (Binary::Shl | Binary::Shr)) => self.shift_lanes(op, of, given),
            Prim::Binary(op @ (Binary::Div | Binary::Rem)) if !is_float(of) => {
                if of.bytes() == 8 {
                    return None;
                }
                let (a, b) = (self.each(of, &given[0]), self.each(of, &given[1]));
                Some(self.divide_lanes(op, of, &a, &b))
            }
            Prim::Binary(op) => {
                let (a, b, bits) = (self.each(of, &given[0]), self.each(of, &given[1]), self.bits_of(of));
                let pairs = a.into_iter().zip(b);
                let parts: Option<Vec<Val>> = pairs.map(|(a, b)| self.part_binary(op, of, bits, a, b)).collect();
                Some(match op.compares() {
                    true if of.bytes() == 8 => self.narrow_masks(&parts?),
                    true => parts?,
                    false => self.rounded(ty, parts?),
                })
            }
            Prim::Convert(from) => self.convert_lanes(from, ty, &given[0]),
            Prim::Bitcast(from) => Some(self.each(from, &given[0])),
            Prim::Call(Helper::Fma | Helper::FmaD) => {
                let [a, b, c] = [0, 1, 2].map(|i| self.each(of, &given[i]));
                let (size, bits) = (super::size_of(of), self.bits_of(of));
                let sums = a.into_iter().zip(b).zip(c);
                Some(sums.map(|((a, b), c)| self.fused(size, bits, false, [a, b, c])).collect())
            }
            Prim::Call(_) => None,
        }
    }

    fn convert_lanes(&mut self, from: Ty, to: Ty, operand: &Operand) -> Option<Vec<Val>> {
        let a = self.each(from, operand);
        let from = if from == Ty::F16 { Ty::F32 } else { from };
        match (from.bytes(), to.bytes()) {
            _ if from == to => Some(a),
            (_, 2) if from == Ty::F32 => Some(self.rounded(to, a)),
            (_, 2) => None,
            (8, 4) => self.narrow(from, to, &a),
            (4, 8) => self.widen(from, to, &a),
            (8, 8) if is_float(from) == is_float(to) => Some(a),
            (8, _) | (_, 8) => None,
            _ => {
                let bits = self.bits_of(to);
                a.into_iter().map(|a| self.part_convert(bits, from, to, a)).collect()
            }
        }
    }

    /// A half float is rounded after each operation.
    fn rounded(&mut self, ty: Ty, parts: Vec<Val>) -> Vec<Val> {
        if ty != Ty::F16 {
            return parts;
        }
        let bits = self.bits_of(ty);
        parts.into_iter().map(|part| self.quantize(bits, part)).collect()
    }

    fn part_unary(&mut self, op: Unary, of: Ty, bits: Bits, a: Val) -> Option<Val> {
        let (size, wide) = (super::size_of(of), of.bytes() == 8);
        let zero = |this: &mut Self| this.words(bits, 0);
        let rounded = |this: &mut Self, how| this.vi(if wide { V::RoundPd } else { V::RoundPs }, bits, a, how);
        Some(match op {
            Unary::Negate if is_float(of) => self.flip(size, bits, a),
            Unary::Negate => {
                let zero = zero(self);
                self.v2(if wide { V::SubQ } else { V::SubD }, bits, zero, a)
            }
            Unary::Not if of == Ty::Bool => self.mask_not(a),
            Unary::Not => self.not(bits, a),
            Unary::Abs if is_float(of) => self.positive(size, bits, a),
            Unary::Abs if wide && self.has_opmasks() => self.v1(V::AbsQ, bits, a),
            Unary::Abs if wide => {
                let zero = zero(self);
                let sign = self.v2(V::GreaterQ, bits, zero, a);
                let turned = self.v2(V::Xor, bits, a, sign);
                self.v2(V::SubQ, bits, turned, sign)
            }
            Unary::Abs => self.v1(V::AbsD, bits, a),
            Unary::Floor => rounded(self, FLOOR),
            Unary::Ceil => rounded(self, CEIL),
            Unary::Trunc => rounded(self, TRUNC),
            Unary::Round => rounded(self, NEAREST),
            Unary::Sqrt => self.v1(if wide { V::SqrtPd } else { V::SqrtPs }, bits, a),
            Unary::CountOnes | Unary::LeadingZeros | Unary::TrailingZeros | Unary::Reverse => return None,
        })
    }

    fn part_binary(&mut self, op: Binary, of: Ty, bits: Bits, a: Val, b: Val) -> Option<Val> {
        if op.compares() {
            return Some(self.part_compare(op, of, bits, a, b));
        }
        if of == Ty::Bool {
            return Some(self.mask_op(op, a, b));
        }
        let (float, signed, wide) = (is_float(of), is_signed(of), of.bytes() == 8);
        let one_of = |narrow, broad| if wide { broad } else { narrow };
        let (op, [a, b]) = match op {
            Binary::Add if float => (one_of(V::AddPs, V::AddPd), [a, b]),
            Binary::Sub if float => (one_of(V::SubPs, V::SubPd), [a, b]),
            Binary::Mul if float => (one_of(V::MulPs, V::MulPd), [a, b]),
            Binary::Div if float => (one_of(V::DivPs, V::DivPd), [a, b]),
            Binary::Min if float => (one_of(V::MinPs, V::MinPd), [b, a]),
            Binary::Max if float => (one_of(V::MaxPs, V::MaxPd), [b, a]),
            Binary::Min | Binary::Max if wide => {
                let greater = self.part_compare(Binary::Gt, of, bits, a, b);
                let [first, second] = if op == Binary::Max { [a, b] } else { [b, a] };
                return Some(self.blend(of, bits, greater, first, second));
            }
            Binary::Mul if wide => return Some(self.multiply_wide(bits, a, b)),
            Binary::Add => (one_of(V::AddD, V::AddQ), [a, b]),
            Binary::Sub => (one_of(V::SubD, V::SubQ), [a, b]),
            Binary::Mul => (V::MulD, [a, b]),
            Binary::And => match (self.negated(bits, a), self.negated(bits, b)) {
                (Some(a), _) => (V::AndNot, [a, b]),
                (None, Some(b)) => (V::AndNot, [b, a]),
                (None, None) => (V::And, [a, b]),
            },
            Binary::Or => (V::Or, [a, b]),
            Binary::Xor => (V::Xor, [a, b]),
            Binary::Min => (if signed { V::MinSd32 } else { V::MinUd32 }, [a, b]),
            Binary::Max => (if signed { V::MaxSd32 } else { V::MaxUd32 }, [a, b]),
            Binary::Dot => return Some(self.dot_part(signed, bits, a, b)),
            Binary::Div | Binary::Rem | Binary::Shl | Binary::Shr => return None,
            Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => return None,
        };
        Some(self.v2(op, bits, a, b))
    }
}
