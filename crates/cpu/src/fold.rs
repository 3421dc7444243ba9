//! What operations on literals give, as the reference device computes them: integers wrap,
//! `x / 0` is `x`, `x % 0` is 0, shifts go by the amount modulo the width.

use std::collections::HashMap;

use crate::interval::Range;
use crate::ir::{Address, Binary, Bound, Def, Function, Node, Op, Ty, Unary, Value};

/// What an operation comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Folded {
    /// The bits of a literal.
    Bits(u64),
    /// One of its operands.
    Is(Value),
}

/// Literals by type and bits, so that one number is one value.
pub(crate) struct Literals(HashMap<(Ty, u64), Value>);

impl Literals {
    pub(crate) fn of(f: &Function) -> Self {
        let literal = |(i, def): (usize, &Def)| match def.op {
            Op::Const(bits) => Some(((def.ty, bits), Value(i as u32))),
            _ => None,
        };
        Self(f.values.iter().enumerate().rev().filter_map(literal).collect())
    }

    pub(crate) fn value(&mut self, f: &mut Function, ty: Ty, bits: u64) -> Value {
        *self.0.entry((ty, bits)).or_insert_with(|| f.define(ty, Op::Const(bits)))
    }

    /// Evaluates an operation at the end of nodes, unless it folds.
    pub(crate) fn emit(&mut self, f: &mut Function, ty: Ty, op: Op, nodes: &mut Vec<Node>) -> Value {
        match fold(f, ty, &op, &|operand| f.constant(operand)) {
            Some(Folded::Bits(bits)) => self.value(f, ty, bits),
            Some(Folded::Is(operand)) => operand,
            None => f.emit(ty, op, nodes),
        }
    }
}

/// What an operation of type `ty` comes to, where `known` tells the bits of operands.
pub(crate) fn fold(f: &Function, ty: Ty, op: &Op, known: &dyn Fn(Value) -> Option<u64>) -> Option<Folded> {
    match *op {
        Op::Binary(op, a, b) => match (known(a), known(b)) {
            (Some(x), Some(y)) => binary(op, f.ty(a), x, y).map(Folded::Bits),
            (x, y) => same(op, f.ty(a), (a, x), (b, y)).or_else(|| bounded(f, op, a, y?)),
        },
        Op::Unary(op, a) => unary(op, ty, known(a)?).map(Folded::Bits),
        Op::Select(condition, accept, reject) => match known(condition) {
            Some(0) => Some(Folded::Is(reject)),
            Some(_) => Some(Folded::Is(accept)),
            None => (accept == reject).then_some(Folded::Is(accept)),
        },
        Op::Convert(a) => convert(f.ty(a), ty, known(a)?).map(Folded::Bits),
        Op::Bitcast(a) => {
            let word = |ty: Ty| matches!(ty, Ty::I32 | Ty::U32 | Ty::F32);
            let bits = known(a)?;
            (word(ty) && word(f.ty(a))).then_some(Folded::Bits(bits))
        }
        Op::Param
        | Op::Const(_)
        | Op::Builtin(_)
        | Op::Length { .. }
        | Op::Call(..)
        | Op::Load { .. }
        | Op::Run(..)
        | Op::Atomic { .. }
        | Op::Subgroup(..)
        | Op::Edge(..)
        | Op::AnyLane(_)
        | Op::Callers
        | Op::Recall(_)
        | Op::Any(_) => None,
    }
}

fn binary(op: Binary, ty: Ty, x: u64, y: u64) -> Option<u64> {
    if op.compares() {
        return op.decide(ty, x, y).map(u64::from);
    }
    let (a, b) = (x as u32, y as u32);
    let (i, j) = (x as i32, y as i32);
    let signed = match ty {
        Ty::I32 => true,
        Ty::U32 => false,
        Ty::Bool => {
            return match op {
                Binary::And => Some(x & y),
                Binary::Or => Some(x | y),
                _ => None,
            };
        }
        Ty::F16 | Ty::F32 | Ty::F64 | Ty::I64 | Ty::U64 => return None,
    };
    let bits = match op {
        Binary::Add => a.wrapping_add(b),
        Binary::Sub => a.wrapping_sub(b),
        Binary::Mul => a.wrapping_mul(b),
        Binary::Div if b == 0 => a,
        Binary::Div if signed => i.wrapping_div(j) as u32,
        Binary::Div => a / b,
        Binary::Rem if b == 0 => 0,
        Binary::Rem if signed => i.wrapping_rem(j) as u32,
        Binary::Rem => a % b,
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::Shl => a.wrapping_shl(b),
        Binary::Shr if signed => i.wrapping_shr(b) as u32,
        Binary::Shr => a.wrapping_shr(b),
        Binary::Min if signed => i.min(j) as u32,
        Binary::Min => a.min(b),
        Binary::Max if signed => i.max(j) as u32,
        Binary::Max => a.max(b),
        Binary::Dot => {
            let product = |(x, y): (u8, u8)| {
                if signed { (i32::from(x as i8) * i32::from(y as i8)) as u32 } else { u32::from(x) * u32::from(y) }
            };
            a.to_le_bytes().into_iter().zip(b.to_le_bytes()).map(product).fold(0, u32::wrapping_add)
        }
        Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => return None,
    };
    Some(bits.into())
}

