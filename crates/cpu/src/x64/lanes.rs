//! Operations on one number for each lane.

use super::form::{Val, args};
use super::op::{Alu, Bits, Class, Op, Size};
use super::scalar::{CEIL, FLOOR, NEAREST, TRUNC};
use super::vector::V;
use super::{X64, is_float, is_signed};
use crate::emit::{Lanes, Prim};
use crate::helpers::Helper;
use crate::ir::{Binary, Ty, Unary};

type Operand = Lanes<Val, Vec<Val>>;

/// Comparisons of floats: numbers without an order are not equal, and nothing else.
const EQUAL: u8 = 0x00;
pub(super) const NOT_EQUAL: u8 = 0x04;
const LESS: u8 = 0x11;
const LESS_EQUAL: u8 = 0x12;
const GREATER_EQUAL: u8 = 0x1d;
const GREATER: u8 = 0x1e;

impl X64 {
    pub(super) fn lane_op(&mut self, prim: Prim, ty: Ty, of: Ty, given: &[Operand]) -> Vec<Val> {
        match self.part_op(prim, ty, of, given) {
            Some(parts) => parts,
            None => self.lane_by_lane(prim, ty, of, given),
        }
    }

    fn lane_by_lane(&mut self, prim: Prim, ty: Ty, of: Ty, given: &[Operand]) -> Vec<Val> {
        let operand_type = |index: usize| match prim {
            Prim::Select if index == 0 => Ty::Bool,
            Prim::Select => ty,
            Prim::Binary(Binary::Shl | Binary::Shr) if index == 1 => Ty::U32,
            Prim::Call(helper) => helper.signature().0[index].ty(),
            Prim::Convert(from) | Prim::Bitcast(from) => from,
            Prim::Unary(_) | Prim::Binary(_) => of,
        };
        let lanes: Vec<Val> = (0..self.width)
            .map(|lane| {
                let number = |(i, operand): (usize, &Operand)| match operand {
                    Lanes::Same(scalar) => *scalar,
                    Lanes::Each(parts) => self.lane_at(operand_type(i), parts, lane),
                };
                let numbers: Vec<Val> = given.iter().enumerate().map(number).collect();
                self.scalar_op(prim, ty, of, &numbers)
            })
            .collect();
        self.pack_lanes(ty, &lanes)
    }

    fn each(&mut self, ty: Ty, operand: &Operand) -> Vec<Val> {
        match operand {
            Lanes::Each(parts) => parts.clone(),
            Lanes::Same(scalar) => self.splat_lanes(ty, *scalar),
        }
    }

    fn select_lanes(&mut self, ty: Ty, given: &[Operand]) -> Vec<Val> {
        let (accept, reject, bits) = (self.each(ty, &given[1]), self.each(ty, &given[2]), self.bits_of(ty));
        let pairs = accept.into_iter().zip(reject);
        match &given[0] {
            Lanes::Same(condition) => pairs.map(|(a, b)| self.select(Class::Vector, *condition, a, b)).collect(),
            Lanes::Each(mask) => {
                let mask = self.masks(ty, mask);
                mask.into_iter().zip(pairs).map(|(mask, (a, b))| self.blend(ty, bits, mask, a, b)).collect()
            }
        }
    }

    /// A mask with lanes as wide as those that it is for.
    fn masks(&mut self, ty: Ty, mask: &[Val]) -> Vec<Val> {
        if ty.bytes() < 8 {
            return mask.to_vec();
        }
        let bits = self.bits_of(ty);
        let mut wide = Vec::new();
        for &part in mask {
            if let Some(known) = self.wide_masks.get(&part) {
                wide.extend(known);
                continue;
            }
            let halves = self.halved(Ty::Bool, &[part]);
            wide.extend(halves.into_iter().map(|half| self.v1(V::SignedDq, bits, half)));
        }
        wide
    }

    /// Masks of 64-bit lanes, as those of 32-bit ones. Mostly they come back to where they were.
    fn narrow_masks(&mut self, wide: &[Val]) -> Vec<Val> {
        let narrow = self.low_words(wide);
        let each = wide.len() / narrow.len();
        self.wide_masks.extend(narrow.iter().copied().zip(wide.chunks(each).map(<[Val]>::to_vec)));
        narrow
    }

