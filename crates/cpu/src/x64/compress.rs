//! Lanes of a mask, packed.
//!
//! AVX-512 has an instruction for it, and so for storing the first few lanes of a vector. It packs in registers, for
//! some processors take a hundred cycles for the form that packs into memory. With AVX2 the mask spread to a byte for
//! each word takes those bytes from the numbers 0 to 7 that name the words to keep (`pdep`, `pext`), by which a
//! permutation packs them.

use super::X64;
use super::form::{Val, args};
use super::op::{Alu, Count, Op, Shift};
use super::reg::{Bits, Size};
use super::vector::V;
use crate::ir::Ty;

/// The lowest bit of each byte.
const BYTES: i64 = 0x0101_0101_0101_0101;
/// The number of each.
const NUMBERS: i64 = 0x0706_0504_0302_0100;

impl X64 {
    pub(super) fn compress_parts(&mut self, ty: Ty, pointer: Val, mask: &[Val], value: &[Val]) {
        let (bits, masks, mut pointer) = (self.bits_of(ty), self.masks(ty, mask), pointer);
        for (&mask, &value) in masks.iter().zip(value) {
            let words = if self.has_opmasks() {
                self.compress_part(ty, bits, pointer, mask, value)
            } else {
                self.compress_words(bits, pointer, mask, value)
            };
            let bytes = self.shift_literal(Shift::Left, Size::Double, words, 2);
            pointer = self.alu(Alu::Add, Size::Double, pointer, bytes);
        }
    }

    /// Stores one vector by AVX-512; how many words of 32 bits it took.
    fn compress_part(&mut self, ty: Ty, bits: Bits, pointer: Val, mask: Val, value: Val) -> Val {
        let (op, by) = if ty.bytes() == 8 { (V::CompressQ, 1) } else { (V::CompressD, 0) };
        // Masks of fewer lanes may have bits beyond them.
        let (word, lanes) = (self.opmask_word(mask), self.int((1 << self.lanes_of(ty)) - 1));
        let word = self.alu(Alu::And, Size::Word, word, lanes);
        let lanes = self.form.pure(Op::Count(Count::Ones, Size::Word), args([word]));
        let words = self.shift_literal(Shift::Left, Size::Word, lanes, by);
        let packed = self.form.pure(Op::V(op, bits, 0), args([value, mask]));
        let (one, less) = (self.int(1), self.int(-1));
        let behind = self.form.pure(Op::Shift(Shift::Left, Size::Word), args([one, words]));
        let first = self.alu(Alu::Add, Size::Word, behind, less);
        let first = self.form.pure(Op::ToMask, args([first]));
        let (place, [base, index]) = self.place_of(pointer, 0);
        self.form.pinned(self.at, Op::StoreMasked(bits, place), [base, index, packed, first]);
        words
    }

    /// The same by AVX2, whose masks are vectors.
    fn compress_words(&mut self, bits: Bits, pointer: Val, mask: Val, value: Val) -> Val {
        let word = self.signs(bits, mask);
        let words = self.form.pure(Op::Count(Count::Ones, Size::Word), args([word]));
        let (lowest, numbers) = (self.int(BYTES), self.int(NUMBERS));
        let spread = self.form.pure(Op::Deposit, args([word, lowest]));
        let full = self.int(0xff);
        let spread = self.alu(Alu::Mul, Size::Double, spread, full);
        let kept = self.form.pure(Op::Collect, args([numbers, spread]));
        let kept = self.form.pure(Op::ToVector(Size::Double), args([kept]));
        let kept = self.v1(V::ZeroBd, Bits::Y, kept);
        let packed = self.v2(V::PermuteD, Bits::Y, kept, value);
        let ramp: Vec<u8> = (0..8u32).flat_map(u32::to_le_bytes).collect();
        let ramp = self.pool(&ramp);
        let count = self.form.pure(Op::ToVector(Size::Word), args([words]));
        let count = self.v1(V::BroadcastD, Bits::Y, count);
        let first = self.v2(V::GreaterD, Bits::Y, count, ramp);
        let (place, [base, index]) = self.place_of(pointer, 0);
        self.form.pinned(self.at, Op::StoreMasked(Bits::Y, place), [base, index, packed, first]);
        words
    }
}
