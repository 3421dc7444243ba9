//! From numbers to lanes and back.

use super::form::{Val, args};
use super::isa::Isa;
use super::op::{Alu, Op, Shift};
use super::reg::{Bits, Size};
use super::vector::V;
use super::{X64, lane_bytes, size_of};
use crate::ir::Ty;

impl X64 {
    /// A literal for a vector register.
    pub(super) fn pool(&mut self, bytes: &[u8]) -> Val {
        let at = self.form.pool.place(bytes);
        self.form.pure(Op::Pool { at, bytes: bytes.len() as u8 }, args([]))
    }

    /// The same word in every lane.
    pub(super) fn words(&mut self, bits: Bits, word: u32) -> Val {
        self.pool(&word.to_le_bytes().repeat(bits.bytes() as usize / 4))
    }

    pub(super) fn doubles(&mut self, bits: Bits, double: u64) -> Val {
        self.pool(&double.to_le_bytes().repeat(bits.bytes() as usize / 8))
    }

    pub(super) fn v1(&mut self, op: V, bits: Bits, a: Val) -> Val {
        self.form.pure(Op::V(op, bits, 0), args([a]))
    }

    pub(super) fn vi(&mut self, op: V, bits: Bits, a: Val, literal: u8) -> Val {
        self.form.pure(Op::V(op, bits, literal), args([a]))
    }

    pub(super) fn v2(&mut self, op: V, bits: Bits, a: Val, b: Val) -> Val {
        if let Some(known) = self.folded(op, bits, a, b).or_else(|| self.rotated(op, bits, a, b)) {
            return known;
        }
        self.form.pure(Op::V(op, bits, 0), args([a, b]))
    }

    pub(super) fn v2i(&mut self, op: V, bits: Bits, a: Val, b: Val, literal: u8) -> Val {
        self.form.pure(Op::V(op, bits, literal), args([a, b]))
    }

    /// Both halves of a rotation are one.
    fn rotated(&mut self, op: V, bits: Bits, a: Val, b: Val) -> Option<Val> {
        let (Op::V(first, _, by), Op::V(second, _, back)) = (self.form.op(a), self.form.op(b)) else { return None };
        let of = self.form.args(a)[0];
        if !self.has_opmasks() || !matches!(op, V::Or | V::Xor) || of != self.form.args(b)[0] || by + back != 32 {
            return None;
        }
        match (first, second) {
            (V::ShlD, V::ShrD) => Some(self.vi(V::RotateD, bits, of, by)),
            (V::ShrD, V::ShlD) => Some(self.vi(V::RotateD, bits, of, back)),
            _ => None,
        }
    }

    /// What two literals give, where masks are made of such: those of a lane group that begins at a literal.
    fn folded(&mut self, op: V, bits: Bits, a: Val, b: Val) -> Option<Val> {
        let fun: fn(u32, u32) -> u32 = match op {
            V::AddD => u32::wrapping_add,
            V::And => |a, b| a & b,
            V::AndNot => |a, b| !a & b,
            V::Or => |a, b| a | b,
            V::Xor => |a, b| a ^ b,
            V::EqualD => |a, b| if a == b { u32::MAX } else { 0 },
            V::GreaterD => |a, b| if a as i32 > b as i32 { u32::MAX } else { 0 },
            V::MaxUd32 => u32::max,
            V::MinUd32 => u32::min,
            V::MaxSd32 => |a, b| (a as i32).max(b as i32) as u32,
            V::MinSd32 => |a, b| (a as i32).min(b as i32) as u32,
            _ => return None,
        };
        let constant = |all: &[u32], word: u32| all.iter().all(|&w| w == word);
        match (self.literal_words(bits, a), self.literal_words(bits, b)) {
            (Some(a), Some(b)) => {
                let bytes: Vec<u8> = a.iter().zip(&b).flat_map(|(&a, &b)| fun(a, b).to_le_bytes()).collect();
                Some(self.pool(&bytes))
            }
            (Some(known), None) => match op {
                V::And if constant(&known, u32::MAX) => Some(b),
                V::And if constant(&known, 0) => Some(a),
                V::Or if constant(&known, 0) => Some(b),
                V::Or if constant(&known, u32::MAX) => Some(a),
                V::AndNot if constant(&known, 0) => Some(b),
                _ => None,
            },
            (None, Some(known)) => match op {
                V::And if constant(&known, u32::MAX) => Some(a),
                V::And if constant(&known, 0) => Some(b),
                V::Or if constant(&known, 0) => Some(a),
                V::Or if constant(&known, u32::MAX) => Some(b),
                V::AddD | V::Xor if constant(&known, 0) => Some(a),
                _ => None,
            },
            (None, None) => None,
        }
    }