    /// Lanes of the mask from the first, others from the second.
    pub(super) fn blend(&mut self, ty: Ty, bits: Bits, mask: Val, accept: Val, reject: Val) -> Val {
        if accept == reject {
            return accept;
        }
        if let Some(known) = self.form.bytes(mask) {
            if known.iter().all(|&byte| byte == 0xff) {
                return accept;
            }
            if known.iter().all(|&byte| byte == 0) {
                return reject;
            }
        }
        if let Some(mask) = self.negated(bits, mask) {
            return self.blend(ty, bits, mask, reject, accept);
        }
        let is_zero = |val: Val| self.form.bytes(val).is_some_and(|bytes| bytes.iter().all(|&byte| byte == 0));
        if is_zero(reject) {
            return self.v2(V::And, bits, mask, accept);
        }
        if is_zero(accept) {
            return self.v2(V::AndNot, bits, mask, reject);
        }
        let op = if ty.bytes() == 8 { V::BlendPd } else { V::Blend };
        self.form.pure(Op::V(op, bits, 0), args([reject, accept, mask]))
    }

    /// The mask of which this is the opposite.
    fn negated(&self, bits: Bits, mask: Val) -> Option<Val> {
        let Op::V(V::Xor, of, _) = self.form.op(mask) else { return None };
        let [a, b, ..] = self.form.args(mask);
        let ones = self.form.bytes(b)?.iter().all(|&byte| byte == 0xff);
        (of == bits && ones).then_some(a)
    }

    pub(super) fn not(&mut self, bits: Bits, mask: Val) -> Val {
        if let Some(mask) = self.negated(bits, mask) {
            return mask;
        }
        let ones = self.words(bits, u32::MAX);
        self.v2(V::Xor, bits, mask, ones)
    }

    /// A mask of the lanes that are not zero.
    pub(super) fn is_set(&mut self, bits: Bits, words: Val) -> Val {
        let zero = self.words(bits, 0);
        let none = self.v2(V::EqualD, bits, words, zero);
        self.not(bits, none)
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

    fn shift_lanes(&mut self, op: Binary, of: Ty, given: &[Operand]) -> Option<Vec<Val>> {
        let (wide, bits) = (of.bytes() == 8, self.bits_of(of));
        let arithmetic = op == Binary::Shr && is_signed(of);
        if wide && arithmetic {
            return None;
        }
        let a = self.each(of, &given[0]);
        let last = if wide { 63 } else { 31 };
        let amount = match &given[1] {
            Lanes::Same(amount) => match self.form.literal(*amount) {
                Some(by) => {
                    let by = by as u8 & last;
                    let op = match (op, wide, arithmetic) {
                        (_, false, true) => V::SarD,
                        (Binary::Shl, false, _) => V::ShlD,
                        (Binary::Shl, true, _) => V::ShlQ,
                        (_, false, false) => V::ShrD,
                        (_, true, _) => V::ShrQ,
                    };
                    return Some(a.into_iter().map(|a| if by == 0 { a } else { self.vi(op, bits, a, by) }).collect());
                }
                None => {
                    let mask = self.int(i64::from(last));
                    let amount = self.alu(Alu::And, Size::Word, *amount, mask);
                    let amount = self.form.pure(Op::ToVector(Size::Word), args([amount]));
                    let op = match (op, wide, arithmetic) {
                        (_, false, true) => V::SarByD,
                        (Binary::Shl, false, _) => V::ShlByD,
                        (Binary::Shl, true, _) => V::ShlByQ,
                        (_, false, false) => V::ShrByD,
                        (_, true, _) => V::ShrByQ,
                    };
                    return Some(a.into_iter().map(|a| self.v2(op, bits, a, amount)).collect());
                }
            },
            Lanes::Each(amount) if wide => self.widen(Ty::U32, Ty::U64, amount)?,
            Lanes::Each(amount) => amount.clone(),
        };
        let op = match (op, wide, arithmetic) {
            (_, false, true) => V::SarEachD,
            (Binary::Shl, false, _) => V::ShlEachD,
            (Binary::Shl, true, _) => V::ShlEachQ,
            (_, false, false) => V::ShrEachD,
            (_, true, _) => V::ShrEachQ,
        };
        let mask = if wide { self.doubles(bits, last.into()) } else { self.words(bits, last.into()) };
        let shift = |(a, by): (Val, Val)| {
            let by = self.v2(V::And, bits, by, mask);
            self.v2(op, bits, a, by)
        };
        Some(a.into_iter().zip(amount).map(shift).collect())
    }

    /// By floats of 64 bits: a quotient of words that is not whole is further from the next whole number
    /// than their rounding reaches.
    fn divide_lanes(&mut self, op: Binary, of: Ty, a: &[Val], b: &[Val]) -> Vec<Val> {
        let (bits, wide) = (self.bits_of(of), self.bits_of(Ty::F64));
        let (zero, one) = (self.words(bits, 0), self.words(bits, 1));
        let divisors: Vec<Val> = b
            .iter()
            .map(|&b| {
                let none = self.v2(V::EqualD, bits, b, zero);
                self.blend(of, bits, none, one, b)
            })
            .collect();
        let as_double = |this: &mut Self, parts: &[Val]| {
            this.widen(of, Ty::F64, parts).unwrap_or_else(|| unreachable!("invariant division: words become doubles"))
        };
        let (above, below) = (as_double(self, a), as_double(self, &divisors));
        let most = self.doubles(wide, 0x4330_0000_0000_0000);
        let quotients: Vec<Val> = above
            .into_iter()
            .zip(below)
            .map(|(a, b)| {
                let quotient = self.v2(V::DivPd, wide, a, b);
                if is_signed(of) {
                    return self.v1(V::PdToDwords, wide, quotient);
                }
                let whole = self.vi(V::RoundPd, wide, quotient, TRUNC);
                self.v2(V::AddPd, wide, whole, most)
            })
            .collect();
        let quotients = if is_signed(of) { self.joined(of, &quotients) } else { self.low_words(&quotients) };
        if op == Binary::Div {
            return quotients;
        }
        let rest = |((&a, &b), q): ((&Val, &Val), Val)| {
            let back = self.v2(V::MulD, bits, q, b);
            self.v2(V::SubD, bits, a, back)
        };
        a.iter().zip(&divisors).zip(quotients).map(rest).collect()
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
            Unary::Not => self.not(bits, a),
            Unary::Abs if is_float(of) => self.positive(size, bits, a),
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
            Binary::Div | Binary::Rem | Binary::Shl | Binary::Shr => return None,
            Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => return None,
        };
        Some(self.v2(op, bits, a, b))
    }

