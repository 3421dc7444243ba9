//! What a partition promises.

use crate::compact;
use crate::number::Number;

/// Whether `y` is those elements of `x` that come first, `count` of them, and then all others, each in order.
pub fn verify<V: Number>(x: &[V], first: impl Fn(usize, V) -> bool, y: &[V], count: usize) -> Result<(), String> {
    if count > y.len() || x.len() != y.len() {
        return Err(format!("{count} of {} elements for {}", y.len(), x.len()));
    }
    compact::verify(x, &first, y, count)?;
    compact::verify(x, |at, value| !first(at, value), &y[count..], y.len() - count)
}
