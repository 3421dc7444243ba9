//! Functions of angles.

use super::{ROUND, flipped, odd, series};
use crate::math::machine::{Machine, Rare};

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
/// A quarter of a turn in two parts. The first has 25 bits, so that its multiples below [`LARGE`] are exact
/// (Cody and Waite, 1980).
const QUARTER: [f64; 2] = [1.570_796_310_901_641_8, 1.589_325_477_352_819_6e-8];
/// From where on an angle has to be known to more bits than an `f64` has.
const LARGE: f64 = 1_048_576.0;

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