    /// Of 64 bits: the product of the lower words, and those across them, a word further up.
    fn multiply_wide(&mut self, bits: Bits, a: Val, b: Val) -> Val {
        let [upper_a, upper_b] = [a, b].map(|n| self.vi(V::ShrQ, bits, n, 32));
        let across = [[upper_a, b], [a, upper_b]].map(|[a, b]| self.v2(V::MulUdq, bits, a, b));
        let across = self.v2(V::AddQ, bits, across[0], across[1]);
        let (across, low) = (self.vi(V::ShlQ, bits, across, 32), self.v2(V::MulUdq, bits, a, b));
        self.v2(V::AddQ, bits, low, across)
    }

    fn part_compare(&mut self, op: Binary, of: Ty, bits: Bits, a: Val, b: Val) -> Val {
        let wide = of.bytes() == 8;
        if is_float(of) {
            let how = match op {
                Binary::Eq => EQUAL,
                Binary::Ne => NOT_EQUAL,
                Binary::Lt => LESS,
                Binary::Le => LESS_EQUAL,
                Binary::Gt => GREATER,
                _ => GREATER_EQUAL,
            };
            return self.v2i(if wide { V::CmpPd } else { V::CmpPs }, bits, a, b, how);
        }
        let (equal, greater) = if wide { (V::EqualQ, V::GreaterQ) } else { (V::EqualD, V::GreaterD) };
        if of == Ty::Bool && op == Binary::Ne {
            return self.v2(V::Xor, bits, a, b);
        }
        match op {
            Binary::Eq => return self.v2(equal, bits, a, b),
            Binary::Ne => {
                let same = self.v2(equal, bits, a, b);
                return self.not(bits, same);
            }
            _ => {}
        }
        if !wide && !is_signed(of) {
            // One of them is the larger or the lesser of both.
            let (extreme, not) = match op {
                Binary::Ge => (V::MaxUd32, false),
                Binary::Lt => (V::MaxUd32, true),
                Binary::Le => (V::MinUd32, false),
                _ => (V::MinUd32, true),
            };
            let extreme = self.v2(extreme, bits, a, b);
            let holds = self.v2(V::EqualD, bits, extreme, a);
            return if not { self.not(bits, holds) } else { holds };
        }
        let [a, b] = if wide && !is_signed(of) {
            // Unsigned numbers are compared as signed ones, from the middle of their range.
            let middle = self.doubles(bits, 1 << 63);
            [a, b].map(|n| self.v2(V::Xor, bits, n, middle))
        } else {
            [a, b]
        };
        match op {
            Binary::Gt => self.v2(greater, bits, a, b),
            Binary::Lt => self.v2(greater, bits, b, a),
            Binary::Le => {
                let more = self.v2(greater, bits, a, b);
                self.not(bits, more)
            }
            _ => {
                let less = self.v2(greater, bits, b, a);
                self.not(bits, less)
            }
        }
    }
}
