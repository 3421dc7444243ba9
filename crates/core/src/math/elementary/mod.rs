//! Elementary functions of `f32`, computed with `f64` and rounded once at the end: the result is the
//! nearest number, or in less than one case of a thousand the one beside it.
//!
//! They are polynomials over a small range, which the argument is brought into and the result taken out
//! of, all without branches: lanes of a vector go through them side by side. The polynomials have the
//! least relative error for their degree (Remez, 1934).

mod power;
mod logarithm;
mod angle;
mod direction;

use super::machine::Machine;

pub use angle::{cos, sin, tan};
pub use direction::{acos, asin, atan, atan2};
pub use logarithm::{acosh, asinh, atanh, log, log2, pow};
pub use power::{cosh, exp, exp2, sinh, tanh};

const SIGN: u64 = 1 << 63;
/// Where the power of two begins in a number's bits.
const EXPONENT: u32 = 52;
/// Added to a number and taken away again it rounds; between the two the whole number lies in the lowest bits.
const ROUND: f64 = 6_755_399_441_055_744.0;

/// The sum of coefficients times rising powers.
fn polynomial<M: Machine>(m: &mut M, z: M::Double, coefficients: &[f64]) -> M::Double {
    let mut rest = coefficients.iter().rev();
    let mut sum = m.number(rest.next().copied().unwrap_or(0.0));
    for &coefficient in rest {
        let (product, coefficient) = (m.mul(sum, z), m.number(coefficient));
        sum = m.add(product, coefficient);
    }
    sum
}

/// first + z·polynomial(z)
fn series<M: Machine>(m: &mut M, z: M::Double, first: f64, coefficients: &[f64]) -> M::Double {
    let (rest, first) = (polynomial(m, z, coefficients), m.number(first));
    let rest = m.mul(z, rest);
    m.add(first, rest)
}

/// The same times `by`, which keeps its sign if it is a zero.
fn odd<M: Machine>(m: &mut M, by: M::Double, z: M::Double, first: f64, coefficients: &[f64]) -> M::Double {
    let sum = series(m, z, first, coefficients);
    m.mul(by, sum)
}

/// What is not negative, with the sign of another number.
fn signed<M: Machine>(m: &mut M, magnitude: M::Double, of: M::Double) -> M::Double {
    let sign = sign(m, of);
    flipped(m, magnitude, sign)
}

fn sign<M: Machine>(m: &mut M, of: M::Double) -> M::Word {
    let (bits, sign) = (m.bits(of), m.word(SIGN));
    m.and(bits, sign)
}

/// A number whose sign changes where the highest bit of `sign` is set; that has no other.
fn flipped<M: Machine>(m: &mut M, x: M::Double, sign: M::Word) -> M::Double {
    let bits = m.bits(x);
    let bits = m.xor(bits, sign);
    m.float(bits)
}
