//! Numbers and lanes in memory.

use super::form::{Val, args};
use super::op::{Op, Width};
use super::reg::Bits;
use super::vector::V;
use super::{X64, is_float};
use crate::helpers::Helper;
use crate::ir::Ty;

impl X64 {
    pub(super) fn load_number(&mut self, ty: Ty, pointer: Val) -> Val {
        let width = match ty {
            Ty::Bool => Width::Byte,
            Ty::F16 => {
                let bits = self.load_as(Width::Half, pointer, 0);
                return self.half_from_bits(bits);
            }
            Ty::I32 | Ty::U32 => Width::Word,
            Ty::F32 => Width::Single,
            Ty::I64 | Ty::U64 => Width::Double,
            Ty::F64 => Width::Long,
        };
        self.load_as(width, pointer, 0)
    }

    pub(super) fn store_number(&mut self, ty: Ty, pointer: Val, value: Val) {
        let (width, value) = match ty {
            Ty::Bool => (Width::Byte, value),
            Ty::F16 => (Width::Half, self.half_to_bits(value)),
            Ty::I32 | Ty::U32 => (Width::Word, value),
            Ty::F32 => (Width::Single, value),
            Ty::I64 | Ty::U64 => (Width::Double, value),
            Ty::F64 => (Width::Long, value),
        };
        self.store_as(width, pointer, 0, value);
    }

    pub(super) fn call(&mut self, helper: Helper, given: &[Val]) -> Val {
        let all = std::array::from_fn(|i| given.get(i).copied().unwrap_or(Val::NONE));
        self.form.pure(Op::Call(helper), all)
    }

    pub(super) fn load_as(&mut self, width: Width, pointer: Val, ahead: i32) -> Val {
        let (place, [base, index]) = self.place_of(pointer, ahead);
        self.form.pinned(self.at, Op::Load(width, place), args([base, index]))
    }

    pub(super) fn store_as(&mut self, width: Width, pointer: Val, ahead: i32, value: Val) {
        let (place, [base, index]) = self.place_of(pointer, ahead);
        self.form.pinned(self.at, Op::Store(width, place), args([base, index, value]));
    }

    /// Lanes side by side in memory: half floats and booleans take less room there.
    pub(super) fn load_parts(&mut self, ty: Ty, pointer: Val) -> Vec<Val> {
        let (lanes, bits) = (self.lanes_of(ty), self.bits_of(ty));
        let width = match (ty.bytes() * lanes, ty) {
            (4, _) => Width::Single,
            (8, _) => Width::Long,
            (bytes, _) => Width::Vector(Bits::of(bytes)),
        };
        let mut parts = Vec::new();
        for part in 0..self.parts(ty) {
            let ahead = (part * lanes * ty.bytes()) as i32;
            let found = self.load_as(width, pointer, ahead);
            parts.push(match ty {
                Ty::F16 => self.v1(V::HalfToPs, bits, found),
                Ty::Bool => {
                    let words = self.v1(V::ZeroBd, bits, found);
                    self.is_set(bits, words)
                }
                Ty::I32 | Ty::U32 | Ty::F32 | Ty::I64 | Ty::U64 | Ty::F64 => found,
            });
        }
        parts
    }

    pub(super) fn store_parts(&mut self, ty: Ty, pointer: Val, value: &[Val]) {
        let (lanes, bits) = (self.lanes_of(ty), self.bits_of(ty));
        if ty == Ty::Bool && !self.has_opmasks() {
            for lane in 0..self.width {
                let number = self.lane_at(ty, value, lane);
                self.store_as(Width::Byte, pointer, lane as i32, number);
            }
            return;
        }
        let width = match ty.bytes() * lanes {
            4 => Width::Single,
            8 => Width::Long,
            bytes => Width::Vector(Bits::of(bytes)),
        };
        for (part, &val) in (0..).zip(value) {
            let val = match ty {
                Ty::F16 => self.v1(V::PsToHalf, bits, val),
                Ty::Bool => {
                    let (one, zero) = (self.words(bits, 1), self.words(bits, 0));
                    let words = self.blend(Ty::U32, bits, val, one, zero);
                    self.v1(V::LowB, bits, words)
                }
                Ty::I32 | Ty::U32 | Ty::F32 | Ty::I64 | Ty::U64 | Ty::F64 => val,
            };
            self.store_as(width, pointer, part * (lanes * ty.bytes()) as i32, val);
        }
    }

    pub(super) fn gather_parts(&mut self, ty: Ty, base: Val, offsets: &[Val], mask: Option<&Vec<Val>>) -> Vec<Val> {
        let bits = self.bits_of(Ty::U64);
        let masks = mask.map(|mask| self.masks(Ty::U64, mask));
        let mut pieces = Vec::with_capacity(offsets.len());
        for (i, &offsets) in offsets.iter().enumerate() {
            let mask = masks.as_ref().map_or(Val::NONE, |masks| masks[i]);
            pieces.push(self.form.pinned(self.at, Op::Gather(bits), args([base, offsets, mask])));
        }
        self.joined(ty, Bits::of(bits.bytes() / 2), &pieces)
    }

    pub(super) fn scatter_parts(&mut self, ty: Ty, base: Val, offsets: &[Val], mask: Option<&Vec<Val>>, value: &[Val]) {
        let (bits, values) = (self.bits_of(Ty::U64), self.halved(ty, value));
        let masks = mask.map(|mask| self.masks(Ty::U64, mask));
        for (i, (&offsets, value)) in offsets.iter().zip(values).enumerate() {
            let mask = masks.as_ref().map_or(Val::NONE, |masks| masks[i]);
            self.form.pinned(self.at, Op::Scatter(bits), [base, offsets, value, mask]);
        }
    }

    pub(super) fn store_masked(&mut self, ty: Ty, pointer: Val, mask: &[Val], value: &[Val]) {
        debug_assert!(ty.bytes() == 4 || !is_float(ty), "lanes of 32 bits");
        let bits = self.bits_of(ty);
        for (part, (&mask, &new)) in (0..).zip(mask.iter().zip(value)) {
            let ahead = part * bits.bytes() as i32;
            let whole = match self.constant_mask(mask) {
                Some(false) => continue,
                Some(true) => new,
                None if self.has_opmasks() => {
                    let (place, [base, index]) = self.place_of(pointer, ahead);
                    self.form.pinned(self.at, Op::StoreMasked(bits, place), [base, index, new, mask]);
                    continue;
                }
                None => {
                    let old = self.load_as(Width::Vector(bits), pointer, ahead);
                    self.blend(ty, bits, mask, new, old)
                }
            };
            self.store_as(Width::Vector(bits), pointer, ahead, whole);
        }
    }
}