    /// The words of a literal.
    pub(super) fn literal_words(&self, bits: Bits, val: Val) -> Option<Vec<u32>> {
        let bytes = self.form.bytes(val)?.get(..bits.bytes() as usize)?;
        Some(bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect())
    }

    pub(super) fn splat_lanes(&mut self, ty: Ty, value: Val) -> Vec<Val> {
        vec![self.splat_part(ty, value); self.parts(ty) as usize]
    }

    pub(super) fn splat_part(&mut self, ty: Ty, value: Val) -> Val {
        let bits = self.bits_of(ty);
        if ty == Ty::Bool {
            return self.splat_mask(value);
        }
        if let Some(n) = self.form.literal(value) {
            return match ty {
                Ty::I64 | Ty::U64 => self.doubles(bits, n as u64),
                Ty::Bool | Ty::I32 | Ty::U32 | Ty::F16 | Ty::F32 | Ty::F64 => self.words(bits, n as u32),
            };
        }
        if let Some(bytes) = self.form.bytes(value) {
            let bytes = &bytes[..lane_bytes(ty) as usize];
            let all = bytes.repeat(bits.bytes() as usize / bytes.len());
            return self.pool(&all);
        }
        let broadcast = if ty.bytes() == 8 { V::BroadcastQ } else { V::BroadcastD };
        let first = match ty {
            Ty::Bool | Ty::I32 | Ty::U32 | Ty::I64 | Ty::U64 => {
                self.form.pure(Op::ToVector(size_of(ty)), args([value]))
            }
            Ty::F16 | Ty::F32 | Ty::F64 => value,
        };
        self.v1(broadcast, bits, first)
    }

    pub(super) fn ramp_lanes(&mut self, base: Val, stride: i64) -> Vec<Val> {
        let (first, bits, lanes) = (self.splat_part(Ty::U32, base), self.bits_of(Ty::U32), self.lanes_of(Ty::U32));
        (0..self.parts(Ty::U32))
            .map(|part| {
                let step = |lane: u32| (i64::from(part * lanes + lane) * stride) as u32;
                let steps: Vec<u8> = (0..lanes).flat_map(|lane| step(lane).to_le_bytes()).collect();
                let steps = self.pool(&steps);
                self.v2(V::AddD, bits, first, steps)
            })
            .collect()
    }

    /// The 128 bits that a lane lies in, and its number there.
    fn quarter(&mut self, ty: Ty, value: &[Val], lane: u32) -> (Val, u8) {
        let (lanes, here, bits) = (self.lanes_of(ty), 16 / lane_bytes(ty), self.bits_of(ty));
        let (part, at) = (value[(lane / lanes) as usize], lane % lanes);
        (self.quarters(bits, part)[(at / here) as usize], (at % here) as u8)
    }

    /// 128 bits each.
    pub(super) fn quarters(&mut self, bits: Bits, part: Val) -> Vec<Val> {
        match bits {
            Bits::X => vec![part],
            Bits::Y => vec![part, self.upper(bits, part)],
            Bits::Z => match self.form.op(part) {
                Op::V(V::Join, ..) => {
                    let [low, high, ..] = self.form.args(part);
                    [low, high].into_iter().flat_map(|half| self.quarters(Bits::Y, half)).collect()
                }
                _ => (0..4).map(|at| if at == 0 { part } else { self.vi(V::Quarter, bits, part, at) }).collect(),
            },
        }
    }

    /// The upper half.
    pub(super) fn upper(&mut self, bits: Bits, part: Val) -> Val {
        match self.form.op(part) {
            Op::V(V::Join, ..) => self.form.args(part)[1],
            _ => self.vi(V::Upper, bits, part, 1),
        }
    }

    pub(super) fn lane_at(&mut self, ty: Ty, value: &[Val], lane: u32) -> Val {
        if ty == Ty::Bool {
            let lanes = self.lanes_of(ty);
            let signs = self.mask_word(value[(lane / lanes) as usize]);
            let sign = self.shift_literal(Shift::Right, Size::Word, signs, (lane % lanes) as u8);
            let one = self.int(1);
            return self.alu(Alu::And, Size::Word, sign, one);
        }
        if let Some(bytes) = self.form.bytes(value[(lane / self.lanes_of(ty)) as usize]) {
            let size = lane_bytes(ty) as usize;
            let at = (lane % self.lanes_of(ty)) as usize * size;
            let mut number = [0; 8];
            number[..size].copy_from_slice(&bytes[at..at + size]);
            let number = u64::from_le_bytes(number);
            return if super::is_float(ty) {
                self.pool(&number.to_le_bytes()[..size])
            } else {
                self.int(number as i64)
            };
        }
        let (vector, at) = self.quarter(ty, value, lane);
        match ty {
            Ty::I32 | Ty::U32 => {
                // The pair that it lies in is fetched once for both.
                let pair = self.extract(vector, at / 2);
                if at.is_multiple_of(2) {
                    self.form.pure(Op::Low, args([pair]))
                } else {
                    self.shift_literal(Shift::Right, Size::Double, pair, 32)
                }
            }
            Ty::I64 | Ty::U64 => self.extract(vector, at),
            Ty::F64 if at > 0 => self.v2(V::UnpackHighQ, Bits::X, vector, vector),
            Ty::F16 | Ty::F32 if at > 0 => self.vi(V::ShuffleD, Bits::X, vector, at),
            Ty::F16 | Ty::F32 | Ty::F64 | Ty::Bool => vector,
        }
    }