/// Integers that an operation leaves as they are, and what is nothing times something.
fn same(op: Binary, ty: Ty, a: (Value, Option<u64>), b: (Value, Option<u64>)) -> Option<Folded> {
    if !matches!(ty, Ty::I32 | Ty::U32) {
        return None;
    }
    match (op, a, b) {
        (Binary::Add, (_, Some(0)), (x, _)) | (Binary::Mul, (_, Some(1)), (x, _)) => Some(Folded::Is(x)),
        (Binary::Add | Binary::Sub | Binary::Shl | Binary::Shr, (x, _), (_, Some(0))) => Some(Folded::Is(x)),
        (Binary::Mul | Binary::Div, (x, _), (_, Some(1))) => Some(Folded::Is(x)),
        (Binary::Mul, (_, Some(0)), _) | (Binary::Mul, _, (_, Some(0))) => Some(Folded::Bits(0)),
        _ => None,
    }
}

/// The least of a number and one that it never exceeds, and whether it is less than that.
fn bounded(f: &Function, op: Binary, a: Value, limit: u64) -> Option<Folded> {
    match op {
        Binary::Min => (most(f, a)? <= limit).then_some(Folded::Is(a)),
        Binary::Lt => (most(f, a)? < limit).then_some(Folded::Bits(1)),
        _ => None,
    }
}

/// The greatest that an unsigned number can be, where the operation that makes it says so.
fn most(f: &Function, a: Value) -> Option<u64> {
    let (Ty::U32, &Op::Binary(op, x, y)) = (f.ty(a), f.op(a)) else { return None };
    let of = |side: Value| f.constant(side).map_or_else(|| Range::all(Ty::U32), |bits| Some(Range::one(bits as i64)));
    Range::made(op, Ty::U32, of(x)?, of(y)?).map(|range| range.high as u64)
}

fn unary(op: Unary, ty: Ty, bits: u64) -> Option<u64> {
    match (op, ty) {
        (Unary::Not, Ty::Bool) => Some(bits ^ 1),
        (Unary::Not, Ty::I32 | Ty::U32) => Some((!(bits as u32)).into()),
        (Unary::Negate, Ty::I32) => Some((bits as u32).wrapping_neg().into()),
        _ => None,
    }
}

fn convert(from: Ty, to: Ty, bits: u64) -> Option<u64> {
    match (from, to) {
        (Ty::I32 | Ty::U32 | Ty::Bool, Ty::I32 | Ty::U32) => Some(bits),
        (Ty::I32 | Ty::U32, Ty::Bool) => Some((bits != 0).into()),
        (Ty::I32, Ty::F32) => Some((bits as i32 as f32).to_bits().into()),
        (Ty::U32, Ty::F32) => Some((bits as u32 as f32).to_bits().into()),
        _ => None,
    }
}

/// Takes literal indices that are within their bounds into the offset.
pub(crate) fn settle(f: &Function, at: &mut Address) {
    let mut offset = at.offset;
    at.terms.retain(|term| {
        let (Some(index), Bound::Const(bound)) = (f.constant(term.index), term.bound) else { return true };
        let ahead = (index as u32).checked_mul(term.stride).and_then(|ahead| ahead.checked_add(offset));
        match ahead {
            Some(ahead) if index < u64::from(bound) => {
                offset = ahead;
                false
            }
            _ => true,
        }
    });
    at.offset = offset;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_wrap_and_never_trap() {
        let min = u64::from(i32::MIN as u32);
        let minus = u64::from(u32::MAX);
        for (op, ty, a, b, expected) in [
            (Binary::Add, Ty::U32, minus, 1, 0),
            (Binary::Sub, Ty::U32, 0, 1, minus),
            (Binary::Mul, Ty::I32, min, 2, 0),
            (Binary::Div, Ty::I32, min, minus, min),
            (Binary::Rem, Ty::I32, min, minus, 0),
            (Binary::Div, Ty::I32, minus, 2, 0),
            (Binary::Div, Ty::U32, minus, 2, minus >> 1),
            (Binary::Div, Ty::U32, 7, 0, 7),
            (Binary::Rem, Ty::U32, 7, 0, 0),
            (Binary::Shl, Ty::U32, 1, 33, 2),
            (Binary::Shr, Ty::I32, minus, 1, minus),
            (Binary::Shr, Ty::U32, minus, 31, 1),
            (Binary::Min, Ty::I32, minus, 1, minus),
            (Binary::Max, Ty::U32, minus, 1, minus),
            (Binary::Lt, Ty::I32, minus, 0, 1),
            (Binary::Lt, Ty::U32, minus, 0, 0),
        ] {
            assert_eq!(binary(op, ty, a, b), Some(expected), "{op:?} {ty} {a:#x} {b:#x}");
        }
        assert_eq!(binary(Binary::Add, Ty::F32, 0, 0), None);
        assert_eq!(convert(Ty::I32, Ty::F32, minus), Some((-1.0_f32).to_bits().into()));
    }

    #[test]
    fn numbers_that_are_small_need_no_limit() {
        let text = "kernel main workgroup 8,1,1\nm0 = buffer 0\nv0: u32 = Load m0[0 + LocalIndex*4 <length0]\n\
            v1: u32 = And v0 u32:0xff\nv2: u32 = Shr v0 u32:0x18\nv3: u32 = Rem v0 u32:0x100\n\
            Store m0[0 + LocalIndex*4 <length0] = v3\n";
        let f = crate::ir::parse::parse(text).unwrap();
        let small: Vec<Value> =
            (0..f.values.len() as u32).map(Value).filter(|&value| most(&f, value) == Some(255)).collect();
        assert_eq!(small.len(), 3);
        for value in small {
            assert_eq!(bounded(&f, Binary::Min, value, 255), Some(Folded::Is(value)));
            assert_eq!(bounded(&f, Binary::Min, value, 254), None);
            assert_eq!(bounded(&f, Binary::Lt, value, 256), Some(Folded::Bits(1)));
            assert_eq!(bounded(&f, Binary::Lt, value, 255), None);
        }
    }
}
