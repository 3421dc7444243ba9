//! Logarithms, and what is made of them: powers of any base, inverse hyperbolic functions.

use super::power::power;
use super::{EXPONENT, odd, signed};
use crate::math::machine::Machine;

/// (2 atanh √z / √z - 2) / z up to where √z is that of √2: 2^-44.9.
const LOG: [f64; 5] = [
    0.666_666_666_757_996_8,
    0.399_999_956_225_885_3,
    0.285_721_090_482_694_1,
    0.221_761_944_189_078_57,
    0.195_840_546_302_110_9,
];

/// The power of two of a number and the natural logarithm of the rest, which is about 1.
fn logarithm<M: Machine>(m: &mut M, x: M::Double) -> (M::Double, M::Double) {
    const BIAS: u64 = 1023 << EXPONENT;
    let (bits, bias) = (m.bits(x), m.word(BIAS));
    let least = m.word(BIAS.wrapping_sub(std::f64::consts::FRAC_1_SQRT_2.to_bits()));
    let above = m.plus(bits, least);
    let (field, one) = (m.word(0xfff << EXPONENT), m.number(1.0));
    let whole = m.and(above, field);
    let rest = m.minus(bits, whole);
    let rest = m.plus(rest, bias);
    let rest = m.float(rest);
    // A small whole number in the lowest bits of 2^52, which is taken away again.
    let (lowest, magic) = (m.shr(above, EXPONENT), m.word((1023 + 52) << EXPONENT));
    let exponent = m.plus(lowest, magic);
    let exponent = m.float(exponent);
    let offset = m.number((1_u64 << EXPONENT) as f64 + 1023.0);
    let exponent = m.sub(exponent, offset);
    let (above, below) = (m.sub(rest, one), m.add(rest, one));
    let s = m.div(above, below);
    let z = m.mul(s, s);
    (exponent, odd(m, s, z, 2.0, &LOG))
}

/// The logarithm that was found, but for numbers that are not positive and finite.
fn defined<M: Machine>(m: &mut M, x: M::Double, logarithm: M::Double) -> M::Double {
    let [zero, most] = [0.0, f64::INFINITY].map(|x| m.number(x));
    let [least, none] = [f64::NEG_INFINITY, f64::NAN].map(|x| m.number(x));
    let finite = m.less(x, most);
    let found = m.pick(finite, logarithm, x);
    let is_zero = m.equal(x, zero);
    let other = m.pick(is_zero, least, none);
    let positive = m.less(zero, x);
    m.pick(positive, found, other)
}

fn natural_logarithm<M: Machine>(m: &mut M, x: M::Double) -> M::Double {
    let ((exponent, rest), by) = (logarithm(m, x), m.number(std::f64::consts::LN_2));
    let whole = m.mul(exponent, by);
    let sum = m.add(whole, rest);
    defined(m, x, sum)
}

fn binary_logarithm<M: Machine>(m: &mut M, x: M::Double) -> M::Double {
    let ((exponent, rest), by) = (logarithm(m, x), m.number(std::f64::consts::LOG2_E));
    let rest = m.mul(rest, by);
    let sum = m.add(exponent, rest);
    defined(m, x, sum)
}

/// A logarithm of nearly 1 has few bits: there x + third·x³ is nearer.
fn small<M: Machine>(m: &mut M, x: M::Double, third: f64, logarithm: M::Double) -> M::Double {
    let (least, third) = (m.number(1.0 / 1024.0), m.number(third));
    let (z, size) = (m.mul(x, x), m.abs(x));
    let rest = m.mul(z, third);
    let one = m.number(1.0);
    let by = m.add(one, rest);
    let (near, small) = (m.mul(x, by), m.less(size, least));
    m.pick(small, near, logarithm)
}

/// Natural logarithm.
pub fn log<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    let x = m.widen(x);
    let logarithm = natural_logarithm(m, x);
    m.narrow(logarithm)
}

/// Logarithm to base 2.
pub fn log2<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    let x = m.widen(x);
    let logarithm = binary_logarithm(m, x);
    m.narrow(logarithm)
}

/// x to the power y, as C defines it for zeros, infinities and negative x.
pub fn pow<M: Machine>(m: &mut M, x: M::Single, y: M::Single) -> M::Single {
    let (x, y) = (m.widen(x), m.widen(y));
    let [zero, one, half] = [0.0, 1.0, 0.5].map(|x| m.number(x));
    let [most, none] = [f64::INFINITY, f64::NAN].map(|x| m.number(x));
    let size = m.abs(x);
    let logarithm = binary_logarithm(m, size);
    let product = m.mul(y, logarithm);
    let power = power(m, product);
    let is_one = m.equal(size, one);
    let power = m.pick(is_one, one, power);
    // Odd powers keep the sign; others of negative numbers are none, unless they are whole.
    let halved = m.mul(y, half);
    let (floor, pairs) = (m.floor(y), m.floor(halved));
    let (whole, even) = (m.equal(floor, y), m.equal(pairs, halved));
    let odd = signed(m, power, x);
    let (negative, finite) = (m.less(x, zero), m.less(size, most));
    let integral = m.pick(even, power, odd);
    let other = m.pick(finite, none, power);
    let other = m.pick(negative, other, power);
    let power = m.pick(whole, integral, other);
    let is_zero = m.equal(y, zero);
    let power = m.pick(is_zero, one, power);
    m.narrow(power)
}

/// Inverse hyperbolic sine.
pub fn asinh<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    let (x, one) = (m.widen(x), m.number(1.0));
    let size = m.abs(x);
    let square = m.mul(x, x);
    let more = m.add(square, one);
    let root = m.sqrt(more);
    let sum = m.add(size, root);
    let logarithm = natural_logarithm(m, sum);
    let found = small(m, size, -1.0 / 6.0, logarithm);
    let found = signed(m, found, x);
    m.narrow(found)
}

/// Inverse hyperbolic cosine; NaN below 1.
pub fn acosh<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    let (x, [one, none]) = (m.widen(x), [1.0, f64::NAN].map(|x| m.number(x)));
    let (above, below) = (m.add(x, one), m.sub(x, one));
    let square = m.mul(above, below);
    let root = m.sqrt(square);
    let sum = m.add(x, root);
    let logarithm = natural_logarithm(m, sum);
    let under = m.less(x, one);
    let found = m.pick(under, none, logarithm);
    m.narrow(found)
}

/// Inverse hyperbolic tangent; NaN outside [-1, 1].
pub fn atanh<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    let (x, [one, half]) = (m.widen(x), [1.0, 0.5].map(|x| m.number(x)));
    let (above, below) = (m.add(one, x), m.sub(one, x));
    let ratio = m.div(above, below);
    let logarithm = natural_logarithm(m, ratio);
    let halved = m.mul(logarithm, half);
    let found = small(m, x, 1.0 / 3.0, halved);
    m.narrow(found)
}
