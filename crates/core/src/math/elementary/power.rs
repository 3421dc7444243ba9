//! Powers, and the hyperbolic functions that are made of them.

use super::{EXPONENT, ROUND, odd, polynomial, signed};
use crate::math::machine::Machine;

/// Powers of two within half of one: 2^-34.5 of the result.
const POWER: [f64; 8] = [
    0.999_999_999_961_658_1,
    0.693_147_180_728_567_6,
    0.240_226_511_984_687_1,
    0.055_504_103_531_598_376,
    0.009_618_027_210_007_542,
    0.001_333_392_268_660_009_7,
    0.000_154_693_053_183_504_47,
    0.000_015_201_918_618_122_405,
];
/// (sinh √z / √z - 1) / z up to 1: 2^-34.
const SINH: [f64; 4] = [
    0.166_666_664_887_166_55,
    0.008_333_350_598_211_267,
    0.000_198_360_662_165_492_05,
    0.000_002_817_439_821_360_243_4,
];

/// 2 to the power y, from where a single float is a zero to where it is an infinity.
pub(super) fn power<M: Machine>(m: &mut M, y: M::Double) -> M::Double {
    let [least, most, round] = [-160.0, 160.0, ROUND].map(|x| m.number(x));
    let y = m.max(y, least);
    let y = m.min(y, most);
    let rounded = m.add(y, round);
    let whole = m.sub(rounded, round);
    let part = m.sub(y, whole);
    let power = polynomial(m, part, &POWER);
    // The whole number is added to the exponent.
    let (bits, whole) = (m.bits(power), m.bits(rounded));
    let whole = m.shl(whole, EXPONENT);
    let bits = m.plus(bits, whole);
    m.float(bits)
}

/// e to the power x.
fn natural_power<M: Machine>(m: &mut M, x: M::Double) -> M::Double {
    let by = m.number(std::f64::consts::LOG2_E);
    let y = m.mul(x, by);
    power(m, y)
}

/// (eˣ ± e⁻ˣ) / 2 of what is not negative: the hyperbolic sine and cosine.
fn hyperbolic<M: Machine>(m: &mut M, x: M::Double) -> (M::Double, M::Double) {
    let (up, [half, one]) = (natural_power(m, x), [0.5, 1.0].map(|x| m.number(x)));
    let down = m.div(one, up);
    let (difference, sum) = (m.sub(up, down), m.add(up, down));
    let (large, cos) = (m.mul(difference, half), m.mul(sum, half));
    // Two numbers that are nearly the same differ in few bits.
    let z = m.mul(x, x);
    let (small, near) = (odd(m, x, z, 1.0, &SINH), m.less(x, one));
    (m.pick(near, small, large), cos)
}

/// e to the power x.
pub fn exp<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    let x = m.widen(x);
    let power = natural_power(m, x);
    m.narrow(power)
}

/// 2 to the power x.
pub fn exp2<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    let x = m.widen(x);
    let power = power(m, x);
    m.narrow(power)
}

/// Hyperbolic sine.
pub fn sinh<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    let x = m.widen(x);
    let size = m.abs(x);
    let (sin, _) = hyperbolic(m, size);
    let sin = signed(m, sin, x);
    m.narrow(sin)
}

/// Hyperbolic cosine.
pub fn cosh<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    let x = m.widen(x);
    let size = m.abs(x);
    let (_, cos) = hyperbolic(m, size);
    m.narrow(cos)
}

/// Hyperbolic tangent.
pub fn tanh<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    let x = m.widen(x);
    let size = m.abs(x);
    let (sin, cos) = hyperbolic(m, size);
    let tan = m.div(sin, cos);
    let tan = signed(m, tan, x);
    m.narrow(tan)
}
