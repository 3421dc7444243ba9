//! Angles of directions: the inverse functions.

use super::{odd, sign, signed};
use crate::math::machine::Machine;

/// (atan √z / √z - 1) / z up to a sixteenth of a turn: 2^-35.3.
const ATAN: [f64; 6] = [
    -0.333_333_325_141_580_5,
    0.199_999_051_439_538_94,
    -0.142_820_407_710_758_57,
    0.110_450_764_978_583_62,
    -0.084_783_061_707_031_4,
    0.047_480_588_532_870_87,
];
/// The tangent of a sixteenth of a turn.
const SIXTEENTH: f64 = std::f64::consts::SQRT_2 - 1.0;

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
