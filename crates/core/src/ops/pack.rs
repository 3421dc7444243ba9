//! Small numbers packed into the parts of a u32, the first in the lowest bits.

use half::f16;

use crate::math::{f16_from_f32, single};

use super::{Num, Value, Vector};

/// Floats in [-1, 1] as signed integers of so many bits.
pub(super) fn snorm(items: &[Num], bits: u32) -> Value {
    norm(items, bits, -1.0, f64::from((1_u32 << (bits - 1)) - 1))
}

/// Floats in [0, 1] as unsigned integers of so many bits.
pub(super) fn unorm(items: &[Num], bits: u32) -> Value {
    norm(items, bits, 0.0, f64::from((1_u32 << bits) - 1))
}

/// floor(0.5 + scale * clamp(x)), which is exact in f64; NaN becomes 0.
fn norm(items: &[Num], bits: u32, low: f32, scale: f64) -> Value {
    join(items, bits, |item| {
        let x = f64::from(single::clamp(f32_of(item), low, 1.0));
        (0.5 + scale * x).floor() as i32 as u32
    })
}

/// Two floats as half floats.
pub(super) fn float(items: &[Num]) -> Value {
    join(items, 16, |item| f16_from_f32(f32_of(item)).to_bits().into())
}

/// The low bytes of four integers.
pub(super) fn bytes(items: &[Num]) -> Value {
    join(items, 8, u32_of)
}

/// Four integers, held between -128 and 127.
pub(super) fn bytes_clamp_i8(items: &[Num]) -> Value {
    join(items, 8, |item| (u32_of(item) as i32).clamp(-128, 127) as u32)
}

/// Four integers, held under 256.
pub(super) fn bytes_clamp_u8(items: &[Num]) -> Value {
    join(items, 8, |item| u32_of(item).min(255))
}

/// The low bits of each part, side by side.
fn join(items: &[Num], bits: u32, part: impl Fn(Num) -> u32) -> Value {
    let mask = (1 << bits) - 1;
    let word = items.iter().rev().fold(0_u32, |word, &item| word << bits | part(item) & mask);
    Value::Num(Num::U32(word))
}

/// Signed integers of so many bits as floats in [-1, 1].
pub(super) fn unpack_snorm(word: Num, bits: u32) -> Value {
    let scale = ((1_u32 << (bits - 1)) - 1) as f32;
    cut(word, bits, |part| Num::F32(single::max(extend(part, bits) as f32 / scale, -1.0)))
}

/// Unsigned integers of so many bits as floats in [0, 1].
pub(super) fn unpack_unorm(word: Num, bits: u32) -> Value {
    let scale = ((1_u32 << bits) - 1) as f32;
    cut(word, bits, |part| Num::F32(part as f32 / scale))
}

/// Two half floats.
pub(super) fn unpack_float(word: Num) -> Value {
    cut(word, 16, |part| Num::F32(f16::from_bits(part as u16).to_f32()))
}

/// Four signed bytes.
pub(super) fn unpack_i8(word: Num) -> Value {
    cut(word, 8, |part| Num::I32(extend(part, 8)))
}

/// Four unsigned bytes.
pub(super) fn unpack_u8(word: Num) -> Value {
    cut(word, 8, Num::U32)
}

fn cut(word: Num, bits: u32, number: impl Fn(u32) -> Num) -> Value {
    let (word, mask) = (u32_of(word), (1 << bits) - 1);
    let parts = (0..32 / bits).map(|i| number(word >> (i * bits) & mask));
    Value::Vector(Vector::new(parts))
}

/// The dot product of four signed bytes.
pub(super) fn dot_i8(a: Num, b: Num) -> Num {
    let (a, b) = (u32_of(a).to_le_bytes(), u32_of(b).to_le_bytes());
    Num::I32(a.iter().zip(b).map(|(&a, b)| i32::from(a as i8) * i32::from(b as i8)).sum())
}

/// The dot product of four unsigned bytes.
pub(super) fn dot_u8(a: Num, b: Num) -> Num {
    let (a, b) = (u32_of(a).to_le_bytes(), u32_of(b).to_le_bytes());
    Num::U32(a.iter().zip(b).map(|(&a, b)| u32::from(a) * u32::from(b)).sum())
}

/// The low bits as a signed integer.
fn extend(part: u32, bits: u32) -> i32 {
    (part << (32 - bits)) as i32 >> (32 - bits)
}

fn f32_of(item: Num) -> f32 {
    let Num::F32(x) = item else { unreachable!("invariant operand types: packing {item:?}") };
    x
}

/// The bits of a 32-bit integer.
fn u32_of(item: Num) -> u32 {
    match item {
        Num::U32(x) => x,
        Num::I32(x) => x as u32,
        Num::Bool(_) | Num::F32(_) | Num::F16(_) | Num::I64(_) | Num::U64(_) | Num::F64(_) => {
            unreachable!("invariant operand types: packing {item:?}")
        }
    }
}
