//! What a reduction promises.

use crate::number::{Number, Op};

/// Whether `sum` is all of `x` combined: exactly for integers and extremes, for sums of floats up to the rounding of
/// each of their additions.
pub fn verify<T: Number>(op: Op, x: &[T], sum: T) -> Result<(), String> {
    let folded = x.iter().fold(T::start(op), |a, &b| T::combined(op, a, b));
    let (exact, slack) = (x.iter().map(|&x| x.real()).sum::<f64>(), slack(x));
    let near = T::WGSL == "f32" && op == Op::Sum && (sum.real() - exact).abs() <= slack;
    if sum == folded || near {
        Ok(())
    } else {
        Err(format!("{op:?} of {} elements is {folded:?}, not {sum:?}", x.len()))
    }
}

/// What the sum of floats may be off, in whatever order they are added (Higham, "The accuracy of floating point
/// summation", 1993).
pub(crate) fn slack<T: Number>(x: &[T]) -> f64 {
    let all = x.iter().map(|&x| x.real().abs()).sum::<f64>();
    x.len() as f64 * f64::from(f32::EPSILON) * all
}
