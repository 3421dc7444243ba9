//! Elementary functions of `f32`, computed with `f64` and rounded once at the end: the result is the
//! nearest number, or in about one case of a thousand the one beside it.
//!
//! They are polynomials over a small range, which the argument is brought into and the result taken out
//! of, all without branches: lanes of a vector go through them side by side. The polynomials have the
//! least relative error for their degree (Remez, 1934).

use super::machine::{Machine, Rare};

const SIGN: u64 = 1 << 63;
/// Where the power of two begins in a number's bits.
const EXPONENT: u32 = 52;
/// Added to a number and taken away again it rounds; between the two the whole number lies in the lowest bits.
const ROUND: f64 = 6_755_399_441_055_744.0;

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
/// (2 atanh √z / √z - 2) / z up to where √z is that of √2: 2^-44.9.
const LOG: [f64; 5] = [
    0.666_666_666_757_996_8,
    0.399_999_956_225_885_3,
    0.285_721_090_482_694_1,
    0.221_761_944_189_078_57,
    0.195_840_546_302_110_9,
];
/// (sin √z / √z - 1) / z up to an eighth of a turn: 2^-37.5.
const SIN: [f64; 4] = [
    -0.166_666_666_416_162_87,
    0.008_333_329_384_672_199,
    -0.000_198_393_344_394_926_83,
    0.000_002_718_307_683_773_765_8,
];
/// (cos √z - 1) / z up to there: 2^-33.8.
const COS: [f64; 4] =
    [-0.499_999_996_943_555_3, 0.041_666_620_343_254_78, -0.001_388_668_120_636_525_7, 0.000_024_383_525_570_096_196];
/// (atan √z / √z - 1) / z up to a sixteenth of a turn: 2^-35.3.
const ATAN: [f64; 6] = [
    -0.333_333_325_141_580_5,
    0.199_999_051_439_538_94,
    -0.142_820_407_710_758_57,
    0.110_450_764_978_583_62,
    -0.084_783_061_707_031_4,
    0.047_480_588_532_870_87,
];

/// A quarter of a turn in two parts. The first has 25 bits, so that its multiples below [`LARGE`] are exact
/// (Cody and Waite, 1980).
const QUARTER: [f64; 2] = [1.570_796_310_901_641_8, 1.589_325_477_352_819_6e-8];
/// From where on an angle has to be known to more bits than an `f64` has.
const LARGE: f64 = 1_048_576.0;
/// The tangent of a sixteenth of a turn.
const SIXTEENTH: f64 = std::f64::consts::SQRT_2 - 1.0;

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

