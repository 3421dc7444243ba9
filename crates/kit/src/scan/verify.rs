//! What a scan promises.

use super::Kind;
use crate::number::{Number, Op};

/// Whether `y` is the scan of `x`: exactly for integers and extremes, for sums of floats up to the rounding of each
/// of their additions.
pub fn verify<T: Number>(kind: Kind, op: Op, x: &[T], y: &[T]) -> Result<(), String> {
    if x.len() != y.len() {
        return Err(format!("{} results for {} elements", y.len(), x.len()));
    }
    let rounds = T::WGSL == "f32" && op == Op::Sum;
    let (mut all, mut exact, mut size) = (T::start(op), 0.0, 0.0);
    for (at, (&x, &y)) in x.iter().zip(y).enumerate() {
        let before = (all, exact, size);
        (all, exact, size) = (T::combined(op, all, x), exact + x.real(), size + x.real().abs());
        let (all, exact, size) = match kind {
            Kind::Inclusive => (all, exact, size),
            Kind::Exclusive => before,
        };
        let slack = (at + 1) as f64 * f64::from(f32::EPSILON) * size;
        if y != all && !(rounds && (y.real() - exact).abs() <= slack) {
            return Err(format!("{kind:?} {op:?} at {at} is {all:?}, not {y:?}"));
        }
    }
    Ok(())
}
