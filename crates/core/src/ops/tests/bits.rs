use naga::{BinaryOperator as Binary, MathFunction as Math, UnaryOperator as Unary};

use super::{Value, math, one, op, same};
use crate::ops::unary;

#[test]
fn bitwise_operators() {
    op(Binary::And, 0b1100_i32, 0b1010_i32, 0b1000_i32);
    op(Binary::InclusiveOr, [0b1100_u32, 0], [0b1010_u32, 0], [0b1110_u32, 0]);
    op(Binary::ExclusiveOr, -1_i64, 0x00ff_i64, -256_i64);
    op(Binary::ExclusiveOr, u64::MAX, 1_u64, u64::MAX - 1);
    same(&unary(Unary::BitwiseNot, &[0_u32, u32::MAX].into()), [u32::MAX, 0]);
    same(&unary(Unary::BitwiseNot, &[0_i32, 41].into()), [-1_i32, -42]);
    same(&unary(Unary::BitwiseNot, &0_u64.into()), u64::MAX);
}

#[test]
fn shift_amounts_are_taken_modulo_the_width() {
    op(Binary::ShiftLeft, [1_u32, 1, 1, 1], [31_u32, 32, 33, u32::MAX], [0x8000_0000_u32, 1, 2, 0x8000_0000]);
    op(Binary::ShiftRight, [-8_i32, -8, -8], [1_u32, 31, 32], [-4_i32, -1, -8]);
    op(Binary::ShiftRight, [0x8000_0000_u32, 0x8000_0000], [31_u32, 63], [1_u32, 1]);
    op(Binary::ShiftLeft, i32::MAX, 1_u32, -2_i32);
    op(Binary::ShiftLeft, [1_i64, 1, 1], [63_u32, 64, 65], [i64::MIN, 1, 2]);
    op(Binary::ShiftRight, [i64::MIN, -1], [63_u32, 127], [-1_i64, -1]);
    op(Binary::ShiftRight, u64::MAX, 60_u32, 15_u64);
    op(Binary::ShiftRight, u64::MAX, 60_u64, 15_u64);
}

#[test]
fn counting() {
    one(Math::CountLeadingZeros, [0_u32, 1, u32::MAX], [32_u32, 31, 0]);
    one(Math::CountLeadingZeros, [0_i32, 1, -1], [32_i32, 31, 0]);
    one(Math::CountLeadingZeros, [0_u64, 1], [64_u64, 63]);
    one(Math::CountTrailingZeros, [0_u32, 1, 0x8000_0000], [32_u32, 0, 31]);
    one(Math::CountTrailingZeros, [0_i64, i64::MIN], [64_i64, 63]);
    one(Math::CountOneBits, [0_i32, -1, 0x0f0f], [0_i32, 32, 8]);
    one(Math::CountOneBits, u64::MAX, 64_u64);
    one(Math::ReverseBits, [1_u32, 0x0000_ff00, 0x1234_5678], [0x8000_0000_u32, 0x00ff_0000, 0x1e6a_2c48]);
    one(Math::ReverseBits, 1_i32, i32::MIN);
    one(Math::ReverseBits, 2_i64, 0x4000_0000_0000_0000_i64);
}

#[test]
fn first_bits() {
    one(Math::FirstTrailingBit, [0_u32, 1, 0x8000_0000, 12], [u32::MAX, 0, 31, 2]);
    one(Math::FirstTrailingBit, [0_i32, -1, i32::MIN], [-1_i32, 0, 31]);
    one(Math::FirstTrailingBit, [0_u64, 1 << 40], [u64::MAX, 40]);
    one(Math::FirstLeadingBit, [0_u32, 1, u32::MAX, 12], [u32::MAX, 0, 31, 3]);
    // For a negative number: the highest zero.
    one(Math::FirstLeadingBit, [0_i32, -1, i32::MIN, -2], [-1_i32, -1, 30, 0]);
    one(Math::FirstLeadingBit, [1_i32, i32::MAX, -5], [0_i32, 30, 2]);
    one(Math::FirstLeadingBit, [0_i64, -1, i64::MIN, 5], [-1_i64, -1, 62, 2]);
    one(Math::FirstLeadingBit, [0_u64, 1 << 63], [u64::MAX, 63]);
}

#[test]
fn extract_bits_clamps_the_field() {
    let extract = |e: Value, offset: u32, count: u32| math(Math::ExtractBits, &[e, offset.into(), count.into()]);
    same(&extract(0xabcd_1234_u32.into(), 4, 8), 0x23_u32);
    same(&extract(0xabcd_1234_u32.into(), 0, 32), 0xabcd_1234_u32);
    same(&extract(0xabcd_1234_u32.into(), 28, 99), 0xa_u32);
    same(&extract(0xabcd_1234_u32.into(), 32, 1), 0_u32);
    same(&extract(0xabcd_1234_u32.into(), u32::MAX, u32::MAX), 0_u32);
    same(&extract(0xabcd_1234_u32.into(), 7, 0), 0_u32);
    same(&extract([0x0000_0080_i32, 0x70].into(), 4, 4), [-8_i32, 7]);
    same(&extract((-1_i32).into(), 31, 1), -1_i32);
    same(&extract(0xf000_0000_0000_0000_u64.into(), 60, 9), 15_u64);
    same(&extract(0xf000_0000_0000_0000_u64.into(), 64, 9), 0_u64);
    same(&extract(i64::MIN.into(), 62, 2), -2_i64);
    same(&extract(i64::MIN.into(), 0, 64), i64::MIN);
}

#[test]
fn insert_bits_clamps_the_field() {
    let insert =
        |e: Value, new: Value, offset: u32, count: u32| math(Math::InsertBits, &[e, new, offset.into(), count.into()]);
    same(&insert(0xffff_ffff_u32.into(), 0_u32.into(), 8, 8), 0xffff_00ff_u32);
    same(&insert(0_u32.into(), 0x1ff_u32.into(), 28, 8), 0xf000_0000_u32);
    same(&insert(5_u32.into(), 9_u32.into(), 0, 32), 9_u32);
    same(&insert(5_u32.into(), 9_u32.into(), 32, 4), 5_u32);
    same(&insert(5_u32.into(), 9_u32.into(), 3, 0), 5_u32);
    same(&insert([0_i32, -1].into(), [-1_i32, 0].into(), 31, 1), [i32::MIN, i32::MAX]);
    same(&insert(0_u64.into(), u64::MAX.into(), 32, 64), 0xffff_ffff_0000_0000_u64);
    same(&insert(7_i64.into(), 0_i64.into(), 0, 64), 0_i64);
    same(&insert(7_i64.into(), 0_i64.into(), 99, 1), 7_i64);
}