/// 2 to the power y, from where a single float is a zero to where it is an infinity.
fn power<M: Machine>(m: &mut M, y: M::Double) -> M::Double {
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

/// What an angle is past a multiple of a quarter of a turn, its sine and cosine, and that multiple.
struct Angle<M: Machine> {
    sin: M::Double,
    cos: M::Double,
    quarters: M::Word,
    small: M::Test,
}

fn angle<M: Machine>(m: &mut M, x: M::Double) -> Angle<M> {
    let (by, round) = (m.number(std::f64::consts::FRAC_2_PI), m.number(ROUND));
    let turns = m.mul(x, by);
    let rounded = m.add(turns, round);
    let (whole, quarters) = (m.sub(rounded, round), m.bits(rounded));
    let mut rest = x;
    for part in QUARTER {
        let part = m.number(part);
        let past = m.mul(whole, part);
        rest = m.sub(rest, past);
    }
    let z = m.mul(rest, rest);
    let (sin, cos) = (odd(m, rest, z, 1.0, &SIN), series(m, z, 1.0, &COS));
    let (size, large) = (m.abs(x), m.number(LARGE));
    Angle { sin, cos, quarters, small: m.less(size, large) }
}

/// Whether a multiple is even.
fn even<M: Machine>(m: &mut M, quarters: M::Word) -> M::Test {
    let one = m.word(1);
    let lowest = m.and(quarters, one);
    m.is_zero(lowest)
}

/// The sign of every second half of a turn.
fn half<M: Machine>(m: &mut M, quarters: M::Word) -> M::Word {
    let two = m.word(2);
    let half = m.and(quarters, two);
    m.shl(half, 62)
}

/// The angle of a point, neither of whose coordinates is negative. Infinities are alike.
fn direction<M: Machine>(m: &mut M, y: M::Double, x: M::Double) -> M::Double {
    let most = m.number(1e300);
    let [y, x] = [y, x].map(|length| m.min(length, most));
    let steep = m.less(x, y);
    let (short, long) = (m.pick(steep, x, y), m.pick(steep, y, x));
    // From the diagonal, where that is nearer.
    let tangent = m.number(SIXTEENTH);
    let least = m.mul(long, tangent);
    let turned = m.less(least, short);
    let (across, along) = (m.sub(short, long), m.add(short, long));
    let (top, bottom) = (m.pick(turned, across, short), m.pick(turned, along, long));
    let [zero, one] = [0.0, 1.0].map(|x| m.number(x));
    let origin = m.equal(bottom, zero);
    let bottom = m.pick(origin, one, bottom);
    let t = m.div(top, bottom);
    let z = m.mul(t, t);
    let angle = odd(m, t, z, 1.0, &ATAN);
    let [eighth, quarter] = [std::f64::consts::FRAC_PI_4, std::f64::consts::FRAC_PI_2].map(|x| m.number(x));
    let past = m.add(angle, eighth);
    let angle = m.pick(turned, past, angle);
    let other = m.sub(quarter, angle);
    m.pick(steep, other, angle)
}

/// The same on the other side, where `x` has a sign.
fn either_side<M: Machine>(m: &mut M, angle: M::Double, x: M::Double) -> M::Double {
    let (sign, half) = (sign(m, x), m.number(std::f64::consts::PI));
    let right = m.is_zero(sign);
    let other = m.sub(half, angle);
    m.pick(right, angle, other)
}

/// √(1 - x²); NaN outside [-1, 1].
fn beside<M: Machine>(m: &mut M, x: M::Double) -> M::Double {
    let one = m.number(1.0);
    let (above, below) = (m.add(one, x), m.sub(one, x));
    let square = m.mul(above, below);
    m.sqrt(square)
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

/// Sine.
pub fn sin<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    let wide = m.widen(x);
    let Angle { sin, cos, quarters, small } = angle(m, wide);
    let (even, sign) = (even(m, quarters), half(m, quarters));
    let size = m.pick(even, sin, cos);
    let sin = flipped(m, size, sign);
    let sin = m.narrow(sin);
    m.usually(small, sin, Rare::Sin, x)
}

/// Cosine.
pub fn cos<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    let wide = m.widen(x);
    let Angle { sin, cos, quarters, small } = angle(m, wide);
    let one = m.word(1);
    let ahead = m.plus(quarters, one);
    let (even, sign) = (even(m, quarters), half(m, ahead));
    let size = m.pick(even, cos, sin);
    let cos = flipped(m, size, sign);
    let cos = m.narrow(cos);
    m.usually(small, cos, Rare::Cos, x)
}

/// Tangent.
pub fn tan<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    let wide = m.widen(x);
    let Angle { sin, cos, quarters, small } = angle(m, wide);
    let (even, sign) = (even(m, quarters), m.shl(quarters, 63));
    let (top, bottom) = (m.pick(even, sin, cos), m.pick(even, cos, sin));
    let size = m.div(top, bottom);
    let tan = flipped(m, size, sign);
    let tan = m.narrow(tan);
    m.usually(small, tan, Rare::Tan, x)
}

/// Arc sine; NaN outside [-1, 1].
pub fn asin<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    let x = m.widen(x);
    let (y, beside) = (m.abs(x), beside(m, x));
    let angle = direction(m, y, beside);
    let angle = signed(m, angle, x);
    m.narrow(angle)
}

/// Arc cosine; NaN outside [-1, 1].
pub fn acos<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    let x = m.widen(x);
    let (y, along) = (beside(m, x), m.abs(x));
    let angle = direction(m, y, along);
    let angle = either_side(m, angle, x);
    m.narrow(angle)
}

/// Arc tangent.
pub fn atan<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    let (x, one) = (m.widen(x), m.number(1.0));
    let y = m.abs(x);
    let angle = direction(m, y, one);
    let angle = signed(m, angle, x);
    m.narrow(angle)
}

/// The angle of the point (x, y), in (-π, π].
pub fn atan2<M: Machine>(m: &mut M, y: M::Single, x: M::Single) -> M::Single {
    let [y, x] = [y, x].map(|length| m.widen(length));
    let [above, along] = [y, x].map(|length| m.abs(length));
    let angle = direction(m, above, along);
    let angle = either_side(m, angle, x);
    let angle = signed(m, angle, y);
    m.narrow(angle)
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
