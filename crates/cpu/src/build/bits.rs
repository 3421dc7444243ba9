//! Bits of words: fields, and several numbers in one word.

use super::Builder;
use crate::ir::{Binary, Helper, Op, Ty, Unary, Value};

impl Builder<'_> {
    pub(super) fn extract_bits(&mut self, x: Value, offset: Value, count: Value) -> Value {
        let ty = self.f.ty(x);
        let width = self.u32(ty.bytes() * 8);
        let offset = self.binary(Binary::Min, offset, width);
        let room = self.binary(Binary::Sub, width, offset);
        let count = self.binary(Binary::Min, count, room);
        let up = self.binary(Binary::Sub, room, count);
        let down = self.binary(Binary::Sub, width, count);
        let high = self.binary(Binary::Shl, x, up);
        let field = self.binary(Binary::Shr, high, down);
        let (zero, none) = (self.zero(ty), self.u32(0));
        let empty = self.binary(Binary::Eq, count, none);
        self.select(empty, zero, field)
    }

    pub(super) fn insert_bits(&mut self, old: Value, new: Value, offset: Value, count: Value) -> Value {
        let ty = self.f.ty(old);
        let unsigned = if ty.bytes() == 8 { Ty::U64 } else { Ty::U32 };
        let (a, b) = (self.bitcast(old, unsigned), self.bitcast(new, unsigned));
        let width = self.u32(ty.bytes() * 8);
        let offset = self.binary(Binary::Min, offset, width);
        let room = self.binary(Binary::Sub, width, offset);
        let count = self.binary(Binary::Min, count, room);
        let down = self.binary(Binary::Sub, width, count);
        let ones = self.ones(unsigned);
        let low = self.binary(Binary::Shr, ones, down);
        let mask = self.binary(Binary::Shl, low, offset);
        let moved = self.binary(Binary::Shl, b, offset);
        let field = self.binary(Binary::And, moved, mask);
        let hole = self.unary(Unary::Not, mask);
        let kept = self.binary(Binary::And, a, hole);
        let whole = self.binary(Binary::Or, kept, field);
        let none = self.u32(0);
        let empty = self.binary(Binary::Eq, count, none);
        let whole = self.select(empty, a, whole);
        self.bitcast(whole, ty)
    }

    /// Parts of a word of so many bits, sign-extended if the type is signed.
    pub(super) fn cut(&mut self, word: Value, bits: u32, ty: Ty) -> Vec<Value> {
        let word = self.bitcast(word, ty);
        let down = self.u32(32 - bits);
        (0..32 / bits)
            .map(|i| {
                let up = self.u32(32 - bits * (i + 1));
                let high = self.binary(Binary::Shl, word, up);
                self.binary(Binary::Shr, high, down)
            })
            .collect()
    }

    /// The low bits of each part, side by side.
    pub(super) fn join(&mut self, parts: &[Value], bits: u32) -> Vec<Value> {
        let mask = self.u32((1 << bits) - 1);
        let mut word = self.u32(0);
        for (i, &part) in parts.iter().enumerate() {
            let part = self.bitcast(part, Ty::U32);
            let low = self.binary(Binary::And, part, mask);
            let amount = self.u32(bits * i as u32);
            let moved = self.binary(Binary::Shl, low, amount);
            word = self.binary(Binary::Or, word, moved);
        }
        vec![word]
    }

    pub(super) fn pack_norm(&mut self, items: &[Value], bits: u32, low: f64, scale: f64) -> Vec<Value> {
        let [low, one, scale] = [low, 1.0, scale].map(|x| self.float(Ty::F32, x));
        let parts: Vec<Value> = items
            .iter()
            .map(|&x| {
                let x = self.clamp(x, low, one);
                self.emit(Ty::I32, Op::Call(Helper::Norm, vec![x, scale]))
            })
            .collect();
        self.join(&parts, bits)
    }

    pub(super) fn unpack_norm(&mut self, word: Value, bits: u32, ty: Ty, scale: f64) -> Vec<Value> {
        let (scale, minus) = (self.float(Ty::F32, scale), self.float(Ty::F32, -1.0));
        let parts = self.cut(word, bits, ty);
        parts
            .into_iter()
            .map(|part| {
                let x = self.convert(part, Ty::F32);
                let x = self.binary(Binary::Div, x, scale);
                if ty == Ty::I32 { self.binary(Binary::Max, x, minus) } else { x }
            })
            .collect()
    }

    pub(super) fn pack_bytes(&mut self, items: &[Value], bounds: Option<(u32, u32)>) -> Vec<Value> {
        let parts: Vec<Value> = items
            .iter()
            .map(|&x| match bounds {
                None => x,
                Some((low, high)) => {
                    let ty = self.f.ty(x);
                    let (low, high) = (self.constant(ty, low.into()), self.constant(ty, high.into()));
                    self.clamp(x, low, high)
                }
            })
            .collect();
        self.join(&parts, 8)
    }

    pub(super) fn dot_bytes(&mut self, args: &[Vec<Value>], ty: Ty) -> Value {
        let [a, b] = [args[0][0], args[1][0]].map(|bytes| match ty {
            Ty::U32 => bytes,
            _ => self.emit(ty, Op::Bitcast(bytes)),
        });
        self.binary(Binary::Dot, a, b)
    }
}