    fn extract(&mut self, vector: Val, at: u8) -> Val {
        if at == 0 {
            return self.form.pure(Op::FromVector(Size::Double), args([vector]));
        }
        self.form.pure(Op::Extract(Size::Double, at), args([vector]))
    }

    pub(super) fn pack_lanes(&mut self, ty: Ty, lanes: &[Val]) -> Vec<Val> {
        if ty == Ty::Bool {
            return self.pack_masks(lanes);
        }
        let quarters: Vec<Val> =
            lanes.chunks((16 / lane_bytes(ty)) as usize).map(|lanes| self.pack_quarter(ty, lanes)).collect();
        self.joined(ty, Bits::X, &quarters)
    }

    fn pack_quarter(&mut self, ty: Ty, lanes: &[Val]) -> Val {
        if lanes.iter().all(|&lane| lane == lanes[0]) && self.form.literal(lanes[0]).is_none() {
            let op = if ty.bytes() == 8 { V::BroadcastQ } else { V::BroadcastD };
            let first = match ty {
                Ty::I32 | Ty::U32 | Ty::I64 | Ty::U64 => self.form.pure(Op::ToVector(size_of(ty)), args([lanes[0]])),
                Ty::Bool | Ty::F16 | Ty::F32 | Ty::F64 => lanes[0],
            };
            return self.v1(op, Bits::X, first);
        }
        match (ty, lanes) {
            (Ty::F16 | Ty::F32, &[a, b, c, d]) => {
                let pairs = [[a, b], [c, d]].map(|[a, b]| self.v2(V::UnpackLowD, Bits::X, a, b));
                self.v2(V::UnpackLowQ, Bits::X, pairs[0], pairs[1])
            }
            (Ty::F64, &[a, b]) => self.v2(V::UnpackLowQ, Bits::X, a, b),
            _ => {
                let size = size_of(ty);
                let first = self.form.pure(Op::ToVector(size), args([lanes[0]]));
                (1..)
                    .zip(&lanes[1..])
                    .fold(first, |part, (at, &lane)| self.form.pure(Op::Insert(size, at), args([part, lane])))
            }
        }
    }

    /// Pieces of so many bits each, as the parts of a lane value.
    pub(super) fn joined(&mut self, ty: Ty, each: Bits, pieces: &[Val]) -> Vec<Val> {
        if self.bits_of(ty) == each || pieces.len() == 1 {
            return pieces.to_vec();
        }
        let bits = Bits::of(2 * each.bytes());
        let pairs: Vec<Val> = pieces.chunks(2).map(|pair| self.v2i(V::Join, bits, pair[0], pair[1], 1)).collect();
        self.joined(ty, bits, &pairs)
    }

    /// Parts of 32-bit lanes as pieces of which each is one part of 64-bit lanes.
    pub(super) fn halved(&mut self, ty: Ty, parts: &[Val]) -> Vec<Val> {
        if self.lanes_of(ty) == self.lanes_of(Ty::I64) {
            return parts.to_vec();
        }
        let bits = self.bits_of(ty);
        parts.iter().flat_map(|&part| [part, self.upper(bits, part)]).collect()
    }

    /// The lower words of 64-bit lanes.
    pub(super) fn low_words(&mut self, wide: &[Val]) -> Vec<Val> {
        const EVEN: u8 = 0b10_00_10_00;
        let bits = self.bits_of(Ty::I64);
        if self.form.isa == Isa::Avx512 {
            let low: Vec<Val> = wide.iter().map(|&part| self.v1(V::LowD, bits, part)).collect();
            return self.joined(Ty::U32, Bits::of(bits.bytes() / 2), &low);
        }
        if self.lanes_of(Ty::U32) == self.lanes_of(Ty::I64) {
            let low = |this: &mut Self, part: Val| {
                let upper = this.upper(bits, part);
                this.v2i(V::ShufflePs, Bits::X, part, upper, EVEN)
            };
            return wide.iter().map(|&part| low(self, part)).collect();
        }
        let both = |this: &mut Self, pair: &[Val]| {
            let words = this.v2i(V::ShufflePs, bits, pair[0], pair[1], EVEN);
            this.vi(V::PermuteQ, bits, words, 0b11_01_10_00)
        };
        wide.chunks(2).map(|pair| both(self, pair)).collect()
    }
}
